"""What has no number: input, files, statistics, keys of variants and results of components that must be refused."""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from collections import UserList
from contextlib import closing
from functools import partial
from itertools import repeat
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
from bleukit.conformance.contracts import refused_columns
from bleukit.conformance.contracts.corpora import LINES, SLOW_BATCH
from bleukit.conformance.contracts.held_files import ESCAPED_KEYS
from bleukit.conformance.contracts.ways_of_commands import printed
from bleukit.conformance.contracts.ways_of_files import COMPRESSED

import bleukit
from bleukit import Shard
from bleukit.errors import BleukitError, InputError, one_line, shown
from bleukit.loading.signature import read_signature
from bleukit.statistics import Statistics
from bleukit.text.corpora import ANY_COLUMNS, in_memory, open_corpus, read_segments
from bleukit.text.files import DEFAULT_LIMITS
from bleukit.text.samples import SampleFiles
from bleukit.text.table_file import ColumnNames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit import Bleu
    from bleukit.text.files import Limits

CATS = ["the cat sat", "a dog ran"]
SETS = [["the cat lay", "a dog slept"], ["the cat lies", "a dog sleeps"]]
"""As many sets of references as there are hypotheses."""

WAITING = 1.0
"""For so many seconds a thread waits for another one."""


def accepted(bleu: Bleu, signature: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what must be refused, and what is wrong if a variant takes it all the same, or fails in another way.

    ``signature`` is one of sacreBLEU's; ``folder`` is for files.
    """
    attempts: Mapping[str, Callable[[], object]] = {
        **{says: partial(attempt, bleu) for says, attempt in (INPUT | refused_columns.COLUMNS | STATISTICS).items()},
        **{f"{key}: {value!r}": partial(bleukit.load, **{key: value}) for key, value in VARIANTS},
        "an empty score above the scale": partial(bleukit.load, scale=1, empty_score=1.5),
        **{f"{field} in a signature": partial(read_signature, f"{signature}|{field}") for field in SIGNATURES},
        **{f"{name} {value!r} in a row": partial(_with_column, bleu, name, value) for name, value in COLUMNS},
        **{says: partial(_read, folder, files) for says, files in {**FILES, **refused_columns.FILES}.items()},
        **{
            f"columns {[*filter(None, columns)]} of {files}": partial(_read, folder, files, columns=columns)
            for files, columns in NO_COLUMNS
        },
        **{f"samples of {files}, {how}": partial(_read_samples, folder, files, how) for files, how in SAMPLES},
        "a table of systems above a limit": partial(_read, folder, HELD_FILES[4], DEFAULT_LIMITS._replace(text=100)),
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
        **dict(_by_wrong_components(bleu)),
        **dict(_by_changed_statistics(bleu, folder)),
    }
    for says, attempt in attempts.items():
        yield says, _wrong(attempt)
    for place, attempt_at in (ITEMS | refused_columns.ITEMS).items():
        yield f"what is at {place}", _wrong(partial(attempt_at, bleu), [place.partition(", ")[0]])
    for files, places in PLACES:
        yield f"where {shown(files)} are wrong", _wrong(partial(_read, folder, files, LIMITS_OF_PLACES), places)


def _by_wrong_components(bleu: Bleu) -> Iterator[tuple[str, Callable[[], object]]]:
    for kind, results in RESULTS.items():
        for result in results:
            for make in (_Returns, _ReturnsInBatches):
                component: Any = {kind: make(result)}
                changed = bleukit.load(bleu.variant, **component)
                how = f"by a {kind} that returns {result!r}{' in batches' if make is _ReturnsInBatches else ''}"
                yield from ((f"{way} {how}", partial(attempt, changed)) for way, attempt in ENTRIES.items())


def _by_changed_statistics(bleu: Bleu, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield attempts to read statistics of which one thing was changed after they had been written."""
    whole = folder / "whole.jsonl"
    Shard.of(bleu, bleu.statistics(CATS, [CATS[0], "a dog"]), level="sentence").write(whole)
    head, *rows = whole.read_text("utf-8").split("\n")[:-1]
    row: Mapping[str, Any] = json.loads(rows[0])
    changes = {
        **{f"another {name}": [head, json.dumps({**row, name: _other(row[name])}), *rows[1:]] for name in row},
        "another version": [head.replace("bleukit statistics ", "bleukit statistics 1"), *rows],
        "another level": [head.replace('"level":"sentence"', '"level":"corpus"'), *rows],
        "another variant": [head.replace("tokenizer: 13a", "tokenizer: char"), *rows],
        "another signature": [head.replace("|tokenizer:13a", "|tokenizer:char"), *rows],
        "a row too few": [head, *rows[:-1]],
        "a row too many": [head, *rows, rows[-1]],
        "rows in another order": [head, *rows[::-1]],
        "half a row": [head, *rows[:-1], rows[-1][:-9]],
        "no header": rows,
    }
    for says, lines in changes.items():
        yield f"statistics with {says}", partial(_read_statistics, folder / "changed.jsonl", lines)


def _other(value: Any) -> Any:
    """Return another value like one of a column."""
    if isinstance(value, list):
        return [*value[:-1], _other(value[-1])]
    return f"{value}x" if isinstance(value, str) else value + 1


def _read_statistics(path: Path, lines: Sequence[str]) -> object:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return Shard.read(path).score()


def _wrong(attempt: Callable[[], object], places: Sequence[str] = ()) -> str:
    """Return what is wrong unless an attempt is refused, by a message with all of some places."""
    try:
        return f"it is not refused: {shown(attempt())}"
    except (BleukitError, LookupError) as error:
        missing = [place for place in places if place not in str(error)]
        return f"{error} does not say {missing}" if missing else ""
    except Exception as error:  # noqa: BLE001 - whatever else is raised is wrong
        return f"it is not refused in words: {one_line(error)}"


def _rows(bleu: Bleu) -> Statistics:
    return bleu.statistics(CATS, CATS)


def _with_part_of_a_sum(bleu: Bleu) -> object:
    """Merge the shards of three texts, of which the first two are summed before, and the second again."""
    one, two, three = (Shard.of(bleu, bleu.statistics([text], CATS[:1])) for text in (*CATS, "a cat ran"))
    return Shard.merged([Shard.merged([one, two]), three, two])


def _too_large() -> Statistics:
    """Return two rows whose sum is beyond 64 bits."""
    small = ("segments", "reference_length", "reference_tokens", "fewest_references", "most_references", "matches")
    large = ("hypothesis_length", "totals")
    return Statistics(1, {name: [1 if name in small else 1 << 62] * 2 for name in small + large})


def _tokens(texts: Any) -> Any:
    return texts.split() if isinstance(texts, str) else [*map(_tokens, texts)]


def _matrices(out: object) -> Callable[[Any], object]:
    return lambda bleu: bleu.matrices([CATS], [CATS], out=[out])


def _with_two_errors(bleu: Bleu) -> object:
    """Raise an error at a text, after another one at a later text, which a second thread counts; the first counts."""
    later = Event()

    def tokenize(text: str) -> list[str]:
        if text == "first":
            later.wait(WAITING)
            time.sleep(WAITING / 10)  # until the other error is known
            raise InputError("the first text")
        if text == "later":
            later.set()
            raise KeyError("a later text")
        return text.split()

    texts = ["first", *["a b"] * SLOW_BATCH, "later", *["a b"] * SLOW_BATCH]
    try:
        return bleukit.load(bleu.variant, tokenizer=tokenize).corpus(texts, texts, threads=2)
    except BleukitError as error:
        if "the first text" in str(error):
            raise
        return error


class _Table(UserList[str]):
    """What has columns, but is not one."""

    columns = ("x", "y")


def _streamed(number: int, bleu: Bleu) -> object:
    return bleu.accumulator().update(repeat("a", number), repeat("a", number + 1))


PAIRS: Mapping[str, tuple[Any, Any]] = {
    "a segment without references": (["a"], [[]]),
    "a reference too few": (CATS, ["a"]),
    "a text that is missing": (["a", None], CATS),
    **refused_columns.PAIRS,
    "a reference that is missing": (["a"], [["a", None]]),
    "one text as hypotheses": ("a", ["a"]),
    "bytes": ([b"a"], ["a"]),
    "bytes as reference": (["a"], [b"a"]),
    "a number": ([1], ["a"]),
    "a mapping": ({"a": 1}, ["a"]),
    "bytes as text": (b"a", ["a"]),
    "a set": ({"a"}, ["a"]),
    "a token that is missing": ([["a", None]], [[["a"]]]),
    "a token that is a number": ([["a"]], [[["a", 1]]]),
    "tokens as references of a text": (CATS[:1], [[["a", "b"]]]),
    "a text beside tokens as references": ([["a", "c"]], [[["a"], "a c"]]),
    "tokens beside a text as references": (["a c"], [["a c", ["a"]]]),
    "a text after tokens": ([["a"], "a"], [[["a"]], [["a"]]]),
    "tokens after a text": (["a", ["a"]], CATS),
}
"""Hypotheses and references that no way to statistics takes."""

LAYOUTS: Mapping[str, tuple[Any, Any]] = {
    **{
        f"{len(words)} words as references": ([" ".join(words)], [[*words[:-1], "it"]])
        for words in (["the", "cat", "sat", "down"], list("abcdefgh"), list("abcdefghi"))
    },
    "sets as references by segment": (CATS, SETS),
    "sets of tokens as references by segment": (_tokens(CATS), _tokens(SETS)),
    "sets of one word each as references by segment": (["猫坐着", "狗叫"], [["猫坐", "狗大叫"]] * 2),
}
"""References that are in no list of their segment, or by set; accumulators and prepared references are by segment."""


def _of_pair(hypotheses: Any, references: Any) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield the ways from a whole text to its statistics and scores."""
    for way in ("corpus", "sentences", "statistics"):
        yield way, partial(_scored, way, hypotheses, references)
    if isinstance(hypotheses, list) and len(hypotheses) == 1 == len(references):
        yield "sentence", lambda bleu: bleu.sentence(hypotheses[0], references[0])


def _scored(way: str, hypotheses: Any, references: Any, bleu: Bleu) -> object:
    return getattr(bleu, way)(hypotheses, references)


def _of_parts(hypotheses: Any, references: Any) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield the ways from a part of a text to its statistics."""
    yield "accumulator", lambda bleu: bleu.accumulator().update(hypotheses, references)
    yield "prepare", lambda bleu: bleu.prepare(references).statistics(hypotheses)


def _joined(documents: Any, _: Bleu) -> object:
    return bleukit.join_documents(CATS, CATS, documents)


INPUT: dict[str, Callable[[Any], object]] = {
    **{f"{says}, {how}": way for says, pair in {**PAIRS, **LAYOUTS}.items() for how, way in _of_pair(*pair)},
    **{f"{says}, {how}": way for says, pair in PAIRS.items() for how, way in _of_parts(*pair)},
    "no segment": lambda bleu: bleu.corpus([], []),
    "a sentence without references": lambda bleu: bleu.sentence("a", []),
    "sets of other sizes": lambda bleu: bleu.corpus(CATS, [CATS, ["a"]], references_by="set"),
    "a set that is a text": lambda bleu: bleu.corpus(CATS, ["ab"], references_by="set"),
    "an unknown layout": lambda bleu: bleu.corpus(CATS, CATS, references_by="sets"),
    "documents with other numbers of references": lambda _: bleukit.join_documents(
        CATS, [["a"], ["a", "b"]], ["x", "x"], references_by="segment"
    ),
    **{
        f"documents {documents!r} to join": partial(_joined, documents)
        for documents in ("ab", ["x"], ["x"] * 3, [["x"], ["x"]], {"x", "y"})
    },
    "an array of no dimension": lambda bleu: bleu.corpus(np.array("a"), ["a"]),
    "a table of which only its columns are known": lambda bleu: bleu.corpus(_Table(CATS), CATS),
    "groups of texts for self-BLEU": lambda bleu: bleu.self_bleu([CATS, CATS[::-1]]),
    "a type as hypotheses": lambda bleu: bleu.corpus(list, ["a"]),
    "no thread": lambda bleu: bleu.corpus(CATS, CATS, threads=0),
    "two texts that two threads refuse": _with_two_errors,
    "a Boolean as threads": lambda bleu: bleu.corpus(CATS, CATS, threads=True),
    "half a thread": lambda bleu: bleu.corpus(CATS, CATS, threads=1.5),
    "a hypothesis too few for prepared references": lambda bleu: bleu.prepare(CATS).corpus(["a"]),
    "tokens for prepared texts": lambda bleu: bleu.prepare(CATS).corpus(_tokens(CATS)),
    "bytes to tokenize": lambda bleu: bleu.tokenize(b"a"),
    "one text as texts to tokenize": lambda bleu: bleu.tokenize_all("a"),
    "a signature without a field": lambda bleu: read_signature(bleu.signature.replace("|case:mixed", "")),
    "a signature of few references": lambda bleu: read_signature(
        bleu.signature.replace("references:any", "references:few")
    ),
    "a signature of tokens": lambda bleu: read_signature(bleu.sentence(["a"], [["a"]]).signature),
    "a stream that ends early": lambda bleu: bleu.accumulator().update(iter("ab"), iter("a")),
    **{
        f"a stream of references that goes on after {number:,}": partial(_streamed, number)
        for number in (0, 1, LINES - 1, LINES, 2 * LINES)
    },
    "parts of a text that is counted as a whole": lambda _: (
        bleukit.load("fairseq").accumulator().update(CATS, CATS).update(CATS, CATS)
    ),
    "an accumulator of nothing": lambda bleu: bleu.accumulator().compute(),
    "an accumulator of an unknown level": lambda bleu: bleu.accumulator("segment"),
    "a document too few": lambda bleu: bleu.accumulator("document").update(CATS, CATS, documents=["x"]),
    "one text for a matrix": lambda bleu: bleu.matrix("a", ["a"]),
    "tokens for a matrix of texts": lambda bleu: bleu.matrix(["a"], [["a"]]),
    "a weight too many": lambda bleu: bleu.matrix(CATS, CATS, weights=[1, 2, 3]),
    "a weight below 0": lambda bleu: bleu.matrix(CATS, CATS, weights=[1, -1]),
    "a weight that is NaN": lambda bleu: bleu.matrix(CATS, CATS, weights=[1, math.nan]),
    "a weight that is infinite": lambda bleu: bleu.matrix(CATS, CATS, weights=[1, math.inf]),
    "weights of 0 alone": lambda bleu: bleu.mbr([CATS], weights=[[0, 0]]),
    "a group too few": lambda bleu: bleu.matrices([CATS, CATS], [CATS]),
    "an array of another shape": _matrices(np.zeros((2, 1))),
    "an array of whole numbers": _matrices(np.zeros((2, 2), np.int64)),
    "an array that is read only": _matrices(np.frombuffer(bytes(32)).reshape(2, 2)),
    "no sample": lambda bleu: bleu.mbr([[]]),
    "samples without references": lambda bleu: bleu.mbr([CATS], references=[[]]),
    "one text among itself": lambda bleu: bleu.self_bleu(["a"]),
    "an unknown choice of references": lambda bleu: bleu.self_bleu(CATS, references="none"),
    "a sample of no text": lambda bleu: bleu.self_bleu(CATS, sample=0),
    "a threshold of 0": lambda bleu: bleu.duplicates(CATS, 0),
    "a threshold above the scale": lambda bleu: bleu.duplicates(CATS, bleu.variant.scale * 1.01),
    "a threshold that is NaN": lambda bleu: bleu.duplicates(CATS, math.nan),
}


def _with(number: int, place: int, value: Any, item: Any = "a") -> list[Any]:
    """Return so many items, of which the one at a place is another."""
    return [*[item] * place, value, *[item] * (number - place - 1)]


ITEMS: dict[str, Callable[[Any], object]] = {
    "hypotheses[1]:": lambda bleu: bleu.corpus(["a", None], CATS),
    "hypotheses[0]:": lambda bleu: bleu.corpus([None, "a"], CATS),
    "hypotheses[2500]:": lambda bleu: bleu.corpus(_with(2600, 2500, 1), ["a"] * 2600),
    "hypotheses[2599]:": lambda bleu: bleu.statistics(_with(2600, 2599, ["a"]), ["a"] * 2600),
    "references[2500]:": lambda bleu: bleu.sentences(["a"] * 2600, _with(2600, 2500, 1)),
    "references[2500]: no reference": lambda bleu: bleu.corpus(["a"] * 2600, _with(2600, 2500, [])),
    "references[2500][1]:": lambda bleu: bleu.corpus(["a"] * 2600, _with(2600, 2500, ["a", None], ["a", "b"])),
    "hypotheses[2500][1]:": lambda bleu: bleu.corpus(_with(2600, 2500, ["a", 1], ["a"]), [[["a"]]] * 2600),
    "references[1][0][2]:": lambda bleu: bleu.corpus([["a"]] * 2, [[["a"]], [["a", "b", 1]]]),
    "hypothesis[1]:": lambda bleu: bleu.sentence(["a", 1], [["a"]]),
    "references[1]:": lambda bleu: bleu.sentence("a", ["a", 1]),
    "documents[1]:": lambda _: bleukit.join_documents(CATS, CATS, ["x", []]),  # type: ignore[list-item]
    "but 1 reference in": lambda bleu: bleu.corpus(CATS, [CATS, ["a"]], references_by="set"),
    "references[0]:": lambda bleu: bleu.corpus(CATS, ["ab", CATS], references_by="set"),
    "but 1 item in": lambda bleu: bleu.corpus(CATS, ["a"]),
    "but 2 items in": lambda bleu: bleu.corpus(["a"], CATS),
    "references_by='set', two sets": lambda bleu: bleu.corpus(CATS, [CATS] * 3),
    "references_by='set', a square": lambda bleu: bleu.corpus(CATS, SETS),
}
"""Attempts of which the message has what they are named by, up to a comma with a space: the argument and the place."""


def _beyond_floats() -> Bleu:
    """Return a variant that gives more than floating point can hold."""
    return bleukit.load(weights=[1, 1000], smoothing={"name": "floor", "value": 5})


INPUT |= {
    "a corpus whose score is beyond floating point": lambda _: _beyond_floats().corpus(["the cat"], ["the dog"]),
    "a sentence whose score is beyond floating point": lambda _: _beyond_floats().sentence("the cat", "the dog"),
    "a segment whose score is beyond floating point": lambda _: _beyond_floats().sentences(["the cat"], ["the dog"]),
}

STATISTICS: dict[str, Callable[[Any], object]] = {
    "a sum beyond 64 bits": lambda _: _too_large().sum(),
    "a document beyond 64 bits": lambda _: _too_large().by_document(["one", "one"]),
    "a resample beyond 64 bits": lambda _: _too_large().resampled([[1, 1]]),
    "a row that is not there": lambda _: _too_large()[2],
    "a row that is not there, from the end": lambda _: _too_large()[-3],
    "a document that is not there": lambda _: _too_large().with_keys("ab")["c"],
    "a mask of another length": lambda _: _too_large()[[True]],
    "a mask of another shape": lambda _: _too_large()[[[True, False]]],
    "half a row": lambda _: _too_large()[1.5],
    "a name of rows without names": lambda _: _too_large()["a"],
    "a name too few": lambda _: _too_large().with_keys("a"),
    "an unknown column": lambda _: _too_large().column("match"),
    "no rows": lambda bleu: bleu.score(_rows(bleu)[:0]),
    "a score of no statistics": lambda bleu: bleu.score("a"),
    "a score of an unknown level": lambda bleu: bleu.score(_rows(bleu), level="segment"),
    "counts of fewer orders": lambda bleu: bleu.score(_too_large()[0]),
    "rows of another order": lambda bleu: _rows(bleu) + _too_large(),
    "rows counted otherwise": lambda bleu: _rows(bleu) + bleu.statistics([["a"]], [["a"]]),
    "rows that another variant counted": lambda bleu: (
        bleu.accumulator().add(_rows(bleu)).add(_rows(bleukit.load("nltk"))).compute()
    ),
    "accumulators of two levels": lambda bleu: bleu.accumulator("corpus").merge(bleu.accumulator("document")),
    "documents at the level of the corpus": lambda bleu: bleu.accumulator().add(_rows(bleu), documents=CATS),
    "no documents at their level": lambda bleu: bleu.accumulator("document").add(_rows(bleu)),
    "a document too few of rows": lambda bleu: _rows(bleu).by_document(["a"]),
    "documents that have no hash": lambda bleu: _rows(bleu).by_document(_tokens(CATS)),
    "no resample": lambda bleu: _rows(bleu).resampled(),
    "weights and indices": lambda bleu: _rows(bleu).resampled([[1, 1]], indices=[[0, 1]]),
    "a resample of weights below 0": lambda bleu: _rows(bleu).resampled([[1, -1]]),
    "a resample of half a row": lambda bleu: _rows(bleu).resampled([[1, 0.5]]),
    "a resample of too few weights": lambda bleu: _rows(bleu).resampled([[1]]),
    "a resample of another shape": lambda bleu: _rows(bleu).resampled([1, 1]),
    "a resample of no row, by weight": lambda bleu: _rows(bleu).resampled([[1, 1], [0, 0]]),
    "a resample of no row, by index": lambda bleu: _rows(bleu).resampled(indices=[[]]),
    "a resample of a row that is not there": lambda bleu: _rows(bleu).resampled(indices=[[0, 2]]),
    "a resample of a row below 0": lambda bleu: _rows(bleu).resampled(indices=[[0, -1]]),
    "no shard": lambda _: Shard.merged([]),
    "the same shard twice": lambda bleu: Shard.merged([Shard.of(bleu, _rows(bleu))] * 2),
    "the same shard with another between": lambda bleu: Shard.merged(
        Shard.of(bleu, bleu.statistics([text], CATS[:1])) for text in (*CATS, CATS[0])
    ),
    "a shard that is a part of one between others": _with_part_of_a_sum,
    "shards of two levels": lambda bleu: Shard.merged(
        [Shard.of(bleu, _rows(bleu)), Shard.of(bleu, _rows(bleu), level="sentence")], equal_parts=True
    ),
    "shards of two variants": lambda bleu: Shard.merged(
        Shard.of(own, _rows(own)) for own in (bleu, bleukit.load(weights=2))
    ),
}


def _with_column(bleu: Bleu, column: str, value: object) -> Statistics:
    """Return the statistics of two segments if a value of the first were another one; of no column, without it."""
    rows = _rows(bleu)
    columns: dict[str, Any] = {name: rows.column(name).tolist() for name in rows.columns}
    if value is None:
        del columns[column]
    else:
        columns[column] = [value, *columns.get(column, [1, 1])[1:]]
    return Statistics(rows.max_order, columns)


COLUMNS = (
    *((name, -1) for name in ("segments", "hypothesis_length", "reference_length", "matches", "totals")),
    *((name, value) for name in ("reference_length", "reference_length_rest") for value in (math.nan, math.inf)),
    *((name, value) for name in ("matches", "segments") for value in (0.5, "a", 1 << 64, None)),
    ("matches", 4),
    ("unknown", 1),
)
"""Columns of statistics, and values that one cannot have; None if it cannot be left out."""

VARIANTS: tuple[tuple[str, Any], ...] = (
    *(("weights", value) for value in ([], [0, 0], [-1, 2], [math.inf, 1], [math.nan], 0, -1, 1_000_000, "4", True)),
    *(("smoothing", {"name": "add-k", "k": value}) for value in (-1, math.nan, math.inf, "1", None)),
    ("smoothing", {"name": "add-k", "n": 1}),
    ("tokenizer", "13b"),
    ("tokenizer", 13),
    ("tokeniser", "13a"),
    *(("scale", value) for value in (0, 10, "100")),
    *(("empty_score", value) for value in (-1, math.inf, 101)),
    ("lowercase", "yes"),
    ("average", "mean"),
    ("sentence", {"scale": 2}),
)

SIGNATURES = ("bs:0", "bs:01", "bs:1e3", "ar:-1", "bs:9|seed:x", "nrefs:1", "unknown:1", "bs", "bs:")
"""Fields that cannot follow in a signature of sacreBLEU."""


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
    for name, content in files.items():
        path = below / name.partition("#")[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
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
    for name, content in files.items():
        (below / name).parent.mkdir(exist_ok=True)
        (below / name).write_text(content, "utf-8")
    return printed(*(word.format(below) for word in words))


def _beside_sets(folder: Path, role: str) -> object:
    """Read evaluation sets and a file that they have no use for."""
    path = folder / "beside.sgm"
    path.write_text(_SGML + _SGML_REFERENCE, "utf-8")
    return open_corpus([str(path)], [str(path)], **{role: str(path)})  # type: ignore[arg-type]


def _read_segments(folder: Path, name: str, content: str) -> object:
    path = folder / name
    path.with_name(name.partition("#")[0]).write_text(content, "utf-8")
    return [*map(list, read_segments(str(path), notes=[]))]


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
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
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
HELD_FILES: Sequence[Mapping[str, str]] = (
    {"1.txt": "a\n" * 5, "2.txt": "a\n" * 5},
    {"1.txt": f"{'a' * 101}\n", "2.txt": "a\n"},
    {"1.txt": "a\n", "2.txt": f"{'a' * 101}\n"},
    {"1.jsonl": json.dumps({"hyp": "a", "ref": ["a" * 40] * 3}) + "\n"},
    {"1.csv": "system,hyp,ref\n" + f"x,{'a' * 60},a\ny,{'a' * 60},a\n"},
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


class _Returns:
    """A component of any kind that returns the same whatever it is given."""

    def __init__(self, result: object) -> None:
        self.result = result

    def __call__(self, *_: object) -> object:
        return self.result


class _ReturnsInBatches(_Returns):
    """The same, of segments together."""

    def batch(self, first: Any, *_: object) -> object:
        number = len(getattr(first, "matches", first))
        if isinstance(self.result, tuple):
            return [[side] * number for side in self.result]
        return [self.result] * number


RESULTS: Mapping[str, tuple[object, ...]] = {
    "tokenizer": (None, "a b", [1], [None], 3),
    "counter": (
        None,
        ([1], [1]),
        ([0, 0, 0, 0],),
        ([2, 0, 0, 0], [1, 0, 0, 0]),
        ([-1, 0, 0, 0], [1, 1, 1, 1]),
        ([0, 0, 0, 0], [-1, 0, 0, 0]),
        ([0.5, 0, 0, 0], [1, 1, 1, 1]),
    ),
    "reference_length": (None, -1, math.inf, math.nan, "3"),
    "smoothing": (None, [0.5], [0.5] * 5, [0.5, 0.5, 0.5, -0.5], [0.5, 0.5, 0.5, math.inf], "abcd"),
    "brevity_penalty": (None, -1, math.inf, math.nan, "1"),
}
"""What a component of a kind cannot return for a sentence and four orders."""

ENTRIES: Mapping[str, Callable[[Bleu], object]] = {
    "a corpus": lambda bleu: bleu.corpus(["a b c d", "a"], ["a b c d", "b"]),
    "a sentence": lambda bleu: bleu.sentence("a b c d", "a b c d"),
    "sentences": lambda bleu: bleu.sentences(["a b c d"], ["a b c d"]),
    "a matrix": lambda bleu: bleu.matrix(["a b c d"], ["a b c d"]),
}
