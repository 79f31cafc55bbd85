"""The ways through shards: statistics that are kept in files, read again and merged."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from bleukit.conformance.contracts import corpora
from bleukit.conformance.contracts.trials import (
    LEVELS,
    OtherwiseError,
    Trial,
    Way,
    document_of,
    of_all,
    of_each,
)
from bleukit.conformance.contracts.ways_of_files import ARROW

import bleukit
from bleukit import Shard
from bleukit.errors import FIRST_TO_LAST, InputError
from bleukit.text.files import DEFAULT_LIMITS

if TYPE_CHECKING:
    from bleukit.accumulator import Level
    from bleukit.statistics import Statistics


def _merged_shard(suffix: str, level: Level, trial: Trial) -> Shard:
    """Return the sum of two parts that were kept in files."""
    rows, names = trial.counted(), document_of(len(trial.corpus))
    cut = len(rows) // 3
    shards = []
    for number, part in enumerate((slice(0, cut), slice(cut, None))):
        own = rows[part].by_document(names[part]) if level == "document" else rows[part]
        path = str(trial.folder / f"part-{number}.{suffix}")
        Shard.of(trial.bleu, own, level=level).write(path)
        shards.append(Shard.read(path))
    return Shard.merged(shards, equal_parts=True)


def _of_equal_documents(trial: Trial) -> Statistics:
    """Merge the shards of two documents that count the same; they are no part that was counted twice."""
    row = trial.counted()[:1]
    shards = [Shard.of(trial.bleu, row.by_document([name]), level="document") for name in ("one", "other")]
    if list(Shard.merged(shards).statistics[""].keys()) != ["one", "other"]:
        raise InputError("they are no longer two documents")
    return trial.counted()


def _of_sums_of_parts(trial: Trial) -> Statistics:
    """Merge sums of parts, which are called after the first and the last part."""
    row = trial.counted()[:1]
    parts = [Shard.of(trial.bleu, {f"part {number}": row}, level="sentence") for number in range(4)]
    merged = Shard.merged([Shard.merged(some, equal_parts=True) for some in (parts[:2], parts[2:])], equal_parts=True)
    if list(merged.statistics) != [f"part 0{FIRST_TO_LAST}part 3"]:
        raise InputError(f"they are called {list(merged.statistics)}")
    return trial.counted()


def _of_several_systems(trial: Trial) -> Statistics:
    """Write and read shards of systems of other sizes, and merge them: each system is summed on its own."""
    rows = trial.counted()
    systems = {"own": rows.with_keys(map(str, range(len(rows)))), "none": rows[:0].with_keys([])}
    systems |= {"other": rows[::-1][:2].with_keys(["x", "y"]), "last": rows[:1].with_keys(["0"])}
    for suffix in ("jsonl", *ARROW):
        path = str(trial.folder / f"systems.{suffix}")
        Shard.of(trial.bleu, systems, level="document").write(path)
        read = Shard.read(path)
        if read.statistics != systems or list(read.statistics) != list(systems):
            raise InputError(f".{suffix} has {read.statistics}, expected {systems}")
    merged = Shard.merged([read, read, read], equal_parts=True).statistics
    for name, own in systems.items():
        if merged[name] != (own + own + own).by_document([*own.keys()] * 3):
            raise InputError(f"of {name!r} the sum of three is {merged[name]}")
    return rows


def _of_limits(trial: Trial) -> Statistics:
    """Read rows within limits that they just reach, and not within smaller ones."""
    rows = trial.counted()
    for suffix in ("jsonl", *ARROW):
        path = trial.folder / f"limited.{suffix}"
        Shard.of(trial.bleu, rows, level="sentence").write(path)
        sizes = {"values": rows.max_order * len(rows)}
        if suffix == "jsonl":
            sizes["line"] = max(map(len, path.read_text("utf-8").split("\n")))
        for name, size in sizes.items():
            Shard.read(path, limits=DEFAULT_LIMITS._replace(**{name: size}))
            with suppress(InputError):
                Shard.read(path, limits=DEFAULT_LIMITS._replace(**{name: size - 1}))
                raise OtherwiseError(f".{suffix} has no more than {size - 1} as {name}")
    return rows


def _of_many_rows(trial: Trial) -> Statistics:
    """Write and read more rows than are written together."""
    one = bleukit.load(trial.bleu.variant, weights=1)
    texts = ["a b", "a", "a b c"]
    rows = one.statistics(texts, texts)[np.arange(corpora.MANY_ROWS) % len(texts)]
    path = str(trial.folder / "many.arrow")
    Shard.of(one, rows, level="sentence").write(path)
    if Shard.read(path).statistics != {"": rows}:
        raise InputError("they are read as others")
    return trial.counted()


def _of_alike_shards(trial: Trial) -> Statistics:
    """Merge shards of nothing, and not those of variants that differ for sentences alone, or of other systems."""
    rows, bleu = trial.counted()[:1], trial.bleu
    Shard.merged([Shard.of(bleu, rows[:0])] * 2)
    others = [bleukit.load(bleu.variant, sentence={"smoothing": name}) for name in ("none", "add-one")]
    several: list[list[Shard]] = [
        [Shard.of(other, rows, level="sentence") for other in others],
        [Shard.of(bleu, dict.fromkeys(names, rows)) for names in (("a", "b"), ("b", "a"))],
        [Shard.of(bleu, dict.fromkeys(names, rows)) for names in (("a", "b"), ("a",))],
    ]
    for shards in several:
        with suppress(InputError):
            Shard.merged(shards, equal_parts=True)
            raise OtherwiseError(f"{shards} are merged")
    return trial.counted()


def _in_shards(suffix: str, level: Level, trial: Trial) -> Statistics:
    return _merged_shard(suffix, level, trial).statistics[""]


OF_ROWS = (
    Way("shards of equal documents", _of_equal_documents, of_each, "default once"),
    Way("shards of several systems", _of_several_systems, of_each, "few default"),
    *([Way("shards of many rows", _of_many_rows, of_each, "default once")] if ARROW else []),
    Way("shards within limits", _of_limits, of_each, "marked brief few default"),
    Way("shards that are alike", _of_alike_shards, of_each, "default once"),
    Way("shards of sums", _of_sums_of_parts, of_each, "default once"),
    *(
        Way(f"statistics in .{suffix}, level {level}", partial(_in_shards, suffix, level), of, "segments parts")
        for suffix in ("jsonl", *ARROW)
        for level, of in LEVELS.items()
    ),
)

TO_SCORES = (
    Way(
        "the score of a shard",
        lambda t: [_merged_shard("jsonl", "corpus", t).score()],
        of_all,
        "segments parts few default",
    ),
)
