"""Plot a comparison: scores with their confidence intervals, and the p-values of all pairs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from bleukit.errors import InputError, NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from bleukit.comparing.results import Comparison, Interval

SUFFIXES = (".svg", ".pdf")

BANDS = ((0.001, "#08306b"), (0.01, "#4a7fb5"), (0.05, "#b3cde3"), (float("inf"), "#f2f2f2"))
"""Upper bounds of p-values, and the colours of their cells: shades that are distinct in print and for everybody."""

WIDTH, LETTER = 3.2, 0.07
"""The width of the scores, or of the differences, and of each letter of a name, in inches."""

_DATES = {"svg": "Date", "pdf": "CreationDate"}
"""The key of the date in the metadata of each format; without a date, equal comparisons give equal files."""

INK, FAINT = "#222222", "#999999"
STYLE: Any = {
    "font.size": 9,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "bleukit",  # so that equal comparisons give equal files
    "pdf.fonttype": 42,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def require(path: str) -> None:
    """Raise InputError for a file name with another suffix, NotInstalledError if matplotlib is missing."""
    if not path.lower().endswith(SUFFIXES):
        raise InputError(f"{path}: the file name of a plot must end in {' or '.join(SUFFIXES)}")
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise NotInstalledError("plots need: pip install 'bleukit[plot]'") from error


def drawn(comparison: Comparison, path: str) -> bytes:
    """Return the plot of a comparison as the content of an SVG or PDF file, depending on the suffix of ``path``."""
    require(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    systems = len(comparison.systems)
    all_pairs = comparison.baseline is None and systems > 2
    height = 1.2 + 0.32 * systems
    names = [system.system for system in comparison.systems]
    widths = _with_names(names), max(2.6, height) if all_pairs else _with_names(_of_pairs(comparison))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(sum(widths), height), layout="constrained")
        scores, pairs = figure.subplots(1, 2, width_ratios=widths)
        _draw_scores(scores, comparison)
        (_draw_matrix if all_pairs else _draw_differences)(pairs, comparison)
        form = path[-3:].lower()
        content = io.BytesIO()
        figure.savefig(content, format=form, metadata={_DATES[form]: None}, bbox_inches="tight")
    return content.getvalue()


def _draw_scores(axes: Axes, comparison: Comparison) -> None:
    """Draw each score with its interval, the best on top; lines separate the clusters."""
    systems = comparison.systems
    for place, system in enumerate(systems):
        _draw_estimate(axes, place, system.score, system.interval)
        if place and system.cluster != systems[place - 1].cluster:
            axes.axhline(place - 0.5, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    _name_rows(axes, [f"{system.rank}  {system.system}" for system in systems])
    axes.set_xlabel(f"BLEU, {100 * comparison.confidence_level:g} % intervals")


def _draw_differences(axes: Axes, comparison: Comparison) -> None:
    """Draw the difference of each pair with its interval and p-value."""
    axes.axvline(0, color=FAINT, linewidth=0.8)
    for place, pair in enumerate(comparison.pairs):
        _draw_estimate(axes, place, pair.difference, pair.interval)
        if pair.adjusted_p_value is not None:
            label = f"p = {_shown(pair.adjusted_p_value)}".replace("= <", "< ")
            axes.text(1.02, place, label, transform=axes.get_yaxis_transform(), va="center", color=INK)
    _name_rows(axes, _of_pairs(comparison))
    adjusted = "" if comparison.correction == "none" or len(comparison.pairs) < 2 else " and adjusted p"
    axes.set_xlabel(f"difference, {100 * comparison.confidence_level:g} % intervals{adjusted}")


def _draw_matrix(axes: Axes, comparison: Comparison) -> None:
    """Draw the adjusted p-value of each pair: the better system as the row, the other as the column."""
    from matplotlib.patches import Patch, Rectangle

    systems = [system.system for system in comparison.systems]
    for pair in comparison.pairs:
        row, column = systems.index(pair.first), systems.index(pair.second)
        if pair.adjusted_p_value is None:
            continue
        colour = next(colour for bound, colour in BANDS if pair.adjusted_p_value < bound)
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
        if len(systems) <= 12:
            ink = "white" if colour in {BANDS[0][1], BANDS[1][1]} else INK
            axes.text(column, row, _shown(pair.adjusted_p_value), va="center", ha="center", color=ink, fontsize=7)
    axes.set_aspect("equal")
    _name_rows(axes, [str(system.rank) for system in comparison.systems])
    axes.set_xlim(-0.5, len(systems) - 0.5)
    axes.set_xticks(range(len(systems)), [str(system.rank) for system in comparison.systems])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    adjusted = "" if comparison.correction == "none" else "adjusted "
    axes.set_xlabel(f"{adjusted}p, row against column")
    labels = [f"p < {bound:g}" for bound, _ in BANDS[:-1]] + [f"p ≥ {BANDS[-2][0]:g}"]
    patches = [Patch(facecolor=colour, label=label) for label, (_, colour) in zip(labels, BANDS, strict=True)]
    axes.legend(
        handles=patches,
        loc="upper left",
        bbox_to_anchor=(1.02, 1),
        frameon=False,
        fontsize=7,
        handlelength=1,
        borderaxespad=0,
    )


def _of_pairs(comparison: Comparison) -> list[str]:
    return [f"{pair.first} – {pair.second}" for pair in comparison.pairs]


def _with_names(names: Sequence[str]) -> float:
    """Return the width of a panel with these names beside it, in inches."""
    return WIDTH + LETTER * max(map(len, names))


def _draw_estimate(axes: Axes, place: int, value: float, interval: Interval | None) -> None:
    if interval is not None:
        axes.plot([interval.low, interval.high], [place, place], color=INK, linewidth=1.2, solid_capstyle="butt")
    axes.plot([value], [place], color=INK, marker="o", markersize=4)


def _name_rows(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _shown(p_value: float) -> str:
    return "<.001" if p_value < 0.001 else f"{p_value:.3f}".removeprefix("0") if p_value < 0.9995 else "1"
