"""What a shard was counted from: the files, by their checksums, and the columns of tables."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from bleukit.framework.errors import InputError
from bleukit.reading.paths import encodable, is_folder


class InputFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that was read: its role, its path, the SHA-256 of its bytes, and the part that ``#NAME`` chose."""

    role: str
    file: str
    sha256: str
    chosen: str = ""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shard was counted from: the files, and the columns of tables that were named."""

    inputs: tuple[InputFile, ...] = ()
    columns: dict[str, tuple[str, ...]] = {}
    segments: int = 0
    sha256: str = ""
    """The SHA-256 of the statistics, which are equal if the same part of a text was counted twice."""

    def difference(self, other: Source) -> str:
        """Say how the files that were read differ from those of another source; empty if they do not."""
        ours, theirs = ([(file.role, file.chosen) for file in source.inputs] for source in (self, other))
        if ours != theirs or self.columns != other.columns:
            return f"they are of {self}"
        changed = [new.file for old, new in zip(self.inputs, other.inputs, strict=True) if old.sha256 != new.sha256]
        return f"since then {', '.join(changed)} changed" if changed else ""

    def __str__(self) -> str:
        columns = [f"column {c!r}" for names in self.columns.values() for c in names]
        return ", ".join([*(file.file for file in self.inputs), *columns]) or "inputs that it does not name"


def checksum(path: str, file: str, role: str) -> InputFile:
    """Return a file, or a folder, with its checksum; ``path`` may choose a part of it.

    Raises InputError if it cannot be read, or is no regular file.
    """
    if is_folder(file):
        from bleukit.reading.folders import members  # imported for folders alone

        lines = [f"{member.path[len(file) :]}\n{_sha256(member.path, member.path)}\n" for member in members(file)]
        sha256 = hashlib.sha256(encodable("".join(lines)).encode()).hexdigest()
    else:
        sha256 = _sha256(path, file)
    return InputFile(role, encodable(path), sha256, encodable(path[len(file) :]))


def _sha256(path: str, file: str) -> str:
    if file == "-" or (Path(file).exists() and not Path(file).is_file()):
        raise InputError(f"{path}: is no file that can be read twice, for its checksum and for its text")
    sha256 = hashlib.sha256()
    try:
        with Path(file).open("rb") as opened:
            while content := opened.read(1 << 20):
                sha256.update(content)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    return sha256.hexdigest()
