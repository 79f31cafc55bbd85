"""bleukit.compat.torchmetrics beside torchmetrics.text, across processes, and after checkpoints."""

import copy
import math
import multiprocessing
import pickle
import random

import pytest

import bleukit

torch = pytest.importorskip("torch", reason="torch is not installed: tox -e torch")
theirs = pytest.importorskip("torchmetrics.text")
functional = pytest.importorskip("torchmetrics.functional.text")
pytestmark = pytest.mark.torch

from bleukit.compat import torchmetrics as ours  # noqa: E402 - it needs torchmetrics

WORDS = ["a", "The", "cat", "5.", "sat", "x-y", "3,5", "«mats»"]


def corpus(chance):
    def line():
        return " ".join(chance.choice(WORDS) for _ in range(chance.randint(0, 9)))

    number = chance.randint(1, 6)
    hypotheses = [line() for _ in range(number)]
    references = [[line() for _ in range(chance.randint(1, 3))] for _ in range(number)]
    return hypotheses, [
        [*group, *chance.choice([[], [hypothesis]])] for hypothesis, group in zip(hypotheses, references, strict=True)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_scores_and_states(seed):
    chance = random.Random(seed)
    given = {"n_gram": chance.choice([1, 2, 4]), "smooth": chance.random() < 0.5}
    name = chance.choice(["BLEUScore", "SacreBLEUScore"])
    if name == "SacreBLEUScore":
        tokenizer = chance.choice(["13a", "none", "intl", "zh", "char"])
        given |= {"tokenize": tokenizer, "lowercase": chance.random() < 0.5}
    mine, peers = getattr(ours, name)(**given), getattr(theirs, name)(**given)
    for _ in range(3):
        batch = corpus(chance)
        torch.testing.assert_close(mine(*batch), peers(*batch))
    torch.testing.assert_close(mine.compute(), peers.compute())
    for state in ("preds_len", "target_len", "numerator", "denominator"):
        assert getattr(mine, state).dtype is torch.int64
        assert getattr(mine, state).tolist() == getattr(peers, state).tolist()


@pytest.mark.parametrize("name", ["bleu_score", "sacre_bleu_score"])
def test_functions(name):
    chance = random.Random(5)
    for given in ({}, {"n_gram": 2, "smooth": True}, {"n_gram": 2, "weights": [0.25, 0.75]}):
        batch = corpus(chance)
        torch.testing.assert_close(getattr(ours, name)(*batch, **given), getattr(functional, name)(*batch, **given))
    with pytest.raises(ValueError, match="expected|but"):
        getattr(ours, name)(["a", "b"], [["a"]])


def test_one_text_is_a_corpus():
    assert ours.bleu_score("a b c d e", ["a b c d e"]) == functional.bleu_score("a b c d e", ["a b c d e"]) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of TorchScript itself
def test_a_metric_can_be_compiled():
    torch.jit.script(ours.SacreBLEUScore())


@pytest.mark.parametrize("given", [{"weights": [0.5, 0.5]}, {"n_gram": 2, "weights": [1.0]}, {"tokenize": "other"}])
def test_wrong_parameters(given):
    for module in (ours, theirs):
        with pytest.raises(ValueError):  # noqa: PT011 - the peer's texts are others
            module.SacreBLEUScore(**given)


@pytest.mark.parametrize("variant", ["mteval-v13a", "nltk", "sacrebleu", "evaluate"])
def test_variants(variant):
    hypotheses, references = corpus(random.Random(3))
    metric = ours.BLEUScore(variant=variant).set_dtype(torch.float64)
    for hypothesis, group in zip(hypotheses, references, strict=True):
        metric.update([hypothesis], [group])
    assert metric.compute().item() == bleukit.load(variant).corpus(hypotheses, references).value


def test_a_reference_length_may_be_no_whole_number():
    metric = ours.BLEUScore(variant=bleukit.load("nltk", reference_length="average").variant).set_dtype(torch.float64)
    for _ in range(2):
        metric.update(["a b c d e"], [["a b c d e f", "a b c d e f g"]])
    assert metric.compute().item() == pytest.approx(math.exp(1 - 13 / 10))


def test_a_variant_says_everything():
    with pytest.raises(ValueError, match="variant: it says n_gram"):
        ours.BLEUScore(2, variant="nltk")


def test_counts_are_exact_above_what_single_precision_holds():
    metric = ours.BLEUScore()
    metric.update(["a b c d e"], [["a b c d e"]])
    metric.numerator += 2**24
    metric.update(["a b c d e"], [["a b c d e"]])
    assert metric.numerator.tolist() == [2**24 + 2 * n for n in (5, 4, 3, 2)]


@pytest.mark.filterwarnings("ignore:The ``compute`` method:UserWarning")  # as of torchmetrics' own after a checkpoint
def test_checkpoints_and_copies():
    metric = ours.BLEUScore()
    metric.persistent(mode=True)
    metric.update(["a b c d e"], [["a b c d f"]])
    restored = ours.BLEUScore()
    restored.persistent(mode=True)
    restored.load_state_dict(metric.state_dict())
    for other in (restored, pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert (other.compute(), other.numerator.dtype) == (metric.compute(), torch.int64)
    metric.reset()
    assert metric.numerator.tolist() == [0, 0, 0, 0]


def process(rank, store, results):
    torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    hypotheses, references = corpus(random.Random(11))
    metric = ours.BLEUScore(variant="nltk")
    metric.update(hypotheses[rank::2], references[rank::2])
    results.put(metric.compute().item())
    torch.distributed.destroy_process_group()


@pytest.mark.skipif(not torch.distributed.is_available(), reason="PyTorch without torch.distributed")
def test_two_processes(tmp_path):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    processes = [context.Process(target=process, args=(rank, tmp_path / "store", results)) for rank in (0, 1)]
    for each in processes:
        each.start()
    scores = [results.get(timeout=120) for _ in processes]
    for each in processes:
        each.join()
    expected = bleukit.load("nltk").corpus(*corpus(random.Random(11))).value
    assert scores == pytest.approx([expected] * 2, rel=1e-6)
