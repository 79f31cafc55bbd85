"""Parquet and Arrow files, written by pyarrow, Polars, pandas and DuckDB; run by the tox environment tables."""

import gzip
import os
import sys
import threading

import pytest

from bleukit.text import corpora
from bleukit.text.tables import Columns

pa = pytest.importorskip("pyarrow")

ROWS = [
    {"mt": "the cat", "ref": "a cat", "doc": 7, "src": "x"},
    {"mt": "", "ref": "\u2028a\n", "doc": 7, "src": "y"},
    {"mt": "sat ☃", "ref": "sat", "doc": 8, "src": "z"},
]


def column(name):
    return [row[name] for row in ROWS]


def read(path, references=(), **columns):
    corpus = corpora.open_corpus([str(path)], references, columns=Columns(**columns), wanted=["document", "source"])
    return corpora.in_memory(corpus)


def with_pyarrow(path):
    from pyarrow import feather, parquet

    table = pa.Table.from_pylist(ROWS)
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=2)
    elif path.suffix == ".feather":
        feather.write_feather(table, path, chunksize=1)
    else:
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, 2)


def with_polars(path):
    frame = pytest.importorskip("polars").DataFrame(ROWS)
    {".parquet": frame.write_parquet, ".feather": frame.write_ipc, ".arrow": frame.write_ipc_stream}[path.suffix](path)


def with_pandas(path):
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    {".parquet": frame.to_parquet, ".feather": frame.to_feather, ".arrow": frame.to_feather}[path.suffix](path)


def with_duckdb(path):
    duckdb = pytest.importorskip("duckdb")
    if path.suffix != ".parquet":
        pytest.skip("DuckDB writes Parquet alone")
    rows = pa.Table.from_pylist(ROWS)  # noqa: F841 - DuckDB finds it by its name
    duckdb.sql("select * from rows").write_parquet(str(path))


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".arrow"])
@pytest.mark.parametrize("write", [with_pyarrow, with_polars, with_pandas, with_duckdb])
def test_what_libraries_write(tmp_path, write, suffix):
    path = tmp_path / f"t{suffix}"
    write(path)
    (tmp_path / f"t{suffix}.gz").write_bytes(gzip.compress(path.read_bytes()))
    for each in (path, f"{path}.gz"):
        part = read(each)
        assert (part.systems, part.references) == ([column("mt")], column("ref"))
        assert (part.documents, part.sources) == (["7", "7", "8"], column("src"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe(tmp_path):
    with_pyarrow(tmp_path / "t.parquet")
    os.mkfifo(tmp_path / "p.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    thread = threading.Thread(target=(tmp_path / "p.parquet").write_bytes, args=[content])
    thread.start()
    assert read(tmp_path / "p.parquet").systems == [column("mt")]
    thread.join()


TYPES = {
    "large_string": pa.large_string(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
    "string_view": pa.string_view(),
    "list": pa.list_(pa.string()),
    "large_list": pa.large_list(pa.large_string()),
    "fixed_size_list": pa.list_(pa.string(), 2),
    "list of dictionary": pa.list_(pa.dictionary(pa.int8(), pa.string())),
}


def write(path, **columns):
    table = pa.table(columns)
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("name", TYPES)
def test_types_of_text(tmp_path, name):
    texts = [["a", "b"], ["c", "d"]] if "list" in name else ["a", "é"]
    write(tmp_path / "t.arrow", hyp=["x", "y"], refs=pa.array(texts, TYPES[name]))
    assert list(read(tmp_path / "t.arrow").references) == texts


HOSTILE = {
    "null": (pa.array(["a", None]), "row 2, column 'hyp': expected text, got null"),
    "nulls": (pa.nulls(2), "row 1, column 'hyp': expected text, got null"),
    "null in a dictionary": (pa.array(["a", None]).dictionary_encode(), "row 2, column 'hyp': expected text, got null"),
    "number": (pa.array([1, 2]), "column 'hyp': expected text, got int64"),
    "bytes": (pa.array([b"a", b"b"]), "column 'hyp': expected text, got binary"),
    "list": (pa.array([["a"], ["b"]]), "column 'hyp': expected text, got list<"),
    "not UTF-8": (pa.array([b"a", b"\xff"]).view(pa.string()), "row 2, column 'hyp': is not UTF-8 text"),
    "no row": (pa.array([], pa.string()), "t.arrow: holds no row"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_columns(tmp_path, run, name):
    values, message = HOSTILE[name]
    write(tmp_path / "t.arrow", hyp=values, ref=pa.array(["a", "b"][: len(values)], pa.string()))
    status, out, err = run("score", "t.arrow")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_references_that_are_null(tmp_path, run):
    for values, problem in (([["a"], None], "expected a list of texts, got null"), ([["a"], []], "an empty list")):
        write(tmp_path / "t.arrow", hyp=["a", "b"], refs=pa.array(values, pa.list_(pa.string())))
        status, out, err = run("score", "t.arrow")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"t.arrow: row 2, column 'refs': {problem}" in err


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".arrow"])
def test_damaged_files(tmp_path, run, suffix):
    path = tmp_path / f"t{suffix}"
    with_pyarrow(path)
    whole = path.read_bytes()
    for content in (b"", b"garbage", whole[: len(whole) // 2], whole[-len(whole) // 2 :]):
        path.write_bytes(content)
        status, out, err = run("score", path.name)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"t{suffix}: " in err


def test_duplicate_columns(tmp_path, run):
    table = pa.Table.from_arrays([pa.array(["a"])] * 3, names=["hyp", "ref", "hyp"])
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), table.schema) as writer:
        writer.write_table(table)
    assert "t.arrow: has 2 columns 'hyp'" in run("score", "t.arrow")[2]


def test_without_pyarrow(tmp_path, run, monkeypatch):
    with_pyarrow(tmp_path / "t.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, out, err = run("score", "t.parquet")
    assert (status, out) == (2, "")
    assert "t.parquet: reading it needs pyarrow: pip install 'bleukit[arrow]'" in err
