"""Statistics that are kept in files: what was counted is not counted again, and is added up later."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bleukit.cli.output import refuse_to_overwrite
from bleukit.cli.scores import Scores, System, references_of
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.shards.shard import Shard
    from bleukit.statistics import Statistics
    from bleukit.text.table_names import ColumnNames


class Keeping:
    """The file of ``--statistics``, and what it must hold: statistics of these inputs by this variant, at this level.

    ``inputs`` holds the files by what they are read for. Raises InputError if one is no regular file, and
    OutputError if one is the file itself.
    """

    def __init__(
        self, path: str, bleu: Bleu, level: Level, inputs: Mapping[str, Sequence[str]], columns: ColumnNames
    ) -> None:
        from bleukit.shards import contents
        from bleukit.text import corpora

        self._path, self._bleu, self._level = path, bleu, level
        self._files = {each: corpora.file_of(each) for paths in inputs.values() for each in paths}
        refuse_to_overwrite(path, self._files.values())
        self._states = self._seen()
        read = tuple(
            contents.checksum(each, self._files[each], role) for role, paths in inputs.items() for each in paths
        )
        chosen = {role: columns.of(role) for role in ("hypothesis", "reference", "system", "document")}
        self._source = contents.Source(read, {role: names for role, names in chosen.items() if names})

    def found(self) -> Shard | None:
        """Return what the file holds, None if there is no file. Raises InputError if it is something else."""
        from bleukit.shards.portable import PortableVariant
        from bleukit.shards.shard import Shard

        if not os.path.lexists(self._path):
            return None
        shard = Shard.read(self._path)
        problem = shard.counted_otherwise(PortableVariant.of(self._bleu), self._level) or ", ".join(
            filter(None, (each.difference(self._source) for each in shard.sources))
        )
        if problem:
            raise InputError(f"{self._path}: holds other statistics: {problem}; remove it to count again")
        return shard

    def keep(self, statistics: Mapping[str, Statistics]) -> None:
        """Write the file. Raises InputError if an input has changed since its checksum was computed."""
        from bleukit.shards.shard import Shard

        for path, state in self._seen().items():
            if state != self._states[path]:
                raise InputError(f"{path}: changed while it was read")
        Shard.of(self._bleu, statistics, level=self._level, source=self._source).write(self._path)

    def _seen(self) -> dict[str, tuple[int, int, int] | None]:
        """Return what changes with each file."""
        return {file: _state(file) for file in self._files.values()}


def _state(file: str) -> tuple[int, int, int] | None:
    """Return what changes with a file; None if there is none, which is reported when it is read."""
    try:
        state = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def scores_of(shard: Shard, bleu: Bleu, names: Sequence[str] = ()) -> Scores:
    """Return the scores of statistics that were kept; ``names`` are what the systems are called now."""
    systems = [
        System(name, rows, bleu.score(rows), None)
        for name, rows in zip(names or shard.statistics, shard.statistics.values(), strict=True)
    ]
    rows = systems[0].rows
    segments = list(map(str, rows.keys())) if shard.level == "sentence" and rows.has_keys else []
    return Scores(bleu, shard.level, systems, segments, references_of([rows]))
