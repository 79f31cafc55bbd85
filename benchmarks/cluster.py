"""Measure CPU time, memory and shuffle of Spark with some local workers, from which docs/clusters.md extrapolates.

Run it with the extra spark, psutil and Java: ``python benchmarks/cluster.py FILE.parquet WORKERS [PAIRS]``. The file
has the columns hyp, ref, system and document; if it is not there, it is written with so many pairs (10⁷). CPU time is
that of the JVM and of all Python workers.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet
from pyspark.sql import SparkSession

from bleukit.engines import spark

if TYPE_CHECKING:
    from collections.abc import Callable

BATCH, MEGABYTE = 100_000, 1 << 20


def write(path: str, pairs: int) -> None:
    """Write generated pairs: 8 to 30 words, 7 of 10 the same in both; ten systems, documents of 30 pairs."""
    chance, words = np.random.default_rng(1), pa.array([f"word{number}" for number in range(5_000)])
    schema = pa.schema([(name, pa.string()) for name in ("hyp", "ref", "system", "document")])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, pairs, BATCH):
            rows = range(start, min(start + BATCH, pairs))
            ends = np.cumsum([0, *chance.integers(8, 31, len(rows))])
            of_reference, others = chance.integers(0, len(words), (2, ends[-1]))
            of_hypothesis = np.where(chance.random(ends[-1]) < 0.7, of_reference, others)
            columns: list[Any] = [
                pc.binary_join(pa.ListArray.from_arrays(pa.array(ends, pa.int32()), words.take(pa.array(chosen))), " ")
                for chosen in (of_hypothesis, of_reference)
            ]
            columns += [[f"system{row // 30 % 10}" for row in rows], [f"document{row // 30}" for row in rows]]
            writer.write_table(pa.table(columns, schema))


def processes() -> dict[str, list[psutil.Process]]:
    """Return the processes of Spark: the JVM, and Python's."""
    found: dict[str, list[psutil.Process]] = {"JVM": [], "Python": []}
    for process in psutil.Process().children(recursive=True):
        found["JVM" if "java" in process.name() else "Python"].append(process)
    return found


def seconds_of_cpu() -> dict[str, float]:
    """Return the CPU time that the processes have taken so far."""
    return {kind: sum(sum(process.cpu_times()[:2]) for process in several) for kind, several in processes().items()}


class Peak:
    """The most memory that the processes have taken at a time, while this is entered: the proportional set size."""

    def __init__(self) -> None:
        self.megabytes = {"JVM": 0, "Python": 0}
        self._done = Event()
        self._thread = Thread(target=self._look)

    def _look(self) -> None:
        while not self._done.wait(0.5):
            for kind, several in processes().items():
                taken = sum(process.memory_full_info().pss for process in several) // MEGABYTE
                self.megabytes[kind] = max(self.megabytes[kind], taken)

    def __enter__(self) -> Peak:  # noqa: PYI034
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._done.set()
        self._thread.join()


def shuffled(session: Any) -> int:
    """Return the number of bytes that all stages so far have written for others."""
    context = session.sparkContext
    with urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as answer:  # noqa: S310
        return sum(stage["shuffleWriteBytes"] for stage in json.load(answer))


def main(path: str, workers: int) -> None:
    """Print a line for each query."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{workers}]").config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.driver.memory", "2g").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    table = session.read.parquet(path)
    pairs = table.count()
    names = {"hypothesis": "hyp", "references": "ref"}
    queries: dict[str, Callable[[], Any]] = {
        "scan": lambda: table.selectExpr("sum(length(hyp))", "sum(length(ref))").collect(),
        "score": lambda: spark.score(table, **names).collect(),
        "bleu by system": lambda: table.groupBy("system").agg(spark.bleu("hyp", "ref")).collect(),
        "statistics by document": lambda: (
            spark.statistics(table, **names, by="document").write.mode("overwrite").parquet(path + ".sums")
        ),
    }
    spark.score(table.limit(20_000), **names).collect()  # starts the workers
    for name, query in queries.items():
        cpu, written, start = seconds_of_cpu(), shuffled(session), perf_counter()
        with Peak() as peak:
            query()
        taken = {kind: seconds - cpu[kind] for kind, seconds in seconds_of_cpu().items()}
        micros = {kind: round(seconds / pairs * 1e6, 2) for kind, seconds in taken.items()}
        print(
            f"{workers} workers, {name}: {sum(taken.values()):.1f} s of CPU, {micros} µs a pair, "
            f"{perf_counter() - start:.1f} s, {peak.megabytes} MB, {shuffled(session) - written} bytes shuffled",
            flush=True,
        )
    session.stop()


if __name__ == "__main__":
    if not Path(sys.argv[1]).exists():
        write(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 10**7)
    main(sys.argv[1], int(sys.argv[2]))
