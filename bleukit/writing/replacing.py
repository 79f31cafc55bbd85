"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.framework.errors import OutputError

try:
    import fcntl
except ImportError:  # Windows, where no file is removed that is open
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

ABANDONED = 60
"""Seconds after which a temporary file that no process has locked was left behind by one that was killed."""

_TEMPORARY = re.compile(r"\.bleukit-[0-9a-f]{16}")


@contextmanager
def replacing(path: str) -> Iterator[int]:
    """Open a file to write to it, and yield its descriptor. Raises OutputError if that cannot be done.

    The file is created or replaced at the end; after an error it is as it was. What is no regular file, such as a pipe,
    is written to as it is. What killed processes have left in the folder is removed.
    """
    with write_errors_named(path):
        target = Path(os.path.realpath(path))
        written = target.with_name(f".bleukit-{os.urandom(8).hex()}")
        mode = Path(path).stat().st_mode if Path(path).exists() else None
        in_place = mode is not None and (not stat.S_ISREG(mode) or is_device(path))
        flags = os.O_WRONLY | getattr(os, "O_BINARY", 0) | (0 if in_place else os.O_CREAT | os.O_EXCL)
    descriptor = -1
    try:
        with write_errors_named(path):
            descriptor = os.open(path if in_place else written, flags, 0o666)
        with suppress(OSError):  # not every file system has locks, and not every folder can be listed
            if not in_place:
                _lock(descriptor)
                _remove_abandoned(target.parent)
        yield descriptor
        with write_errors_named(path):
            if not in_place:
                os.utime(written)  # it is not abandoned, though it will have no lock
            os.close(descriptor)
            descriptor = -1
            if not in_place:
                if mode is not None:
                    written.chmod(stat.S_IMODE(mode))
                written.replace(target)
    except BaseException:
        with suppress(OSError):
            os.close(descriptor)
        with suppress(OSError):
            if not in_place:
                written.unlink()
        raise


@contextmanager
def write_errors_named(path: str) -> Iterator[None]:
    """Raise OutputError, which names the file, for any OSError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files in a folder that are older than ABANDONED and that no process has locked."""
    for path in folder.glob(".bleukit-*"):
        with suppress(OSError):
            state = path.lstat()
            is_old = time.time() - state.st_mtime > ABANDONED and stat.S_ISREG(state.st_mode)
            if not is_old or not _TEMPORARY.fullmatch(path.name):
                continue
            if fcntl:
                with path.open("rb+") as file:
                    _lock(file.fileno())
                    path.unlink()
            else:
                path.unlink()


def _lock(descriptor: int) -> None:
    """Lock a file until it is closed. Raises OSError if another process has locked it."""
    if fcntl:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_device(path: str) -> bool:
    """Return whether a path such as /dev/stdout names an open file."""
    return os.path.abspath(path).startswith(("/dev/", "/proc/"))  # noqa: PTH100 - without following links
