"""Sums of whole numbers, and the same numbers whatever the way in; run by the tox environment engines."""

import gzip
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit

pl = pytest.importorskip("polars", reason="polars is not installed")
duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bleukit.engines import integers  # noqa: E402

HYPOTHESES = ["the cat sat here", "hello world , here we go", "", "a b c d e", "the «end»", "x " * 3000] * 7
FIRST = ["the cat sat on it", "hello world , we go here", "it", "a b c d f g", "the very «end»", "x y"] * 7
SECOND = ["a cat", "hello", "", "a", "end", "x x x"] * 7
PAIRS = list(map(list, zip(FIRST, SECOND, strict=True)))
GROUPS = [number**2 % 5 for number in range(len(FIRST))]
TABLE = pl.DataFrame({"hyp": HYPOTHESES, "ref": FIRST, "ref2": SECOND, "refs": PAIRS, "group": GROUPS})
VARIANTS = {"sacrebleu": bleukit.load(), "average": bleukit.load("nltk", reference_length="average")}


@given(st.lists(st.floats(0.01, 1e9) | st.integers(0, 10**6).map(lambda n: n / 3), min_size=1), st.randoms())
def test_sums_of_integers_are_exact_in_any_order(lengths, random):
    bleu = VARIANTS["average"]
    rows = len(lengths)
    statistics = bleukit.Statistics(
        bleu.max_order,
        {"segments": [1] * rows, "hypothesis_length": [0] * rows, "reference_length": lengths,
         "reference_length_rest": [0] * rows, "reference_tokens": [0] * rows, "fewest_references": [1] * rows,
         "most_references": [1] * rows, "matches": [0] * rows * 4, "totals": [0] * rows * 4},
        counted_by=bleu.counted_by,
    )  # fmt: skip
    order = random.sample(range(rows), rows)
    cuts = [0, *sorted(random.sample(range(rows), rows // 3)), rows]
    parts = [statistics[order[start:end]].sum() for start, end in pairwise(cuts) if start < end]
    columns = [integers.integer_columns(part) for part in parts]
    merges = {"min": np.min, "max": np.max, "sum": np.sum}
    summed = {name: [merges[integers.MERGED.get(name, "sum")]([each[name] for each in columns])] for name in columns[0]}
    found, whole = integers.statistics_from_columns(bleu, summed), statistics.sum()
    for name in ("reference_length", "segments", "fewest_references"):
        assert found.column(name) == whole.column(name)
    assert found.reference_length_rest == pytest.approx(whole.reference_length_rest, abs=1e-15)


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
