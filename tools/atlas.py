"""The atlas: every system of a year of WMT by every variant, and where variants disagree which system is better.

``python tools/atlas.py compute FOLDER OUT`` reads the layout of WMT's news-systems repositories: the folders
``references`` and ``system-outputs``, also below ``txt``, with files such as ``generaltest2022.en-de.hyp.PROMT.de`` and
``generaltest2022.en-de.ref.A.de``; of several references, the first. It writes Parquet files to OUT:

- ``scores``: each system by each variant, in the variant's scale; 95 % intervals (bootstrap) of variants that tokenize
  by themselves; ``fits`` is "yes", "unsplit" (the tokenizer leaves a script without spaces unsplit) or "tokenized" (the
  variant is made for tokenized text, and these texts are not);
- ``pairs``: the difference of each two systems by each variant that tokenizes by itself, in points of 100, with
  p-values (paired permutation test), also adjusted for the pairs of the direction (Holm);
- ``flips``: two systems whose order differs between two of these variants, and whether both adjusted p-values are
  below 0.05;
- ``shares``: the Shapley share of each key in what a variant changes against ``sacrebleu``, for variants that do not
  average sentence scores, which takes long;
- ``variants``: the signatures, and why a variant gives no score.

Each direction is computed in a process of its own, and kept in OUT/parts: after an interrupt, or ``kill -9``, the same
command computes what is missing.

``python tools/atlas.py page OUT`` copies the Parquet files to ``docs/atlas``, draws the figures there, and writes
``docs/atlas.md`` and ``bleukit/atlas/wmt22.csv``. ``--figures FOLDER`` only draws all figures to a folder. Both need
pyarrow, and ``page`` matplotlib.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, combinations, cycle
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import pyarrow as pa
from pyarrow import parquet

import bleukit
from bleukit.comparing.plotting import FAINT, INK, content_of, drawing
from bleukit.inspecting.phrases import listed
from bleukit.text.files import read_lines
from bleukit.text.misfits import splits_punctuation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "atlas"
PAGE = ROOT / "docs" / "atlas.md"
LOOK_UP = ROOT / "bleukit" / "atlas" / "wmt22.csv"

BASE = "sacrebleu"
"""The variant against which the shares of keys, and typical differences, are found."""

TABLES = ("scores", "pairs", "shares", "variants")
"""What is computed for each direction."""

LEVEL = 0.95

WITHOUT_BLANKS = ("ja", "zh")
"""The target languages of the atlas whose scripts put no spaces between words."""

USUAL = ("sacrebleu", "sacrebleu-intl", "evaluate", "multi-bleu-detok", "mteval-v14")
OF_LANGUAGES = {"sacrebleu-ja": "ja", "sacrebleu-ko": "ko", "sacrebleu-zh": "zh"}
"""The variants that are made for one language."""

SLOPES = ("sacrebleu", "evaluate", "sacrebleu-intl", "mteval-v14", "t2t-bleu-cased", "matlab")
"""The variants beside each other in the figures of ranks."""

SHOWN = ("en-de", "en-ja")
"""The directions whose ranks are on the page."""

SWITCHES = (*USUAL[1:], "mteval-v13a", "sacrebleu-zh", "sacrebleu-ja", "matlab", "nltk", "multi-bleu")
"""The variants whose typical difference from the default is on the page."""

Row = dict[str, Any]

# Compute


class Direction(NamedTuple):
    """A direction of translation, such as "en-de", with the file of its reference and those of its systems."""

    name: str
    reference: Path
    systems: dict[str, Path]

    def fingerprint(self, settings: Sequence[int]) -> str:
        """Return what changes if the inputs, the settings or bleukit do."""
        digest = hashlib.sha256(f"{bleukit.__version__} {settings}".encode())
        for name, path in (("", self.reference), *self.systems.items()):
            digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return digest.hexdigest()


def directions(folder: Path) -> list[Direction]:
    """Return the directions that have a reference and systems, sorted by name. Raises SystemExit if there is none."""
    root = next((root for root in (folder, folder / "txt") if (root / "system-outputs").is_dir()), None)
    if root is None:
        raise SystemExit(f"{folder}: has no folder 'system-outputs', nor 'txt/system-outputs'")
    references: dict[str, Path] = {}
    for path in sorted((root / "references").iterdir()):
        references.setdefault(path.name.split(".")[1], path)
    systems: dict[str, dict[str, Path]] = {}
    for path in sorted((root / "system-outputs").iterdir()):
        _, direction, _, *name, _ = path.name.split(".")
        systems.setdefault(direction, {})[".".join(name)] = path
    return [Direction(name, references[name], systems[name]) for name in sorted(references.keys() & systems.keys())]


def computed(direction: Direction, samples: int, explained: int) -> dict[str, list[Row]]:
    """Return the rows of all tables of a direction; of ``explained`` systems the shares."""
    systems = {name: list(read_lines(str(path))) for name, path in direction.systems.items()}
    references = list(read_lines(str(direction.reference)))
    table = bleukit.table("all", systems, references, threads=1)
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for column in table.columns:
        about = {"direction": direction.name, "variant": column.variant}
        notes = "; ".join(column.notes)
        rows["variants"].append(about | {"signature": column.signature, "scale": column.scale, "notes": notes})
        if column.signature is None:
            continue
        bleu = bleukit.load(column.variant)
        comparison = None
        if splits_punctuation(bleu.tokenize):
            settings = {"samples": samples, "confidence_level": LEVEL, "threads": 1}
            comparison = bleukit.compare(bleu, systems, references, **settings)
            rows["pairs"] += [about | pair for pair in _pairs(comparison, [*systems], 100 / bleu.variant.scale)]
            if not bleu.variant.is_macro:
                shares = _shares(column.variant, dict([*systems.items()][:explained]), references)
                rows["shares"] += [about | share for share in shares]
        intervals = {one.system: one.interval for one in comparison.systems} if comparison else {}
        fits = "tokenized" if comparison is None else "unsplit" if "unsplit" in notes else "yes"
        for row in table.rows:
            interval = intervals.get(row["system"])
            ends = {"low": interval and interval.low, "high": interval and interval.high}
            rows["scores"].append(about | {"system": row["system"], "score": row[column.variant], **ends, "fits": fits})
    return rows


def _pairs(comparison: bleukit.Comparison, names: Sequence[str], factor: float) -> Iterator[Row]:
    """Yield each pair of systems, in the order of their names, with its difference in points of 100."""
    for pair in comparison.pairs:
        places = names.index(pair.first), names.index(pair.second)
        first, second = (names[place] for place in sorted(places))
        yield {
            "first": first,
            "second": second,
            "difference": pair.difference * factor * (1 if places[0] < places[1] else -1),
            "p_value": pair.p_value,
            "adjusted_p_value": pair.adjusted_p_value,
        }


def _shares(variant: str, systems: dict[str, list[str]], references: list[str]) -> Iterator[Row]:
    """Yield the share of each key in the score by a variant minus that by BASE, in points of 100."""
    for system, hypotheses in systems.items():
        try:
            parts = bleukit.explain(BASE, variant, hypotheses, references).parts
        except bleukit.InputError:  # a mixture of both cannot score the text
            continue
        yield from ({"system": system, "key": part.key, "points": part.points} for part in parts)


def write(rows: Sequence[Row], path: Path) -> None:
    """Write rows to a Parquet file; texts that recur take little space."""
    parquet.write_table(pa.Table.from_pylist(list(rows)), path, compression="zstd", compression_level=19)


def compute_part(direction: Direction, part: Path, settings: Sequence[int]) -> str:
    """Compute a direction, unless it is there, and keep it; the folder is there only as a whole."""
    if part.exists():
        return f"{direction.name} is there"
    temporary = part.with_name(f".{part.name}")
    shutil.rmtree(temporary, ignore_errors=True)  # of a process that was killed
    temporary.mkdir(parents=True)
    for table, rows in computed(direction, *settings).items():
        write(rows, temporary / f"{table}.parquet")
    temporary.rename(part)
    return f"{direction.name} is computed"


def flips(pairs: Sequence[Row]) -> Iterator[Row]:
    """Yield two systems and two variants that order them differently."""
    of_systems: dict[tuple[str, str, str], list[Row]] = {}
    for row in pairs:
        of_systems.setdefault((row["direction"], row["first"], row["second"]), []).append(row)
    for (direction, first, second), rows in of_systems.items():
        for one, other in combinations(sorted(rows, key=lambda row: row["variant"]), 2):
            if one["difference"] * other["difference"] < 0:
                yield {
                    "direction": direction,
                    "first": first,
                    "second": second,
                    "variant": one["variant"],
                    "other": other["variant"],
                    "both_significant": max(one["adjusted_p_value"], other["adjusted_p_value"]) < 1 - LEVEL,
                }


# What was computed, as the page and its figures need it


def target(direction: str) -> str:
    """Return the language of the translations, given a direction such as "en-de"."""
    return direction.partition("-")[2]


def is_spaced(language: str) -> bool:
    return language not in WITHOUT_BLANKS


def is_unspaced(language: str) -> bool:
    return language in WITHOUT_BLANKS


def is_any(_: str) -> bool:
    return True


def suits(variant: str, language: str) -> bool:
    """Return whether a variant is meant for a language."""
    return OF_LANGUAGES.get(variant, language) == language


def for_translation(tested: Iterable[str]) -> list[str]:
    """Return the variants that people use for translations: of the sum of counts, up to order 4, for text."""
    named = bleukit.variants()
    fields = {named[name].field for name in USUAL}
    return [
        name
        for name in tested
        if named[name].field in fields and not named[name].is_macro and len(named[name].weights) == 4
    ]


class Atlas:
    """The tables of the atlas. Variants that are made for a language count for that language alone."""

    def __init__(self, folder: Path) -> None:
        tables = (folder / f"{name}.parquet" for name in ("scores", "flips", "shares", "variants"))
        scores, flips, shares, variants = (parquet.read_table(path).to_pylist() for path in tables)
        scales = {row["variant"]: row["scale"] for row in variants}
        self.points = {
            (row["direction"], row["system"], row["variant"]): row["score"] * 100 / scales[row["variant"]]
            for row in scores
        }
        self.systems = sorted({key[:2] for key in self.points})
        self.pairs = [(one[0], one[1], other[1]) for one, other in combinations(self.systems, 2) if one[0] == other[0]]
        self.tested = sorted({row["variant"] for row in scores if row["fits"] != "tokenized"})
        self.misused = sorted({row["variant"] for row in scores if row["fits"] == "tokenized"})
        self.translation = for_translation(self.tested)
        self.flips = [
            row
            for row in flips
            if suits(row["variant"], target(row["direction"])) and suits(row["other"], target(row["direction"]))
        ]
        self.shares = [row for row in shares if suits(row["variant"], target(row["direction"]))]
        self.flipped = Counter(
            (frozenset((row["variant"], row["other"])), is_spaced(target(row["direction"]))) for row in self.flips
        )
        self.alike = self._alike()

    def _alike(self) -> dict[str, list[str]]:
        """Return the variants for translations, the usual first, each with those that order all pairs as it does."""
        groups: dict[str, list[str]] = {}
        for name in sorted(self.translation, key=lambda name: [*USUAL, name].index(name)):
            if not any(suits(name, target(direction)) for direction, _ in self.systems):
                continue
            others = [] if name in OF_LANGUAGES else [one for one in groups if one not in OF_LANGUAGES]
            alike = (
                one for one in others if not any(self.flipped[frozenset((one, name)), spaced] for spaced in (0, 1))
            )
            groups.setdefault(next(alike, name), []).append(name)
        return groups

    def number_of_pairs(self, chosen: Callable[[str], bool]) -> int:
        """Return the number of pairs of systems that translate into some languages."""
        return sum(chosen(target(direction)) for direction, _, _ in self.pairs)

    def reordered(self, variants: Iterable[str], chosen: Callable[[str], bool]) -> int:
        """Return how many pairs of systems two of some variants order differently."""
        known, number = list(variants), 0
        for direction, first, second in self.pairs:
            differences = [
                self.points[direction, first, variant] - self.points[direction, second, variant]
                for variant in known
                if suits(variant, target(direction))
            ]
            number += chosen(target(direction)) and min(differences) < 0 < max(differences)
        return number

    def contradicted(self, variants: Iterable[str], chosen: Callable[[str], bool]) -> int:
        """Return how many pairs of systems two of some variants order differently, both significantly."""
        known = set(variants)
        pairs = {
            (row["direction"], row["first"], row["second"])
            for row in self.flips
            if {row["variant"], row["other"]} <= known and row["both_significant"] and chosen(target(row["direction"]))
        }
        return len(pairs)

    def switches(self, variant: str, chosen: Callable[[str], bool]) -> list[float]:
        """Return what a switch from BASE to a variant changes, in points, for each system of some target languages."""
        return [
            self.points[direction, system, variant] - self.points[direction, system, BASE]
            for direction, system in self.systems
            if chosen(target(direction))
            and suits(variant, target(direction))
            and (direction, system, variant) in self.points
        ]

    def shares_of_keys(self) -> dict[str, list[float]]:
        """Return the absolute shares of each key, by the variants for translations, the largest first."""
        found: dict[str, list[float]] = {}
        for row in self.shares:
            if row["variant"] in self.translation:
                found.setdefault(row["key"], []).append(abs(row["points"]))
        return dict(sorted(found.items(), key=lambda item: -central(item[1])[2]))


def central(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the 5 % quantile, the median and the 95 % quantile."""
    ends = quantiles(values, n=20, method="inclusive")
    return ends[0], median(values), ends[-1]


# The figures: shades and kinds of lines that differ without colour


def figures(atlas: Atlas, directions: Iterable[str]) -> dict[str, bytes]:
    """Return the figures as SVG by their names, without a background, so that they take that of the page."""
    made = {"flips.svg": draw_flips, "switches.svg": draw_switches, "keys.svg": draw_keys}
    made |= {f"ranks-{direction}.svg": partial(draw_ranks, direction=direction) for direction in directions}
    import matplotlib as mpl

    contents = {}
    for name, draw in made.items():
        with drawing(name):
            mpl.rcParams["savefig.transparent"] = True
            contents[name] = content_of(draw(atlas), name)
    return contents


def panel(width: float, height: float) -> tuple[Any, Any]:
    """Return a figure of this size, in inches, with one panel."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    axes = figure.subplots()
    axes.tick_params(labelsize=7)
    return figure, axes


def rows_of(axes: Any, places: Sequence[float], names: Sequence[str], size: int) -> None:
    """Name the rows of a figure, the first on top."""
    axes.set_yticks(places, names, fontsize=size)
    axes.tick_params(axis="y", length=0)


def draw_flips(atlas: Atlas) -> Any:
    """Draw the share of pairs that two variants order differently, as shades with numbers."""
    from matplotlib.patches import Rectangle

    variants = [*atlas.alike]
    number = len(variants)
    figure, axes = panel(0.28 * number + 2, 0.28 * number + 0.6)
    for row, one in enumerate(variants):
        for column, other in enumerate(variants):
            pairs = _common_pairs(atlas, one, other, spaced=row > column)
            if row == column or not pairs:
                continue
            share = atlas.flipped[frozenset((one, other)), row > column] / pairs
            shade = 1 - min(1.0, 2.5 * share)
            corner, ink = (column - 0.5, row - 0.5), "white" if shade < 0.5 else INK
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=str(shade), edgecolor="white", linewidth=0.5))
            axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=8, color=ink)
    axes.set(xlim=(-0.5, number - 0.5), ylim=(number - 0.5, -0.5))
    axes.set_xticks(range(number), range(1, number + 1))
    axes.set_yticks(range(number), [f"{name}  {place}" for place, name in enumerate(variants, 1)])
    axes.tick_params(length=0, labelsize=9)
    axes.set_title("into Japanese and Chinese, %", loc="right", fontsize=8)
    axes.set_xlabel("all others, %", loc="left", fontsize=8)
    return figure


def _common_pairs(atlas: Atlas, one: str, other: str, *, spaced: bool) -> int:
    """Return the number of pairs of systems whose language two variants are both meant for."""
    return atlas.number_of_pairs(lambda x: suits(one, x) and suits(other, x) and is_spaced(x) == spaced)


def draw_ranks(atlas: Atlas, *, direction: str) -> Any:
    """Draw the rank of each system by some variants as lines; kinds of lines tell neighbours apart."""
    own = f"sacrebleu-{target(direction)}"
    variants = [*SLOPES, *([own] if own in OF_LANGUAGES else [])]
    systems = [system for known, system in atlas.systems if known == direction]
    ranks = [sorted(systems, key=lambda system: -atlas.points[direction, system, name]) for name in variants]
    figure, axes = panel(0.75 * len(variants) + 1.6, 0.24 * len(systems) + 0.5)
    styles = cycle(["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1, 1, 1))])
    for system, style in zip(ranks[0], styles, strict=False):
        places = [ranked.index(system) + 1 for ranked in ranks]
        colour = INK if max(places) > min(places) else FAINT
        line = {"linestyle": style, "linewidth": 1.1, "marker": "o", "markersize": 3}
        axes.plot(range(len(variants)), places, color=colour, **line)
        axes.text(-0.12, places[0], system, ha="right", va="center", fontsize=8)
        axes.text(len(variants) - 0.88, places[-1], system, ha="left", va="center", fontsize=8)
    axes.set_ylim(len(systems) + 0.5, 0.5)
    axes.set_yticks([])
    axes.set_xticks(range(len(variants)), [name.replace("-", "-\n", 1) for name in variants], fontsize=7)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(f"ranks, {direction}", fontsize=8, loc="left")
    return figure


def draw_switches(atlas: Atlas) -> Any:
    """Draw what a switch from BASE to each variant does, without Japanese and Chinese: 90 %, the half, the median."""
    own = [name for name in atlas.tested if name not in {BASE, *OF_LANGUAGES}]
    of_groups = [{name: atlas.switches(name, is_spaced) for name in names} for names in (own, atlas.misused)]
    groups = [dict(sorted(group.items(), key=lambda item: -median(item[1]))) for group in of_groups]
    names = [name for group in groups for name in group]
    line = len(groups[0])  # between both groups
    places = [place + (place >= line) for place in range(len(names))]
    figure, axes = panel(6.5, 0.17 * len(names) + 0.8)
    for place, values in zip(places, chain.from_iterable(group.values() for group in groups), strict=True):
        low, middle, high = central(values)
        quarters = quantiles(values, n=4, method="inclusive")
        axes.plot([low, high], [place, place], color=FAINT, linewidth=1)
        axes.plot([quarters[0], quarters[2]], [place, place], color=INK, linewidth=3, solid_capstyle="butt")
        axes.plot([middle], [place], color="white", marker="|", markersize=4)
    axes.axhline(line, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axvline(0, color=FAINT, linewidth=0.8)
    rows_of(axes, places, names, 7)
    axes.set_ylim(places[-1] + 1, -1)
    axes.set_xlabel(f"points, against {BASE}: the middle half of the systems, and 90 %", fontsize=7)
    return figure


def draw_keys(atlas: Atlas) -> Any:
    """Draw the part of each key: the median, and up to the 95 % quantile."""
    keys = atlas.shares_of_keys()
    figure, axes = panel(6, 0.25 * len(keys) + 0.6)
    for place, values in enumerate(keys.values()):
        _, middle, high = central(values)
        axes.barh([place], [high], color="#dddddd", edgecolor=INK, linewidth=0.5, height=0.6)
        axes.plot([middle, middle], [place - 0.3, place + 0.3], color=INK, linewidth=2)
    rows_of(axes, range(len(keys)), [key.replace("_", " ") for key in keys], 7)
    axes.set_ylim(len(keys) - 0.5, -0.5)
    axes.set_xlabel("points: the median (line), and up to the 95 % quantile (bar)", fontsize=7)
    return figure


# The page

PARTS: dict[str, Callable[[str], bool]] = {
    " pairs": is_any,
    " without ja, zh": is_spaced,
    " into ja, zh": is_unspaced,
}


def written(atlas: Atlas, samples: int, example: str) -> str:
    """Return the page; ``example`` is what the look-up prints."""
    translation = [name for name in atlas.translation if name not in OF_LANGUAGES]
    sets = {
        f"all {len(atlas.tested)} for text": atlas.tested,
        f"{len(translation)} for translations": atlas.translation,
        f"{len(USUAL)} usual ones": USUAL,
    }
    of_sets = [[name, *_of_set(atlas, variants)] for name, variants in sets.items()]
    head = ["variants", *(f"of {atlas.number_of_pairs(chosen)}{where}" for where, chosen in PARTS.items())]
    head += ["both significant, without ja, zh", "both significant, into ja, zh"]
    switches = [
        [
            f"`{name}`{' (one language)' if name in OF_LANGUAGES else ''}",
            *_range(atlas.switches(name, is_spaced)),
            *_range(atlas.switches(name, is_unspaced)),
        ]
        for name in SWITCHES
    ]
    keys = [
        [key.replace("_", " "), f"{central(shares)[1]:.2f}", f"{central(shares)[2]:.2f}"]
        for key, shares in atlas.shares_of_keys().items()
    ]
    values = {
        "systems": len(atlas.systems),
        "directions": len({direction for direction, _ in atlas.systems}),
        "variants": len(atlas.tested) + len(atlas.misused),
        "scores": f"{len(atlas.points):,}",
        "translation": len(translation),
        "with_nltk": _reordered(atlas, [*translation, "nltk"], is_spaced),
        "usual": ", ".join(code(USUAL)),
        "alike": "; ".join(
            f"{listed(code(others))} like `{name}`" for name, (_, *others) in atlas.alike.items() if others
        ),
        "samples": f"{samples:,}",
        "example": example,
        "table_of_sets": markdown(head, of_sets),
        "table_of_switches": markdown(["to", "without ja, zh", "90 %", "into ja, zh", "90 %"], switches),
        "table_of_keys": markdown(["key", "median", "95 % quantile"], keys),
    }
    for name, chosen in (("spaced", is_spaced), ("unspaced", is_unspaced)):
        values[f"{name}_pairs"] = atlas.number_of_pairs(chosen)
        values[f"{name}_changed"] = atlas.reordered(atlas.translation, chosen)
        values[f"{name}_sure"] = atlas.contradicted(atlas.translation, chosen)
    template = Path(__file__).with_name("atlas_page.md").read_text(encoding="utf-8")
    return Template(template).substitute(values)


def _of_set(atlas: Atlas, variants: Sequence[str]) -> list[str]:
    cells = [_reordered(atlas, variants, chosen) for chosen in PARTS.values()]
    return [*cells, *(str(atlas.contradicted(variants, chosen)) for chosen in (is_spaced, is_unspaced))]


def _reordered(atlas: Atlas, variants: Sequence[str], chosen: Callable[[str], bool]) -> str:
    changed = atlas.reordered(variants, chosen)
    return f"{changed} ({100 * changed / atlas.number_of_pairs(chosen):.1f} %)"


def _range(values: Sequence[float]) -> list[str]:
    if not values:
        return ["", ""]
    low, middle, high = (round(value, 1) or 0.0 for value in central(values))  # no negative zero
    return [f"{middle:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def code(names: Iterable[str]) -> list[str]:
    """Return names as Markdown's code."""
    return [f"`{name}`" for name in names]


def look_up(atlas: Atlas) -> str:
    """Return the scores of each system by each variant, in points with two decimals, as CSV."""
    variants = [*atlas.tested, *atlas.misused]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["direction", "system", *variants])
    for system in atlas.systems:
        scores = [atlas.points.get((*system, variant)) for variant in variants]
        writer.writerow([*system, *("" if score is None else f"{score:.2f}" for score in scores)])
    return output.getvalue()


# The commands


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Compute the atlas, and write its page; see the top of this file."""


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--samples", default=10_000, show_default=True, help="Permutations of each test.")
@click.option("--explain", default=1000, help="Systems of a direction to explain; default: all.")
@click.option("--workers", default=os.cpu_count() or 1, help="Directions at a time.")
def compute(folder: Path, out: Path, samples: int, explain: int, workers: int) -> None:
    """Score a year of WMT in FOLDER by all variants."""
    settings, found = (samples, explain), directions(folder)
    parts = [out / "parts" / f"{one.name}-{one.fingerprint(settings)[:16]}" for one in found]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for done in pool.map(partial(compute_part, settings=settings), found, parts):
            click.echo(done)
    tables = {
        table: pa.concat_tables(
            [parquet.read_table(part / f"{table}.parquet") for part in parts], promote_options="permissive"
        ).to_pylist()
        for table in TABLES
    }
    tables["flips"] = list(flips(tables["pairs"]))
    for table, rows in tables.items():
        write(rows, out / f"{table}.parquet")
    described = {"bleukit": bleukit.__version__, "samples": samples, "explained": explain}
    (out / "settings.json").write_text(json.dumps(described) + "\n")
    click.echo(", ".join(f"{len(rows):,} {table}" for table, rows in tables.items()))


@main.command()
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--figures", "only", type=click.Path(path_type=Path), help="Only draw all figures, to this folder.")
def page(out: Path, only: Path | None) -> None:
    """Write the page of what was computed in OUT, its figures and data."""
    atlas = Atlas(out)
    if only:
        only.mkdir(parents=True, exist_ok=True)
        for name, content in figures(atlas, sorted({one for one, _ in atlas.systems})).items():
            (only / name).write_bytes(content)
        return
    DATA.mkdir(exist_ok=True)
    for name in (*(f"{table}.parquet" for table in (*TABLES, "flips")), "settings.json"):
        if out.resolve() != DATA.resolve():
            shutil.copyfile(out / name, DATA / name)
    for name, content in figures(atlas, SHOWN).items():
        (DATA / name).write_bytes(content)
    LOOK_UP.write_text(look_up(atlas), encoding="utf-8")
    example = bleukit.typical_differences(BASE, "mteval-v14", language="de").as_text()
    samples = json.loads((DATA / "settings.json").read_text())["samples"]
    PAGE.write_text(written(atlas, samples, example), encoding="utf-8")


if __name__ == "__main__":
    main()
