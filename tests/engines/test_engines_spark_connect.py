"""BLEU by Spark Connect, whose client has no Spark of its own: the sums of one process, and plugins that travel."""

import json
import os
import shutil
import subprocess
import sys

import pytest

import bleukit

pytest.importorskip("pyspark", reason="pyspark is not installed: tox -e engines")
pytest.importorskip("grpc", reason="pyspark[connect] is not installed")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Java is not installed", allow_module_level=True)

pytestmark = pytest.mark.engines

PLUGIN = """
from bleukit.plugin import hookimpl

@hookimpl
def bleukit_tokenizers():
    return {"by-comma": lambda: lambda text: text.split(",")}
"""

CLIENT = """
import json, sys
from pyspark.sql import SparkSession
import bleukit
from bleukit.engines import spark

session = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false").getOrCreate()
bleu = bleukit.load("nltk", tokenizer="by-comma", plugins=[sys.argv[1]])
table = session.createDataFrame(json.load(sys.stdin), "hyp string, refs array<string>, system string").repartition(3)
summed = spark.statistics(table, hypothesis="hyp", references="refs", variant=bleu)
[score] = [row.asDict() for row in spark.score(table, hypothesis=table.hyp, references="refs", variant=bleu).collect()]
grouped = table.groupBy("system").agg(spark.bleu("hyp", "refs", bleu)).collect()
try:
    spark.statistics(table, hypothesis="hypp", references="refs")
except bleukit.InputError as error:
    message = str(error)
matches = [spark.collected(summed, bleu).matches[0].tolist()]
print(json.dumps([type(session).__module__, matches, score, dict(grouped), message]))
session.stop()
"""


def test_spark_connect(tmp_path):
    rows = [("a,b,c,d", ["a,b,c,e", "d"], "one"), ("x,y", ["x,y,z"], "two"), ("", ["v"], "two")] * 5
    plugin = tmp_path / "elsewhere" / "connect_commas.py"
    plugin.parent.mkdir()
    plugin.write_text(PLUGIN)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    environment["PYSPARK_SUBMIT_ARGS"] = "--driver-java-options -XX:TieredStopAtLevel=1 pyspark-shell"  # for short runs
    command = [sys.executable, "-W", "ignore", "-c", CLIENT, str(plugin)]
    done = subprocess.run(
        command, input=json.dumps(rows), capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    module, matches, score, by_system, message = json.loads(done.stdout.splitlines()[-1])
    assert module == "pyspark.sql.connect.session"
    bleu = bleukit.load("nltk", tokenizer="by-comma", plugins=[str(plugin)])
    counted = bleu.statistics([row[0] for row in rows], [row[1] for row in rows])
    assert matches == counted.sum().matches.tolist()
    assert (score["score"], score["signature"]) == (bleu.score(counted).value, bleu.score(counted).signature)
    scores = {key: bleu.score(part).value for key, part in counted.by_document([row[2] for row in rows]).items()}
    assert by_system == scores
    assert message.startswith("hypothesis: the DataFrame has no column 'hypp'; did you mean 'hyp'?")
