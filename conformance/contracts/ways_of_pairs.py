"""The ways through functions that score texts with each other: matrices, decoding, self-BLEU, duplicates."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np
from bleukit.conformance.contracts.trials import (
    CLOSE,
    Trial,
    Way,
    by_plain_functions,
    checks,
    expected,
    of_each,
    require,
    tokens_of,
)
from bleukit.conformance.definitions import alike, ngrams, plain_score

import bleukit
from bleukit.errors import InputError, shown
from bleukit.offers import SelfBleuDefinition
from bleukit.protocols import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleukit import Bleu
    from bleukit.protocols import Text


def _matrix_by_threads(threads: int, trial: Trial) -> Any:
    hypotheses, references = trial.corpus.grid
    return trial.bleu.matrix(hypotheses, references, threads=threads).ravel()


def _matrix_by_plain_functions(trial: Trial) -> Any:
    return by_plain_functions(trial.bleu).matrix(*trial.corpus.grid).ravel()


def _check_matrix_by_lengths(trial: Trial) -> None:
    """Check a matrix by a smoothing that reads reference lengths, against each pair as a segment."""

    def by_length(counts: Counts) -> list[float]:
        length = 1 + counts.reference_length
        return [(match + 1 / length) / (total + 1) for match, total in zip(counts.matches, counts.totals, strict=True)]

    hypotheses, references = trial.corpus.grid
    bleu = bleukit.load(trial.bleu.variant, smoothing=by_length)
    require("scores", bleu.matrix(hypotheses, references).ravel().tolist(), bleu.sentences(*trial.input).tolist())


def _check_matrix_of_many_kinds(trial: Trial) -> None:
    """Check the last row of a matrix of more pairs that differ in their counts than are scored together."""
    texts = [["a"] * length for length in range(184)]
    wanted = trial.bleu.sentences(texts[-1:] * len(texts), [[text] for text in texts], references_by="segment")
    require("scores", trial.bleu.matrix(texts, list(texts))[-1].tolist(), wanted.tolist())


def _part_of_matrix(trial: Trial) -> Any:
    """Score all texts of a grid with each other, and return what is left of hypotheses with references."""
    hypotheses, references = trial.corpus.grid
    texts = [*hypotheses, *references]
    whole = trial.bleu.matrix(texts)
    if whole.tobytes() != trial.bleu.matrix(texts, list(texts)).tobytes():  # NaN is equal to NaN
        raise InputError("it is not that of two lists of the same texts")
    return whole[: len(hypotheses), len(hypotheses) :].ravel()


def _in_matrices(trial: Trial) -> Any:
    """Score a grid in two groups, into arrays that are there.

    A third group has the texts of the first, and an array of few bits.
    """
    hypotheses, references = trial.corpus.grid
    groups = [hypotheses[:9], hypotheses[9:], hypotheses[:9]]
    out = [np.zeros((len(group), len(references)), kind) for group, kind in zip(groups, "ddf", strict=True)]
    done: list[int] = []
    found = trial.bleu.matrices(groups, [references] * 3, out=out, threads=2, on_done=done.append)
    if done != [1] * 3 or any(one is not other for one, other in zip(found, out, strict=True)):
        raise InputError(f"of three groups it says that {done} are done, or it returns other arrays")
    if out[2].tobytes() != out[0].astype("f").tobytes():
        raise InputError(f"with 32 bits they are {shown(out[2].tolist())}, with 64 {shown(out[0].tolist())}")
    return np.concatenate(out[:2]).ravel()


def _check_decoding(trial: Trial) -> None:
    """Check that each expected score of a grid is the mean of the scores of a row, weighted or not.

    The best is chosen. The second of two segments has the samples in the other order, of which some are equal.
    """
    hypotheses, references = trial.corpus.grid
    rows = np.reshape(expected(trial), (-1, len(references)))
    rows = rows[numbers := ~np.isnan(rows).any(axis=1)]  # without which there is no choice
    samples = [hypotheses[place] for place in np.flatnonzero(numbers).tolist()]
    several: Any = {"samples": [samples, samples[::-1]], "references": [references] * 2}
    uneven = [1.0, 0.0, *[2.5] * len(references)][: len(references)]
    for weights in (None, [[0.5] * len(references), uneven]):
        done: list[int] = []
        choices = trial.bleu.mbr(**several, weights=weights, threads=1 if weights else 2, on_done=done.append)
        for choice, own, ordered in zip(choices, weights or (None, None), (rows, rows[::-1]), strict=True):
            require("expected scores", list(choice.scores), np.average(ordered, axis=1, weights=own).tolist())
            best = sorted(range(len(choice.scores)), key=lambda sample: (-choice.scores[sample], sample))
            if [choice.index, *choice.best(5)] != [best[0], *best[:5]]:
                raise InputError(f"it chooses {choice}, and {choice.best(5)}, of {shown(choice.scores)}")
        if done != [1, 1]:
            raise InputError(f"of two segments it says that {done} are done")


def _check_decoding_of_themselves(trial: Trial) -> None:
    """Check that each expected score of texts is the mean of the scores of a row of all, weighted or not.

    If one is NaN, there is no choice. Of the mean of the texts it is the same whether they are references, too, or not.
    """
    texts = trial.corpus.hypotheses * 2
    rows = trial.bleu.matrix(texts)
    if np.isnan(rows).any():
        return
    numbers = list(map(float, range(len(texts))))
    for weights in (None, numbers):
        in_groups: Any = None if weights is None else [weights]
        [choice] = trial.bleu.mbr([texts], weights=in_groups)
        require("expected scores", list(choice.scores), np.average(rows, axis=1, weights=weights).tolist())
        if trial.is_default:
            [one], [other] = (
                trial.bleu.mbr([texts], weights=in_groups, references=references, aggregate=True)
                for references in (None, [texts])
            )
            require("scores of the mean", list(one.scores), list(other.scores))


def _check_decoding_by_the_mean(trial: Trial) -> None:
    """Check that the expected scores are those of the mean counts and lengths of the references, weighted or not.

    Some counters count at least one n-gram, or know a token that matches nothing.
    """
    others = ("nltk", "fairseq-exact") if "brief" in trial.offers else ()
    unknown = [["a", "b", "<unk>", "c"], ["<unk>", "c", "a", "b"]]
    hypotheses, references = trial.corpus.grid
    for counter in (trial.bleu.variant.counter, *others):
        bleu = bleukit.load(trial.bleu.variant, counter=counter)
        _check_decoding_by_weights(bleu, unknown, unknown, None)
        for weights in (None, [1.0, 3.0, *[2.0] * (len(references) - 2)]):
            _check_decoding_by_weights(bleu, hypotheses, references, weights)


def _check_decoding_by_weights(
    bleu: Bleu, hypotheses: Sequence[Text], references: Sequence[Text], weights: list[float] | None
) -> None:
    counter = bleu.components["counter"].call
    unknown, least = {*getattr(counter, "unknown_tokens", ())}, getattr(counter, "least_total", 0)
    components, variant = bleu.sentence_components, bleu.sentence_variant
    theirs = [tokens_of(bleu, text) for text in references]

    def mean(values: Iterable[float]) -> float:
        return float(np.average(list(values), weights=weights))

    def score(tokens: list[str]) -> float:
        matches: Any = []  # fractions, which smoothings take, too
        totals = []
        for order in range(1, bleu.max_order + 1):
            own, others = ngrams(tokens, order), [ngrams(text, order) for text in theirs]
            known = [ngram for ngram in own if unknown.isdisjoint(ngram)]
            matches.append(sum(min(own[ngram], mean(counts[ngram] for counts in others)) for ngram in known))
            totals.append(max(own.total(), least))
        length = mean(components["reference_length"].call(len(tokens), [len(text)]) for text in theirs)
        precisions = [*map(float, components["smoothing"].call(Counts(matches, totals, len(tokens), length)))]
        penalty = float(components["brevity_penalty"].call(len(tokens), length))
        return variant.scale * plain_score(variant, penalty, precisions)

    several = list({repr(text): text for text in hypotheses if text}.values())
    of_weights = None if weights is None else [weights]
    [choice] = bleu.mbr([several], references=[references], weights=of_weights, aggregate=True)
    require("expected scores", list(choice.scores), [score(tokens_of(bleu, text)) for text in several])


def _check_self_bleu(trial: Trial) -> None:
    """Check that self-BLEU is the mean of the scores of texts, by each choice of references, of the first texts too."""
    texts, bleu = trial.corpus.hypotheses, trial.bleu
    pairs = bleu.matrix(texts, list(texts))
    wanted: dict[Any, list[float]] = {
        "others": expected(trial),
        "all": bleu.sentences(texts, [texts] * len(texts), references_by="segment").tolist(),
        "later": pairs[np.triu_indices(len(texts), 1)].tolist(),
    }
    for policy, values in wanted.items():
        require(f"references {policy!r}", bleu.self_bleu(texts, references=policy).value, _mean(values))
        for first in (2, 3):
            of_some = bleu.self_bleu(texts, references=policy, first=first).value
            wanted_of_some = bleu.self_bleu(texts[:first], references=policy).value
            require(f"references {policy!r}, first {first}", of_some, wanted_of_some)
    if len(texts) > 3 and trial.is_default:
        firsts: Sequence[int | None] = (None, 3)
        for most in firsts:
            values = [_later(bleu, texts[:place] + texts[place + 1 :], most) for place in range(len(texts))]
            sampled = [_later(bleu, texts, most, sample=len(texts) - 1, seed=seed) for seed in range(len(texts))]
            if not all(any(alike(one, value, CLOSE) for value in values) for one in sampled):
                raise InputError(f"of all texts but one, first {most}, it is {sampled}, expected some of {values}")
            if len({*values}) > 1 == len({*sampled}):
                raise InputError(f"of all texts but one, first {most}, it is always {sampled[0]}")
    for policy in ("others", "all"):
        scores = bleu.self_bleu_scores(texts, references=policy).tolist()  # type: ignore[arg-type]
        require(f"scores, references {policy!r}", scores, wanted[policy])


def _later(bleu: Bleu, texts: Sequence[Text], first: int | None, **sampling: Any) -> float:
    return bleu.self_bleu(texts, references="later", first=first, **sampling).value


def _check_self_bleu_of_many(trial: Trial) -> None:
    """Check that self-BLEU, if the references are the texts that follow, is the mean of the scores of these pairs."""
    texts = trial.corpus.grid[0]
    pairs = trial.bleu.matrix(texts, list(texts))[np.triu_indices(len(texts), 1)]
    require("self-BLEU", trial.bleu.self_bleu(texts, references="later").value, _mean(pairs.tolist()))


def _check_self_bleu_of_repetitions(trial: Trial) -> None:
    """Check the scores of texts in which one token comes so often that two bytes do not hold the number."""
    texts = ["a " * 70_000, "b c d e", "a " * 40_000 + "b c d f"]
    others = [texts[:place] + texts[place + 1 :] for place in range(len(texts))]
    for bleu in (bleukit.load(trial.bleu.variant, weights=weights) for weights in (1, 4)):
        scores = bleu.self_bleu_scores(texts).tolist()
        require("scores", scores, bleu.sentences(texts, others, references_by="segment").tolist())


def _check_settings_of_self_bleu(trial: Trial) -> None:
    """Check how self-BLEU is signed and seeded by its settings, and that a definition passes on what it is given."""
    texts, bleu = ["a b c d", "a b d", "x a b", "a", "c d e", "a b c d e f"], trial.bleu
    for settings, seed, number in SETTINGS:
        found = bleu.self_bleu(texts, **settings)
        fields = {"references": "others", **settings}
        if seed is None:
            fields = {name: value for name, value in fields.items() if name not in {"sample", "seed"}}
        elif "seed" not in settings:
            fields["seed"] = seed
        signed = f"{bleu.signature}|self_bleu:{','.join(f'{name}={value}' for name, value in fields.items())}"
        if [found.seed, found.texts, found.signature] != [seed, number, signed]:
            raise InputError(f"by {settings} it is {found!r} of {found.texts}, expected {seed} in {signed!r}")
    definition = SelfBleuDefinition("", {"variant": trial.source, "weights": 3}, references="all", first=4)
    sampled: Any = {"sample": 5, "seed": 7}
    other = bleukit.load(trial.source, weights=2)
    if bleukit.self_bleu(texts, definition, weights=2, **sampled) != other.self_bleu(
        texts, references="all", first=4, **sampled
    ):
        raise InputError("by a definition it is another one")


SETTINGS: Sequence[tuple[dict[str, Any], int | None, int]] = (
    ({}, None, 6),
    ({"references": "all", "first": 2}, None, 2),
    ({"references": "later"}, None, 6),
    ({"sample": 6, "seed": 1}, None, 6),
    ({"first": 2, "sample": 5, "seed": 3}, 3, 2),
)
"""Settings of self-BLEU, and with which seed six texts are sampled by them, if they are, and of how many it is."""


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _check_diversity(trial: Trial) -> None:
    """Check the measures of two sources' samples: means of self-BLEU and distinct n-grams, and the score of pairs."""
    bleu, texts = trial.bleu, trial.corpus.hypotheses
    groups = [texts[:2], texts[2:]]
    found = bleu.diversity(groups)
    of_groups = [bleu.self_bleu(group).value for group in groups]
    require("self-BLEU", found.self_bleu, _mean([value for value in of_groups if not math.isnan(value)] or [math.nan]))
    hypotheses, references = zip(*(pair for group in groups for pair in permutations(group, 2)), strict=True)
    pairwise = bleu.corpus(hypotheses, [[reference] for reference in references], references_by="segment")
    require("pairwise BLEU", found.pairwise_bleu, pairwise.value)
    for order, share in enumerate(found.distinct, 1):
        shares = [number for group in groups if not math.isnan(number := _distinct(trial, group, order))]
        require(f"distinct {order}-grams", share, _mean(shares or [math.nan]))


def _check_diversity_of_many(trial: Trial) -> None:
    """Check pairwise BLEU of three sources with more pairs than are counted together, of two texts again and again."""
    number, sources = 58, [["a b c d e", f"a b c d {end}"] for end in ("f", "f g", "f g h i")]
    hypotheses, references = zip(*(pair for source in sources for pair in product(source, repeat=2)), strict=True)
    rows = trial.bleu.statistics(hypotheses, [[reference] for reference in references], references_by="segment")
    of_source = [number * (number - 1), number**2, number**2, number * (number - 1)]
    wanted = trial.bleu.score(rows.resampled([of_source * len(sources)])).value
    found = trial.bleu.diversity([source * number for source in sources])
    require("pairwise BLEU", [found.pairwise_bleu, found.texts], [wanted, 2 * number * len(sources)])


def _distinct(trial: Trial, texts: Sequence[Text], order: int) -> float:
    """Return the share of the n-grams of one order that differ; NaN without n-grams."""
    counts = sum((ngrams(tokens_of(trial.bleu, text), order) for text in texts), Counter[Any]())
    return len(counts) / counts.total() if counts else math.nan


TO_SCORES = (
    *(Way(f"a matrix by {n} threads", partial(_matrix_by_threads, n), of_each, "grid parts") for n in (1, 3)),
    Way("a matrix by plain functions", _matrix_by_plain_functions, of_each, "grid parts hundreds"),
    Way("a matrix of texts with each other", _part_of_matrix, of_each, "grid parts"),
    Way("matrices of two groups", _in_matrices, of_each, "grid parts"),
    *checks(
        ("MBR decoding", _check_decoding, "grid parts"),
        ("MBR decoding by the mean of the references", _check_decoding_by_the_mean, "grid default"),
        ("a matrix by reference lengths", _check_matrix_by_lengths, "grid few default"),
        ("a matrix of many kinds of pairs", _check_matrix_of_many_kinds, "default once"),
        ("MBR decoding of texts among themselves", _check_decoding_of_themselves, "themselves parts"),
        ("self-BLEU", _check_self_bleu, "themselves parts"),
        ("settings of self-BLEU", _check_settings_of_self_bleu, "default once"),
        ("self-BLEU of many texts", _check_self_bleu_of_many, "grid parts"),
        ("self-BLEU of repetitions", _check_self_bleu_of_repetitions, "default once"),
        ("diversity", _check_diversity, "themselves parts"),
        ("diversity of many pairs", _check_diversity_of_many, "default once"),
    ),
)
