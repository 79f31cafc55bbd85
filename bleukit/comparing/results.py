"""What a comparison of systems found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bleukit.results import Result, html_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, eq=False)
class Interval(Result):
    """A confidence interval: its ends, in the scale of the variant, and its level (0 to 1)."""

    low: float
    high: float
    level: float


@dataclass(frozen=True, eq=False)
class SystemResult(Result):
    """One system: its score, in the scale of the variant, and where it stands among the others.

    ``score`` is the mean of ``runs``, the scores of its runs. ``segment_deviation`` is the standard deviation of a
    run's score by the choice of the segments (or documents), ``run_deviation`` that among the runs, None for one run.
    ``rank`` is that of the score; ``best_rank`` and ``worst_rank`` are the best and the worst that the tests leave
    possible. ``mean`` and ``half_width`` are those of the resampled scores, if the test defines them.
    """

    system: str
    score: float
    interval: Interval | None
    rank: int
    best_rank: int
    worst_rank: int
    cluster: int
    segment_deviation: float | None
    run_deviation: float | None
    runs: tuple[float, ...]
    mean: float | None = None
    half_width: float | None = None


@dataclass(frozen=True, eq=False)
class PairResult(Result):
    """Two systems: by how much the score of ``first`` exceeds that of ``second``, and how sure that is.

    ``p_value`` is two-sided, and None if the test has none to give; ``exact`` if all swaps were tried.
    ``standard_error`` is that of the difference by the delta method, on which
    ``detectable_difference`` rests: what a test set like this shows to be significant in 80 % of cases.
    ``segments_needed`` is how many segments show the difference that was asked for as often. ``influence`` is the share
    of a group in the difference of the whole, in points; None for the whole.
    """

    first: str
    second: str
    difference: float
    interval: Interval | None
    p_value: float | None
    adjusted_p_value: float | None
    exact: bool
    standard_error: float | None
    detectable_difference: float | None
    segments_needed: int | None = None
    influence: float | None = None


@dataclass(frozen=True, eq=False)
class GroupResult(Result):
    """The same for some of the segments: those of a document, of a length, of a label."""

    group: str
    segments: int
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Systems in the order of their scores, and their pairs; everything needed to find the same figures again.

    ``units`` is the number of what was resampled: segments, or documents.
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
    resample_by: str
    units: int
    segments: int
    grouped_by: str | None
    groups: tuple[GroupResult, ...]
    notes: tuple[str, ...]
    signature: str

    @property
    def procedure(self) -> str:
        """How the figures were found, on one line: what reproduces them, together with the signature."""
        parts = {
            "test": self.test,
            "samples": self.samples,
            "intervals": self.interval_samples,
            "seed": self.seed,
            "level": self.confidence_level,
            "resampled": f"{self.units} {self.resample_by}s",
            "correction": self.correction,
        }
        return "|".join(f"{key}:{value}" for key, value in parts.items() if value is not None)

    def renamed(self, names: Mapping[str, str]) -> Comparison:
        """Return the same comparison with other names for the systems."""

        def systems(results: Iterable[SystemResult]) -> tuple[SystemResult, ...]:
            return tuple(replace(result, system=names[result.system]) for result in results)

        def pairs(results: Iterable[PairResult]) -> tuple[PairResult, ...]:
            return tuple(replace(each, first=names[each.first], second=names[each.second]) for each in results)

        groups = tuple(
            replace(group, systems=systems(group.systems), pairs=pairs(group.pairs)) for group in self.groups
        )
        baseline = self.baseline and names[self.baseline]
        return replace(self, systems=systems(self.systems), pairs=pairs(self.pairs), groups=groups, baseline=baseline)

    def __str__(self) -> str:
        lines = [
            f"{system.rank} ({system.best_rank}–{system.worst_rank}) {system.system} {system.score:.4g}"
            f"{_half_width(system.interval)}"
            for system in self.systems
        ]
        for pair in self.pairs:
            p_value = "" if pair.adjusted_p_value is None else f", p = {pair.adjusted_p_value:.2g}"
            lines.append(f"{pair.first} – {pair.second} {pair.difference:+.2g}{_half_width(pair.interval)}{p_value}")
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join([*lines, f"procedure {self.procedure}", f"signature {self.signature}"])

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the systems, the pairs, and how they were compared."""
        from html import escape

        systems = [
            [
                f"{system.rank} ({system.best_rank}–{system.worst_rank})",
                system.system,
                f"{system.score:.4g}{_half_width(system.interval)}",
            ]
            for system in self.systems
        ]
        pairs = [
            [
                f"{pair.first} – {pair.second}",
                f"{pair.difference:+.2g}{_half_width(pair.interval)}",
                "–" if pair.adjusted_p_value is None else f"{pair.adjusted_p_value:.2g}",
            ]
            for pair in self.pairs
        ]
        said = [*(f"note: {note}" for note in self.notes), f"procedure {self.procedure}", f"signature {self.signature}"]
        tables = [html_table(["rank", "system", "BLEU"], systems)]
        tables += [html_table(["pair", "difference", "p"], pairs)] if pairs else []
        return "".join([*tables, *(f"<p>{escape(line)}</p>" for line in said)])

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(system.system for system in self.systems)}: {self.procedure}>"


def _half_width(interval: Interval | None) -> str:
    return "" if interval is None else f" ± {(interval.high - interval.low) / 2:.2g}"
