"""Every way to a number, in one table, held to what components give one by one and to the formula, to the last bit.

A variant tokenizes, counts and sums in batches, chunks, threads and buffers. Here its components are called for one
text and one segment at a time, and what they return is put together by the definition. A new way is a row of WAYS.
"""

from __future__ import annotations

import bz2
import copy
import csv
import gzip
import json
import lzma
import math
import os
import pickle
import subprocess
import sys
import tempfile
from array import array
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from importlib import import_module
from itertools import accumulate, chain, cycle
from operator import sub
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import numpy as np
from bleukit.conformance.contracts import corpora, inputs, refused
from bleukit.conformance.contracts.corpora import Corpus, Row
from bleukit.conformance.definitions import DEFAULT_VARIANT, PLAIN_VARIANT, alike, plain_score
from bleukit.conformance.judging import written
from bleukit.conformance.judging.observing import split_alone
from bleukit.conformance.tokenizers import plain_lower

import bleukit
from bleukit import Shard
from bleukit.counting.packed import Grouped, PackedTexts, ends_of
from bleukit.errors import InputError, one_line, shown
from bleukit.loading.signature import written_signatures
from bleukit.protocols import Counts
from bleukit.statistics import Statistics
from bleukit.text.corpora import JoinedCorpus, open_corpus
from bleukit.text.files import DEFAULT_LIMITS

try:
    import pyarrow as pa
    from pyarrow import feather, parquet
except ImportError:  # an extra
    pa = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit import Bleu
    from bleukit.accumulator import Accumulator, Level
    from bleukit.protocols import Text
    from bleukit.text.corpora import Corpus as CorpusOfFiles

Groups: TypeAlias = "list[Sequence[int]]"
"""The numbers of the segments of each row."""

_joined = Statistics.concatenate

PARTS = (1, 2, 3, 50, 51, 2047, 2048, 2049)
"""The sizes of parts in which a text comes."""

OTHER_KEYS: dict[str, dict[str, Any]] = {
    PLAIN_VARIANT: {"smoothing": "nltk-method5", "lowercase": True, "empty_score": 0.5},
    DEFAULT_VARIANT: {
        "weights": [0.0, 1e-4, *[1 / 12] * (inputs.ORDERS - 2)],
        "lowercase": "ascii",
        "empty_score": 0.5,
        "effective_order": True,
    },
}
"""The variants that are tried with other keys, too: a smoothing that reads the last segment, and many orders.

Others differ in components, which are also tried alone.
"""

STARTED = (500, 10_000)
"""The command is not tried on corpora of a size between these, because to start it takes long."""

CLOSE = 1e-12
"""How much of its size a number may differ by that is computed by another formula."""


@dataclass
class Trial:
    """A variant and a corpus: ``plain`` are the rows of its segments, counted one by one. ``folder`` is for files."""

    source: str
    bleu: Bleu
    corpus: Corpus
    plain: list[Row]
    folder: Path
    runs_command: bool = False
    known: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def offers(self) -> frozenset[str]:
        """What ways may need: what the corpus offers, and names of what is true of the variant and the run."""
        least, most = STARTED
        command = self.runs_command and not least < len(self.corpus) < most
        joins = self.bleu.variant.join_documents
        more = {"command": command, "joins": joins, "parts": not self.bleu.counts_whole_texts}
        return self.corpus.offers | {name for name, is_offered in more.items() if is_offered}

    @property
    def input(self) -> tuple[list[Text], list[Sequence[Text]]]:
        """Hypotheses and references."""
        return self.corpus.hypotheses, self.corpus.references

    def counted(self) -> Statistics:
        """Return the statistics of all segments, counted at once; those of the corpus if it has no segments."""
        if "counted" not in self.known:
            self.known["counted"] = self.bleu.statistics(*self.input) if self.corpus.distinct else self.sums(_each)
        rows: Statistics = self.known["counted"]
        return rows

    def sums(self, of: Callable[[int], Groups]) -> Statistics:
        """Return the sum of each group, by the plain rows."""
        if of not in self.known:
            groups = [_sum(self.plain, group) for group in of(len(self.corpus))]
            self.known[of] = groups, statistics_of(groups)
        rows: Statistics = self.known[of][1]
        return rows

    def scores(self, of: Callable[[int], Groups]) -> list[tuple[str, str]]:
        """Return all figures of the score of each group, and its value. Raises InputError if that is refused."""
        if ("scores", of) not in self.known:
            self.sums(of)
            level: Level = "sentence" if of is _each else "corpus"
            self.known["scores", of] = [self._score(row, level) for row in self.known[of][0]]
        scores: list[tuple[str, str]] = self.known["scores", of]
        return scores

    def _score(self, row: Row, level: Level) -> tuple[str, str]:
        key = level, row._replace(reference_length=float(row.reference_length))  # type: ignore[arg-type]
        if key not in self.known:
            score = _score(self.bleu, level, row)
            self.known[key] = _figures(score), repr(score.value)
        scored: tuple[str, str] = self.known[key]
        return scored

    def parts(self) -> Iterator[slice]:
        """Yield the segments in parts."""
        start = 0
        for size in cycle(PARTS):
            if start >= len(self.corpus):
                return
            yield slice(start, start + size)
            start += size


class Way(NamedTuple):
    """A way to the statistics of groups ``of`` segments, or to their scores: ``result`` returns these for a trial.

    ``needs`` says what the corpus must offer and, by "parts", that counts must not depend on the segments before, by
    "joins", that the variant scores documents, each as one text.
    ``is_exact`` is False if averages of reference lengths are summed by products of floating-point numbers.
    """

    says: str
    result: Callable[[Trial], Any]
    of: Callable[[int], Groups]
    needs: str = ""
    is_exact: bool = True

    def is_for(self, trial: Trial) -> bool:
        """Return whether it is a way for a trial."""
        needs = self.needs.split()
        return {*needs} <= trial.offers and trial.corpus.only in {"", *needs}


def broken(source: str, before: Sequence[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Yield each way that is tried for a variant, given by name or file, the corpus, and what is wrong, if anything.

    The default variant is tried on all corpora; others, and it with other keys, on those that are counted fast. A
    variant does not go where one that comes ``before`` has gone in the same way, such as to rows of the same counts.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="bleukit-") as folder:
            for keys in ({}, OTHER_KEYS[source]) if source in OTHER_KEYS else ({},):
                everything = source == DEFAULT_VARIANT and not keys
                bleu = bleukit.load(source, **keys)
                others = [] if keys else [_loaded(other) for other in before]
                for corpus in corpora.of_variants(bleu.max_order, _batch(bleu), everything=everything):
                    if corpus.offers & {"text", "UTF-8"} == {"text"} and not _takes_surrogates(bleu):
                        continue
                    trial = Trial(source, bleu, corpus, [], Path(folder), everything)
                    ways = _ways_of(bleu, corpus, others)
                    if any(way.is_for(trial) for way in ways):
                        trial.plain += counted_alone(bleu, corpus)
                        yield from _tried(trial, ways)
            yield from _written_down(source, bleukit.load(source), Path(folder))
    except Exception as error:  # noqa: BLE001 - a component may raise anything
        yield "a score", "any", one_line(error)


@cache
def _loaded(source: str) -> Bleu:
    return bleukit.load(source)


def _takes_surrogates(bleu: Bleu) -> bool:
    """Return whether a variant splits text that UTF-8 cannot hold; a tokenizer may refuse that."""
    try:
        split_alone("\ud800", bleu)
    except Exception:  # noqa: BLE001 - a component may raise anything
        return False
    return True


def _ways_of(bleu: Bleu, corpus: Corpus, others: Sequence[Bleu]) -> list[Way]:
    """Return the ways of a variant that differ from those of all others in what they depend on."""
    return [
        way
        for part_of, ways in DEPENDING_ON.items()
        if part_of(bleu, corpus) not in [part_of(other, corpus) for other in others]
        for way in ways
    ]


def _form(bleu: Bleu, _: Corpus) -> tuple[Any, ...]:
    """Return what the statistics of a variant are like, whatever it counts."""
    return bleu.max_order, bleu.variant.is_macro


def _counting(bleu: Bleu, corpus: Corpus) -> tuple[Any, ...]:
    """Return how a variant counts a corpus; the tokenizer does not matter to tokens."""
    variant = bleu.variant
    counting = variant.counter, variant.reference_length, variant.lowercase, variant.join_documents
    return *_form(bleu, corpus), *counting, variant.tokenizer if "text" in corpus.offers else None


def _batch(bleu: Bleu) -> int:
    counting = (bleu.components[kind] for kind in ("tokenizer", "counter", "reference_length"))
    return corpora.BATCH if all(component.batch for component in counting) else corpora.SLOW_BATCH


def _written_down(source: str, bleu: Bleu, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with signatures, with printed lines, and with what has no number."""
    yield "signatures", source, next(written.wrong_signatures(source), "")
    if source == DEFAULT_VARIANT:
        scores = written.hard_scores(bleu.corpus(["a b c d e f"], ["a b c d e g"]))
        yield "printed lines", "hard figures", next(written.wrong_lines(scores), "")
        signature = written_signatures(bleu.variant, 1)[source]
        yield from (("what has no number", says, wrong) for says, wrong in refused.accepted(bleu, signature, folder))
        default = bleukit.load()
        yield "no name", source, "" if default.signature == bleu.signature else f"it is {default}"


def _tried(trial: Trial, ways: Iterable[Way]) -> Iterator[tuple[str, str, str]]:
    for way in ways:
        if way.is_for(trial):
            yield way.says, trial.corpus.name, _wrong(way, trial)


def _wrong(way: Way, trial: Trial) -> str:
    """Return what is wrong with a result."""
    try:
        result = way.result(trial)
    except InputError as error:
        result = error
    except Exception as error:  # noqa: BLE001 - a component may raise anything
        return one_line(error)
    if isinstance(result, Statistics):
        if way.of is _documents and list(result.keys()) != list(dict.fromkeys(_document_of(len(trial.corpus)))):
            return f"the documents are {shown(result.keys())}"
        return _wrong_statistics(result, trial.sums(way.of), is_exact=way.is_exact)
    try:
        expected = trial.scores(way.of)
    except InputError:  # the smoothing refuses these counts, which has to come out in every way
        return "" if isinstance(result, InputError) else "it scores what the smoothing refuses"
    except _OtherwiseError as error:
        return str(error)
    return f"it is refused: {result}" if isinstance(result, InputError) else _wrong_scores(list(result), expected)


def _wrong_scores(got: Sequence[Any], expected: Sequence[tuple[str, str]]) -> str:
    """Return which score is not what it should be: of Scores all figures are compared."""
    if len(got) != len(expected):
        return f"{len(got)} scores, expected {len(expected)}"
    for place, (score, (figures, value)) in enumerate(zip(got, expected, strict=True)):
        one, other = (_figures(score), figures) if isinstance(score, bleukit.Score) else (repr(float(score)), value)
        if one != other:
            return f"score {place}: {shown(one)}, by its components {shown(other)}"
    return ""


class _OtherwiseError(Exception):
    """A score does not follow from its components and the formula; the message says how."""


def _figures(score: Any) -> str:
    """Return all figures of a score; NaN is equal to NaN in it."""
    return repr([value for name, value in score.to_dict().items() if name not in {"signature", "variant"}])


def _wrong_statistics(rows: Statistics, wanted: Statistics, *, is_exact: bool) -> str:
    """Return which column of which row is not what it should be."""
    if len(rows) != len(wanted):
        return f"{len(rows)} rows, expected {len(wanted)}"
    lasts = rows.last_segments, wanted.last_segments
    if any(lasts) and (wrong := _wrong_statistics(lasts[0] or rows, lasts[1] or wanted, is_exact=True)):
        return f"of last segments, {wrong}"
    for name in wanted.columns if is_exact else _columns_of(wanted.columns):
        got, plain = rows.column(name), wanted.column(name)
        if got.tobytes() == plain.tobytes():
            continue
        pairs = list(zip(got, plain, strict=False))
        if len(got) == len(plain) and not is_exact and name == "reference_length":
            pairs = [pair for pair in pairs if not alike(*pair, CLOSE)]
        for place, (one, other) in enumerate(pairs):
            if one != other:
                return f"row {place * len(rows) // len(got)}: {name} {one}, by its components {other}"
    return ""


def _score(bleu: Bleu, level: Level, row: Row) -> Any:
    """Return the score of a row, held to its components and the formula. Raises InputError if that is refused."""
    score = bleu.score(statistics_of([row]), level=level)
    variant = bleu.sentence_variant if level == "sentence" else bleu.variant
    components = bleu.sentence_components if level == "sentence" else bleu.components
    last = _as_counts(row.last or row, bleu.max_order, None)
    counts = _as_counts(row, len(variant.weights), last)
    precisions = tuple(map(float, components["smoothing"].call(counts)))
    penalty = float(components["brevity_penalty"].call(counts.hypothesis_length, counts.reference_length))
    value = variant.scale * plain_score(variant, penalty, precisions)
    if not row.hypothesis_length and not row.reference_tokens:
        value = variant.empty_score
    if variant.is_macro and level != "sentence":
        total = Fraction((row.sentence_scores or 0) * 2**30 + (row.sentence_scores_rest or 0), 2**60)
        more = variant.average == "macro-with-final-newline"
        value = float(variant.scale * total + more * Fraction(variant.empty_score)) / (row.segments + more)
    for name, got, wanted in (
        ("precisions", score.precisions, precisions),
        ("brevity_penalty", score.brevity_penalty, penalty),
        ("score", score.value, value),
        ("variant", score.variant, f"{bleu.variant.name or 'unnamed'}{written.MODIFIED}"),  # for counts were given
    ):
        if not alike(got, wanted, CLOSE):
            raise _OtherwiseError(f"{name} {got}, by its components {wanted}")
    return score


def _columns_of(names: Iterable[str]) -> list[str]:
    return [name for name in names if name in Row._fields[:-1]]


def _as_counts(row: Row, orders: int, last: Counts | None) -> Counts:
    length = float(row.reference_length)
    return Counts(list(row.matches[:orders]), list(row.totals[:orders]), row.hypothesis_length, length, last)


def statistics_of(rows: Sequence[Row]) -> Statistics:
    """Return statistics with these rows."""
    names = _columns_of(name for name, value in zip(Row._fields, rows[0], strict=True) if value is not None)
    columns: dict[str, Any] = {name: [getattr(row, name) for row in rows] for name in names}
    lengths = columns["reference_length"]
    columns["reference_length"] = list(map(float, lengths))
    columns["reference_length_rest"] = [float(length - Fraction(float(length))) for length in lengths]
    columns |= {name: list(chain.from_iterable(columns[name])) for name in ("matches", "totals")}
    lasts = [row.last or row for row in rows]
    last = statistics_of(lasts) if any(row.last for row in rows) else None
    return Statistics(len(rows[0].matches), columns, last)


def counted_alone(bleu: Bleu, corpus: Corpus) -> list[Row]:
    """Return what the components of a variant count in each segment of a corpus, one by one."""
    if not corpus.distinct:
        return list(corpus.rows)
    rows = [_counted(bleu, *segment) for segment in corpus.distinct]
    if bleu.variant.is_macro:
        rows = [_with_sentence_score(bleu, row) for row in rows]
    at_places = [rows[place] for place in corpus.places]
    if not bleu.counts_whole_texts:
        return at_places
    hypotheses = [_split(bleu, hypothesis) for hypothesis in corpus.hypotheses]
    references = [[_split(bleu, text) for text in own] for own in corpus.references]
    counter: Any = bleu.components["counter"].call
    sides = zip(*counter.for_text().batch(hypotheses, references, bleu.max_order), strict=True)
    return [
        row._replace(matches=tuple(map(int, matches)), totals=tuple(map(int, totals)))
        for row, (matches, totals) in zip(at_places, sides, strict=True)
    ]


def _counted(bleu: Bleu, hypothesis: Text, references: Sequence[Text]) -> Row:
    ours, *theirs = (_split(bleu, text) for text in (hypothesis, *references))
    matches, totals = bleu.components["counter"].call(ours, theirs, bleu.max_order)
    lengths = list(map(len, theirs))
    effective = Fraction(float(bleu.components["reference_length"].call(len(ours), lengths)))
    number = len(theirs)
    return Row(1, len(ours), effective, sum(lengths), number, number, tuple(map(int, matches)), tuple(map(int, totals)))


def _with_sentence_score(bleu: Bleu, row: Row) -> Row:
    score = _score(bleu, "sentence", row).value / bleu.variant.scale
    first, rest = divmod(round(Fraction(score) * 2**60), 2**30)
    return row._replace(sentence_scores=first, sentence_scores_rest=rest)


def _split(bleu: Bleu, text: Text) -> list[str]:
    if isinstance(text, str):
        return split_alone(text, bleu)
    return [plain_lower(token, bleu.variant.lowercase) for token in text]


def _sum(plain: Sequence[Row], group: Sequence[int]) -> Row:
    """Return the sum of the rows at some places."""
    if len(group) == 1:
        return plain[group[0]]
    rows = {id(plain[place]): plain[place] for place in group}
    often = Counter(id(plain[place]) for place in group)

    def total(values: Iterable[Any]) -> Any:
        return sum((value * often[row] for value, row in zip(values, rows, strict=True)), 0)

    return Row._make(
        [
            *(total(row[column] for row in rows.values()) for column in range(4)),
            min(row.fewest_references for row in rows.values()),
            max(row.most_references for row in rows.values()),
            *(tuple(map(total, zip(*(row[column] for row in rows.values()), strict=True))) for column in (6, 7)),
            *(
                None if plain[group[0]][column] is None else total(row[column] for row in rows.values())
                for column in (8, 9)
            ),
            plain[group[-1]],
        ]
    )


def _each(number: int) -> Groups:
    return [[place] for place in range(number)]


def _all(number: int) -> Groups:
    return [range(number)]


def _document_of(number: int) -> list[str]:
    """Return the document of each segment: of many segments most have one of their own; they are interleaved."""
    return [f"document {place * place % 7 if number <= corpora.FEW else place % 9000}" for place in range(number)]


def _documents(number: int) -> Groups:
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(_document_of(number)):
        groups.setdefault(name, []).append(place)
    return list(groups.values())


def _masked(number: int) -> Groups:
    return [*([place] for place in range(0, number, 2)), *([place] for place in range(1, number, 2))]


def _resamples(number: int) -> Groups:
    return [[place * times % number for place in range(number)] for times in (1, 0, 2, number - 1, 7)]


def _taken_in_order(number: int) -> Groups:
    return [sorted(group) for group in _resamples(number)]


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
    return _joined(rows)


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
    options += (
        ["--documents", _written_documents(trial, _document_of(len(trial.corpus)))] if level == "document" else []
    )
    command = [sys.executable, "-m", "bleukit", "score", hypotheses, "-V", trial.source, *options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)  # noqa: S603 - bleukit itself
    if done.returncode:
        raise InputError(done.stderr.decode())
    [system] = json.loads(done.stdout)["systems"]
    units = [system] if level == "corpus" else system[f"{level}s"]
    return [math.nan if unit["score"] is None else unit["score"] for unit in units]


def _by_sets(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    return trial.bleu.statistics(hypotheses, [*map(list, zip(*references, strict=True))], references_by="set")


def _tuples(values: Any) -> Any:
    return values if isinstance(values, str) else tuple(map(_tuples, values))


def _alone(trial: Trial) -> Statistics:
    hypotheses, references = trial.input
    return trial.bleu.statistics(hypotheses, [reference for [reference] in references])


def _prepared(trial: Trial) -> Any:
    tokens = not isinstance(trial.corpus.hypotheses[0], str)
    return trial.bleu.prepare(trial.corpus.references, tokens=tokens)


def _one_by_one(trial: Trial) -> Statistics:
    pairs = zip(*trial.input, strict=True)
    return _joined([trial.bleu.statistics([own], [list(others)]) for own, others in pairs])


def _documents_of(trial: Trial, level: Level) -> dict[str, Any]:
    return {"documents": _document_of(len(trial.corpus))} if level == "document" else {}


def _in_parts(level: Level, trial: Trial) -> Any:
    """Return an accumulator that was given a text in parts."""
    taken, (hypotheses, references) = trial.bleu.accumulator(level), trial.input
    documents = _documents_of(trial, level)
    for part in trial.parts():
        own = {name: names[part] for name, names in documents.items()}
        taken.update(hypotheses[part], references[part], **own)
    return taken


def _streamed(level: Level, trial: Trial) -> Any:
    streams = {name: iter(names) for name, names in _documents_of(trial, level).items()}
    hypotheses, references = trial.input
    return trial.bleu.accumulator(level).update(iter(hypotheses), iter(references), **streams)


def _added(level: Level, trial: Trial) -> Any:
    """Return an accumulator to which rows were added in parts."""
    taken, rows, documents = trial.bleu.accumulator(level), trial.counted(), _documents_of(trial, level)
    for part in trial.parts():
        taken.add(rows[part], **({"documents": documents["documents"][part]} if documents else {}))
    return taken


def _merged(level: Level, trial: Trial) -> Any:
    """Return what several accumulators were given, one of which was pickled, merged."""
    rows, documents = trial.counted(), _documents_of(trial, level)
    cuts = [0, len(rows) // 3, len(rows) // 2, len(rows)]
    parts = []
    for part in map(slice, cuts, cuts[1:]):
        own = {"documents": documents["documents"][part]} if documents else {}
        parts.append(trial.bleu.accumulator(level).add(rows[part], **own))
    first, second, third = parts
    return first.merge(pickle.loads(pickle.dumps(second))).merge(third)  # noqa: S301 - it was pickled here


def _merged_shard(suffix: str, level: Level, trial: Trial) -> Shard:
    """Return the sum of two parts that were kept in files."""
    rows, names = trial.counted(), _document_of(len(trial.corpus))
    cut = len(rows) // 3
    shards = []
    for number, part in enumerate((slice(0, cut), slice(cut, None))):
        own = rows[part].by_document(names[part]) if level == "document" else rows[part]
        path = str(trial.folder / f"part-{number}.{suffix}")
        Shard.of(trial.bleu, own, level=level).write(path)
        shards.append(Shard.read(path))
    return Shard.merged(shards, equal_parts=True)


def _in_shards(suffix: str, level: Level, trial: Trial) -> Statistics:
    return _merged_shard(suffix, level, trial).statistics[""]


def _by_threads(threads: int, trial: Trial) -> Statistics:
    return trial.bleu.statistics(*trial.input, threads=threads)


def _prepared_by_threads(threads: int, trial: Trial) -> Any:
    return _prepared(trial).statistics(trial.input[0], threads=threads)


def _scores_at(level: Level, trial: Trial) -> Sequence[Any]:
    return trial.bleu.scores(_rows_at(level, trial), level=level)


def _score_columns_at(level: Level, trial: Trial) -> Any:
    """Return the column of scores if the others are those of the scores, too."""
    rows = _rows_at(level, trial)
    columns = trial.bleu.score_columns(rows, level=level)
    others = list(zip(columns.brevity_penalty.tolist(), map(tuple, columns.precisions.tolist()), strict=True))
    scores = trial.bleu.scores(rows[: corpora.FEW], level=level)
    for place, (score, other) in enumerate(zip(scores, others, strict=False)):
        if repr((score.brevity_penalty, score.precisions)) != repr(other):
            raise InputError(f"row {place}: {other}, of the score {score.brevity_penalty, score.precisions}")
    return columns.value.tolist()


def _on_the_other_scale(trial: Trial) -> list[float]:
    """Return the scores if the variant whose scale is 1 instead of 100, or 100 instead of 1, has the same shares."""
    scores, scale = [float(value) for _, value in trial.scores(_each)], trial.bleu.variant.scale
    got = bleukit.load(trial.bleu.variant, scale=1 if scale == 100 else 100).sentences(*trial.input)
    if not alike(list(got * scale / (101 - scale)), scores, CLOSE):
        raise InputError(f"they are {shown(got.tolist())}, of scale {scale} {shown(scores)}")
    return scores


def _scores_of_merged(level: Level, trial: Trial) -> Sequence[Any]:
    scores: Sequence[Any] = _merged(level, trial).scores()
    return scores


def _matrix_by_threads(threads: int, trial: Trial) -> Any:
    hypotheses, references = trial.corpus.grid
    return trial.bleu.matrix(hypotheses, references, threads=threads).ravel()


def _part_of_matrix(trial: Trial) -> Any:
    """Score all texts of a grid with each other, and return what is left of hypotheses with references, weighted."""
    hypotheses, references = trial.corpus.grid
    texts, weights = [*hypotheses, *references], [1.0] * len(hypotheses) + [2.0] * len(references)
    whole = trial.bleu.matrix(texts, weights=weights)
    if whole.tobytes() != trial.bleu.matrix(texts, list(texts), weights=weights).tobytes():  # NaN is equal to NaN
        raise InputError("it is not that of two lists of the same texts")
    return (whole[: len(hypotheses), len(hypotheses) :] / 2).ravel()


def _in_matrices(trial: Trial) -> Any:
    """Score a grid in two groups by weights, into arrays that are there, and return what the weights were not."""
    hypotheses, references = trial.corpus.grid
    groups = [hypotheses[:9], hypotheses[9:]]
    weights = [[number] * len(references) for number in (1.0, 2.0)]
    out = [np.zeros((len(group), len(references))) for group in groups]
    trial.bleu.matrices(groups, [references] * 2, weights=weights, out=out, threads=2)
    return np.concatenate([out[0], out[1] / 2]).ravel()


def _decoded(trial: Trial) -> list[float]:
    """Return the scores of a grid if each expected score is the mean of those of a row, and the best is chosen."""
    hypotheses, references = trial.corpus.grid
    scores = [float(value) for _, value in trial.scores(_each)]
    means = [float(np.mean(row)) for row in np.reshape(scores, (-1, len(references)))]
    numbers = [place for place, mean in enumerate(means) if not math.isnan(mean)]  # without which there is no choice
    [choice] = trial.bleu.mbr([[hypotheses[place] for place in numbers]], references=[references])
    wanted = [means[place] for place in numbers]
    if not alike(list(choice.scores), wanted, CLOSE) or choice.index != choice.scores.index(max(choice.scores)):
        raise InputError(f"it chooses {choice}, with expected scores {shown(choice.scores)}, not {shown(wanted)}")
    return scores


def _duplicates(trial: Trial) -> list[float]:
    """Return the scores of texts with all others if the pairs of different texts are those that reach a threshold."""
    texts, bleu = list({repr(text): text for text in trial.corpus.hypotheses}.values()), trial.bleu
    pairs = bleu.matrix(texts, list(texts))
    higher = np.triu(np.maximum(pairs, pairs.T), 1)
    for threshold in sorted({score for score in higher.ravel().tolist() if 0 < score <= bleu.variant.scale}):
        rows, columns = np.nonzero(higher >= threshold)
        wanted = list(zip(rows.tolist(), columns.tolist(), higher[rows, columns].tolist(), strict=True))
        found = bleu.duplicates(texts, threshold).pairs
        if found != wanted:
            raise InputError(f"from {threshold} on they are {shown(found)}, expected {shown(wanted)}")
    return [float(value) for _, value in trial.scores(_each)]


def _self_bleu(trial: Trial) -> list[float]:
    """Return the scores of texts with all others as references if self-BLEU is their mean, by each policy."""
    texts, bleu = trial.corpus.hypotheses, trial.bleu
    scores = [float(value) for _, value in trial.scores(_each)]
    pairs = bleu.matrix(texts, list(texts))
    wanted = {
        "others": scores,
        "all": bleu.sentences(texts, [texts] * len(texts), references_by="segment").tolist(),
        "later": pairs[np.triu_indices(len(texts), 1)].tolist(),
    }
    for policy, values in wanted.items():
        mean = bleu.self_bleu(texts, references=policy).value  # type: ignore[arg-type]
        if not alike(mean, math.fsum(values) / len(values), CLOSE):
            raise InputError(f"with the references {policy!r} it is {mean}, expected the mean of {shown(values)}")
    return scores


def _running(trial: Trial) -> Statistics:
    """Sum the rows one after the other."""
    rows = trial.counted()
    running = rows[0]
    for row in rows[1:]:
        running = (running + row).sum()
    return running.sum()


def _compared(trial: Trial) -> Statistics:
    """Return the rows if they are equal to the same ones alone, and their sum to that with the same last segment."""
    rows = trial.counted()
    named = rows.with_keys(map(str, range(len(rows))))
    equal = [(rows, _pickled(rows)), (rows.sum(), _pickled(rows).sum()), (named, _pickled(named))]
    unequal = [(rows, named)] + [(rows.sum(), rows[::-1].sum())] * (trial.plain[0] != trial.plain[-1])
    if not all(one == other for one, other in equal) or any(one == other for one, other in unequal):
        raise InputError("equal statistics are unequal, or unequal ones equal")
    return rows


def _masks(trial: Trial) -> Statistics:
    """Take rows by a mask of Booleans, and all others by its opposite."""
    rows = trial.counted()
    is_even = [place % 2 == 0 for place in range(len(rows))]
    return rows[is_even] + rows[[not even for even in is_even]]


def _by_weights(trial: Trial) -> Statistics:
    number = len(trial.corpus)
    counts = [Counter(group) for group in _resamples(number)]
    return trial.counted().resampled([[often[place] for place in range(number)] for often in counts])


def _python_sum(trial: Trial) -> Statistics:
    total: Any = sum(trial.counted())  # which begins with 0
    return _joined([total]).sum()


def _by_name(trial: Trial) -> Statistics:
    rows = _rows_at("document", trial)
    return _joined(rows[str(name)] for name in rows.keys())  # noqa: SIM118 - they are no mapping


def _given_in_python(bleu: Bleu) -> Bleu:
    """Return a variant whose components are not chosen by name, but are Python objects."""
    components: Any = {kind: component.call for kind, component in bleu.components.items()}
    return bleukit.load(bleu.variant, **components)


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - it was pickled here


def _sum_of_sums(trial: Trial) -> Statistics:
    rows = trial.counted()
    return _joined([rows[part].sum() for part in trial.parts()]).sum()


def _rows_at(level: Level, trial: Trial) -> Statistics:
    rows = trial.counted()
    if level == "sentence":
        return rows
    return rows.sum() if level == "corpus" else rows.by_document(_document_of(len(rows)))


def _by_index(trial: Trial) -> Statistics:
    return trial.counted().resampled(indices=_resamples(len(trial.corpus)))


def _statistics_in(take: Callable[[Level, Trial], Accumulator], level: Level, trial: Trial) -> Statistics:
    taken = take(level, trial)
    if taken.segments != len(trial.corpus) or f" {taken.segments} segments," not in repr(taken):
        raise InputError(f"it has taken {taken.segments} segments, not {len(trial.corpus)}: {taken}")
    return taken.statistics


LEVELS: dict[Level, Callable[[int], Groups]] = {"corpus": _all, "document": _documents, "sentence": _each}


def _in_accumulators(takes: Mapping[str, Callable[[Level, Trial], Accumulator]], needs: str) -> list[Way]:
    """Return the ways through accumulators, of which each is named, at each level."""
    return [
        Way(f"an accumulator {how}, level {level}", partial(_statistics_in, take, level), of, needs)
        for how, take in takes.items()
        for level, of in LEVELS.items()
    ]


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

_TO_ROWS = (
    Way("rows of all segments at once", lambda t: t.bleu.statistics(*t.input), _each, "segments"),
    Way("rows of tuples", lambda t: t.bleu.statistics(*map(_tuples, t.input)), _each, "segments"),
    Way("rows of segments one by one", _one_by_one, _each, "segments few parts"),
    Way("references by set", _by_sets, _each, "segments sets"),
    Way("references that are in no list", _alone, _each, "single"),
    *(Way(f"rows by {n} threads", partial(_by_threads, n), _each, "segments") for n in (1, 2, 3, 16, corpora.THREADS)),
    Way("a buffer of UTF-8", _from_buffers, _each, "text UTF-8"),
    *(
        Way(f"Arrow's {kind} and {lists}", partial(_from_arrow, kind, lists), _each, f"text UTF-8 {needs}")
        for lists, needs in {**dict.fromkeys(LISTS, ""), "fixed_size_list": "sets"}.items()
        for kind in ("string", "large_string", "string_view", "dictionary")
        if pa is not None
    ),
    *(
        Way(says, result, _each, f"text UTF-8 {needs}")
        for says, result, needs in (
            ("a field of Arrow's structs", _from_struct, ""),
            ("sets of Arrow's texts", _sets_from_arrow, "sets"),
            ("Arrow's lists in another order", _from_lists_anywhere, ""),
        )
        if pa is not None and (result is not _from_lists_anywhere or "list_view" in LISTS)
    ),
    *(
        Way(f"files, .{suffix}", partial(_from_files, suffix), _each, "lines parts")
        for suffix in (*COMPRESSED, "jsonl", *ARROW)
    ),
    *(Way(f"files, .{suffix}", partial(_from_files, suffix), _each, "lines CSV parts") for suffix in ("csv", "tsv")),
    *(
        Way(f"evaluation sets, .{suffix}", partial(_from_files, suffix), _each, "marked parts")
        for suffix in ("sgm", "xml")
    ),
    Way("text files of documents that are joined", _from_joined_files, _each, "lines joins parts"),
    Way("text files by 17 threads", partial(_from_files, "txt", threads=corpora.THREADS), _each, "lines parts"),
    *(
        Way(f"prepared references by {n} threads", partial(_prepared_by_threads, n), _each, "segments")
        for n in (1, corpora.THREADS)
    ),
    Way("references laid out as the texts say", lambda t: t.bleu.statistics(*t.input), _each, "layout"),
    Way("components given in Python", lambda t: _given_in_python(t.bleu).statistics(*t.input), _each, "segments"),
    Way("a pickled variant", lambda t: _pickled(t.bleu).statistics(*t.input), _each, "segments"),
    *_in_accumulators({"given texts in parts": _in_parts, "given streams": _streamed}, "segments parts"),
)

_OF_ROWS = (
    Way("pickled statistics", lambda t: _pickled(t.counted()), _each),
    Way("copied statistics", lambda t: copy.deepcopy(t.counted()), _each),
    Way("rows that are compared", _compared, _each),
    Way("a mask of rows", _masks, _masked),
    Way(
        "rows by negative numbers",
        lambda t: _joined(t.counted()[place] for place in range(-len(t.plain), 0)),
        _each,
        "few",
    ),
    Way("an array of rows", lambda t: t.counted()[[*range(len(t.plain))][::-1]][::-1], _each),
    Way("parts one after the other", lambda t: t.counted()[:3] + t.counted()[3:], _each),
    Way("the sum of all rows", lambda t: t.counted().sum(), _all),
    Way("the sum of the sums of parts", _sum_of_sums, _all),
    Way("the sum of rows one by one", _running, _all, "few"),
    Way("Python's sum of rows", _python_sum, _all, "few"),
    Way("rows by the names of documents", _by_name, _documents, "few"),
    Way("rows by document", lambda t: _rows_at("document", t), _documents),
    Way("pickled rows by document", lambda t: _pickled(_rows_at("document", t)), _documents),
    Way("resamples by index", _by_index, _resamples, is_exact=False),
    Way("resamples by weight", _by_weights, _taken_in_order, "few", is_exact=False),
    *_in_accumulators({"given rows": _added, "merged": _merged}, "parts"),
    *(
        Way(f"statistics in .{suffix}, level {level}", partial(_in_shards, suffix, level), of, "segments parts")
        for suffix in ("jsonl", *ARROW)
        for level, of in LEVELS.items()
    ),
)

_TO_SCORES = (
    *(Way(f"scores, level {level}", partial(_scores_at, level), of, "few") for level, of in LEVELS.items()),
    *(Way(f"columns of scores, level {level}", partial(_score_columns_at, level), of) for level, of in LEVELS.items()),
    *(
        Way(f"scores of an accumulator, level {level}", partial(_scores_of_merged, level), of, "few parts")
        for level, of in LEVELS.items()
    ),
    Way("the score of an accumulator", lambda t: [_merged("document", t).compute()], _all, "segments parts"),
    Way("the score of a shard", lambda t: [_merged_shard("jsonl", "corpus", t).score()], _all, "segments parts few"),
    Way("a corpus", lambda t: [t.bleu.corpus(*t.input)], _all, "segments"),
    Way("a corpus by 17 threads", lambda t: [t.bleu.corpus(*t.input, threads=corpora.THREADS)], _all, "segments"),
    Way("a corpus with prepared references", lambda t: [_prepared(t).corpus(t.input[0])], _all, "segments"),
    Way("sentences", lambda t: t.bleu.sentences(*t.input), _each, "segments"),
    Way("sentences on the other scale", _on_the_other_scale, _each, "segments few"),
    Way("sentences with prepared references", lambda t: _prepared(t).sentences(t.input[0]), _each, "segments"),
    Way("sentence", lambda t: [*map(t.bleu.sentence, *t.input)], _each, "segments few parts"),
    *(Way(f"a matrix by {n} threads", partial(_matrix_by_threads, n), _each, "grid parts") for n in (1, 3)),
    Way("a matrix of texts with each other", _part_of_matrix, _each, "grid parts"),
    Way("matrices of two groups", _in_matrices, _each, "grid parts"),
    Way("self-BLEU", _self_bleu, _each, "themselves parts"),
    Way("MBR decoding", _decoded, _each, "grid parts"),
    Way("duplicates", _duplicates, _each, "themselves parts"),
    *(
        Way(f"the command, level {level}", partial(_by_command, level), of, "lines command")
        for level, of in LEVELS.items()
    ),
)

DEPENDING_ON: dict[Callable[[Bleu, Corpus], object], Sequence[Way]] = {
    _counting: _TO_ROWS,
    _form: _OF_ROWS,
    lambda bleu, _: bleu.variant: _TO_SCORES,
}
"""The ways by that part of a variant on which they depend, for a corpus."""

WAYS = (*_TO_ROWS, *_OF_ROWS, *_TO_SCORES)
