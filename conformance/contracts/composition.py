"""What a variant gives, held to what its components give one by one: all from a text to its score, once more.

A variant tokenizes, counts and sums in batches, chunks and buffers. Here its components are called for one text and one
segment at a time, on generated input, and what they return is put together by the definition.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from bleukit.conformance.contracts import inputs
from bleukit.conformance.definitions import alike, plain_brevity_penalty, plain_score
from bleukit.conformance.judging.named_variants import other_scores
from bleukit.conformance.judging.observing import split_alone

import bleukit
from bleukit.counting.lowercasing import lowered
from bleukit.errors import one_line, shown
from bleukit.protocols import Counts
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bleukit import Bleu
    from bleukit.accumulator import Level
    from bleukit.protocols import Text

OF_TEXTS = "counts in texts what its components count in each"
OF_TOKENS = "counts in given tokens what its components count in each"
EXACTLY = "sums segments exactly, in every way"
OF_LARGE = "sums large counts and average lengths exactly, in every way"
SCORED = "scores every sum as its components and the formula do"
CONTRACTS = OF_TEXTS, OF_TOKENS, EXACTLY, OF_LARGE, SCORED

LEVELS: tuple[Level, ...] = ("corpus", "sentence")
WORDS, LETTERS = 330, 200
"""How many words the longest text has, and how long they are: together they pass 16 bits."""
MANY = 8_200
"""How many segments or documents a corpus has that is counted in chunks, or summed while it is read."""
LARGE = 1 << 40
"""The largest count of a segment."""

_Item = TypeVar("_Item")

Segment: TypeAlias = "tuple[Text, Sequence[Text]]"

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


class _Way(NamedTuple):
    """A way to a sum of rows: what it is, the sum, and the rows, of which it is one to the last bit or nearly."""

    name: str
    summed: Statistics
    rows: list[Row]
    is_exact: bool = True


def broken(variant: str | Path) -> dict[str, str]:
    """Return which of ``CONTRACTS`` a variant, given by name or file, does not keep, each with what shows it."""
    broken_contracts: dict[str, str] = {}
    try:
        for contract, wrong in _breaches(bleukit.load(variant)):
            broken_contracts.setdefault(contract, wrong)
    except Exception as error:  # noqa: BLE001 - a component may raise anything
        return {CONTRACTS[0]: one_line(error)}
    return broken_contracts


def _breaches(bleu: Bleu) -> Iterator[tuple[str, str]]:
    """Yield each contract that is not kept with all that shows it."""
    yield from _of_segments(bleu, OF_TEXTS, _texts())
    yield from _of_segments(bleu, OF_TOKENS, _tokens())
    yield from ((EXACTLY, f"{MANY:,} segments: {wrong}") for wrong in _wrong_of_many(bleu))
    yield from _of_sums(bleu, EXACTLY, _counted_together(bleu, _tokens()), _counted_alone(bleu, _tokens()))
    large = _large(bleu.max_order)
    yield from _of_sums(bleu, OF_LARGE, _statistics(large), large)


def _of_segments(bleu: Bleu, says: str, segments: Sequence[Segment]) -> Iterator[tuple[str, str]]:
    rows, plainly = _counted_together(bleu, segments), _counted_alone(bleu, segments)
    for segment, row, plain in zip(segments, rows, plainly, strict=True):
        if wrong := _wrong(row, plain):
            yield says, f"{shown(segment)}: {wrong}"
    documents = [place % 3 for place in range(len(segments))]
    stream = bleu.accumulator("document").update(*map(iter, zip(*segments, strict=True)), documents=iter(documents))
    if stream.statistics != rows.by_document(documents):
        yield EXACTLY, "a stream of texts with their documents: other sums than of all at once"


def _of_sums(bleu: Bleu, says: str, rows: Statistics, plainly: list[Row]) -> Iterator[tuple[str, str]]:
    for way in _sums(bleu, rows, plainly):
        plain = _sum(way.rows)
        if wrong := _wrong(way.summed, plain, exactly=way.is_exact):
            yield says, f"{way.name}: {wrong}"
            continue  # the score is that of a wrong sum
        for level in LEVELS:
            if wrong := _wrong_score(bleu, way.summed, plain, level):
                yield SCORED, f"{way.name}, at level {level}: {wrong}"


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


def _statistics(rows: Sequence[Row]) -> Statistics:
    return Statistics.of_segments(
        len(rows[0].matches),
        hypothesis_length=[row.hypothesis_length for row in rows],
        reference_length=[float(row.reference_length) for row in rows],
        reference_tokens=[row.reference_tokens for row in rows],
        references=[1] * len(rows),
        matches=[match for row in rows for match in row.matches],
        totals=[total for row in rows for total in row.totals],
    )


def _counted_together(bleu: Bleu, segments: Sequence[Segment]) -> Statistics:
    """Return what a variant counts in segments."""
    return bleu.statistics(*map(list, zip(*segments, strict=True)))


def _counted_alone(bleu: Bleu, segments: Sequence[Segment]) -> list[Row]:
    """Return what the components of a variant count in each of some segments, which are a text."""
    rows = [_counted(bleu, *segment) for segment in segments]
    if not bleu.counts_whole_texts:
        return rows
    hypotheses = [_split(bleu, hypothesis) for hypothesis, _ in segments]
    references = [[_split(bleu, text) for text in own] for _, own in segments]
    counter: Any = bleu.components["counter"].call
    sides = zip(*counter.whole_text(hypotheses, references, bleu.max_order), strict=True)
    return [
        row._replace(matches=list(map(int, matches)), totals=list(map(int, totals)))
        for row, (matches, totals) in zip(rows, sides, strict=True)
    ]


def _counted(bleu: Bleu, hypothesis: Text, references: Sequence[Text]) -> Row:
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


def _sums(bleu: Bleu, rows: Statistics, plainly: list[Row]) -> Iterator[_Way]:
    """Yield every way to a sum of rows."""
    number = len(rows)
    yield _Way("the sum of all rows", rows.sum(), plainly)
    running = rows[0]
    for row in rows[1:]:
        running = (running + row).sum()
    yield _Way("the sum of all rows, one by one", running, plainly)
    documents = [place * place % 7 for place in range(number)]
    for name, document in rows.by_document(documents).items():
        yield _Way(f"the document {name}", document, [plainly[n] for n in range(number) if documents[n] == name])
    taken = [[place * times % number for place in range(number)] for times in (1, 0, 2, number - 1)]
    for resample, indices in zip(rows.resampled(indices=taken), taken, strict=True):
        yield _Way("a resample of rows", resample, [plainly[n] for n in indices], is_exact=False)
    weights = [[indices.count(n) for n in range(number)] for indices in taken]
    for resample, often in zip(rows.resampled(weights), weights, strict=True):
        chosen = [row for row, times in zip(plainly, often, strict=True) for _ in range(times)]
        yield _Way("a resample by weights", resample, chosen, is_exact=False)
    if all(row.reference_length.denominator == 1 for row in plainly):  # of others a document takes long
        stream = bleu.accumulator("document")
        for _ in range(2):
            stream.add(rows[_many(range(number))], documents=range(MANY))
        yield _Way("a stream of documents", stream.statistics.sum(), _many(plainly) * 2)


def _wrong_of_many(bleu: Bleu) -> Iterator[str]:
    """Yield what is wrong with the sums of so many segments that they are counted in chunks, in every way."""
    short = [(["a"], [["a"]]), (["a", "b"], [["b"], ["a", "b"]]), (["b"], [["a", "b", "c"]])]
    hypotheses, references = map(list, zip(*_many(short), strict=True))
    summed = bleu.statistics(hypotheses, references).sum()
    if wrong := _wrong(summed, _sum(_many(_counted_alone(bleu, short)))):
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
        [together] = bleu.score_columns(summed, level=level).value.tolist()
    except ValueError:  # it refuses these counts
        return ""
    penalty = plain_brevity_penalty(plain.hypothesis_length, float(plain.reference_length))
    value = variant.scale * plain_score(variant, penalty, precisions)
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
