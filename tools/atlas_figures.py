"""The figures of the atlas: shades and kinds of lines that differ without colour."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from atlas_tables import BASE, OF_LANGUAGES, Atlas, central, is_spaced, key_shares_of, suits, target
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bleukit.comparing.plotting import FAINT, INK, content_of, drawing

if TYPE_CHECKING:
    from collections.abc import Iterable

SLOPES = ("sacrebleu", "evaluate", "sacrebleu-intl", "mteval-v14", "t2t-bleu-cased", "matlab")
"""The variants beside each other in the figures of ranks."""


def figures(atlas: Atlas, directions: Iterable[str], form: str) -> dict[str, bytes]:
    """Return the figures by their names, in a format: "png", "svg" or "pdf"."""
    made = {f"flips.{form}": draw_flips, f"switches.{form}": draw_switches, f"keys.{form}": draw_keys}
    made |= {
        f"ranks-{direction}.{form}": lambda atlas, direction=direction: draw_ranks(atlas, direction)
        for direction in directions
    }
    contents = {}
    for name, draw in made.items():
        with drawing(name):
            mpl.rcParams["savefig.dpi"] = 150
            contents[name] = content_of(draw(atlas), name)
    return contents


def panel(width: float, height: float) -> tuple[Figure, Any]:
    """Return a figure of this size, in inches, with one panel."""
    figure = Figure(figsize=(width, height))
    axes = figure.subplots()
    axes.tick_params(labelsize=7)
    return figure, axes


def draw_flips(atlas: Atlas) -> Figure:
    """Draw the share of pairs that two variants order differently, as shades with numbers."""
    variants = [name for name in atlas.translation if name != "sacrebleu-ko"]
    found: dict[tuple[str, str, bool], int] = {}
    for row in atlas.flips:
        if suits(row["variant"], row) and suits(row["other"], row):
            for key in ((row["variant"], row["other"]), (row["other"], row["variant"])):
                spaced = is_spaced(target(row))
                found[(*key, spaced)] = found.get((*key, spaced), 0) + 1
    cell = 0.3
    figure, axes = panel(cell * len(variants) + 1.7, cell * len(variants) + 1.7)
    for row, one in enumerate(variants):
        for column, other in enumerate(variants):
            pairs = _common_pairs(atlas, one, other, spaced=row > column)
            if row == column or not pairs:
                continue
            share = found.get((one, other, row > column), 0) / pairs
            shade = 1 - min(1.0, 2.5 * share)
            corner, ink = (column - 0.5, row - 0.5), "white" if shade < 0.5 else INK
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=str(shade), edgecolor="white", linewidth=0.5))
            axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=6, color=ink)
    axes.set_xlim(-0.5, len(variants) - 0.5)
    axes.set_ylim(len(variants) - 0.5, -0.5)
    axes.set_xticks(range(len(variants)), variants, rotation=90, fontsize=7)
    axes.set_yticks(range(len(variants)), variants, fontsize=7)
    axes.tick_params(length=0)
    axes.text(0.98, 1.01, "into Japanese and Chinese, %", transform=axes.transAxes, ha="right", fontsize=7)
    axes.text(1.01, 0.02, "all others, %", transform=axes.transAxes, rotation=90, va="bottom", fontsize=7)
    return figure


def _common_pairs(atlas: Atlas, one: str, other: str, *, spaced: bool) -> int:
    """Return the number of pairs of systems whose language two variants are both meant for."""
    return atlas.number_of_pairs(lambda row: suits(one, row) and suits(other, row) and is_spaced(target(row)) == spaced)


def draw_ranks(atlas: Atlas, direction: str) -> Figure:
    """Draw the rank of each system by some variants as lines; kinds of lines tell neighbours apart."""
    own = f"sacrebleu-{direction.partition('-')[2]}"
    variants = [*SLOPES, *([own] if own in OF_LANGUAGES else [])]
    systems = [system for known, system in atlas.systems if known == direction]
    ranks = {
        variant: sorted(systems, key=lambda system: -atlas.points[direction, system, variant]) for variant in variants
    }
    figure, axes = panel(len(variants) + 1, 0.24 * len(systems) + 0.5)
    styles = ["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1, 1, 1))]
    for number, system in enumerate(ranks[variants[0]]):
        places = [ranks[variant].index(system) + 1 for variant in variants]
        moves = max(places) > min(places)
        axes.plot(
            range(len(variants)),
            places,
            color=INK if moves else FAINT,
            linewidth=1.1,
            linestyle=styles[number % 4],
            marker="o",
            markersize=3,
        )
        axes.text(-0.12, places[0], system, ha="right", va="center", fontsize=7)
        axes.text(len(variants) - 0.88, places[-1], system, ha="left", va="center", fontsize=7)
    axes.set_ylim(len(systems) + 0.5, 0.5)
    axes.set_yticks([])
    axes.set_xticks(range(len(variants)), [name.replace("-", "-\n", 1) for name in variants], fontsize=7)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(f"ranks, {direction}", fontsize=8, loc="left")
    return figure


def draw_switches(atlas: Atlas) -> Figure:
    """Draw what a switch from BASE to each variant does, without Japanese and Chinese: 90 %, the half, the median."""
    groups = [
        sorted(names, key=lambda name: -median(atlas.switches(name, is_spaced)))
        for names in ([name for name in atlas.tested if name != BASE], atlas.misused)
    ]
    names = [*groups[0], *groups[1]]
    figure, axes = panel(6.5, 0.15 * len(names) + 0.8)
    place = 0.0
    places = []
    for group in groups:
        for name in group:
            values = atlas.switches(name, is_spaced)
            low, middle, high = central(values)
            quarters = quantiles(values, n=4, method="inclusive")
            axes.plot([low, high], [place, place], color=FAINT, linewidth=1)
            axes.plot([quarters[0], quarters[2]], [place, place], color=INK, linewidth=3, solid_capstyle="butt")
            axes.plot([middle], [place], color="white", marker="|", markersize=4)
            places.append(place)
            place += 1
        if group is groups[0]:
            axes.axhline(place, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
            place += 1
    axes.axvline(0, color=FAINT, linewidth=0.8)
    axes.set_yticks(places, names, fontsize=6)
    axes.set_ylim(place, -1)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"points, against {BASE}: the middle half of the systems, and 90 %", fontsize=7)
    return figure


def draw_keys(atlas: Atlas) -> Figure:
    """Draw the part of each key: the median, and up to the 95 % quantile."""
    keys = key_shares_of(atlas, atlas.translation)
    figure, axes = panel(6, 0.25 * len(keys) + 0.6)
    for place, values in enumerate(keys.values()):
        _, middle, high = central(values)
        axes.barh([place], [high], color="#dddddd", edgecolor=INK, linewidth=0.5, height=0.6)
        axes.plot([middle, middle], [place - 0.3, place + 0.3], color=INK, linewidth=2)
    axes.set_yticks(range(len(keys)), [key.replace("_", " ") for key in keys], fontsize=7)
    axes.set_ylim(len(keys) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("points: the median (line), and up to the 95 % quantile (bar)", fontsize=7)
    return figure
