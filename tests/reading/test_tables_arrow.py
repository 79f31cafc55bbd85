"""Files and columns of pyarrow, Polars, pandas and DuckDB; run by the tox environment engines."""

import gzip
import os
import struct
import subprocess
import sys
import threading
from contextlib import closing, suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.framework.packed import PackedTexts
from bleukit.reading import corpora
from bleukit.reading.column_names import ColumnNames
from bleukit.reading.files import Limits

pa = pytest.importorskip("pyarrow")
arrow = pytest.importorskip("bleukit.framework.arrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS = [
    {"mt": "the cat", "ref": "a cat", "doc": 7, "src": "x"},
    {"mt": "", "ref": "\u2028a\n", "doc": 7, "src": "y"},
    {"mt": "sat ☃", "ref": "sat", "doc": 8, "src": "z"},
]


def column(name):
    return [row[name] for row in ROWS]


def read(path, references=(), **columns):
    columns = ColumnNames(**columns)
    with closing(
        corpora.open_corpus([str(path)], references, columns=columns, wanted=["document", "source"])
    ) as corpus:
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
        assert (part.systems, list(part.references.items)) == ([column("mt")], column("ref"))
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
    references = read(tmp_path / "t.arrow").references
    assert list(references if "list" in name else references.items) == texts


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "feather"])
def test_texts_of_files_remain_utf8(tmp_path, suffix):
    with_pyarrow(tmp_path / f"t.{suffix}")
    with closing(corpora.open_corpus([str(tmp_path / f"t.{suffix}")], ())) as corpus:
        parts = list(corpus.parts())
    assert [list(part.references.items) for part in parts] == [column("ref")]
    assert all(isinstance(texts, PackedTexts) for part in parts for texts in (*part.systems, part.references.items))


def test_the_limit_is_one_of_characters(tmp_path):
    write(tmp_path / "t.arrow", hyp=["a", "☃☃", "☃☃☃"], ref=["a", "b", "c"])
    path = str(tmp_path / "t.arrow")
    with closing(corpora.open_corpus([path], (), limits=Limits(line=3))) as corpus:
        corpora.in_memory(corpus)
    too_long = pytest.raises(bleukit.InputError, match="row 3, column 'hyp' has more than 2 characters")
    with closing(corpora.open_corpus([path], (), limits=Limits(line=2))) as corpus, too_long:
        corpora.in_memory(corpus)


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


def test_damage_is_seen_behind_text_that_is_not_utf8(tmp_path, run):
    columns = {"hyp": pa.array([b"a", b"b", b"\xff"]).view(pa.string()), "refs": [["a", "b"], ["c", "d"], ["e", "f"]]}
    feather.write_feather(pa.table(columns), tmp_path / "t.feather", compression="uncompressed")
    content = (tmp_path / "t.feather").read_bytes()
    offsets = [struct.pack("<4i", 0, 2, 4, 6), struct.pack("<4i", 0, 2, 1 << 29, 6)]
    (tmp_path / "t.feather").write_bytes(content.replace(*offsets))
    status, out, err = run("score", "--reference-column", "refs", "t.feather")
    assert (status, out, err.count("\n")) == (2, "", 1)
    command = [sys.executable, "-m", "bleukit", "mbr", "--sample-column", "refs", "t.feather"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "t.feather: cannot be read: it is not an Arrow file, or damaged: " in ended.stderr


@pytest.mark.parametrize("kind", ["parquet", "feather", "arrow"])
def test_no_flipped_bit_in_a_table_is_a_traceback(tmp_path, kind):
    table = pa.table({"hyp": ["the cat", "hellö"] * 5, "ref": [["a"], ["b", "c"]] * 5})
    path = tmp_path / f"t.{kind}"
    if kind == "parquet":
        parquet.write_table(table, path)
    else:
        feather.write_feather(table, path, compression="uncompressed")
    content, random = path.read_bytes(), Random(kind)
    for _ in range(300):
        flipped = bytearray(content)
        flipped[random.randrange(len(content))] ^= 1 << random.randrange(8)
        path.write_bytes(flipped)
        with suppress(bleukit.InputError), closing(corpora.open_corpus([str(path)], [])) as corpus:
            corpora.in_memory(corpus)


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


@pytest.mark.parametrize("ends", [(5, 1000, 15), (-5, 10, 15), (5, 2**31 - 1, 2**31 - 1)])
def test_texts_that_end_where_there_are_none(tmp_path, run, ends):
    """Arrow's own format is mapped as it is: pyarrow would read other memory."""
    path = tmp_path / "t.arrow"
    write(path, hyp=["hello", "world", "again"], ref=["hello", "there", "again"])
    whole, right = path.read_bytes(), struct.pack("<4i", 0, 5, 10, 15)
    assert right in whole
    path.write_bytes(whole.replace(right, struct.pack("<4i", 0, *ends)))
    status, out, err = run("score", "t.arrow")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "t.arrow: cannot be read: it is not an Arrow file, or damaged" in err


def test_duplicate_columns(tmp_path, run):
    table = pa.Table.from_arrays([pa.array(["a"])] * 3, names=["hyp", "ref", "hyp"])
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), table.schema) as writer:
        writer.write_table(table)
    assert "t.arrow: has 2 columns 'hyp'" in run("score", "t.arrow")[2]


def test_without_pyarrow(tmp_path, run, monkeypatch):
    with_pyarrow(tmp_path / "t.parquet")
    monkeypatch.delitem(sys.modules, "bleukit.reading.arrow", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, out, err = run("score", "t.parquet")
    assert (status, out) == (2, "")
    assert "t.parquet: reading it needs pyarrow: pip install 'bleukit[arrow]'" in err


HYPOTHESES = ["the cat sat on the mat", "", "a b c d é", "\0x" * 9, "☃ 😀 twelve bytes and more"]
REFERENCES = ["the cat sat on a mat", "x", "a b c d é", "y", "☃ 😀 twelve bytes or more"]
SEVERAL = [[text, *more] for text, more in zip(REFERENCES, (["a"], [], ["b", "c"], [], []), strict=True)]


def columns_of_pyarrow(values):
    kind = pa.array(values).type
    yield pa.array(values)
    yield pa.array([None, *values, None], kind)[1:-1]
    yield pa.chunked_array([values[:2], [], values[2:]], kind)
    if pa.types.is_list(kind):
        yield pa.array(values, pa.large_list(pa.large_string()))
        yield pa.array(values, pa.list_(pa.string_view()))
        yield pa.array(values, pa.list_view(pa.string()))
        yield pa.array(values, pa.list_(pa.dictionary(pa.int8(), pa.string())))
    else:
        yield pa.array(values, pa.large_string())
        yield pa.array(values, pa.string_view())
        yield pa.array(values, pa.dictionary(pa.uint16(), pa.string()))
        yield pa.table({"texts": values})


def columns_of_polars(values):
    polars = pytest.importorskip("polars")
    yield polars.Series(values)
    yield polars.DataFrame({"texts": values}).vstack(polars.DataFrame({"texts": values}))[: len(values)]
    if isinstance(values[0], str):
        yield polars.Series(values, dtype=polars.Categorical)


def columns_of_pandas(values):
    pandas = pytest.importorskip("pandas")
    yield pandas.Series(values)
    yield pandas.Series(values, dtype=object)


def columns_of_duckdb(values):
    duckdb = pytest.importorskip("duckdb")
    rows = pa.table({"texts": values})  # noqa: F841 - DuckDB finds it by its name
    yield duckdb.sql("select texts from rows")


EVERY = [columns_of_pyarrow, columns_of_polars, columns_of_pandas, columns_of_duckdb]


@pytest.mark.parametrize("columns", EVERY)
def test_columns_score_as_lists(columns):
    bleu = bleukit.load()
    for references in (REFERENCES, SEVERAL):
        expected = list(map(bleukit.Score.to_dict, bleu.scores(bleu.statistics(HYPOTHESES, references))))
        for hypotheses, column in zip(columns(HYPOTHESES), columns(references), strict=False):
            found = bleu.scores(bleu.statistics(hypotheses, column))
            assert list(map(bleukit.Score.to_dict, found)) == expected
    for column in columns(SEVERAL):
        found = bleu.scores(bleu.statistics(HYPOTHESES, column))
        assert list(map(bleukit.Score.to_dict, found)) == expected
    for column in columns(HYPOTHESES):
        prepared = bleu.prepare(REFERENCES).corpus(column)
        assert prepared.to_json() == bleu.corpus(column, REFERENCES).to_json()
        assert bleu.sentences(column, REFERENCES).tolist() == bleu.sentences(HYPOTHESES, REFERENCES).tolist()


@pytest.mark.parametrize("columns", EVERY)
def test_columns_are_compared_reported_and_accumulated(columns):
    bleu = bleukit.load()
    documents = ["a", "a", "b", "b", "b"]
    systems = {"x": HYPOTHESES, "y": REFERENCES}
    hypotheses, others, references, ids = (next(columns(v)) for v in (HYPOTHESES, REFERENCES, REFERENCES, documents))
    how = {"documents": documents, "by": "document", "interval_samples": 39}
    expected = bleukit.compare(bleu, systems, REFERENCES, **how)
    found = bleukit.compare(bleu, {"x": hypotheses, "y": others}, references, **how | {"documents": ids})
    assert found.to_dict() == expected.to_dict()
    page = bleukit.report(bleu, {"x": hypotheses}, references, documents=ids, source=others)
    assert page.html == bleukit.report(bleu, {"x": HYPOTHESES}, REFERENCES, documents=documents, source=REFERENCES).html
    found = bleu.accumulator("document").update(hypotheses, references, documents=ids).scores()
    expected = bleu.accumulator("document").update(HYPOTHESES, REFERENCES, documents=documents).scores()
    assert [score.to_json() for score in found] == [score.to_json() for score in expected]
    by_set = bleu.corpus(hypotheses, [references, others], references_by="set")
    assert by_set.to_json() == bleu.corpus(HYPOTHESES, [REFERENCES, REFERENCES], references_by="set").to_json()
    assert list(bleu.tokenize_all(hypotheses)) == list(bleu.tokenize_all(HYPOTHESES))


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=20) | st.none()), st.data())
def test_columns_are_read_as_lists_are(texts, data):
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        chunks = [texts[:3], texts[3:4], texts[4:]]
        column = pa.chunked_array([pa.array(chunk, kind) for chunk in chunks], kind)
        start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(texts))] * 2)))
        assert list(arrow.exported_values(column[start:stop], "texts")) == texts[start:stop]


def test_texts_stay_where_they_are():
    texts = [f"text {i}" * i for i in range(9)]
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        part = arrow.exported_values(pa.array([None, *texts], kind)[1:], "texts")[2:7]
        assert isinstance(part, PackedTexts)
        assert list(part) == texts[2:7]  # the column is gone, its buffers are not
    groups = arrow.exported_values(pa.array([texts[:3], texts[3:4], texts[4:]]), "references")[1:3]
    assert isinstance(groups.items, PackedTexts)
    assert list(map(list, groups)) == [texts[3:4], texts[4:]]


COLUMNS_AT_FAULT = {
    "null": (pa.array(["a", None]), r"hypotheses\[1\]: expected a str, got NoneType None"),
    "null of a dictionary": (
        pa.array(["a", None]).dictionary_encode(),
        r"hypotheses\[1\]: expected a str, got NoneType",
    ),
    "null in the dictionary": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(["a", None])),
        r"hypotheses\[1\]: expected a str, got NoneType",
    ),
    "numbers": (pa.array([1, 2]), r"hypotheses\[0\]: expected a str or a token list, got int 1"),
    "bytes": (pa.array([b"a", b"b"]), "hypotheses: expected texts, got a column of Arrow's type binary"),
    "table": (pa.table({"a": ["x"], "b": ["y"]}), "hypotheses: expected one column, got a table of 'a', 'b'"),
    "not UTF-8": (pa.array([b"a", b"\xff"]).view(pa.string()), r"hypotheses\[1\]: is not UTF-8 text"),
    "short": (pa.array(["a"]), "1 hypothesis, but 2 items in `references`"),
    "objects": (
        type("Broken", (), {"__arrow_c_stream__": lambda _, __=None: 1 / 0})(),
        "hypotheses: cannot be exported",
    ),
}


@pytest.mark.parametrize("name", COLUMNS_AT_FAULT)
def test_columns_at_fault(name):
    column, message = COLUMNS_AT_FAULT[name]
    with pytest.raises(bleukit.InputError, match=message):
        bleukit.load().corpus(column, ["a", "b"])


def test_a_null_among_references_is_none_of_the_next_segment():
    references = pa.array([["a"], None, ["b"]])
    with pytest.raises(bleukit.InputError, match=r"^references\[1\]: .*got NoneType None"):
        bleukit.load().corpus(["a", "b", "b"], references)


def test_a_stream_that_fails():
    def batches():
        yield pa.record_batch({"texts": ["a"]})
        raise OSError("the disk is on fire")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"texts": pa.string()}), batches())
    with pytest.raises(bleukit.InputError, match="hypotheses: cannot be read: .*the disk is on fire"):
        bleukit.load().corpus(reader, ["a", "b"])


def test_what_was_exported_is_released():
    before = pa.total_allocated_bytes()
    for _ in range(3):
        column = arrow.exported_values(pa.array(["a" * 1000] * 1000), "texts")
        assert pa.total_allocated_bytes() > before
        assert column[999] == "a" * 1000  # the array is gone, its buffers are not
        del column
        assert pa.total_allocated_bytes() == before


@pytest.mark.parametrize("kind", ["parquet", "arrow", "feather"])
def test_lists_of_samples(run, tmp_path, kind):
    groups = [["a b c", "a b", "a b d"], ["x"], ["", "x y", "x y"]]
    table = pa.Table.from_pylist([{"id": place, "samples": group} for place, group in enumerate(groups)])
    path = tmp_path / f"samples.{kind}"
    if kind == "parquet":
        from pyarrow import parquet

        parquet.write_table(table, path, row_group_size=2)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, 2)
    expected = "".join(f"{choice.text}\n" for choice in bleukit.mbr(bleukit.load(), groups))
    assert run("mbr", str(path)) == (0, expected, "")


def test_an_empty_list_of_samples(run, tmp_path):
    from pyarrow import parquet

    parquet.write_table(pa.table({"samples": [["a"], []]}), tmp_path / "s.parquet")
    message = "s.parquet: row 2, column 'samples': an empty list; at least one sample is needed"
    assert run("mbr", "s.parquet") == (2, "", f"bleukit: error: {message}\n")


def test_a_column_whose_buffers_do_not_fit_is_refused_in_words():
    offsets = pa.py_buffer(struct.pack("3i", 0, 2, 1))
    column = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"abc"))
    with pytest.raises(bleukit.InputError, match=r"^hypotheses: Arrow's buffers do not fit together: "):
        bleukit.load().corpus(column, ["a", "b"])
