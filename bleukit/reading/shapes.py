"""Files that are not lines of text: each known format, how a file of it begins, and how to get at its text.

The tables are what is known. Text is judged by its first lines together, never by one alone. Expressions take long to
compile, so most formats are ruled out by a few lines and their characters.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bleukit.framework.errors import InputError
from bleukit.reading.column_names import NAMES
from bleukit.reading.paths import BEGINNING, holds_json

LINES, LONGEST = 8192, 1000
"""How many lines are looked at, and the most characters of one: patterns take long for longer lines."""

_TEXT = "write its texts into a file, one segment a line"
_JOIN = "write each sentence on a line"
_SGM = "its name must end in .sgm, .sgml or .xml"
_HEAD = "its name must end in .tsv or .csv, and its first line name the columns"
_UNPACK = "unpack it, and name a file in it"
_DIGITS, _CONTROLS = "0123456789", "".join(map(chr, [*range(1, 9), *range(0x1C, 0x20)]))


class Shape(NamedTuple):
    """A format: what it is called, the pattern that a file of it begins with, and what to do.

    A file begins with one of the ``marks``, or with any character if there are none. If a format is one of lines, each
    of its lines, but for a tenth and blank ones, matches the pattern, and has one of the marks; its group ``id`` is
    another text in each line. ``share`` is how many lines match if these are fewer; each of the ``signs`` matches one.
    """

    name: str
    marks: str
    pattern: str
    way: str = _TEXT
    signs: tuple[str, ...] = ()
    share: float = 0.9


_ICONV = "convert it: iconv -f UTF-16 -t UTF-8 FILE (or -f UTF-32)"
_BYTES = (
    Shape("an Excel workbook", "P", r"PK\x03\x04.*xl/", "save it as CSV, and name that file"),
    Shape("an Office document or e-book", "P", r"PK\x03\x04.*(?:word/|ppt/|mimetypeappl)"),
    Shape("an Office document", "\xd0{", r"\xd0\xcf\x11\xe0\xa1\xb1|{\\rtf1"),
    Shape("NumPy's .npz, or a PyTorch file", "P", r"PK\x03\x04.{26,99}(?:\.npy|data\.pkl)"),
    Shape("an archive (zip, tar, 7z or RAR)", "", r"PK[\3\5][\4\6]|.{257}ustar[\0 ]|7z\xbc\xaf'|Rar!\x1a", _UNPACK),
    Shape("a PDF", "%", r"%PDF-\d", "extract its text: pdftotext FILE"),
    Shape("an image or PostScript", "\x89\xffG%", r"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a.{2,4}\0|%!PS"),
    Shape("Parquet", "P", r"PAR1\x15", "its name must end in .parquet"),
    Shape("an Arrow file", "AF\xff", r"ARROW1\0|FEA1\0|\xff{4}.{2}\0\0\x10\0\0\0", "its name must end in .arrow"),
    Shape("ORC or Avro", "O", r"ORC[\0-\x08]|Obj\x01", "convert it to Parquet"),
    Shape("NumPy's .npy", "\x93", r"\x93NUMPY"),
    Shape("HDF5 or MATLAB's .mat", "\x89M", r"\x89HDF\r\n\x1a\n|MATLAB 5\.0 MAT-file"),
    Shape("an SQLite database", "S", r"SQLite format 3\0", 'print its texts: sqlite3 FILE "SELECT COLUMN FROM TABLE"'),
    Shape("gettext's .mo", "\xde\x95", r"\xde\x12\x04\x95|\x95\x04\x12\xde"),
    Shape("a Python pickle", "\x80]}(", r"\x80[\x02-\x05]|[]}]q\0|\((?:lp|dp)0\n"),
    Shape("UTF-16 or UTF-32", "", r"\0{,2}(?:\xff\xfe|\xfe\xff)|(?:[^\0]\0{1,3}){4}|(?:\0{1,3}[^\0]){4}", _ICONV),
    Shape("a binary file, not text", "", r"(?!\x1f\x8b|BZh|\xfd7z|\x28\xb5).*\0\0"),
)
_TIME = r"\d+:\d\d:\d\d[,.]\d+"
_BEGINNINGS = (
    Shape("an evaluation set", "<", r".{,4096}?<(?i:srcset|refset|tstset|mteval|dataset)\b", _SGM),
    Shape("HTML", "<", r"(?i:<!doctype html|<html[\s>])"),
    Shape("XML", "<", r"<(?:\?xml\s|!DOCTYPE |(?:xliff|tmx|TEI|resources|corpus|rss|feed|svg|tt|TS|doc|DOC|seg)[\s>])"),
    Shape("XML", "<", r"<\w[\w-]*(?:\s[^<>]*)?>\s*\n\s*<[\w/]"),
    Shape("subtitles", _DIGITS, rf"(?:\d+[ \t]*\n)?{_TIME}(?: -->|,{_TIME}\n)"),
    Shape("subtitles", "W[D", r"WEBVTT(?:[ \t].*)?\n|\[Script Info|Dialogue: \d,"),
    Shape("labels of Praat or HTK", 'F"#', r'(?:File type = )?"ooTextFile|#!MLF!#'),
    Shape("AMR", "#", r"# (?:::(?:id|snt)|AMR release)"),
    Shape("syntax trees", "(", r"\([A-Z\d]*\s*\([A-Z\d]+[-\w=|]*\s", _JOIN),
    Shape("tokens, one a line", "", r"(?:(?:\S+\n){2,}[^\w\s]+\n\n+){2,}", _JOIN),
    Shape("alignments of GIZA++", "#", r"# Sentence pair \(\d+\) source length"),
    Shape("a pointer of Git LFS", "v", r"version https://git-lfs", "fetch the file itself: git lfs pull"),
)
_BEST = "print its texts: awk -F ' [|][|]+ ' '{print $2}' FILE; the best: awk -F ' [|][|]+ ' '!n[$1]++ {print $2}' FILE"
_H = "print the hypotheses in order: grep ^H- FILE | cut -c3- | sort -n | cut -f3 (^D-: detokenized)"
_CUT = "cut the ids off, in the order of the other files: sort -n FILE | cut -f2- (for blanks: cut -d ' ' -f2-)"
_FIELDS = r"(?!\|)(?:[^|]+\|[^\s|][^|]* |[^~]*[^\s~]~\w[^~]* |.*[\x01-\x08\x1c-\x1f]|.* (?:###|<(?i:sep)>|\[SEP\]) )"
_DAY = r"\d{4}[-/]\d\d[-/]\d\d|[A-Z][a-z]{2} [ \d]\d(?= \d)|[\d.]+ - - \[\d+/\w+/\d+"
_LEVEL = r"(?:INFO|DEBUG|WARN(?:ING)?|ERROR)"
_CLOCK = r"\[?\d\d:\d\d:\S+ (?:- )?\[?"
_LOG = rf"[\[(]?(?:{_DAY})[ T:_]\d\d:\d\d|[IWE]\d{{4}} \d\d:\d\d:|\[?{_LEVEL}[]:][\w.\[: ]+[]:]|(?:{_CLOCK}|\[){_LEVEL}"
_ALIGNED = r"(?:\d+[-?p]\d+(?:[:=][\d.]+)?(?:\s+|$))+(?:-?\d\.\d+)?$|.*\|\d+-\d+\|\s*$"
_CONLL = r"#|\d+(?:[-.]\d+)?\t[^\t]+\t[^\t ]+\t(?:[^\t]*\t)+|-DOCSTART-|\S+(?:[ \t]\S+)*[ \t](?:O|[BIESLU]-[\w-]+)$"
_TIMED = r"\S+ \S+ (?:\S+ )?\d+\.\d+ \d+\.\d+ |\d+\.\d+\t\d+\.\d+\t|;;"
_SUBTITLE = r"(?:\{\d+\}|\[\d+\]){2}|\[\d+:\d\d\.\d+\]|\[[a-z]+:.*\]$|\[?\d\d:\d\d:\d\d(?::|\.\d+ -->)"
_PART = r"_[\w./:-]*\d|[/#][\w./:-]*\d|(?<=\D)0\d|\d{4}|-\d{3}|\w\.\w+\.\w"
_LONG = r"\w{3,}-\w+-\d{3,}|(?=\d*[a-f])[\da-f]{10,}"
_NAME = rf"(?=[\w./:-]*[A-Za-z])(?=[\w./:#-]*?(?:{_PART}))\D[\w./:#-]{{3,}}|{_LONG}"
_FIRST = rf"(?:{_NAME})(?=[]>)]*(?:[|=,\t:]|\s+[=:]?)\s*\S)|[\w./:-]*\d(?:[\w./:-]*\w)?(?=\t)"
_LAST = r"(?:(?=[^)]*(?:_|\d\D+\d))[A-Za-z][\w.]*[-_][\w.-]*\d[\w.-]*|(?=\w*[a-z])(?=\w*\d\w*\d)\w{6,})(?=\)\s*$)"
_SECTION = r"\[{1,2}[\w.\" -]+\]{1,2}\s*$|\"[^\"]*\"\s*= ?\"|\w+[._-][\w.-]+\s?="
_VALUE = r"\S|\s*(?:\".*\"|-?[\d.]+|[^(){};]+ [^(){};]*)$"
_KEY = rf"{_SECTION}|[\w.-]+\s*=(?:{_VALUE})|[#;!]|/[*/]|\s*\*"
_PYTHON = r"[\[{(]+(?:\d+, )?['\"].*[]})],?$|\[(?:\s*\d+){2,}\s*\]$|\W*(?:tensor|array|[A-Z]\w+)\(.*\)\W*$"
_VALUES = rf"{_PYTHON}|[\s\[]*b?(['\"]).*\1[],]$|b(['\"]).*\2$"
_LINES = (
    Shape("an n-best list", "|", r"\d+ (?:\|\|\| .* \|\|\| |\| .* \| -?\d+\.\d+$)", _BEST),
    Shape("fields between ' ||| '", "|", r".*\S \|\|\| ", "print one: awk -F ' [|][|]+ ' '{print $1}' FILE"),
    Shape("fields between marks", "|~#<[" + _CONTROLS, _FIELDS),
    Shape("the output of fairseq-generate", "\t", r"[STHDPAEIO](?:-\d+)?\t", _H, (r"[HD](?:-\d+)?\t-?\d",), 0.5),
    Shape("the output of OpenNMT", ":", r"(?:SENT|PRED|GOLD)(?: \d+| SCORE)?: ", signs=(r"PRED \d",), share=0.5),
    Shape("a log", ":[", _LOG, share=0.6),
    Shape("word alignments", _DIGITS, _ALIGNED, signs=(r".*\d+[-?p]\d+(?:\s+\d|\||:)",)),
    Shape("numbers", _DIGITS, r"(?:[^\w=*/]*\b\d+(?:e|\b)){5,}\W*$", "decode them, if each is a token of a model"),
    Shape("CoNLL", "#\t-O", _CONLL, _JOIN, (r"\d+\t|-DOC|.*[ \t](?:O|[BIESLU]-[\w-]+)$",)),
    Shape("tagged tokens, one a line", "", r"\S+\s(?:[A-Z]+\$?|[^\w\s]+)(?:\s\S+)?$", _JOIN, (r"([.,])\s(\1|[A-Z$])",)),
    Shape("tokens, one a line", "", r"</?\w[^>]*>$|\S+(?:\t\S+)*$", _JOIN, (r"<s\b[^>]*>$|EOS$", r"</s>$|EOS$")),
    Shape("tokens with tags", "/_", r"(?:\S+[/_](?:[A-Z]+\$?|[^\w\s]+)(?:\s+|$)){2,}$", _JOIN, (r".*[/_][A-Z]",)),
    Shape("tokens with factors", "|\uffe8", r"(?:[^\s|\uffe8]+(?:[|\uffe8][^\s|\uffe8]+)+(?:\s+|$)){2,}$"),
    Shape("texts with times", _DIGITS + ";", _TIMED, signs=(r".*\d\.\d",)),
    Shape("subtitles", "{[:", _SUBTITLE, signs=(r"[{\[]?\d",)),
    Shape("XML", "<", r"<(!?\w[\w-]*)\s[^>]*>(?:.*</\1>)?\s*$"),
    Shape("a gettext catalogue (.po)", '#"', r'#|msg(?:id|str|ctxt)\S* "|"', signs=('msgid "', "msgstr")),
    Shape("texts with keys (TOML, INI, .properties, .strings)", "=[#;!/*", _KEY, signs=(_SECTION, ".*=")),
    Shape("YAML", "", r"\s*(- )*[\w.\"'/-]+:(\s|$)|\s*- |\s*#|---|\s\s", _TEXT, (r"(- )?\S+:", r"\s\s+\S+:(\s|$)"), 1),
    Shape("YAML", "-#", r"- (?:\{.*\}|(['\"]).*\1)$|---|#", signs=(r"- ",)),
    Shape("lines with ids", _DIGITS + ".abcdef", rf"(?:[(\[<\s]*|.*\()(?P<id>{_FIRST}|{_LAST})", _CUT),
    Shape("Python's values", "[{('\"", _VALUES, "write JSON lines, or text"),
    Shape("JSON strings", '"', r'"(?:[^"\\]|\\.)*"$', "decode them: jq -r . FILE", (r'.*\\["nt/u]',)),
    Shape("CSV without a header", _DIGITS + '"', r'"(?:[^"]|"")*"(?:[,;\t]"(?:[^"]|"")*")+$|\d+,[^\d\s]', _HEAD),
)
_JSON = Shape("JSON", "", "", "its name must end in .json or .jsonl")
_TABLE = Shape("a table", "", "", _HEAD)
_COLUMN = "|".join([*NAMES.values(), r"(?:seg_?)?id|index|text|target|tgt|lang\w*|scores?|label|image|caption"])


def refuse_bytes(name: str, head: bytes) -> None:
    """Raise InputError if a file begins as one of a format that is not text."""
    if shape := _begun(_BYTES, head.decode("latin-1")):
        raise InputError(f"{name}: is {shape.name}; {shape.way}")


def refuse_text(name: str, head: bytes | bytearray) -> None:
    """Raise InputError if the text that begins so is of a format other than one segment a line."""
    text = head[:BEGINNING].decode(errors="ignore").replace("\r\n", "\n").lstrip()
    if shape := _begun(_BEGINNINGS, text):
        raise InputError(f"{name}: is {shape.name}, not one segment a line; {shape.way}")
    if shape := _JSON if holds_json(text) else _of_lines(head.split(b"\n", LINES)[:LINES]):
        raise InputError(f"{name}: holds {shape.name}, not one segment a line; {shape.way} (or give --as-text)")


def _begun(shapes: tuple[Shape, ...], text: str) -> Shape | None:
    possible = (shape for shape in shapes if not shape.marks or text[:1] in shape.marks)
    return next((shape for shape in possible if re.match(shape.pattern, text, re.DOTALL)), None)


def _of_lines(lines: list[bytes] | list[bytearray]) -> Shape | None:
    """Return the format of lines, None if they are text, as some of them show for nearly all files."""
    some = _filled(lines[:: 101 if len(lines) > 2000 else 11 if len(lines) > 200 else 1])  # of no period of a format
    characters, least = list(map(set, some)), max(2, len(some) / 2 - 1)
    possible = [
        shape
        for shape in _LINES
        if not shape.marks or sum(not each.isdisjoint(shape.marks) for each in characters) >= least
        if sum(map(bool, map(re.compile(shape.pattern).match, some))) >= least
    ]
    if not possible and not _are_rows(some):
        return None
    filled = _filled(lines)
    return next((shape for shape in possible if _are_of(shape, filled)), _TABLE if _are_rows(filled) else None)


def _filled(lines: list[bytes] | list[bytearray]) -> list[str]:
    """Return the lines that are neither blank nor too long."""
    texts = (line.decode(errors="ignore").removesuffix("\r") for line in lines)
    return [text for text in texts if len(text) <= LONGEST and text and not text.isspace()]


def _are_of(shape: Shape, lines: list[str]) -> bool:
    matches = [found for found in map(re.compile(shape.pattern).match, lines) if found]
    ids = [found["id"] for found in matches if "id" in found.re.groupindex]
    return (
        len(matches) > 1 + bool(ids)
        and len(lines) - len(matches) <= len(lines) * (1 - shape.share)
        and len(set(ids)) == len(ids)
        and all(any(map(re.compile(sign).match, lines)) for sign in shape.signs)
    )


def _are_rows(lines: list[str]) -> bool:
    """Return whether lines are rows of a table: after a header, or with numbers or whole sentences between tabs."""
    for mark in "\t,;|" if len(lines) > 1 and lines[0][0] != "|" else "":
        header = [field.strip(' "') for field in lines[0].split(mark)]
        known = sum(bool(re.fullmatch(_COLUMN, field, re.IGNORECASE)) for field in header if len(header) > 1)
        if known > (mark != "\t") and len(header) <= 2 * known:
            return sum(line.count(mark) >= len(header) - 1 for line in lines) > 0.9 * len(lines)
    tabs = lines[0].count("\t") if len(lines) > 2 else 0
    if not tabs or any(line.count("\t") != tabs for line in lines):
        return False
    columns = list(zip(*(line.split("\t") for line in lines), strict=True))
    ends = sum(bool(re.search(r".{12}[.!?\u3002\uff01\uff1f]\W?$", text)) for text in columns[0])
    return ends > 0.8 * len(lines) or any(
        re.fullmatch(r"(?:-?\d+(?:\.\d+)?(?:e-?\d+)?\t)+", "\t".join([*column, ""])) for column in columns
    )
