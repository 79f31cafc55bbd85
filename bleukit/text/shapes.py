"""Files that are not lines of text: each known format, how a file of it begins, and how to get at its text.

The tables are what is known. Text is judged by its first lines together, never by one alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bleukit.errors import InputError
from bleukit.text.column_names import NAMES

LINES, LONGEST = 8192, 1000
"""How many lines are looked at, and the most characters of one: patterns take long for longer lines."""

_TEXT = "write its texts into a file, one segment a line"
_JOIN = "write each sentence on a line"
_SGM = "its name must end in .sgm, .sgml or .xml"
_HEAD = "its name must end in .tsv or .csv, and its first line name the columns"
_UNPACK = "unpack it, and name a file in it"


class Shape(NamedTuple):
    """A format: what it is called, the pattern that its bytes or its text begin with, and what to do."""

    name: str
    pattern: str
    way: str = _TEXT


class LineShape(NamedTuple):
    """A format of which at least a ``share`` of the lines, blank ones aside, match a pattern.

    Its group ``id`` is another text in each line. Each of the ``signs`` matches a line.
    """

    name: str
    pattern: str
    way: str = _TEXT
    signs: tuple[str, ...] = ()
    share: float = 0.9


_ICONV = "convert it: iconv -f UTF-16 -t UTF-8 FILE (or -f UTF-32)"
_BYTES = (
    Shape("an Excel workbook", r"PK\x03\x04.*xl/", "save it as CSV, and name that file"),
    Shape("an Office document or e-book", r"PK\x03\x04.*(?:word/|ppt/|mimetypeappl)|\xd0\xcf\x11\xe0\xa1\xb1|{\\rtf1"),
    Shape("NumPy's .npz, or a PyTorch file", r"PK\x03\x04.{26,99}(?:\.npy|data\.pkl)"),
    Shape("an archive (zip, tar, 7z or RAR)", r"PK[\3\5][\4\6]|.{257}ustar[\0 ]|7z\xbc\xaf'|Rar!\x1a", _UNPACK),
    Shape("a PDF", r"%PDF-\d", "extract its text: pdftotext FILE"),
    Shape("an image or PostScript", r"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a.{2,4}\0|%!PS"),
    Shape("Parquet", r"PAR1\x15", "its name must end in .parquet"),
    Shape("an Arrow file", r"ARROW1\0|FEA1\0|\xff{4}.{2}\0\0\x10\0\0\0", "its name must end in .arrow"),
    Shape("ORC or Avro", r"ORC[\0-\x08]|Obj\x01", "convert it to Parquet"),
    Shape("NumPy's .npy", r"\x93NUMPY"),
    Shape("HDF5 or MATLAB's .mat", r"\x89HDF\r\n\x1a\n|MATLAB 5\.0 MAT-file"),
    Shape("an SQLite database", r"SQLite format 3\0", 'print its texts: sqlite3 FILE "SELECT COLUMN FROM TABLE"'),
    Shape("gettext's .mo", r"\xde\x12\x04\x95|\x95\x04\x12\xde"),
    Shape("a Python pickle", r"\x80[\x02-\x05]|[]}]q\0|\((?:lp|dp)0\n"),
    Shape("UTF-16 or UTF-32", r"\0{,2}(?:\xff\xfe|\xfe\xff)|(?:[^\0]\0{1,3}){4}|(?:\0{1,3}[^\0]){4}", _ICONV),
    Shape("a binary file, not text", r"(?!\x1f\x8b|BZh|\xfd7z|\x28\xb5).*\0\0"),
)
_TIME = r"\d+:\d\d:\d\d[,.]\d+"
_BEGINNINGS = (
    Shape("an evaluation set", r"(?=<)(?s:.{,4096}?)<(?i:srcset|refset|tstset|mteval|dataset)\b", _SGM),
    Shape("HTML", r"(?i:<!doctype html|<html[\s>])"),
    Shape("XML", r"<(?:\?xml\s|!DOCTYPE |(?:xliff|tmx|TEI|resources|corpus|rss|feed|svg|tt|TS|doc|DOC|seg)[\s>])"),
    Shape("XML", r"<\w[\w-]*(?:\s[^<>]*)?>\s*\n\s*<[\w/]"),
    Shape("subtitles", rf"(?:\d+[ \t]*\n)?{_TIME}(?: -->|,{_TIME}\n)|WEBVTT(?:[ \t].*)?\n|\[Script Info|Dialogue: \d,"),
    Shape("labels of Praat or HTK", r'(?:File type = )?"ooTextFile|#!MLF!#'),
    Shape("AMR", r"# (?:::(?:id|snt)|AMR release)"),
    Shape("syntax trees", r"\([A-Z\d]*\s*\([A-Z\d]+[-\w=|]*\s", _JOIN),
    Shape("tokens, one a line", r"(?:(?:\S+\n){2,}[^\w\s]+\n\n+){2,}", _JOIN),
    Shape("alignments of GIZA++", r"# Sentence pair \(\d+\) source length"),
    Shape("a pointer of Git LFS", r"version https://git-lfs", "fetch the file itself: git lfs pull"),
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
_SUBTITLE = r"(?:\{\d+\}|\[\d+\]){2}|\[\d+:\d\d\.\d+\]|\[[a-z]+:.*\]$|\[?\d\d:\d\d:\d\d(?::|\.\d+ -->)"
_PART = r"_[\w./:-]*\d|[/#][\w./:-]*\d|(?<=\D)0\d|\d{4}|-\d{3}|\w\.\w+\.\w"
_LONG = r"\w{3,}-\w+-\d{3,}|(?=\d*[a-f])[\da-f]{10,}"
_NAME = rf"(?=[\w./:-]*[A-Za-z])(?=[\w./:#-]*?(?:{_PART}))\D[\w./:#-]{{3,}}|{_LONG}"
_FIRST = rf"(?:{_NAME})(?=[]>)]*(?:[|=,\t:]|\s+[=:]?)\s*\S)|[\w./:-]*\d(?:[\w./:-]*\w)?(?=\t)"
_LAST = r"(?:(?=[^)]*(?:_|\d\D+\d))[A-Za-z][\w.]*[-_][\w.-]*\d[\w.-]*|(?=\w*[a-z])(?=\w*\d\w*\d)\w{6,})(?=\)\s*$)"
_SECTION = r"\[{1,2}[\w.\" -]+\]{1,2}\s*$|\"[^\"]*\"\s*= ?\"|\w+[._-][\w.-]+\s?="
_VALUE = r"\S|\s*(?:\".*\"|-?[\d.]+|[^(){};]+ [^(){};]*)$"
_KEY = rf"{_SECTION}|[\w.-]+\s*=(?:{_VALUE})|[#;!]|/[*/]|\s*\*"
_VALUES = r"[\[{(]+(?:\d+, )?['\"].*[]})],?$|\[(?:\s*\d+){2,}\s*\]$|\W*(?:tensor|array|[A-Z]\w+)\(.*\)\W*$"
_LINES = (
    LineShape("an n-best list", r"\d+ (?:\|\|\| .* \|\|\| |\| .* \| -?\d+\.\d+$)", _BEST),
    LineShape("fields between ' ||| '", r".*\S \|\|\| ", "print one: awk -F ' [|][|]+ ' '{print $1}' FILE"),
    LineShape("fields between marks", _FIELDS),
    LineShape("the output of fairseq-generate", r"[STHDPAEIO](?:-\d+)?\t", _H, (r"[HD](?:-\d+)?\t-?\d",), 0.5),
    LineShape("the output of OpenNMT", r"(?:SENT|PRED|GOLD)(?: \d+| SCORE)?: ", signs=(r"PRED \d",), share=0.5),
    LineShape("a log", _LOG, share=0.6),
    LineShape("word alignments", _ALIGNED, signs=(r".*\d+[-?p]\d+(?:\s+\d|\||:)",)),
    LineShape("numbers", r"(?:[^\w=*/]*\b\d+(?:e|\b)){5,}\W*$", "decode them, if each is a token of a model"),
    LineShape("CoNLL", _CONLL, _JOIN, (r"\d+\t|-DOC|.*[ \t](?:O|[BIESLU]-[\w-]+)$",)),
    LineShape("tagged tokens, one a line", r"\S+\s(?:[A-Z]+\$?|[^\w\s]+)(?:\s\S+)?$", _JOIN, (r"([.,])\s(\1|[A-Z$])",)),
    LineShape("tokens, one a line", r"</?\w[^>]*>$|\S+(?:\t\S+)*$", _JOIN, (r"<s\b[^>]*>$|EOS$", r"</s>$|EOS$")),
    LineShape("tokens with tags", r"(?:\S+[/_](?:[A-Z]+\$?|[^\w\s]+)(?:\s+|$)){2,}$", _JOIN, (r".*[/_][A-Z]",)),
    LineShape("tokens with factors", r"(?:[^\s|\uffe8]+(?:[|\uffe8][^\s|\uffe8]+)+(?:\s+|$)){2,}$"),
    LineShape("texts with times", r"\S+ \S+ (?:\S+ )?\d+\.\d+ \d+\.\d+ |\d+\.\d+\t\d+\.\d+\t|;;", signs=(r".*\d\.\d",)),
    LineShape("subtitles", _SUBTITLE, signs=(r"[{\[]?\d",)),
    LineShape("XML", r"<(!?\w[\w-]*)\s[^>]*>(?:.*</\1>)?\s*$"),
    LineShape("a gettext catalogue (.po)", r'#|msg(?:id|str|ctxt)\S* "|"', signs=('msgid "', "msgstr")),
    LineShape("texts with keys (TOML, INI, .properties, .strings)", _KEY, signs=(_SECTION, ".*=")),
    LineShape("YAML", r"\s*(- )*[\w.\"'/-]+:(\s|$)|\s*- |\s*#|---|\s\s", _TEXT, (r"(- )?\S+:", r"\s\s+\S+:(\s|$)"), 1),
    LineShape("YAML", r"- (?:\{.*\}|(['\"]).*\1)$|---|#", signs=(r"- ",)),
    LineShape("lines with ids", rf"(?:[(\[<\s]*|.*\()(?P<id>{_FIRST}|{_LAST})", _CUT),
    LineShape("Python's values", rf"{_VALUES}|[\s\[]*b?(['\"]).*\1[],]$|b(['\"]).*\2$", "write JSON lines, or text"),
    LineShape("JSON strings", r'"(?:[^"\\]|\\.)*"$', "decode them: jq -r . FILE", (r'.*\\["nt/u]',)),
    LineShape("CSV without a header", r'"(?:[^"]|"")*"(?:[,;\t]"(?:[^"]|"")*")+$|\d+,[^\d\s]', _HEAD),
)
_COLUMN = "|".join([*NAMES.values(), r"(?:seg_?)?id|index|text|target|tgt|lang\w*|scores?|label|image|caption"])


def refuse_bytes(name: str, head: bytes) -> None:
    """Raise InputError if a file begins as one of a format that is not text."""
    for shape in _BYTES:
        if re.match(shape.pattern.encode("latin-1"), head, re.DOTALL):
            raise InputError(f"{name}: is {shape.name}; {shape.way}")


def refuse_text(name: str, head: bytes | bytearray) -> None:
    """Raise InputError if the text that begins so is of a format other than one segment a line."""
    text = head.decode(errors="ignore").replace("\r\n", "\n")
    lines = text.split("\n", LINES)[:LINES]
    filled = [line for line in lines if len(line) <= LONGEST and line and not line.isspace()]
    text = text.lstrip()
    for beginning in _BEGINNINGS:
        if re.match(beginning.pattern, text):
            raise InputError(f"{name}: is {beginning.name}, not one segment a line; {beginning.way}")
    shape: Shape | LineShape | None = next((shape for shape in _LINES if _are_of(shape, filled)), None)
    if holds_json(text):
        shape = Shape("JSON", "", "its name must end in .json or .jsonl")
    elif not shape and _are_rows(filled):
        shape = Shape("a table", "", _HEAD)
    if shape:
        raise InputError(f"{name}: holds {shape.name}, not one segment a line; {shape.way} (or give --as-text)")


def holds_json(text: str) -> bool:
    """Return whether text begins as JSON does: objects or arrays, with a string in them, one after the other."""
    text, position = text.strip(), 0
    if text[:1] not in {"{", "["} or '"' not in text:
        return False

    from json import JSONDecodeError, JSONDecoder  # takes long to import

    try:
        while position < len(text):
            _, position = JSONDecoder().raw_decode(text, position)
            position = re.compile(r"\s*").match(text, position).end()  # type: ignore[union-attr]
    except JSONDecodeError as error:  # the end of what is seen need not be that of the file
        return text[error.pos :] in "true false null" or error.msg.startswith("Unterminated string")
    except RecursionError:
        return False
    return True


def _are_of(shape: LineShape, lines: list[str]) -> bool:
    match, most = re.compile(shape.pattern).match, len(lines) * (1 - shape.share)
    some = lines[::101]  # which settles it for nearly all files, and takes no time
    if sum(match(line) is None for line in some) > len(some) / 2 + 1:
        return False
    matches = [found for line in lines if (found := match(line))]
    ids = [found["id"] for found in matches if "id" in found.re.groupindex]
    return (
        len(matches) > 1 + bool(ids)
        and len(lines) - len(matches) <= most
        and len(set(ids)) == len(ids)
        and all(any(map(re.compile(sign).match, lines)) for sign in shape.signs)
    )


def _are_rows(lines: list[str]) -> bool:
    """Return whether lines are rows of a table: after a header, or with numbers or whole sentences between tabs."""
    for mark in "\t,;|" if len(lines) > 1 and lines[0][0] != "|" else "":
        header = [field.strip(' "') for field in lines[0].split(mark)]
        known = sum(bool(re.fullmatch(_COLUMN, field, re.IGNORECASE)) for field in header)
        if known > (mark != "\t") and 1 < len(header) <= 2 * known:
            return sum(line.count(mark) >= len(header) - 1 for line in lines) > 0.9 * len(lines)
    tabs = lines[0].count("\t") if len(lines) > 2 else 0
    if not tabs or any(line.count("\t") != tabs for line in lines):
        return False
    columns = list(zip(*(line.split("\t") for line in lines), strict=True))
    ends = sum(bool(re.search(r".{12}[.!?\u3002\uff01\uff1f]\W?$", text)) for text in columns[0])
    return ends > 0.8 * len(lines) or any(
        re.fullmatch(r"(?:-?\d+(?:\.\d+)?(?:e-?\d+)?\t)+", "\t".join([*column, ""])) for column in columns
    )
