"""A plot of what variants say of pairs of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.comparing.plotting import EDGE, FAINT, INK, LETTER, content_of, drawing
from bleukit.inspecting.phrases import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from bleukit.atlas.agreement import Agreement, SystemPair, VariantDifference

CELL = 0.2
"""The width and the height of a cell, in inches."""

BESIDE = 2.2
"""The width of the legend, in inches."""

MOST_PAIRS = 30
"""The number of pairs that are drawn; those whose order changes come first."""

SHADES = {
    "same order, significant": "#ffffff",
    "same order": "#dddddd",
    "other order": "#888888",
    "other order, both significant": "#000000",
}
"""The shades of cells, which differ without colour."""


def drawn(agreement: Agreement, path: str) -> bytes:
    """Return the plot as the content of an SVG, PDF or PNG file, depending on the suffix of ``path``.

    Rows are variants, columns are pairs of systems: those whose order some variant changes or, if there are none, all.
    """
    with drawing(path, [*agreement.systems, *agreement.variants]) as drawable:
        from matplotlib.figure import Figure

        pairs = _pairs_shown(agreement)
        names = [drawable(f"{pair.first} – {pair.second}") for pair in pairs]
        below, before = (LETTER * max(map(len, labels)) + EDGE for labels in (names, agreement.variants))
        width, height = CELL * len(pairs), CELL * len(agreement.variants)
        size = before + width + BESIDE, below + height + EDGE
        figure = Figure(figsize=size)
        axes = figure.add_axes((before / size[0], below / size[1], width / size[0], height / size[1]))
        _draw_cells(axes, pairs)
        axes.set_xticks(range(len(pairs)), names, rotation=90, fontsize=7)
        axes.set_yticks(range(len(agreement.variants)), list(map(drawable, agreement.variants)), fontsize=7)
        axes.tick_params(length=0)
        shown = f"{len(pairs)} of {numbered(len(agreement.pairs), 'pair')},\norder by {agreement.variants[0]}"
        _draw_legend(axes, drawable(shown), 1 + 0.1 / width)
        return content_of(figure, path)


def _pairs_shown(agreement: Agreement) -> list[SystemPair]:
    """Return the pairs to draw: of many, those whose change is significant or large."""
    changed = list(dict.fromkeys((change.first, change.second) for change in agreement.changes))[:MOST_PAIRS]
    chosen = [pair for pair in agreement.pairs if (pair.first, pair.second) in changed]
    return chosen or list(agreement.pairs[:MOST_PAIRS])


def _draw_cells(axes: Axes, pairs: Sequence[SystemPair]) -> None:
    from matplotlib.patches import Rectangle

    for column, pair in enumerate(pairs):
        for row, found in enumerate(pair.differences):
            corner, shade = (column - 0.5, row - 0.5), SHADES[_state(pair.differences[0], found)]
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=shade, edgecolor=FAINT, linewidth=0.3))
    axes.set_xlim(-0.5, len(pairs) - 0.5)
    axes.set_ylim(len(pairs[0].differences) - 0.5, -0.5)


def _draw_legend(axes: Axes, title: str, left: float) -> None:
    from matplotlib.patches import Patch

    axes.legend(
        handles=[Patch(facecolor=shade, edgecolor=INK, linewidth=0.5, label=state) for state, shade in SHADES.items()],
        title=title,
        loc="upper left",
        bbox_to_anchor=(left, 1),
        frameon=False,
        fontsize=7,
        title_fontsize=7,
        alignment="left",
        borderaxespad=0,
    )


def _state(ours: VariantDifference, theirs: VariantDifference) -> str:
    """Return what a cell shows: whether the order is that of the first variant, and how sure that is."""
    if ours.difference * theirs.difference < 0:
        return "other order, both significant" if ours.significant and theirs.significant else "other order"
    return "same order, significant" if theirs.significant else "same order"
