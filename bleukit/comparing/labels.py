"""Groups of segments: their documents, ranges of their lengths, or any labels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.comparing.units import DOCUMENT, LENGTH
from bleukit.framework.arguments import check_sequence, number_labels
from bleukit.framework.errors import InputError, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENGTHS = (10, 20, 30, 40, 60, 80)
"""The upper bounds, in tokens, of the groups of reference lengths; a last group holds longer references."""


@dataclass(frozen=True)
class Labels:
    """The labels of segments, such as documents: for each segment an index in ``names``."""

    numbers: NDArray[np.intp]
    names: list[str]

    @classmethod
    def of(cls, where: str, labels: Any, rows: int) -> Labels:
        """Number the labels of ``rows`` segments. Raises InputError unless there is one label per segment."""
        labels = check_sequence(labels, where, "a sequence with the label of each segment")
        if len(labels) != rows:
            raise InputError(f"{where}: {len(labels)} labels for {rows} segments; each needs one")
        numbers, names = number_labels(labels, where)
        return cls(np.array(numbers, np.intp), list(map(str, names)))

    @classmethod
    def by_length(cls, lengths: NDArray[np.float64]) -> Labels:
        """Label segments with the range of their reference length, in ascending order."""
        names = [f"{low + 1}-{high}" for low, high in pairwise((-1, *LENGTHS))]
        groups = np.searchsorted(LENGTHS, lengths)
        used, numbers = np.unique(groups, return_inverse=True)
        names = [*names, f"over {LENGTHS[-1]}"]
        return cls(numbers, [names[group] for group in used])

    def within(self, other: Labels) -> Labels:
        """Return these labels apart for each label of others: documents of one name in two test sets are two."""
        pairs = other.numbers * len(self.names) + self.numbers
        used, numbers = np.unique(pairs, return_inverse=True)
        return Labels(numbers, [self.names[pair % len(self.names)] for pair in used])

    def __getitem__(self, selection: NDArray[np.bool_]) -> Labels:
        used, numbers = np.unique(self.numbers[selection], return_inverse=True)
        return Labels(numbers, [self.names[number] for number in used])


def labels_of_groups(by: Any, lengths: NDArray[np.float64], documents: Labels | None, rows: int) -> Labels | None:
    """Return the groups that :func:`bleukit.compare` is asked for by ``by``, None for none. Raises InputError."""
    if by is None:
        return None
    if isinstance(by, str):
        if by == DOCUMENT and documents is None:
            raise InputError("by: the document of each segment is not known")
        if by not in (DOCUMENT, LENGTH):
            raise InputError(f"by: expected {DOCUMENT!r}, {LENGTH!r} or a label for each segment, got {shown(by)}")
        return documents if by == DOCUMENT else Labels.by_length(lengths)
    return Labels.of("by", by, rows)
