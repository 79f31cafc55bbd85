"""Each way of the table is tried for a variant, and what is wrong with its result is said."""

from __future__ import annotations

import math
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit.conformance.contracts import corpora, inputs, misreading, refused, ways
from bleukit.conformance.contracts.trials import (
    CLOSE,
    OtherwiseError,
    Trial,
    Way,
    columns_of,
    counted_alone,
    document_of,
    figures_of,
    of_documents,
)
from bleukit.conformance.definitions import DEFAULT_VARIANT, PLAIN_VARIANT, alike
from bleukit.conformance.judging import written
from bleukit.conformance.judging.observing import split_alone

import bleukit
from bleukit.errors import InputError, one_line, shown
from bleukit.loading.signature import read_signature, written_signatures
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit.conformance.contracts.corpora import Corpus

    from bleukit import Bleu

OTHER_KEYS: dict[str, Sequence[dict[str, Any]]] = {
    PLAIN_VARIANT: [{"smoothing": "nltk-method5", "lowercase": True, "empty_score": 0.5}],
    DEFAULT_VARIANT: [
        {
            "weights": [0.0, 1e-4, *[1 / 12] * (inputs.ORDERS - 2)],
            "lowercase": "ascii",
            "empty_score": 0.5,
            "effective_order": True,
            "sentence": {"empty_score": 25},
        },
        {"weights": 16, "effective_order": True},
    ],
}
"""The variants that are tried with other keys, too: a smoothing that reads the last segment, and many orders.

Others differ in components, which are also tried alone.
"""


SAME_KEYS: Sequence[tuple[dict[str, Any], dict[str, Any] | str]] = (
    *(({"weights": orders}, {"weights": [1 / orders] * orders}) for orders in (1, 2, 4, 12, 100)),
    ({"weights": (0, 1.0)}, {"weights": [0.0, 1]}),
    ({"tokenizer": "char"}, {"tokenizer": {"name": "char"}}),
    ({"smoothing": {"name": "add-k", "k": 2}}, {"smoothing": {"name": "add-k", "k": 2.0}}),
    (
        {"smoothing": {"name": "coco", "matches": 1.0, "totals": 2.0}},
        {"smoothing": {"totals": 2.0, "name": "coco", "matches": 1.0}},
    ),
    ({"scale": 1.0}, {"scale": 1}),
    ({"weights": 2, "lowercase": True}, "weights: 2 # orders\nlowercase: true\n"),
    ({"weights": [0.5, 1.0], "lowercase": "ascii"}, "{weights: [.5, 1], 'lowercase': \"ascii\"}"),
    ({"smoothing": {"name": "add-k", "k": 10.0}}, "smoothing: {name: add-k, k: 010}"),
    ({"smoothing": {"name": "add-k", "k": 10.0}}, "smoothing:\n  name: add-k\n  k: 1e1\n"),
    (
        {"empty_score": math.nan, "sentence": {"effective_order": False}},
        "empty_score: .nan\nsentence:\n  effective_order: false",
    ),
)
"""Keys that mean the same; a text is YAML."""


SENTENCE_KEYS: Sequence[dict[str, Any]] = (
    {"smoothing": "add-one"},
    {"brevity_penalty": "none"},
    {"effective_order": True},
    {"empty_score": 25.0},
    {"empty_score": 50.0},
    {"smoothing": "none", "brevity_penalty": "none", "effective_order": True},
)
"""Keys that a variant may have for single sentences alone."""


def broken(
    source: str, before: Sequence[str] = (), keys: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, str, str]]:
    """Yield each way that is tried for a variant, given by name or file, the corpus, and what is wrong, if anything.

    The default variant is tried on all corpora; others, and it with other keys, on those that are counted fast. A
    variant does not go where one that comes ``before`` has gone in the same way, such as to rows of the same counts.
    ``keys`` are laid over the variant.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="bleukit-") as folder:
            yield from _by_all_ways(source, keys or {}, Path(folder), [_loaded(other) for other in before])
            if not keys:
                for others in OTHER_KEYS.get(source, []):
                    yield from _by_all_ways(source, others, Path(folder))
                yield from _written_down(source, bleukit.load(source), Path(folder))
    except Exception as error:  # noqa: BLE001 - a component may raise anything
        yield "a score", "any", one_line(error)


def wrong_scores(bleu: Bleu) -> str:
    """Return what is wrong with the scores of short texts by a variant, which goes few ways; empty if nothing is."""
    corpus = corpora.Corpus("short texts", corpora.SHORT)
    trial = Trial("", bleu, corpus, counted_alone(bleu, corpus), Path())
    wrong = ((way.says, _wrong(way, trial)) for way in ways.BRIEFLY if way.is_for(trial))
    return next((f"{says}: {problem}" for says, problem in wrong if problem), "")


def _by_all_ways(
    source: str, keys: Mapping[str, Any], folder: Path, others: Sequence[Bleu] = ()
) -> Iterator[tuple[str, str, str]]:
    everything = source == DEFAULT_VARIANT and not keys
    bleu = bleukit.load(source, **keys)
    for corpus in corpora.of_variants(bleu.max_order, _batch(bleu), everything=everything):
        if corpus.offers & {"text", "UTF-8"} == {"text"} and not _takes_surrogates(bleu):
            continue
        trial = Trial(source, bleu, corpus, [], folder, everything)
        own = [way for way in _ways_of(bleu, corpus, others) if way.is_for(trial)]
        if own:
            trial.plain += counted_alone(bleu, corpus)
        yield from ((way.says, corpus.name, _wrong(way, trial)) for way in own)


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
        for part_of, some in ways.DEPENDING_ON.items()
        if part_of(bleu, corpus) not in [part_of(other, corpus) for other in others]
        for way in some
    ]


def _batch(bleu: Bleu) -> int:
    if bleu.counts_whole_texts:
        return corpora.TEXT_BATCH
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
        yield from (("small files", says, wrong) for says, wrong in misreading.misread(folder))
        default = bleukit.load()
        read = read_signature(signature).variant
        yield "a signature of its program", source, "" if read == bleu.variant else f"{signature} is read as {read}"
        yield "no name", source, "" if default.signature == bleu.signature else f"it is {default}"
        for keys in SENTENCE_KEYS:
            yield "keys of sentences", str(keys), _wrong_levels(bleu, keys) or _replaced_otherwise(bleu, keys)
        for one, other in SAME_KEYS:
            ours, theirs = (_with(source, keys, folder) for keys in (one, other))
            is_same = (ours.signature, repr(ours.variant)) == (theirs.signature, repr(theirs.variant))
            yield "keys written in two ways", str(one), "" if is_same else f"by {other} it is {theirs}, else {ours}"


def _wrong_levels(bleu: Bleu, keys: Mapping[str, Any]) -> str:
    """Return what differs if a variant has keys for sentences alone, and if it has them at no level, or at all."""
    hypotheses, references = ["a b c", "", "a b c d e"], ["a b c d", "", "a b x d e"]
    for average in ("micro", "macro"):
        plain = bleukit.load(bleu.variant, sentence={}, average=average)
        everywhere = bleukit.load(plain.variant, **keys)
        both = bleukit.load(plain.variant, sentence=keys)
        wanted = everywhere.sentences(hypotheses, references).tolist()
        wanted.append((plain if average == "micro" else everywhere).corpus(hypotheses, references).value)
        got = [*map(float, map(both.sentence, hypotheses, references)), both.corpus(hypotheses, references).value]
        if got != wanted:
            return f"average {average}: {shown(got)}, expected {shown(wanted)}"
    return ""


def _replaced_otherwise(bleu: Bleu, keys: Mapping[str, Any]) -> str:
    """Return what differs if others take the place of the keys that a variant has for sentences."""
    own = bleukit.load(bleu.variant, sentence=keys).variant
    for others in SENTENCE_KEYS:
        replaced = bleukit.load(own, sentence=others).variant
        if replaced != bleukit.load(bleu.variant, sentence=others).variant or (replaced == own) != (others == keys):
            return f"replaced by {others} they are {dict(replaced.sentence)}"
    return ""


def _with(source: str, keys: Mapping[str, Any] | str, folder: Path) -> Bleu:
    """Return a variant with keys over it, which may be those of a file."""
    if not isinstance(keys, str):
        return bleukit.load(source, **keys)
    path = folder / "variant.yaml"
    path.write_text(keys, "utf-8")
    return bleukit.load(path)


def _wrong(way: Way, trial: Trial) -> str:
    """Return what is wrong with a result."""
    try:
        result = way.result(trial)
    except InputError as error:
        result = error
    except Exception as error:  # noqa: BLE001 - a component may raise anything
        return one_line(error)
    if isinstance(result, Statistics):
        if way.of is of_documents and list(result.keys()) != list(dict.fromkeys(document_of(len(trial.corpus)))):
            return f"the documents are {shown(result.keys())}"
        return _wrong_statistics(result, trial.sums(way.of), is_exact=way.is_exact)
    try:
        expected = trial.scores(way.of)
    except InputError:  # the smoothing refuses these counts, which has to come out in every way
        return "" if isinstance(result, InputError) else "it scores what the smoothing refuses"
    except OtherwiseError as error:
        return str(error)
    return f"it is refused: {result}" if isinstance(result, InputError) else _wrong_scores(trial, result, expected, way)


def _wrong_scores(trial: Trial, got: Any, expected: Sequence[tuple[str, str]], way: Way) -> str:
    """Return which score is not what it should be: of Scores all figures are compared, and the signature."""
    if len(got) != len(expected):
        return f"{len(got)} scores, expected {len(expected)}"
    for place, (score, (figures, value)) in enumerate(zip(got, expected, strict=True)):
        one, other = (figures_of(score), figures) if isinstance(score, bleukit.Score) else (repr(float(score)), value)
        if one != other:
            return f"score {place}: {shown(one)}, by its components {shown(other)}"
    if trial.corpus.distinct and isinstance(got[0], bleukit.Score):
        for place, (score, fields) in enumerate(zip(got, trial.signatures(way.of), strict=True)):
            if trial.signed(score.signature) != fields:
                return f"score {place}: it is signed {score.signature!r}, expected {shown(fields)}"
    return ""


def _wrong_statistics(rows: Statistics, wanted: Statistics, *, is_exact: bool) -> str:
    """Return which column of which row is not what it should be."""
    if len(rows) != len(wanted):
        return f"{len(rows)} rows, expected {len(wanted)}"
    lasts = rows.last_segments, wanted.last_segments
    if any(lasts) and (wrong := _wrong_statistics(lasts[0] or rows, lasts[1] or wanted, is_exact=True)):
        return f"of last segments, {wrong}"
    for name in wanted.columns if is_exact else columns_of(wanted.columns):
        got, plain = rows.column(name), wanted.column(name)
        if got.tobytes() == plain.tobytes():
            continue
        if len(got) != len(plain):
            return f"{len(got)} values of {name}, expected {len(plain)}"
        pairs = list(zip(got, plain, strict=True))
        if not is_exact and name == "reference_length":
            pairs = [pair for pair in pairs if not alike(*pair, CLOSE)]
        for place, (one, other) in enumerate(pairs):
            if one != other:
                return f"row {place * len(rows) // len(got)}: {name} {one}, by its components {other}"
    return ""
