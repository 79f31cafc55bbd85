"""The results of a comparison of systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.comparing.ranking import is_significant
from bleukit.comparing.units import TEST_SET
from bleukit.comparing.verdict import Evidence, OnTestSet, OrderedPair, verdict, verdict_on_test_sets
from bleukit.inspecting.phrases import numbered
from bleukit.results import Interval, Result, html_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


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
    ``differing_units`` is the number of units with different counts; it is None if only moments are known.
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
    differing_units: int | None
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
    """Systems in the order of their scores, their pairs, and everything that is needed to reproduce the results.

    ``units`` is the number of resampled units, which are segments or documents.
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
    notes: tuple[str, ...]
    signature: str

    @property
    def verdict(self) -> str:
        """What the comparison shows, in words: who is better, who cannot be told apart, how sure, on what evidence."""
        tested = self._ordered(self.pairs)
        data = f"on {numbered(self.segments, 'segment')}"
        if self.resample_by == "document":
            data += f" of {numbered(self.units, 'document')}"
        if self.has_test_sets:
            data += f" from {len(self.groups)} test sets"
        runs = sorted({len(system.runs) for system in self.systems})
        if runs[-1] > 1:
            least = "" if len(runs) == 1 else f"{runs[0]} {'or' if runs[-1] == runs[0] + 1 else 'to'} "
            data += f" with {least}{runs[-1]} runs each"
        names = [system.system for system in self.systems]
        limits = self._limits(tested)
        if runs[-1] > 1:
            limits = (
                "Differences between runs are taken into account."
                if self.test == "hierarchical"
                else "This holds for these very runs: others might differ."
            )
        evidence = Evidence(data, "adjusted p" if self.is_adjusted else "p", 1 - self.confidence_level, limits)
        said = verdict(names, tested, evidence, self.baseline)
        if not self.has_test_sets or not self.pairs:
            return said
        found = [
            OnTestSet(group.group, _by_score(group.systems), self._ordered(group.pairs))
            for group in self.groups
            if all(pair.p_value is not None for pair in group.pairs)
        ]
        named = {each.test_set for each in found}
        untested = [group.group for group in self.groups if group.group not in named]
        return f"{said} {verdict_on_test_sets(tested, found, evidence, self.baseline, untested)}"

    @property
    def has_test_sets(self) -> bool:
        """Whether the groups are test sets, which are compared together with the whole."""
        return self.grouped_by == TEST_SET

    @property
    def tests(self) -> int:
        """The number of p-values that are adjusted together."""
        return len(self.pairs) * (1 + (len(self.groups) if self.has_test_sets else 0))

    @property
    def is_adjusted(self) -> bool:
        """Whether p-values are adjusted for others."""
        return self.correction != "none" and self.tests > 1

    def _ordered(self, pairs: Sequence[PairResult]) -> list[OrderedPair]:
        """Return pairs with the better system first."""
        ordered = []
        for pair in pairs:
            higher, lower = (pair.first, pair.second) if pair.difference >= 0 else (pair.second, pair.first)
            p = pair.adjusted_p_value
            differ = p is not None and pair.difference != 0 and is_significant(p, self.confidence_level)
            ordered.append(OrderedPair(higher, lower, p, differ))
        return ordered

    def _limits(self, tested: Sequence[OrderedPair]) -> str:
        """Return a sentence if the systems differ in so few units that no test can tell them apart."""
        equal = [pair for pair, found in zip(self.pairs, tested, strict=True) if not found.is_significant]
        if not equal or not all(pair.exact for pair in equal):
            return ""
        differing = max(pair.differing_units or 0 for pair in equal)
        if not differing:
            return f"Their counts are the same in every {self.resample_by}."
        if is_significant(2.0 ** (1 - differing), self.confidence_level):
            return ""
        few = "Only" if len(equal) == 1 else "At most"
        verb = "differs" if differing == 1 else "differ"
        return f"{few} {numbered(differing, self.resample_by)} {verb}: too few to show any difference."

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict and the fields as plain data: dicts, lists, str, numbers, bool, None."""
        return {"verdict": self.verdict, **super().to_dict()}

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
        lines = [self.verdict, *(" ".join(row) for row in self._system_rows())]
        lines += map(_line, self.pairs)
        if self.has_test_sets:
            lines += [f"{group.group}: {_line(pair)}" for group in self.groups for pair in group.pairs]
        return "\n".join([*lines, *self._remarks()])

    def _repr_html_(self) -> str:
        """Return the systems, the pairs and the settings as HTML for notebooks."""
        heads = ["pair", "difference", "p"]
        tables = [html_table(["rank", "system", "BLEU"], self._system_rows())]
        tables += [html_table(heads, list(map(_cells, self.pairs)))] if self.pairs else []
        if self.has_test_sets:
            rows = [[group.group, *_cells(pair)] for group in self.groups for pair in group.pairs]
            tables.append(html_table([TEST_SET, *heads], rows))
        return "".join(
            [
                f"<p><strong>{escape(self.verdict)}</strong></p>",
                *tables,
                *(f"<p>{escape(line)}</p>" for line in self._remarks()),
            ]
        )

    def _system_rows(self) -> list[list[str]]:
        return [
            [
                f"{system.rank}" + (f" ({system.best_rank}–{system.worst_rank})" if system.best_rank else ""),
                system.system,
                f"{system.score:.4g}{_ends(system.interval)}",
            ]
            for system in self.systems
        ]

    def _remarks(self) -> list[str]:
        notes = [f"note: {note}" for note in self.notes]
        return [*notes, f"procedure {self.procedure}", f"signature {self.signature}"]

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(system.system for system in self.systems)}: {self.procedure}>"


def _line(pair: PairResult) -> str:
    p_value = "" if pair.adjusted_p_value is None else f", p = {pair.adjusted_p_value:.2g}"
    return f"{pair.first} – {pair.second} {pair.difference:+.2g}{_ends(pair.interval, '+')}{p_value}"


def _cells(pair: PairResult) -> list[str]:
    """Return a pair, its difference and its p-value, for a table."""
    p_value = "–" if pair.adjusted_p_value is None else f"{pair.adjusted_p_value:.2g}"
    return [f"{pair.first} – {pair.second}", f"{pair.difference:+.2g}{_ends(pair.interval, '+')}", p_value]


def _by_score(systems: Sequence[SystemResult]) -> list[str]:
    return [result.system for result in sorted(systems, key=lambda result: -result.score)]


def _ends(interval: Interval | None, sign: str = "") -> str:
    return "" if interval is None else f" ({interval.ends(2 if max(-interval.low, interval.high) > 1 else 4, sign)})"


SACREBLEU = "sacreBLEU's\nμ ± CI"
"""The head of what sacreBLEU prints: the mean of the resampled scores, and half the width of their interval."""

FEWEST = 10
"""The number of units, or of those that differ, from which intervals cover the truth about as often as they say."""


def caution(units: int, resample_by: str) -> str:
    """Return why there are no intervals; an empty string if there are enough units."""
    if units >= FEWEST:
        return ""
    if units < 2:
        return f"one {resample_by} cannot be resampled, so there are no intervals"
    return (
        f"no intervals: {units} {resample_by}s are too few; from {FEWEST} on, intervals cover the truth about as "
        "often as their level says"
    )
