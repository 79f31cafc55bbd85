"""Plot a comparison: scores with their confidence intervals, and the p-values of all pairs."""

from __future__ import annotations

import io
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bleukit.errors import InputError, NotInstalledError
from bleukit.inspecting.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bleukit.comparing.results import Comparison
    from bleukit.results import Interval

SUFFIXES = (".svg", ".pdf", ".png")

BANDS = ((0.001, "#08306b"), (0.01, "#4a7fb5"), (0.05, "#b3cde3"), (float("inf"), "#f2f2f2"))
"""Upper bounds of p-values, and the colours of their cells: shades that are distinct in print and for everybody."""

PANEL, ROW, CELL, LETTER, EDGE = 3.0, 0.32, 0.42, 0.075, 0.15
"""The width of a panel, the height of a row, the widths of a cell and of a letter, and a margin, in inches."""

BELOW = 0.55
"""The height of the ticks and the label below a panel, in inches."""

_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}
"""What to leave out of the metadata of each format, so that equal comparisons give equal files."""

INK, FAINT = "#222222", "#999999"
STYLE: Any = {
    "font.size": 9,
    "savefig.dpi": 300,
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
        raise InputError(f"{path}: the file name of a plot must end in {listed(SUFFIXES, 'or')}")
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise NotInstalledError("plots need: pip install 'bleukit[plot]'") from error


def drawn(comparison: Comparison, path: str) -> bytes:
    """Return the plot of a comparison as the content of an SVG, PDF or PNG file, depending on the suffix of ``path``.

    The rows of the p-values, or of the differences, continue those of the scores.
    """
    with drawing(path):
        from matplotlib.figure import Figure

        all_pairs = comparison.baseline is None and len(comparison.systems) > 2
        names = LETTER * max(len(f"{system.rank}  {system.system}") for system in comparison.systems) + EDGE
        rows = len(comparison.systems)
        if all_pairs:
            beside, width, others = 2 * EDGE, CELL * rows, rows
        else:
            others = max(1, len(comparison.pairs))
            beside, width = LETTER * max([len(pair) for pair in _of_pairs(comparison)], default=0) + 2 * EDGE, PANEL
        size = names + PANEL + beside + width + 1.0, ROW * max(rows, others) + BELOW + EDGE
        figure = Figure(figsize=size)

        def panel(left: float, width: float, height: float) -> Axes:
            bottom = size[1] - EDGE - height
            return figure.add_axes((left / size[0], bottom / size[1], width / size[0], height / size[1]))

        _draw_scores(panel(names, PANEL, ROW * rows), comparison)
        pairs = panel(names + PANEL + beside, width, ROW * others)
        (_draw_matrix if all_pairs else _draw_differences)(pairs, comparison)
        return content_of(figure, path)


@contextmanager
def drawing(path: str) -> Iterator[None]:
    """Set the style of a plot. Raises InputError and NotInstalledError as :func:`require`."""
    require(path)
    import matplotlib as mpl

    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def content_of(figure: Figure, path: str) -> bytes:
    """Return a figure as the content of a file, in the format of its suffix."""
    content = io.BytesIO()
    figure.savefig(content, format=_form(path), metadata=_METADATA[_form(path)], bbox_inches="tight")
    return content.getvalue()


def _form(path: str) -> str:
    return path[-3:].lower()


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
    adjusted = " and adjusted p" if comparison.is_adjusted else ""
    axes.set_xlabel(f"difference, {100 * comparison.confidence_level:g} % intervals{adjusted}")


def _draw_matrix(axes: Axes, comparison: Comparison) -> None:
    """Draw the adjusted p-value of each pair twice: every row has those of a system against all others."""
    from matplotlib.patches import Patch, Rectangle

    systems = [system.system for system in comparison.systems]
    for pair in comparison.pairs:
        if pair.adjusted_p_value is None:
            continue
        places = systems.index(pair.first), systems.index(pair.second)
        colour = _colour(pair.adjusted_p_value)
        ink = "white" if colour in {BANDS[0][1], BANDS[1][1]} else INK
        for row, column in (places, places[::-1]):
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
            axes.text(column, row, _shown(pair.adjusted_p_value), va="center", ha="center", color=ink, fontsize=7)
    for place in range(len(systems)):
        axes.text(place, place, "–", va="center", ha="center", color=FAINT, fontsize=7)
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.set_xlim(-0.5, len(systems) - 0.5)
    axes.set_yticks([])
    axes.set_xticks(range(len(systems)), [str(place + 1) for place in range(len(systems))])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(True)
    adjusted = "adjusted " if comparison.is_adjusted else ""
    axes.set_xlabel(f"{adjusted}p")
    labels = [f"p < {bound:g}" for bound, _ in BANDS[:-1]] + [f"p ≥ {BANDS[-2][0]:g}"]
    patches = [
        Patch(facecolor=colour, edgecolor=FAINT, label=label) for label, (_, colour) in zip(labels, BANDS, strict=True)
    ]
    axes.legend(
        handles=patches,
        loc="upper left",
        bbox_to_anchor=(1.02, 1),
        frameon=False,
        fontsize=7,
        handlelength=1,
        borderaxespad=0,
    )


def _colour(p_value: float) -> str:
    return next(colour for bound, colour in BANDS if p_value < bound)


def _of_pairs(comparison: Comparison) -> list[str]:
    return [f"{pair.first} – {pair.second}" for pair in comparison.pairs]


def _draw_estimate(axes: Axes, place: int, value: float, interval: Interval | None) -> None:
    if interval is not None:
        axes.plot([interval.low, interval.high], [place, place], color=INK, linewidth=1.2, solid_capstyle="butt")
    axes.plot([value], [place], color=INK, marker="o", markersize=4)


def _name_rows(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _shown(p_value: float) -> str:
    """Return a p-value with as many decimals as it takes to be in the band of its colour."""
    if p_value < BANDS[0][0]:
        return f"<{BANDS[0][0]:g}".replace("0.", ".")
    if p_value >= 0.9995:
        return "1"
    shown = next(text for digits in range(3, 20) if _colour(float(text := f"{p_value:.{digits}f}")) == _colour(p_value))
    return shown.removeprefix("0")
