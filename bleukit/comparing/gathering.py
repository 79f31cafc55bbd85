"""Gather the statistics of all systems of a comparison, some segments at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, pairwise
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.unit_statistics import UnitStatistics, distinct_columns, statistics_matrix
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.errors import InputError, InputTypeError, shown

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray


class Runs:
    """Several runs of one system: the hypotheses, or the Statistics, of each run."""

    def __init__(self, *runs: Any) -> None:
        if not runs:
            raise InputError("a system needs at least one run")
        self.runs = runs

    def __repr__(self) -> str:
        return f"<Runs: {len(self.runs)}>"


@dataclass(frozen=True, eq=False)
class Moments:
    """What the test ``delta`` needs to know of systems; its size does not depend on the number of segments.

    Moments are additive. Parts of a test set can be counted anywhere and in any order:
    ``Moments.of(part) + Moments.of(other)``.
    """

    texts: Mapping[str, range]
    totals: tuple[AdditiveStatistics, ...]
    second: SecondMoments

    @classmethod
    def of(cls, systems: Mapping[str, AdditiveStatistics | Runs]) -> Moments:
        """Return the moments of systems, given their Statistics or :class:`Runs` of them.

        Raises InputError or InputTypeError for anything else, and unless all are of the same segments, counted alike.
        """
        runs = runs_by_system(systems)
        for name, statistics in runs.items():
            for run in statistics:
                if not isinstance(run, AdditiveStatistics):
                    raise InputTypeError(f"systems[{name!r}]: expected Statistics, got {shown(run)}")
        texts = texts_by_system({name: len(statistics) for name, statistics in runs.items()})
        all_runs: tuple[Any, ...] = sum(runs.values(), ())
        check_same_segments(names_of_texts(texts), all_runs)
        return _moments(texts, all_runs)

    @property
    def segments(self) -> int:
        """The number of segments."""
        return self.second.segments

    def __add__(self, other: Moments) -> Moments:
        if self.texts != other.texts:
            ours, theirs = (", ".join(moments.texts) for moments in (self, other))
            raise InputError(
                f"only moments of the same systems can be added, got those of {ours} and those of {theirs}"
            )
        totals = tuple((one + two).sum() for one, two in zip(self.totals, other.totals, strict=True))
        return Moments(self.texts, totals, self.second + other.second)


class Systems:
    """The statistics of some systems, collected some segments at a time, in less memory than Statistics take.

    ``texts`` maps the name of each system to the indices of its texts, one per run. ``segments`` is the number of
    segments that were added; ``documents`` and ``test_sets`` are those of each of them, None if they are not known. If
    ``by_moments`` says so, ``moments`` are all that is kept of the statistics.
    """

    def __init__(self, runs: Mapping[str, int], *, by_moments: bool = False) -> None:
        """Collect the statistics of systems, given the number of runs of each. Raises InputError if there is none."""
        self.texts = texts_by_system(runs)
        self.segments = 0
        self.documents: Any = None
        self.test_sets: Any = None
        self.moments: Moments | None = None
        self._by_moments = by_moments
        self._totals: list[list[AdditiveStatistics]] = [[] for _ in names_of_texts(self.texts)]
        self._blocks: list[list[NDArray[np.floating]]] = [[] for _ in self._totals]
        self._segments_of_units: list[NDArray[np.int64]] = []
        self._lengths: list[NDArray[np.float64]] = []

    @classmethod
    def from_moments(cls, moments: Moments) -> Systems:
        """Return systems of which only the moments are known."""
        systems = cls({name: len(texts) for name, texts in moments.texts.items()}, by_moments=True)
        systems.moments, systems.segments = moments, moments.segments
        return systems

    def add(
        self,
        statistics: Sequence[AdditiveStatistics],
        documents: Sequence[Hashable] | None = None,
        test_sets: Sequence[Hashable] | None = None,
    ) -> None:
        """Add the next segments of all texts. Raises InputError unless they are the same segments, counted alike."""
        if documents is not None:
            self.documents = self.documents or []
            self.documents.extend(documents)
        if test_sets is not None:
            self.test_sets = self.test_sets or []
            self.test_sets.extend(test_sets)
        check_same_segments(names_of_texts(self.texts), statistics, self.segments)
        self.segments += len(statistics[0])
        if self._by_moments:
            moments = _moments(self.texts, statistics)
            self.moments = self.moments + moments if self.moments else moments
            return
        for rows, totals, blocks in zip(statistics, self._totals, self._blocks, strict=True):
            totals.append(rows.sum())
            blocks.append(statistics_matrix(rows))
        self._segments_of_units.append(np.array(statistics[0].segments))
        references = statistics[0].most_references * statistics[0].segments
        self._lengths.append(_length_of_references(statistics[0]) / np.maximum(references, 1))

    @property
    def totals(self) -> Sequence[AdditiveStatistics]:
        """The sum of each text, Statistics with one row."""
        return self.moments.totals if self.moments else [reduce(add, parts).sum() for parts in self._totals]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """The mean length of the references of each segment, in tokens, or in what else the metric counts."""
        return np.concatenate(self._lengths)

    def rows(self) -> UnitStatistics:
        """Return the statistics of all segments, and release them: this can be called once, and not with moments."""
        texts = []
        for blocks in self._blocks:
            texts.append(np.concatenate(blocks))
            blocks.clear()
        return UnitStatistics(*distinct_columns(texts), np.concatenate(self._segments_of_units))


def runs_by_system(systems: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Return the runs of each system; a system that is not given as :class:`Runs` has one."""
    return {str(name): value.runs if isinstance(value, Runs) else (value,) for name, value in systems.items()}


def texts_by_system(runs: Mapping[str, int]) -> dict[str, range]:
    """Return the indices of the texts of each system, given the number of its runs; InputError if there is none."""
    if not runs:
        raise InputError("no system to compare")
    starts = accumulate(runs.values(), initial=0)
    return {name: range(start, end) for name, (start, end) in zip(runs, pairwise(starts), strict=True)}


def names_of_texts(texts: Mapping[str, range]) -> list[str]:
    """Return the name of the system of each text."""
    return [name for name, indices in texts.items() for _ in indices]


def _moments(texts: Mapping[str, range], statistics: Sequence[AdditiveStatistics]) -> Moments:
    """Return the moments of all texts."""
    matrices = [statistics_matrix(rows) for rows in statistics]
    places = np.arange(sum(matrix.shape[1] for matrix in matrices)).reshape(len(matrices), -1)
    rows = UnitStatistics(np.concatenate(matrices, axis=1), places, statistics[0].segments)
    return Moments(texts, tuple(rows.sum() for rows in statistics), SecondMoments.of(rows))


def check_same_segments(names: Sequence[str], statistics: Sequence[AdditiveStatistics], first: int = 0) -> None:
    """Raise InputError unless all statistics are of the same segments, counted alike.

    ``first`` is the number of segments before these, for the message.
    """
    ours = statistics[0]
    for name, theirs in zip(names, statistics, strict=True):
        if len(ours) != len(theirs):
            raise InputError(f"{names[0]} has {len(ours)} segments, {name} has {len(theirs)}: all need the same")
        if type(ours) is not type(theirs) or (ours.counted_by, ours.max_order) != (theirs.counted_by, theirs.max_order):
            raise InputError(f"{names[0]} and {name} were counted differently: {ours.counted_by}, {theirs.counted_by}")
        length, other = map(_length_of_references, (ours, theirs))
        differing = np.flatnonzero(length != other)
        if len(differing):
            row, what = differing[0], ours.OF_REFERENCES.removeprefix("reference_")
            raise InputError(
                f"the references of segment {first + row + 1} have {length[row]} {what} for {names[0]}, "
                f"{other[row]} for {name}: all need the same references"
            )


def _length_of_references(statistics: AdditiveStatistics) -> NDArray[np.int64]:
    """Return how long all references of each segment are together."""
    lengths: NDArray[np.int64] = getattr(statistics, statistics.OF_REFERENCES)
    return lengths
