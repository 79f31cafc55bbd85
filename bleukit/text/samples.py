"""Samples of segments, some segments at a time: row N of several files, some rows of one, lists, or lines of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bleukit.errors import InputError, quantity
from bleukit.text import compressed
from bleukit.text.aligned_segments import group_references
from bleukit.text.column_names import ColumnNames
from bleukit.text.files import DEFAULT_LIMITS, TextFile, refuse_second_readers
from bleukit.text.open_files import OpenFiles, read_aligned
from bleukit.text.paths import is_evaluation_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.text.files import Limits
    from bleukit.text.open_files import TextColumn

SEGMENTS = 64
"""The largest number of segments read at a time."""

SAMPLES = 1 << 14
"""Number of samples read at a time, unless those of two segments are more."""


class SampleGroup(NamedTuple):
    """The samples of a segment; the references they are scored against, None for the samples; weights of these."""

    samples: Sequence[str]
    references: Sequence[str] | None = None
    weights: Sequence[float] | None = None


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
        for path in filter(is_evaluation_set, (*paths, *references)):
            raise InputError(f"{path}: is an evaluation set; samples and their references are in text files or tables")
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
        self._files = OpenFiles(columns, limits, on_read, len(paths) + len(references))
        if self._is_json:
            self._json = TextFile(paths[0], limits, on_read)
            self._json.is_text = False
            return
        try:
            self._samples = [column for path in paths for column in self._files.find(path, "sample")]
            self._references = [column for path in references for column in self._files.find(path, "reference")]
            if columns.reference and not references:
                self._references = self._references_beside(columns.reference)
            if len(paths) == 1:
                self._check_alone(paths[0])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files, if not all of them were read."""
        self._files.close()

    @property
    def notes(self) -> list[str]:
        """Observations made while reading that are not errors."""
        return self._json.notes if self._is_json else self._files.notes

    def groups(self) -> Iterator[list[SampleGroup]]:
        """Yield the segments, some at a time. Raises InputError if a file cannot be read, or does not fit."""
        if self._is_json:
            yield from self._of_json()
        elif self._each:
            yield from self._of_rows(self._each)
        else:
            size = max(1, min(SEGMENTS, SAMPLES // len(self._samples)))
            for blocks in read_aligned(self._files.readers, size):
                samples, *references = (
                    map(list, group_references([column.values(blocks) for column in columns]))
                    for columns in filter(None, (self._samples, self._references))
                )
                yield list(map(SampleGroup, samples, *references))

    def _of_rows(self, each: int) -> Iterator[list[SampleGroup]]:
        [reader] = self._files.readers
        for blocks in read_aligned([reader], max(1, min(SEGMENTS, SAMPLES // each)) * each):
            texts = list(self._samples[0].values(blocks))
            if len(texts) % each:
                raise InputError(
                    f"{reader.name}: has {reader.lines_read} {reader.unit}s, which are no groups of {each}"
                )
            yield [SampleGroup(texts[start : start + each]) for start in range(0, len(texts), each)]

    def _references_beside(self, names: Sequence[str]) -> list[TextColumn]:
        """Return the references that are asked for, in the tables that hold samples."""
        files = self._files
        columns = [
            column
            for number, table in files.tables.items()
            if set(names) <= set(table.columns)
            for column in files.choose(number, "reference", table.require("reference", names))
        ]
        if not columns:
            raise InputError(f"--reference-column: no table has {' and '.join(map(repr, names))}")
        return columns

    def _check_alone(self, path: str) -> None:
        """Raise InputError unless it is clear how many rows of the only file are the samples of a segment."""
        reader = self._files.readers[0]
        holds_one = len(self._samples) == 1 and not self._files.holds_lists(self._samples[0])
        if holds_one and not self._each:
            several = "columns" if self._files.tables else "files"
            raise InputError(
                f"{path}: how many {reader.unit}s are the samples of a segment? Several {several} hold one each"
            )
        if self._each and not holds_one:
            raise InputError(f"{path}: a row holds several samples, so that it is a segment: leave the number out")

    def _of_json(self) -> Iterator[list[SampleGroup]]:
        file = self._json
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
        for block in file.blocks():
            for start in range(0, len(block), SEGMENTS):
                lines = block[start : start + SEGMENTS]
                yield list(map(group, lines, range(first, first + len(lines))))
                first += len(lines)


def _is_json(path: str) -> bool:
    return compressed.without_suffix(path).lower().endswith((".jsonl", ".ndjson"))
