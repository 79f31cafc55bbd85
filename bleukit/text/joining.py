"""Documents as single segments: what d-BLEU, document BLEU, scores (Liu et al. 2020).

A variant with ``join_documents`` scores them so, and readers that know documents join them before it tokenizes.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bleukit.errors import InputError, quantity
from bleukit.text.arguments import check_segments, check_sequence, number_labels

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from bleukit.protocols import References, Text
    from bleukit.text.layouts import Layout

_Item = TypeVar("_Item")


class JoinedDocuments(NamedTuple):
    """The documents of a text, each a segment, in the order of their first segments."""

    hypotheses: list[Any]
    references: list[list[Any]]
    documents: list[Any]


def join_documents(
    hypotheses: Sequence[Text],
    references: Sequence[References],
    documents: Sequence[Hashable],
    *,
    references_by: Layout | None = None,
) -> JoinedDocuments:
    """Return the segments of each document as one, joined by a space; token lists one after the other.

    Hypotheses and references are as for :meth:`bleukit.Metric.corpus`; ``documents[i]`` is the document of segment i.
    Raises InputError or InputTypeError if they do not pair, or if the segments of a document differ in their numbers of
    references.
    """
    segments = check_segments(hypotheses, references, references_by=references_by)
    documents = check_sequence(documents, "documents", "a sequence with the document of each segment")
    if len(documents) != len(segments):
        raise InputError(f"{quantity(len(segments), 'segment')}, but {quantity(len(documents), 'item')} in `documents`")
    numbers, labels = number_labels(documents, "documents")
    texts = by_number(segments.hypotheses, numbers, labels)
    groups = by_number(list(segments.references), numbers, labels)
    return JoinedDocuments(
        [_joined(text, tokenized=segments.tokenized) for text in texts],
        [
            [_joined(side, tokenized=segments.tokenized) for side in sides_of(group, f"document {label!r}")]
            for group, label in zip(groups, labels, strict=True)
        ],
        labels,
    )


def by_number(items: Sequence[_Item], numbers: Sequence[int], labels: Sequence[Any]) -> list[list[_Item]]:
    """Return the items of each label, given the number of the label of each item."""
    groups: list[list[_Item]] = [[] for _ in labels]
    for number, item in zip(numbers, items, strict=True):
        groups[number].append(item)
    return groups


def sides_of(groups: Sequence[Sequence[_Item]], where: str) -> list[tuple[_Item, ...]]:
    """Return each reference of a document as the sequence of those of its segments."""
    numbers = sorted(set(map(len, groups)))
    if len(numbers) > 1:
        raise InputError(
            f"{where}: its segments have {numbers[0]} and {numbers[-1]} references, so that these cannot be joined"
        )
    return list(zip(*groups, strict=True))


def _joined(segments: Sequence[Any], *, tokenized: bool) -> Text:
    return list(chain.from_iterable(segments)) if tokenized else " ".join(segments)
