"""What has no number: input, statistics, keys of variants and results of components that must be refused."""

from __future__ import annotations

import json
import math
import time
from collections import UserList
from functools import partial
from itertools import repeat
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
from bleukit.conformance.contracts import refused_columns, refused_files
from bleukit.conformance.contracts.corpora import LINES, SLOW_BATCH

import bleukit
from bleukit import Shard
from bleukit.errors import BleukitError, InputError, one_line, shown
from bleukit.loading.signature import read_signature
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bleukit import Bleu

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
        **{f"setting {number}": partial(attempt, bleu) for number, attempt in enumerate(SETTINGS)},
        **refused_files.attempts(folder),
        **dict(_by_wrong_components(bleu)),
        **dict(_by_changed_statistics(bleu, folder)),
    }
    for says, attempt in attempts.items():
        yield says, _wrong(attempt)
    for place, attempt_at in (ITEMS | refused_columns.ITEMS).items():
        yield f"what is at {place}", _wrong(partial(attempt_at, bleu), [place.partition(", ")[0]])
    for says, attempt, places in refused_files.misplaced(folder):
        yield says, _wrong(attempt, places)


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
    "a weight too many": lambda bleu: bleu.mbr([CATS], weights=[[1, 2, 3]]),
    "a weight below 0": lambda bleu: bleu.mbr([CATS], weights=[[1, -1]]),
    "a weight that is NaN": lambda bleu: bleu.mbr([CATS], weights=[[1, math.nan]]),
    "a weight that is infinite": lambda bleu: bleu.mbr([CATS], weights=[[1, math.inf]]),
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

_PAIR = ["a b", "a c"]
SETTINGS: Sequence[Callable[[Any], object]] = (
    *(
        partial(lambda name, arguments, bleu: getattr(bleu, name)(*arguments, threads=0), name, arguments)
        for name, arguments in (
            ("corpus", (_PAIR, _PAIR)),
            ("sentence", ("a", "b")),
            ("sentences", (_PAIR, _PAIR)),
            ("statistics", (_PAIR, _PAIR)),
            ("prepare", (_PAIR,)),
            ("matrix", (_PAIR,)),
            ("matrices", ([_PAIR],)),
            ("mbr", ([_PAIR],)),
            ("diversity", ([_PAIR],)),
        )
    ),
    *(
        partial(lambda settings, bleu: bleu.self_bleu(_PAIR, **settings), settings)
        for settings in (
            {"sample": 1},
            {"first": 1},
            {"seed": -1},
            {"sample": True},
            {"first": 2.0},
            {"seed": "1"},
        )
    ),
    lambda bleu: bleu.self_bleu_scores(_PAIR, references="later"),
    lambda bleu: bleu.self_bleu_scores(_PAIR[:1]),
    lambda bleu: bleu.diversity([]),
    lambda bleu: bleu.diversity([_PAIR, _PAIR[:1]]),
    lambda bleu: bleu.diversity(_PAIR),
    lambda bleu: bleu.matrices(_PAIR),
    lambda bleu: bleu.mbr([_PAIR], weights=[[1, 1], [1, 1]]),
    lambda bleu: bleu.mbr([_PAIR], weights=["12"]),
    lambda bleu: bleu.mbr([_PAIR], weights=[[1]]),
    lambda bleu: bleu.mbr([_PAIR], references=[_PAIR, _PAIR]),
    lambda bleu: bleukit.load(bleu.variant, empty_score=math.nan).mbr([["", "a"]]),
    lambda bleu: bleukit.load(bleu.variant, counter="unclipped").mbr([_PAIR], aggregate=True),
    *(
        partial(lambda alpha, bleu: bleukit.ibleu(_PAIR, _PAIR, _PAIR, alpha, bleu), alpha)
        for alpha in (-0.1, 1.1, math.nan, True, "0.8")
    ),
    lambda bleu: bleukit.ibleu(_PAIR, _PAIR, _PAIR[:1], 0.8, bleu),
    lambda _: bleukit.join_documents(_PAIR, _PAIR, ["one"]),
    lambda _: bleukit.join_documents(_PAIR, [["a"], ["b", "c"]], ["one", "one"]),
    lambda _: bleukit.join_documents(_PAIR, _PAIR, [["one"], ["one"]]),  # type: ignore[list-item]
    lambda _: bleukit.self_bleu(_PAIR, "unknown"),
    lambda _: bleukit.self_bleu(_PAIR, None),  # type: ignore[arg-type]
    lambda bleu: bleukit.load(bleu.variant, average="macro", empty_score=math.nan).corpus([""], [""]),
    lambda bleu: bleu.accumulator().update(_PAIR, _PAIR, documents=_PAIR),
    lambda bleu: bleu.accumulator().merge(bleu),
    lambda bleu: bleu.accumulator().add(_PAIR),
    lambda bleu: Shard.of(bleu, bleu.statistics(_PAIR, _PAIR).with_keys([1, 2]), level="document"),
    lambda bleu: Shard.of(bleu, {"own": _PAIR}),  # type: ignore[dict-item]
    lambda bleu: Shard.of(bleukit.load(bleu.variant, tokenizer=str.split), bleu.statistics(_PAIR, _PAIR)),
    lambda bleu: Shard.of(bleukit.load("fairseq"), bleu.statistics(_PAIR, _PAIR)),
    lambda bleu: Shard.of(bleu, bleu.statistics(_PAIR, _PAIR)).write("statistics.txt"),
    lambda bleu: Shard.of(bleu, dict.fromkeys("ab", bleu.statistics(_PAIR, _PAIR))).score(),
)
"""Settings out of range, or that do not fit what is given with them."""
