"""Plot a comparison: scores with their confidence intervals, and the p-values of all pairs."""

from __future__ import annotations

import io
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bleukit.framework.errors import InputError, NotInstalledError, quantity
from bleukit.writing.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bleukit.comparing.results import PairResult, Results, SystemResult

SUFFIXES = (".svg", ".pdf", ".png")

BANDS = ((0.001, "#08306b"), (0.01, "#4a7fb5"), (0.05, "#b3cde3"), (float("inf"), "#f2f2f2"))
"""Upper bounds of p-values, and the colours of their cells: shades that are distinct in print and for everybody."""

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
    "figure.constrained_layout.use": True,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "bleukit",  # so that equal comparisons give equal files
    "pdf.fonttype": 42,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "ytick.major.size": 0,
}


def require(path: str) -> None:
    """Raise InputError for a file name with another suffix, NotInstalledError if matplotlib is missing."""
    if not path.lower().endswith(SUFFIXES):
        raise InputError(f"{path}: the file name of a plot must end in {listed(SUFFIXES, 'or')}")
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise NotInstalledError("plots need: pip install 'bleukit[plot]'") from error


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
    content, kind = io.BytesIO(), path[-3:].lower()
    figure.savefig(content, format=kind, metadata=_METADATA[kind])
    return content.getvalue()


def drawn(comparison: Results, path: str, text: str) -> bytes:
    """Return the plot of a comparison as the content of an SVG, PDF or PNG file, depending on the suffix of ``path``.

    Scores are on the left; beside them are the p-values of all pairs, or the differences of few. Below them are the
    variant, the number of segments, and of which ``text`` they are.
    """
    with drawing(path):
        from matplotlib.figure import Figure

        systems, pairs = comparison.systems, comparison.pairs
        level = f"{100 * comparison.confidence_level:g} % intervals"
        has_matrix = comparison.baseline is None and len(systems) > 2
        rows = len(systems) if has_matrix else max(len(systems), len(pairs))
        figure = Figure(figsize=(7.5 + 0.3 * rows * has_matrix, 1.1 + 0.32 * rows))
        scores, beside = figure.subplots(1, 2)
        metric = f"{comparison.metric}, lower is better" if comparison.lower_is_better else comparison.metric
        ranks = [f"{system.rank}  {system.system}" for system in systems]
        _draw_estimates(scores, ranks, systems, f"{metric}, {level}")
        for place in range(1, len(systems)):
            if systems[place].cluster != systems[place - 1].cluster:
                scores.axhline(place - 0.5, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
        adjusted = "adjusted p" if comparison.is_adjusted else "p"
        if has_matrix:
            _draw_matrix(beside, [system.system for system in systems], pairs, adjusted)
        else:
            names = [f"{pair.first} – {pair.second}" for pair in pairs]
            _draw_estimates(beside, names, pairs, f"difference, {level} and {adjusted}")
            beside.axvline(0, color=FAINT, linewidth=0.8)
        for axes in (scores, beside):  # so that rows continue
            axes.set_ylim(rows - 0.5, -0.5)
        variant = comparison.signature.partition("|")[0].partition(":")[2]
        figure.supxlabel(f"{variant}, {quantity(comparison.segments, 'segment')} of {text}", fontsize=8, color=INK)
        return content_of(figure, path)


def _draw_estimates(axes: Axes, names: Sequence[str], results: Sequence[SystemResult | PairResult], label: str) -> None:
    """Draw each score or difference with its interval, the first on top, and the p-value of a difference beside it."""
    for place, result in enumerate(results):
        value = getattr(result, "score", getattr(result, "difference", 0.0))
        if result.interval is not None:
            axes.plot([result.interval.low, result.interval.high], [place, place], color=INK, linewidth=1.2)
        axes.plot([value], [place], color=INK, marker="o", markersize=4)
        if (p_value := getattr(result, "adjusted_p_value", None)) is not None:
            axes.text(1.02, place, shown(p_value), transform=axes.get_yaxis_transform(), va="center", color=INK)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel(label)


def _draw_matrix(axes: Axes, systems: Sequence[str], pairs: Sequence[PairResult], label: str) -> None:
    """Draw the adjusted p-value of each pair twice: every row has those of a system against all others."""
    from matplotlib.patches import Patch, Rectangle

    for pair in pairs:
        if pair.adjusted_p_value is None:
            continue
        places, colour = (systems.index(pair.first), systems.index(pair.second)), _colour(pair.adjusted_p_value)
        ink = "white" if colour in {BANDS[0][1], BANDS[1][1]} else INK
        for row, column in (places, places[::-1]):
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
            axes.text(column, row, shown(pair.adjusted_p_value), va="center", ha="center", color=ink, fontsize=7)
    for place in range(len(systems)):
        axes.text(place, place, "–", va="center", ha="center", color=FAINT, fontsize=7)
    axes.set(xlim=(-0.5, len(systems) - 0.5), xlabel=label, yticks=[])
    axes.set_xticks(range(len(systems)), [str(place + 1) for place in range(len(systems))])
    labels = [f"p < {bound:g}" for bound, _ in BANDS[:-1]] + [f"p ≥ {BANDS[-2][0]:g}"]
    bands = zip(labels, BANDS, strict=True)
    patches = [Patch(facecolor=colour, edgecolor=FAINT, label=name) for name, (_, colour) in bands]
    axes.legend(handles=patches, loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=7, handlelength=1)


def _colour(p_value: float) -> str:
    return next(colour for bound, colour in BANDS if p_value < bound)


def shown(p_value: float) -> str:
    """Return a p-value with as many decimals as it takes to be in the band of its colour."""
    if p_value < BANDS[0][0]:
        return f"<{BANDS[0][0]:g}".replace("0.", ".")
    if p_value >= 0.9995:
        return "1"
    digits = next(count for count in range(3, 20) if _colour(round(p_value, count)) == _colour(p_value))
    return f"{p_value:.{digits}f}".removeprefix("0")
