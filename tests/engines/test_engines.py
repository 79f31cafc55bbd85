"""Columns that engines merge, and the same numbers whatever the way in; run by the tox environment engines."""

import gzip
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit

pl = pytest.importorskip("polars", reason="polars is not installed: tox -e engines")
duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: tox -e engines")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: tox -e engines")

pytestmark = pytest.mark.engines

from bleukit.engines.counting import FUNCTIONS  # noqa: E402

HYPOTHESES = ["the cat sat here", "hello world , here we go", "", "a b c d e", "the «end»", "x " * 3000] * 7
FIRST = ["the cat sat on it", "hello world , we go here", "it", "a b c d f g", "the very «end»", "x y"] * 7
SECOND = ["a cat", "hello", "", "a", "end", "x x x"] * 7
PAIRS = list(map(list, zip(FIRST, SECOND, strict=True)))
GROUPS = [number**2 % 5 for number in range(len(FIRST))]
TABLE = pl.DataFrame({"hyp": HYPOTHESES, "ref": FIRST, "ref2": SECOND, "refs": PAIRS, "group": GROUPS})


@given(st.lists(st.floats(0.01, 1e9) | st.integers(0, 10**6).map(lambda n: n / 3), min_size=1), st.randoms())
def test_columns_are_merged_in_any_order(lengths, random):
    rows = len(lengths)
    numbers = range(1, rows + 1)
    statistics = bleukit.Statistics(
        4,
        {"segments": numbers, "hypothesis_length": numbers, "reference_length": lengths, "reference_tokens": numbers,
         "fewest_references": numbers, "most_references": numbers, "matches": [0] * rows * 4,
         "totals": [n for n in numbers for _ in range(4)]},
    )  # fmt: skip
    order = random.sample(range(rows), rows)
    cuts = [0, *sorted(random.sample(range(rows), rows // 3)), rows]
    parts = [statistics[order[start:end]].sum().flat() for start, end in pairwise(cuts) if start < end]
    merges = {"min": np.min, "max": np.max, "sum": np.sum}
    columns = statistics.flat_columns.items()
    merged = {name: [merges[FUNCTIONS[column.merge]]([part[name] for part in parts])] for name, column in columns}
    found, whole = statistics.with_flat(merged), statistics.sum()
    assert found.reference_length == pytest.approx(whole.reference_length, rel=1e-13)
    for name in set(whole.COLUMNS) - {"reference_length"}:
        assert found.column(name) == whole.column(name), name


def test_the_same_whatever_the_way_in(run, tmp_path):
    """Text, gzip, TSV, CSV, JSON lines, Parquet, Arrow, and the engines; Spark is in test_engines_spark.py."""
    table = TABLE.select("hyp", "ref")
    for name in table.columns:
        text = "".join(f"{line}\n" for line in table[name])
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    table.write_csv(tmp_path / "t.csv")
    table.write_csv(tmp_path / "t.tsv", separator="\t")
    table.write_ndjson(tmp_path / "t.jsonl")
    table.write_parquet(tmp_path / "t.parquet")
    table.write_ipc(tmp_path / "t.arrow")
    bleu = bleukit.load()
    expected = bleu.corpus(HYPOTHESES, FIRST)
    tables = [[f"t.{suffix}"] for suffix in ("csv", "tsv", "jsonl", "parquet", "arrow")]
    for arguments in (["-r", "ref", "hyp"], ["-r", "ref.gz", "hyp.gz"], *tables):
        [found] = json.loads(run("score", *arguments, "--format", "json")[1])["systems"]
        values = {"system": found["system"], "score": expected.value}
        assert {**found, "value": found["score"]} == {**expected.to_dict(), **values}
    rows = bleu.statistics(HYPOTHESES, FIRST)
    for library in (TABLE, TABLE.to_arrow(), TABLE.to_pandas()):
        assert bleu.statistics(library["hyp"], library["ref"]) == rows
    with duckdb.connect() as connection:
        connection.register("texts", TABLE.to_arrow())
        found = connection.sql("SELECT hyp, ref FROM texts").to_arrow_table()
    assert bleu.statistics(found["hyp"], found["ref"]) == rows
