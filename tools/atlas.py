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
``docs/atlas.md``. Both need pandas and pyarrow, and ``page`` matplotlib.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import pandas as pd

import bleukit
from bleukit.reading.files import read_lines
from bleukit.reading.misfits import splits_punctuation
from bleukit.writing.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "atlas"
PAGE = ROOT / "docs" / "atlas.md"

BASE = "sacrebleu"
"""The variant against which the shares of keys, and typical differences, are found."""

TABLES = ("scores", "pairs", "shares", "variants")
"""What is computed for each direction."""

PAIR = ["direction", "first", "second"]
"""The columns that name two systems."""

LEVEL = 0.95

WITHOUT_BLANKS = ("-ja", "-zh")
"""The ends of the directions into languages whose scripts put no spaces between words."""

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
        for path in (self.reference, *self.systems.values()):
            digest.update(f"{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
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
        fits, intervals = "tokenized", {}
        if splits_punctuation(bleu.tokenize):
            fits = "unsplit" if "unsplit" in notes else "yes"
            settings = {"samples": samples, "confidence_level": LEVEL, "threads": 1}
            comparison = bleukit.compare(bleu, systems, references, **settings)
            intervals = {one.system: one.interval for one in comparison.systems}
            rows["pairs"] += [about | _pair(pair, 100 / bleu.variant.scale) for pair in comparison.pairs]
            if not bleu.variant.is_macro:
                shares = _shares(column.variant, dict([*systems.items()][:explained]), references)
                rows["shares"] += [about | share for share in shares]
        for row in table.rows:
            interval = intervals.get(row["system"])
            ends = {"low": interval and interval.low, "high": interval and interval.high}
            rows["scores"].append(about | {"system": row["system"], "score": row[column.variant], **ends, "fits": fits})
    return rows


def _pair(pair: Any, factor: float) -> Row:
    """Return two systems in the order of their names, with the difference in points of 100."""
    first, second = sorted((pair.first, pair.second))
    return {
        "first": first,
        "second": second,
        "difference": pair.difference * factor * (1 if first == pair.first else -1),
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


def compute_part(direction: Direction, part: Path, settings: Sequence[int]) -> str:
    """Compute a direction, unless it is there, and keep it; the file is there only as a whole."""
    if part.exists():
        return f"{direction.name} is there"
    temporary = part.with_name(f".{part.name}")
    temporary.write_text(json.dumps(computed(direction, *settings)), encoding="utf-8")
    temporary.rename(part)
    return f"{direction.name} is computed"


def flips(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return where two variants order two systems differently."""
    twice = pairs.merge(pairs, on=PAIR, suffixes=("", "_of_other"))
    found = twice.query("variant < variant_of_other and difference * difference_of_other < 0")
    p_values = found[["adjusted_p_value", "adjusted_p_value_of_other"]]
    both = p_values.max(axis=1) < 1 - LEVEL
    return found[[*PAIR, "variant"]].assign(other=found["variant_of_other"], both_significant=both)


# What was computed, as the page and its figures need it


def is_spaced(rows: pd.DataFrame) -> Any:
    """Return whether the words of the translations of each row have spaces between them."""
    return ~rows.index.get_level_values("direction").str.endswith(WITHOUT_BLANKS)


def fitting(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows without those of variants that are made for another language."""
    language = rows["variant"].map(OF_LANGUAGES)
    return rows[language.isna() | (language == rows["direction"].str.partition("-")[2])]


class Atlas:
    """The tables of the atlas, from which all but ``points`` leave out variants that are made for another language.

    ``points`` has a row for each system and a column for each variant; ``switches`` is what a switch from BASE changes.
    ``differences`` has a row for each pair of systems, and ``significant`` those of them that are. ``tested`` are the
    variants for text, ``misused`` those for tokens, ``translation`` those that people use for translations.
    """

    def __init__(self, folder: Path) -> None:
        tables = (pd.read_parquet(folder / f"{name}.parquet") for name in ("scores", "pairs", "shares", "variants"))
        scores, pairs, shares, variants = tables
        scores["points"] = scores["score"] * 100 / scores["variant"].map(variants.groupby("variant")["scale"].first())
        self.points = scores.pivot_table("points", ["direction", "system"], "variant")
        points = fitting(scores).pivot_table("points", ["direction", "system"], "variant").reindex_like(self.points)
        self.switches = points.sub(points[BASE], axis=0)
        p_values = pairs.pivot_table("adjusted_p_value", PAIR, "variant")
        first, second = (points.reindex(p_values.index.droplevel(other)) for other in ("second", "first"))
        self.differences = first.set_axis(p_values.index) - second.to_numpy()
        self.significant = self.differences[p_values.columns].where(p_values < 1 - LEVEL)
        self.tested = sorted(scores.query("fits != 'tokenized'")["variant"].unique())
        self.misused = sorted(scores.query("fits == 'tokenized'")["variant"].unique())
        self.translation = for_translation(self.tested)
        of_translation = fitting(shares).query("variant in @self.translation")
        by_key = of_translation["points"].abs().groupby(of_translation["key"])
        self.keys = by_key.describe(percentiles=[0.5, 0.95]).sort_values("95%", ascending=False)
        """The absolute shares of each key, by the variants for translations, the largest first."""
        self.alike = self._alike()

    def _alike(self) -> dict[str, list[str]]:
        """Return the variants for translations, the usual first, each with those that order all pairs as it does."""
        groups: dict[str, list[str]] = {}
        for name in sorted(self.translation, key=lambda name: [*USUAL, name].index(name)):
            if self.differences[name].isna().all():
                continue
            others = [] if name in OF_LANGUAGES else [one for one in groups if one not in OF_LANGUAGES]
            alike = (one for one in others if not reordered(self.differences, [one, name]).any())
            groups.setdefault(next(alike, name), []).append(name)
        return groups


def reordered(differences: pd.DataFrame, variants: Sequence[str]) -> pd.Series:
    """Return for each pair of systems whether two of some variants order it differently."""
    chosen = differences[[*variants]]
    return (chosen.min(axis=1) < 0) & (chosen.max(axis=1) > 0)


def for_translation(tested: Iterable[str]) -> list[str]:
    """Return the variants that people use for translations: of the sum of counts, up to order 4, for text."""
    named = bleukit.variants()
    fields = {named[name].field for name in USUAL}
    return [
        name
        for name in tested
        if named[name].field in fields and not named[name].is_macro and len(named[name].weights) == 4
    ]


# The figures: shades and kinds of lines that differ without colour

INK, FAINT = "#222222", "#999999"
STYLE: Any = {
    "font.size": 9,
    "figure.constrained_layout.use": True,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "bleukit",  # so that equal data give equal files
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "ytick.major.size": 0,
}


def figures(atlas: Atlas) -> Iterator[tuple[str, bytes]]:
    """Yield the figures as SVG with their names, without a background, so that they take that of the page."""
    import matplotlib as mpl

    made = {"flips": draw_flips, "switches": draw_switches, "keys": draw_keys}
    made |= {f"ranks-{direction}": partial(draw_ranks, direction=direction) for direction in SHOWN}
    for name, draw in made.items():
        content = io.BytesIO()
        with mpl.rc_context(STYLE):
            draw(atlas).savefig(content, format="svg", metadata={"Date": None})
        yield f"{name}.svg", content.getvalue()


def panel(width: float, height: float) -> tuple[Any, Any]:
    """Return a figure of this size, in inches, with one panel."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="none")
    axes = figure.subplots(subplot_kw={"facecolor": "none"})
    axes.tick_params(labelsize=7)
    return figure, axes


def rows_of(axes: Any, places: Sequence[float], names: Sequence[str]) -> None:
    """Name the rows of a figure, the first on top."""
    axes.set_yticks(places, names, fontsize=7)
    axes.tick_params(axis="y", length=0)


def draw_flips(atlas: Atlas) -> Any:
    """Draw the share of pairs that two variants order differently, as shades with numbers."""
    from matplotlib.patches import Rectangle

    variants, spaced = [*atlas.alike], is_spaced(atlas.differences)
    number = len(variants)
    figure, axes = panel(0.28 * number + 2, 0.28 * number + 0.6)
    for row, one in enumerate(variants):
        for column, other in enumerate(variants):
            chosen = atlas.differences[spaced == (row > column)]
            products = (chosen[one] * chosen[other]).dropna()
            if row == column or products.empty:
                continue
            share = (products < 0).mean()
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


def draw_ranks(atlas: Atlas, *, direction: str) -> Any:
    """Draw the rank of each system by some variants as lines; kinds of lines tell neighbours apart."""
    variants = [*SLOPES, *(name for name, language in OF_LANGUAGES.items() if language == direction.partition("-")[2])]
    ranks = atlas.points.loc[direction, variants].rank(ascending=False, method="first").sort_values(variants[0])
    figure, axes = panel(0.75 * len(variants) + 1.6, 0.24 * len(ranks) + 0.5)
    styles = cycle(["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1, 1, 1))])
    for (system, places), style in zip(ranks.iterrows(), styles, strict=False):
        colour = INK if len({*places}) > 1 else FAINT
        line = {"linestyle": style, "linewidth": 1.1, "marker": "o", "markersize": 3}
        axes.plot(range(len(variants)), places, color=colour, **line)
        axes.text(-0.12, places.iloc[0], system, ha="right", va="center", fontsize=8)
        axes.text(len(variants) - 0.88, places.iloc[-1], system, ha="left", va="center", fontsize=8)
    axes.set_ylim(len(ranks) + 0.5, 0.5)
    axes.set_yticks([])
    axes.set_xticks(range(len(variants)), [name.replace("-", "-\n", 1) for name in variants], fontsize=7)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(f"ranks, {direction}", fontsize=8, loc="left")
    return figure


def draw_switches(atlas: Atlas) -> Any:
    """Draw what a switch from BASE to each variant does, without Japanese and Chinese: 90 %, the half, the median."""
    own = [name for name in atlas.tested if name not in {BASE, *OF_LANGUAGES}]
    switches = [atlas.switches.loc[is_spaced(atlas.switches), names] for names in (own, atlas.misused)]
    groups = [
        each.quantile([0.05, 0.25, 0.5, 0.75, 0.95]).T.sort_values(0.5, ascending=False, kind="stable")
        for each in switches
    ]
    line = len(groups[0])  # between both groups
    found = pd.concat(groups)
    places = [place + (place >= line) for place in range(len(found))]
    figure, axes = panel(6.5, 0.17 * len(found) + 0.8)
    axes.hlines(places, found[0.05], found[0.95], color=FAINT, linewidth=1)
    axes.hlines(places, found[0.25], found[0.75], color=INK, linewidth=3)
    axes.plot(found[0.5], places, color="white", marker="|", markersize=4, linestyle="")
    axes.axhline(line, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axvline(0, color=FAINT, linewidth=0.8)
    rows_of(axes, places, found.index)
    axes.set_ylim(places[-1] + 1, -1)
    axes.set_xlabel(f"points, against {BASE}: the middle half of the systems, and 90 %", fontsize=7)
    return figure


def draw_keys(atlas: Atlas) -> Any:
    """Draw the part of each key: the median, and up to the 95 % quantile."""
    keys = atlas.keys
    places = range(len(keys))
    figure, axes = panel(6, 0.25 * len(keys) + 0.6)
    axes.barh(places, keys["95%"], color="#dddddd", edgecolor=INK, linewidth=0.5, height=0.6)
    axes.plot(keys["50%"], places, color=INK, marker="|", markersize=11, markeredgewidth=2, linestyle="")
    rows_of(axes, places, keys.index.str.replace("_", " "))
    axes.set_ylim(len(keys) - 0.5, -0.5)
    axes.set_xlabel("points: the median (line), and up to the 95 % quantile (bar)", fontsize=7)
    return figure


# The page


def written(atlas: Atlas, samples: int) -> str:
    """Return the page."""
    translation = [name for name in atlas.translation if name not in OF_LANGUAGES]
    sets = {
        f"all {len(atlas.tested)} for text": atlas.tested,
        f"{len(translation)} for translations": atlas.translation,
        f"{len(USUAL)} usual ones": USUAL,
    }
    spaced = is_spaced(atlas.differences)
    pairs = {" pairs": spaced | True, " without ja, zh": spaced, " into ja, zh": ~spaced}
    head = ["variants", *(f"of {chosen.sum()}{where}" for where, chosen in pairs.items())]
    head += ["both significant, without ja, zh", "both significant, into ja, zh"]
    of_sets = []
    for name, variants in sets.items():
        changed, sure = (reordered(differences, variants) for differences in (atlas.differences, atlas.significant))
        cells = [_counted(changed[chosen]) for chosen in pairs.values()]
        of_sets.append([name, *cells, str(sure[spaced].sum()), str(sure[~spaced].sum())])
    switches = atlas.switches
    of_switches = [
        [
            f"`{name}`{' (one language)' if name in OF_LANGUAGES else ''}",
            *_range(switches.loc[is_spaced(switches), name]),
            *_range(switches.loc[~is_spaced(switches), name]),
        ]
        for name in SWITCHES
    ]
    keys = [[key.replace("_", " "), f"{each['50%']:.2f}", f"{each['95%']:.2f}"] for key, each in atlas.keys.iterrows()]
    changed, sure = (reordered(one, atlas.translation) for one in (atlas.differences, atlas.significant))
    values = {
        "systems": len(atlas.points),
        "directions": atlas.points.index.get_level_values("direction").nunique(),
        "variants": len(atlas.points.columns),
        "scores": f"{atlas.points.count().sum():,}",
        "translation": len(translation),
        "with_nltk": _counted(reordered(atlas.differences, [*translation, "nltk"])[spaced]),
        "usual": ", ".join(code(USUAL)),
        "alike": "; ".join(
            f"{listed(code(others))} like `{name}`" for name, (_, *others) in atlas.alike.items() if others
        ),
        "samples": f"{samples:,}",
        "table_of_sets": markdown(head, of_sets),
        "table_of_switches": markdown(["to", "without ja, zh", "90 %", "into ja, zh", "90 %"], of_switches),
        "table_of_keys": markdown(["key", "median", "95 % quantile"], keys),
    }
    for name, chosen in (("spaced", spaced), ("unspaced", ~spaced)):
        values[f"{name}_pairs"] = chosen.sum()
        values[f"{name}_changed"] = changed[chosen].sum()
        values[f"{name}_sure"] = sure[chosen].sum()
    template = Path(__file__).with_name("atlas_page.md").read_text(encoding="utf-8")
    return Template(template).substitute(values)


def _counted(changed: pd.Series) -> str:
    return f"{changed.sum()} ({100 * changed.mean():.1f} %)"


def _range(values: pd.Series) -> list[str]:
    if not values.count():
        return ["", ""]
    low, middle, high = (round(value, 1) or 0.0 for value in values.quantile([0.05, 0.5, 0.95]))  # no negative zero
    return [f"{middle:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def code(names: Iterable[str]) -> list[str]:
    """Return names as Markdown's code."""
    return [f"`{name}`" for name in names]


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
    (out / "parts").mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for done in pool.map(partial(compute_part, settings=settings), found, parts):
            click.echo(done)
    of_parts = [json.loads(part.read_text(encoding="utf-8")) for part in parts]
    tables = {name: pd.DataFrame([row for part in of_parts for row in part[name]]) for name in TABLES}
    tables["flips"] = flips(tables["pairs"])
    for name, table in tables.items():
        table.to_parquet(out / f"{name}.parquet", index=False, compression="zstd", compression_level=19)
    described = {"bleukit": bleukit.__version__, "samples": samples, "explained": explain}
    (out / "settings.json").write_text(json.dumps(described) + "\n")
    click.echo(", ".join(f"{len(rows):,} {table}" for table, rows in tables.items()))


@main.command()
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
def page(out: Path) -> None:
    """Write the page of what was computed in OUT, its figures and data."""
    atlas = Atlas(out)
    if out.resolve() != DATA.resolve():
        shutil.copytree(out, DATA, ignore=shutil.ignore_patterns("parts"), dirs_exist_ok=True)
    for name, content in figures(atlas):
        (DATA / name).write_bytes(content)
    samples = json.loads((DATA / "settings.json").read_text())["samples"]
    PAGE.write_text(written(atlas, samples), encoding="utf-8")


if __name__ == "__main__":
    main()
