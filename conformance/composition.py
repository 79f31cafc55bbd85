"""What a recipe gives, held to what its components give one by one: all from a text to its score, once more.

A recipe tokenizes, counts and sums in batches, chunks and buffers. Here its components are called for one text and one
segment at a time, on generated input, and what they return is put together by the definition.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bleukit_conformance import inputs
from bleukit_conformance.definitions import alike, brevity_penalty, combined
from bleukit_conformance.named_recipes import other_scores
from bleukit_conformance.observing import split_alone

import bleukit
from bleukit.counting.case import lowered
from bleukit.errors import one_line, shown
from bleukit.hookspecs import Counts
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bleukit import Bleu
    from bleukit.accumulator import Level
    from bleukit.hookspecs import Text

CONTRACTS = (
    "counts in texts what its components count in each",
    "counts in given tokens what its components count in each",
    "sums segments exactly, in every way",
    "sums large counts and average lengths exactly, in every way",
    "scores every sum as its components and the formula do",
)

WORDS, LETTERS = 330, 200
"""How many words the longest text has, and how long they are: together they pass 16 bits."""
MANY = 8_200
"""How many segments or documents a corpus has that is counted in chunks, or summed while it is read."""
LARGE = 1 << 40
"""The largest count of a segment."""

_Item = TypeVar("_Item")

COLUMNS = ("segments", "hypothesis_length", "reference_length", "reference_tokens", "matches", "totals")


class Row(NamedTuple):
    """The statistics of a segment, or of several, of which ``last`` is the last."""

    segments: int
    hypothesis_length: int
    reference_length: Fraction
    reference_tokens: int
    matches: list[int]
    totals: list[int]
    last: Row | None = None


def broken(recipe: str | Path) -> dict[str, str]:
    """Return which of ``CONTRACTS`` a recipe, known by its name or its file, does not keep, each with what shows it."""
    try:
        return _broken(bleukit.load(recipe))
    except Exception as error:  # noqa: BLE001 - a component may raise anything
        return {CONTRACTS[0]: one_line(error)}


def _broken(bleu: Bleu) -> dict[str, str]:
    found: dict[str, str] = {}
    of_texts, of_tokens, exactly, of_large, scored = CONTRACTS
    for says, segments in ((of_texts, _texts()), (of_tokens, _tokens())):
        rows = bleu.statistics(*map(list, zip(*segments, strict=True)))
        plainly = [_counted(bleu, *segment) for segment in segments]
        documents = [place % 3 for place in range(len(segments))]
        stream = bleu.accumulator("document").update(*map(iter, zip(*segments, strict=True)), documents=iter(documents))
        if stream.statistics != rows.by_document(documents):
            found.setdefault(exactly, "a stream of texts with their documents: other sums than of all at once")
        places = (place for place, row in enumerate(plainly) if _wrong(rows[place], row))
        for place in places:
            found.setdefault(says, f"{shown(segments[place])}: {_wrong(rows[place], plainly[place])}")
    for wrong in _wrong_of_many(bleu):
        found.setdefault(exactly, f"{MANY:,} segments: {wrong}")
    large = _large(bleu.max_order)
    made_up = Statistics.of_segments(
        bleu.max_order,
        hypothesis_length=[row.hypothesis_length for row in large],
        reference_length=[float(row.reference_length) for row in large],
        reference_tokens=[row.reference_tokens for row in large],
        references=[1] * len(large),
        matches=[match for row in large for match in row.matches],
        totals=[total for row in large for total in row.totals],
    )
    for says, sums in ((exactly, _sums(bleu, rows, plainly)), (of_large, _sums(bleu, made_up, large))):
        for way, summed, parts in sums:
            plain = _sum(parts)
            wrong = _wrong(summed, plain, exactly="resample" not in way)
            if wrong:
                found.setdefault(says, f"{way}: {wrong}")
            else:
                for level in ("corpus", "sentence"):
                    wrong = _wrong_score(bleu, summed, plain, level)
                    if wrong:
                        found.setdefault(scored, f"{way}, at level {level}: {wrong}")
    return found


@cache
def _texts() -> list[tuple[str, list[str]]]:
    """Return segments of text: the shortest first, the last of words of thousands of letters."""
    texts = [text for make in (inputs.SMALL, inputs.LARGE) for (text,) in inputs.examples(make["tokenizer"], 40)]
    random = Random(0)  # noqa: S311 - no secret, but the same texts each time
    made = [(text, random.choices(texts, k=random.randint(1, inputs.REFERENCES))) for text in texts[:60]]
    long = [chr(ord("a") + word % 26) * LETTERS for word in range(WORDS)]
    return [*made, (" ".join(long), [" ".join([*long[:9], *long[10:]]), " ".join(long[::-1])])]


@cache
def _tokens() -> list[tuple[list[str], list[list[str]]]]:
    """Return segments of tokens, the shortest first."""
    made = [*inputs.examples(inputs.SMALL["counter"], 40), *inputs.examples(inputs.LARGE["counter"], 8)]
    return [(hypothesis, references) for hypothesis, references, _ in made]


@cache
def _large(orders: int) -> list[Row]:
    """Return rows whose sums are beyond 32 bits, and whose reference lengths are averages."""
    random = Random(1)  # noqa: S311 - as above
    made = []
    for _ in range(30):
        totals = [random.randint(1, LARGE) for _ in range(orders)]
        length = Fraction(random.randint(1, 1000) / random.choice([3, 7, 11]))
        matches = [random.randint(1, total) for total in totals]
        made.append(Row(1, random.randint(1, LARGE), length, random.randint(1, LARGE), matches, totals))
    return made


def _counted(bleu: Bleu, hypothesis: Text, references: Sequence[Text]) -> Row:
    """Return what the components of a recipe count in one segment."""
    ours, *theirs = (_split(bleu, text) for text in (hypothesis, *references))
    matches, totals = bleu.components["counter"].call(ours, theirs, bleu.max_order)
    lengths = list(map(len, theirs))
    effective = Fraction(float(bleu.components["reference_length"].call(len(ours), lengths)))
    return Row(1, len(ours), effective, sum(lengths), list(map(int, matches)), list(map(int, totals)))


def _split(bleu: Bleu, text: Text) -> list[str]:
    if isinstance(text, str):
        return split_alone(text, bleu)
    return [lowered(token, bleu.variant.lowercase) for token in text]


def _sum(rows: Sequence[Row]) -> Row:
    return Row(
        segments=sum(row.segments for row in rows),
        hypothesis_length=sum(row.hypothesis_length for row in rows),
        reference_length=sum((row.reference_length for row in rows), Fraction()),
        reference_tokens=sum(row.reference_tokens for row in rows),
        matches=[*map(sum, zip(*(row.matches for row in rows), strict=True))],
        totals=[*map(sum, zip(*(row.totals for row in rows), strict=True))],
        last=rows[-1].last or rows[-1],
    )


def _sums(bleu: Bleu, rows: Statistics, plainly: list[Row]) -> Iterator[tuple[str, Statistics, list[Row]]]:
    """Yield every way to a sum of rows: what it is, the sum, and the rows of which it is one."""
    number = len(rows)
    yield "the sum of all rows", rows.sum(), plainly
    running = rows[0]
    for row in rows[1:]:
        running = (running + row).sum()
    yield "the sum of all rows, one by one", running, plainly
    documents = [place * place % 7 for place in range(number)]
    for name, document in rows.by_document(documents).items():
        yield f"the document {name}", document, [plainly[n] for n in range(number) if documents[n] == name]
    taken = [[place * times % number for place in range(number)] for times in (1, 0, 2, number - 1)]
    for resample, indices in zip(rows.resampled(indices=taken), taken, strict=True):
        yield "a resample of rows", resample, [plainly[n] for n in indices]
    weights = [[indices.count(n) for n in range(number)] for indices in taken]
    for resample, often in zip(rows.resampled(weights), weights, strict=True):
        chosen = [row for row, times in zip(plainly, often, strict=True) for _ in range(times)]
        yield "a resample by weights", resample, chosen
    if all(row.reference_length.denominator == 1 for row in plainly):  # of others a document takes long
        stream = bleu.accumulator("document")
        for _ in range(2):
            stream.add(rows[_many(range(number))], documents=range(MANY))
        yield "a stream of documents", stream.statistics.sum(), _many(plainly) * 2


def _wrong_of_many(bleu: Bleu) -> Iterator[str]:
    """Yield what is wrong with the sums of so many segments that they are counted in chunks, in every way."""
    short = [(["a"], [["a"]]), (["a", "b"], [["b"], ["a", "b"]]), (["b"], [["a", "b", "c"]])]
    hypotheses, references = map(list, zip(*_many(short), strict=True))
    counted = [_counted(bleu, *segment) for segment in short]
    wrong = _wrong(bleu.statistics(hypotheses, references).sum(), _sum(_many(counted)))
    if wrong:
        yield wrong
    with suppress(ValueError):  # it refuses these counts
        yield from other_scores(bleu, hypotheses, references)


def _many(items: Sequence[_Item]) -> list[_Item]:
    """Return the same items again and again."""
    return [*islice(cycle(items), MANY)]


def _wrong(summed: Statistics, plain: Row, *, exactly: bool = True) -> str:
    """Return which column of a row is not what it should be."""
    for name in COLUMNS:
        wanted = getattr(plain, name)
        column: Any = list(summed.column(name))
        got = column if isinstance(wanted, list) else column[0]
        if name == "reference_length":
            wanted = float(wanted)
            if not exactly and math.isclose(got, wanted, rel_tol=1e-12):
                continue
        if got != wanted:
            return f"{name} {got}, by its components {wanted}"
    return ""


def _wrong_score(bleu: Bleu, summed: Statistics, plain: Row, level: Level) -> str:
    """Return what of the score of a row does not follow from its components and the formula."""
    at_level = bleu if level == "corpus" else bleukit.load(bleu.variant.at_sentence_level())
    variant, smoothing = at_level.variant, at_level.components["smoothing"].call
    last = plain.last and _as_counts(plain.last, bleu.max_order, None)
    try:
        precisions = tuple(map(float, smoothing(_as_counts(plain, len(variant.weights), last))))
        score = bleu.score(summed, level=level)
        [together] = bleu.scores_array(summed, level=level).tolist()
    except ValueError:  # it refuses these counts
        return ""
    penalty = brevity_penalty(plain.hypothesis_length, float(plain.reference_length))
    value = variant.scale * combined(variant, penalty, precisions)
    if not plain.hypothesis_length and not plain.reference_tokens:
        value = variant.empty_score
    stages = (
        ("precisions", score.precisions, precisions),
        ("brevity_penalty", score.brevity_penalty, penalty),
        ("score", score.value, value),
        ("score of rows together", together, score.value),
    )
    wrong = (f"{name} {got}, by its components {wanted}" for name, got, wanted in stages if not alike(got, wanted))
    return next(wrong, "")


def _as_counts(row: Row, orders: int, last: Counts | None) -> Counts:
    length = float(row.reference_length)
    return Counts(row.matches[:orders], row.totals[:orders], row.hypothesis_length, length, last)
