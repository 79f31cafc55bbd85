"""By how much do two variants usually differ? What they gave the systems of WMT22 answers, if no text is at hand."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median, quantiles

from bleukit.bleu.bleu import load
from bleukit.framework.errors import InputError, near_misses, quantity
from bleukit.framework.results import Result
from bleukit.reading.misfits import splits_punctuation
from bleukit.writing.phrases import wrapped_lines
from bleukit.writing.printers import as_html, text_lines
from bleukit.writing.table import TextTable, table_of

FILE = Path(__file__).with_name("wmt22.csv")
"""The scores of each system by each variant, in points of 100, which ``tools/atlas.py page`` writes."""

SOURCE = "WMT22, general translation task"


@dataclass(frozen=True, eq=False)
class TypicalDifference(Result):
    """The second score minus the first, in points of 100, of all systems that translate into a language.

    ``low`` and ``high`` are the 5 % and the 95 % quantile: between them are 90 % of the ``systems``.
    """

    language: str
    systems: int
    median: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class TypicalDifferences(Result):
    """What two variants gave the systems of WMT22; ``languages`` has an item for each language of the translations.

    ``made_for_tokens`` are those of the two that are made for tokenized text, which these texts are not.
    """

    first: str
    second: str
    languages: tuple[TypicalDifference, ...]
    made_for_tokens: tuple[str, ...]

    def __str__(self) -> str:
        return self.as_text()

    def __repr__(self) -> str:
        return f"<TypicalDifferences of {self.first} and {self.second}: {quantity(len(self.languages), 'language')}>"

    def as_text(self, width: int = 80) -> str:
        """Return the differences as a table, in lines of at most ``width`` characters."""
        head = f"{self.second} minus {self.first}, in points of 100, by language of the translation ({SOURCE})"
        lines = [*wrapped_lines(head, width), "", *text_lines(self._table())]
        for variant in self.made_for_tokens:
            note = f"note: {variant} is made for tokenized text, and scored these texts as they are"
            lines += wrapped_lines(note, width)
        caution = "Your text may differ by more; with files, bleukit explain says how the difference arises."
        return "\n".join([*lines, *wrapped_lines(caution, width)])

    def _repr_html_(self) -> str:
        return as_html(self._table())

    def _table(self) -> TextTable:
        columns = {
            "language": [one.language for one in self.languages],
            "systems": [str(one.systems) for one in self.languages],
            "median": [f"{one.median:+.1f}" for one in self.languages],
            "90 % of systems": [f"{one.low:+.1f} to {one.high:+.1f}" for one in self.languages],
        }
        return table_of(columns.items(), {"language"})


def typical_differences(first: str, second: str, *, language: str | None = None) -> TypicalDifferences:
    """Return by how much two named variants usually differ, in each language, or in one: "de", "ja".

    Raises InputError for a variant or a language that is not in the data.
    """
    table = _table()
    variants = [name for name in table[0] if name not in {"direction", "system"}]
    for name in (first, second):
        if name not in variants:
            raise InputError(f"{name!r} is not in the scores of {SOURCE}; {near_misses(name, variants)}")
    differences: dict[str, list[float]] = {}
    for row in table:
        if row[first] and row[second]:
            target = row["direction"].partition("-")[2]
            differences.setdefault(target, []).append(float(row[second]) - float(row[first]))
    if language is not None and language not in differences:
        raise InputError(f"no systems translate into {language!r}; known: {', '.join(sorted(differences))}")
    chosen = sorted(differences) if language is None else [language]
    return TypicalDifferences(
        first,
        second,
        tuple(_typical(target, differences[target]) for target in chosen),
        tuple(name for name in dict.fromkeys((first, second)) if not splits_punctuation(load(name).tokenize)),
    )


def _typical(language: str, differences: list[float]) -> TypicalDifference:
    ends = quantiles(differences, n=20, method="inclusive") if len(differences) > 1 else differences
    low, high = (round(end, 2) or 0.0 for end in (ends[0], ends[-1]))
    return TypicalDifference(language, len(differences), round(median(differences), 2) or 0.0, low, high)


@cache
def _table() -> list[dict[str, str]]:
    """Return the rows of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
