"""Do several variants agree which system is better? If not, which key of the variant changes the order?"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from bleukit.bleu.keys_in_words import key_name
from bleukit.comparing.ranking import is_significant
from bleukit.comparing.settings import SEED, Settings
from bleukit.corpus.counting import counted
from bleukit.corpus.shared_text import SharedText
from bleukit.explaining.explanation import key_shares
from bleukit.framework.arguments import available_cores, check_threads
from bleukit.framework.errors import InputError, quantity
from bleukit.framework.results import Result
from bleukit.tables.columns import columns_of, give_up_joining, grouped_notes, note_misfits
from bleukit.tables.scoring import Scoring
from bleukit.tables.table import in_memory
from bleukit.writing.phrases import signed
from bleukit.writing.printers import as_html
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from bleukit.bleu.bleu import Bleu
    from bleukit.comparing.results import Comparison
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text
    from bleukit.reading.corpora import Reading
    from bleukit.tables.columns import Column
    from bleukit.tables.table import VariantsLike


@dataclass(frozen=True, eq=False)
class VariantDifference(Result):
    """What a variant says of two systems: the first score minus the second, in points of 100.

    The p-values are two-sided, None if the test gives none; the second is adjusted for the number of pairs.
    ``significant`` says whether the latter is below 1 - the confidence level.
    """

    variant: str
    difference: float
    p_value: float | None
    adjusted_p_value: float | None
    significant: bool


@dataclass(frozen=True, eq=False)
class SystemPair(Result):
    """Two systems: ``first`` has the higher score by the first variant; ``differences`` has one item per variant."""

    first: str
    second: str
    differences: tuple[VariantDifference, ...]


@dataclass(frozen=True, eq=False)
class OrderChange(Result):
    """Two systems whose order by ``variant`` is not that of the first variant, the ``reference``.

    Differences are those of :class:`VariantDifference`, as is significance, by both. ``parts`` are the Shapley shares
    of the keys in the change from the first difference to the second, in points, the largest first; they are empty if
    the change cannot be divided.
    """

    first: str
    second: str
    reference: str
    variant: str
    reference_difference: float
    difference: float
    both_significant: bool
    parts: Mapping[str, float]

    @property
    def shares(self) -> str:
        """The shares of the keys in words."""
        return ", ".join(f"{key_name(key, [])} {signed(points)}" for key, points in self.parts.items() if points)

    def __str__(self) -> str:
        sure = ", both significant" if self.both_significant else ""
        shares = f" ({self.shares})" if self.shares else ""
        return (
            f"{self.first} – {self.second}: {self.reference_difference:+.2f} by {self.reference}, "
            f"{self.difference:+.2f} by {self.variant}{sure}{shares}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """Whether some variants agree which of two systems is better.

    ``pairs`` and ``changes`` of the order are relative to the first of the ``variants``. ``notes`` maps remarks, such
    as that a variant does not fit the text, to the variants that they are about; ``signatures`` and ``procedure``
    reproduce the results.
    """

    variants: tuple[str, ...]
    systems: tuple[str, ...]
    pairs: tuple[SystemPair, ...]
    changes: tuple[OrderChange, ...]
    notes: Mapping[str, tuple[str, ...]]
    signatures: Mapping[str, str]
    procedure: str

    @property
    def verdict(self) -> str:
        """In words: in how many pairs of systems the order depends on the variant, and how sure that is."""
        changed = {(change.first, change.second) for change in self.changes}
        sure = {(change.first, change.second) for change in self.changes if change.both_significant}
        of_all = f"{quantity(len(self.pairs), 'pair')} of systems"
        if not changed:
            return f"All {quantity(len(self.variants), 'variant')} order {of_all} as {self.variants[0]} does."
        known = (
            f"both differences are significant in {len(sure)}" if sure else "in none are both differences significant"
        )
        return f"{len(changed)} of {of_all} have another order by some variant than by {self.variants[0]}; {known}."

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict and the fields as plain data."""
        return {"verdict": self.verdict, **super().to_dict()}

    def remarks(self) -> list[str]:
        """Return the notes as sentences, which name the variants unless they are about all."""
        return [note if names == self.variants else f"{note}: {', '.join(names)}" for note, names in self.notes.items()]

    def renamed(self, names: Mapping[str, str]) -> Agreement:
        """Return the same results with the systems renamed."""
        pairs = (replace(pair, first=names[pair.first], second=names[pair.second]) for pair in self.pairs)
        changes = (replace(one, first=names[one.first], second=names[one.second]) for one in self.changes)
        systems = tuple(names[system] for system in self.systems)
        return replace(self, systems=systems, pairs=tuple(pairs), changes=tuple(changes))

    def __str__(self) -> str:
        return "\n".join([self.verdict, *map(str, self.changes)])

    def __repr__(self) -> str:
        return f"<Agreement of {len(self.variants)} variants on {len(self.pairs)} pairs: {len(self.changes)} changes>"

    def _repr_html_(self) -> str:
        differences = table_of([("variant", self.variants), *self.cells().items()], {"variant"})
        return as_html(self.verdict, differences, *map(str, self.changes))

    def cells(self, places: int = 2) -> dict[str, list[str]]:
        """Return a column for each pair, with its difference by each variant; a star marks what is significant."""
        return {
            f"{pair.first} –\n{pair.second}": [
                f"{one.difference:+.{places}f}{'*' if one.significant else ' '}" for one in pair.differences
            ]
            for pair in self.pairs
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a flat record for each pair and variant, with the shares of the keys if it changes the order."""
        changes = {(one.first, one.second, one.variant): one for one in self.changes}
        keys = dict.fromkeys(key for change in self.changes for key in change.parts)
        for pair in self.pairs:
            for one in pair.differences:
                change = changes.get((pair.first, pair.second, one.variant))
                yield {
                    "first": pair.first,
                    "second": pair.second,
                    **one.to_dict(),
                    "order_changed": bool(change),
                    "both_significant": bool(change and change.both_significant),
                    **{f"share_{key}": change.parts.get(key) if change else None for key in keys},
                    "procedure": self.procedure,
                    "signature": self.signatures[one.variant],
                }


def agreement(  # noqa: PLR0913
    variants: VariantsLike,
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[References],
    *,
    test: str | None = None,
    samples: int | None = None,
    seed: int = SEED,
    confidence_level: float = 0.95,
    correction: str = "holm",
    documents: Sequence[Hashable] | None = None,
    resample_by: str | None = None,
    references_by: Layout | None = None,
    threads: int | None = None,
) -> Agreement:
    """Compare every pair of systems by several variants, and say where these disagree which one is better.

    ``variants`` are those of :func:`bleukit.table`, all other arguments those of :func:`bleukit.compare`. The first
    variant is the one that all others are compared with. Differences are in points of 100, whatever the scale of the
    variant. If two variants disagree, the change of the difference is divided among the keys in which they differ by
    their Shapley values, as :func:`bleukit.explain` does. Raises InputError for fewer than two systems, or variants
    that give scores.
    """
    check_threads(threads)
    reading = in_memory(systems, references, documents, references_by)
    settings = Settings(
        test=test,
        samples=samples,
        seed=seed,
        confidence_level=confidence_level,
        correction=correction,
        resample_by=resample_by,
    )
    return agreed(columns_of(variants), list(map(str, systems)), reading, settings, threads, documents is not None)


def agreed(  # noqa: PLR0913
    columns: Sequence[Column],
    systems: Sequence[str],
    reading: Reading,
    settings: Settings,
    threads: int | None,
    has_documents: bool,
) -> Agreement:
    """Return whether variants agree on a text; ``settings`` are those of a comparison, see :func:`agreement`."""
    if len(systems) < 2:
        raise InputError("two or more systems are needed: variants can disagree only which of them is better")
    if settings.significance_test.interval_samples is not None:  # else the test finds intervals of scores anyway
        settings = replace(settings, interval_samples=0)
    give_up_joining(columns, "corpus", has_documents=has_documents)
    note_misfits(columns, reading.replaced.systems[0])
    scoring = Scoring(columns, systems, "corpus", settings)
    [units] = scoring.units(counted(scoring.metrics, [reading], threads or available_cores()))
    comparisons = units.comparisons
    if len(comparisons) < 2:
        notes = "; ".join(f"{column.name}: {note}" for column in columns for note in column.notes)
        raise InputError(f"two or more variants that give scores are needed{f'; {notes}' if notes else ''}")
    reference = next(iter(column.name for column in columns if column.name in comparisons))
    bleus: Any = scoring.metrics
    pairs = tuple(_pairs(comparisons, reference, bleus, systems))
    return Agreement(
        tuple(comparisons),
        tuple(systems),
        pairs,
        tuple(_changes(pairs, bleus, reading, systems)),
        grouped_notes((column.name, [*column.notes, *_remarks(comparisons, column.name)]) for column in columns),
        {name: comparison.signature for name, comparison in comparisons.items()},
        comparisons[reference].procedure,
    )


def _remarks(comparisons: Mapping[str, Comparison], variant: str) -> list[str]:
    """Return the notes of a comparison, but for those on intervals, which are not shown."""
    notes = comparisons[variant].notes if variant in comparisons else ()
    return [note for note in notes if not note.startswith("no interval")]


def _pairs(
    comparisons: Mapping[str, Comparison], reference: str, bleus: Mapping[str, Bleu], systems: Sequence[str]
) -> Iterator[SystemPair]:
    """Yield all pairs, in the order of the first variant's scores, with the difference by each variant."""
    scores = {int(result.system): result.score for result in comparisons[reference].systems}
    found: dict[tuple[int, int], list[VariantDifference]]
    found = {pair: [] for pair in combinations(sorted(scores, key=lambda system: -scores[system]), 2)}
    for name, comparison in comparisons.items():
        for pair in comparison.pairs:
            ends, points = (int(pair.first), int(pair.second)), pair.difference * (100 / bleus[name].variant.scale)
            if ends not in found:
                ends, points = ends[::-1], -points or 0.0
            p = pair.adjusted_p_value
            significant = p is not None and is_significant(p, comparison.confidence_level)
            found[ends].append(VariantDifference(name, points, pair.p_value, p, significant))
    for (first, second), differences in found.items():
        yield SystemPair(systems[first], systems[second], tuple(differences))


def _changes(
    pairs: Sequence[SystemPair], bleus: Mapping[str, Bleu], reading: Reading, systems: Sequence[str]
) -> Iterator[OrderChange]:
    """Yield where the sign of a difference is not that of the first variant, those that are significant first."""
    references: dict[Hashable, Any] = {}
    texts = dict(zip(systems, (SharedText(read, references=references) for read in reading.readers()), strict=True))

    @cache
    def shares(reference: str, variant: str, system: str) -> dict[str, float]:
        return key_shares(bleus[reference], bleus[variant], texts[system])

    changes = []
    for pair in pairs:
        ours = pair.differences[0]
        for theirs in pair.differences[1:]:
            if ours.difference * theirs.difference < 0:
                names = ours.variant, theirs.variant
                parts: dict[str, float] = {}
                if not any(bleus[name].variant.join_documents for name in names):
                    with suppress(InputError):  # a mixture of both cannot score the text
                        parts = _parts(shares(*names, pair.first), shares(*names, pair.second))
                both = ours.significant and theirs.significant
                differences = ours.difference, theirs.difference
                changes.append(OrderChange(pair.first, pair.second, *names, *differences, both, parts))
    yield from sorted(
        changes,
        key=lambda one: (-one.both_significant, -min(abs(one.difference), abs(one.reference_difference))),
    )


def _parts(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Return the share of each key in the change of a difference of two systems, in points, the largest first."""
    changes = {key: first.get(key, 0.0) - second.get(key, 0.0) for key in dict.fromkeys([*first, *second])}
    return dict(sorted(changes.items(), key=lambda item: -abs(item[1])))
