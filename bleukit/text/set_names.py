"""Names of evaluation sets, and of one translation in a set: ``set.xml#NAME``."""

from __future__ import annotations

import re

from bleukit.text.table_names import split_path

SUFFIX = re.compile(r"\.(?:sgml?|(xml))(?:\.(?:gz|bz2|xz|zst))?$", re.IGNORECASE)
"""The suffix of an evaluation set, compressed or not; group 1 matches that of an XML file."""


def is_evaluation_set(path: str) -> bool:
    """Return whether a path is that of an evaluation set, by its suffix; ``#NAME`` may follow."""
    return bool(SUFFIX.search(split_set_path(path)[0]))


def split_set_path(path: str) -> tuple[str, str | None]:
    """Split ``set.xml#NAME``, one translation of a set, into file and name; the name is None for the whole file."""
    return split_path(path, SUFFIX.search)
