"""Files at other places than the file systems of this machine, such as ``s3://bucket/key``, by fsspec."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from bleukit.framework.errors import InputError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import PurePath
    from typing import BinaryIO


def is_remote(path: str) -> bool:
    """Return whether a path names a place by a protocol."""
    return "://" in path


@lru_cache(1024)
def is_folder(path: str) -> bool:
    """Return whether a path is that of a folder; a place is asked once. Raises InputError if it cannot be asked."""
    with _asked(path) as (system, root):
        return bool(system.isdir(root))


def files(path: str, *, is_pattern: bool) -> list[tuple[str, PurePath]]:
    """Return the files below a folder, or those that a pattern matches, each with its path below the folder."""
    with _asked(path) as (system, root):
        if is_pattern:
            matches = [file for match in system.glob(root) for file in system.find(match)]
            return [(system.unstrip_protocol(file), PurePosixPath(file)) for file in dict.fromkeys(matches)]
        below = [PurePosixPath(file).relative_to(root) for file in system.find(root)]
        return [(f"{path.rstrip('/')}/{file}", file) for file in below]


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file. Raises InputError if the place cannot be asked, and OSError if the file cannot be read."""
    with _asked(path) as (system, root), system.open(root, "rb") as file:
        yield file


@contextmanager
def _asked(path: str) -> Iterator[tuple[Any, str]]:
    """Give the file system of a path, and the path there. Errors of its library become an InputError in one line."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise InputError(f"{path}: reading it needs fsspec: pip install 'bleukit[remote]'") from error
    try:
        yield url_to_fs(path)
    except (OSError, InputError):
        raise
    except Exception as error:
        raise InputError(f"{path}: cannot be read: {one_line(error)}") from error
