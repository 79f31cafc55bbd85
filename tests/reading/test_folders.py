"""Folders and patterns of files, read as one table."""

import os
import shutil
from pathlib import Path

import pytest

from bleukit.framework.errors import InputError
from bleukit.reading import folders
from bleukit.reading.corpora import in_memory, open_corpus

ROWS = [
    ("A", "d1", "the cat", "the cat sat"),
    ("A", "d2", "a dog barks", "a dog barked"),
    ("B x", "d1", "", "the cat sat"),
]
ROWS += [("B x", "d2", "a dog, maybe", "a dog barked")]


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def partitioned(root, suffix, write):
    for system, document, hypothesis, reference in ROWS:
        folder = Path(root, f"system={system.replace(' ', '%20')}", f"document={document}")
        folder.mkdir(parents=True)
        write(folder / f"part-0{suffix}", hypothesis, reference)


def write_csv(path, hypothesis, reference):
    path.write_text(f'reference,hypothesis\n"{reference}","{hypothesis}"\n')


def write_tsv(path, hypothesis, reference):
    path.write_text(f"hypothesis\treference\n{hypothesis}\t{reference}\n")


def write_json(path, hypothesis, reference):
    path.write_text(f'{{"hypothesis": "{hypothesis}", "reference": "{reference}"}}\n')


def write_with_pyarrow(path, hypothesis, reference):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"hypothesis": [hypothesis], "reference": [reference]})
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    else:
        pytest.importorskip("pyarrow.feather").write_feather(table, path)


WRITERS = {".csv": write_csv, ".tsv": write_tsv, ".jsonl": write_json}
SUFFIXES = [*WRITERS, *(pytest.param(suffix, marks=pytest.mark.engines) for suffix in (".parquet", ".arrow"))]
WRITERS |= dict.fromkeys([".parquet", ".arrow"], write_with_pyarrow)


def texts(*paths, references=(), **options):
    corpus = open_corpus([*map(str, paths)], [*map(str, references)], **options)
    part = in_memory(corpus)
    return corpus.systems, [list(system) for system in part.systems], list(part.references.items), part.documents


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("path", ["lake", "lake/", "lake/*", "lake/**/part-*", "{}/lake", "{}/lake/*/*/*"])
def test_keys_in_the_names_of_folders_are_columns(tmp_path, suffix, path):
    partitioned("lake", suffix, WRITERS[suffix])
    systems, hypotheses, references, documents = texts(path.format(tmp_path), wanted=["document"])
    assert systems == ["A", "B x"]
    assert hypotheses == [["the cat", "a dog barks"], ["", "a dog, maybe"]]
    assert references == ["the cat sat", "a dog barked"]
    assert list(documents) == ["d1", "d2"]


@pytest.mark.engines
@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_what_duckdb_writes_by_the_values_of_columns_is_read(form):
    duckdb = pytest.importorskip("duckdb")
    values = ", ".join(map(str, ROWS))
    duckdb.sql(f"CREATE OR REPLACE TEMP TABLE t AS VALUES {values}")
    columns = "col0 AS system, col1 AS document, col2 AS hypothesis, col3 AS reference"
    duckdb.sql(f"COPY (SELECT {columns} FROM t) TO 'lake' (FORMAT {form}, PARTITION_BY (system, document))")
    systems, hypotheses, _, documents = texts("lake", wanted=["document"])
    assert systems == ["A", "B x"]
    assert hypotheses == [["the cat", "a dog barks"], ["", "a dog, maybe"]]
    assert list(documents) == ["d1", "d2"]


def test_files_come_in_the_order_of_their_paths_folder_by_folder():
    for name in ("b/1", "a-b/1", "a/2", "a/10"):
        Path("lake", name).parent.mkdir(parents=True, exist_ok=True)
        Path("lake", name).write_text("x\n")
    assert [member.path for member in folders.members("lake")] == ["lake/a/10", "lake/a/2", "lake/a-b/1", "lake/b/1"]


def test_what_is_hidden_is_left_out_and_a_table_without_rows_adds_nothing():
    partitioned("lake", ".csv", write_csv)
    before = texts("lake")
    Path("lake", "_SUCCESS").touch()
    Path("lake", "_temporary").mkdir()
    Path("lake", "_temporary", "part.csv").write_text("damaged")
    Path("lake", "system=A", ".part.csv.crc").write_bytes(b"crc\0")
    Path("lake", "system=A", "document=d1", "part-1.csv").write_text("hypothesis,reference\n")
    assert texts("lake") == before


def test_columns_may_stand_in_any_order_and_a_file_may_have_more():
    partitioned("lake", ".csv", write_csv)
    before = texts("lake")
    Path("lake/system=A/document=d1/part-0.csv").write_text("id,hypothesis,reference\n7,the cat,the cat sat\n")
    assert texts("lake") == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("system=A/document=d1/z.csv", "hypothesis,other\na,b\n", "z.csv: has no column 'reference', which lake/"),
        ("system=A/document=d1/z.csv", "", "z.csv: is empty"),
        ("system=A/document=d1/z.csv", "hypothesis,reference\n'a\n", "z.csv: row 1 has 1 field, the header has 2"),
        ("system=A/document=d1/z.tsv", "hypothesis\treference\na\tb\n", "z.tsv: is a table (.tsv), and lake/"),
        ("system=A/document=d1/README.md", "Read me\n", "part-0.csv: is a table (.csv), and lake/"),
        ("system=A/z.csv", "hypothesis,reference\na,b\n", "z.csv: its folders name system, those of"),
        ("z.csv", "hypothesis,reference\na,b\n", "z.csv: its folders name no key, those of"),
    ],
)
def test_a_file_that_does_not_fit_is_named(name, content, message):
    partitioned("lake", ".csv", write_csv)
    Path("lake", name).write_text(content)
    with pytest.raises(InputError) as caught:
        texts("lake")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for():
    Path("lake").mkdir()
    os.mkfifo("lake/pipe")
    with pytest.raises(InputError, match="lake/pipe: is no regular file"):
        texts("lake", references=["lake"])


@pytest.mark.engines
def test_a_file_that_is_no_parquet_is_named():
    pytest.importorskip("pyarrow")
    partitioned("lake", ".parquet", write_with_pyarrow)
    Path("lake/system=B%20x/document=d2/part-0.parquet").write_text("no Parquet")
    with pytest.raises(InputError, match="document=d2/part-0.parquet: cannot be read: it is not Parquet, or damaged"):
        texts("lake")


def test_lists_and_texts_in_one_column_are_told_apart():
    Path("lake").mkdir()
    Path("lake/a.jsonl").write_text('{"hypothesis": "a", "reference": ["a", "b"]}\n')
    Path("lake/b.jsonl").write_text('{"hypothesis": "a", "reference": "a"}\n')
    with pytest.raises(InputError, match="b.jsonl: column 'reference': one of .* holds lists"):
        texts("lake")


def test_a_file_that_disappears_is_named(monkeypatch):
    partitioned("lake", ".csv", write_csv)
    listed = folders.members("lake")
    shutil.rmtree("lake/system=B%20x/document=d2")
    monkeypatch.setattr(folders, "members", lambda _: listed)
    with pytest.raises(InputError, match="document=d2/part-0.csv: no such file"):
        texts("lake")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("empty", "empty: the folder holds no file"),
        ("none/*.csv", "none/*.csv: no file matches"),
        ("sets", "sets: holds evaluation sets, which are named one by one"),
    ],
)
def test_a_folder_without_text_is_an_error(path, message):
    Path("empty").mkdir()
    Path("sets").mkdir()
    Path("sets/a.sgm").write_text("<refset>")
    with pytest.raises(InputError) as caught:
        texts(path, references=[path])
    assert str(caught.value) == message


def test_statistics_of_a_folder_are_counted_again_if_a_file_in_it_changes(run):
    partitioned("lake", ".csv", write_csv)
    first = run("score", "-q", "lake", "--statistics", "kept.jsonl")
    assert run("score", "-q", "lake", "--statistics", "kept.jsonl") == first
    Path("lake/system=A/document=d1/part-0.csv").write_text("hypothesis,reference\nthe cat sat,the cat sat\n")
    status, _, error = run("score", "-q", "lake", "--statistics", "kept.jsonl")
    assert status == 2
    assert "since then lake changed" in error


def test_a_limit_on_open_files_is_raised_or_named(run, monkeypatch):
    resource = pytest.importorskip("resource")
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 120))
    monkeypatch.setattr(resource, "setrlimit", lambda *limits: asked.append(limits))
    for number in range(60):
        Path(f"{number}.txt").write_text("a\n")
    run("score", "-q", "-r", "0.txt", *(f"{number}.txt" for number in range(60)))
    assert asked == [(resource.RLIMIT_NOFILE, (120, 120))]
