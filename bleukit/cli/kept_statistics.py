"""The file of ``--statistics``: what was counted is not counted again, and can be added up later."""

from __future__ import annotations

import os
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.cli.reading import chosen_columns, chosen_limits
from bleukit.errors import InputError
from bleukit.shards import contents
from bleukit.shards.portable import PortableVariant
from bleukit.shards.shard import Shard
from bleukit.statistics import Statistics
from bleukit.text.paths import split_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.cli.units import Units
    from bleukit.metric import Bleu


@contextmanager
def kept_shard(  # noqa: PLR0913
    path: str,
    bleu: Bleu,
    level: Level,
    inputs: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    blocks: Iterable[Units],
) -> Iterator[Shard]:
    """Yield what a file of statistics holds; if there is no file, count the units, and write it at the end.

    ``inputs`` holds the input files by their roles. Raises InputError if the file holds something else, if an input is
    no regular file or has changed since its checksum was computed, or if two systems have one name.
    """
    files = {name: split_path(name)[0] for paths in inputs.values() for name in paths}
    states = {file: _state(Path(file)) for file in files.values()}
    read = tuple(contents.checksum(name, files[name], role) for role, paths in inputs.items() for name in paths)
    chosen = {role: chosen_columns().of(role) for role in ("hypothesis", "reference", "system", "document")}
    source = contents.Source(read, {role: names for role, names in chosen.items() if names})
    if os.path.lexists(path):
        yield _read(path, bleu, level, source)
        return
    statistics = _by_system(systems, list(blocks))
    for file, state in states.items():
        if state != _state(Path(file)):
            raise InputError(f"{file}: changed while it was read")
    shard = Shard.of(bleu, statistics, level=level, source=source)
    yield shard
    shard.write(path)


def _read(path: str, bleu: Bleu, level: Level, source: contents.Source) -> Shard:
    shard = Shard.read(path, limits=chosen_limits())
    problem = shard.counted_otherwise(PortableVariant.of(bleu), level) or ", ".join(
        filter(None, (other.difference(source) for other in shard.sources or (contents.Source(),)))
    )
    if problem:
        raise InputError(f"{path}: holds other statistics: {problem}; remove it to count again")
    return shard


def _by_system(systems: Sequence[str], blocks: Sequence[Units]) -> dict[str, Statistics]:
    twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
    if twice is not None:
        raise InputError(f"two systems are called {twice!r}; their statistics need names")
    names = list(chain.from_iterable(block.names or () for block in blocks))
    rows = map(Statistics.concatenate, zip(*(block.rows for block in blocks), strict=True))
    return {
        system: of_system.with_keys(names) if names else of_system
        for system, of_system in zip(systems, rows, strict=True)
    }


def _state(file: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file; None if there is none, which is reported when it is read."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
