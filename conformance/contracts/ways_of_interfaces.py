"""The ways through the interfaces of other packages, which stand in for their functions and classes."""

from __future__ import annotations

import json
import logging
import math
import pickle
import sys
import warnings
from collections import defaultdict
from functools import partial
from itertools import chain, count
from operator import mul, truediv
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from bleukit.conformance.contracts.trials import CLOSE, Trial, checks, expected, of_all, require
from bleukit.conformance.contracts.ways_of_commands import printed, without_settings
from bleukit.conformance.contracts.ways_of_files import columns_of_texts, write_lines
from bleukit.conformance.definitions import alike
from bleukit.conformance.judging.observing import split_alone
from bleukit.conformance.judging.written import SHORT

import bleukit
from bleukit.compat import sacrebleu as compat
from bleukit.compat.nltk import (
    Fraction,
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)
from bleukit.compat.sacrebleu.metrics import BLEU, BLEUScore
from bleukit.errors import InputError, shown
from bleukit.loading.signature import written_signatures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bleukit import Bleu


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
    _check_functions_of_sacrebleu(trial, sets)
    metric = BLEU()
    metric.tokenizer = partial(metric.tokenizer)  # which is another one, so that segments are counted one by one
    require("by another tokenizer", [metric.corpus_score(hypotheses, sets).score], whole)
    _check_interval_of_sacrebleu(trial, metric, sets)


def _check_options_of_sacrebleu(trial: Trial) -> None:
    """Check the score and the signature by each option of ``BLEU``, and what scores are written as."""
    with patch.object(logging.getLogger("sacrebleu"), "disabled", new=True):  # which gives advice
        for options, keys, fields in OF_OPTIONS:
            _check_option_of_sacrebleu(BLEU(**options), bleukit.load(trial.bleu.variant, **keys), options, fields)
    score = BLEUScore(12.345678, [1, 0], [2, 1], [50.0, 0.0], 0.5, 2, 4)
    score.estimate_ci([BLEUScore(number, [], [], [], 1.0, 1, 1) for number in range(100)])
    rest = "50.0/0.0 (BP = 0.500 ratio = 0.500 hyp_len = 2 ref_len = 4)"
    data = {"name": "BLEU", "score": 12.346, "signature": "a:é|b:2", "confidence_mean": 49.5, "confidence_var": 47.5}
    data |= {"confidence": "μ = 49.500 ± 47.500", "verbose_score": rest, "a": "é", "b": "2"}
    for arguments, wanted in (
        ((), f"BLEU = 12.35 (μ = 49.50 ± 47.50) {rest}"),
        ((1, False, "a:é"), f"BLEU|a:é = 12.3 (μ = 49.5 ± 47.5) {rest}"),
        ((3, True, "a:é"), "12.346 (μ = 49.500 ± 47.500)"),
        ((3, False, "a:é|b:2", True), json.dumps(data, indent=1, ensure_ascii=False)),
    ):
        if score.format(*arguments) != wanted:
            raise InputError(f"by {arguments} a score is written {score.format(*arguments)!r}, expected {wanted!r}")


def _check_option_of_sacrebleu(metric: BLEU, bleu: Bleu, options: Mapping[str, Any], fields: str) -> None:
    hypotheses = ["The cat sat on it", "猫坐 down"]
    sets: list[list[str | None]] = [["the cat lay on it", "猫坐着 down"], ["A Cat sat", None]]
    references: Any = [[text for text in texts if text] for texts in zip(*sets, strict=True)]
    score = metric.corpus_score(hypotheses, sets)
    require(f"a corpus by {options}", score.score, bleu.corpus(hypotheses, references).value)
    for own, others in zip(hypotheses, references, strict=True):
        wanted = bleu.corpus([own], [others], references_by="segment").value
        require(f"a sentence by {options}", metric.sentence_score(own, [*others, None]).score, wanted)
    metric.tokenizer = partial(metric.tokenizer)
    require(f"one by one by {options}", metric.corpus_score(hypotheses, sets).score, score.score)
    signature = metric.get_signature()
    for short, signed in ((False, f"nrefs:var|{fields}"), (True, f"#:var|{_in_short(fields)}")):
        if signature.format(short).rpartition("|")[0] != signed:
            raise InputError(f"by {options} it is signed {signature.format(short)}, expected {signed}")


def _in_short(fields: str) -> str:
    return "|".join(f"{SHORT[key]}:{value}" for key, value in (field.split(":") for field in fields.split("|")))


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
    with without_settings():
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
    """Check what the paired tests say of a system that has the hypotheses in the other order."""
    bleu, number, samples = trial.bleu, len(trial.corpus), 30
    _, tested = json.loads(printed(*words, "--paired-bs", "--paired-bs-n", str(samples)))
    _, by_swaps = json.loads(printed(*words, "--paired-ar", "--paired-ar-n", str(samples)))
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
    swaps = np.random.default_rng(12345).integers(2, size=(samples, number), dtype=bool)
    both, places = trial.counted() + turned, np.arange(number)
    scores = [
        [score.value for score in bleu.scores(both.resampled(indices=places + number * swapped))]
        for swapped in (swaps, ~swaps)
    ]
    more = sum(abs(one - another) > real for one, another in zip(*scores, strict=True))
    if not alike(by_swaps["BLEU"]["p_value"], (more + 1) / (samples + 1), CLOSE):
        raise InputError(f"by approximate randomization it is {by_swaps}, expected {more} of {samples} above {real}")


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


def _check_options_of_nltk(_: Trial) -> None:
    """Check weights, and what a smoothing is given, against plain sums."""
    texts = [("a b c d e f g a", ["a b c d e f x g", "b a"])] * MANY_SEGMENTS + [("a b a b c a x", ["a b a b c a y z"])]
    hypotheses = [own.split() for own, _ in texts]
    references = [[text.split() for text in others] for _, others in texts]
    rows: Any = [((7, 5, 4, 3, 2, 1), (8, 7, 6, 5, 4, 3), (8, 8)), ((6, 5, 4, 3, 2, 1), (7, 6, 5, 4, 3, 2), (7, 8))]
    matches, totals, lengths = (
        [MANY_SEGMENTS * one + other for one, other in zip(*column, strict=True)] for column in zip(*rows, strict=True)
    )
    seen: list[Any] = []

    def keep(shares: Sequence[Fraction], **of_last: Any) -> Sequence[Fraction]:
        seen.append([[(share.numerator, share.denominator) for share in shares], of_last])
        return shares

    several: Any = [(0.5, 0.25, 0.125, 0.1), (0.1, 0.2, 0.3, 0.1, 0.2, 0.1), (1.0,)]
    scores = corpus_bleu(references, hypotheses, several, keep)
    given = {"references": references[-1], "hypothesis": hypotheses[-1], "hyp_len": lengths[0]}
    if seen != [wanted := [list(zip(matches, totals, strict=True)), given]]:
        raise InputError(f"a smoothing is given {shown(seen)}, expected {shown(wanted)}")
    penalty = math.exp(1 - lengths[1] / lengths[0])
    values = [penalty * _mean(list(map(truediv, matches, totals)), weights) for weights in several]
    require("scores by several weights", scores, values)
    require("scores by weights", [corpus_bleu(references, hypotheses, one) for one in several], values)
    require("scores without a match", corpus_bleu([["a"]], ["b"], several), [0, 0, 0])
    least, by_default = sys.float_info.min, (0.25,) * 4
    for own, weights, used, shares in (
        ("ab", by_default, (0.5, 0.5), (1, 1)),
        ("abx", by_default, (1 / 3,) * 3, (2 / 3, 1 / 2, least)),
        ("abx", (0.5, 0.5), (0.5, 0.5), (2 / 3, 1 / 2)),
        ("abcx", by_default, by_default, (3 / 4, 2 / 3, 1 / 2, least)),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            score = sentence_bleu(["abc"[: len(own)]], own, weights, auto_reweigh=True)
        require(f"the score of {own} by {weights}", score, _mean(shares, used))
        said = [str(one.message).split("\n")[1] for one in caught]
        orders = range(1 + sum(share != least for share in shares), 1 + max(len(weights), len(shares)))
        if said != [f"The hypothesis contains 0 counts of {order}-gram overlaps." for order in orders]:
            raise InputError(f"of {own} it says {said}")
    for name, constants, smoothed in OF_METHODS:
        method = getattr(SmoothingFunction(**constants), name)
        got = method(list(map(Fraction, (4, 2, 1, 0)[: len(smoothed)], (6, 5, 4, 3))), ["abcdey"], "abcdef", 6)
        require(f"{name} by {constants}", list(map(float, got)), list(smoothed))


def _mean(shares: Sequence[float], weights: Sequence[float]) -> float:
    return math.exp(math.fsum(map(mul, weights, map(math.log, shares))))


def _check_fractions_of_nltk(_: Trial) -> None:
    """Check what a fraction holds that is not reduced, and the precision of order 0 and of no reference."""
    half = Fraction(2, 4)
    for one in (half, pickle.loads(pickle.dumps(half))):  # noqa: S301 - it was pickled here
        terms = one.numerator, one.denominator
        if terms != (2, 4) or {one, Fraction(1, 2), 0.5} != {0.5} or one in {Fraction(2, 3), Fraction(3, 4)}:
            raise InputError(f"2/4 is {terms}, {one!r}")
    for order, own, references, wanted in (
        (0, "abc", ["ab", "a"], (3, 4)),
        (2, "ab", [], KeyError),
        (2, "a", [], (0, 1)),
        (3, "abababa", ["ababx", "bab"], (2, 5)),
        (-1, "a", ["a"], ValueError),
    ):
        try:
            share = modified_precision(references, own, order)
            got: Any = (share.numerator, share.denominator)
        except (KeyError, ValueError) as error:
            got = type(error)
        if got != wanted:
            raise InputError(f"the precision of {own}, order {order}, is {got}, expected {wanted}")


def _score_or_none(score: Callable[..., Any], *texts: Any) -> float | None:
    """Return a score, None if it is refused."""
    try:
        return float(score(*texts))
    except (AssertionError, ArithmeticError, ValueError):
        return None


OF_OPTIONS: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], str]] = (
    ({"lowercase": True}, {"lowercase": True}, "case:lc|eff:no|tok:13a|smooth:exp"),
    ({"effective_order": True}, {"effective_order": True}, "case:mixed|eff:yes|tok:13a|smooth:exp"),
    ({"max_ngram_order": 2}, {"weights": 2}, "case:mixed|eff:no|tok:13a|smooth:exp"),
    ({"max_ngram_order": 6}, {"weights": 6}, "case:mixed|eff:no|tok:13a|smooth:exp"),
    ({"trg_lang": "zh"}, {"tokenizer": "zh"}, "case:mixed|eff:no|tok:zh|smooth:exp"),
    ({"trg_lang": "de"}, {}, "case:mixed|eff:no|tok:13a|smooth:exp"),
    ({"trg_lang": "zh", "tokenize": "char"}, {"tokenizer": "char"}, "case:mixed|eff:no|tok:char|smooth:exp"),
    (
        {"smooth_method": "floor", "smooth_value": 0.5, "lowercase": True},
        {"smoothing": {"name": "floor", "value": 0.5}, "lowercase": True},
        "case:lc|eff:no|tok:13a|smooth:floor[0.50]",
    ),
    (
        {"smooth_method": "add-k", "smooth_value": 2, "max_ngram_order": 3},
        {"smoothing": {"name": "add-k", "k": 2}, "weights": 3},
        "case:mixed|eff:no|tok:13a|smooth:add-k[2.00]",
    ),
    ({"smooth_method": "none"}, {"smoothing": "none"}, "case:mixed|eff:no|tok:13a|smooth:none"),
)
"""Options of sacreBLEU's class, the keys of a variant that do the same, and what signatures say of them."""

MANY_SEGMENTS = 600
"""More segments than are counted at a time, twice."""

OF_METHODS: Sequence[tuple[str, Mapping[str, float], Sequence[float]]] = (
    ("method1", {"epsilon": 0.3}, (2 / 3, 0.4, 0.25, 0.1)),
    ("method2", {}, (2 / 3, 3 / 6, 2 / 5, 1 / 4)),
    ("method3", {}, (2 / 3, 0.4, 0.25, 1 / 6)),
    ("method4", {"k": 2}, (2 / 3, 0.4, 0.25, math.log(6) / 12)),
    ("method5", {}, ((2 / 3 + 1 + 2 / 3 + 0.4) / 3, ((2 / 3 + 1 + 2 / 3 + 0.4) / 3 + 0.4 + 0.5) / 3)),
    ("method6", {"alpha": 2}, (2 / 3, 0.4, 1.48 / 6, 2 * (1.48 / 6) ** 2 / 0.4 / 5)),
)
"""Methods of smoothing by other constants, and what they return of 4/6, 2/5, 1/4 and 0/3, or of the first two."""

TO_SCORES = tuple(
    checks(
        ("the interface of sacreBLEU", _check_interface_of_sacrebleu, "lines brief hundreds default"),
        ("the command of sacreBLEU", _check_command_of_sacrebleu, "lines brief hundreds default"),
        ("the options of sacreBLEU's interface", _check_options_of_sacrebleu, "default once"),
        ("the options of NLTK's interface", _check_options_of_nltk, "default once"),
        ("the fractions of NLTK's interface", _check_fractions_of_nltk, "default once"),
        ("the interface of NLTK", _check_interface_of_nltk, "tokens hundreds nltk"),
    )
)
