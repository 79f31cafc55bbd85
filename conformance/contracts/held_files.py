"""Small files of every form, and the texts that they hold by the documentation of input."""

from __future__ import annotations

import gzip
import io
import sys
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from bleukit.conformance.contracts.refused_columns import TEXTS, table
from bleukit.conformance.contracts.ways_of_files import CODES, COMPRESSED, LISTS

from bleukit.text.corpora import ANY_COLUMNS
from bleukit.text.files import DEFAULT_LIMITS, Limits
from bleukit.text.table_file import ColumnNames

try:
    import pyarrow as pa
    from pyarrow import feather, parquet
except ImportError:  # an extra
    pa = None

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BLOCK = 1 << 16
"""How many bytes of a compressed file are read at a time."""


class Held(NamedTuple):
    """Files by their paths, which are those of references if they begin with r; and the texts that they hold.

    ``systems`` has the hypotheses of each system, ``references`` those of each segment; ``names`` are those of the
    systems, and ``documents``, ``sources`` and ``test_sets`` those of each segment, if they are of interest. ``paths``
    are what is asked for, if that is not every file and folder, and ``columns`` are those of tables. ``notes`` are what
    is noticed; in these and in names, files have their paths below the folder.
    """

    says: str
    files: Mapping[str, str | bytes]
    systems: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]
    names: Sequence[str] = ()
    documents: Sequence[str] = ()
    paths: Sequence[str] = ()
    columns: ColumnNames = ANY_COLUMNS
    limits: Limits = DEFAULT_LIMITS
    sources: Sequence[str] = ()
    test_sets: Sequence[str] = ()
    notes: Sequence[str] = ()


def _sgml(tag: str, *texts: str) -> str:
    segments = "".join(f'<seg id="{number}">{text}</seg>' for number, text in enumerate(texts, 1))
    return f'<{tag} sysid="one"><doc docid="1">{segments}</doc></{tag}>'


def _documents_of_sgml(tag: str, documents: Mapping[str, str]) -> str:
    """Return documents whose segments have letters as names, and as texts; those of references are upper case."""
    parts = []
    for name, letters in documents.items():
        texts = letters.upper() if tag == "refset" else letters
        segments = map("<seg id={}>{}</seg>".format, letters, texts)
        parts.append(f"<doc docid={name}>{''.join(segments)}</doc>")
    return f"<{tag} sysid=one>{''.join(parts)}</{tag}>"


def _wmt(*documents: str) -> str:
    return (
        f"<dataset>{''.join(f'<doc id={chr(34)}{n}{chr(34)}>{own}</doc>' for n, own in enumerate(documents))}</dataset>"
    )


def _gzip_member(content: bytes, size: int) -> bytes:
    """Return a member of gzip of so many bytes, of which most are an extra field of the header."""
    header, packed = gzip.compress(content)[:10], gzip.compress(content)[10:]
    extra = size - len(header) - len(packed) - 2
    return header[:3] + b"\x04" + header[4:] + pack("<H", extra) + bytes(extra) + packed


def _names(plain: str, suffix: str) -> list[str]:
    """Return a name, with the suffix of a compression if that is one, in letters of several cases."""
    if suffix == "txt":
        return [plain, plain.upper(), plain.title()]
    return [f"{plain}.{suffix}", f"{plain}.{suffix.upper()}", f"{plain}.{suffix}".upper()]


def _parquet() -> bytes:
    """Return a table whose systems, documents and test sets are numbers."""
    return table(
        parquet.write_table,
        {
            "hyp": ["a", "b", "c", "f"],
            "ref": ["d", "d", "e", "e"],
            "system": pa.array([10, 9] * 2, pa.int8()),
            "document": pa.array([1, 1, 2, 2], pa.uint64()),
            "test_set": pa.array([2020] * 4, pa.int16()),
        },
    )


def _arrow_stream() -> bytes:
    """Return a table of two batches in Arrow's stream format."""
    sink = io.BytesIO()
    table = pa.table({"hyp": ["a", "猫"], "ref": [["b", "c"], ["d"]]})
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table, max_chunksize=1)
    return sink.getvalue()


def _arrow(text: Any, lists: str) -> bytes:
    """Return a table of one type of Arrow's texts, and of another of lists of them, as a file of two batches."""
    kind = pa.list_(text, 2) if lists == "fixed_size_list" else getattr(pa, lists)(text)
    columns = pa.array(["é" * 40, "a"], text), pa.array([["b", "猫" * 20], ["c", ""]], kind)
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, pa.schema([("hyp", text), ("ref", kind)])) as file:
        file.write_table(pa.table(columns, ["hyp", "ref"]), max_chunksize=1)
    return sink.getvalue()


MOST = {code: int(np.iinfo(code).max) for code in CODES}
"""The largest numbers of Arrow's types."""

XZ_9 = bytes.fromhex(
    "fd377a585a000004e6d6b446020021011c00000010cf58cc010001610a00"
    "000013473fb8939d45d400011a02dc2ea57e1fb6f37d010000000004595a"
)
"""What ``xz -9`` writes for the line "a"."""


def _escaped(text: str, place: int) -> str:
    """Return a text one character of which JSON escapes by its number."""
    return f"{text[:place]}\\u{ord(text[place]):04x}{text[place + 1 :]}"


ESCAPED_KEYS = [(_escaped("hyp", place % 3), _escaped("REF 1", place)) for place in range(5)]
"""Keys of hypotheses and references that are escaped in JSON."""

NUMBERED = [f"ref{number}" for number in range(1, 13)]
"""The columns of twelve references."""

TABLES = {
    "1.csv": "hyp,ref\na,b\n",
    "1.tsv": "hyp\tref\na\tb\n",
    "1.jsonl": '{"hyp": "a", "ref": "b"}\n',
    "1.ndjson": '{"hyp": "a", "ref": "b"}\n',
}
"""Tables of one row, by names."""

ROW = {"hyp": ["é" * 40], "ref": ["b"]}
"""The columns of a table of one row."""

SETS = {
    **{f".{suffix}": _sgml("tstset", "a") + _sgml("refset", "b") for suffix in ("sgm", "sgml")},
    ".xml": f"<mteval>{_sgml('tstset', 'a')}{_sgml('refset', 'b')}</mteval>",
}
"""Evaluation sets of one segment, by the suffixes of files."""

MARKED = (
    "1.tsv: row 1, column 'hyp': the quotation marks around it are read as text; if a program added them, "
    "quote the header and all fields (in DuckDB: FORCE_QUOTE *), or none (QUOTE '')"
)
"""What is noted of a field in quotation marks that may be text."""

OF_ONE: Sequence[tuple[str, str, Sequence[str], Sequence[str]]] = (
    ("1.csv", 'hyp,x\na,b\n"c",d\n', ["a", "c"], []),
    ("1.csv#x", "hyp,x\na,b\nc,d\n", ["b", "d"], []),
    ("1.tsv", 'hyp\tx\n"a"\tb\n', ['"a"'], [MARKED]),
    ("1.sgm", _sgml("tstset", "a", "b") + _sgml("refset", "c&amp;").replace("one", "two"), ["a", "b", "c&"], []),
    ("1.sgm#two", _sgml("tstset", "a", "b") + _sgml("refset", "c").replace("one", "two"), ["c"], []),
    ("1", "a\n\0b", ["a", "\0b"], ["1:2: holds a NUL"]),
    ("1.sgml", _sgml("tstset", "a\0"), ["a\0"], ["1.sgml:1: holds a NUL"]),
)
"""Files that are read alone, their texts, and what is noted of them."""

OF_SAMPLES = '["a", "b"]\n{"samples": ["c"], "references": ["d", "e"], "weights": [0.5, 2]}\n{"samples": ["f"]}\n'
GROUPS: Sequence[Sequence[Any]] = [
    [["a", "b"], None, None],
    [["c"], ["d", "e"], [0.5, 2]],
    [["f"], None, None],
]
SAMPLES: Sequence[tuple[str, str, Mapping[str, Any], Sequence[Sequence[Any]]]] = (
    ("1.jsonl", OF_SAMPLES, {}, GROUPS),
    ("1.NDJSON", OF_SAMPLES, {}, GROUPS),
    (
        "1.csv",
        "sample,Samples 2,sample_3,sampled,ref\na,b,c,d,e\n",
        {"columns": ColumnNames(reference=("ref",))},
        [[["a", "b", "c"], ["e"], None]],
    ),
    ("1.csv", "sample1,sample-2,ref\na,b,c\n", {}, [[["a", "b"], None, None]]),
    (
        "1.jsonl",
        '{"x": ["a", "b"], "y": "c", "ref": ["d", "e"]}\n{"x": ["f"], "y": "g", "ref": ["h"]}\n',
        {"columns": ColumnNames(sample=("y", "x"), reference=("ref",))},
        [[["c", "a", "b"], ["d", "e"], None], [["g", "f"], ["h"], None]],
    ),
    ("1.txt", "a\nb\nc\nd\n", {"each": 2}, [[["a", "b"], None, None], [["c", "d"], None, None]]),
    ("1.csv", "x\na\nb\n", {"each": 2}, [[["a", "b"], None, None]]),
)
"""Files of samples, how they are read, and the samples, references and weights of each segment."""

OF_DOCUMENTS: Sequence[tuple[Any, Sequence[Any]]] = [
    *((pa.array([0, most, 0], code), [0, most]) for code, most in MOST.items() if pa is not None),
    *((pa.array(["x", "y", "x"], getattr(pa, name)()), ["x", "y"]) for name in TEXTS),
]
"""Columns of documents, and their labels."""

OF_COMMANDS: Mapping[str, str] = {
    f"{test_set}/{name}": content
    for test_set in ("x", "y")
    for name, content in {
        "a": "a b\n",
        "b": "a b\n",
        "t.csv": "sys,hyp,ref\nA,a,b\nB,c,b\n",
        "u.csv": "sys,hyp,ref\nA,a,b\nC,c,b\n",
        "K": f"{'a' * 1024}\n",
        "M": f"{'a' * (1 << 20)}\n",
    }.items()
}
"""The files of two folders."""

_TWO = ["--test-set", "one={}/x", "--test-set", "two={}/y/", "--samples", "10"]
COMMANDS: Sequence[tuple[Sequence[str], Sequence[str]]] = (
    (["compare", "a", "b", "-r", "a", *_TWO], ["a", "b"]),
    (["compare", "t.csv", *_TWO], ["A", "B"]),
    (["compare", "t.csv#A", "u.csv", *_TWO], ["t.csv#A", "u.csv#A", "C"]),
    (["score", "{}/x/t.csv"], ["A", "B"]),
    (["score", "{}/x/t.csv#B", "{}/x/u.csv"], ["B", "A", "C"]),
    *(
        (["score", f"{{}}/x/{file}", "-r", f"{{}}/x/{file}", "--limit", f"line={size}"], [f"x/{file}"])
        for file, size in (("K", "1K"), ("K", "1024"), ("M", "1M"), ("M", "1G"))
    ),
)
"""Commands, and the names of the systems in what they write."""

HELD: tuple[Held, ...] = (
    Held("a last line without an end", {"1": "a\nb 𠮷", "r": "c\n猫"}, [["a", "b 𠮷"]], [["c"], ["猫"]]),
    Held(
        "the first and the last characters of each length",
        {"1": "\x01\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff" * 3, "r": "a"},
        [["\x01\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff" * 3]],
        [["a"]],
    ),
    Held("a last line that is empty", {"1": "a\n\n", "r": "c\n\n"}, [["a", ""]], [["c"], [""]]),
    Held("line ends of Windows", {"1": "a\r\nb\r\n", "r": "a\r\nb"}, [["a", "b"]], [["a"], ["b"]]),
    Held(
        "carriage returns in a text", {"1": "a\r\r\nb\rc\nd\r", "r": "a\n" * 3}, [["a\r", "b\rc", "d\r"]], [["a"]] * 3
    ),
    Held(
        "other separators of lines",
        {"1": "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n", "r": "\u3000a\xa0\n"},
        [["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"]],
        [["\u3000a\xa0"]],
    ),
    Held("a byte-order mark", {"1": "\ufeffa\n\ufeffb\n", "r": "a\nb\n"}, [["a", "\ufeffb"]], [["a"], ["b"]]),
    Held(
        "members of gzip of which one ends where blocks end",
        {"1.gz": _gzip_member(b"a\n", BLOCK // 2) * 2 + gzip.compress(b"b\n"), "r": "c\n" * 3},
        [["a", "a", "b"]],
        [["c"]] * 3,
    ),
    Held(
        "quoted fields of CSV",
        {"1.csv": 'hyp,ref\r\n"a, ""b""","c\nd"\r\n e ,\r\n'},
        [['a, "b"', " e "]],
        [["c\nd"], [""]],
    ),
    Held(
        "a line end in the name of a column, and one in a field",
        {"1.csv": 'hyp,ref,"x\ny"\n"a\nb",c,d\ne,"f\ng",h\n'},
        [["a\nb", "e"]],
        [["c"], ["f\ng"]],
    ),
    Held("quotation marks in TSV", {"1.tsv": 'hyp\tref\na, "b"\tc"d\n'}, [['a, "b"']], [['c"d']]),
    Held(
        "twelve references in columns",
        {"1.tsv": "\t".join(["hyp", *NUMBERED]) + "\n" + "\t".join(["a", *NUMBERED]) + "\n"},
        [["a"]],
        [NUMBERED],
    ),
    Held(
        "escaped characters in JSON lines",
        {"1.jsonl": '{"reference": ["\\ud83d\\udc4d", "\\u00e9\\n"], "x": {}, "hypothesis": "a\\/\\t"}\n'},
        [["a/\t"]],
        [["👍", "é\n"]],
    ),
    *(
        Held(
            f"escaped keys {keys} in JSON lines",
            {"1.jsonl": '{{"hyp": "a", "REF 1": "b"}}\n{{"{}": "c", "{}": "d"}}\n'.format(*keys)},
            [["a", "c"]],
            [["b"], ["d"]],
        )
        for keys in ESCAPED_KEYS
    ),
    Held(
        "entities, numbered characters and spaces of SGML",
        {
            "1.sgm": _sgml("tstset", "&lt;a&gt; &amp;amp; &quot;", "10\u00a0000\u3000x&#xA0;y\n z"),
            "r.sgm": _sgml("refset", "&#233; &#xe9; &#128077; &#x1F44D;", "AT&T &unknown; <hl>b</hl>"),
        },
        [['<a> &amp; "', "10\u00a0000\u3000x\u00a0y z"]],
        [["é é 👍 👍"], ["AT&T &unknown; <hl>b</hl>"]],
    ),
    Held(
        "references and systems of WMT's XML without names",
        {
            "1.xml": _wmt("<hyp><seg id='1'>a</seg></hyp>", "<hyp><seg id='1'>b</seg></hyp>"),
            "r.xml": _wmt(
                *(f"<ref><seg id='1'>{n}</seg></ref><ref><seg id='1'>{n}&#x1F44D;</seg></ref>" for n in "ab")
            ),
        },
        [["a", "b"]],
        [["a", "a👍"], ["b", "b👍"]],
    ),
    Held(
        "the files of a folder in the order of their names",
        {"1/day-2/x": "c\n", "1/day/y": "b\n", "1/day/x": "a\n", "1/day.txt": "d\n", "r": "e\n" * 4},
        [["a", "b", "c", "d"]],
        [["e"]] * 4,
    ),
    Held(
        "an empty line with a line end of Windows",
        {"1": "a\r\n\r\nb\r\n", "r": "a\n" * 3},
        [["a", "", "b"]],
        [["a"]] * 3,
    ),
    Held(
        "byte-order marks of the members of gzip",
        {"1.gz": b"".join(map(gzip.compress, (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n"))), "r": "a\n" * 2},
        [["a", "\ufeffb"]],
        [["a"]] * 2,
    ),
    Held("a file of xz -9", {"1.xz": XZ_9, "r": "a\n"}, [["a"]], [["a"]]),
    *(
        Held(f"hypotheses in a column {name!r}", {"1.csv": f"{name},ref,x\na,b,c\n"}, [["a"]], [["b"]])
        for name in [
            "hypothesis",
            "Hypotheses",
            "hyp",
            "MT",
            "translation",
            "Translations",
            "prediction",
            "output",
            "candidate",
            "Hyp",
            "predictions",
        ]
    ),
    Held(
        "references in columns of all names",
        {
            "1.csv": "hyp,reference,REF,refs,ref_words,ref1,Reference 2,ref_B,ref-c,xref,ref_1a,references,ref12\n"
            "h,1,2,3,x,4,5,6,7,x,x,8,9\n"
        },
        [["h"]],
        [["1", "2", "3", "4", "5", "6", "7", "8", "9"]],
    ),
    *(
        Held(
            f"systems in a column {system!r}, documents in {document!r}",
            {"1.csv": f"hyp,{system},ref,{document}\na,B,c,1\nd,A,c,1\ne,A,f,2\ng,B,f,2\n"},
            [["a", "g"], ["d", "e"]],
            [["c"], ["f"]],
            ["B", "A"],
            ["1", "2"],
        )
        for system, document in zip(
            ["system", "SYS", "systemid", "system_name", "system_id", "System"],
            ["document", "doc", "docid", "Doc_Name", "document_id", "doc_id"],
            strict=True,
        )
    ),
    Held("the only column of a table", {"1.csv": "x\na\n", "r.jsonl": '{"y": "b"}\n'}, [["a"]], [["b"]]),
    Held(
        "columns that are asked for",
        {"1.csv": "a,b,ref,c\n1,2,3,4\n"},
        [["2"], ["1"]],
        [["4", "3"]],
        columns=ColumnNames(hypothesis=("b", "a"), reference=("c", "ref")),
    ),
    Held(
        "a column of references that a path names, and another that is asked for",
        {"1": "a\n", "r.csv": "ref1,ref2\nb,c\n"},
        [["a"]],
        [["c"]],
        paths=["1", "r.csv#ref2"],
        columns=ColumnNames(reference=("ref1",)),
    ),
    Held(
        "a system of a table below a folder with # in its name",
        {"1#2/x.csv": "sys,hyp,ref\nA,a,c\nB,b,c\n"},
        [["b"]],
        [["c"]],
        paths=["1#2/x.csv#B"],
    ),
    Held(
        "the same references in two tables",
        {"1.csv": "hyp,ref1,ref2\na,b,c\n", "2.jsonl": '{"hyp": "d", "ref": ["b", "c"]}\n'},
        [["a"], ["d"]],
        [["b", "c"]],
    ),
    Held("a first column without a name", {"1.tsv": "\thyp\tref\n0\ta\tb\n"}, [["a"]], [["b"]]),
    Held("TSV that is quoted", {"1.tsv": '"hyp"\t"ref"\n"a, ""b"""\t"c\td"\n'}, [['a, "b"']], [["c\td"]]),
    Held(
        "TSV in which fields had to be quoted",
        {"1.tsv": 'hyp\tref\n"""No,"" he said."\tb\n"x"\tc\n'},
        [['"No," he said.', "x"]],
        [["b"], ["c"]],
    ),
    Held("TSV with empty fields in quotation marks", {"1.tsv": 'hyp\tref\n""\tb\nx\t""\n'}, [["", "x"]], [["b"], [""]]),
    Held(
        "text after doubled quotation marks, and lines in fields of CSV",
        {"1.csv": 'hyp,ref\n"a ""b"" c, ""d"" e",f\n"g ""h"" ","i\n""j"" k"\nl,"m"'},
        [['a "b" c, "d" e', 'g "h" ', "l"]],
        [["f"], ['i\n"j" k'], ["m"]],
    ),
    Held(
        "lines in a field of CSV after a row that two blocks share",
        {"1.csv": "hyp,ref\n" + f"{'a' * 998},b\n" * 1_100 + '"c\nd",e\n'},
        [["a" * 998] * 1_100 + ["c\nd"]],
        [["b"]] * 1_100 + [["e"]],
    ),
    *(
        Held(
            "U+0000 in CSV",
            {"1.csv": 'hyp,ref\n"a\nb",c\nd\0e,f\n'},
            [["a\nb", "d\0e"]],
            [["c"], ["f"]],
            notes=["1.csv:4: holds a NUL"],
        )
        for _ in range(sys.version_info >= (3, 11))  # which reads it
    ),
    Held(
        "hidden files and folders",
        {
            "1/_temporary/0/x": "z\n",
            "1/.x/y": "z\n",
            "1/_SUCCESS": "",
            "1/a_b/.x": "z\n",
            "1/a_b/c_d": "a\n",
            "r": "b\n",
        },
        [["a"]],
        [["b"]],
    ),
    Held(
        "what a pattern matches",
        {"1/a/x": "a\n", "1/a/y/z": "b\n", "1/b": "c\n", "r": "d\n" * 3},
        [["a", "b", "c"]],
        [["d"]] * 3,
        paths=["1/**", "r"],
    ),
    Held(
        "folders that are named by keys and values",
        {f"1/system={name}/doc=d 1/x.csv": f"hyp,ref\n{name},b\n" for name in ("A+B", "C%2FD", "E=F")},
        [["A+B"], ["C%2FD"], ["E=F"]],
        [["b"]],
        ["A+B", "C/D", "E=F"],
        ["d 1"],
    ),
    Held(
        "tables of a folder with other orders of columns, or no row",
        {"1/a.csv": "hyp,ref\na,b\n", "1/b.csv": "hyp,ref\n", "1/c.csv": "x,ref,hyp\ne,d,c\n"},
        [["a", "c"]],
        [["b"], ["d"]],
    ),
    Held(
        "SGML without end tags and quotation marks, in upper case",
        {
            "1.sgm": "<TSTSET sysid=one><DOC docid=1><SEG id=1>a<p>x<p>y<SEG ID=2>b</DOC></TSTSET>",
            "r.sgm": "<refset sysid='r'><doc docid='1'><seg id='1'>c</seg>\n<seg id='2'>d</doc></refset>",
        },
        [["a", "b"]],
        [["c"], ["d"]],
    ),
    Held(
        "a system and a reference of evaluation sets",
        {
            "1.sgm": _sgml("tstset", "a") + _sgml("tstset", "b").replace("one", "two"),
            "r.sgm": _sgml("refset", "c") + _sgml("refset", "d").replace("one", "two"),
        },
        [["b"]],
        [["d"]],
        paths=["1.sgm#two", "r.sgm#two"],
    ),
    Held(
        "keys of other objects in JSON lines",
        {
            "1.jsonl": '{"x": {"hyp": "z"}, "hyp": "a", "ref": "b"}\r\n'
            ' { "ref" : "d" ,\t"hyp": "c", "x": [{"ref": "w"}]}'
        },
        [["a", "c"]],
        [["b"], ["d"]],
    ),
    *(
        Held(f"a byte-order mark of {name}", {name: f"\ufeff{content}"}, [["a"]], [["b"]])
        for name, content in {
            "1.csv": "hyp,ref\na,b",
            "2.csv": '"hyp","ref"\n"a","b"',
            "1.tsv": "hyp\tref\r\na\tb\r\n",
            "1.jsonl": '{"hyp": "a", "ref": "b"}',
        }.items()
    ),
    *(
        Held(f"other separators of lines in {name}", {name: content}, [["a\u2028\x85\x0b\x0cx"]], [["b"]])
        for name, content in {
            "1.csv": "hyp,ref\na\u2028\x85\x0b\x0cx,b\n",
            "1.tsv": "hyp\tref\na\u2028\x85\x0b\x0cx\tb\n",
            "1.jsonl": '{"hyp": "a\u2028\x85\\u000b\\u000cx", "ref": "b"}\n',
        }.items()
    ),
    Held(
        "systems one after the other, and documents that are numbers, in JSON lines",
        {
            "1.jsonl": "".join(
                f'{{"hyp": "{system}{n}", "ref": "r{n}", "system": "{system}", "doc": {n // 2}}}\n'
                for system in "BA"
                for n in range(3)
            )
        },
        [["B0", "B1", "B2"], ["A0", "A1", "A2"]],
        [["r0"], ["r1"], ["r2"]],
        ["B", "A"],
        ["0", "0", "1"],
    ),
    Held(
        "sections of characters, and comments, in WMT's XML",
        {
            "1.xml": _wmt("<hyp><p><seg id='1'><![CDATA[a <b> &amp;]]> c</seg></p></hyp>"),
            "r.xml": _wmt("<ref><seg id='1'>a<!-- x --> b &#65;</seg></ref>"),
        },
        [["a <b> &amp; c"]],
        [["a b A"]],
    ),
    Held(
        "documents and segments of references in another order",
        {
            "1.sgm": _documents_of_sgml("tstset", {"1": "ab", "2": "c"}),
            "r.sgm": _documents_of_sgml("refset", {"2": "c", "1": "ba"}),
        },
        [["c", "b", "a"]],
        [["C"], ["B"], ["A"]],
        documents=["2", "1", "1"],
    ),
    Held(
        "documents in a column of the second table that is asked for",
        {"1.csv": "hyp,ref\na,b\nc,d\n", "2.csv": "hyp,ref,x,doc\ne,b,f,1\ng,d,h,2\n"},
        [["a", "c"], ["e", "g"]],
        [["b"], ["d"]],
        documents=["f", "h"],
        columns=ColumnNames(document="x"),
    ),
    *(
        Held(
            f"sources in a column {source!r}, test sets in {test_set!r}",
            {"1.csv": f"hyp,ref,{source},{test_set}\na,b,c,d\n"},
            [["a"]],
            [["b"]],
            sources=["c"],
            test_sets=["d"],
        )
        for source, test_set in (("source", "test_set"), ("SRC", "TestSet"))
    ),
    *(
        Held(f"the table {name}", {name: COMPRESSED[suffix](content.encode())}, [["a"]], [["b"]])
        for suffix in COMPRESSED
        for plain, content in TABLES.items()
        for name in _names(plain, suffix)
    ),
    *(
        Held(
            f"the evaluation set 1{form}",
            {f"1{form}": COMPRESSED[suffix](content.encode()), f"r{form}": COMPRESSED[suffix](content.encode())},
            [["a"]],
            [["b"]],
            ["one"],
            ["1"],
        )
        for suffix in COMPRESSED
        for plain, content in SETS.items()
        for form in _names(plain, suffix)
    ),
    *(
        Held(
            f"the text file 1.{suffix}",
            {f"1.{suffix}": COMPRESSED[suffix.lower()](b"a\n"), "r": "b\n"},
            [["a"]],
            [["b"]],
        )
        for suffix in (*map(str.upper, COMPRESSED), *COMPRESSED)
    ),
    Held("text files with # and brackets in their names", {"1.csv#a": "a\n", "r[1]": "b\n"}, [["a"]], [["b"]]),
    *(
        Held(
            f"a system of {path}",
            {"1#x/a.csv": "sys,hyp,ref\nA,a,c\nB,b,c\n", "1#x/b.csv": "sys,hyp,ref\nA,d,f\nB,e,f\n"},
            [["b", "e"]],
            [["c"], ["f"]],
            ["B"],
            paths=[f"{path}#B"],
        )
        for path in ("1#x", "1#x/*.csv", "1*")
    ),
    Held(
        "columns that are asked for, and their names",
        {"1.csv": "a,b,c\n1,2,3\n", "2.csv": "a,c\n4,3\n", "3.csv": "a,c\n5,3\n"},
        [["1"], ["2"], ["4"], ["5"]],
        [["3"]],
        ["1.csv#a", "1.csv#b", "2.csv", "3.csv"],
        paths=["1.csv#a", "1.csv#b", "2.csv", "3.csv"],
        columns=ColumnNames(hypothesis=("a",), reference=("c",)),
    ),
    Held(
        "systems of one name in two tables",
        {"1.csv": "sys,hyp,ref\nA,a,c\nB,b,c\n", "2.csv": "sys,hyp,ref\nA,d,c\n"},
        [["a"], ["b"], ["d"]],
        [["c"]],
        ["1.csv#A", "B", "2.csv"],
    ),
    *(
        Held(
            f"{says} as long as the limit of {most}",
            files,
            [["é" * 40, "b"]],
            [["é" * 40], ["b"]],
            limits=Limits(line=most, text=text, segments=segments),
        )
        for says, most, text, segments, files in (
            ("lines", 40, 82, 2, dict.fromkeys(("1", "r"), f"{'é' * 40}\nb\n")),
            ("fields of CSV", 81, 82, 2, {"1.csv": f"hyp,ref\n{'é' * 40},{'é' * 40}\nb,b\n"}),
            ("quoted fields of CSV", 85, 82, 2, {"1.csv": f'"hyp","ref"\n"{"é" * 40}","{"é" * 40}"\nb,b\n'}),
            ("fields of TSV", 81, 82, 2, {"1.tsv": f"hyp\tref\n{'é' * 40}\t{'é' * 40}\nb\tb\n"}),
            (
                "JSON lines",
                99,
                82,
                2,
                {"1.jsonl": f'{{"hyp":"{"é" * 40}","ref":"{"é" * 40}"}}\n{{"hyp":"b","ref":"b"}}\n'},
            ),
            (
                "evaluation sets",  # whose documents are counted, too
                40,
                len(_sgml("refset", "é" * 40, "b")),
                3,
                {"1.sgm": _sgml("tstset", "é" * 40, "b"), "r.sgm": _sgml("refset", "é" * 40, "b")},
            ),
        )
    ),
    Held(
        "a long field of CSV below a header with a line end",
        {"1.csv": f'hyp,ref,"x\ny"\n{"a" * 200_000},b,c\n'},
        [["a" * 200_000]],
        [["b"]],
    ),
    Held(
        "TSV in which a field begins with a quotation mark that is text",
        {"1.tsv": 'hyp\tref\tx\n"a" b\tc\t"d ""e"""\n"f ""g"""\th\t""\n'},
        [['"a" b', '"f ""g"""']],
        [["c"], ["h"]],
    ),
    Held(
        "TSV in which a field that looks quoted is text by a later one",
        {"1.tsv": 'hyp\tref\n"a ""b"""\tc\n"d" e\tf\n'},
        [['"a ""b"""', '"d" e']],
        [["c"], ["f"]],
        paths=["1.tsv"],
    ),
    Held(
        "TSV with a field that may be quoted",
        {"1.tsv": 'hyp\tref\n"a"\tb\n'},
        [['"a"']],
        [["b"]],
        notes=[MARKED],
    ),
    Held(
        "keys with marks, and others in later rows, of JSON lines",
        {
            "1.jsonl": '{"hyp": "a", "ref": "b", "x/y": 1, "é": 2}\n'
            '{"é": 1, "new": 3, "ref": "d", "x\\/y": 2, "hyp": "c"}\n'
        },
        [["a", "c"]],
        [["b"], ["d"]],
    ),
    Held(
        "a NUL in a text",
        {"1": "a\nb\0c d\n", "r": "e\nf\n"},
        [["a", "b\0c d"]],
        [["e"], ["f"]],
        notes=["1:2: holds a NUL"],
    ),
    Held(
        "a document without a name",
        {"1.csv": "hyp,ref,doc\na,b,c\nd,e, \nf,g,\n"},
        [["a", "d", "f"]],
        [["b"], ["e"], ["g"]],
        documents=["c", " ", ""],
        notes=["1.csv: row 2: blank document id"],
    ),
    Held(
        "segments without names, and names of systems and references, in SGML",
        {
            "1.sgm": "<tstset><doc docid=1 sysid=A><seg>a<seg>b</doc><doc docid=2 sysid=A><seg>c</doc>"
            "<doc docid=1 SysID='B  C'><seg>d<seg>e</doc><doc docid=2 sysid='B C'><seg>f</doc></tstset>",
            "r.sgm": "<refset refid=x><doc docid=1><seg id=1>g<seg id=2>h</doc><doc docid=2><seg id=1>i</doc></refset>"
            "<refset refid=y><doc id=1><seg id=1>j<seg id=2>k</doc><doc id=2><seg id=1>l</doc></refset>",
        },
        [["a", "b", "c"], ["d", "e", "f"]],
        [["g", "j"], ["h", "k"], ["i", "l"]],
        ["A", "B C"],
        ["1", "1", "2"],
    ),
    Held(
        "systems of one name in two evaluation sets, and one without a name",
        {"1.sgm": _sgml("tstset", "a"), "2.sgm": _sgml("tstset", "b"), "3.sgm": _sgml("tstset", "c").replace("one", "")}
        | {"r.sgm": _sgml("refset", "d")},
        [["a"], ["b"], ["c"]],
        [["d"]],
        ["1.sgm: system 'one'", "2.sgm: system 'one'", "3.sgm: system"],
    ),
    Held(
        "sets of mteval, and all entities, in XML",
        {
            "1.xml": f"<mteval>{_sgml('tstset', '&apos;&#128077;&lt;')}</mteval>",
            "r.xml": "<mteval><refset><DOC docid='1'><p><Seg ID='1'>a <b>c</b> d</Seg></p></DOC></refset></mteval>",
        },
        [["'👍<"]],
        [["a c d"]],
        ["one"],
    ),
    Held(
        "systems and references of WMT's XML with names",
        {
            name: _wmt(
                *(
                    "<src><seg>s</seg></src>"
                    f"{''.join(f'<ref translator={t}><seg>{n}{t}</seg><seg>x</seg></ref>' for t in order)}"
                    f"<hyp system='S'><seg>{n}1</seg><seg>y</seg></hyp>"
                    f"<hyp system='U'><seg>{n}2</seg><seg>z</seg></hyp>"
                    for n, order in zip("ab", (["'T'", "'V'"], ["'V'", "'T'"]), strict=True)
                )
            )
            for name in ("1.xml", "r.xml")
        },
        [["a2", "z", "b2", "z"], ["a1", "y", "b1", "y"]],
        [["a'T'", "a'V'"], ["x", "x"], ["b'T'", "b'V'"], ["x", "x"]],
        ["U", "S"],
        ["0", "0", "1", "1"],
        paths=["1.xml#U", "1.xml#S", "r.xml"],
    ),
    *(
        Held(
            f"declarations and a byte-order mark in {form}",
            {f"1{form}": f"\ufeff{declared}{content}", f"r{form}": f"{declared}{content}"},
            [["a"]],
            [["b"]],
            ["one"],
        )
        for form, content in SETS.items()
        for declared in (
            '<?xml version="1.0" encoding="UTF-8"?>\n<!-- <seg> -->\n' * (form == ".xml")
            + '<!DOCTYPE mteval SYSTEM "ftp://x/mteval.dtd">\n',
        )
    ),
    Held(
        "a column of references in a folder",
        {"1": "a\n", "r/a.csv": "ref1,ref2\nb,c\n"},
        [["a"]],
        [["c"]],
        paths=["1", "r#ref2"],
    ),
    Held(
        "the column of text in a folder",
        {"1/a": "a\n", "1/b": "b\n", "r": "c\n" * 2},
        [["a", "b"]],
        [["c"]] * 2,
        ["1#text"],
        paths=["1#text", "r"],
    ),
    Held(
        "entities and spaces of SGML that are no text",
        {"1.sgm": _sgml("tstset", "&apos;&#X41;&#0000065; a\x0b\x0c\r\n\tb &nbsp;"), "r.sgm": _sgml("refset", " c ")},
        [["'AA a b &nbsp;"]],
        [[" c "]],
    ),
    Held(
        "folders of escaped keys, of which one is in the tables, and without a value",
        {
            "1/s%79s=A/doc=__HIVE_DEFAULT_PARTITION__/x.csv": "hyp,ref,sys\na,b,X\n",
            "1/s%79s=A/doc=e/x.csv": "sys,ref,hyp\nY,d,c\n",
        },
        [["a", "c"]],
        [["b"], ["d"]],
        ["A"],
        ["", "e"],
        notes=["1: segment 1: blank document id"],
    ),
    Held(
        "a pattern that names a hidden folder",
        {"1/_x/a": "a\n", "1/_x/_b": "z\n", "1/_y/a": "b\n\0\n", "r": "c\n" * 3},
        [["a", "b", "\0"]],
        [["c"]] * 3,
        paths=["1/_*/*", "r"],
        notes=["1/_y/a:2: holds a NUL"],
    ),
    Held(
        "text files of a folder whose last lines have no end",
        {"1/a": "a", "1/b": "b\n", "1/c": "c\r\nd", "r": "e\n" * 4},
        [["a", "b", "c", "d"]],
        [["e"]] * 4,
    ),
)
if pa is not None:
    HELD += (
        Held("Arrow's stream", {"1.arrow": _arrow_stream()}, [["a", "猫"]], [["b", "c"], ["d"]]),
        Held(
            "numbers of systems, documents and test sets in Parquet",
            {"1.parquet": _parquet()},
            [["a", "c"], ["b", "f"]],
            [["d"], ["e"]],
            ["10", "9"],
            ["1", "2"],
            test_sets=["2020"] * 2,
        ),
        *(
            Held(f"the table {name}", {name: content}, [["é" * 40]], [["b"]], limits=Limits(line=40))
            for name, content in (
                ("1.PARQUET", table(parquet.write_table, ROW)),
                ("1.parquet.gz", gzip.compress(table(parquet.write_table, ROW))),
                ("1.Feather", table(feather.write_feather, ROW)),
                ("1.arrow.XZ", COMPRESSED["xz"](table(feather.write_feather, ROW))),
            )
        ),
        *(
            Held(
                f"{text} and {lists} of Arrow's file",
                {"1.arrow": _arrow(text, lists)},
                [["é" * 40, "a"]],
                [["b", "猫" * 20], ["c", ""]],
                limits=Limits(line=40),
            )
            for lists in (*LISTS, "fixed_size_list")
            for text in (*(getattr(pa, name)() for name in TEXTS), pa.dictionary(pa.int8(), pa.string()))
        ),
    )
