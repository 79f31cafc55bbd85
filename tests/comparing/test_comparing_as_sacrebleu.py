"""The tests sacrebleu-bs and sacrebleu-ar against sacreBLEU itself, on generated pairs."""

import random

import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

import bleukit

PEER = "sacreBLEU's significance tests"
PAIRS = 30
SAMPLES = 41
WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "under", "quick", "brown", "fox", "jumps", "over", ",", "."]


def generated(seed):
    """Return two systems and their references: from hardly to almost alike, with empty lines and few segments, too."""
    chance = random.Random(seed)
    segments = chance.choice([1, 2, 3, 10, 20, 45])
    noise = chance.choice([0.0, 0.05, 0.3, 0.9])

    def line():
        return [chance.choice(WORDS) for _ in range(chance.choice([0, 1, 3, 8, 15]))]

    def changed(tokens, by):
        return " ".join(chance.choice(WORDS) if chance.random() < by else token for token in tokens)

    references = [line() for _ in range(segments)]
    first = [changed(tokens, 0.3) for tokens in references]
    second = [changed(line.split(), noise) for line in first]
    return first, second, [" ".join(tokens) for tokens in references]


def by_sacrebleu(kind, seed, first, second, references, monkeypatch, intervals=-1):
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    systems = [("first", first), ("second", second)]
    test = PairedTest(systems, {"BLEU": BLEU()}, [references], kind, SAMPLES, n_ar_confidence=intervals)
    return test()[1]["BLEU"]


@pytest.mark.parametrize(("test", "kind"), [("sacrebleu-bs", "bs"), ("sacrebleu-ar", "ar")])
def test_p_values_means_and_intervals(test, kind, difference, monkeypatch):
    bleu = bleukit.load("sacrebleu")
    for seed in range(1, PAIRS + 1):
        first, second, references = generated(seed)
        intervals = None if kind == "bs" else SAMPLES
        theirs = by_sacrebleu(kind, seed, first, second, references, monkeypatch, intervals or -1)
        ours = bleukit.compare(
            bleu,
            {"first": first, "second": second},
            references,
            test=test,
            samples=SAMPLES,
            seed=seed,
            baseline="first",
            interval_samples=intervals,
        )
        assert ours.pairs[0].p_value == theirs[1].p_value, f"pair {seed}"
        systems = {system.system: system for system in ours.systems}
        for result, name in zip(theirs, ("first", "second"), strict=True):
            difference.check(systems[name].mean, result.mean, within=1e-5)
            difference.check(systems[name].half_width, result.ci, within=1e-5)
