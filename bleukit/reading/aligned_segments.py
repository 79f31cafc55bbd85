"""Some segments of all files that belong together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.loops import up_to
from bleukit.framework.packed import Grouped, PackedTexts, ends_of, interleaved
from bleukit.framework.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class AlignedSegments(NamedTuple):
    """Consecutive segments of several systems, which share references.

    ``systems[s][i]`` is what system s says in segment i, ``references[i]`` are its references; ``first`` is the number
    of segments before these. Texts are lists of tokens if ``tokenized``.
    """

    first: int
    systems: Sequence[Sequence[Any]]
    references: Grouped[Any]
    documents: Sequence[str] | None = None
    """The document of each segment; None if they are not known."""
    names: Sequence[str] | None = None
    """The names of the segments; None if they are numbered."""
    sources: Sequence[str] | None = None
    """The source of each segment; None if they are not known, or not wanted."""
    test_sets: Sequence[str] | None = None
    """The test set of each segment; None if they are not known, or not wanted."""
    tokenized: bool = False

    def of_system(self, system: int) -> Segments:
        """Return the segments of one system."""
        return Segments(self.systems[system], self.references, tokenized=self.tokenized)

    def part(self, start: int, stop: int) -> AlignedSegments:
        """Return some of the segments."""
        part = self.but_references(lambda values: values[start:stop])
        return part._replace(first=self.first + start, references=self.references[start:stop])

    def but_references(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> AlignedSegments:
        """Return the segments with other systems, and other values of all that is known of segments: changed ones."""
        known: dict[str, Any] = {name: getattr(self, name) for name in ("documents", "names", "sources", "test_sets")}
        known = {name: values if values is None else change(values) for name, values in known.items()}
        return self._replace(systems=list(map(change, self.systems)), **known)

    def without_texts(self) -> AlignedSegments:
        """Return what else is known of the segments."""
        return self._replace(systems=(), references=Grouped((), self.references.ends), sources=None)


class CorpusOfOthers(ABC):
    """A corpus whose segments are made of those of others: a :data:`bleukit.reading.corpora.Corpus`.

    Its systems, and the paths that choose them and the references, are those of the first.
    """

    def __init__(self, corpora: Sequence[Any]) -> None:
        self._corpora = corpora
        first = corpora[0]
        self.systems: Sequence[str] = first.systems
        self.system_paths: Sequence[str] = first.system_paths
        self.reference_paths: Sequence[str] = first.reference_paths
        self.has_documents: bool = first.has_documents
        self.has_entities = any(corpus.has_entities for corpus in corpora)

    @property
    def references(self) -> int | None:
        """How many references a segment has; None if that varies, or is not known yet."""
        numbers: set[int | None] = {corpus.references for corpus in self._corpora}
        return numbers.pop() if len(numbers) == 1 else None

    @abstractmethod
    def parts(self, *tokenizers: Any) -> Iterator[AlignedSegments]:
        """Yield all segments, some at a time. Raises InputError as the corpora do."""

    @property
    def notes(self) -> list[str]:
        """Observations made while reading that are not errors."""
        return [note for corpus in self._corpora for note in corpus.notes]

    def close(self) -> None:
        """Close the files, if not all of them were read."""
        for corpus in self._corpora:
            corpus.close()


def group_references(columns: Sequence[Sequence[Any]]) -> Grouped[str]:
    """Return the references of each segment, given columns of them, whose values are texts or lists of texts."""
    if any(isinstance(column[0], list) for column in columns):
        rows = zip(*columns, strict=True)
        groups = [[text for value in row for text in (value if isinstance(value, list) else (value,))] for row in rows]
        return Grouped(list(chain.from_iterable(groups)), ends_of(groups))
    if len(columns) == 1:
        return Grouped(columns[0], up_to(len(columns[0])))
    if all(isinstance(column, PackedTexts) for column in columns):
        return interleaved(columns)  # type: ignore[arg-type]
    ends = array("q", [len(columns) * end for end in up_to(len(columns[0]))])
    return Grouped(list(chain.from_iterable(zip(*columns, strict=True))), ends)


def note_blank_document(documents: Sequence[str], where: str, first: int, notes: list[str]) -> None:
    """Note the first document without a name; ``where`` stands before its number."""
    blank = next((place for place, name in enumerate(documents, first + 1) if not name.strip()), None)
    if blank and not any(": blank document id" in note for note in notes):
        notes.append(f"{where}{blank}: blank document id")
