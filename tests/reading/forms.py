"""The same texts in files of every form, written by plain Python, the compressors of the standard library and pyarrow.

Each form is a function ``(folder, text, draw) -> arguments of open_corpus``.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from bleukit.reading.column_names import ColumnNames

try:
    import pyarrow as pa
    from pyarrow import feather, parquet
except ImportError:  # an extra
    pa = None

COMPRESSED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
with suppress(ImportError):
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    COMPRESSED[".zst"] = zstd.compress


class Text(NamedTuple):
    """Segments: what each system says, the references of each segment, its document and its source."""

    systems: dict[str, list[str]]
    references: list[list[str]]
    documents: list[str]
    sources: list[str]

    @property
    def sets(self):
        return list(map(list, zip(*self.references, strict=True)))


_WORDS = ['"quoted"', '"', "a,b", "Tom & Jerry", "&amp;", "&#65;", "<b>", "</seg>", "é", "猫", "👍🏽", "\u2028", "\x85"]
_WORDS += ["\u3000", "'", "x\\ty", "null", "1.5", "\u00ad", "#", "a", "the cat"]
sentences = st.lists(
    st.sampled_from(_WORDS) | st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=5), max_size=6
).map(lambda words: " ".join(" ".join(words).split(" ")))
"""Texts that every form can hold: without line ends and control characters."""

_NAMES = ["A", "B x", "C=D", "zé/1"]


@st.composite
def text_corpora(draw):
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    number = sum(sizes)
    columns = st.lists(
        sentences.map(lambda text: " ".join(filter(None, text.split(" ")))), min_size=number, max_size=number
    )
    systems = {name: draw(columns) for name in draw(st.sampled_from([_NAMES[:1], _NAMES[:2], _NAMES]))}
    references = list(map(list, zip(*(draw(columns) for _ in range(draw(st.integers(1, 3)))), strict=True)))
    documents = [f"d {place}" for place, size in enumerate(sizes) for _ in range(size)]
    return Text(systems, references, documents, draw(columns))


def lines(folder, text, draw):
    """Text files: compressed or not, in members of a few bytes, with marks and line ends of Windows or without."""

    def write(name, texts):
        suffix, size = draw(st.sampled_from([*COMPRESSED])), draw(st.sampled_from([1, 7, 11, 1000]))
        end, begin = draw(st.sampled_from(["\n", "\r\n"])), draw(st.sampled_from(["", "\ufeff"]))
        content = begin + end.join([*texts, ""])
        if texts[-1] and draw(st.booleans()):
            content = content.removesuffix(end)
        content = content.encode()
        parts = [content[start : start + size] for start in range(0, len(content), size)]
        path = folder / f"{name}{draw(st.sampled_from([suffix, suffix.upper()]))}"
        path.write_bytes(b"".join(map(COMPRESSED[suffix], parts)))
        return str(path)

    hypotheses = [write(f"hyp{place}", texts) for place, texts in enumerate(text.systems.values())]
    references = [write(f"ref{place}", texts) for place, texts in enumerate(text.sets)]
    return {"hypotheses": hypotheses, "references": references, "documents": write("doc", text.documents)}


def folders_of_lines(folder, text, draw):
    """Folders of text files, each a part of the text."""
    cuts = sorted(draw(st.sets(st.integers(1, len(text.documents)), max_size=2)) | {len(text.documents)})
    name_of = draw(st.sampled_from(["{}.txt", "{}/x", "{}/y=1 z/x"])).format

    def write(name, texts):
        for number, (start, end) in enumerate(pairwise([0, *cuts])):
            path = folder / name / name_of(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in texts[start:end]), "utf-8", newline="")
        return str(folder / name)

    hypotheses = [write(f"hyp{place}", texts) for place, texts in enumerate(text.systems.values())]
    return {"hypotheses": hypotheses, "references": [write(f"ref{n}", texts) for n, texts in enumerate(text.sets)]}


def wide(text, draw, *, lists):
    """Return the columns of a table with a row a segment, in any order, and how they are found."""
    names = [f"says {name}" for name in text.systems] if len(text.systems) > 1 else ["Hypothesis"]
    columns = dict(zip(names, text.systems.values(), strict=True))
    if lists:
        columns["refs"] = text.references
    else:
        columns |= {f"ref {place}": texts for place, texts in enumerate(text.sets, 1)}
    columns |= {"doc_id": text.documents, "SRC": text.sources, "other": text.sources[::-1]}
    order = draw(st.permutations([*columns]))
    asked = {"hypothesis": tuple(names)} if len(names) > 1 else {}
    if not lists:
        asked["reference"] = tuple(name for name in columns if name.startswith("ref"))
    return {name: columns[name] for name in order}, ColumnNames(**asked)


def long(text, draw):
    """Return the columns of a table with a row a segment and system."""
    pairs = [(name, place) for place in range(len(text.documents)) for name in text.systems]
    if draw(st.booleans()):
        pairs.sort(key=lambda pair: [*text.systems].index(pair[0]))
    return {
        "system": [name for name, _ in pairs],
        "mt": [text.systems[name][place] for name, place in pairs],
        "references": [text.references[place] for _, place in pairs],
        "document": [text.documents[place] for _, place in pairs],
        "source": [text.sources[place] for _, place in pairs],
    }, ColumnNames()


def flat(columns):
    """Return columns of texts alone: a column for each reference."""
    of_lists = {name: values for name, values in columns.items() if isinstance(values[0], list)}
    plain = {name: values for name, values in columns.items() if name not in of_lists}
    for values in of_lists.values():
        plain |= {f"ref{place}": list(texts) for place, texts in enumerate(zip(*values, strict=True), 1)}
    return plain


def delimited(columns, draw, suffix):
    """Return CSV or TSV as Python's module writes it; TSV is quoted throughout, or not at all."""
    columns = flat(columns)
    rows = [[*columns], *map(list, zip(*columns.values(), strict=True))]
    if suffix == "tsv" and not any('"' in cell for row in rows for cell in row) and draw(st.booleans()):
        return "".join("\t".join(row) + draw(st.sampled_from(["\n", "\r\n"])) for row in rows)
    quoting = csv.QUOTE_ALL if suffix == "tsv" else draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
    file = io.StringIO()
    end = draw(st.sampled_from(["\n", "\r\n"]))
    csv.writer(file, delimiter="," if suffix == "csv" else "\t", quoting=quoting, lineterminator=end).writerows(rows)
    return file.getvalue()


def json_lines(columns, draw):
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "".join(json.dumps(row, ensure_ascii=draw(st.booleans())) + "\n" for row in rows)


def table(suffix, shape):
    """Return the form of tables of a kind, "wide" or "long"."""

    def write(folder, text, draw):
        columns, names = long(text, draw) if shape == "long" else wide(text, draw, lists=draw(st.booleans()))
        path = folder / f"t.{suffix}"
        if suffix in {"csv", "tsv"}:
            content = delimited(columns, draw, suffix)
            names = names._replace(reference=tuple(sorted(name for name in flat(columns) if name.startswith("ref"))))
        elif suffix == "jsonl":
            content = json_lines(columns, draw)
        else:
            made, write_table = pa.table(columns), feather.write_feather if suffix != "parquet" else parquet.write_table
            sizes = {"row_group_size": 2} if suffix == "parquet" else {"chunksize": 2}
            write_table(made, str(path), **sizes)
            return {"hypotheses": [str(path)], "references": [], "columns": names}
        packed = draw(st.sampled_from([*COMPRESSED]))
        path = path.with_name(f"t.{suffix}{packed}")
        path.write_bytes(COMPRESSED[packed]((draw(st.sampled_from(["", "\ufeff"])) + content).encode()))
        return {"hypotheses": [str(path)], "references": [], "columns": names}

    write.__name__ = f"{shape} {suffix}"
    return write


def folders_of_tables(folder, text, draw):
    """Folders whose names hold systems and documents."""
    for name, texts in text.systems.items():
        for document in dict.fromkeys(text.documents):
            places = [place for place, one in enumerate(text.documents) if one == document]
            columns = {
                "hyp": [texts[place] for place in places],
                "refs": [text.references[place] for place in places],
                "src": [text.sources[place] for place in places],
            }
            below = folder / "lake" / f"sys={quote(name, safe='')}" / f"doc={quote(document, safe='')}"
            below.mkdir(parents=True)
            (below / "part-0.jsonl").write_text(json_lines(columns, draw), "utf-8")
            (below / ".part-0.jsonl.crc").write_bytes(b"crc")
    return {"hypotheses": [str(folder / "lake")], "references": []}


def segments_of(text, texts, draw, *, sgml):
    """Return the documents of a side: segments by document, with or without end tags."""
    documents = {}
    for document, one in zip(text.documents, texts, strict=True):
        documents.setdefault(document, []).append(one)
    for document, own in documents.items():
        parts = []
        for place, one in enumerate(own, 1):
            end = draw(st.sampled_from(["</seg>", "</SEG>\n", "<p>", ""])) if sgml else "</seg>"
            number = (
                draw(st.sampled_from([f"id='{place}'", f"id={place}", f'ID = "{place}"'])) if sgml else f'id="{place}"'
            )
            parts.append(f"<seg {number}>{escape(one)}{end}")
        yield document, "".join(parts)


def mteval(suffix):
    """Return the form of mteval's sets, in SGML or XML: one file, or one for each side."""

    def write(folder, text, draw):
        sgml = suffix != "xml"
        sides = {name: ("tstset", texts) for name, texts in text.systems.items()}
        sides |= {f"r{place}": ("refset", texts) for place, texts in enumerate(text.sets)}
        content = {"tstset": "", "refset": ""}
        for name, (tag, texts) in sides.items():
            opened = f"{tag} setid='s' sysid={quoteattr(name)}"
            documents = "".join(
                f"<doc docid={quoteattr(document)} id='x'>{own}</doc>\n"
                for document, own in segments_of(text, texts, draw, sgml=sgml)
            )
            end = tag.upper() if sgml and draw(st.booleans()) else tag
            content[tag] += f"<{opened}>{documents}</{end}>\n"
        paths = {tag: folder / f"{tag}.{suffix}" for tag in content}
        if draw(st.booleans()):
            content = dict.fromkeys(content, "".join(content.values()))
        for tag, path in paths.items():
            whole = content[tag] if sgml else f"<?xml version='1.0' encoding='UTF-8'?>\n<mteval>{content[tag]}</mteval>"
            path.write_text(whole, "utf-8", newline="")
        return {"hypotheses": [str(paths["tstset"])], "references": [str(paths["refset"])]}

    write.__name__ = f"mteval {suffix}"
    return write


def wmt(folder, text, draw):
    """WMT's XML, in which the sides of a document stand together, in any order."""
    sides = {f"hyp system={quoteattr(name)}": texts for name, texts in text.systems.items()}
    sides |= {f'ref translator="{place}"': texts for place, texts in enumerate(text.sets)}
    sides["src"] = text.sources
    first = next(iter(dict.fromkeys(text.documents)))
    of_documents = {}
    for opened, texts in sides.items():
        for document, own in segments_of(text, texts, draw, sgml=False):
            of_documents.setdefault(document, []).append(f"<{opened}><p>{own}</p></{opened.partition(' ')[0]}>")
    parts = [
        f"<doc id={quoteattr(document)}>{''.join(own if document == first else draw(st.permutations(own)))}</doc>"
        for document, own in of_documents.items()
    ]
    path = folder / "set.xml"
    path.write_text(f"<dataset id='t'>{''.join(parts)}</dataset>", "utf-8", newline="")
    return {"hypotheses": [str(path)], "references": [str(path)]}


SUFFIXES = ["csv", "tsv", "jsonl", *(["parquet", "arrow", "feather"] if pa else [])]
FORMS = [
    lines,
    folders_of_lines,
    folders_of_tables,
    *(table(suffix, shape) for suffix in SUFFIXES for shape in ("wide", "long")),
    *map(mteval, ["sgm", "sgml", "xml"]),
    wmt,
]
BY_FILE = {"lines", "folders_of_lines"}
"""Forms in which systems are called by their files."""
