"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: str) -> Iterator[int]:
    """Open a file to write to it, and yield its descriptor. Raises OutputError if that cannot be done.

    The file is created or replaced at the end; after an error it is as it was. What is no regular file, such as a pipe,
    is written to as it is.
    """
    with write_errors_named(path):
        target = Path(path)
        before = target.stat() if target.exists() else None
        in_place = before is not None and (not stat.S_ISREG(before.st_mode) or _is_device(path))
        target = target if in_place else Path(os.path.realpath(path))
        written = target if in_place else target.with_name(f".bleukit-{os.urandom(8).hex()}")
        flags = os.O_WRONLY if in_place else os.O_WRONLY | os.O_CREAT | os.O_EXCL
        descriptor = os.open(written, flags | getattr(os, "O_BINARY", 0), 0o666)
    try:
        yield descriptor
        with write_errors_named(path):
            os.close(descriptor)
            descriptor = -1
            if before and not in_place:
                written.chmod(stat.S_IMODE(before.st_mode))
            if not in_place:
                written.replace(target)
    except BaseException:
        with suppress(OSError):
            os.close(descriptor)
        if not in_place:
            written.unlink(missing_ok=True)
        raise


@contextmanager
def write_errors_named(path: str) -> Iterator[None]:
    """Raise OutputError, which names the file, for any OSError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def _is_device(path: str) -> bool:
    """Return whether a path such as /dev/stdout names an open file."""
    return os.path.abspath(path).startswith(("/dev/", "/proc/"))  # noqa: PTH100 - without following links
