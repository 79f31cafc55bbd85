"""Documents as single segments: what d-BLEU, document BLEU, scores (Liu et al. 2020).

A variant with ``join_documents`` scores them so, and readers that know documents join them before it tokenizes.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.arguments import check_segments, check_sequence, number_labels
from bleukit.framework.errors import InputError, quantity

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text


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
    [texts], joined = join([segments.hypotheses], segments.references, numbers, labels, tokenized=segments.tokenized)
    return JoinedDocuments(texts, joined, labels)


def join(
    sides: Sequence[Sequence[Any]],
    references: Sequence[Sequence[Any]],
    numbers: Sequence[int],
    labels: Sequence[Any],
    *,
    tokenized: bool = False,
) -> tuple[list[list[Any]], list[list[Any]]]:
    """Return the documents of each side, and the references of each, given the number of each segment's document.

    ``labels`` are the names of the documents by their numbers.
    """

    def joined(segments: Sequence[Any]) -> Any:
        return list(chain.from_iterable(segments)) if tokenized else " ".join(segments)

    def by_document(items: Sequence[Any]) -> list[list[Any]]:
        documents: list[list[Any]] = [[] for _ in labels]
        for number, item in zip(numbers, items, strict=True):
            documents[number].append(item)
        return documents

    of_documents = [
        list(map(joined, _sides_of(groups, f"document {label!r}")))
        for groups, label in zip(by_document(references), labels, strict=True)
    ]
    return [list(map(joined, by_document(side))) for side in sides], of_documents


def _sides_of(groups: Sequence[Sequence[Any]], where: str) -> list[tuple[Any, ...]]:
    """Return each reference of a document as the sequence of those of its segments."""
    numbers = sorted(set(map(len, groups)))
    if len(numbers) > 1:
        raise InputError(
            f"{where}: its segments have {numbers[0]} and {numbers[-1]} references, so that these cannot be joined"
        )
    return list(zip(*groups, strict=True))
