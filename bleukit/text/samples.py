"""Samples of segments, some segments at a time: line N of several files, some lines of one, or a line of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.errors import InputError
from bleukit.text import compressed
from bleukit.text.files import DEFAULT_LIMITS, TextFile, notes_of, read_aligned, refuse_second_readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.text.files import Limits

SEGMENTS = 64
"""How many segments are read at a time."""


class Group(NamedTuple):
    """The samples of a segment; the references they are scored against, None for the samples; weights of these."""

    samples: Sequence[str]
    references: Sequence[str] | None = None
    weights: Sequence[float] | None = None


class SampleFiles:
    """Files with the samples of segments, to be read once.

    ``each`` is how many lines of a single file belong to a segment; ``references`` are files with a reference a line.
    Raises InputError if the files do not go together.
    """

    def __init__(
        self,
        paths: Sequence[str],
        references: Sequence[str] = (),
        *,
        each: int | None = None,
        limits: Limits = DEFAULT_LIMITS,
        on_read: Callable[[int], object] | None = None,
    ) -> None:
        refuse_second_readers([*paths, *references])
        self._are_json = [_is_json(path) for path in paths]
        if any(self._are_json) and (len(paths) > 1 or references or each):
            raise InputError(f"{paths[self._are_json.index(True)]}: JSON lines hold all there is: give one file alone")
        if len(paths) > 1 and each:
            raise InputError("samples are lines of one file, so many a segment, or line N of several files: not both")
        if len(paths) == 1 and not each and not any(self._are_json):
            raise InputError(f"{paths[0]}: how many lines are the samples of a segment? Several files hold one each")
        self._each = each or 1
        self._samples = len(paths)
        self._files = [TextFile(path, limits, on_read) for path in (*paths, *references)]

    @property
    def notes(self) -> list[str]:
        """What was noticed in reading and is no error."""
        return notes_of(self._files)

    def groups(self) -> Iterator[list[Group]]:
        """Yield the segments, some at a time. Raises InputError if a file cannot be read, or does not fit."""
        if any(self._are_json):
            yield from self._of_json()
        elif self._samples > 1:
            for lines in read_aligned(self._files, SEGMENTS):
                references = lines[self._samples :]
                of_each = zip(*references, strict=True) if references else (None for _ in lines[0])
                samples = zip(*lines[: self._samples], strict=True)
                yield [Group(*group) for group in zip(samples, of_each, strict=True)]
        else:
            yield from self._of_lines()

    def _of_lines(self) -> Iterator[list[Group]]:
        [file, *others] = self._files
        if others:
            raise InputError("references go with samples in several files, or in JSON lines")
        for [lines] in read_aligned([file], SEGMENTS * self._each):
            if len(lines) % self._each:
                raise InputError(f"{file.name}: has {file.lines_read} lines, which are no groups of {self._each}")
            yield [Group(lines[start : start + self._each]) for start in range(0, len(lines), self._each)]

    def _of_json(self) -> Iterator[list[Group]]:
        import msgspec

        [file] = self._files
        optional = [("references", list[str] | None, None), ("weights", list[float] | None, None)]
        whole = msgspec.defstruct("Line", [("samples", list[str]), *optional], forbid_unknown_fields=True)
        decoder = msgspec.json.Decoder(list[str] | whole)

        def group(line: str, number: int) -> Group:
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
                raise InputError(f"{file.name}:{number}: {len(found.weights)} weights for {len(others)} texts")
            return Group(found.samples, found.references, found.weights)

        first = 1
        for [lines] in read_aligned([file], SEGMENTS):
            yield list(map(group, lines, range(first, first + len(lines))))
            first += len(lines)


def _is_json(path: str) -> bool:
    form = compressed.format_of(path)
    return (path[: -len(form.suffix)] if form else path).lower().endswith((".jsonl", ".ndjson"))
