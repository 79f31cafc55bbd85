"""bleukit.compat.torchmetrics on NumPy's arrays: what TorchMetrics gave for the same texts, and states that add up."""

import contextlib
import inspect
import sys
from importlib import import_module

import numpy as np
import pytest
import sacrebleu
import torch_in_numpy

import bleukit
from bleukit.loading import registry

BATCHES = [
    (
        ["The cat sat on the mats, 3,5 times.", "a dog"],
        [["the cat sat on a mat, 3,5 times.", "Cats sat on the mats."], ["A dog barks", "a dog or two"]],
    ),
    (["Das x-y «z» fällt 5.", "一只猫 sat"], [["das x-y «z» fällt 5 ."], ["一只狗 sat", "猫", "The cat sat"]]),
]

RECORDED = [
    ("BLEUScore", {}, [0.0, 0.0], 0.0, [17, 19], [12, 7, 3, 0], [17, 13, 9, 7]),
    ("BLEUScore", {"n_gram": 2}, [0.63982, 0.41445], 0.54809, [17, 19], [12, 7], [17, 13]),
    ("BLEUScore", {"n_gram": 3, "smooth": True}, [0.55324, 0.45317], 0.48398, [17, 19], [12, 7, 3], [17, 13, 9]),
    ("BLEUScore", {"n_gram": 2, "weights": [0.25, 0.75]}, [0.60152, 0.37909], 0.51222, [17, 19], [12, 7], [17, 13]),
    ("SacreBLEUScore", {}, [0.55346, 0.70711], 0.6108, [20, 21], [17, 12, 8, 4], [20, 16, 12, 10]),
    ("SacreBLEUScore", {"lowercase": True}, [0.66023, 0.92407], 0.75351, [20, 21], [18, 14, 10, 6], [20, 16, 12, 10]),
    (
        "SacreBLEUScore",
        {"n_gram": 2, "smooth": True, "weights": [0.9, 0.1]},
        [0.83384, 0.74635],
        0.80004,
        [20, 21],
        [17, 12],
        [20, 16],
    ),
    ("SacreBLEUScore", {"n_gram": 2, "tokenize": "none"}, [0.63982, 0.41445], 0.54809, [17, 19], [12, 7], [17, 13]),
    ("SacreBLEUScore", {"n_gram": 2, "tokenize": "intl"}, [0.78788, 0.6358], 0.71521, [23, 25], [19, 14], [23, 19]),
    ("SacreBLEUScore", {"n_gram": 2, "tokenize": "zh"}, [0.78788, 0.51664], 0.67708, [21, 23], [18, 11], [21, 17]),
    ("SacreBLEUScore", {"n_gram": 2, "tokenize": "char"}, [0.8484, 0.90076], 0.86985, [54, 56], [50, 44], [54, 50]),
]
"""Class, parameters, the score of each batch and of both, and the states, by torchmetrics 1.4.3."""

FUNCTIONS = {"BLEUScore": "bleu_score", "SacreBLEUScore": "sacre_bleu_score"}


@pytest.fixture
def ours(monkeypatch):
    for name, module in torch_in_numpy.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "bleukit.compat.torchmetrics", raising=False)
    monkeypatch.delattr("bleukit.compat.torchmetrics", raising=False)
    yield import_module("bleukit.compat.torchmetrics")
    del sys.modules["bleukit.compat.torchmetrics"]


def updated(metric, *batches):
    for batch in batches:
        metric.update(*batch)
    return metric


@pytest.mark.parametrize(("name", "given", "scores", "score", "lengths", "matches", "totals"), RECORDED)
def test_scores_and_states_are_those_of_torchmetrics(ours, name, given, scores, score, lengths, matches, totals):
    made = [updated(getattr(ours, name)(**given), batch) for batch in BATCHES]
    assert [metric.compute() for metric in made] == pytest.approx(scores, abs=1e-5)
    function, words = getattr(ours, FUNCTIONS[name]), [*given.values()]
    assert [function(*batch, **given) for batch in BATCHES] == pytest.approx(scores, abs=1e-5)
    positions = [*inspect.signature(function).parameters][2 : 2 + len(words)]
    if positions == [*given]:
        assert function(*BATCHES[0], *words) == pytest.approx(scores[0], abs=1e-5)
        assert updated(getattr(ours, name)(*words), *BATCHES).compute() == pytest.approx(score, abs=1e-5)
    whole = updated(getattr(ours, name)(**given), *BATCHES)
    made[0].add(made[1])
    for metric in (whole, made[0]):
        assert metric.compute() == pytest.approx(score, abs=1e-5)
        assert metric.compute().dtype == np.float32
        assert metric.set_dtype("float64").compute().dtype == np.float64
        assert [metric.preds_len, metric.target_len] == lengths
        assert (metric.numerator.tolist(), metric.denominator.tolist()) == (matches, totals)
        assert {getattr(metric, state).dtype.kind for state in ("preds_len", "target_len", "numerator")} == {"i"}
        assert metric.n_gram == len(metric.weights) == len(totals)
        assert metric.weights == given.get("weights", [1 / len(totals)] * len(totals))


@pytest.mark.parametrize("name", ["mteval-v13a", "nltk", "sacrebleu", "evaluate", "multi-bleu-detok"])
@pytest.mark.parametrize("length", ["closest", "average", "shortest"])
def test_states_of_any_variant_add_up_to_the_corpus(ours, name, length):
    bleu = bleukit.load(name, reference_length=length)
    parts = [updated(ours.BLEUScore(variant=bleu.variant).set_dtype("float64"), batch) for batch in BATCHES]
    for part in parts[1:]:
        parts[0].add(part)
    texts, references = ([one for batch in BATCHES for one in batch[side]] for side in (0, 1))
    expected = bleu.corpus(texts, references, references_by="segment")
    rows = bleu.statistics(texts, references, references_by="segment").sum()
    assert parts[0].compute() == pytest.approx(expected.value, rel=1e-12)
    assert parts[0].plot_upper_bound == bleu.variant.scale
    assert parts[0].target_tokens == rows.reference_tokens[0]
    parts[0].reset()
    assert parts[0].numerator.tolist() == [0] * bleu.max_order


def test_texts_alone_and_no_texts(ours):
    assert ours.bleu_score("a b c d e", ["a b c d e"]) == 1
    assert ours.bleu_score(["a b c d e"], ["a b c d e"]) == 1
    metric = ours.BLEUScore()
    metric.update([], [])
    assert metric.preds_len == 0
    for batch in ((["a", "b"], [["a"]]), (["a"], []), ([], [["a"]]), (["a"], [[]])):
        with pytest.raises(bleukit.InputError):
            metric.update(*batch)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("BLEUScore", {"weights": [0.5, 0.5]}, "weights: expected 4, one for each order, got 2"),
        ("SacreBLEUScore", {"n_gram": 2, "weights": [1.0]}, "weights: expected 2, one for each order, got 1"),
        ("SacreBLEUScore", {"tokenize": "other"}, "tokenize: expected one of none, 13a, .*; got 'other'"),
        ("BLEUScore", {"variant": "nltk", "n_gram": 2}, "variant: it says n_gram, smooth and weights"),
        ("BLEUScore", {"variant": "nltk", "smooth": True}, "variant: it says n_gram, smooth and weights"),
        ("BLEUScore", {"variant": "nltk", "weights": [1, 0, 0, 0]}, "variant: it says n_gram, smooth and weights"),
        ("BLEUScore", {"variant": "of nobody"}, "of nobody"),
    ],
)
def test_wrong_parameters(ours, name, given, message):
    with pytest.raises(ValueError, match=message):
        getattr(ours, name)(**given)


def test_what_looks_at_the_last_segment_cannot_be_added_up(ours):
    metric = updated(ours.BLEUScore(variant=bleukit.load("nltk", smoothing="nltk-method5").variant), BATCHES[0])
    with pytest.raises(bleukit.InputError, match="states that are added up do not have"):
        metric.compute()


def test_what_describes_the_class(ours):
    for metric in (ours.BLEUScore(sync_on_compute=False), ours.SacreBLEUScore(sync_on_compute=False)):
        assert not metric.sync_on_compute
        described = metric.is_differentiable, metric.higher_is_better, metric.full_state_update
        assert described == (False, True, False)
        assert (metric.plot_lower_bound, metric.plot_upper_bound) == (0, 1)
        assert metric.plot(0.5, "axes") == (0.5, "axes")
        assert metric.plot() == (None, None)


def test_each_tokenizer_is_that_of_sacrebleu(ours):
    text = "It's 5 o'clock; das «x-y» kostet 3,5 €. 一只猫が見た 고양이가"
    usable = 0
    for name, tokenizer in ours.TOKENIZERS.items():
        assert name in sacrebleu.BLEU.TOKENIZERS.mapping
        assert tokenizer in registry.installed().registered["tokenizer"]
        with contextlib.suppress(bleukit.NotInstalledError, bleukit.VariantError):  # of a model that is not there
            bleu = bleukit.load(tokenizer=tokenizer)
            assert bleu.tokenize(text) == sacrebleu.BLEU(tokenize=name).tokenizer(text).split()
            usable += 1
    assert usable >= 5
