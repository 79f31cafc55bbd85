"""The panels below the scores in the plot of a comparison: histograms of differences, and scores by groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.comparing.units import DOCUMENT, LABEL, LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from bleukit.comparing.results import Comparison, PairResult

MOST = 6
"""The number of pairs whose histograms are drawn, and of systems whose scores by group are."""

ACROSS = 3
"""The number of histograms side by side."""

HISTOGRAM, GAP, TITLE = 1.1, 0.55, 0.45
"""The height of a histogram, that of what is below a panel, and of what is above it, in inches."""

LONGEST = 30
"""The number of characters up to which the title of a histogram is one line."""

TALL = 3.0
"""The middle bar of a histogram is cut off, and its height printed, if it is so many times as tall as any other."""

BETWEEN = 0.4
"""The width between two panels, in inches."""

BARS, INK = "#8c8c8c", "#222222"
STYLES = (("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"), ((0, (1, 1)), "v"), ((0, (5, 1)), "x"))
"""Lines and markers that are told apart without colour."""

AddPanel: TypeAlias = "Callable[[float, float, float, float], Axes]"
"""Adds axes, given their left and their top edge, their width and height, in inches; the top is below the scores."""


def height(comparison: Comparison) -> float:
    """Return the height of all panels, in inches."""
    return _height_of_histograms(comparison) + (TITLE + 2 * HISTOGRAM + GAP if _has_groups(comparison) else 0.0)


def draw(comparison: Comparison, width: float, panel: AddPanel) -> None:
    """Draw all panels, in so many inches of width."""
    for number, pair in enumerate(_pairs(comparison)):
        row, column = divmod(number, ACROSS)
        each = width / ACROSS
        top = row * (HISTOGRAM + GAP + TITLE) + TITLE
        axes = panel(column * each, top, each - BETWEEN, HISTOGRAM)
        _draw_histogram(axes, pair, comparison.segments)
        if not column:
            axes.set_ylabel("% of segments", fontsize=7)
    if _has_groups(comparison):
        top = _height_of_histograms(comparison) + TITLE
        _draw_groups(panel(0.0, top, width - BETWEEN, 2 * HISTOGRAM), comparison)


def _height_of_histograms(comparison: Comparison) -> float:
    return -(-len(_pairs(comparison)) // ACROSS) * (HISTOGRAM + GAP + TITLE)


def _pairs(comparison: Comparison) -> list[PairResult]:
    """Return the pairs whose histograms are drawn: with the baseline, or else neighbours in the order of the scores."""
    rank = {system.system: place for place, system in enumerate(comparison.systems)}
    return [
        pair
        for pair in comparison.pairs
        if pair.histogram is not None and (comparison.baseline is not None or rank[pair.second] == rank[pair.first] + 1)
    ][:MOST]


def _has_groups(comparison: Comparison) -> bool:
    return bool(comparison.groups) and comparison.grouped_by not in {DOCUMENT, LABEL}


def _draw_histogram(axes: Axes, pair: PairResult, segments: int) -> None:
    """Draw the shares of segments by the difference of their scores; the middle class, of equal scores, is hatched."""
    histogram = pair.histogram
    if histogram is None:
        return
    middle = len(histogram.counts) // 2
    edges = [(place - middle) * histogram.width for place in range(len(histogram.counts))]
    shares = [100 * count / segments for count in histogram.counts]
    bars = axes.bar(edges, shares, histogram.width, color=BARS, edgecolor="white", linewidth=0.3)
    bars[middle].set(facecolor="white", edgecolor=BARS, hatch="////", linewidth=0.6)
    axes.axvline(0, color=INK, linewidth=0.6)
    others = max(shares[:middle] + shares[middle + 1 :])
    if others and shares[middle] > TALL * others:  # which would hide the others
        axes.set_ylim(0, TALL * others)
        at_top: Any = {"xytext": (4, 0), "textcoords": "offset points", "va": "top", "fontsize": 7}
        axes.annotate(f"{shares[middle]:.0f} %", (histogram.width / 2, TALL * others), **at_top)
    used = [abs(edge) for edge, share in zip(edges, shares, strict=True) if share]
    reach = max([*used, 4 * histogram.width]) + histogram.width
    axes.set_xlim(-reach, reach)
    title = f"{pair.first} – {pair.second}"
    axes.set_title(title if len(title) <= LONGEST else title.replace(" – ", " –\n"), fontsize=8)
    numbers = f"{histogram.first_better:,} segments better, {histogram.second_better:,} worse"
    axes.set_xlabel(f"difference by segment\n{numbers}", fontsize=7)
    axes.tick_params(labelsize=7)


def _draw_groups(axes: Axes, comparison: Comparison) -> None:
    """Draw the score of each system in each group, with its interval; lengths are connected by lines."""
    by_length = comparison.grouped_by == LENGTH
    names = [group.group for group in comparison.groups]
    systems = [system.system for system in comparison.systems[:MOST]]
    for number, (name, (line, marker)) in enumerate(zip(systems, STYLES, strict=False)):
        shift = (number - (len(systems) - 1) / 2) * 0.08
        results = [next(each for each in group.systems if each.system == name) for group in comparison.groups]
        places = [place + shift for place in range(len(names))]
        style: Any = {"linestyle": line if by_length else "", "linewidth": 0.8, "marker": marker, "markersize": 4}
        axes.plot(places, [each.score for each in results], color=INK, label=name, **style)
        for place, each in zip(places, results, strict=True):
            if each.interval is not None:
                axes.plot([place, place], [each.interval.low, each.interval.high], color=BARS, linewidth=1.2, zorder=0)
    labels = [f"{name}\n{group.segments:,}" for name, group in zip(names, comparison.groups, strict=True)]
    axes.set_xticks(range(len(names)), labels, fontsize=7)
    what = "tokens of the reference" if by_length else comparison.grouped_by
    axes.set_xlabel(f"{what}, and number of segments", fontsize=8)
    axes.set_ylabel("BLEU", fontsize=8)
    _legend(axes, systems)


def _legend(axes: Axes, systems: Sequence[str]) -> None:
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(systems), frameon=False, fontsize=7)
