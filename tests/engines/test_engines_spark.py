"""BLEU inside of Spark: the sums of one process, whatever the partitions."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

import bleukit

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed: tox -e engines")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Java is not installed", allow_module_level=True)

from bleukit.engines import spark  # noqa: E402
from bleukit.framework.errors import InputError  # noqa: E402

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]  # of pyspark's own

TEXTS = ["the cat sat here", "hello world , here we go", "", "a b c d e", "the end", "x " * 3000]
REFERENCES = [
    ["the cat sat on it", "a cat"],
    ["hello world , we go here"],
    ["it"],
    ["a b c"],
    ["the very end"] * 3,
    ["x y"],
]
ROWS = [
    (TEXTS[i % 6], REFERENCES[i % 6], "large" if i % 10 else f"small{i % 4}", i % 3) for i in range(97)
]  # skewed groups
HYPOTHESES, REFERENCES = [row[0] for row in ROWS], [row[1] for row in ROWS]


@pytest.fixture(scope="module")
def session():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--driver-java-options -XX:TieredStopAtLevel=1 pyspark-shell"  # for short runs
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "3").config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "5").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def table(session):
    return (
        session.createDataFrame(ROWS, "hyp string, refs array<string>, `do.c` string, system int").coalesce(1).cache()
    )


COLUMNS = {"hypothesis": "hyp", "references": "refs"}


@pytest.mark.parametrize(("partitions", "length"), [(1, "closest"), (7, "average"), (200, "closest")])
def test_the_sums_are_those_of_one_process(table, partitions, length):
    bleu = bleukit.load(reference_length=length)
    found = spark.collected(spark.statistics(table.repartition(partitions), **COLUMNS, variant=bleu), bleu)
    whole = bleu.statistics(HYPOTHESES, REFERENCES).sum()
    for name, values in whole.flat().items():
        assert found.flat()[name] == pytest.approx(values, rel=1e-13 if length == "average" else 0), name
    assert bleu.score(found).value == pytest.approx(bleu.score(whole).value, rel=1e-12)


def test_groups_are_scored_each(table):
    bleu = bleukit.load()
    keys = [(row[2], row[3]) for row in ROWS]
    expected = bleu.statistics(HYPOTHESES, REFERENCES).by_document(keys)
    found = spark.score(table.repartition(4), **COLUMNS, by=["do.c", "system"]).collect()
    assert len(found) == len(expected)
    for row in found:
        score = bleu.score(expected[expected.keys().index((row["do.c"], row["system"]))])
        plain = {**score.to_dict(), "do.c": row["do.c"], "system": row["system"], "score": score.value}
        assert repr(row.asDict()) == repr({name: plain[name] for name in row.asDict()})  # in which NaN is NaN


@pytest.mark.parametrize("name", ["chrf++", "ter"])
def test_other_metrics_have_the_sums_and_scores_of_one_process(table, name):
    from pyspark.sql import functions

    metric = bleukit.load_metric(name)
    rows = metric.statistics(HYPOTHESES, REFERENCES).by_document([row[2] for row in ROWS])
    scores = dict(zip(rows.keys(), metric.scores(rows), strict=True))
    options = {**COLUMNS, "by": "do.c", "variant": metric}
    summed = spark.collected(spark.statistics(table.repartition(5), **options), metric)
    for group, of_group in summed.items():
        for column, values in rows[group].flat().items():
            assert of_group.flat()[column] == pytest.approx(values, rel=1e-13 if column == "reference_length" else 0)
    for row in spark.score(table.repartition(3), **options).collect():
        expected = scores[row["do.c"]].to_dict()
        found = row.asDict()
        for field, value in (("score", expected["value"]), ("reference_length", expected.get("reference_length"))):
            assert found.pop(field, None) == (value if value is None else pytest.approx(value, rel=1e-13))
        assert found == {"do.c": row["do.c"], **{field: expected[field] for field in found if field != "do.c"}}
    grouped = table.groupBy("`do.c`").agg(spark.bleu("hyp", "refs", metric), functions.count("*"))
    for row in grouped.collect():
        assert row[metric.name] == pytest.approx(scores[row["do.c"]].value, rel=1e-13)


def test_several_columns_of_references(session):
    rows = [("the cat", "a cat", "the dog")] * 3
    table = session.createDataFrame(rows, "hyp string, ref1 string, ref2 string")
    [found] = spark.score(table, hypothesis="hyp", references=["ref1", "ref2"], variant="nltk").collect()
    assert found["score"] == bleukit.load("nltk").corpus(["the cat"] * 3, [("a cat", "the dog")] * 3).value


def test_columns_and_fields_of_structs_are_taken_and_groups_are_of_any_type(session, table):
    from pyspark.sql import functions

    bleu = bleukit.load()
    nested = table.select(
        functions.struct("hyp", functions.col("`do.c`").alias("document")).alias("mt"),
        functions.struct("refs").alias("gold"),
        "system",
    )
    rows = bleu.statistics(HYPOTHESES, REFERENCES)
    by = [
        functions.array("system", functions.lit(1)).alias("pair"),
        functions.struct("system").alias("held"),
        "mt.document",
    ]
    options = {"hypothesis": "mt.hyp", "references": nested.gold.refs, "by": by}
    found = spark.score(nested, **options).collect()
    expected = rows.by_document([(row[2], row[3]) for row in ROWS])
    scores = {key: bleu.score(part).value for key, part in expected.items()}
    assert {(row["document"], row["held"]["system"]): row["score"] for row in found} == scores
    assert {(*row["pair"],) for row in found} == {(0, 1), (1, 1), (2, 1)}


def expected_by_document(bleu):
    rows = bleu.statistics(HYPOTHESES, REFERENCES)
    return {key: bleu.score(part).value for key, part in rows.by_document([row[2] for row in ROWS]).items()}


@pytest.mark.parametrize("length", ["closest", "average"])
def test_the_aggregate_stands_beside_others(table, length):
    from pyspark.sql import functions

    bleu = bleukit.load(reference_length=length)
    expected = expected_by_document(bleu)
    aggregates = spark.bleu("hyp", "refs", bleu), functions.count("*").alias("rows")
    found = table.repartition(4).rollup("`do.c`").agg(*aggregates).collect()
    whole = bleu.corpus(HYPOTHESES, REFERENCES).value
    assert {row["do.c"]: row["bleu"] for row in found} == {**expected, None: whole}
    assert table.filter("false").agg(spark.bleu("hyp", "refs", bleu)).first()[0] is None


def test_rows_are_summed_before_they_are_shuffled(table, capsys):
    table.groupBy("system").agg(spark.bleu("hyp", "refs")).explain()
    plan = capsys.readouterr().out
    last, first = plan.split("Exchange hashpartitioning(system")
    assert "partial_sum(" in first
    assert "partial_sum(" not in last
    assert len(re.findall(r"ArrowEvalPython \[statistics_of_rows\(", plan)) == 1  # texts are counted once


def test_streams_are_scored_as_tables(session, table, tmp_path):
    table.repartition(3).write.json(str(tmp_path / "in"))
    stream = session.readStream.schema(table.schema).option("maxFilesPerTrigger", 1).json(str(tmp_path / "in"))
    bleu = bleukit.load()
    scored = stream.groupBy("`do.c`").agg(spark.bleu("hyp", "refs", bleu)).toDF("document", "bleu")
    fields = spark.score(stream, **COLUMNS, by="do.c", variant=bleu).toDF("document", *spark._SCORES)
    for number, result in enumerate([scored, fields.select("document", "score")]):
        options = {"checkpointLocation": str(tmp_path / f"checkpoint{number}")}
        writer = result.writeStream.format("memory").queryName(f"scored{number}").options(**options)
        writer.outputMode("complete").trigger(availableNow=True).start().awaitTermination()
        found = session.table(f"scored{number}").collect()
        assert dict(map(tuple, found)) == expected_by_document(bleu)


def failing(table, **options):
    with pytest.raises(Exception, match=r"bleukit\.framework\.errors\.InputError") as raised:
        spark.score(table, **{**COLUMNS, **options}).collect()
    return str(raised.value)


def test_a_null_and_no_row_fail(session):
    schema = "hyp string, refs array<string>"
    assert "partition 0: hypotheses[1]: expected a str" in failing(
        session.createDataFrame([("a", ["b"]), (None, ["c"])], schema).coalesce(1)
    )
    assert "no segment to score" in failing(session.createDataFrame([], schema))


PLUGIN = """
from bleukit.plugin import hookimpl

@hookimpl
def bleukit_tokenizers():
    return {"by-comma": lambda: lambda text: text.split(",")}
"""


def test_plugins_travel_or_are_named(table, tmp_path, monkeypatch):
    path = tmp_path / "spark_commas.py"
    path.write_text(PLUGIN)
    bleu = bleukit.load(tokenizer="by-comma", plugins=[str(path)])
    with monkeypatch.context() as patched:
        patched.setattr(spark, "ship", lambda *_: None)
        message = failing(table, variant=bleu)
    assert "executor on " in message
    assert "it needs plugin 'spark_commas'" in message
    found = spark.collected(spark.statistics(table, **COLUMNS, variant=bleu), bleu)
    assert bleu.score(found).to_json() == bleu.corpus(HYPOTHESES, REFERENCES).to_json()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hypothesis": "hypp"}, "hypothesis: the DataFrame has no column 'hypp'; did you mean 'hyp'"),
        ({"hypothesis": "system"}, "hypothesis: expected a column of strings, 'system' is int"),
        ({"references": ["refs", "hyp"]}, "references: expected a column of strings, 'refs' is array<string>"),
        ({"references": []}, "references: expected the name of a column, got none"),
        ({"by": "dok"}, "by: the DataFrame has no column 'dok'"),
        ({"variant": bleukit.load("nltk", smoothing="nltk-method5")}, "looks at the last segment of a text"),
        ({"variant": bleukit.load(tokenizer=str.split)}, "builtins.str.split is a Python object"),
    ],
)
def test_what_is_wrong_is_said_at_once(table, options, message):
    with pytest.raises(InputError) as raised:
        spark.statistics(table, **{**COLUMNS, **options})
    assert message in str(raised.value)


def test_the_command_scores_as_without_spark(session, run, tmp_path):
    texts = {"hyp": [*HYPOTHESES[:5], "one\u2028line"], "ref": [*HYPOTHESES[1:5], "", "one line"]}
    (tmp_path / "hyp").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(texts["hyp"]).encode())
    (tmp_path / "ref").write_text("\n".join(texts["ref"]) + "\n", encoding="utf-8")
    rows = [(*pair, "ba"[n % 2]) for n, pair in enumerate(zip(*texts.values(), strict=True))]
    session.createDataFrame(rows, "mt string, ref string, doc string").coalesce(1).write.parquet(
        str(tmp_path / "t.parquet")
    )
    hyp, ref, table = (str(tmp_path / name) for name in ("hyp", "ref", "t.parquet"))
    status, printed, _warnings = run("score", "-r", ref, hyp)  # of the text, at which Spark's driver does not look
    assert run("score", "--engine", "spark", "-r", ref, hyp) == (status, printed, "")
    metrics = ["-m", "chrf", "-m", "bleu", "-m", "ter", "-r", ref, hyp]
    assert run("score", "--engine", "spark", *metrics)[1] == run("score", *metrics)[1]
    found = run("score", "--engine", "spark", "--document-column", "doc", "-q", table)[1]
    (tmp_path / "doc").write_text("".join(f"{row[2]}\n" for row in rows))
    assert sorted(found.split()) == sorted(run("score", "--documents", "doc", "-q", "-r", ref, hyp)[1].split())
    for given in ((table, hyp), ("-r", ref, table)):
        assert "Spark reads one Parquet file or folder here" in run("score", "--engine", "spark", *given)[2]
    assert "Spark reads text files with references, -r, or" in run("score", "--engine", "spark", hyp)[2]
    (tmp_path / "ref").write_text("one\n")
    assert "/hyp has 6 lines, " in run("score", "--engine", "spark", "-r", ref, hyp)[2]


def test_a_row_that_cannot_be_scored_is_named_as_without_spark(session, run, tmp_path):
    rows = [("a cat", None if number == 5 else "the cat") for number in range(9)]
    path = str(tmp_path / "t.parquet")
    session.createDataFrame(rows, "mt string, ref string").coalesce(1).write.parquet(path)
    without = run("score", path)
    assert "t.parquet" in without[2]
    assert "row 6" in without[2]
    assert run("score", "--engine", "spark", path) == without


def test_the_score_of_each_row_is_that_of_a_batch(session):
    """The function of batches in docs/engines.md."""
    page = (Path(__file__).parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")
    names = {"bleukit": bleukit, "pa": pytest.importorskip("pyarrow")}
    exec(page[page.index("def with_scores(batches):") : page.index("\n\n\ndf.mapInArrow")], names)
    texts = [("the cat sat here", "the cat sat on it"), ("a b c d e", "a b c d f g")] * 4
    df = session.createDataFrame(texts, "mt string, reference string")
    found = df.mapInArrow(names["with_scores"], "mt string, reference string, sentence_bleu double").collect()
    assert [row["sentence_bleu"] for row in found] == bleukit.load().sentences(*zip(*texts, strict=True)).tolist()
