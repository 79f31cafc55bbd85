"""What the path of a file says: whether it is a table or an evaluation set, and which part of it ``#NAME`` chooses."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from glob import has_magic
from os.path import isdir, lexists
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.reading import compressed

if TYPE_CHECKING:
    from collections.abc import Iterator

JSON_LINES = (".jsonl", ".ndjson")
JSON = (".json", *JSON_LINES)
TABLES = (".tsv", ".csv", *JSON, ".parquet", ".arrow", ".feather")
"""Suffixes of tables, in upper or lower case; the suffix of a compressed format may follow."""

XML = (".xml",)
EVALUATION_SETS = (".sgm", ".sgml", *XML)
"""Suffixes of evaluation sets, likewise."""

BEGINNING = 1 << 16
"""How many bytes are looked at to see what a file begins with."""

_as_text: list[bool] = []


def encodable(name: str) -> str:
    """Return a name that every output can hold: those of files may consist of any bytes."""
    return name.encode("utf-8", "backslashreplace").decode()


@contextmanager
def as_text() -> Iterator[None]:
    """Read each file as lines of text within this context, whatever its name and its content look like."""
    _as_text.append(True)
    try:
        yield
    finally:
        _as_text.pop()


def all_are_text() -> bool:
    """Return whether files are read in the context :func:`as_text`."""
    return bool(_as_text)


def split_path(path: str) -> tuple[str, str | None]:
    """Split ``FILE#NAME`` into file and name; the name is None for the whole file.

    ``#NAME`` chooses a translation of an evaluation set, or a system or a column of a table. A path that exists, or
    does not begin with the path of such a file, is that of a whole file.
    """
    file, mark, name = path.rpartition("#")
    holds_parts = mark and (has_suffix(file, (*TABLES, *EVALUATION_SETS)) or _is_folder(file))
    is_part = holds_parts and not lexists(path)
    return (file, name) if is_part else (path, None)


def has_suffix(path: str, suffixes: tuple[str, ...]) -> bool:
    """Return whether a path ends in one of the suffixes, in upper or lower case, before one of a compressed format."""
    return compressed.without_suffix(path).lower().endswith(suffixes)


def is_table(path: str) -> bool:
    """Return whether a path is that of a table, by its suffix; ``#NAME`` may follow."""
    return has_suffix(split_path(path)[0], TABLES)


def is_folder(path: str) -> bool:
    """Return whether a path is that of a folder, or a pattern such as ``data/*.csv``; ``#NAME`` may follow."""
    return _is_folder(split_path(path)[0])


def holds_table(path: str) -> bool:
    """Return whether a path is that of a table, of a file that begins as JSON, or of a folder, which is read as one.

    ``#NAME`` may follow.
    """
    file = split_path(path)[0]
    return _is_folder(file) or (not all_are_text() and bool(table_suffix(file)))


def table_suffix(file: str) -> str:
    """Return the suffix of the format of a table, without what compresses it: that of its name, or ".json".

    A regular file whose content begins as JSON is a table by any name; the text is empty for all else.
    """
    plain = compressed.without_suffix(file).lower()
    suffix = next((suffix for suffix in TABLES if plain.endswith(suffix)), "")
    return suffix or (JSON[0] if _begins_as_json(file) else "")


def is_evaluation_set(path: str) -> bool:
    """Return whether a path is that of an evaluation set, by its suffix; ``#NAME`` may follow."""
    return not all_are_text() and has_suffix(split_path(path)[0], EVALUATION_SETS)


def _is_folder(path: str) -> bool:
    return isdir(path) or (has_magic(path) and not lexists(path))  # noqa: PTH112 - a name may be too long for Path


def _begins_as_json(path: str) -> bool:
    with suppress(OSError, ValueError):  # which whoever reads the file reports
        if Path(path).is_file():
            with Path(path).open("rb") as file:
                return holds_json(file.read(BEGINNING).decode(errors="ignore"))
    return False


def holds_json(text: str) -> bool:
    """Return whether text begins as JSON does: objects or arrays, with a string in them, one after the other."""
    rest = text.strip()
    if rest[:1] not in {"{", "["} or '"' not in rest:
        return False
    from json import JSONDecodeError, JSONDecoder  # takes long to import

    try:
        while rest:
            _, end = JSONDecoder().raw_decode(rest)
            rest = rest[end:].lstrip()
    except JSONDecodeError as error:  # the end of what is seen need not be that of the file
        return rest[error.pos :] in "true false null" or error.msg.startswith("Unterminated string")
    except RecursionError:
        return False
    return True
