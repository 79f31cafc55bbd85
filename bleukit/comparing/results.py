"""The results of a comparison of systems: numbers, and what they say in words, as text and in notebooks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.comparing import tables, words
from bleukit.comparing.units import TEST_SET
from bleukit.framework.results import Interval, Result
from bleukit.writing.printers import as_html, printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bleukit.writing.printers import Part


@dataclass(frozen=True, eq=False)
class SystemResult(Result):
    """One system: its score, in the scale of the variant, and its standing among the others.

    ``score`` is the mean of ``runs``, the scores of its runs. ``segment_deviation`` is the standard deviation of the
    score of a run that is due to the choice of segments (or documents); ``run_deviation`` is the one among the runs,
    None for a single run. ``rank`` is the rank by score; ``best_rank`` and ``worst_rank`` are the best and the worst
    rank that the tests leave possible. These and ``cluster`` are None unless every pair of systems was tested.
    ``mean`` is the mean of the resampled scores and ``half_width`` half the width of the interval, if the test defines
    them.
    """

    system: str
    score: float
    interval: Interval | None
    rank: int
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    segment_deviation: float | None
    run_deviation: float | None
    runs: tuple[float, ...]
    mean: float | None = None
    half_width: float | None = None


@dataclass(frozen=True, eq=False)
class Histogram(Result):
    """The differences of sentence scores of two systems, the first minus the second.

    ``counts`` are numbers of segments in classes of width ``width``, in the scale of the variant; the middle one holds
    differences around 0. ``first_better`` and ``second_better`` are the numbers of segments that one of the systems
    translates better; in the others, both have the same score.
    """

    counts: tuple[int, ...]
    width: float
    first_better: int
    second_better: int


@dataclass(frozen=True, eq=False)
class PairResult(Result):
    """Two systems: the score of ``first`` minus that of ``second``, and its significance.

    ``p_value`` is two-sided; it is None if the test gives none. ``exact`` says whether all permutations were tried.
    ``differing_units`` is the number of units with different counts.
    ``standard_error`` is that of the difference by the delta method, with several runs that of the test.
    ``detectable_difference``, which follows from it, is the difference that is significant after the correction in the
    share ``power`` of test sets like this one; ``segments_needed`` is the number of segments that the difference
    ``detect`` needs for that. If fewer than 10 units differ, for which the delta method fails, the first is None, and
    the second is found by simulation. Both are None for several runs, and the second for groups.
    ``agreement`` is the share of system pairs with such a difference in which people preferred the same system (0 to 1,
    Kocmi et al. 2024); it is None for scores that are not those of the study.
    ``influence`` is the contribution of a group to the difference on the whole test set,
    in the scale of the variant; it is None for the whole.
    ``histogram`` is that of the differences by segment; it is None for groups, and unless it was asked for.
    """

    first: str
    second: str
    difference: float
    interval: Interval | None
    p_value: float | None
    adjusted_p_value: float | None
    exact: bool
    differing_units: int
    standard_error: float | None
    detectable_difference: float | None
    segments_needed: int | None = None
    agreement: float | None = None
    influence: float | None = None
    histogram: Histogram | None = None


@dataclass(frozen=True, eq=False)
class GroupResult(Result):
    """The results for a group of segments: those of one document, of one range of lengths, or with one label."""

    group: str
    segments: int
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """What :func:`bleukit.compare` returns: systems in the order of their scores, their pairs, and the test.

    ``units`` is the number of resampled units, which are segments or documents. ``metric`` is the name of the metric.
    ``documents`` is the number of known documents, None if they are not known, and ``is_unit_set`` says whether the
    unit was set, or followed from them; these two are only for the notes, and not in :meth:`to_dict`.
    """

    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    baseline: str | None
    test: str
    samples: int | None
    interval_samples: int | None
    seed: int | None
    confidence_level: float
    correction: str
    detect: float | None
    power: float
    resample_by: str
    units: int
    segments: int
    grouped_by: str | None
    groups: tuple[GroupResult, ...]
    signature: str
    metric: str = "BLEU"
    lower_is_better: bool = False
    documents: int | None = None
    is_unit_set: bool = False

    @property
    def verdict(self) -> str:
        """What the comparison shows, in words: who is better, who cannot be told apart, how sure, on what evidence."""
        return words.verdict(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to mind, in words: what was resampled, and why an interval is missing or a test is not the right one."""
        return tuple(words.notes(self))

    @property
    def has_test_sets(self) -> bool:
        """Whether the groups are test sets, which are compared together with the whole."""
        return self.grouped_by == TEST_SET

    @property
    def tested_pairs(self) -> list[PairResult]:
        """The pairs whose p-values are adjusted together: those of the whole, and of test sets."""
        groups = self.groups if self.has_test_sets else ()
        return [*self.pairs, *(pair for group in groups for pair in group.pairs)]

    @property
    def tests(self) -> int:
        """The number of p-values that are adjusted together."""
        return len(self.tested_pairs)

    @property
    def is_adjusted(self) -> bool:
        """Whether p-values are adjusted for others."""
        return self.correction != "none" and self.tests > 1

    @property
    def procedure(self) -> str:
        """The settings that reproduce the results, together with the signature, on one line."""
        parts = {
            "test": self.test,
            "samples": self.samples,
            "intervals": self.interval_samples,
            "seed": self.seed,
            "level": self.confidence_level,
            "resampled": f"{self.units} {self.resample_by}s",
            "strata": f"{len(self.groups)} test sets" if self.has_test_sets else None,
            "correction": self.correction,
        }
        return "|".join(f"{key}:{value}" for key, value in parts.items() if value is not None)

    @property
    def digits(self) -> int:
        """The decimals of scores: four if they are of the scale 1."""
        return 4 if "|scale:1|" in self.signature else 2

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict, the numbers and the notes as plain data: dicts, lists, str, numbers, bool, None."""
        numbers = super().to_dict()
        del numbers["documents"], numbers["is_unit_set"]
        ends = {key: numbers.pop(key) for key in ("signature", "metric", "lower_is_better")}
        return {"verdict": self.verdict, **numbers, "notes": [*self.notes], **ends}

    def renamed(self, names: Mapping[str, str]) -> Comparison:
        """Return the same comparison with the systems renamed."""

        def systems(results: Iterable[SystemResult]) -> tuple[SystemResult, ...]:
            return tuple(replace(result, system=names[result.system]) for result in results)

        def pairs(results: Iterable[PairResult]) -> tuple[PairResult, ...]:
            return tuple(replace(pair, first=names[pair.first], second=names[pair.second]) for pair in results)

        groups = tuple(
            replace(group, systems=systems(group.systems), pairs=pairs(group.pairs)) for group in self.groups
        )
        baseline = self.baseline and names[self.baseline]
        return replace(self, systems=systems(self.systems), pairs=pairs(self.pairs), groups=groups, baseline=baseline)

    def __str__(self) -> str:
        return printed("text", self._parts())

    def _repr_html_(self) -> str:
        """Return the verdict, the tables and the settings as HTML for notebooks."""
        verdict, *others = self._parts()
        return f"<p><strong>{escape(str(verdict))}</strong></p>{as_html(*others)}"

    def _parts(self) -> list[Part]:
        """Return the verdict, the tables, and the notes with the procedure and the signature, one a line."""
        notes = [f"note: {note}" for note in self.notes]
        ends = [f"procedure {self.procedure}", f"signature {self.signature}"]
        return [self.verdict, *tables.tables(self, self.digits), "\n".join([*notes, *ends])]

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(system.system for system in self.systems)}: {self.procedure}>"
