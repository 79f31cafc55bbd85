"""Shards: the statistics of a part of a text, with what is needed to add them up and to score the sum."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from bleukit.bleu.variant import from_keys
from bleukit.framework import yaml_document
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.errors import (
    FIRST_TO_LAST,
    InputError,
    InputTypeError,
    VariantError,
    quantity,
    shown,
)
from bleukit.framework.registry import Plugin
from bleukit.reading.files import DEFAULT_LIMITS, Limits
from bleukit.shards.contents import Header, RecordedPlugin, digest
from bleukit.shards.portable import PortableVariant, difference
from bleukit.shards.sources import InputFile, Source
from bleukit.shards.statistics_files import read_shard, write_shard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleukit.bleu.bleu import Bleu
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.framework.results import MetricScore
    from bleukit.metrics.segment_metric import SegmentMetric

__all__ = ["InputFile", "Shard", "Source"]


@dataclass(frozen=True)
class Shard:
    """Statistics of a part of a text, or of several: of each system one row, or one per document or segment.

    ``statistics`` holds those of each system, by its name; their keys are the names of documents or segments.
    """

    portable: PortableVariant
    level: Level
    statistics: Mapping[str, AdditiveStatistics]
    sources: tuple[Source, ...] = ()

    @classmethod
    def of(
        cls,
        metric: AnyMetric,
        statistics: AdditiveStatistics | Mapping[str, AdditiveStatistics],
        *,
        level: Level = "corpus",
        source: Source | None = None,
    ) -> Shard:
        """Return a shard of what was counted by a metric, of one system or of several by name; level "corpus" sums it.

        Raises InputError if the variant has a component that is a Python object, InputTypeError if ``statistics`` are
        something else, or have other keys than texts.
        """
        by_name = {"": statistics} if isinstance(statistics, AdditiveStatistics) else statistics
        if not isinstance(by_name, Mapping) or not all(
            isinstance(name, str) and isinstance(rows, AdditiveStatistics) for name, rows in by_name.items()
        ):
            raise InputTypeError(f"statistics: expected Statistics, or these by name, got {shown(statistics)}")
        for rows in by_name.values():
            for key in rows.keys() if rows.has_keys else ():
                if not isinstance(key, str):
                    raise InputTypeError(f"statistics: expected keys that are texts, got {shown(key)}")
        summed = {name: rows.sum() for name, rows in by_name.items()} if level == "corpus" else by_name
        return cls(PortableVariant.of(metric), level, summed, (_counted(summed, source or Source()),))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, which is created or replaced when all is written.

        It is JSON Lines, and its name ends in .jsonl. Raises InputError for another name, OutputError if it cannot be
        written.
        """
        portable = self.portable
        header = Header(
            signature=portable.signature,
            level=self.level,
            variant=portable.variant.to_yaml() if portable.variant else "",
            metric={portable.name: dict(portable.options)} if portable.name else UNSET,
            plugins=tuple(RecordedPlugin(*plugin[:4]) for plugin in portable.plugins),
            sources=self.sources,
        )
        write_shard(os.fspath(path), header, self.statistics)

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Shard:
        """Read what :meth:`write`, or another program, has written.

        Raises InputError if it is something else, damaged, or above a limit.
        """
        path = os.fspath(path)
        header, statistics = read_shard(path, limits)
        try:
            return cls(_portable(header), header.level, statistics, header.sources)
        except (VariantError, InputError) as error:
            raise InputError(f"{path}: {error}") from error

    @classmethod
    def merged(cls, shards: Mapping[str, Shard] | Iterable[Shard], *, equal_parts: bool = False) -> Shard:
        """Return the sum of shards; they are named by their keys, or by numbers.

        System N of each is one system; its name is the first and the last if they differ. Raises InputError if two were
        not counted alike, or have their systems in another order. Equal statistics are an error, too, because a part
        may have been counted twice, unless ``equal_parts`` says that parts of the text are equal.
        """
        named = shards if isinstance(shards, Mapping) else {f"shard {n}": shard for n, shard in enumerate(shards, 1)}
        if not named:
            raise InputError("no shard to merge")
        [first_name, *names] = named
        first = named[first_name]
        for name in names:
            _require_alike(first_name, first, name, named[name])
        if not equal_parts:
            _require_distinct(named)
        sources = tuple(chain.from_iterable(shard.sources for shard in named.values()))
        statistics = {}
        for of_system in zip(*(shard.statistics.items() for shard in named.values()), strict=True):
            system, last = of_system[0][0], of_system[-1][0]
            if system != last:
                system = system.partition(FIRST_TO_LAST)[0] + FIRST_TO_LAST + last.rpartition(FIRST_TO_LAST)[2]
            rows = AdditiveStatistics.concatenate([of_part for _, of_part in of_system])
            if first.level == "corpus":
                rows = rows.sum()
            elif first.level == "document":
                rows = rows.by_document(rows.keys())
            statistics[system] = rows
        return cls(first.portable, first.level, statistics, sources)

    def counted_otherwise(self, portable: PortableVariant, level: Level) -> str:
        """Say how this differs from what a metric counts, at a level; empty if it does not."""
        if self.portable.signature != portable.signature:
            return difference(portable.signature, self.portable.signature)
        if self.portable != portable:
            return "the variants differ at sentence level"
        return f"its level is {self.level}, not {level}" if self.level != level else ""

    def load(self, modules: Iterable[str] = ()) -> Bleu | SegmentMetric:
        """Return the metric that counted this. Raises InputError if it cannot be loaded here, or is another one here.

        Plugins that are not installed are imported only if ``modules`` names them: a file of statistics runs no code.
        """
        return self.portable.load(modules)  # type: ignore[no-any-return]

    def score(self, modules: Iterable[str] = ()) -> MetricScore:
        """Return the score of the only system. Raises InputError if there are several, and as :meth:`load`."""
        if len(self.statistics) != 1:
            held = quantity(len(self.statistics), "system")
            raise InputError(f"the shard holds {held}: {', '.join(self.statistics) or 'nothing to score'}")
        [statistics] = self.statistics.values()
        metric: AnyMetric = self.load(modules)
        score: MetricScore = metric.score(statistics)
        return score


def _portable(header: Header) -> PortableVariant:
    if header.metric:
        [(name, options)] = header.metric.items()
        return PortableVariant(None, header.signature, name=name, options=tuple(options.items()))
    keys = yaml_document.parse(header.variant, "its variant").data
    if not isinstance(keys, Mapping):
        raise InputError(f"its variant: expected keys, as 'bleukit config show' prints, got {shown(keys)}")
    plugins = tuple(Plugin(*structs.astuple(plugin)) for plugin in header.plugins)
    return PortableVariant(from_keys(keys), header.signature, plugins)


def _counted(by_name: Mapping[str, AdditiveStatistics], source: Source) -> Source:
    """Return a source with what was counted from it."""
    segments = max((sum(rows.column("segments")) for rows in by_name.values()), default=0)
    return structs.replace(source, segments=segments, sha256=digest(AdditiveStatistics.concatenate(by_name.values())))


def _require_alike(first_name: str, first: Shard, name: str, shard: Shard) -> None:
    ours, theirs = list(first.statistics), list(shard.statistics)
    problem = shard.counted_otherwise(first.portable, first.level)
    if not problem and len(ours) != len(theirs):
        problem = f"it holds {quantity(len(theirs), 'system')}, not {len(ours)}"
    for place, (here, there) in enumerate(zip(ours, theirs, strict=False), 1):
        if not problem and here != there and (there in ours or here in theirs):
            problem = f"its system {place} is {there!r}, not {here!r}"
    if problem:
        raise InputError(f"{name}: was not counted as {first_name} was: {problem}")


def _require_distinct(shards: Mapping[str, Shard]) -> None:
    """Raise InputError if two shards hold equal statistics of any segments."""
    holders: dict[str, str] = {}
    for name, shard in shards.items():
        sources = shard.sources or [_counted(shard.statistics, Source())]
        own = {source.sha256: f": {source}" if source.inputs else "" for source in sources if source.segments}
        for sha256, inputs in own.items():
            if sha256 in holders:
                raise InputError(
                    f"{name}: holds what {holders[sha256]} holds, too{inputs}; if these are two parts of the text that "
                    "are equal, say so: --equal-parts, or `equal_parts=True` in Python"
                )
        holders |= dict.fromkeys(own, name)
