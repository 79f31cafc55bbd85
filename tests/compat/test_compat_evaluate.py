"""bleukit.compat.evaluate: what its modules return, and that evaluate loads them without a network."""

import math
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import recorded_evaluate
import sacrebleu
from recorded_evaluate import SCORES

import bleukit
from bleukit.compat import evaluate as ours

HYPOTHESES = ["The cat sat on mats.", "a dog"]
RAGGED = [["the cat sat on a mat.", "Cats sat on mats."], ["a dog"]]


def test_bleu_gives_what_was_recorded_of_evaluate():
    for number, (corpus, recorded) in zip(
        range(500), zip(recorded_evaluate.corpora(), SCORES, strict=True), strict=False
    ):
        smooth = number % 2 == 1
        if recorded == recorded_evaluate.RAISES:
            with pytest.raises(ZeroDivisionError):
                ours.compute_bleu(*corpus, smooth=smooth)
        else:
            assert ours.compute_bleu(*corpus, smooth=smooth)["bleu"] == pytest.approx(float(recorded), abs=1e-12)


def test_bleu_with_a_tokenizer_and_other_orders():
    assert ours.compute_bleu(["a-b c"], [["a-b c d"]], tokenizer=str.split, max_order=2) == {
        "bleu": math.exp(1 - 3 / 2),
        "precisions": [1, 1],
        "brevity_penalty": math.exp(1 - 3 / 2),
        "length_ratio": 2 / 3,
        "translation_length": 2,
        "reference_length": 3,
    }


@pytest.mark.parametrize(
    ("hypotheses", "precisions"), [(["a b"], [1, 1, 0, 0]), (["x", "a b c"], [0.75, 1, 1, 0]), (["", "x"], [0] * 4)]
)
def test_the_precision_of_an_order_without_ngrams_is_0(hypotheses, precisions):
    """As in evaluate: ``precisions[i] = 0.0`` unless ``possible_matches_by_order[i] > 0``."""
    assert ours.compute_bleu(hypotheses, [["a b c"]] * len(hypotheses))["precisions"] == precisions


OPTIONS = [
    {},
    {"lowercase": True, "smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.5, "tokenize": "intl"},
    {"smooth_method": "add-k"},
    {"smooth_method": "add-k", "smooth_value": 2, "tokenize": "zh"},
    {"smooth_method": "none", "use_effective_order": True, "force": True},
    {"tokenize": "char"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("hypotheses", [HYPOTHESES, ["the", "dog"], ["x", "y"], ["", "a"]])
def test_sacrebleu_with_ragged_references(hypotheses, options):
    found = ours.compute_sacrebleu(hypotheses, RAGGED, **options)
    sets = [["the cat sat on a mat.", "a dog"], ["Cats sat on mats.", None]]
    peers = sacrebleu.corpus_bleu(hypotheses, sets, **options)
    assert found.pop("score") == pytest.approx(peers.score, rel=1e-15)
    fields = "counts", "totals", "precisions", "bp", "sys_len", "ref_len"  # those of evaluate's module
    assert found == {name: getattr(peers, name) for name in fields}


def test_neither_original_is_needed():
    code = """
import sys
sys.modules.update(evaluate=None, nltk=None, sacrebleu=None)
from bleukit.compat.evaluate import compute_bleu, compute_sacrebleu
assert compute_sacrebleu(["a b c d"], ["a b c d"])["score"] > 99 * compute_bleu(["a b c d"], ["a b c d"])["bleu"]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_variant():
    score = bleukit.load("mteval-v13a").corpus(HYPOTHESES, RAGGED)
    assert ours.compute_variant(HYPOTHESES, RAGGED, "mteval-v13a") == score.to_dict()


def test_each_module_is_a_folder_with_a_file_of_its_name():
    for name in ours.MODULES:
        assert Path(ours.folder(name), f"{name}.py").is_file()


def test_unknown_modules():
    with pytest.raises(bleukit.InputError, match=r"^'bleo': no such module; did you mean 'bleu'"):
        ours.folder("bleo")


@pytest.mark.parametrize(("name", "key"), [("bleu", "bleu"), ("sacrebleu", "score"), ("variant", "value")])
def test_evaluate_loads_the_folders_without_a_network(name, key, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate")
    module = evaluate.load(ours.folder(name), *(["nltk"] if name == "variant" else []))
    assert 0 < module.compute(predictions=HYPOTHESES, references=RAGGED)[key] <= 100


class Metric:
    """What the modules use of evaluate's own class."""

    def __init__(self, config_name=None):
        self.config_name = config_name
        self.info = self._info()

    def compute(self, *, predictions, references, **options):
        return self._compute(predictions=predictions, references=references, **options)


@pytest.mark.parametrize(
    ("name", "config", "options"),
    [
        ("bleu", None, {"max_order": 2, "smooth": True, "tokenizer": str.split}),
        ("sacrebleu", None, {"smooth_method": "floor", "smooth_value": 0.5, "lowercase": True, "tokenize": "intl"}),
        ("variant", "nltk", {}),
    ],
)
def test_the_module_in_each_folder_passes_on_what_it_is_given(name, config, options, monkeypatch):
    evaluate, datasets = ModuleType("evaluate"), ModuleType("datasets")
    evaluate.Metric, evaluate.MetricInfo = Metric, dict
    datasets.Features, datasets.Value, datasets.Sequence = dict, lambda kind: kind, lambda of: [of]
    monkeypatch.setitem(sys.modules, "evaluate", evaluate)
    monkeypatch.setitem(sys.modules, "datasets", datasets)
    monkeypatch.delitem(sys.modules, "bleukit.compat.evaluate.modules", raising=False)
    script = runpy.run_path(Path(ours.folder(name), f"{name}.py"))
    del sys.modules["bleukit.compat.evaluate.modules"]
    [module] = {each for each in script.values() if isinstance(each, type) and issubclass(each, Metric)}
    loaded = module(config)
    named = {"name": config} if config else {}
    wanted = getattr(ours, f"compute_{name}")(HYPOTHESES, RAGGED, **options, **named)
    assert loaded.compute(predictions=HYPOTHESES, references=RAGGED, **options) == wanted
    shapes = [{"predictions": "string", "references": of} for of in (["string"], "string")]
    assert loaded.info["features"] == shapes
    assert {"BLEU", "predictions:", ""} <= {
        loaded.info["description"].split()[0],
        loaded.info["inputs_description"].split()[0],
        loaded.info["citation"],
    }
