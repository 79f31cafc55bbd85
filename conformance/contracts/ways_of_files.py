"""The ways from buffers, Arrow's columns, files and the command to statistics and scores."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import math
import os
import subprocess
import sys
from array import array
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from itertools import accumulate, chain
from operator import sub
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from bleukit.conformance.contracts import corpora
from bleukit.conformance.contracts.trials import LEVELS, Trial, Way, document_of, joined, of_each

from bleukit.counting.packed import Grouped, PackedTexts, ends_of
from bleukit.errors import InputError, shown
from bleukit.text.corpora import JoinedCorpus, open_corpus
from bleukit.text.files import DEFAULT_LIMITS

try:
    import pyarrow as pa
    from pyarrow import feather, parquet
except ImportError:  # an extra
    pa = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bleukit import Bleu
    from bleukit.accumulator import Level
    from bleukit.statistics import Statistics
    from bleukit.text.corpora import Corpus as CorpusOfFiles


def _utf_8(texts: Sequence[Any]) -> PackedTexts:
    """Return texts as a reader of files has them: in a buffer, with a line feed after each."""
    encoded = [text.encode() for text in texts]
    ends = [end + place for place, end in enumerate(ends_of(encoded))]
    starts = [0, *(end + 1 for end in ends)][: len(encoded)]
    return PackedTexts(b"".join(text + b"\n" for text in encoded), array("q", starts), array("q", ends))


def _from_buffers(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    texts = Grouped(_utf_8(list(chain.from_iterable(references))), ends_of(references))
    return trial.bleu.statistics(_utf_8(hypotheses), texts, references_by="segment")


def _from_arrow(text: str, lists: str, trial: Trial) -> Statistics:
    """Count texts of one type of Arrow and references in lists of another, in several chunks of a larger column."""
    kind = pa.dictionary(pa.int32(), pa.string()) if text == "dictionary" else getattr(pa, text)()
    size = [len(trial.corpus.references[0])] if lists == "fixed_size_list" else []
    item = pa.string() if text == "dictionary" else kind
    of_lists = pa.list_(item, *size) if lists == "fixed_size_list" else getattr(pa, lists)(item)

    def column(values: list[Any], arrow_type: Any) -> Any:
        cut = min(len(values) // 3, corpora.BATCH + 1)
        around = [None, *values, values[0]]
        whole = pa.array(around, pa.string()).cast(arrow_type) if text == "dictionary" and arrow_type is kind else None
        whole = pa.array(around, arrow_type) if whole is None else whole
        return pa.chunked_array([whole[1 : 1 + cut], whole[1 + cut : -1]])

    hypotheses, references = trial.input
    return trial.bleu.statistics(column(hypotheses, kind), column([*map(list, references)], of_lists))


def _from_lists_anywhere(trial: Trial) -> Statistics:
    """Count references in lists of which the last stands first."""
    hypotheses, references = trial.input
    ends = [*accumulate(map(len, references[::-1]))][::-1]
    sizes = [*map(len, references)]
    starts = pa.array(map(sub, ends, sizes), pa.int32())
    texts = pa.array(chain.from_iterable(references[::-1]), pa.string())
    return trial.bleu.statistics(hypotheses, pa.ListViewArray.from_arrays(starts, pa.array(sizes, pa.int32()), texts))


def _sets_from_arrow(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    sets = [pa.array(texts) for texts in zip(*references, strict=True)]
    return trial.bleu.statistics(pa.array(hypotheses), sets, references_by="set")


def _from_struct(trial: Trial) -> Statistics:
    """Count hypotheses that are the only field of a part of Arrow's structs."""
    hypotheses, references = trial.input
    structs = pa.StructArray.from_arrays([pa.array([hypotheses[-1], *hypotheses])], ["hypothesis"])
    return trial.bleu.statistics(structs[1:], references, references_by="segment")


def _written(suffix: str, trial: Trial) -> tuple[list[str], list[str]]:
    """Write a corpus into files; return the paths of hypotheses and of references."""
    hypotheses, references = trial.input
    columns = [hypotheses, *map(list, zip(*references, strict=True))]
    if suffix in COMPRESSED:
        paths = [str(trial.folder / f"{number}.{suffix}") for number in range(len(columns))]
        for number, (file_name, texts) in enumerate(zip(paths, columns, strict=True)):
            end = "\r\n" if suffix == "gz" else "\n"
            begin = "" if number else "\ufeff"  # a byte-order mark
            content = (begin + "".join(f"{text}{end}" for text in texts)).encode()
            members = content[: len(content) // 3], content[len(content) // 3 :]
            padding = b"\0" * 8 if suffix in {"gz", "xz"} else b""
            Path(file_name).write_bytes(padding.join(map(COMPRESSED[suffix], members)))
        return paths[:1], paths[1:]
    path = trial.folder / f"table.{suffix}"
    names = ["hypothesis", *(f"reference {number}" for number in range(1, len(columns)))]
    if suffix in {"csv", "tsv"}:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="," if suffix == "csv" else "\t", quoting=csv.QUOTE_MINIMAL)
            writer.writerows([names, *zip(*columns, strict=True)])
    elif suffix in {"sgm", "xml"}:
        path.write_text(_evaluation_set(columns, of_wmt=suffix == "xml"), "utf-8")
        return [str(path)], [str(path)]
    elif suffix == "jsonl":
        of_rows = ({"hypothesis": own, "reference": list(texts)} for own, texts in zip(*trial.input, strict=True))
        path.write_text("".join(f"{json.dumps(row)}\n" for row in of_rows), "utf-8")
    else:
        table = pa.table({"hypothesis": hypotheses, "reference": [*map(list, references)]})
        (parquet.write_table if suffix == "parquet" else feather.write_feather)(table, str(path))
    return [str(path)], []


def _evaluation_set(columns: Sequence[Sequence[str]], *, of_wmt: bool) -> str:
    """Return hypotheses and references as one file of mteval's SGML, or of WMT's XML: a document of all segments."""
    tags = ("hyp", "ref") if of_wmt else ("tstset", "refset")
    parts = []
    for number, texts in enumerate(columns):
        segments = "".join(f'<seg id="{place}">{escape(text)}</seg>\n' for place, text in enumerate(texts))
        tag = tags[number > 0]
        if of_wmt:
            parts.append(f'<{tag} {"translator" if number else "system"}="{number}">{segments}</{tag}>')
        else:
            parts.append(f'<{tag} sysid="{number}"><doc docid="1">{segments}</doc></{tag}>')
    return f'<dataset><doc id="1">{"".join(parts)}</doc></dataset>' if of_wmt else "".join(parts)


def _from_files(suffix: str, trial: Trial, threads: int | None = None) -> Statistics:
    """Read files in parts, and count each part, as ``bleukit score`` does."""
    corpus = open_corpus(*_written(suffix, trial))
    if suffix in {"sgm", "xml"} and corpus.systems != ["0"]:
        raise InputError(f"the systems of an evaluation set are {corpus.systems}, expected ['0']")
    return _of_parts(corpus, trial.bleu, threads)


def _of_parts(corpus: CorpusOfFiles, bleu: Bleu, threads: int | None = None) -> Statistics:
    with closing(corpus):
        rows = [
            bleu.statistics(own, part.references, references_by="segment", threads=threads, first=part.first)
            for part in corpus.parts(bleu.tokenize)
            for own in part.systems
        ]
    return joined(rows)


def _from_joined_files(trial: Trial) -> Statistics:
    """Return the statistics of the segments if the documents of files are counted as the texts that Python joins."""
    number = len(trial.corpus)
    names = [f"document {place % (number // 3 + 1)}" for place in range(number)]
    columns = [trial.input[0], *zip(*trial.input[1], strict=True)]
    hypotheses, *references = (
        [" ".join(text for text, own in zip(side, names, strict=True) if own == name) for name in dict.fromkeys(names)]
        for side in columns
    )
    wanted = trial.bleu.statistics(hypotheses, [*zip(*references, strict=True)], references_by="segment")
    segments = open_corpus(*_written("txt", trial), _written_documents(trial, names))
    got = _of_parts(JoinedCorpus(segments, DEFAULT_LIMITS), trial.bleu)
    both = (rows.counts(trial.bleu.max_order) for rows in (got, wanted))
    for name, ours, theirs in zip(dict.fromkeys(names), *both, strict=True):
        if ours != theirs:
            raise InputError(f"{name}: its counts are {shown(ours)}, expected {shown(theirs)}")
    return trial.counted()


def _written_documents(trial: Trial, names: Iterable[str]) -> str:
    path = trial.folder / "documents.txt"
    path.write_text("".join(f"{name}\n" for name in names), "utf-8")
    return str(path)


def _by_command(level: Level, trial: Trial) -> list[float]:
    """Return what ``bleukit score`` writes as JSON."""
    [hypotheses], references = _written("txt", trial)
    options = [*chain.from_iterable(("-r", path) for path in references), "--level", level, "--format", "json"]
    options += ["--documents", _written_documents(trial, document_of(len(trial.corpus)))] if level == "document" else []
    command = [sys.executable, "-m", "bleukit", "score", hypotheses, "-V", trial.source, *options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)  # noqa: S603 - bleukit itself
    if done.returncode:
        raise InputError(done.stderr.decode())
    [system] = json.loads(done.stdout)["systems"]
    units = [system] if level == "corpus" else system[f"{level}s"]
    return [math.nan if unit["score"] is None else unit["score"] for unit in units]


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    "txt": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": partial(lzma.compress, preset=0),
}
"""The suffixes of text files, and what compresses a member of such a file."""
with suppress(ImportError):  # zstd is an extra before Python 3.14
    COMPRESSED["zst"] = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd").compress
ARROW = () if pa is None else ("parquet", "arrow")
"""The suffixes of files that need pyarrow."""
LISTS = [name for name in ("list_", "large_list", "list_view", "large_list_view") if hasattr(pa, name)]
"""Arrow's lists of any length."""

TO_ROWS = (
    Way("a buffer of UTF-8", _from_buffers, of_each, "text UTF-8"),
    *(
        Way(f"Arrow's {kind} and {lists}", partial(_from_arrow, kind, lists), of_each, f"text UTF-8 {needs}")
        for lists, needs in {**dict.fromkeys(LISTS, ""), "fixed_size_list": "sets"}.items()
        for kind in ("string", "large_string", "string_view", "dictionary")
        if pa is not None
    ),
    *(
        Way(says, result, of_each, f"text UTF-8 {needs}")
        for says, result, needs in (
            ("a field of Arrow's structs", _from_struct, ""),
            ("sets of Arrow's texts", _sets_from_arrow, "sets"),
            ("Arrow's lists in another order", _from_lists_anywhere, ""),
        )
        if pa is not None and (result is not _from_lists_anywhere or "list_view" in LISTS)
    ),
    *(
        Way(f"files, .{suffix}", partial(_from_files, suffix), of_each, "lines parts")
        for suffix in (*COMPRESSED, "jsonl", *ARROW)
    ),
    *(Way(f"files, .{suffix}", partial(_from_files, suffix), of_each, "lines CSV parts") for suffix in ("csv", "tsv")),
    *(
        Way(f"evaluation sets, .{suffix}", partial(_from_files, suffix), of_each, "marked parts")
        for suffix in ("sgm", "xml")
    ),
    Way("text files of documents that are joined", _from_joined_files, of_each, "lines joins parts"),
    Way("text files by 17 threads", partial(_from_files, "txt", threads=corpora.THREADS), of_each, "lines parts"),
)

TO_SCORES = [
    *(
        Way(f"the command, level {level}", partial(_by_command, level), of, "lines command")
        for level, of in LEVELS.items()
    ),
]
