"""Samples of segments, some segments at a time: row N of several files, some rows of one, lists, or lines of JSON."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bleukit.framework.errors import InputError, quantity
from bleukit.reading.aligned_segments import group_references
from bleukit.reading.column_names import ANY_COLUMNS
from bleukit.reading.files import DEFAULT_LIMITS, TextFile, refuse_second_readers
from bleukit.reading.open_files import OpenFiles, read_aligned
from bleukit.reading.paths import JSON_LINES, has_suffix, is_evaluation_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.reading.column_names import ColumnNames
    from bleukit.reading.files import Limits
    from bleukit.reading.open_files import TextColumn
    from bleukit.reading.table_file import TableFile

SEGMENTS = 64
"""The largest number of segments read at a time."""

SAMPLES = 1 << 14
"""Number of samples read at a time, unless those of two segments are more."""


class SampleGroup(NamedTuple):
    """The samples of a segment; the references they are scored against, None for the samples; weights of these."""

    samples: Sequence[str]
    references: Sequence[str] | None = None
    weights: Sequence[float] | None = None


def read_samples(  # noqa: PLR0913
    paths: Sequence[str],
    references: Sequence[str] = (),
    *,
    each: int | None = None,
    columns: ColumnNames = ANY_COLUMNS,
    limits: Limits = DEFAULT_LIMITS,
    on_read: Callable[[int], object] | None = None,
    notes: list[str],
) -> Iterator[list[SampleGroup]]:
    """Yield the samples of segments, some segments at a time.

    ``each`` is how many rows of a single file belong to a segment; ``references`` are files with a reference a row. A
    row of a text file is a line; of a table it is what the columns of samples hold, each a text or a list. References
    in a table with samples count only if ``columns`` names them. Observations that are not errors are appended to
    ``notes``. Raises InputError if a file cannot be read, or if the files do not go together.
    """
    refuse_second_readers([*paths, *references])
    for path in filter(is_evaluation_set, (*paths, *references)):
        raise InputError(f"{path}: is an evaluation set; samples and their references are in text files or tables")
    if not columns.sample and (in_json := [path for path in paths if has_suffix(path, JSON_LINES)]):
        if len(paths) > 1 or references or each or columns.reference:
            raise InputError(
                f"{in_json[0]}: JSON lines hold all there is: give one file alone, or choose by --sample-column"
            )
        yield from _of_json(TextFile(paths[0], limits, on_read), notes)
        return
    if len(paths) > 1 and each:
        raise InputError("samples are lines of one file, so many a segment, or line N of several files: not both")
    if each and (references or columns.reference):
        raise InputError("references go with samples in several files or columns, in lists, or in JSON lines")
    with closing(OpenFiles(columns, limits, on_read, len(paths) + len(references))) as files:
        of_samples = [column for path in paths for column in files.find(path, "sample")]
        of_references = [column for path in references for column in files.find(path, "reference")]
        if columns.reference and not references:
            of_references = _references_beside(files)
        if len(paths) == 1:
            _require_number(files, of_samples, each)
        size = max(1, min(SEGMENTS, SAMPLES // (each or len(of_samples))))
        for blocks in read_aligned(files.readers, size * (each or 1)):
            if each:
                yield _of_rows(list(of_samples[0].values(blocks)), each, files.readers[0])
                continue
            groups = (
                map(list, group_references([column.values(blocks) for column in some]))
                for some in filter(None, (of_samples, of_references))
            )
            yield list(map(SampleGroup, *groups))
        notes += files.notes


def _of_rows(texts: list[str], each: int, reader: TableFile) -> list[SampleGroup]:
    """Return the rows of a file as samples, so many a segment."""
    if len(texts) % each:
        raise InputError(f"{reader.name}: has {reader.lines_read} {reader.unit}s, which are no groups of {each}")
    return [SampleGroup(texts[start : start + each]) for start in range(0, len(texts), each)]


def _references_beside(files: OpenFiles) -> list[TextColumn]:
    """Return the references that are asked for, in the tables that hold samples."""
    names = files.columns.reference
    columns = [
        column
        for number, table in files.tables.items()
        if set(names) <= set(table.columns)
        for column in files.choose(number, "reference", table.require("reference", names))
    ]
    if not columns:
        raise InputError(f"--reference-column: no table has {' and '.join(map(repr, names))}")
    return columns


def _require_number(files: OpenFiles, samples: Sequence[TextColumn], each: int | None) -> None:
    """Raise InputError unless it is clear how many rows of the only file are the samples of a segment."""
    [reader] = files.readers[:1]
    holds_one = len(samples) == 1 and not files.holds_lists(samples[0])
    if holds_one and not each:
        several = "columns" if files.tables else "files"
        raise InputError(
            f"{samples[0].path}: how many {reader.unit}s are the samples of a segment? Several {several} hold one each"
        )
    if each and not holds_one:
        raise InputError(f"{reader.name}: a row holds several samples, so that it is a segment: leave the number out")


def _of_json(file: TextFile, notes: list[str]) -> Iterator[list[SampleGroup]]:
    file.is_text = False
    optional = [("references", list[str] | None, None), ("weights", list[float] | None, None)]
    whole = msgspec.defstruct("Line", [("samples", list[str]), *optional], forbid_unknown_fields=True)
    decoder = msgspec.json.Decoder(list[str] | whole)

    def group(line: str, number: int) -> SampleGroup:
        try:
            found: Any = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            expected = 'a list of texts, or {"samples": [...], "references": [...], "weights": [...]}'
            raise InputError(f"{file.name}:{number}: expected {expected}: {error}") from error
        if isinstance(found, list):
            found = whole(found)
        others = found.samples if found.references is None else found.references
        if not found.samples or not others:
            raise InputError(f"{file.name}:{number}: no text to choose from, or none to score against")
        if found.weights is not None and len(found.weights) != len(others):
            counts = f"{quantity(len(found.weights), 'weight')} for {quantity(len(others), 'text')}"
            raise InputError(f"{file.name}:{number}: {counts}")
        return SampleGroup(found.samples, found.references, found.weights)

    first = 1
    for block in file.blocks():
        for start in range(0, len(block), SEGMENTS):
            lines = block[start : start + SEGMENTS]
            yield list(map(group, lines, range(first, first + len(lines))))
            first += len(lines)
    notes += file.notes
