"""What commands read: systems' texts, their references and documents, aligned, from lines, tables or evaluation sets.

:func:`open_corpus` chooses a :data:`Corpus` by the names of the files. A corpus yields :class:`AlignedSegments`, some
at a time. A new kind of table is a new class in ``tables.py``, a new kind of file whose segments have ids a new class
beside ``SetCorpus``, and a new kind of text a new field of :class:`AlignedSegments`.
"""

from __future__ import annotations

from contextlib import closing
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleukit.framework.arguments import number_labels
from bleukit.framework.errors import InputError
from bleukit.framework.packed import grouped
from bleukit.reading.aligned_files import AlignedFiles
from bleukit.reading.aligned_segments import AlignedSegments, CorpusOfOthers
from bleukit.reading.column_names import ANY_COLUMNS
from bleukit.reading.files import DEFAULT_LIMITS, TextFile, refuse_second_readers
from bleukit.reading.joining import join
from bleukit.reading.open_files import open_table
from bleukit.reading.paths import TABLES, holds_table, is_evaluation_set, split_path

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from bleukit.framework.segments import SegmentsReader
    from bleukit.reading.aligned_files import OptionalColumn
    from bleukit.reading.column_names import ColumnNames, ColumnRole
    from bleukit.reading.evaluation_sets import SetCorpus, TokenizeFunction
    from bleukit.reading.files import Limits

Corpus: TypeAlias = "AlignedFiles | SetCorpus | CorpusOfOthers"
"""Aligned texts, to be read once.

- ``systems`` are the names of the systems, ``system_paths`` the paths that choose each of them alone.
- ``reference_paths`` are the paths that choose each reference of a segment alone; ``references`` is how many a segment
  has, None if lists hold them, until all are read, or if that varies.
- ``has_documents`` says whether documents are known; ``has_entities``, whether texts hold SGML's entities: then, and
  only then, the parts can be read more than once.
- ``notes`` are observations made while reading that are not errors.
- ``parts(*tokenizers)`` yields all segments, some at a time. SGML's entities are kept as they stand if the tokenizers,
  at least one, all replace them. Raises InputError if a file cannot be read, is above a limit, or does not fit others.
- ``close()`` closes the files, if not all of them were read.
"""


def open_corpus(  # noqa: PLR0913
    hypotheses: Sequence[str],
    references: Sequence[str],
    documents: str | None = None,
    *,
    columns: ColumnNames = ANY_COLUMNS,
    wanted: Collection[OptionalColumn] = (),
    limits: Limits = DEFAULT_LIMITS,
    on_read: Callable[[int], object] | None = None,
) -> AlignedFiles | SetCorpus:
    """Return the corpus of these files: text and tables, or evaluation sets, beside which text is read by its order.

    ``references`` may be empty if a file of hypotheses is a table or an evaluation set that holds them. ``documents``
    is a file with the document of each segment. ``columns`` names those of tables; ``wanted`` says what else is looked
    for in them.
    ``on_read`` is called with the bytes of each read. Raises InputError if the files do not go together.
    """
    texts = [*hypotheses, *references]
    paths = texts if documents is None else [*texts, documents]
    refuse_second_readers(paths)
    are_sets = list(map(is_evaluation_set, texts))
    if any(are_sets) and any(map(holds_table, texts)):
        raise InputError("evaluation sets (.sgm, .sgml, .xml) and other files cannot be read together")
    if any(are_sets) and documents is not None:
        raise InputError("evaluation sets name the document of each segment themselves: leave out --documents")
    if columns != ANY_COLUMNS and not any(map(holds_table, paths)):
        suffixes = ", ".join(TABLES)
        raise InputError(f"columns are those of tables, and none of the files is one: {suffixes}")
    if any(are_sets):
        from bleukit.reading import evaluation_sets  # imported for these files alone

        references = references or list(dict.fromkeys(split_path(path)[0] for path in hypotheses))
        return evaluation_sets.SetCorpus(hypotheses, references, limits, on_read)
    return AlignedFiles(hypotheses, references, documents, columns, wanted, limits, on_read)


def read_segments(
    path: str,
    *tokenizers: TokenizeFunction,
    columns: ColumnNames = ANY_COLUMNS,
    role: ColumnRole = "hypothesis",
    limits: Limits = DEFAULT_LIMITS,
    notes: list[str],
) -> Iterator[Sequence[str]]:
    """Yield the segments of one file, some at a time: its lines, or those of an evaluation set, in the file's order.

    Of a table they are the column of this role, or the one that ``#NAME`` chooses. ``tokenizers`` are as in
    :data:`Corpus`; observations that are not errors are appended to ``notes``.
    """
    file, name = split_path(path)
    if holds_table(path):
        with closing(open_table(file, limits)) as table:
            table.choose(role, table.require_one(role, columns.of(role) if name is None else (name,)))
            for [texts] in table.blocks():
                yield texts
            notes += table.file.notes
        return
    text = TextFile(file, limits)
    if not is_evaluation_set(path):
        yield from text.blocks()
        notes += text.notes
        return
    from bleukit.reading import evaluation_sets

    translations = [
        translation for translation in evaluation_sets.read_evaluation_set(text) if name in {None, translation.name}
    ]
    notes += text.notes
    if not any(translation.segments for translation in translations):
        raise InputError(f"{file}: holds no segment{f' of {name!r}' if name is not None else ''}")
    keep_entities = evaluation_sets.all_replace_entities(tokenizers)
    for translation in translations:
        yield translation.texts(list(translation.segments), keep_entities=keep_entities)


def in_memory(corpus: Corpus, *tokenizers: TokenizeFunction, limits: Limits = DEFAULT_LIMITS) -> AlignedSegments:
    """Return all parts of a corpus as one. Raises InputError if it exceeds the limits of text held as a whole."""
    parts: list[AlignedSegments] = []
    number = characters = 0
    for part in corpus.parts(*tokenizers):
        number += len(part.references)
        characters += sum(len(text) for texts in (*part.systems, part.references.items) for text in texts)
        limits.check("segments", number, "{}", corpus.systems[0])
        limits.check("text", characters, "the text")
        parts.append(part)
    systems = [list(chain.from_iterable(texts)) for texts in zip(*(part.systems for part in parts), strict=True)]
    documents, names, sources, test_sets = (
        list(chain.from_iterable(known)) if (known := [values for values in lists if values is not None]) else None
        for lists in zip(*((part.documents, part.names, part.sources, part.test_sets) for part in parts), strict=True)
    )
    references = grouped(list(chain.from_iterable(part.references for part in parts)))
    return AlignedSegments(0, systems, references, documents, names, sources, test_sets)


class Reading(NamedTuple):
    """A text, or some of it: with SGML's entities replaced and, if it has some, as they stand, too.

    Tokenizers that replace entities themselves are given them as they stand.
    """

    replaced: AlignedSegments
    as_they_stand: AlignedSegments | None = None

    def of_each(self, function: Callable[[AlignedSegments], AlignedSegments]) -> Reading:
        """Return what a function makes of it."""
        return Reading(*(None if text is None else function(text) for text in self))  # type: ignore[arg-type]

    def parts(self, size: int) -> Iterator[Reading]:
        """Yield so many segments at a time."""
        for start in range(0, len(self.replaced.references), size):
            yield self.of_each(methodcaller("part", start, start + size))

    def readers(self) -> list[SegmentsReader]:
        """Return, for each system, a function that returns its text as a tokenizer reads it."""
        return list(map(self._reader, range(len(self.replaced.systems))))

    def _reader(self, system: int) -> SegmentsReader:
        replaced = self.replaced.of_system(system)
        if self.as_they_stand is None:
            return lambda _: replaced
        from bleukit.reading.evaluation_sets import all_replace_entities

        as_they_stand = self.as_they_stand.of_system(system)
        return lambda tokenizer: as_they_stand if tokenizer and all_replace_entities([tokenizer.call]) else replaced


def read_whole(corpus: Corpus, limits: Limits = DEFAULT_LIMITS) -> Reading:
    """Return a corpus in memory. Raises InputError as :func:`in_memory` does."""
    replaced = in_memory(corpus, limits=limits)
    if not corpus.has_entities:
        return Reading(replaced)
    from html import unescape  # imported for these files alone

    return Reading(replaced, in_memory(corpus, unescape, limits=limits))


class TestSetsCorpus(CorpusOfOthers):
    """The corpora of several test sets, one after the other: a Corpus.

    ``corpora`` maps the name of each test set to its corpus, and to the names of its systems, which must be the same in
    all, in any order.
    """

    def __init__(self, corpora: Mapping[str, tuple[AlignedFiles | SetCorpus, Sequence[str]]]) -> None:
        super().__init__([corpus for corpus, _ in corpora.values()])
        first, self.systems = next(iter(corpora.values()))
        self._names = list(corpora)
        self._orders: list[list[int]] = []
        for name, (corpus, systems) in corpora.items():
            if sorted(systems) != sorted(self.systems):
                ours, theirs = (", ".join(names) for names in (self.systems, systems))
                raise InputError(f"test set {name}: holds the systems {theirs}; the first test set holds {ours}")
            if corpus.has_documents != first.has_documents:
                raise InputError(f"test set {name}: documents are known of some test sets only")
            self._orders.append(list(map([*systems].index, self.systems)))

    def parts(self, *tokenizers: TokenizeFunction) -> Iterator[AlignedSegments]:
        """Yield all segments, some at a time. Raises InputError as the corpora do."""
        before = 0
        for name, corpus, order in zip(self._names, self._corpora, self._orders, strict=True):
            number = 0
            for part in corpus.parts(*tokenizers):
                number = part.first + len(part.references)
                systems, test_sets = [part.systems[place] for place in order], [name] * len(part.references)
                yield part._replace(first=before + part.first, systems=systems, test_sets=test_sets)
            before += number


def documents_of(text: AlignedSegments) -> AlignedSegments:
    """Return the documents of a text as segments, which are their names, too; those of two test sets are two."""
    documents = text.documents or ()
    numbers, keys = number_labels([*zip(text.test_sets or documents, documents, strict=True)], "documents")
    labels = [str(document) for _, document in keys]
    systems, references = join(text.systems, text.references, numbers, labels, tokenized=text.tokenized)
    return text._replace(
        systems=systems,
        references=grouped(references),
        documents=labels,
        names=labels,
        sources=None,
        test_sets=text.test_sets and [name for name, _ in keys],
    )
