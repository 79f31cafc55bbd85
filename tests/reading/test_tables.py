"""Tables give the rows and scores of the same texts in text files; what does not fit is one error with its place."""

import bz2
import csv
import gzip
import io
import json
import os
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleukit
from bleukit.framework.packed import PackedTexts
from bleukit.reading import aligned_files, corpora, files, table_file, tables
from bleukit.reading.column_names import ColumnNames
from bleukit.reading.files import Limits
from bleukit.reading.open_files import open_table

pytestmark = pytest.mark.oldest

ROWS = [
    {"hyp": 'The "cat" sat .', "ref1": "The cat sat .", "ref2": 'A "cat" sat', "doc": "a", "src": "x"},
    {"hyp": '"No," he said , "no"', "ref1": '"No"', "ref2": "No , he said", "doc": "a", "src": "y"},
    {"hyp": "", "ref1": "It is\u2028here\x85now", "ref2": "Here, now", "doc": "b", "src": "z"},
]
COLUMNS = list(ROWS[0])


def column(name):
    return [row[name] for row in ROWS]


def as_csv(rows, delimiter=",", **style):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, **style)
    writer.writerows([list(rows[0]), *([row[name] for name in rows[0]] for row in rows)])
    return text.getvalue().encode()


def as_jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_tsv(rows):
    return "".join("\t".join(row) + "\n" for row in [list(rows[0]), *(row.values() for row in rows)]).encode()


FILES = {
    "t.csv": as_csv(ROWS),
    "t.CSV": as_csv(ROWS, lineterminator="\n", quoting=csv.QUOTE_ALL),
    "bom.csv": b"\xef\xbb\xbf" + as_csv(ROWS),
    "t.csv.gz": gzip.compress(as_csv(ROWS)),
    "t.jsonl": as_jsonl(ROWS),
    "t.ndjson.bz2": bz2.compress(as_jsonl(ROWS)),
    "plain.tsv": as_tsv(ROWS),
    "crlf.tsv": as_tsv(ROWS).replace(b"\n", b"\r\n"),
    "written.tsv": as_csv(ROWS, "\t"),
    "quoted.tsv": as_csv(ROWS, "\t", quoting=csv.QUOTE_ALL),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    for name in COLUMNS:
        (tmp_path / name).write_text("".join(f"{text}\n" for text in column(name)), encoding="utf-8")
    return tmp_path


def read(hypotheses, references=(), documents=None, columns=(), **options):
    columns = ColumnNames(**dict(columns))
    with closing(corpora.open_corpus(hypotheses, references, documents, columns=columns, **options)) as corpus:
        return corpus, corpora.in_memory(corpus)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)  # csv reads NUL from Python 3.11 on


@given(st.lists(st.fixed_dictionaries({"hyp": texts, "ref": texts}), min_size=1), st.integers(1, 9))
def test_what_is_written_is_read(tmp_path_factory, rows, block):
    path = tmp_path_factory.mktemp("tables") / "t"
    written = {".csv": as_csv(rows), ".jsonl": as_jsonl(rows), ".tsv": as_csv(rows, "\t", quoting=csv.QUOTE_ALL)}
    if not any(set(text) & {*"\t\n\r"} for row in rows for text in row.values()):
        written["2.tsv"] = as_csv(rows, "\t", lineterminator="\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bleukit.reading.files.BLOCK", block)
        for suffix, content in written.items():
            name = f"{path}{suffix}"
            Path(name).write_bytes(content)
            _, part = read([name])
            assert part.systems == [[row["hyp"] for row in rows]]
            assert list(part.references.items) == [row["ref"] for row in rows]


@pytest.mark.parametrize("end", ["\n", ""])
def test_texts_of_tsv_remain_utf8(tmp_path, end):
    pytest.importorskip("bleukit.reading.files_compiled", reason="built without a compiler")
    (tmp_path / "t.tsv").write_text(f'hyp\tdoc\tref\na☃\t1\t"b" c\n\t\t{end}', encoding="utf-8")
    with closing(corpora.open_corpus([str(tmp_path / "t.tsv")], [], wanted=["document"])) as corpus:
        [part] = corpus.parts()
    columns = [*part.systems, part.references.items, part.documents]
    assert columns == [["a☃", ""], ['"b" c', ""], ["1", ""]]
    assert all(isinstance(column, PackedTexts) for column in columns) == bool(end)


QUOTED = [
    {"hyp": "#1 is here", "ref": "#1 was here"}, {"hyp": "plain text", "ref": 'he said "no"'},
    {"hyp": 'she said "yes" to it', "ref": "she said so"}, {"hyp": "", "ref": "an empty text"},
    {"hyp": "a tab\there and it", "ref": "a line\nhere and it"}, {"hyp": '"all of it"', "ref": "all"},
]  # fmt: skip


def duckdb_tsv(path, rows, options=""):
    """Write a TSV file as DuckDB does."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (hyp VARCHAR, ref VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [[*row.values()] for row in rows])
    connection.execute(f"COPY t TO '{path}' (HEADER, DELIMITER '\t'{options})")


def values_of(part):
    return list(zip(part.systems[0], part.references.items, strict=True))


@pytest.mark.engines
@pytest.mark.parametrize("options", ["", ", FORCE_QUOTE *", ", QUOTE ''"])
@pytest.mark.parametrize("block", [files.BLOCK, 1])
def test_tsv_of_duckdb_is_read_as_it_was_written(folder, run, monkeypatch, options, block):
    rows = [row for row in QUOTED if not set("".join(row.values())) & {*"\t\n"}] if "''" in options else QUOTED
    rows = rows[1:] if block == 1 else rows  # a field without a mark inside, read before the others, is undecided
    duckdb_tsv(folder / "d.tsv", rows, options)
    monkeypatch.setattr("bleukit.reading.files.BLOCK", block)
    _, part = read(["d.tsv"])
    assert values_of(part) == [tuple(row.values()) for row in rows]
    (folder / "d.jsonl").write_bytes(as_jsonl(rows))
    status, out, err = run("score", "-q", "d.tsv")
    assert (status, out) == run("score", "-q", "d.jsonl")[:2]
    plain = "''" in options
    assert ("column 'hyp': the quotation marks around it are read as text; if" in err) == plain


@pytest.mark.engines
def test_tsv_that_a_program_may_have_quoted_is_never_read_in_silence(folder, run):
    duckdb_tsv(folder / "d.tsv", QUOTED[:1])
    for command in (["score", "d.tsv"], ["tokenize", "d.tsv#hyp"]):
        status, _, err = run(*command)
        assert (status, err.count("warning: d.tsv: row 1, column 'hyp': the quotation marks around it")) == (0, 1)
    duckdb_tsv(folder / "d.tsv", QUOTED[:1], ", QUOTE ''")
    assert run("score", "d.tsv")[2] == ""
    duckdb_tsv(folder / "d.tsv", QUOTED[:1], ", FORCE_QUOTE *")
    assert run("score", "d.tsv")[2] == ""
    assert values_of(read(["d.tsv"])[1]) == [("#1 is here", "#1 was here")]


SPOKEN = '"No," he said.\t"No."\n"Yes."\ta\n"x "" y"\t5" disk\n""\t"\n'


def test_marks_of_a_column_are_text_if_one_is_not_of_csv(folder, run):
    (folder / "t.tsv").write_text(f"hyp\tref\n{SPOKEN}")
    fields = [tuple(line.split("\t")) for line in SPOKEN.splitlines()]
    assert values_of(read(["t.tsv"])[1]) == fields
    assert run("score", "t.tsv")[2] == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('"a ""b"" c"\td\n"No," he\te\n', ""),
        ('"a ""b"" c"\t"No," he\n', "row 1, column 'hyp' is quoted as CSV quotes fields, but row 1, column 'ref' w"),
        ('"Yes."\td\n' * 9 + '"a ""b"" c"\td\n', "row 10, column 'hyp' is quoted as CSV quotes fields, but row 1, c"),
        ('"a ""b"" c"\td\n' * 9 + '"No," he\te\n', "t.tsv:11: row 10 is not proper CSV: a tab expected after '\"'; "),
        ('"a \\"b\\" c"\td\n', "t.tsv:2: row 1 is not proper CSV: a tab expected after '\"'; rows from 1 on"),
        ('"a ""b"\td\n' * 9 + '"open\te\n', "t.tsv:11: row 10 is not proper CSV: unexpected end of data"),
    ],
)  # fmt: skip
def test_tsv_that_is_quoted_in_part_is_refused(folder, run, monkeypatch, content, message):
    (folder / "t.tsv").write_text(f"hyp\tref\n{content}")
    monkeypatch.setattr("bleukit.reading.files.BLOCK", 40)
    status, out, err = run("score", "t.tsv")
    assert status == (2 if message else 0)
    assert message in err
    assert not message or (out, err.count("\n")) == ("", 1)


@pytest.mark.engines
def test_quoted_tsv_is_read_from_a_pipe(folder):
    duckdb_tsv(folder / "d.tsv", QUOTED * 5000)
    content = (folder / "d.tsv").read_bytes()
    os.mkfifo(folder / "p.tsv")
    writer = Thread(target=(folder / "p.tsv").write_bytes, args=[content])
    writer.start()
    _, part = read(["p.tsv"])
    writer.join()
    assert values_of(part) == [tuple(row.values()) for row in QUOTED * 5000]


def test_columns_are_named_by_options_or_in_the_path(folder):
    for path, columns in (("t.csv", {"hypothesis": ("src",), "reference": ("hyp",)}), ("t.csv#src", {})):
        _, part = read([path], [] if columns else ["t.csv#hyp"], columns=columns)
        assert (part.systems, list(part.references.items)) == ([column("src")], column("hyp"))
    corpus, part = read(["t.jsonl"], ["t.csv#hyp"], columns={"hypothesis": ("ref1", "ref2")})
    assert (corpus.systems, corpus.system_paths) == (["ref1", "ref2"], ["t.jsonl#ref1", "t.jsonl#ref2"])
    assert part.systems == [column("ref1"), column("ref2")]


def test_tables_and_text_files_go_together(folder):
    _, part = read(["t.csv", "hyp"], ["ref1", "t.jsonl#ref2"], "doc")
    assert part.systems == [column("hyp")] * 2
    assert [tuple(group) for group in part.references] == list(zip(column("ref1"), column("ref2"), strict=True))
    assert part.documents == column("doc")


def test_several_tables_may_hold_the_same_references(folder, run):
    lists = [{"hyp": "x", "ref": [row["ref1"], row["ref2"]]} for row in ROWS]
    (folder / "other.csv").write_bytes(as_csv([row | {"hyp": "x"} for row in ROWS]))
    (folder / "lists.jsonl").write_bytes(as_jsonl(lists))
    alone = run("score", "-q", "t.csv")[1]
    assert run("score", "-q", "t.csv", "other.csv", "lists.jsonl")[1].startswith(alone)


@pytest.mark.parametrize(
    "names", ["hyps,refs,sources,sysid", "outputs,references,src,sys_name", "Candidates,Ref,Source,SYS"]
)
def test_columns_are_found_by_their_usual_names_and_plurals(tmp_path, names):
    path = tmp_path / "table.csv"
    path.write_text(f"{names}\na,b,c,d\n")
    corpus = corpora.open_corpus([str(path)], [], wanted=["source"])
    whole = corpora.in_memory(corpus)
    assert [list(whole.systems[0]), list(corpus.systems), list(whole.sources)] == [["a"], ["d"], ["c"]]


def test_a_column_alone_needs_no_name(folder):
    (folder / "one.csv").write_bytes(as_csv([{"whatever": row["hyp"]} for row in ROWS], quoting=csv.QUOTE_ALL))
    _, part = read(["one.csv"], ["ref1"])
    assert part.systems == [column("hyp")]


def test_lists_hold_several_references_in_any_number(folder):
    references = [["a"], ["b", "c"], ["d", "e", "f"]]
    (folder / "l.jsonl").write_bytes(as_jsonl([{"mt": "x", "refs": group} for group in references]))
    corpus, part = read(["l.jsonl"])
    assert (list(part.references), corpus.references) == (references, None)
    corpus, part = read(["l.jsonl"], ["l.jsonl", "ref1"])
    assert list(part.references) == [[*group, text] for group, text in zip(references, column("ref1"), strict=True)]


LONG = [
    {"system": system, "doc": row["doc"], "hyp": text, "ref": row["ref1"]}
    for row in ROWS
    for system, text in (("B", row["hyp"]), ("A", row["ref2"]))
]


def test_commands_score_a_table_as_text_files(folder, run):
    (folder / "long.csv").write_bytes(as_csv(LONG))

    def scores(*arguments):
        status, out, err = run(*arguments)
        assert (status, err) == (0, "")
        return [
            line for line in out.splitlines() if '"system"' not in line and "hyp" not in line and "t.csv" not in line
        ]

    text = ("-r", "ref1", "-r", "ref2", "hyp")
    for more in ([], ["--level", "sentence"], ["--format", "json"]):
        assert scores("score", *more, "t.csv") == scores("score", *more, *text)
    of_documents = scores("score", "--documents", "doc", *text)
    assert scores("score", "--document-column", "doc", "t.csv") == of_documents
    assert scores("score", "--documents", "t.jsonl", *text) == of_documents
    assert scores("tokenize", "t.csv") == scores("tokenize", "hyp")


def test_systems_and_documents_of_a_table_are_compared(folder, run):
    (folder / "long.csv").write_bytes(as_csv(LONG))
    (folder / "B").write_bytes((folder / "hyp").read_bytes())
    (folder / "A").write_bytes((folder / "ref2").read_bytes())
    how = ("--resample-by", "document", "--by", "document", "--format", "json")
    as_text = run("compare", "-r", "ref1", "B", "A", "--documents", "doc", *how)
    assert as_text[0] == 0
    assert run("compare", "long.csv", *how) == as_text


def test_a_report_has_the_sources_and_documents_of_a_table(folder, run, monkeypatch):
    from bleukit.reporting import report

    kept = []
    monkeypatch.setattr(report, "_facts", lambda _, **facts: kept.append(facts) or facts)
    for arguments in (["t.csv"], ["hyp", "-r", "ref1", "--source", "t.csv", "--documents", "t.jsonl"]):
        assert run("report", *arguments, "-o", "p.html") == (0, "", "")
        assert (kept[-1]["source"], kept[-1]["documents"]) == (column("src"), column("doc"))


def test_identify_prints_a_command_that_works(folder, run):
    _, out, _ = run("score", "t.csv", "--hypothesis-column", "hyp")
    score = out.splitlines()[2].split()[1]
    status, out, _ = run("identify", "--score", score, "--hypothesis-column", "hyp", "t.csv")
    assert status == 0
    command = out.splitlines()[-1].removeprefix("To reproduce: ").split()
    assert "--hypothesis-column" in command
    assert run(*(word.strip("'") for word in command[1:]), "-w", "2")[0] == 0


def test_rows_are_streamed(tmp_path, monkeypatch):
    monkeypatch.setattr(table_file, "ROWS", 2)
    monkeypatch.setattr("bleukit.reading.aligned_files.ROWS", 2)
    (tmp_path / "t.csv").write_bytes(b"hyp,ref\n" + b"a,b\n" * 5 + b"c\n")
    with closing(corpora.open_corpus([str(tmp_path / "t.csv")], [])) as corpus:
        parts = corpus.parts()
        assert [len(part.references) for part in (next(parts), next(parts))] == [2, 2]
        with pytest.raises(bleukit.InputError, match="row 6 has 1 field, the header has 2"):
            next(parts)


HOSTILE = {
    "line.tsv": (b"hyp\tref\na\tb\n" + b"c" * 20_000_000, "line.tsv:3: the line has more than 16,777,216 characters"),
    "header.csv": (b"hyp,ref\n", "header.csv: holds no row"),
    "empty.csv": (b"", "empty.csv: is empty"),
    "other.csv": (
        b"a,b\nx,y\n",
        "other.csv: which column is the reference? Give -r, or --reference-column; the columns are 'a', 'b'",
    ),
    "twice.csv": (b"hyp,ref,hyp\na,b,c\n", "twice.csv: has 2 columns 'hyp'"),
    "both.csv": (
        b"hyp,mt,ref\na,b,c\n",
        "both.csv: 'hyp' and 'mt' may be the hypothesis: choose by --hypothesis-column",
    ),
    "escaped.jsonl": (
        b'{"hyp": "a", "h\\u0079p": "b", "ref": "c"}\n',
        "escaped.jsonl: row 1: not proper JSON: ValueError: the key 'hyp' comes twice",
    ),
    "other_keys.jsonl": (
        b'{"hyp": "a", "ref": "c"}\n{"hyp": "a", "ref": "c", "x": 1, "x": 2}\n',
        "other_keys.jsonl: row 2: not proper JSON: ValueError: the key 'x' comes twice",
    ),
    "deep.jsonl": (b'{"hyp": ' + b"[" * 100_000 + b"\n", "deep.jsonl: row 1: not proper JSON: "),
    "alike.csv": (
        b"system,hyp,ref\nA,a,b\nB,a,c\n",
        "alike.csv: row 2, column 'ref': differs from row 1, which has the same segment",
    ),
    "uneven.csv": (
        b"system,hyp,ref\nA,a,b\nB,a,b\nB,a,c\n",
        "uneven.csv: has 2 rows of system 'B', 1 of 'A': row N of each",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_tables_are_one_error_with_its_place(tmp_path, run, name):
    content, message = HOSTILE[name]
    (tmp_path / name).write_bytes(content)
    status, out, err = run("score", name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--hypothesis-column", "x", "t.csv"],
            "has no column 'x'; the columns are 'hyp', 'ref1', 'ref2', 'doc', 'src'",
        ),
        (["--level", "document", "--document-column", "x", "t.csv"], "t.csv: has no column 'x'; the columns are"),
        (["--level", "corpus", "--document-column", "doc", "t.csv"], "go together"),
        (["--system-column", "doc", "--hypothesis-column", "hyp", "--hypothesis-column", "src", "t.csv"], "choose one"),
        (["-r", "ref1", "t.csv#x"], "t.csv: has no column 'x'"),
        (["--system-column", "doc", "t.csv#c"], "t.csv: row 3, column 'ref1': differs from row 1"),
        (
            ["-r", "ref1", "--hypothesis-column", "hyp", "hyp"],
            "columns are those of tables, and none of the files is one: .tsv, .csv, .json, .jsonl",
        ),
        (["-r", "less", "t.csv"], "less has 2 lines, t.csv has 3 rows: row or line N of every file"),
        (["t.csv", "other.csv"], "other.csv: row 2: the reference is not that of t.csv"),
        (["t.csv", "nothing.csv"], "nothing.csv: no such file"),
        (["-r", "ref.sgm", "t.csv"], "evaluation sets (.sgm, .sgml, .xml) and other files cannot be read together"),
        (["--limit", "line=9", "t.csv"], "t.csv"),
    ],
)
def test_what_does_not_go_together_is_reported(folder, run, arguments, message):
    (folder / "less").write_text("a\nb\n")
    (folder / "other.csv").write_bytes(as_csv([row | {"ref1": "x" if row is ROWS[1] else row["ref1"]} for row in ROWS]))
    status, out, err = run("score", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_rows_of_systems_are_held_within_the_limits(folder):
    (folder / "long.csv").write_bytes(as_csv(LONG))
    for name in ("segments", "text"):
        with pytest.raises(bleukit.InputError, match=f"the limit '{name}'"):
            read(["long.csv"], limits=Limits(**{name: 5}))


def test_sentences_are_written_as_json_while_they_are_read(folder, run, monkeypatch):
    from bleukit.cli import scores

    (folder / "long.csv").write_bytes(as_csv(LONG))
    arguments = ("score", "--level", "sentence", "--format", "json", "long.csv")
    whole = run(*arguments)
    found = json.loads(whole[1])["systems"]
    assert [[each["sentence"] for each in system["sentences"]] for system in found] == [["1", "2", "3"]] * 2
    sentences = bleukit.load().sentences(column("hyp"), column("ref1")).tolist()
    assert [each["score"] for each in found[0]["sentences"]] == sentences
    monkeypatch.setattr(scores, "AT_A_TIME", 2)
    monkeypatch.setattr(table_file, "ROWS", 2)
    monkeypatch.setattr("bleukit.reading.aligned_files.ROWS", 2)
    assert run(*arguments) == whole


def test_less_of_each_file_is_read_if_they_are_many(folder, monkeypatch):
    for name, value in (("TEXTS", 6), ("LEAST_ROWS", 1)):
        monkeypatch.setattr(aligned_files, name, value)
    with closing(corpora.open_corpus(["hyp"] * 5, ["ref1"])) as corpus:
        parts = list(corpus.parts())
    assert [len(part.references) for part in parts] == [1, 1, 1]
    assert corpora.TextFile("hyp", among=1000)._block < corpora.TextFile("hyp", among=2)._block


@given(
    st.lists(
        st.fixed_dictionaries(
            {"hyp": st.text(max_size=5), "ref": st.text(max_size=5)},
            optional={"hyp/p": st.none(), "x": st.one_of(st.floats(), st.integers(), st.lists(st.integers()))},
        ),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_json_lines_hold_what_python_reads(tmp_path_factory, rows, is_ascii):
    path = tmp_path_factory.mktemp("rows") / "t.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=is_ascii) + "\n" for row in rows), encoding="utf-8")
    table = open_table(str(path))
    for name in ("hyp", "ref"):
        table.choose("reference", name)
    assert [row for part in table.parts() for row in zip(*part, strict=True)] == [
        (row["hyp"], row["ref"]) for row in rows
    ]


def rows_or_error(path):
    """Return the rows of a table of references, or the message of the error."""
    try:
        table = open_table(str(path))
        for name in table.columns[:2]:
            table.choose("reference", name)
        return [row for part in table.parts() for row in zip(*part, strict=True)]
    except bleukit.InputError as error:
        return str(error)


pieces = st.lists(st.sampled_from(["a", "é", ",", '"', '""', '"a"', "\n", "\r\n", "\r", "\t", ",,", "\0"]), max_size=12)


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
@given(st.sampled_from(["hyp,ref\n", 'hyp,"ref"\r\n', '"hyp"\tref\n', "hyp\n"]), pieces.map("".join), st.integers(1, 9))
@example("hyp,ref\n", '"a\n",b\n"c""\n"",d"', 3)
@example("hyp,ref\n", "a,\nb,c\n,", 9)
@example("hyp\n", "\n", 9)
def test_csv_holds_what_python_reads(tmp_path_factory, suffix, head, content, size):
    path = tmp_path_factory.mktemp("rows") / f"t.{suffix}"
    path.write_bytes((head + content).encode())
    outcomes = []
    for module in (tables._compiled.module, None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "BLOCK", size)
            patch.setattr(tables._compiled, "module", module)
            outcomes.append(rows_or_error(path))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_csv_is_separated_by_what_its_header_has(run, tmp_path, mark, quote):
    rows = [["hyp", "ref"], ["a, b; c", "a, b; d"], ["the cat is here", "the cat is there"]]
    fields = [[f'"{field}"' if quote or mark in field else field for field in row] for row in rows]
    (tmp_path / "t.csv").write_text("".join(mark.join(row) + "\n" for row in fields))
    for name, place in (("hyp", 0), ("ref", 1)):
        (tmp_path / name).write_text("".join(row[place] + "\n" for row in rows[1:]))
    status, out, err = run("score", "-q", "t.csv")
    assert (status, out) == run("score", "-q", "-r", "ref", "hyp")[:2]
    warning = f"bleukit: warning: t.csv: its columns are separated by {mark!r}, as its first line shows\n"
    assert err == ("" if mark == "," else warning)


def test_a_header_of_an_id_and_texts_is_refused(run, tmp_path):
    (tmp_path / "t.tsv").write_text("s1\tThe cat is here.\tA cat is here.\ns2\tThe dog is there.\tA dog is there.\n")
    status, out, err = run("score", "t.tsv")
    assert (status, out) == (2, "")
    assert "t.tsv: its first line, 'The cat is here.', looks like text, not like names: write a line with" in err
    (tmp_path / "t.csv").write_text('s1,"The cat\nis here.","A cat is here."\n')
    assert "looks like text, not like names" in run("score", "t.csv")[2]


@pytest.mark.parametrize("name", ["t.tsv", "t.csv"])
def test_a_header_that_is_text_is_refused(run, tmp_path, name):
    (tmp_path / name).write_text("The cat is here.\nThe dog is there.\n")
    (tmp_path / "ref").write_text("The cat is here.\nThe dog is there.\n")
    status, out, err = run("score", "-r", "ref", name)
    assert (status, out) == (2, "")
    assert f"{name}: its first line, 'The cat is here.', looks like text, not like names: write a line with" in err
    assert run("score", "-q", "-r", "ref", "--as-text", name) == (0, "100.00\n", "")
    (tmp_path / name).write_text("Good morning\nThe cat is here.\nThe dog is there.\n")
    status, out, err = run("score", "-q", "-r", "ref", name)
    assert (status, out) == (0, "100.00\n")
    assert "its first line, 'Good morning', is taken for the name of its only column; if it is text, write" in err
    (tmp_path / name).write_text("Yes\nThe cat is here.\nThe dog is there.\n")
    assert "'Yes', is taken for the name of its only column" in run("score", "-q", "-r", "ref", name)[2]
    assert run("score", "-q", "--hypothesis-column", "Yes", "-r", "ref", name) == (0, "100.00\n", "")
    (tmp_path / name).write_text("Sentences\nThe cat is here.\nThe dog is there.\n")
    assert run("score", "-q", "-r", "ref", name) == (0, "100.00\n", "")
