"""Scores as CSV, JSON Lines and Parquet hold what the JSON of ``bleukit score`` holds."""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

HYPOTHESES = ['the "cat" sat', "hello world , we go", "", "a b c d e", "it is"]
OTHERS = ["the cat", "hello , world", "x", "a b c", "it is not"]
REFERENCES = ["the cat sat on it", "hello world , we go here", "", "a b c d f", "it was"]
LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}


@pytest.fixture
def folder(tmp_path):
    for name, texts in {"one,\n": HYPOTHESES, "two": OTHERS, "ref": REFERENCES, "doc": "aabbb"}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    return tmp_path


def rows_of(path):
    """Return the rows of a table of scores; those of CSV with lists of what belongs to orders."""
    if path.endswith(".parquet"):
        return pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    if path.endswith("jsonl"):
        return list(map(json.loads, Path(path).read_text().splitlines()))
    with Path(path).open(newline="") as file:
        found = list(csv.DictReader(file))
    for row in found:
        for lists, name in LISTS.items():
            row[lists] = [row.pop(f"{name}_{order}") for order in (1, 2, 3, 4)]
    return found


def test_merged_statistics_are_a_table(folder, run):
    run("score", "--statistics", "s.jsonl", "-r", "ref", "two")
    run("merge", "s.jsonl", "-o", "merged.csv")
    run("score", "-r", "ref", "two", "-o", "scores.csv")
    assert rows_of("merged.csv") == rows_of("scores.csv")


@pytest.mark.parametrize("suffix", ["csv", pytest.param("parquet", marks=pytest.mark.engines)])
def test_an_error_leaves_the_file_as_it_was(folder, run, monkeypatch, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    Path("ref").write_text("a\n" * 5 + "more\n")
    Path(f"scores.{suffix}").write_text("before")
    status, out, error = run("score", "--level", "sentence", "-r", "ref", "two", "-o", f"scores.{suffix}")
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert Path(f"scores.{suffix}").read_text() == "before"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("options", [["--level", "sentence"], ["--format", "json"]])
@pytest.mark.parametrize("fails", [False, True])
def test_into_a_pipe_nothing_is_written_before_all_is_known(folder, run, options, fails):
    os.mkfifo("pipe")
    expected = run("score", *options, "-r", "ref", "two")[1]
    if fails:
        Path("two").write_text("a\n" * 6)
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        status, out, _ = run("score", *options, "-r", "ref", "two", "-o", "pipe")
        received = reader.communicate()[0].decode()
    assert (status, out, received) == ((2, "", "") if fails else (0, "", expected))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "x.arrow"], "x.arrow: a table of scores ends in .csv, .jsonl, .ndjson, .parquet"),
        (["-o", "x.csv.gz"], "x.csv.gz: a table of scores ends in"),
        (["-o", "x.csv", "-q"], "a table has all scores with all digits"),
    ],
)
def test_what_is_no_table_of_scores(folder, run, options, message):
    status, _, error = run("score", "-r", "ref", "two", *options)
    assert (status, message in error, Path(options[1]).exists()) == (2, True, False)


def test_the_form_that_is_asked_for_is_printed(folder, run):
    run("score", "-r", "ref", "two", "-o", "scores.csv", "--format", "json")
    assert json.loads(Path("scores.csv").read_text())["level"] == "corpus"
