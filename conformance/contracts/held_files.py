"""Small files of every form, and the texts that they hold by the documentation of input."""

from __future__ import annotations

import gzip
from contextlib import closing
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.errors import one_line, shown
from bleukit.text.corpora import in_memory, open_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


BLOCK = 1 << 16
"""How many bytes of a compressed file are read at a time."""


class Held(NamedTuple):
    """Files by their paths, which are those of references if they begin with r; and the texts that they hold.

    ``systems`` has the hypotheses of each system, ``references`` those of each segment.
    """

    says: str
    files: Mapping[str, str | bytes]
    systems: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]


def misread(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield which files are read, and what is wrong with what is read of them."""
    for number, held in enumerate(HELD):
        yield held.says, _wrong(held, folder / f"held {number}")


def _wrong(held: Held, folder: Path) -> str:
    for name, content in held.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    tops = [str(folder / name) for name in dict.fromkeys(name.partition("/")[0] for name in held.files)]
    hypotheses = [path for path in tops if not path.startswith(str(folder / "r"))]
    try:
        with closing(open_corpus(hypotheses, [path for path in tops if path not in hypotheses])) as corpus:
            whole = in_memory(corpus)
    except Exception as error:  # noqa: BLE001 - whatever is raised is wrong
        return one_line(error)
    got = [list(map(_plain, side)) for side in (whole.systems, whole.references)]
    wanted = [list(map(list, side)) for side in (held.systems, held.references)]
    return "" if got == wanted else f"it is read as {shown(got)}, expected {shown(wanted)}"


def _plain(texts: Any) -> list[str]:
    return [texts] if isinstance(texts, str) else list(map(str, texts))


def _sgml(tag: str, *texts: str) -> str:
    segments = "".join(f'<seg id="{number}">{text}</seg>' for number, text in enumerate(texts, 1))
    return f'<{tag} sysid="one"><doc docid="1">{segments}</doc></{tag}>'


def _wmt(*documents: str) -> str:
    return (
        f"<dataset>{''.join(f'<doc id={chr(34)}{n}{chr(34)}>{own}</doc>' for n, own in enumerate(documents))}</dataset>"
    )


def _gzip_member(content: bytes, size: int) -> bytes:
    """Return a member of gzip of so many bytes, of which most are an extra field of the header."""
    header, packed = gzip.compress(content)[:10], gzip.compress(content)[10:]
    extra = size - len(header) - len(packed) - 2
    return header[:3] + b"\x04" + header[4:] + pack("<H", extra) + bytes(extra) + packed


NUMBERED = [f"ref{number}" for number in range(1, 13)]
"""The columns of twelve references."""

HELD = (
    Held("a last line without an end", {"1": "a\nb 𠮷", "r": "c\n猫"}, [["a", "b 𠮷"]], [["c"], ["猫"]]),
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
    Held(
        "a byte-order mark", {"1": b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", "r": "a\nb\n"}, [["a", "\ufeffb"]], [["a"], ["b"]]
    ),
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
)
