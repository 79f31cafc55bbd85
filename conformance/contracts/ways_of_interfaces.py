"""The ways through the interfaces of other packages, which stand in for their functions and classes."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections import defaultdict
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from bleukit.conformance.contracts.trials import CLOSE, Trial, Way, expected, held, of_all, of_each, require
from bleukit.conformance.contracts.ways_of_commands import printed
from bleukit.conformance.contracts.ways_of_files import columns_of_texts, write_lines
from bleukit.conformance.definitions import alike
from bleukit.conformance.judging.observing import split_alone

import bleukit
from bleukit.compat import sacrebleu as compat
from bleukit.compat.nltk import (
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)
from bleukit.compat.sacrebleu.metrics import BLEU
from bleukit.errors import InputError, shown
from bleukit.loading.signature import written_signatures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _check_interface_of_sacrebleu(trial: Trial) -> None:
    texts: Any = trial.input
    hypotheses, references = texts
    sets = [*map(list, zip(*references, strict=True))]
    require("a corpus", [BLEU().corpus_score(hypotheses, sets).score], expected(trial, of_all))
    metric = BLEU(effective_order=True)
    scores = [metric.sentence_score(*pair).score for pair in zip(hypotheses, map(list, references), strict=True)]
    require("sentences", scores, expected(trial))
    for name, value, shown_as in (("floor", 0, "0.00"), ("floor", None, "0.10"), ("add-k", 2, "2.00")):
        metric = BLEU(smooth_method=name, smooth_value=value)
        metric.corpus_score(hypotheses, sets)
        if f"|smooth:{name}[{shown_as}]|" not in str(metric.get_signature()):
            raise InputError(f"{name} by {value} is signed {metric.get_signature()}")
    for smoothing in ("none", "floor", "add-k"):
        metric, bleu = BLEU(smooth_method=smoothing), bleukit.load(trial.bleu.variant, smoothing=smoothing)
        for own, others in zip(hypotheses, references, strict=True):
            wanted = bleu.corpus([own], [list(others)], references_by="segment").value
            score = metric.corpus_score([own], [[text] for text in others]).score
            require(f"a corpus of one text by {smoothing}", score, wanted)
    whole = expected(trial, of_all)
    require("with references that are kept", [BLEU(references=sets).corpus_score(hypotheses, None).score], whole)
    metric = BLEU()
    _check_functions_of_sacrebleu(trial, sets)
    metric.tokenizer = partial(metric.tokenizer)  # which is another one, so that segments are counted one by one
    require("by another tokenizer", [metric.corpus_score(hypotheses, sets).score], whole)
    _check_interval_of_sacrebleu(trial, metric, sets)


def _check_functions_of_sacrebleu(trial: Trial, sets: Sequence[Any]) -> None:
    """Check the functions of ``sacrebleu.compat``, and the tokenizers, which return tokens with spaces."""
    texts: Any = trial.input
    hypotheses, references = texts
    require("corpus_bleu", [compat.corpus_bleu(hypotheses, sets).score], expected(trial, of_all))
    sentences = [compat.sentence_bleu(own, list(others)).score for own, others in zip(*texts, strict=True)]
    require("sentence_bleu", sentences, expected(trial))
    keys: Any = {"smoothing": {"name": "floor", "value": 0.25}, "tokenizer": "none", "effective_order": True}
    raw = bleukit.load(trial.bleu.variant, **keys).corpus(*trial.input)
    require("raw_corpus_bleu", [compat.raw_corpus_bleu(hypotheses, sets, 0.25).score], [raw.value])
    for name in ("13a", "intl", "zh", "char", "none"):
        tokenizer, bleu = BLEU(tokenize=name).tokenizer, bleukit.load(trial.bleu.variant, tokenizer=name)
        for text in (*hypotheses, *chain.from_iterable(references)):
            if tokenizer(text).split() != (wanted := split_alone(text, bleu)):
                raise InputError(f"tokenizer {name}: {tokenizer(text)!r}, expected {wanted}")


def _check_interval_of_sacrebleu(trial: Trial, metric: BLEU, sets: Sequence[Any]) -> None:
    """Check the interval of nine resamples, by the sums of what NumPy's generator draws without another seed."""
    number = len(trial.corpus)
    chosen = np.random.default_rng(12345).choice(number, size=(9, number), replace=True)
    values = sorted(score.value for score in trial.bleu.scores(trial.counted().resampled(indices=chosen)))
    shown_as = f"μ = {math.fsum(values) / len(values):.3f} ± {(values[-1] - values[0]) / 2:.3f}"
    hypotheses: Any = trial.corpus.hypotheses
    with patch.dict(os.environ):
        os.environ.pop("SACREBLEU_SEED", None)
        score = metric.corpus_score(hypotheses, sets, n_bootstrap=9)
    if shown_as not in score.format(width=3):
        raise InputError(f"the interval is that of {score.format(width=3)}, expected {shown_as}")
    if "|bs:9|seed:12345|" not in str(metric.get_signature()):
        raise InputError(f"the interval is signed {metric.get_signature()}")


def _check_command_of_sacrebleu(trial: Trial) -> None:
    """Check what ``bleukit sacrebleu`` prints of one system and of two, and its paired bootstrap."""
    columns = columns_of_texts(trial)
    hypotheses, *references = (write_lines(trial.folder / f"{n}.txt", texts) for n, texts in enumerate(columns))
    other = write_lines(trial.folder / "other.txt", columns[0][::-1])
    words = ["sacrebleu", *references, "-w", "9", "-i", hypotheses]
    whole = expected(trial, of_all)
    require("its score", [float(printed(*words, "-b"))], [round(score, 9) for score in whole])
    sentences = list(map(float, printed(*words, "-b", "-sl").split()))
    require("scores of sentences", sentences, [round(score, 9) for score in expected(trial)])
    in_one = write_lines(trial.folder / "in one.txt", map("\t".join, zip(*columns[1:], strict=True)))
    of_one = printed("sacrebleu", in_one, "-nr", str(len(references)), "-w", "9", "-i", hypotheses, "-b")
    require("by references in one file", [float(of_one)], [round(score, 9) for score in whole])
    keys: Any = {"lowercase": True, "tokenizer": "intl", "smoothing": {"name": "floor", "value": 0.25}}
    bleu = bleukit.load(trial.bleu.variant, **keys)
    score = bleu.corpus(*trial.input)
    data = json.loads(printed(*words, "-lc", "-tok", "intl", "-s", "floor", "-sv", "0.25"))
    shares = "/".join(f"{100 * share:.1f}" for share in score.precisions)
    lengths = score.hypothesis_length, score.reference_length
    shown_as = (
        f"{shares} (BP = {score.brevity_penalty:.3f} ratio = {lengths[0] / lengths[1]:.3f} "
        f"hyp_len = {lengths[0]} ref_len = {lengths[1]:.0f})"
    )
    signature = written_signatures(bleu.variant, len(references))["sacrebleu"].rpartition("|")[0]
    wanted = [round(score.value, 9), shown_as, signature]
    if [data["score"], data["verbose_score"], data["signature"].rpartition("|")[0]] != wanted:
        raise InputError(f"it prints {data}, expected {wanted}")
    _check_paired_test_of_sacrebleu(trial, [*words, other])


def _check_paired_test_of_sacrebleu(trial: Trial, words: Sequence[str]) -> None:
    """Check what the paired bootstrap says of a system that has the hypotheses in the other order."""
    bleu, number, samples = trial.bleu, len(trial.corpus), 30
    with patch.dict(os.environ):
        os.environ.pop("SACREBLEU_SEED", None)
        _, tested = json.loads(printed(*words, "--paired-bs", "--paired-bs-n", str(samples)))
    chosen = np.random.default_rng(12345).choice(number, size=(samples, number), replace=True)
    turned = bleu.statistics(trial.corpus.hypotheses[::-1], trial.corpus.references)
    scores = [
        [score.value for score in bleu.scores(rows.resampled(indices=chosen))] for rows in (trial.counted(), turned)
    ]
    apart = [abs(one - another) for one, another in zip(*scores, strict=True)]
    real = abs(bleu.score(trial.counted()).value - bleu.score(turned).value)
    more = sum(one - math.fsum(apart) / samples > real for one in apart)
    got = [tested["BLEU"][name] for name in ("score", "p_value", "mean")]
    wanted = [bleu.score(turned).value, (more + 1) / (samples + 1), math.fsum(scores[1]) / samples]
    if not alike(got, wanted, 1e-6):  # sacreBLEU sums resamples in single precision
        raise InputError(f"score, p-value and mean of the other system are {got}, expected {wanted}")


def _check_interface_of_nltk(trial: Trial) -> None:
    hypotheses, references = trial.input
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of orders without matches
        require("a corpus", [corpus_bleu(references, hypotheses)], expected(trial, of_all))
        require("sentences", list(map(sentence_bleu, references, hypotheses)), expected(trial))
        for number in range(1, 8):
            _check_method_of_nltk(trial, f"method{number}")
        numbers: dict[str, int] = defaultdict(count().__next__)
        codes: dict[str, Callable[[str], Any]] = {"numbers": numbers.__getitem__, "tuples": lambda token: (token,)}
        for says, code in codes.items():
            coded = [
                [list(map(code, text)) for text in (own, *others)] for own, others in zip(*trial.input, strict=True)
            ]
            score = corpus_bleu([others for _, *others in coded], [own for own, *_ in coded])
            require(f"a corpus of {says}", [score], expected(trial, of_all))
    for row, hypothesis, own in zip(trial.plain, hypotheses, references, strict=True):
        shares = [modified_precision(own, hypothesis, order) for order in range(1, trial.bleu.max_order + 1)]
        require("matches", [share.numerator for share in shares], list(row.matches))
        require("n-grams", [share.denominator for share in shares], list(row.totals))
        length = closest_ref_length(own, len(hypothesis))
        penalty = trial.bleu.components["brevity_penalty"].call(len(hypothesis), length)
        require(
            "lengths and penalty", [length, brevity_penalty(length, len(hypothesis))], [row.reference_length, penalty]
        )


def _check_method_of_nltk(trial: Trial, name: str) -> None:
    """Check a method of smoothing, which is called for segments if it is hidden behind another function."""
    method = getattr(SmoothingFunction(), name)
    bleu = bleukit.load(trial.bleu.variant, smoothing=f"nltk-{name}")
    for hypothesis, references in zip(*trial.input, strict=True):
        wanted = _score_or_none(bleu.sentence, hypothesis, references)
        for smooth in (method, partial(method)):
            got = _score_or_none(partial(sentence_bleu, smoothing_function=smooth), references, hypothesis)
            if (got is None) != (wanted is None) or not alike(got or 0.0, wanted or 0.0, CLOSE):
                raise InputError(f"{name}: the score of {shown(hypothesis)} is {got}, expected {wanted}")


def _score_or_none(score: Callable[..., Any], *texts: Any) -> float | None:
    """Return a score, None if it is refused."""
    try:
        return float(score(*texts))
    except (AssertionError, ArithmeticError, ValueError):
        return None


TO_SCORES = tuple(
    Way(says, partial(held, check), of_each, needs)
    for says, check, needs in (
        ("the interface of sacreBLEU", _check_interface_of_sacrebleu, "lines brief hundreds default"),
        ("the command of sacreBLEU", _check_command_of_sacrebleu, "lines brief hundreds default"),
        ("the interface of NLTK", _check_interface_of_nltk, "tokens hundreds nltk"),
    )
)
