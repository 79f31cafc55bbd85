"""What the path of a file says: whether it is a table or an evaluation set, and which part of it ``#NAME`` chooses."""

from __future__ import annotations

import re
from glob import has_magic
from os.path import lexists
from pathlib import Path

from bleukit.text import compressed, remote

TABLES = (".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather")
"""Suffixes of tables, in upper or lower case; the suffix of a compressed format may follow."""

EVALUATION_SET = re.compile(r"\.(?:sgml?|(xml))(?:\.(?:gz|bz2|xz|zst))?$", re.IGNORECASE)
"""The suffix of an evaluation set, compressed or not; group 1 matches that of an XML file."""


def split_path(path: str) -> tuple[str, str | None]:
    """Split ``FILE#NAME`` into file and name; the name is None for the whole file.

    ``#NAME`` chooses a translation of an evaluation set, or a system or a column of a table. A path that exists, or
    does not begin with the path of such a file, is that of a whole file.
    """
    file, mark, name = path.rpartition("#")
    holds_parts = mark and (_ends_as_table(file) or EVALUATION_SET.search(file) or _is_folder(file))
    is_part = holds_parts and not lexists(path)
    return (file, name) if is_part else (path, None)


def is_table(path: str) -> bool:
    """Return whether a path is that of a table, by its suffix; ``#NAME`` may follow."""
    return _ends_as_table(split_path(path)[0])


def is_folder(path: str) -> bool:
    """Return whether a path is that of a folder, or a pattern such as ``data/*.csv``; ``#NAME`` may follow."""
    return _is_folder(split_path(path)[0])


def holds_table(path: str) -> bool:
    """Return whether a path is that of a table, or of a folder, which is read as one; ``#NAME`` may follow."""
    return is_table(path) or is_folder(path)


def is_evaluation_set(path: str) -> bool:
    """Return whether a path is that of an evaluation set, by its suffix; ``#NAME`` may follow."""
    return bool(EVALUATION_SET.search(split_path(path)[0]))


def _is_folder(path: str) -> bool:
    if remote.is_remote(path):
        return has_magic(path) or remote.is_folder(path)
    return (path != "" and Path(path).is_dir()) or (has_magic(path) and not lexists(path))


def _ends_as_table(path: str) -> bool:
    return compressed.without_suffix(path).lower().endswith(TABLES)
