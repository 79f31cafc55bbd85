"""Samples of segments, some segments at a time: row N of several files, some rows of one, lists, or lines of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bleukit.errors import InputError, quantity
from bleukit.text import compressed, table_names, tables
from bleukit.text.files import DEFAULT_LIMITS, TextFile, read_aligned, refuse_second_readers
from bleukit.text.table_names import ColumnNames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.text.files import Limits
    from bleukit.text.table_file import TableFile
    from bleukit.text.table_names import ColumnRole

SEGMENTS = 64
"""The largest number of segments read at a time."""

SAMPLES = 1 << 14
"""Number of samples read at a time, unless those of two segments are more."""


class SampleGroup(NamedTuple):
    """The samples of a segment; the references they are scored against, None for the samples; weights of these."""

    samples: Sequence[str]
    references: Sequence[str] | None = None
    weights: Sequence[float] | None = None


class _Source(NamedTuple):
    """The place of texts: the file, and the values in each row; None for the lines of a text file."""

    file: int
    values: Sequence[int] | None


class SampleFiles:
    """Files with the samples of segments, to be read once.

    ``each`` is how many rows of a single file belong to a segment; ``references`` are files with a reference a row. A
    row of a text file is a line; of a table it is what the columns of samples hold, each a text or a list. References
    in a table with samples count only if ``columns`` names them. Raises InputError if the files do not go together.
    """

    def __init__(  # noqa: PLR0913
        self,
        paths: Sequence[str],
        references: Sequence[str] = (),
        *,
        each: int | None = None,
        columns: ColumnNames | None = None,
        limits: Limits = DEFAULT_LIMITS,
        on_read: Callable[[int], object] | None = None,
    ) -> None:
        refuse_second_readers([*paths, *references])
        columns = columns or ColumnNames()
        self._is_json = any(map(_is_json, paths)) and not columns.sample
        if self._is_json and (len(paths) > 1 or references or each or columns.reference):
            name = next(filter(_is_json, paths))
            raise InputError(f"{name}: JSON lines hold all there is: give one file alone, or choose by --sample-column")
        if len(paths) > 1 and each:
            raise InputError("samples are lines of one file, so many a segment, or line N of several files: not both")
        if each and (references or columns.reference):
            raise InputError("references go with samples in several files or columns, in lists, or in JSON lines")
        self._each = each
        self._options = limits, on_read
        self._among = len(paths) + len(references)
        self._readers: list[TextFile | TableFile] = []
        try:
            self._samples = [self._open(path, "sample", columns) for path in paths]
            self._references = [self._open(path, "reference", columns) for path in references]
            if columns.reference and not references:
                self._references = self._references_beside(columns)
            if len(paths) == 1 and not self._is_json:
                self._check_alone(paths[0])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files, if not all of them were read."""
        for reader in self._readers:
            if not isinstance(reader, TextFile):
                reader.close()

    @property
    def notes(self) -> list[str]:
        """Observations made while reading that are not errors."""
        files = (reader if isinstance(reader, TextFile) else reader.file for reader in self._readers)
        return [note for file in files for note in file.notes]

    def groups(self) -> Iterator[list[SampleGroup]]:
        """Yield the segments, some at a time. Raises InputError if a file cannot be read, or does not fit."""
        if self._is_json:
            yield from self._of_json()
        elif self._each:
            yield from self._of_rows(self._each)
        else:
            size = max(1, min(SEGMENTS, SAMPLES // sum(len(source.values or "1") for source in self._samples)))
            readers: list[Any] = self._readers
            for blocks in read_aligned(readers, size):
                samples = _joined(self._samples, blocks)
                references = _joined(self._references, blocks) if self._references else [None] * len(samples)
                yield [SampleGroup(*group) for group in zip(samples, references, strict=True)]

    def _of_rows(self, each: int) -> Iterator[list[SampleGroup]]:
        [source] = self._samples
        reader: Any = self._readers[0]
        for blocks in read_aligned([reader], max(1, min(SEGMENTS, SAMPLES // each)) * each):
            texts = [text for [text] in _texts(source, blocks)]
            if len(texts) % each:
                raise InputError(
                    f"{reader.name}: has {reader.lines_read} {reader.unit}s, which are no groups of {each}"
                )
            yield [SampleGroup(texts[start : start + each]) for start in range(0, len(texts), each)]

    def _open(self, path: str, role: ColumnRole, columns: ColumnNames) -> _Source:
        """Open a file, and find the columns of a table that hold this."""
        limits, on_read = self._options
        file, name = table_names.split_table_path(path)
        number = len(self._readers)
        if self._is_json or not table_names.is_table(path):
            self._readers.append(TextFile(path, limits, on_read, self._among))
            return _Source(number, None)
        table = tables.open_table(file, limits, on_read)
        self._readers.append(table)
        return _chosen(table, number, role, columns.of(role) if name is None else (name,))

    def _references_beside(self, columns: ColumnNames) -> list[_Source]:
        """Return where the tables with samples have the references that are asked for."""
        columns_beside = [
            _chosen(reader, number, "reference", columns.reference)
            for number, reader in enumerate(self._readers)
            if not isinstance(reader, TextFile) and set(columns.reference) <= set(reader.columns)
        ]
        if not columns_beside:
            raise InputError(f"--reference-column: no table has {' and '.join(map(repr, columns.reference))}")
        return columns_beside

    def _check_alone(self, path: str) -> None:
        """Raise InputError unless it is clear how many rows of the only file are the samples of a segment."""
        reader = self._readers[0]
        holds_one = isinstance(reader, TextFile) or (
            len(reader.chosen) == 1 and reader.chosen[0][0] not in reader.lists
        )
        if holds_one and not self._each:
            several = "Several files hold one each" if isinstance(reader, TextFile) else "Several columns hold one each"
            raise InputError(f"{path}: how many {reader.unit}s are the samples of a segment? {several}")
        if self._each and not holds_one:
            raise InputError(f"{path}: a row holds several samples, so that it is a segment: leave the number out")

    def _of_json(self) -> Iterator[list[SampleGroup]]:
        file: Any = self._readers[0]
        optional = [("references", list[str] | None, None), ("weights", list[float] | None, None)]
        whole = msgspec.defstruct("Line", [("samples", list[str]), *optional], forbid_unknown_fields=True)
        decoder = msgspec.json.Decoder(list[str] | whole)

        def group(line: str, number: int) -> SampleGroup:
            try:
                line_group: Any = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeEncodeError) as error:
                expected = 'a list of texts, or {"samples": [...], "references": [...], "weights": [...]}'
                raise InputError(f"{file.name}:{number}: expected {expected}: {error}") from error
            if isinstance(line_group, list):
                line_group = whole(line_group)
            others = line_group.samples if line_group.references is None else line_group.references
            if not line_group.samples or not others:
                raise InputError(f"{file.name}:{number}: no text to choose from, or none to score against")
            if line_group.weights is not None and len(line_group.weights) != len(others):
                counts = f"{quantity(len(line_group.weights), 'weight')} for {quantity(len(others), 'text')}"
                raise InputError(f"{file.name}:{number}: {counts}")
            return SampleGroup(line_group.samples, line_group.references, line_group.weights)

        first = 1
        for [lines] in read_aligned([file], SEGMENTS):
            yield list(map(group, lines, range(first, first + len(lines))))
            first += len(lines)


def _is_json(path: str) -> bool:
    return compressed.without_suffix(path).lower().endswith((".jsonl", ".ndjson"))


def _chosen(table: TableFile, number: int, role: ColumnRole, asked: Sequence[str]) -> _Source:
    return _Source(number, [table.choose(role, column) for column in table.require(role, asked)])


def _joined(sources: Sequence[_Source], blocks: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return, for each row, the texts of all sources."""
    rows = zip(*(_texts(source, blocks) for source in sources), strict=True)
    return [[text for texts in row for text in texts] for row in rows]


def _texts(source: _Source, blocks: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return the texts of each row."""
    block = blocks[source.file]
    if source.values is None:
        return [[line] for line in block]
    each = [[row[place] for place in source.values] for row in block]
    return [[text for value in row for text in (value if isinstance(value, list) else (value,))] for row in each]
