"""The statistics of all systems of a comparison, taken in some segments at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.comparing.moments import SecondMoments
from bleukit.comparing.rows import Rows, distinct, matrix_of
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


class Runs:
    """Several runs of one system: the hypotheses, or the statistics, of each."""

    def __init__(self, *runs: Any) -> None:
        if not runs:
            raise InputError("a system needs at least one run")
        self.runs = runs

    def __repr__(self) -> str:
        return f"<Runs: {len(self.runs)}>"


@dataclass(frozen=True)
class Names:
    """The names of the systems; ``texts`` holds the numbers of the texts of each, one a run."""

    systems: tuple[str, ...]
    texts: tuple[range, ...]

    @classmethod
    def of(cls, runs: Mapping[str, int]) -> Names:
        """Name the systems that were run so many times. Raises InputError if there is none."""
        if not runs:
            raise InputError("no system to compare")
        ends = accumulate(runs.values())
        return cls(
            tuple(runs), tuple(range(end - number, end) for end, number in zip(ends, runs.values(), strict=True))
        )

    def owners(self) -> list[str]:
        """Return the system of each text."""
        return [name for name, texts in zip(self.systems, self.texts, strict=True) for _ in texts]


@dataclass(frozen=True, eq=False)
class Moments:
    """What the test ``delta`` needs of some systems: additive, and of one size whatever the number of segments.

    Parts of a test set, counted anywhere in any order, add up: ``Moments.of(part) + Moments.of(other)``.
    """

    names: Names
    totals: tuple[Statistics, ...]
    second: SecondMoments

    @classmethod
    def of(cls, systems: Mapping[str, Statistics | Runs]) -> Moments:
        """Return the moments of the rows of some systems: their statistics, or a :class:`Runs` of them."""
        runs = {name: given.runs if isinstance(given, Runs) else (given,) for name, given in systems.items()}
        for name, statistics in runs.items():
            for given in statistics:
                if not isinstance(given, Statistics):
                    raise InputTypeError(f"systems[{name!r}]: expected Statistics, got {shown(given)}")
        return cls.of_texts(Names.of({name: len(each) for name, each in runs.items()}), sum(runs.values(), ()))

    @classmethod
    def of_texts(cls, names: Names, statistics: Sequence[Statistics], first: int = 0) -> Moments:
        """Return the moments of the rows of all texts."""
        check_alike(names.owners(), statistics, first)
        matrices = [matrix_of(rows) for rows in statistics]
        places = np.arange(sum(matrix.shape[1] for matrix in matrices)).reshape(len(matrices), -1)
        rows = Rows(np.concatenate(matrices, axis=1), places, statistics[0].segments)
        return cls(names, tuple(rows.sum() for rows in statistics), SecondMoments.of(rows))

    @property
    def segments(self) -> int:
        """How many segments the rows sum."""
        return self.second.segments

    def __add__(self, other: Moments) -> Moments:
        if self.names != other.names:
            ours, theirs = (", ".join(moments.names.systems) for moments in (self, other))
            raise InputError(f"only moments of the same systems can be added, got those of {ours} and of {theirs}")
        totals = tuple((one + two).sum() for one, two in zip(self.totals, other.totals, strict=True))
        return Moments(self.names, totals, self.second + other.second)


class Gathered:
    """Takes in the rows of all texts, some segments at a time, in a fraction of the memory of Statistics."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._totals: list[list[Statistics]] = [[] for _ in names.owners()]
        self._blocks: list[list[NDArray[np.floating]]] = [[] for _ in names.owners()]
        self._segments: list[NDArray[np.int64]] = []
        self._lengths: list[NDArray[np.float64]] = []
        self._number = 0

    def add(self, statistics: Sequence[Statistics]) -> None:
        """Take in the same segments of all texts. Raises InputError if they are not."""
        check_alike(self.names.owners(), statistics, self._number)
        for rows, totals, blocks in zip(statistics, self._totals, self._blocks, strict=True):
            totals.append(rows.sum())
            blocks.append(matrix_of(rows))
        self._number += len(statistics[0])
        self._segments.append(np.array(statistics[0].segments))
        references = statistics[0].most_references * statistics[0].segments
        self._lengths.append(statistics[0].reference_tokens / np.maximum(references, 1))

    @property
    def segments(self) -> int:
        """How many rows were taken in."""
        return self._number

    @property
    def totals(self) -> list[Statistics]:
        """The sum of each text, one row."""
        return [reduce(add, parts).sum() for parts in self._totals]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """How many tokens the references of each row have on average."""
        return np.concatenate(self._lengths)

    def rows(self) -> Rows:
        """Return all rows; they are handed over, not kept."""
        texts = []
        for blocks in self._blocks:
            texts.append(np.concatenate(blocks))
            blocks.clear()
        return Rows(*distinct(texts), np.concatenate(self._segments))


def check_alike(names: Sequence[str], statistics: Sequence[Statistics], first: int = 0) -> None:
    """Raise InputError unless all statistics are of the same segments, counted alike; ``first`` is how many precede."""
    ours = statistics[0]
    for name, theirs in zip(names, statistics, strict=True):
        if len(ours) != len(theirs):
            raise InputError(f"{names[0]} has {len(ours)} segments, {name} has {len(theirs)}: all need the same")
        if (ours.counted_by, ours.max_order) != (theirs.counted_by, theirs.max_order):
            raise InputError(f"{names[0]} and {name} were counted differently: {ours.counted_by}, {theirs.counted_by}")
        unlike = np.flatnonzero(ours.reference_tokens != theirs.reference_tokens)
        if len(unlike):
            tokens = [each.reference_tokens[unlike[0]] for each in (ours, theirs)]
            raise InputError(
                f"the references of segment {first + unlike[0] + 1} have {tokens[0]} tokens for {names[0]}, "
                f"{tokens[1]} for {name}: all need the same references"
            )
