"""Files of statistics: JSON Lines, whose first line is the header."""

from __future__ import annotations

import os
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.errors import InputError, one_line
from bleukit.shards.contents import ROWS, Header, blocks_of, completed, statistics_of
from bleukit.writing.replacing import replacing, write_errors_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bleukit.reading.files import Limits
    from bleukit.shards.contents import ColumnBlock

SUFFIX = ".jsonl"
"""What the name of a file of statistics ends in."""


def write_shard(path: str, header: Header, statistics: Mapping[str, AdditiveStatistics]) -> None:
    """Write the statistics of some systems into a file, which is created or replaced when all is written.

    Raises InputError if its name does not end in .jsonl, OutputError if it cannot be written.
    """
    _require_suffix(path)
    whole = AdditiveStatistics.concatenate(statistics.values())
    header = completed(header, statistics, whole)
    with replacing(path) as descriptor, write_errors_named(path), os.fdopen(descriptor, "wb", closefd=False) as file:
        file.write(msgspec.json.encode(header) + b"\n")
        for block in blocks_of(header, whole):
            columns = [values if isinstance(values, list) else values.tolist() for values in block.values()]
            rows = (dict(zip(block, row, strict=True)) for row in zip(*columns, strict=True))
            file.writelines(msgspec.json.encode(row) + b"\n" for row in rows)


def read_shard(path: str, limits: Limits) -> tuple[Header, dict[str, AdditiveStatistics]]:
    """Return what :func:`write_shard` has written.

    Raises InputError if it is something else, damaged, or above a limit.
    """
    _require_suffix(path)
    try:
        with Path(path).open("rb") as file:
            lines = _lines(file, limits)
            content = next(lines, b"").removesuffix(b"\n")
            header = msgspec.json.decode(content, type=Header)
            return header, statistics_of(content, header, _blocks(lines), limits)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: holds no statistics as 'bleukit score --statistics' keeps them: {error}") from error


def _require_suffix(path: str) -> None:
    """Raise InputError if the name of a file is not that of statistics."""
    if Path(path).suffix.lower() != SUFFIX:
        raise InputError(f"{path}: the name of a file of statistics ends in {SUFFIX}")


def _lines(file: BinaryIO, limits: Limits) -> Iterator[bytes]:
    number = 0
    while line := file.readline(limits.line + 2):
        number += 1
        limits.check("line", len(line) - 1, "line {}", number)
        yield line


def _blocks(lines: Iterator[bytes]) -> Iterator[ColumnBlock]:
    try:
        while some := list(islice(lines, ROWS)):
            rows = _ROWS.decode_lines(b"".join(some))
            yield {name: _flat([row[name] for row in rows]) for name in rows[0]}
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise InputError(f"is damaged, or cut short: {one_line(error)}") from error


def _flat(values: list[Any]) -> list[Any]:
    return list(chain.from_iterable(values)) if isinstance(values[0], list) else values


_ROWS = msgspec.json.Decoder(dict[str, str | float | int | list[int]])
