"""The ways from buffers, Arrow's columns, files and the command to statistics and scores."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import os
import sys
import time
from array import array
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from itertools import accumulate, chain
from pathlib import Path
from struct import pack
from threading import Thread
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np
from bleukit.conformance.contracts import corpora
from bleukit.conformance.contracts.trials import Trial, Way, document_of, joined, of_each

import bleukit
from bleukit.counting.packed import Grouped, PackedTexts, ends_of
from bleukit.errors import InputError, shown
from bleukit.text.corpora import JoinedCorpus, TestSetsCorpus, in_memory, open_corpus, read_segments
from bleukit.text.files import DEFAULT_LIMITS
from bleukit.text.samples import SampleFiles
from bleukit.text.table_file import ColumnNames

try:
    import pyarrow as pa
    from pyarrow import feather, parquet
except ImportError:  # an extra
    pa = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bleukit import Bleu
    from bleukit.statistics import Statistics
    from bleukit.text.corpora import Corpus as CorpusOfFiles


PAUSE = 0.05
"""For so many seconds what writes into a pipe pauses."""

IN_VIEWS = 12
"""Up to so many bytes of a text stand in Arrow's view of it."""

CODES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
"""The types of numbers in which Arrow codes the texts of a dictionary."""

WHOLE = slice(None)
"""All segments of a corpus."""


def _utf_8(texts: Sequence[Any]) -> PackedTexts:
    """Return texts as a reader of files has them: in a buffer, with a line feed after each."""
    encoded = [text.encode() for text in texts]
    ends = [end + place for place, end in enumerate(ends_of(encoded))]
    starts = [0, *(end + 1 for end in ends)][: len(encoded)]
    return PackedTexts(b"".join(text + b"\n" for text in encoded), array("q", starts), array("q", ends))


def from_buffers(trial: Trial) -> Statistics:
    """Count texts as a reader of files has them."""
    hypotheses, references = trial.input
    texts = Grouped(_utf_8(list(chain.from_iterable(references))), ends_of(references))
    return trial.bleu.statistics(_utf_8(hypotheses), texts, references_by="segment")


def _from_arrow(text: str, lists: str, trial: Trial) -> Statistics:
    """Count texts of one type of Arrow and references in lists of another, in several chunks of a larger column."""
    codes = pa.uint8() if len({*trial.corpus.hypotheses}) < 1 << 8 else pa.int32()
    kind = pa.dictionary(codes, pa.string()) if text == "dictionary" else getattr(pa, text)()
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


def _from_lists_apart(step: int, trial: Trial) -> Statistics:
    """Count references in lists between which are texts of no list; if the step is -1, the last one stands first."""
    hypotheses, references = trial.input
    lists = [[*own, hypotheses[0]] for own in references[::step]]
    ends = [*accumulate(map(len, lists))][::step]
    sizes = [*map(len, references)]
    starts = [end - 1 - size for end, size in zip(ends, sizes, strict=True)]
    texts = pa.array(chain.from_iterable(lists), pa.string())
    columns = (pa.array(numbers, pa.int32()) for numbers in (starts, sizes))
    return trial.bleu.statistics(hypotheses, pa.ListViewArray.from_arrays(*columns, texts))


def _from_views_of_two_buffers(trial: Trial) -> Statistics:
    """Count hypotheses in Arrow's views; longer texts are in the first and the second buffer by turns."""
    hypotheses, references = trial.input
    views, buffers = bytearray(), (bytearray(), bytearray())
    for place, content in enumerate(str(text).encode() for text in hypotheses):
        if len(content) <= IN_VIEWS:
            views += pack(f"<i{IN_VIEWS}s", len(content), content)
        else:
            views += pack("<i4sii", len(content), content[:4], place % 2, len(buffers[place % 2]))
            buffers[place % 2].extend(content)
    parts = [None, *(pa.py_buffer(bytes(part)) for part in (views, *buffers))]
    column = pa.Array.from_buffers(pa.string_view(), len(hypotheses), parts)
    return trial.bleu.statistics(column, references, references_by="segment")


def _sets_from_arrow(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    sets = [pa.array(texts) for texts in zip(*references, strict=True)]
    return trial.bleu.statistics(pa.array(hypotheses), sets, references_by="set")


def _from_struct(before: str | None, trial: Trial) -> Statistics:
    """Count hypotheses that are the only field of a part of Arrow's structs, after another text, or after null."""
    hypotheses, references = trial.input
    structs = pa.StructArray.from_arrays([pa.array([before, *hypotheses, None])], ["hypothesis"])
    return trial.bleu.statistics(structs[1:-1], references, references_by="segment")


def _from_part_of_table(trial: Trial) -> Statistics:
    """Count hypotheses that are the only column of a part of a table."""
    hypotheses, references = trial.input
    table = pa.table({"hypothesis": [None, *hypotheses, "x"]})
    return trial.bleu.statistics(table[1:-1], references, references_by="segment")


def _from_part_of_dictionary(trial: Trial) -> Statistics:
    """Count texts of a dictionary that is a part of an array, in which one that no text has is missing."""
    hypotheses, references = trial.input
    distinct = [*dict.fromkeys(hypotheses)]
    values = pa.array(["x", None, *distinct])[1:]
    codes = pa.array([distinct.index(text) + 1 for text in hypotheses], pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, values)
    return trial.bleu.statistics(column, references, references_by="segment")


def _from_dictionaries(code: str, trial: Trial) -> Statistics:
    """Count hypotheses in chunks, each with a dictionary of its own, of as many texts as a type of codes can number."""
    hypotheses, references = trial.input
    kind, most = pa.dictionary(getattr(pa, code)(), pa.string()), int(np.iinfo(code).max)
    parts = (hypotheses[start : start + most] for start in range(0, len(hypotheses), most))
    column = pa.chunked_array([pa.array(part, pa.string()).cast(kind) for part in parts], kind)
    return trial.bleu.statistics(column, references, references_by="segment")


def columns_of_texts(trial: Trial, part: slice = WHOLE) -> list[list[Any]]:
    """Return the hypotheses, and each set of references."""
    hypotheses, references = trial.input
    return [hypotheses[part], *map(list, zip(*references[part], strict=True))]


def written(suffix: str, trial: Trial, part: slice = WHOLE, below: str = "") -> tuple[list[str], list[str]]:
    """Write a part of a corpus into files of a folder; return the paths of hypotheses and of references."""
    columns = columns_of_texts(trial, part)
    folder = trial.folder / below
    folder.mkdir(exist_ok=True)
    name = "rest" if part.start else "first"  # so that other corpora write over it
    if suffix in COMPRESSED:
        paths = [str(folder / f"{name} {number}.{suffix}") for number in range(len(columns))]
        for number, (file_name, texts) in enumerate(zip(paths, columns, strict=True)):
            end = "\r\n" if suffix == "gz" else "\n"
            begin = "" if number else "\ufeff"  # a byte-order mark
            content = (begin + "".join(f"{text}{end}" for text in texts)).encode()
            members = content[: len(content) // 3], content[len(content) // 3 :]
            padding = b"\0" * 8 if suffix in {"gz", "xz"} else b""
            Path(file_name).write_bytes(padding.join(map(COMPRESSED[suffix], members)))
        return paths[:1], paths[1:]
    path = folder / f"{name}.{suffix}"
    names = ["hypothesis", *(f"reference {number}" for number in range(1, len(columns)))]
    if suffix in {"csv", "tsv"}:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="," if suffix == "csv" else "\t", quoting=csv.QUOTE_MINIMAL)
            writer.writerows([names, *zip(*columns, strict=True)])
    elif suffix in EVALUATION_SETS:
        path.write_text(_evaluation_set(columns, suffix), "utf-8")
        return [str(path)], [str(path)]
    elif suffix == "jsonl":
        own, *others = columns
        write_rows(path, ({"hypothesis": text, "reference": texts} for text, *texts in zip(own, *others, strict=True)))
    else:
        own, *others = columns
        lists: Any = [*map(list, zip(*others, strict=True))]
        if suffix == "arrow":  # with dictionaries of texts
            lists = pa.array(lists, pa.list_(pa.dictionary(pa.int32(), pa.string())))
        table = pa.table({"hypothesis": own, "reference": lists})
        (parquet.write_table if suffix == "parquet" else feather.write_feather)(table, str(path))
    return [str(path)], []


def write_lines(path: Path, texts: Iterable[object]) -> str:
    """Write a file of texts; return the path."""
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8", newline="")
    return str(path)


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files by their paths below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> str:
    """Write JSON lines; return the path."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return str(path)


def _evaluation_set(columns: Sequence[Sequence[str]], suffix: str) -> str:
    """Return hypotheses and references as one file of mteval's SGML, or of WMT's XML: a document of all segments.

    Every other segment of .sgml has no end tag, but a paragraph after it, which is not part of the segment; and <hl> is
    a tag in it, which is.
    """
    of_wmt = suffix == "xml"
    tags = ("hyp", "ref") if of_wmt else ("tstset", "refset")

    def segment(place: int, text: str) -> str:
        content = escape(text)
        if suffix == "sgml":
            content = content.replace("&lt;hl&gt;", "<hl>").replace("&lt;/hl&gt;", "</hl>")
        is_open = suffix == "sgml" and place % 2 == 0 and "<hl>" not in text
        return f'<seg id="{place}">{content}{"<p>no segment" if is_open else "</seg>"}\n'

    parts = []
    for number, texts in enumerate(columns):
        segments = "".join(map(segment, range(len(texts)), texts))
        tag = tags[number > 0]
        if of_wmt:
            parts.append(f'<{tag} {"translator" if number else "system"}="{number}">{segments}</{tag}>')
        else:
            parts.append(f'<{tag} sysid="{number}"><doc docid="1">{segments}</doc></{tag}>')
    return f'<dataset><doc id="1">{"".join(parts)}</doc></dataset>' if of_wmt else "".join(parts)


def _from_files(suffix: str, trial: Trial, threads: int | None = None) -> Statistics:
    """Read files in parts, and count each part, as ``bleukit score`` does."""
    corpus = open_corpus(*written(suffix, trial))
    _require_systems(corpus, ["0"] if suffix in EVALUATION_SETS else corpus.systems)
    return _of_parts(corpus, trial.bleu, threads)


def _of_parts(corpus: CorpusOfFiles, bleu: Bleu, threads: int | None = None, system: int = 0) -> Statistics:
    """Return the rows of a system of a corpus."""
    with closing(corpus):
        return joined(
            bleu.statistics(
                part.systems[system], part.references, references_by="segment", threads=threads, first=part.first
            )
            for part in corpus.parts(bleu.tokenize)
        )


def _from_pipe(suffix: str, trial: Trial) -> Statistics:
    """Read hypotheses from a named pipe, whose writer pauses in the middle, or between compressed members."""
    [hypotheses], references = written(suffix, trial)
    path = trial.folder / f"pipe.{suffix}"
    os.mkfifo(path)
    content = Path(hypotheses).read_bytes()
    cut = content.rfind(content[:4]) if suffix != "txt" else len(content) // 2
    Thread(target=_write_with_pause, args=(path, content[:cut], content[cut:]), daemon=True).start()
    try:
        return _of_parts(open_corpus([str(path)], references), trial.bleu)
    finally:
        path.unlink()


def _write_with_pause(path: Path, first: bytes, rest: bytes) -> None:
    with suppress(BrokenPipeError), path.open("wb", buffering=0) as file:
        file.write(first)
        time.sleep(PAUSE)
        file.write(rest)


def _require_systems(corpus: CorpusOfFiles, names: Sequence[str]) -> None:
    if list(corpus.systems) != list(names):
        raise InputError(f"the systems are {list(corpus.systems)}, expected {list(names)}")


def _with_references_in_a_table(trial: Trial) -> Statistics:
    [hypotheses], _ = written("txt", trial)
    return _of_parts(open_corpus([hypotheses], written("jsonl", trial)[0]), trial.bleu)


def _from_a_folder(trial: Trial) -> Statistics:
    """Read two tables in a folder."""
    for part in thirds(trial):
        [path], _ = written("jsonl", trial, part, "tables")
    return _of_parts(open_corpus([str(Path(path).parent)], []), trial.bleu)


def thirds(trial: Trial) -> list[slice]:
    """Return the first third of the segments, and the rest."""
    third = max(1, len(trial.corpus) // 3)
    return [slice(0, third), slice(third, None)]


def _from_rows_of_systems(trial: Trial) -> Statistics:
    """Read a table with a row of each of two systems for each segment, in parts and as a whole."""
    hypotheses, references = trial.input
    rows = (
        {"system": system, "hypothesis": text, "reference": list(own)}
        for *texts, own in zip(hypotheses[::-1], hypotheses, references, strict=True)
        for system, text in zip(("other", "own"), texts, strict=True)
    )
    path = write_rows(trial.folder / "systems.jsonl", rows)
    corpus = open_corpus([path], [])
    _require_systems(corpus, ["other", "own"])
    whole = in_memory(open_corpus([f"{path}#own"], []), trial.bleu.tokenize)
    got = _of_parts(corpus, trial.bleu, system=1)
    if got != trial.bleu.statistics(whole.systems[0], whole.references, references_by="segment"):
        raise InputError("they are not those of the system that is chosen")
    return got


def _from_test_sets(trial: Trial) -> Statistics:
    """Read two test sets, which name their three systems in different orders."""
    corpora_of_sets = {}
    orders = ["own", "other", "third"], ["third", "own", "other"]
    for part, names in zip(thirds(trial), orders, strict=True):
        own, references = written("txt", trial, part)
        of_names = {"own": own[0], "other": references[0], "third": references[-1]}
        corpora_of_sets[f"from {part.start}"] = open_corpus([of_names[name] for name in names], references), names
    corpus = TestSetsCorpus(corpora_of_sets)
    _require_systems(corpus, orders[0])
    return _of_parts(corpus, trial.bleu)


def _from_samples(form: str, trial: Trial) -> Statistics:
    """Read the texts of each segment as its samples, of which the first is the hypothesis, or with its references."""
    columns = columns_of_texts(trial)
    paths, references = written("txt", trial)
    each, names = None, ColumnNames()
    if form == "rows":
        each = len(columns)
        texts = chain.from_iterable(zip(*columns, strict=True))
        paths, references = [write_lines(trial.folder / "samples.txt", texts)], []
    elif form == "JSON lines":
        rows = ({"samples": [own], "references": others} for own, *others in zip(*columns, strict=True))
        paths, references = [write_rows(trial.folder / "samples.jsonl", rows)], []
    elif form == "columns":
        rows = ({"a": own, "b": own[::-1], "c": others} for own, *others in zip(*columns, strict=True))
        paths, references = [write_rows(trial.folder / "columns.jsonl", rows)], []
        names = ColumnNames(sample=("a", "b"), reference=("c",))
    files = SampleFiles(paths * (2 if form == "several" else 1), references, each=each, columns=names)
    with closing(files):
        groups = [group for part in files.groups() for group in part]
    pairs = [(own, others if texts is None else texts) for (own, *others), texts, _ in groups]
    hypotheses, of_each_one = zip(*pairs, strict=True)
    return trial.bleu.statistics(hypotheses, of_each_one, references_by="segment")


def _from_joined_files(parts: Callable[[Trial], list[slice]], trial: Trial) -> Statistics:
    """Return the statistics of the segments if the documents of files are counted as the texts that Python joins.

    Of several test sets documents of one name are several.
    """
    number = len(trial.corpus)
    every_name = [f"document {place % (number // 3 + 1)}" for place in range(number)]
    test_sets, joined_texts = {}, list[list[str]]()
    for part in parts(trial):
        names, sides = every_name[part], columns_of_texts(trial, part)
        joined_texts += _joined_by(names, sides).values()
        corpus = open_corpus(*written("txt", trial, part), written_documents(trial, names, part))
        test_sets[f"from {part.start}"] = corpus, ["own"]
    hypotheses, *references = zip(*joined_texts, strict=True)
    wanted = trial.bleu.statistics(hypotheses, [*zip(*references, strict=True)], references_by="segment")
    whole = TestSetsCorpus(test_sets) if len(test_sets) > 1 else corpus
    got = _of_parts(JoinedCorpus(whole, DEFAULT_LIMITS), trial.bleu)
    both = (rows.counts(trial.bleu.max_order) for rows in (got, wanted))
    for number, (ours, theirs) in enumerate(zip(*both, strict=True)):
        if ours != theirs:
            raise InputError(f"document {number}: its counts are {shown(ours)}, expected {shown(theirs)}")
    return trial.counted()


def _joined_in_python(trial: Trial) -> Statistics:
    """Return the statistics of the segments if the documents that Python's function joins have their texts."""
    hypotheses, references = trial.input
    names = document_of(len(hypotheses))
    found = bleukit.join_documents(hypotheses, references, names, references_by="segment")
    wanted = _joined_by(names, columns_of_texts(trial))
    sides = ([own, *others] for own, others in zip(found.hypotheses, found.references, strict=True))
    got = list(zip(found.documents, sides, strict=True))
    if got != [*wanted.items()]:
        raise InputError(f"the documents are {shown(got)}, expected {shown([*wanted.items()])}")
    return trial.counted()


def _joined_by(names: Sequence[str], sides: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Return the hypothesis and the references of each document; ``sides`` are those of the segments."""
    documents: dict[str, list[Any]] = {}
    for name, *texts in zip(names, *sides, strict=True):
        documents.setdefault(name, []).append(texts)
    return {name: list(map(_whole, zip(*segments, strict=True))) for name, segments in documents.items()}


def _whole(segments: Sequence[Any]) -> Any:
    """Return segments as one text, or as one list of tokens."""
    return " ".join(segments) if isinstance(segments[0], str) else [*chain.from_iterable(segments)]


def _read_one_by_one(suffix: str, trial: Trial) -> Statistics:
    """Count what is read of the files of a corpus alone: lines, a column, or the segments of a translation."""
    [path], references = written(suffix, trial)
    notes: list[str] = []
    paths = [f"{path}#0"] if suffix in EVALUATION_SETS else [path, *references]
    hypotheses, *others = ([*chain.from_iterable(read_segments(name, notes=notes))] for name in paths)
    return trial.bleu.statistics(hypotheses, [*zip(*others, strict=True)] or trial.input[1], references_by="segment")


def written_documents(trial: Trial, names: Iterable[str], part: slice = WHOLE) -> str:
    """Write the documents of a part of a corpus; return the path."""
    return write_lines(trial.folder / f"documents from {part.start}.txt", names)


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    "txt": bytes,
    "gz": gzip.compress,
    "bz2": partial(bz2.compress, compresslevel=1),
    "xz": partial(lzma.compress, preset=0),
}
"""The suffixes of text files, and what compresses a member of such a file."""
with suppress(ImportError):  # zstd is an extra before Python 3.14
    COMPRESSED["zst"] = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd").compress
NOT_INSTALLED = {
    **({} if pa else {"ways through Arrow's columns and files": "they need pyarrow: pip install 'bleukit[arrow]'"}),
    **({} if "zst" in COMPRESSED else {"ways through .zst": "they need zstd: pip install 'bleukit[zstd]'"}),
}
"""The ways that cannot be tried here, and why."""
EVALUATION_SETS = ("sgm", "sgml", "xml")
"""The suffixes of evaluation sets."""
ARROW = () if pa is None else ("parquet", "arrow")
"""The suffixes of files that need pyarrow."""
OF_RARE_FORMS = ("hundreds", "blocks")
"""The sizes of corpora that are read from files of rare forms."""
LISTS = [name for name in ("list_", "large_list", "list_view", "large_list_view") if hasattr(pa, name)]
"""Arrow's lists of any length."""

TO_ROWS = (
    *(
        Way(f"Arrow's {kind} and {lists}", partial(_from_arrow, kind, lists), of_each, f"text UTF-8 {needs}")
        for lists, needs in {**dict.fromkeys(LISTS, ""), "fixed_size_list": "sets"}.items()
        for kind in ("string", "large_string", "string_view", "dictionary")
        if pa is not None
    ),
    *(
        Way(
            f"{code} codes of Arrow's dictionaries",
            partial(_from_dictionaries, code),
            of_each,
            "text UTF-8 hundreds default",
        )
        for code in CODES
        if pa is not None
    ),
    *(
        Way(says, result, of_each, f"text UTF-8 {needs}")
        for says, result, needs in (
            ("a field of Arrow's structs", partial(_from_struct, "x y"), ""),
            ("a field of Arrow's structs after one that is null", partial(_from_struct, None), ""),
            ("a part of Arrow's tables", _from_part_of_table, ""),
            ("a part of Arrow's dictionaries", _from_part_of_dictionary, "hundreds"),
            ("sets of Arrow's texts", _sets_from_arrow, "sets"),
            ("Arrow's lists with texts between them", partial(_from_lists_apart, 1), ""),
            ("Arrow's lists in another order", partial(_from_lists_apart, -1), ""),
            ("Arrow's views of two buffers", _from_views_of_two_buffers, ""),
        )
        if pa is not None and ("Arrow's" not in says[:8] or "list_view" in LISTS)
    ),
    *(
        Way(f"files, .{suffix}", partial(_from_files, suffix), of_each, f"lines parts {needs}")
        for suffix, needs in {**dict.fromkeys((*COMPRESSED, "jsonl", *ARROW), ""), "bz2": "hundreds"}.items()
    ),
    *(Way(f"files, .{suffix}", partial(_from_files, suffix), of_each, "lines CSV parts") for suffix in ("csv", "tsv")),
    *(
        Way(f"evaluation sets, .{suffix}", partial(_from_files, suffix), of_each, "marked parts")
        for suffix in EVALUATION_SETS
    ),
    *(
        Way(says, result, of_each, f"lines parts {size}")
        for size in OF_RARE_FORMS
        for says, result in (
            ("hypotheses in a text file, references in a table", _with_references_in_a_table),
            ("a folder of tables", _from_a_folder),
            ("a table with rows of two systems", _from_rows_of_systems),
            ("two test sets", _from_test_sets),
        )
    ),
    *(
        Way(
            f"one file at a time, .{suffix}",
            partial(_read_one_by_one, suffix),
            of_each,
            f"{needs} parts hundreds default",
        )
        for suffix, needs in {"txt": "lines", "jsonl": "lines", **dict.fromkeys(EVALUATION_SETS, "marked")}.items()
    ),
    Way("documents that Python joins", _joined_in_python, of_each, "segments sets hundreds default"),
    *(
        Way(f"a named pipe, .{suffix}", partial(_from_pipe, suffix), of_each, "lines parts hundreds default")
        for suffix in COMPRESSED
        if hasattr(os, "mkfifo")
    ),
    *(
        Way(f"files of samples, {form}", partial(_from_samples, form), of_each, f"lines parts {size}")
        for form in ("several", "rows", "columns", "JSON lines")
        for size in OF_RARE_FORMS
    ),
    *(
        Way(
            f"text files of joined documents{more}",
            partial(_from_joined_files, parts),
            of_each,
            "lines joins parts",
        )
        for more, parts in (
            ("", lambda _: [WHOLE]),
            (", in two test sets", thirds),
        )
    ),
    Way("text files by 17 threads", partial(_from_files, "txt", threads=corpora.THREADS), of_each, "lines parts"),
)
