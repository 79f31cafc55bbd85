"""Files that must be refused, and where the messages must say what is wrong in them."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit.conformance.contracts import refused_columns
from bleukit.conformance.contracts.corpora import LINES
from bleukit.conformance.contracts.held_files import ESCAPED_KEYS
from bleukit.conformance.contracts.ways_of_commands import printed
from bleukit.conformance.contracts.ways_of_files import COMPRESSED, write_files

import bleukit
from bleukit.errors import shown
from bleukit.text.corpora import ANY_COLUMNS, in_memory, open_corpus, read_segments
from bleukit.text.files import DEFAULT_LIMITS
from bleukit.text.samples import SampleFiles
from bleukit.text.table_file import ColumnNames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.text.files import Limits


def attempts(folder: Path) -> Mapping[str, Callable[[], object]]:
    """Return attempts to read files that must be refused, by what they are; ``folder`` is for the files."""
    return {
        **{says: partial(_read, folder, files) for says, files in {**FILES, **refused_columns.FILES}.items()},
        **{
            f"columns {[*filter(None, columns)]} of {files}": partial(_read, folder, files, columns=columns)
            for files, columns in NO_COLUMNS
        },
        **{f"samples of {files}, {how}": partial(_read_samples, folder, files, how) for files, how in SAMPLES},
        "a table of systems above a limit": partial(_read, folder, OF_SYSTEMS, DEFAULT_LIMITS._replace(text=100)),
        **{f"above a limit, {files}": partial(_read, folder, files, SMALL_LIMITS) for files in LONG_FILES},
        **{f"held above a limit, {files}": partial(_read, folder, files, HELD_LIMITS) for files in HELD_FILES},
        **{f"{name} that changes": partial(_read_changing, folder, name) for name in COMPRESSED if name != "zst"},
        **{
            f"the command {words}, {number}": partial(_command, folder, words, files)
            for number, (words, files) in enumerate(COMMANDS)
        },
        **{
            f"a file of {role} beside evaluation sets": partial(_beside_sets, folder, role)
            for role in ("documents", "sources")
        },
        **{
            f"the segments of {name}: {content!r}": partial(_read_segments, folder, name, content)
            for name, content in (
                ("1.csv", "hyp,mt\na,b\n"),
                ("1.csv", "x,y\na,b\n"),
                ("1.csv#z", "x,y\na,b\n"),
                ("1.sgm#x", _SGML),
                ("1.sgm", "<tstset>"),
                ("1", ""),
                ("1.csv", "x\n"),
            )
        },
        **({"a named pipe for two": partial(_read_pipe_twice, folder)} if hasattr(os, "mkfifo") else {}),
        "standard input for two": lambda: open_corpus(["-"], ["-"]),
    }


def misplaced(folder: Path) -> Iterator[tuple[str, Callable[[], object], Sequence[str]]]:
    """Yield attempts to read files that are wrong somewhere, and what their messages must have."""
    for files, places in PLACES:
        yield f"where {shown(files)} are wrong", partial(_read, folder, files, LIMITS_OF_PLACES), places


def _read(
    folder: Path,
    files: Mapping[str, str | bytes],
    limits: Limits = DEFAULT_LIMITS,
    columns: ColumnNames = ANY_COLUMNS,
) -> object:
    """Count what some files hold: as hypotheses if their names begin with 1, else as references.

    After # stands what is chosen of a file. All segments are in memory if the limits of these are small.
    """
    below = Path(tempfile.mkdtemp(dir=folder))
    write_files(below, {name.partition("#")[0]: content for name, content in files.items()})
    paths = [str(below / name) for name in dict.fromkeys(name.partition("/")[0] for name in files)]
    hypotheses = [path for path in paths if Path(path).name.startswith("1")]
    references = [path for path in paths if path not in hypotheses]
    how: Any = {"columns": columns, "wanted": ["document", "source"], "limits": limits}
    bleu = bleukit.load()
    with closing(open_corpus(hypotheses, references, **how)) as corpus:
        return [
            bleu.statistics(own, part.references, references_by="segment")
            for part in ([in_memory(corpus, limits=limits)] if limits is HELD_LIMITS else corpus.parts())
            for own in part.systems
        ]


def _command(folder: Path, words: Sequence[str], files: Mapping[str, str]) -> object:
    """Run a command; {} in its words stands for the folder of some files."""
    below = Path(tempfile.mkdtemp(dir=folder))
    write_files(below, files)
    return printed(*(word.format(below) for word in words))


def _beside_sets(folder: Path, role: str) -> object:
    """Read evaluation sets and a file that they have no use for."""
    path = folder / "beside.sgm"
    path.write_text(_SGML + _SGML_REFERENCE, "utf-8")
    return open_corpus([str(path)], [str(path)], **{role: str(path)})  # type: ignore[arg-type]


def _read_segments(folder: Path, name: str, content: str) -> object:
    write_files(folder, {name.partition("#")[0]: content})
    return [*map(list, read_segments(str(folder / name), notes=[]))]


def _read_pipe_twice(folder: Path) -> object:
    """Open a named pipe, and a link to it."""
    path, link = folder / "pipe", folder / "link"
    os.mkfifo(path)
    link.symlink_to(path)
    return open_corpus([str(path)], [str(link)])


def _read_changing(folder: Path, suffix: str) -> object:
    """Read a file to which a line is added while it is read."""
    path = folder / f"changing.{suffix}"
    path.write_bytes(COMPRESSED[suffix](b"a\n"))

    def change(_: int) -> None:
        if path.stat().st_size < 1000:
            path.write_bytes(path.read_bytes() + COMPRESSED[suffix](b"b\n" * 1000))

    with closing(open_corpus([str(path)], [str(path)], on_read=change)) as corpus:
        return list(corpus.parts())


def _read_samples(folder: Path, files: Mapping[str, str], how: Mapping[str, Any]) -> object:
    """Return the groups of files of samples, whose names begin with 1; the others are references."""
    write_files(folder, files)
    samples, references = ([str(folder / name) for name in files if name.startswith(first)] for first in "12")
    with closing(SampleFiles(samples, references, **how)) as files_of_samples:
        return list(files_of_samples.groups())


_SGML = '<tstset sysid="1"><doc docid="1"><seg id="1">a</seg></doc></tstset>'
_REFERENCE, _SYSTEM = "<ref><seg>a</seg></ref>", '<hyp system="x"><seg>a</seg></hyp>'
_SGML_REFERENCE = '<refset><doc docid="1"><seg id="1">a</seg></doc></refset>'

_TWO = ["--test-set", "one={}/x", "--test-set", "two={}/y", "--samples", "10"]
_TEXT = {"a": "a b\n", "b": "a c\n"}
_JOINED = ["score", "-V", "d-bleu", "{}/a", "-r", "{}/b"]
COMMANDS: Sequence[tuple[Sequence[str], Mapping[str, str]]] = (
    *(
        (["score", "{}/a", "-r", "{}/b", "--limit", limit], {**_TEXT, "a": f"{'a' * size}\n"})
        for limit, size in (
            ("line=1K", 1025),
            ("line=1M", (1 << 20) + 1),
            ("line=1k", 1),
            ("line=", 1),
            ("line", 1),
            ("line=-1", 1),
            ("line=1.5K", 1),
            ("lines=9", 1),
        )
    ),
    (["score", "{}/a"], _TEXT),
    (["score", "{}/a", "-r", "{}/c"], _TEXT),
    (["score", "{}/a", "-r", "{}"], {}),
    (_JOINED, _TEXT),
    ([*_JOINED, "--documents", "{}/d"], {**_TEXT, "d": "x\nx\n"}),
    (["self-bleu", "-V", "d-bleu", "{}/a"], _TEXT),
    (["explain", "{}/a.csv"], {"a.csv": "sys,hyp,ref\nA,a,b\nB,c,b\n"}),
    (["compare", "t.csv", *_TWO], {"x/t.csv": "sys,hyp,ref\nA,a,b\nB,a,b\n", "y/t.csv": "sys,hyp,ref\nA,a,b\nC,a,b\n"}),
    (["compare", "t.csv", *_TWO], {"x/t.csv": "sys,hyp,ref\nA,a,b\nB,a,b\n", "y/t.csv": "sys,hyp,ref\nA,a,b\n"}),
    (
        ["compare", "t.csv", *_TWO],
        {"x/t.csv": "sys,hyp,ref\nA,a,b\nB,a,b\n", "y/t.csv": "sys,hyp,ref,doc\nA,a,b,c\nB,a,b,c\n"},
    ),
)
"""Commands that are refused, and their files."""

SAMPLES: Sequence[tuple[Mapping[str, str], Mapping[str, Any]]] = (
    ({"1.txt": "a\nb\nc\nd\ne\n"}, {"each": 3}),
    ({"1.txt": "a\nb\n"}, {}),
    ({"1.txt": "a\nb\n", "2.txt": "a\n"}, {"each": 2}),
    ({"1.txt": "a\nb\n", "1a.txt": "a\nb\n"}, {"each": 2}),
    ({"1.txt": "a\nb\n", "1a.txt": "a\n"}, {}),
    ({"1.txt": "a\nb\n", "1a.txt": "a\nb\n", "2.txt": "a\n"}, {}),
    ({"1.sgm": "<tstset>"}, {"each": 1}),
    ({"1.csv": "sample\na\n"}, {}),
    ({"1.csv": "sample1,sample2\na,b\n"}, {"each": 1}),
    ({"1.csv": "sample1,sample2\na,b\n"}, {"columns": ColumnNames(reference=("ref",))}),
    ({"1.csv": "sample1,sample2,ref\na,b,c\n"}, {"columns": ColumnNames(reference=("ref", "ref2"))}),
    ({"1.jsonl": '["a", "b"]\n'}, {"each": 1}),
    ({"1.jsonl": '["a", "b"]\n', "2.txt": "a\n"}, {}),
    ({"1.jsonl": '["a", "b"]\n', "1a.jsonl": '["a"]\n'}, {}),
    *(
        ({"1.jsonl": f'["a", "b"]\n{line}\n'}, {})
        for line in (
            "",
            "[]",
            '["a", 1]',
            '"a"',
            '{"samples": []}',
            '{"references": ["a"]}',
            '{"samples": ["a"], "references": []}',
            '{"samples": ["a"], "references": "a"}',
            '{"samples": ["a"], "weights": [1, 2]}',
            '{"samples": ["a", "b"], "references": ["a"], "weights": [1, 2]}',
            '{"samples": ["a"], "weights": ["1"]}',
            '{"samples": ["a"], "sources": ["a"]}',
        )
    ),
)
"""Files of samples, and how they cannot be read."""

DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "ends early": lambda content: content[:-9],
    "ends before its checksum": lambda content: content[:-2],
    "has something behind it": lambda content: content + b"x",
    "is damaged after a whole member": lambda content: content + content[:12] + bytes(len(content)),
    "is not compressed": lambda _: b"a\n",
    "is empty": lambda _: b"",
}
"""What makes compressed bytes wrong."""

SYSTEMS = (
    "",
    "<tstset></tstset>",
    '<tstset><doc docid="1"></doc></tstset>',
    '<tstset><doc><seg id="1">a</seg></doc></tstset>',
    '<tstset><doc docid=""><seg id="1">a</seg></doc></tstset>',
    '<tstset><doc docid="2"><seg id="1">a</seg></doc></tstset>',
    '<tstset><doc docid="1"><seg id="2">a</seg></doc></tstset>',
    '<tstset><seg id="1">a</seg></tstset>',
    '<doc docid="1"><seg id="1">a</seg></doc>',
    '<tstset><doc docid="1"><seg id="1">a</seg><seg id="1">b</seg></doc></tstset>',
    '<tstset><doc docid="1"><seg id="1">a</seg></doc><doc docid="1"><seg id="2">a</seg></doc></tstset>',
    f'{_SGML}<tstset sysid="y"><doc docid="2"><seg id="1">a</seg></doc></tstset>',
    '<tstset><doc docid="1"><seg id="1">a</seg></doc></tstset><seg id="2">b</seg>',
    '<tstset><doc docid="1"><seg id="1">a</seg></doc><doc docid="1"></doc></tstset>',
)
"""Hypotheses of evaluation sets that are wrong, or do not fit their references."""

SGML = (
    f'<!ENTITY b "c">{_SGML}',
    f'<!DOCTYPE tstset [<!entity % b "c">]>{_SGML}',
    '<tstset><doc docid="1"><seg id="1">a</seg><seg id="2">b',
)
"""What is wrong in SGML."""

XML = (
    '<tstset><doc docid="1"><seg id="1">a &nbsp;</seg></doc></tstset>',
    '<tstset><doc docid="1"><seg id="1">a & b</seg></doc></tstset>',
    '<tstset><doc docid="1"><seg id="1">a</doc></tstset>',
    "<tstset><doc docid=1><seg id=1>a</seg></doc></tstset>",
    f"{_SGML}{'<a>' * 100}{'</a>' * 100}",
)
"""What is wrong in XML."""

DOCUMENTS = (
    f'<!DOCTYPE mteval [<!ENTITY b "c">]><mteval>{_SGML}{_SGML_REFERENCE}</mteval>',
    f'<!DOCTYPE mteval SYSTEM "x.dtd"><mteval>{_SGML_REFERENCE}{_SGML.replace(">a<", ">&nbsp;<")}</mteval>',
    f'<!DOCTYPE mteval [<!ENTITY % b "c">]><mteval>{_SGML}{_SGML_REFERENCE}</mteval>',
    f"<mteval>{_SGML}{_SGML_REFERENCE}</mteval><x/>",
    f"<mteval>{_SGML}{_SGML_REFERENCE}",
    f'<dataset><doc id="1">{_SYSTEM}</doc></dataset>',
    f'<dataset><doc id="1">{_REFERENCE}{_SYSTEM}</doc><doc id="1">{_REFERENCE}{_SYSTEM}</doc></dataset>',
    f'<dataset><doc id="1">{_REFERENCE}{_SYSTEM}</doc><doc id="2">{_REFERENCE}</doc></dataset>',
    f'<dataset><doc id="1">{_REFERENCE}{_SYSTEM * 2}</doc></dataset>',
)
"""Documents of XML that are wrong."""

TABLES = (
    "",
    "hyp,mt,ref\na,b,c\n",
    "hyp,ref,sys,system\na,b,c,d\n",
    "hyp,ref,doc,document\na,b,c,d\n",
    "hyp,ref,src,source\na,b,c,d\n",
    "sys,hyp,ref\nA,a,b\nB,a,c\n",
    "sys,hyp,ref,doc\nA,a,b,c\nB,a,b,d\n",
    "sys,hyp,ref,src\nA,a,b,c\nB,a,b,d\n",
    "sys,hyp,ref\nA,a,b\nA,c,d\nB,a,b\n",
    "hyp,ref\na,b\n\nc,d\n",
    "hyp,ref\na,b\nc,d,e\nf\n",
    "hypothesis\na\n",
    "hypothesis,reference\n",
    "hypothesis,reference\na,b\nc\n",
    "hypothesis,reference\na,b,c\n",
    "hypothesis,reference\na\nb,c,d\n",
    "one,two\na,b\n",
    "hypothesis,hypothesis,reference\na,b,c\n",
    'hypothesis,reference\n"a,b\n',
    'hypothesis,reference\n"a"b,c\n',
    'hypothesis,reference\na,"b"\nc,d,e\n',
)
"""Tables with commas between fields that are no texts with references."""

FILES: Mapping[str, Mapping[str, str | bytes]] = {
    "an empty file": {"1": "", "2": ""},
    "a line too few": {"1": "a\nb\n", "2": "a\n"},
    "a line too many": {"1": "a\n", "2": "a\nb\n"},
    "carriage returns alone": {"1": "a\rb\r", "2": "a\rb\r"},
    "bytes that are no UTF-8": {"1": b"a\xff\n", "2": "a\n"},
    "a file that ends within a character of three bytes": {"1": b"a\nb\xe7\x8c", "2": "a\nb\n"},
    "a file that ends within a character of two bytes": {"1": b"a\nb\xc3", "2": "a\nb\n"},
    **{
        f"{bad!r} after {number} letters": {"1": b"a" * number + bad + b"a" * 8, "2": "a"}
        for number in range(9)
        for bad in refused_columns.NOT_UTF_8
    },
    "a carriage return in CSV": {"1.csv": "hyp,ref\na\rb,c\n"},
    "UTF-16": {"1": "a\n".encode("utf-16"), "2": "a\n"},
    "what is not gzip": {"1.gz": "a\n", "2": "a\n"},
    **{
        f"what {says}, .{suffix}": {f"1.{suffix}": change(compressed(b"a\n")), "2": "a\n"}
        for suffix, compressed in COMPRESSED.items()
        if suffix != "txt"
        for says, change in DAMAGES.items()
    },
    "bzip2 with zeros behind it": {"1.bz2": COMPRESSED["bz2"](b"a\n") + bytes(8), "2": "a\n"},
    "UTF-16 without a mark": {"1": "a b".encode("utf-16-le"), "2": "a\n"},
    **{
        f"{content!r} as text": {"1": content, "2": "a\n" * content.count("\n")}
        for content in ("<mteval>\n", "\n <TSTSET setid=1>\n", "<?xml?>\n<dataset id=1>\n", "<refset>\n<doc>\n")
    },
    "quotation marks in TSV that are escaped by a backslash": {"1.tsv": 'hyp\tref\n"a \\"b\\" c"\td\n'},
    "other references in a second table": {"1a.csv": "hyp,ref\na,b\n", "1b.csv": "hyp,ref\na,c\n"},
    "more references in a second table": {"1a.csv": "hyp,ref\na,b\n", "1b.jsonl": '{"hyp": "a", "ref": ["b", "b"]}\n'},
    "other documents in a second table": {"1a.csv": "hyp,ref,doc\na,b,c\n", "1b.csv": "hyp,doc\na,d\n"},
    "other sources in a second table": {"1a.csv": "hyp,ref,src\na,b,c\n", "1b.csv": "hyp,src\na,d\n"},
    **{
        f"{content!r} in {name}": {name: content}
        for name, content in (
            ("1.csv#C", "sys,hyp,ref\nA,a,b\n"),
            ("1.csv#x", "hyp,ref\na,b\n"),
            ("1/x", "a\n"),
            ("1/_x", "a\n"),
            ("1/x.sgm", _SGML),
            ("1.parquet", ""),
            ("1.arrow", ""),
            ("1.sgm", "<refset><doc docid=1><seg>a</doc></refset>"),
        )
    },
    "a system that is not in an evaluation set": {"1.sgm#x": _SGML, "2.sgm": _SGML_REFERENCE},
    "a reference that is not in an evaluation set": {"1.sgm": _SGML, "2.sgm#x": _SGML_REFERENCE},
    "references in place of a system": {"1.sgm": _SGML_REFERENCE, "2.sgm": _SGML_REFERENCE},
    **{
        f"{one} {of_first!r} and {other} {of_second!r} in a folder": {f"1/{one}": of_first, f"1/{other}": of_second}
        for one, of_first, other, of_second in (
            ("a.csv", "hyp,ref\na,b\n", "b.tsv", "hyp\tref\na\tb\n"),
            ("a.csv", "hyp,ref\na,b\n", "b", "a\n"),
            ("a.csv", "hyp,ref\na,b\n", "b.csv", "hyp\na\n"),
            ("a.csv", "hyp,ref\na,b\n", "b.csv", ""),
            ("a.csv", "hyp,ref\n", "b.csv", "hyp,ref\n"),
            ("a.jsonl", '{"hyp": "a", "ref": "b"}\n', "b.jsonl", '{"hyp": "a", "ref": ["b"]}\n'),
            ("sys=A/a.csv", "hyp,ref\na,b\n", "b.csv", "hyp,ref\na,b\n"),
            ("sys=A/a.csv", "hyp,ref\na,b\n", "system=A/a.csv", "hyp,ref\na,b\n"),
        )
    },
    **{f"{content!r} as SGML": {"1.sgm": content, "2.sgm": _SGML_REFERENCE} for content in (*SYSTEMS, *SGML)},
    **{
        f"{content!r} as XML": {"1.xml": f"<mteval>{content}</mteval>", "2.xml": _SGML_REFERENCE}
        for content in (*SYSTEMS, *XML)
    },
    "too many names of elements in XML": {
        "1.xml": f"<mteval>{_SGML}{''.join(f'<a{number}/>' for number in range(10_001))}</mteval>",
        "2.xml": _SGML_REFERENCE,
    },
    **{f"{content!r} as a document of XML": {"1.xml": content, "2.xml": content} for content in DOCUMENTS},
    "an evaluation set beside text": {"1.sgm": "<tstset>", "2": "a\n"},
    "a segment too many in an evaluation set": {
        "1.sgm": '<tstset><doc docid="1"><seg id="1">a</seg><seg id="2">b</seg></doc></tstset>',
        "2.sgm": '<refset><doc docid="1"><seg id="1">a</seg></doc></refset>',
    },
    "a segment too few in an evaluation set": {
        "1.sgm": '<tstset><doc docid="1"><seg id="1">a</seg></doc></tstset>',
        "2.sgm": '<refset><doc docid="1"><seg id="1">a</seg><seg id="2">b</seg></doc></refset>',
    },
    "a segment after the end of its document": {
        "1.sgm": '<tstset><doc docid="1"><seg id="1">a</seg></doc><seg id="2">b</seg></tstset>',
        "2.sgm": '<refset><doc docid="1"><seg id="1">a</seg><seg id="2">b</seg></doc></refset>',
    },
    "an empty evaluation set": {"1.sgm": "<tstset>", "2.sgm": "<refset>"},
    "what is not Parquet": {"1.parquet": "PAR1"},
    "an empty line in a table of one column": {"1": "a\nb\nc\n", "2.csv": "ref\na\n\nc\n"},
    **{f"{content!r} as CSV": {"1.csv": content} for content in TABLES},
    **{f"{content!r} as TSV": {"1.tsv": content.replace(",", "\t")} for content in TABLES if '"' not in content},
    **{
        f"{content!r} as JSON lines": {"1.jsonl": content}
        for content in (
            "",
            '["a"]\n',
            '{"hypothesis": "a"}\n',
            '{"hypothesis": "a", "reference": "b"\n',
            '{"hypothesis": "a", "reference": "b"}\n\n{"hypothesis": "a", "reference": "b"}\n',
            '{"hypothesis": "a", "reference": "b"}\n{"hypothesis": "a"}\n',
            '{"hypothesis": null, "reference": "b"}\n',
            '{"hypothesis": 1, "reference": "b"}\n',
            '{"hypothesis": ["a"], "reference": "b"}\n',
            '{"hyp": "a", "ref": ["b"]}\n{"hyp": "a", "ref": "b"}\n',
            '{"hyp": "a", "ref": "b"}\n{"hyp": "a", "ref": ["b"]}\n',
            '{"hyp": "a", "ref": ["b", 1]}\n',
            '{"hyp": "a", "ref": [["b"]]}\n',
            '{"hyp": "a", "ref": "b"}\n{"hyp": "a", "ref": "b", "hyp": "c"}\n',
            '{"hyp": "a", "ref": "b"}\n[]\n',
            '{"hyp": "a", "ref": "b"} x\n',
            '{"hyp": "a", "ref": "b"}\n{"hyp": "a", "ref": "b", "new": 1, "new": 2}\n',
            '{"hyp": "a", "ref": "b", "x/y": 1}\n{"hyp": "a", "ref": "b", "x/y": 1, "x\\/y": 2}\n',
            '{"hyp": "a", "ref": "b", "é": 1}\n{"hyp": "a", "ref": "b", "é": 1, "\\u00e9": 2}\n',
            *(
                f'{{"hyp": "a", "ref": "b", "{role}": {value}}}\n'
                for role in ("doc", "sys", "src")
                for value in ("null", "true", "1.5", '["x"]')
            ),
            '{"hyp": "a", "ref": "b", "src": 1}\n',
            '{"hypothesis": "a", "reference": []}\n',
            '{"hypothesis": "a", "reference": ["b", null]}\n',
            '{"hypothesis": "a", "hypothesis": "b", "reference": "b"}\n',
            '{"hypothesis": "a", "reference": "b"}\n{"hypothesis": "a", "hypothesis": "b", "reference": "b"}\n',
            *(
                f'{before}{{"hyp": "a", "REF 1": "b", "{key}": "c"}}\n'
                for before in ("", '{"hyp": "a", "REF 1": "b"}\n')
                for keys in ESCAPED_KEYS
                for key in keys
            ),
        )
    },
}


SMALL_LIMITS = DEFAULT_LIMITS._replace(line=20, segments=4)
LONG_FILES: Sequence[Mapping[str, str]] = (
    {"1.txt": "a b c d e f g h i j k\n", "2.txt": "a\n"},
    {"1.txt": "a\n", "2.txt": "a b c d e f g h i j k\n"},
    {"1.csv": "hypothesis,reference\na b c d e f g h i j k,a\n"},
    {"1.jsonl": '{"hypothesis": "a", "reference": "a"}\n'},
    {"1.csv": '"hypothesis","reference"\na,a b c d e f g h i j k\n'},
    {"1.csv": 'hypothesis,reference\na,"a b c d e f g h i j k"\n'},
    {"1.tsv": "hypothesis\treference\na\ta b c d e f g h i j k\n"},
    {"1.csv": "system,hypothesis,reference\n" + "x,a,a\ny,b,a\n" * 3},
    {
        "1.sgm": '<tstset sysid="1"><doc docid="1"><seg id="1">a b c d e f g h i j k</seg></doc></tstset>',
        "2.sgm": '<refset><doc docid="1"><seg id="1">a</seg></doc></refset>',
    },
    {
        "1.xml": '<dataset><doc id="1"><hyp system="1"><seg id="1">a b c d e f g h i j k</seg></hyp></doc></dataset>',
        "2.xml": '<dataset><doc id="1"><ref translator="1"><seg id="1">a</seg></ref></doc></dataset>',
    },
)
"""Files of which something is above SMALL_LIMITS."""

HELD_LIMITS = DEFAULT_LIMITS._replace(text=100, segments=4)
OF_SYSTEMS = {"1.csv": "system,hyp,ref\n" + f"x,{'a' * 60},a\ny,{'a' * 60},a\n"}
HELD_FILES: Sequence[Mapping[str, str]] = (
    {"1.txt": "a\n" * 5, "2.txt": "a\n" * 5},
    {"1.txt": f"{'a' * 101}\n", "2.txt": "a\n"},
    {"1.txt": "a\n", "2.txt": f"{'a' * 101}\n"},
    {"1.jsonl": json.dumps({"hyp": "a", "ref": ["a" * 40] * 3}) + "\n"},
    OF_SYSTEMS,
    {"1.sgm": "<tstset sysid=1><doc docid=1><seg>a<seg>b<seg>c<seg>d</doc></tstset>", "2.sgm": _SGML},
    {"1.sgm": _SGML + " " * 100, "2.sgm": _SGML_REFERENCE},
)
"""Files of which something is above HELD_LIMITS, of what is in memory."""

NO_COLUMNS: Sequence[tuple[Mapping[str, str], ColumnNames]] = (
    ({"1": "a\n", "2": "a\n"}, ColumnNames(hypothesis=("a",))),
    *(
        ({"1.csv": "hyp,ref\na,b\n"}, ANY_COLUMNS._replace(**asked))
        for asked in (
            {"hypothesis": ("x",)},
            {"hypothesis": ("HYP",)},
            {"reference": ("ref", "x")},
            {"system": "x"},
            {"document": "x"},
            {"source": "x"},
        )
    ),
)
"""Files, and columns that they do not have."""

LIMITS_OF_PLACES = DEFAULT_LIMITS._replace(line=30)
PLACES: Sequence[tuple[Mapping[str, str | bytes], Sequence[str]]] = (
    ({"1": b"a\nbc\xff\n", "2": "a\nb\n"}, ["1:2:", "byte 3 of the line", "0xff"]),
    *(
        ({"1": b"a\nbc" + bad + b"aaaaaaa\n", "2": b"a\nb\n"}, ["1:2:", "byte 3 of the line"])
        for bad in refused_columns.NOT_UTF_8
    ),
    ({"1": "a\nb\n", "2": "a\n"}, ["2 has 1 line,", "1 has 2 lines"]),
    ({"1": "a\n", "2": f"b\n{'a' * 31}\n"}, ["2:2:", "30 characters", "'line'"]),
    ({"1.csv": "hyp,ref\na,b\nc\n"}, ["1.csv: row 2 has 1 field,", "header has 2"]),
    ({"1.csv": 'hyp,ref\n"a\nb",c\n"d"e,f\n'}, ["1.csv:4: row 2 "]),
    ({"1.csv": 'hyp,ref,"x\ny"\n"a\nb",c,d\n"d"e,f,g\n'}, ["1.csv:5: row 2 "]),
    (
        {"1.csv.gz": b"".join(map(COMPRESSED["gz"], (b"hyp,ref\n", b"a,b\nc,d\n", b'"d"e,f\n')))},
        ["1.csv.gz:4: row 3 "],
    ),
    ({"1.jsonl": '{"hyp":"a","ref":"b"}\n' * LINES + '{"hyp":"a","ref":2}\n'}, [f"row {LINES + 1}, column 'ref'"]),
    ({"1.csv": 'hyp,"ref"x\na,b\n'}, ["1.csv:1: the header "]),
    ({"1.csv": f"hyp,ref\na,b\nc,{'d' * 31}\n"}, ["row 2, column 'ref'", "30 characters"]),
    ({"1.tsv": 'hyp\tref\na\tb\n"c" d\t"e ""f"""\n'}, ["row 2, column 'ref'", "row 2, column 'hyp'"]),
    ({"1.jsonl": '{"hyp":"a","ref":"b"}\n{"hyp":"a","ref":2}\n'}, ["row 2, column 'ref'", "int 2"]),
    ({"1.jsonl": '{"hyp":"a","ref":"b"}\n{"hyp":"a","re":2}\n'}, ["row 2: ", "no column 'ref'"]),
    ({"1.jsonl": '{"hyp":"a","ref":"b"}\n{"hyp":"a",\n'}, ["row 2: "]),
    ({"1.jsonl": '{"hyp":"a","ref":["b"]}\n{"hyp":"a","ref":[]}\n'}, ["row 2, column 'ref'"]),
    ({"1a.csv": "hyp,ref\na,b\nc,d\n", "1b.csv": "hyp,ref\na,b\nc,e\n"}, ["1b.csv: row 2: ", "/1a.csv"]),
    ({"1.csv": "sys,hyp,ref\nA,a,b\nA,a,c\nB,a,b\nB,a,d\n"}, ["row 4, column 'ref'", "row 2"]),
    ({"1.csv": "sys,hyp,ref\nA,a,b\nA,c,d\nB,a,b\n"}, ["1 rows of system 'B'", "2 of 'A'"]),
    ({"1.csv#C": "sys,hyp,ref\nA,a,b\nB,a,b\n"}, ["'C'", "'A', 'B'"]),
    ({"1.csv#x": "sys,ref\nA,a\n"}, ["'sys', 'ref'"]),
    ({"1/a.csv": "hyp,ref\na,b\nc,d\n", "1/b.csv": "hyp,ref\na,b\nc,d,e\n"}, ["1/b.csv: row 2 "]),
    ({"1.sgm": "<tstset>\n<doc docid=1>\n<seg id=1>a<seg id=1>b\n</doc>", "2.sgm": ""}, ["2.sgm: is empty"]),
    ({"1.sgm": "<tstset>\n<doc docid=1>\n<seg id=1>a\n<seg id=1>b\n</doc>", "2.sgm": _SGML}, ["1.sgm:4: ", "'1'"]),
    ({"1.xml": "<tstset>\n<doc id='1'>\n<seg>a</seg>\n<seg id='1'/></doc></tstset>", "2.xml": _SGML}, ["1.xml:4: "]),
    ({"1.xml": "<tstset>\n<doc id='1'>\n<seg>a</doc></tstset>", "2.xml": _SGML}, ["1.xml:3: "]),
)
"""Files that are wrong by LIMITS_OF_PLACES, or by their form, and what the message must have: the place above all."""
