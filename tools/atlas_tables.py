"""What ``tools/atlas.py`` computed, as the page on it and its figures need it."""

from __future__ import annotations

from itertools import combinations
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from pyarrow import parquet

import bleukit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

BASE = "sacrebleu"
WITHOUT_BLANKS = ("ja", "zh")
"""The target languages of the atlas whose scripts put no blanks between words."""

USUAL = ("sacrebleu", "sacrebleu-intl", "evaluate", "multi-bleu-detok", "mteval-v14")
OF_LANGUAGES = {"sacrebleu-ja": "ja", "sacrebleu-ko": "ko", "sacrebleu-zh": "zh"}
"""The variants that are made for one language."""

Row = dict[str, Any]


def for_translation(rows: Sequence[Row]) -> list[str]:
    """Return the variants that people use for translations: of the sum of counts, up to order 4, for text."""
    named, tested = bleukit.variants(), {row["variant"] for row in rows if row["fits"] != "tokenized"}
    fields = {named[name].field for name in USUAL}
    return [
        name
        for name in sorted(tested)
        if named[name].field in fields and not named[name].is_macro and len(named[name].weights) == 4
    ]


def target(row: Row) -> str:
    """Return the language that a row is about."""
    return str(row["direction"].partition("-")[2])


def suits(variant: str, row: Row) -> bool:
    """Return whether a variant is meant for the language of a row."""
    return OF_LANGUAGES.get(variant, target(row)) == target(row)


class Atlas:
    """The tables of the atlas."""

    def __init__(self, folder: Path) -> None:
        tables = (folder / f"{name}.parquet" for name in ("scores", "flips", "shares", "variants"))
        self.scores, self.flips, self.shares, self.variants = (parquet.read_table(path).to_pylist() for path in tables)
        scales = {row["variant"]: row["scale"] for row in self.variants if row["scale"]}
        self.points = {
            (row["direction"], row["system"], row["variant"]): row["score"] * 100 / scales[row["variant"]]
            for row in self.scores
        }
        self.systems = sorted({key[:2] for key in self.points})
        self.pairs = [(one[0], one[1], other[1]) for one, other in combinations(self.systems, 2) if one[0] == other[0]]
        self.tested = sorted({row["variant"] for row in self.scores if row["fits"] != "tokenized"})
        self.misused = sorted({row["variant"] for row in self.scores if row["fits"] == "tokenized"})
        self.translation = for_translation(self.scores)

    def changed(self, variants: Iterable[str], chosen: Callable[[Row], bool], *, significant: bool = False) -> int:
        """Return in how many pairs of systems two of some variants disagree; at all, or both significantly."""
        known = set(variants)
        return len(
            {
                (row["direction"], row["first"], row["second"])
                for row in self.flips
                if {row["variant"], row["other"]} <= known
                and suits(row["variant"], row)
                and suits(row["other"], row)
                and chosen(row)
                and (row["both_significant"] or not significant)
            }
        )

    def number_of_pairs(self, chosen: Callable[[Row], bool]) -> int:
        """Return the number of pairs of systems of one direction."""
        return sum(chosen({"direction": direction}) for direction, _, _ in self.pairs)

    def switches(self, variant: str, languages: Callable[[str], bool] = lambda _: True) -> list[float]:
        """Return what a switch from BASE to a variant changes, in points, for each system of some target languages."""
        return [
            self.points[direction, system, variant] - self.points[direction, system, BASE]
            for direction, system in self.systems
            if languages(direction.partition("-")[2]) and (direction, system, variant) in self.points
        ]


def is_spaced(language: str) -> bool:
    return language not in WITHOUT_BLANKS


def central(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the 5 % quantile, the median and the 95 % quantile."""
    ends = quantiles(values, n=20, method="inclusive")
    return ends[0], median(values), ends[-1]


def key_shares_of(atlas: Atlas, variants: Iterable[str]) -> dict[str, list[float]]:
    """Return the absolute shares of each key, the largest first."""
    known, found = set(variants), {}
    for row in atlas.shares:
        if row["variant"] in known and suits(row["variant"], row):
            found.setdefault(row["key"], []).append(abs(row["points"]))
    return dict(sorted(found.items(), key=lambda item: -central(item[1])[2]))
