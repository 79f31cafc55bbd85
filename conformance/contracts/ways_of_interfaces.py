"""The ways through the interfaces of other packages, which stand in for their functions and classes."""

from __future__ import annotations

import math
import os
import warnings
from collections import defaultdict
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from bleukit.conformance.contracts.trials import CLOSE, Trial, Way, expected, held, of_all, of_each, require
from bleukit.conformance.definitions import alike

import bleukit
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
    metric.tokenizer = partial(metric.tokenizer)  # which is another one, so that segments are counted one by one
    require("by another tokenizer", [metric.corpus_score(hypotheses, sets).score], whole)
    _check_interval_of_sacrebleu(trial, metric, sets)


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
        ("the interface of NLTK", _check_interface_of_nltk, "tokens hundreds nltk"),
    )
)
