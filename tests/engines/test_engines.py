"""BLEU inside of Polars and DuckDB, and the same numbers whatever the way in; run by the tox environment engines."""

import gzip
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.errors import InputError

pl = pytest.importorskip("polars", reason="polars is not installed")
duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bleukit.engines import bignum, integers  # noqa: E402
from bleukit.engines import duckdb as duckdb_engine  # noqa: E402
from bleukit.engines import polars as _  # noqa: E402, F401 - it adds the namespace

HYPOTHESES = ["the cat sat here", "hello world , here we go", "", "a b c d e", "the «end»", "x " * 3000] * 7
FIRST = ["the cat sat on it", "hello world , we go here", "it", "a b c d f g", "the very «end»", "x y"] * 7
SECOND = ["a cat", "hello", "", "a", "end", "x x x"] * 7
PAIRS = list(map(list, zip(FIRST, SECOND, strict=True)))
GROUPS = [number**2 % 5 for number in range(len(FIRST))]
TABLE = pl.DataFrame({"hyp": HYPOTHESES, "ref": FIRST, "ref2": SECOND, "refs": PAIRS, "group": GROUPS})
VARIANTS = {"sacrebleu": bleukit.load(), "average": bleukit.load("nltk", reference_length="average")}
WITH_ORDER = bleukit.load("nltk", smoothing="nltk-method5")


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


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("names", "references"), [("ref", FIRST), ("refs", PAIRS), (["ref", "ref2"], PAIRS)])
def test_expressions_of_polars(variant, names, references):
    bleu = VARIANTS[variant]
    rows = bleu.statistics(HYPOTHESES, references)
    scored = pl.col("hyp").bleu.score(names, variant=bleu)
    assert TABLE.select(scored).item() == bleu.score(rows).value
    assert TABLE.lazy().select(scored).collect(engine="streaming").item() == bleu.score(rows).value
    by_group = {group: bleu.score(part).value for group, part in rows.by_document(GROUPS).items()}
    assert dict(TABLE.group_by("group").agg(scored).iter_rows()) == by_group
    assert TABLE.select(scored.over("group")).to_series().to_list() == [by_group[group] for group in GROUPS]
    sentences = TABLE.select(pl.col("hyp").bleu.sentences(names, variant=bleu)).to_series()
    assert np.array_equal(sentences.to_numpy(), bleu.sentences(HYPOTHESES, references), equal_nan=True)
    of_rows = TABLE.select(pl.col("hyp").bleu.statistics(names, variant=bleu)).to_series().struct.unnest()
    assert integers.statistics_from_columns(bleu, of_rows.to_dict()).column("matches") == rows.column("matches")


def test_each_text_is_counted_once_in_polars(monkeypatch):
    counted = []
    bleu = bleukit.load()
    count = bleu.statistics

    def statistics(texts, *arguments, **options):
        counted.append(len(texts))
        return count(texts, *arguments, **options)

    monkeypatch.setattr(bleu, "statistics", statistics)
    TABLE.group_by("group").agg(pl.col("hyp").bleu.score("ref", variant=bleu))
    assert counted == [len(HYPOTHESES)]
    for engine in ("in-memory", "streaming"):
        counted.clear()
        TABLE.lazy().bleu.score("hyp", "ref", by="group", variant=bleu).collect(engine=engine)
        assert sum(counted) == len(HYPOTHESES)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("names", "references"), [("ref", FIRST), ("refs", PAIRS), (["ref", "ref2"], PAIRS)])
def test_lazy_frames_of_polars(engine, variant, names, references):
    bleu = VARIANTS[variant]
    rows = bleu.statistics(HYPOTHESES, references)
    frame = TABLE.lazy()
    assert frame.bleu.score("hyp", names, variant=bleu).collect(engine=engine).item() == bleu.score(rows).value
    keys = [(group, group > 2) for group in GROUPS]
    expected = {key: bleu.score(part).value for key, part in rows.by_document(keys).items()}
    by = ["group", (pl.col("group") > 2).alias("statistics")]
    scored = frame.bleu.score(pl.col("hyp"), names, by=by, variant=bleu).collect(engine=engine)
    assert {row[:2]: row[2] for row in scored.iter_rows()} == expected
    summed = frame.bleu.statistics("hyp", names, by="group", variant=bleu).collect(engine=engine).sort("group")
    found = integers.statistics_from_columns(bleu, summed.drop("group").to_dict(), summed["group"].to_list())
    by_group = rows.by_document(GROUPS)
    assert found.keys() == by_group.keys() == (0, 1, 4)
    assert {name: found.column(name) for name in found.COLUMNS} == {
        name: by_group.column(name) for name in found.COLUMNS
    }


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        connection.register("texts", TABLE.to_arrow())
        yield connection


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("names", "references"), [("[ref]", FIRST), ("refs", PAIRS), ("[ref, ref2]", PAIRS)])
def test_functions_of_duckdb(connection, variant, names, references):
    bleu = duckdb_engine.register(connection, VARIANTS[variant])
    rows = bleu.statistics(HYPOTHESES, references)
    assert connection.execute(f"SELECT bleu(hyp, {names}) FROM texts").fetchall() == [(bleu.score(rows).value,)]
    by_group = {group: bleu.score(part).value for group, part in rows.by_document(GROUPS).items()}
    query = f'SELECT "group", bleu(hyp, {names}) FROM texts GROUP BY ALL'
    assert dict(connection.execute(query).fetchall()) == by_group
    parts = f'SELECT sum(bleu_statistics(hyp, {names})) AS part FROM texts GROUP BY "group"'
    found = connection.execute(f"SELECT bleu_score(sum(part)), bleu_columns(sum(part)) FROM ({parts})").fetchone()
    sums = {name: column.sum() for name, column in integers.integer_columns(rows).items()}
    summed = {name: value for name, value in sums.items() if name not in integers.MERGED}
    assert found == (bleu.score(rows).value, summed)
    assert connection.execute("SELECT bleu_signature()").fetchone() == (bleu.signature,)


@pytest.mark.parametrize("variant", [*VARIANTS, "macro"])
def test_the_aggregate_of_duckdb_takes_filter_over_and_distinct(connection, variant):
    bleu = duckdb_engine.register(connection, {**VARIANTS, "macro": bleukit.load("codexglue-code-to-text")}[variant])
    score = bleu.corpus(
        *zip(*[(HYPOTHESES[row], PAIRS[row]) for row in range(len(PAIRS)) if GROUPS[row] > 2], strict=True)
    )
    query = 'SELECT bleu_score(sum(bleu_statistics(hyp, refs)) FILTER ("group" > 2)) FROM texts'
    assert connection.execute(query).fetchone() == (score.value,)
    by_group = bleu.statistics(HYPOTHESES, PAIRS).by_document(GROUPS)
    scores = {group: bleu.score(part).value for group, part in by_group.items()}
    for over in ("bleu(hyp, refs) OVER ({})", "bleu_score(sum(bleu_statistics(hyp, refs)) OVER ({}))"):
        query = f'SELECT DISTINCT "group", {over} FROM texts'.format('PARTITION BY "group"')
        assert dict(connection.execute(query).fetchall()) == scores
    different = dict.fromkeys(zip(HYPOTHESES, map(tuple, PAIRS), strict=True))
    distinct = "SELECT bleu_score(sum(DISTINCT bleu_distinct(hyp, refs))) FROM texts"
    assert connection.execute(distinct).fetchone() == (bleu.corpus(*map(list, zip(*different, strict=True))).value,)


def test_texts_that_count_alike_are_distinct(connection):
    duckdb_engine.register(connection)
    texts = "(VALUES ('a b c', ['a b d']), ('g h i', ['g h j']), ('a b c', ['a b d'])) AS t(hyp, refs)"
    query = f"SELECT bleu_columns(sum(DISTINCT bleu_distinct(hyp, refs))).segments FROM {texts}"
    assert connection.execute(query).fetchone() == (2,)


def test_a_cursor_sees_the_functions_of_duckdb(connection):
    bleu = duckdb_engine.register(connection)
    expected = [(bleu.corpus(HYPOTHESES, PAIRS).value,)]
    with connection.cursor() as cursor:
        cursor.register("texts", TABLE.to_arrow())
        query = "SELECT bleu_score(sum(bleu_statistics(hyp, refs))) FROM texts"
        assert cursor.execute(query).fetchall() == expected
        duckdb_engine.register(cursor)  # adds the macro to the cursor
        assert cursor.execute("SELECT bleu(hyp, refs) FROM texts").fetchall() == expected
        with pytest.raises(
            InputError, match="functions that begin with 'bleu' are there, of the variant variant:sacre"
        ):
            duckdb_engine.register(cursor, "nltk")


@pytest.mark.parametrize("number", ["0", "-5", "1234567890", "repeat('9', 300)"])
def test_what_is_no_sum_has_no_score(connection, number):
    duckdb_engine.register(connection)
    with pytest.raises(duckdb.Error, match="this is no sum of statistics of the variant sacrebleu"):
        connection.execute(f"SELECT bleu_score(({number})::BIGNUM)").fetchall()


def test_sums_that_may_exceed_64_bits_have_no_score(connection, monkeypatch):
    bleu = duckdb_engine.register(connection)
    row = "SELECT bleu_statistics('a b', ['a c'])::VARCHAR"
    many = int(connection.execute(row).fetchone()[0]) * (2**32 - 1)
    columns = f"SELECT bleu_columns(('{many}')::BIGNUM).hypothesis_length"
    assert connection.execute(columns).fetchone() == (2 * (2**32 - 1),)
    with pytest.raises(duckdb.Error, match="a sum of 4,294,967,296 segments may exceed 64 bits: score smaller groups"):
        connection.execute(f"SELECT bleu_score(('{many}')::BIGNUM + ({row})::BIGNUM)").fetchall()
    scored = TABLE.lazy().bleu.score("hyp", "ref", by="group", variant=bleu)
    with monkeypatch.context() as patched:
        patched.setattr(integers, "MOST_SEGMENTS", 10)
        with pytest.raises(Exception, match="a sum of 17 segments may exceed 64 bits: score smaller groups"):
            scored.collect()
    monkeypatch.setattr(integers, "LARGEST", 1_000)
    with pytest.raises(Exception, match="hypothesis_length: a segment has 3000; up to 1000 can be added up here"):
        scored.collect()
    with pytest.raises(duckdb.Error, match="hypothesis_length: a segment has 3000"):
        connection.execute("SELECT bleu(hyp, refs) FROM texts").fetchall()


def test_several_variants_in_one_query(connection):
    for name, bleu in VARIANTS.items():
        duckdb_engine.register(connection, bleu, name=name)
    found = connection.execute("SELECT sacrebleu(hyp, refs), average(hyp, refs) FROM texts").fetchone()
    assert found == tuple(bleu.corpus(HYPOTHESES, PAIRS).value for bleu in VARIANTS.values())
    with pytest.raises(InputError, match="functions that begin with 'average' are there, of the variant"):
        duckdb_engine.register(connection, name="average")


def test_a_null_is_an_error_and_no_row_has_no_score(connection):
    null = pl.DataFrame({"hyp": ["a", None], "ref": ["b", "c"]})
    with pytest.raises(Exception, match=r"hypotheses\[1\]: expected a str, got NoneType None"):
        null.select(pl.col("hyp").bleu.score("ref"))
    with pytest.raises(Exception, match=r"hypotheses\[.\]: expected a str"):
        null.lazy().bleu.score("hyp", "ref").collect()
    assert null.head(0).select(pl.col("hyp").bleu.score("ref")).item() is None
    assert null.head(0).lazy().bleu.score("hyp", "ref").collect().item() is None
    duckdb_engine.register(connection)
    with pytest.raises(duckdb.Error, match=r"references\[0\]"):
        connection.execute("SELECT bleu(hyp, [NULL]) FROM texts").fetchall()
    assert connection.execute("SELECT bleu(hyp, refs) FROM texts WHERE false").fetchall() == [(None,)]


def test_variants_that_need_an_order_are_refused(connection):
    with pytest.raises(InputError, match="looks at the last segment of a text, and the rows of a table have no order"):
        duckdb_engine.register(connection, WITH_ORDER)
    with pytest.raises(InputError, match="looks at the last segment"):
        pl.col("hyp").bleu.score("ref", variant=WITH_ORDER)
    with pytest.raises(InputError, match="looks at the last segment"):
        TABLE.lazy().bleu.statistics("hyp", "ref", variant=WITH_ORDER)


def test_the_same_whatever_the_way_in(run, tmp_path, connection):
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
    duckdb_engine.register(connection)
    found = connection.execute("SELECT unnest(bleu_columns(bleu_statistics(hyp, [ref]))) FROM texts").fetchall()
    columns = dict(zip(["segments", *bignum.column_names(bleu)], zip(*found, strict=True), strict=True))
    columns |= dict.fromkeys(integers.MERGED, [1] * len(found))
    assert integers.statistics_from_columns(bleu, columns) == rows
    statistics = TABLE.select(pl.col("hyp").bleu.statistics("ref")).to_series().struct.unnest()
    assert integers.statistics_from_columns(bleu, statistics.to_dict()) == rows
