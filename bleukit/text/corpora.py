"""What commands read: systems' texts, their references and documents, aligned, from lines or evaluation sets alike.

:func:`open_corpus` finds out by their names what the files are, and returns a :class:`Corpus`, which yields a
:class:`Part` of all files at a time. A new kind of file, such as tables, is a new class next to :class:`_Lines` and
:class:`_Sets`; a new kind of text, such as the source, a new field of :class:`Part`.
"""

from __future__ import annotations

import html
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bleukit.errors import InputError
from bleukit.text import evaluation_sets
from bleukit.text.files import DEFAULT_LIMITS, TextFile, notes_of, read_aligned, refuse_second_readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.text.evaluation_sets import Tokenizer
    from bleukit.text.files import Limits

LINES = 8192
"""Segments read at a time."""


class Part(NamedTuple):
    """Consecutive segments of all files.

    ``systems[s][i]`` is what system s says in segment i, ``references[r][i]`` its reference r; ``first`` is the number
    of segments before these.
    """

    first: int
    systems: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]
    documents: Sequence[str] | None = None
    """The document of each segment; None if they are not known."""
    names: Sequence[str] | None = None
    """What segments are called; None if they are numbered."""

    def groups(self) -> Sequence[str] | Sequence[tuple[str, ...]]:
        """Return the references of each segment, as the methods of a Bleu take them."""
        return self.references[0] if len(self.references) == 1 else list(zip(*self.references, strict=True))


class Corpus(Protocol):
    """Aligned texts, to be read once."""

    systems: Sequence[str]
    """What the systems are called."""
    system_paths: Sequence[str]
    """For each system the path that chooses it alone."""
    reference_paths: Sequence[str]
    """The same of the references of a segment."""
    has_documents: bool
    has_entities: bool
    """Whether texts hold SGML's entities: then, and only then, the parts can be read more than once."""
    notes: list[str]
    """What was noticed in reading and is no error."""

    def parts(self, *tokenizers: Tokenizer) -> Iterator[Part]:
        """Yield all segments, some at a time, for these tokenizers.

        SGML's entities are kept as they stand if the tokenizers, at least one, all replace them. Raises
        InputError if a file cannot be read, is above a limit, or does not fit the others.
        """
        ...


def open_corpus(
    hypotheses: Sequence[str],
    references: Sequence[str],
    documents: str | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    on_read: Callable[[int], object] | None = None,
) -> Corpus:
    """Return the corpus of these files, all text or all evaluation sets; at least one of each is needed.

    ``documents`` is a text file with the document of each segment. ``on_read`` is called with the bytes of each read.
    Raises InputError if the files do not go together.
    """
    paths = [*hypotheses, *references, *([documents] if documents is not None else [])]
    refuse_second_readers(paths)
    are_sets = list(map(evaluation_sets.is_evaluation_set, (*hypotheses, *references)))
    if any(are_sets) and not all(are_sets):
        raise InputError("evaluation sets (.sgm, .sgml, .xml) and text files cannot be read together")
    if any(are_sets) and documents is not None:
        raise InputError("evaluation sets name the document of each segment themselves: leave out --documents")
    if any(are_sets):
        return _Sets(evaluation_sets.read_aligned(hypotheses, references, limits, on_read))
    return _Lines(hypotheses, references, documents, limits, on_read)


def segments(path: str, *tokenizers: Tokenizer, limits: Limits = DEFAULT_LIMITS) -> Iterator[list[str]]:
    """Yield the segments of one file, some at a time: its lines, or those of an evaluation set, in the file's order.

    ``tokenizers`` are as in :meth:`Corpus.parts`.
    """
    if not evaluation_sets.is_evaluation_set(path):
        yield from TextFile(path, limits).blocks()
        return
    file, name = evaluation_sets.split(path)
    found = [each for each in evaluation_sets.read(TextFile(file, limits)) if name in {None, each.name}]
    if not any(each.segments for each in found):
        raise InputError(f"{file}: holds no segment{f' of {name!r}' if name is not None else ''}")
    keep_entities = evaluation_sets.are_replaced_by(tokenizers)
    for each in found:
        yield each.texts(list(each.segments), keep_entities=keep_entities)


def in_memory(corpus: Corpus, *tokenizers: Tokenizer, limits: Limits = DEFAULT_LIMITS) -> Part:
    """Return all parts of a corpus as one. Raises InputError if it exceeds the limits of text held as a whole."""
    parts: list[Part] = []
    number = characters = 0
    for part in corpus.parts(*tokenizers):
        number += len(part.references[0])
        characters += sum(len(text) for texts in (*part.systems, *part.references) for text in texts)
        limits.check("segments", number, "{}", corpus.systems[0])
        limits.check("text", characters, "the text")
        parts.append(part)
    systems, references = (
        [list(chain.from_iterable(lists)) for lists in zip(*sides, strict=True)]
        for sides in ([part.systems for part in parts], [part.references for part in parts])
    )
    documents, names = (
        list(chain.from_iterable(known)) if (known := [each for each in lists if each is not None]) else None
        for lists in ([part.documents for part in parts], [part.names for part in parts])
    )
    return Part(0, systems, references, documents, names)


def readings(corpus: Corpus, limits: Limits = DEFAULT_LIMITS) -> tuple[Part, Part]:
    """Return a corpus in memory twice: with SGML's entities replaced, and as they stand, for tokenizers that do it.

    It is one and the same Part if there are none. Raises InputError as :func:`in_memory`.
    """
    replaced = in_memory(corpus, limits=limits)
    return replaced, in_memory(corpus, html.unescape, limits=limits) if corpus.has_entities else replaced


class _Lines:
    """Text files: line N of each belongs to segment N."""

    has_entities = False

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        documents: str | None,
        limits: Limits,
        on_read: Callable[[int], object] | None,
    ) -> None:
        self.systems = self.system_paths = hypotheses
        self.reference_paths = references
        self.has_documents = documents is not None
        self.notes: list[str] = []
        paths = [*hypotheses, *references, *([documents] if documents is not None else [])]
        self._files = [TextFile(path, limits, on_read) for path in paths]

    def parts(self, *tokenizers: Tokenizer) -> Iterator[Part]:  # noqa: ARG002 - lines have no entities
        first, systems, texts = 0, len(self.systems), len(self.systems) + len(self.reference_paths)
        for lines in read_aligned(self._files, LINES):
            documents = lines[texts] if self.has_documents else None
            blank = next((place for place, name in enumerate(documents or (), first + 1) if not name.strip()), None)
            if blank and not any(": blank document id" in note for note in self.notes):
                self.notes.append(f"{self._files[-1].name}:{blank}: blank document id")
            yield Part(first, lines[:systems], lines[systems:texts], documents)
            first += len(lines[0])
        self.notes += notes_of(self._files)


class _Sets:
    """Evaluation sets: segments belong together by the ids of their documents and their own."""

    has_documents = True

    def __init__(self, sets: evaluation_sets.Aligned) -> None:
        self.systems: Sequence[str] = evaluation_sets.names(sets.systems)
        self.system_paths: Sequence[str] = sets.system_paths
        self.reference_paths: Sequence[str] = sets.reference_paths
        self.notes = sets.notes
        texts = (
            text for each in (*sets.systems, *sets.references) if each.has_entities for text in each.segments.values()
        )
        self.has_entities = any("&" in text for text in texts)
        self._sets = sets

    def parts(self, *tokenizers: Tokenizer) -> Iterator[Part]:
        keep_entities = evaluation_sets.are_replaced_by(tokenizers)
        for first in range(0, len(self._sets.places), LINES):
            places = self._sets.places[first : first + LINES]
            systems, references = (
                [each.texts(places, keep_entities=keep_entities) for each in side]
                for side in (self._sets.systems, self._sets.references)
            )
            documents = [document for document, _ in places]
            yield Part(first, systems, references, documents, [f"{document}:{segment}" for document, segment in places])
