"""The file of ``--statistics``: what was counted is not counted again, and can be added up later."""

from __future__ import annotations

import os
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.cli.output import refuse_to_overwrite
from bleukit.errors import InputError
from bleukit.shards import contents
from bleukit.shards.portable import PortableVariant
from bleukit.shards.shard import Shard
from bleukit.statistics import Statistics
from bleukit.text import corpora

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.cli.units import Units
    from bleukit.metric import Bleu
    from bleukit.text.table_names import ColumnNames


class KeptStatistics:
    """A file of statistics of some inputs by a variant, at a level, which is read if it is there, or written.

    ``inputs`` holds the input files by their roles. Raises InputError if one is no regular file, and OutputError if one
    is the file itself.
    """

    def __init__(
        self, path: str, bleu: Bleu, level: Level, inputs: Mapping[str, Sequence[str]], columns: ColumnNames
    ) -> None:
        self._path, self._bleu, self._level = path, bleu, level
        self._files = {name: corpora.file_of(name) for paths in inputs.values() for name in paths}
        refuse_to_overwrite(path, self._files.values())
        self._states = self._current_states()
        read = tuple(
            contents.checksum(name, self._files[name], role) for role, paths in inputs.items() for name in paths
        )
        chosen = {role: columns.of(role) for role in ("hypothesis", "reference", "system", "document")}
        self._source = contents.Source(read, {role: names for role, names in chosen.items() if names})

    @contextmanager
    def shard(self, systems: Sequence[str], blocks: Iterable[Units]) -> Iterator[Shard]:
        """Yield what the file holds; if there is no file, count the units, and write it at the end.

        Raises InputError if the file holds something else, if two systems have one name, or if an input has changed
        since its checksum was computed.
        """
        if os.path.lexists(self._path):
            yield self._read()
            return
        statistics = self._by_system(systems, list(blocks))
        for path, state in self._current_states().items():
            if state != self._states[path]:
                raise InputError(f"{path}: changed while it was read")
        shard = Shard.of(self._bleu, statistics, level=self._level, source=self._source)
        yield shard
        shard.write(self._path)

    def _read(self) -> Shard:
        shard = Shard.read(self._path)
        problem = shard.counted_otherwise(PortableVariant.of(self._bleu), self._level) or ", ".join(
            filter(None, (source.difference(self._source) for source in shard.sources))
        )
        if problem:
            raise InputError(f"{self._path}: holds other statistics: {problem}; remove it to count again")
        return shard

    def _by_system(self, systems: Sequence[str], blocks: Sequence[Units]) -> dict[str, Statistics]:
        twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
        if twice is not None:
            raise InputError(f"two systems are called {twice!r}; their statistics need names")
        names = list(chain.from_iterable(block.names or () for block in blocks))
        of_systems = zip(*(block.rows for block in blocks), strict=True)
        rows = [Statistics.concatenate(parts) for parts in of_systems]
        return {
            system: of_system.with_keys(names) if names else of_system
            for system, of_system in zip(systems, rows, strict=True)
        }

    def _current_states(self) -> dict[str, tuple[int, int, int] | None]:
        """Return what changes with each file."""
        return {file: _state(Path(file)) for file in self._files.values()}


def _state(file: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file; None if there is none, which is reported when it is read."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns
