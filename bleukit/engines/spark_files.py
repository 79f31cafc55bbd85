"""Files that Spark reads: Parquet with hypotheses and references, or text files whose lines belong together."""

from __future__ import annotations

from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import compute
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as spark

from bleukit.engines.spark_messages import cause
from bleukit.framework.errors import InputError, quantity
from bleukit.reading import folders, paths
from bleukit.reading.table_file import TableHeader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame

    from bleukit.reading.column_names import ColumnNames

_LINE = "bleukit_line"
_START = "bleukit_start"
_FILE = "bleukit_file"


def parquet(session: SparkSession, path: str, columns: ColumnNames) -> tuple[DataFrame, dict[str, list[str]]]:
    """Return a Parquet file, or a folder of them, and its columns by what they hold.

    They are found as in tables that bleukit reads itself. Raises InputError if it is not clear which is meant.
    """
    table = session.read.parquet(path)
    header = TableHeader(path, table.columns)
    columns_by_role = {
        "hypothesis": [header.require_one("hypothesis", columns.hypothesis)],
        "reference": header.require("reference", columns.reference),
        "system": header.find("system", columns.of("system")),
        "document": header.find("document", columns.of("document")),
    }
    return table, columns_by_role


def lines(session: SparkSession, hypothesis: str, references: Sequence[str]) -> tuple[DataFrame, dict[str, list[str]]]:
    """Return the lines of text files, line N of each in one row, and their columns by what they hold.

    Raises InputError if one has more lines than another.
    """
    names = ["hypothesis", *(f"reference{number}" for number in range(1, len(references) + 1))]
    files = [_numbered(session, path, name) for path, name in zip([hypothesis, *references], names, strict=True)]
    numbers = {path: number for path, (_, number) in zip([hypothesis, *references], files, strict=True)}
    if len(set(numbers.values())) > 1:
        counted = ", ".join(f"{path} has {quantity(number, 'line')}" for path, number in numbers.items())
        raise InputError(f"{counted}: line N of every file must belong to segment N")
    joined = reduce(lambda one, other: one.join(other, _LINE), (table for table, _ in files))
    return joined, {"hypothesis": names[:1], "reference": names[1:], "system": [], "document": []}


def _numbered(session: SparkSession, path: str, name: str) -> tuple[DataFrame, int]:
    """Return the lines of a file with their numbers, and how many there are.

    Spark reads a file in blocks, in any order: those before it are counted first.
    """
    text = session.read.text(path, lineSep="\n")
    text = text.select(
        spark.col("value").alias(name),
        spark.col("_metadata.file_path").alias(_FILE),
        spark.col("_metadata.file_block_start").alias(_START),
    )
    starts: dict[tuple[str, int], int] = {}
    total = 0
    for file, start, number in sorted(map(tuple, text.groupBy(_FILE, _START).count().collect())):
        starts[file, start] = total
        total += number
    if not total:
        raise InputError(f"{path}: is empty; one segment a line is expected")

    def numbered(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        following = dict(starts)
        for batch in batches:
            blocks = zip(batch.column(_FILE).to_pylist(), batch.column(_START).to_pylist(), strict=True)
            places = []
            for block in blocks:
                places.append(following[block])
                following[block] += 1
            values = compute.replace_substring_regex(batch.column(name), "\r$", "")
            if 0 in places:  # it may begin with a byte-order mark
                texts = values.to_pylist()
                texts[places.index(0)] = texts[places.index(0)].removeprefix("\ufeff")
                values = pa.array(texts, values.type)
            yield pa.record_batch([pa.array(places, pa.int64()), values], names=[_LINE, name])

    return text.mapInArrow(numbered, f"{_LINE} long, {name} string"), total


def is_parquet(path: str) -> bool:
    """Return whether a path is that of Parquet, or of a folder of it. Raises InputError for another table."""
    names = [path.rstrip("/")]
    if not names[0].lower().endswith(".parquet") and paths.is_folder(path):
        names = [*folders.files(path)]
    others = [name for name in names if not name.lower().endswith(".parquet")]
    if others and (paths.is_table(others[0]) or len(others) < len(names)):
        raise InputError(f"{others[0]}: Spark reads text and .parquet here")
    return not others


@contextmanager
def session() -> Iterator[SparkSession]:
    """Start Spark, as its own configuration says, or use the session that there is."""
    running = SparkSession.getActiveSession()
    session = (
        running or SparkSession.builder.appName("bleukit").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    )
    try:
        if not running:
            session.sparkContext.setLogLevel("OFF")
        yield session
    finally:
        if not running:
            session.stop()


@contextmanager
def spark_errors() -> Iterator[None]:
    """Raise InputError, on one line, for what Spark raises: what bleukit said on an executor, if it did."""
    try:
        yield
    except PySparkException as error:
        raise InputError(cause(str(error))) from error
