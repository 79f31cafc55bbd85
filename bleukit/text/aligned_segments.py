"""Some segments of all files that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleukit.counting.packed import PackedTexts, interleaved

if TYPE_CHECKING:
    from collections.abc import Sequence


class AlignedSegments(NamedTuple):
    """Consecutive segments of all files.

    ``systems[s][i]`` is what system s says in segment i, ``references[i]`` one reference of it, or several, as the
    methods of a Bleu take them; ``first`` is the number of segments before these.
    """

    first: int
    systems: Sequence[Sequence[str]]
    references: Sequence[str | Sequence[str]]
    documents: Sequence[str] | None = None
    """The document of each segment; None if they are not known."""
    names: Sequence[str] | None = None
    """The names of the segments; None if they are numbered."""
    sources: Sequence[str] | None = None
    """The source of each segment; None if they are not known, or not wanted."""
    test_sets: Sequence[str] | None = None
    """The test set of each segment; None if they are not known, or not wanted."""


def group_references(columns: Sequence[Sequence[str]]) -> Sequence[str | Sequence[str]]:
    """Return the references of each segment, given those of each file."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, PackedTexts) for column in columns):
        return interleaved(columns)  # type: ignore[arg-type]
    return list(zip(*columns, strict=True))


def note_blank_document(documents: Sequence[str], where: str, first: int, notes: list[str]) -> None:
    """Note the first document without a name; ``where`` stands before its number."""
    blank = next((place for place, name in enumerate(documents, first + 1) if not name.strip()), None)
    if blank and not any(": blank document id" in note for note in notes):
        notes.append(f"{where}{blank}: blank document id")
