"""Comparisons by chrF and TER: sacreBLEU's tests to the last digit, and which score is better."""

import json
import random

import numpy as np
import pytest
from sacrebleu.metrics import CHRF, TER
from sacrebleu.significance import PairedTest

import bleukit

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "looked", "at", "me"]


ROUNDED = 0 if np.__version__ >= "2" else 1e-6
"""The largest difference of means, which NumPy 1 does not compute in single precision throughout."""


def corpus(seed, segments=40, systems=3):
    """Return systems, each with more wrong words than the one before, and two sets of references."""
    drawn = random.Random(seed)
    lines = [drawn.choices(WORDS, k=drawn.randint(1, 12)) for _ in range(segments)]

    def noisy(share):
        return [" ".join(drawn.choice(WORDS) if drawn.random() < share else word for word in line) for line in lines]

    return {f"system {number}": noisy(number / 5) for number in range(1, systems + 1)}, [noisy(0), noisy(0.2)]


@pytest.mark.parametrize("kind", ["ar", "bs"])
@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize(
    ("name", "options", "theirs"),
    [
        ("chrf", {"lowercase": True}, CHRF(lowercase=True)),
        ("chrf", {"eps_smoothing": True, "char_order": 3}, CHRF(eps_smoothing=True, char_order=3)),
        ("chrf++", {}, CHRF(word_order=2)),
        ("ter", {}, TER()),
        ("ter", {"normalized": True, "case_sensitive": True}, TER(normalized=True, case_sensitive=True)),
    ],
    ids=lambda value: "" if isinstance(value, (CHRF, TER)) else str(value),
)
def test_figures_of_sacrebleus_tests(name, options, theirs, sets, kind, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    systems, references = corpus(sets)
    references = references[:sets]
    _, columns = PairedTest([*systems.items()], {"metric": theirs}, references, kind, 300, 60)()
    results = next(column for head, column in columns.items() if head != "System")
    samples = {"samples": 300, "interval_samples": 60 if kind == "ar" else None}
    chosen = {"references_by": "set", "baseline": "system 1", "test": f"sacrebleu-{kind}", **samples}
    found = bleukit.compare(bleukit.load_metric(name, **options), systems, references, **chosen)
    by_system = dict(zip(systems, results, strict=True))
    for system in found.systems:
        assert system.score == by_system[system.system].score
        assert system.mean == pytest.approx(by_system[system.system].mean, rel=ROUNDED, abs=0)
    p_values = {pair.first: pair.p_value for pair in found.pairs}
    assert p_values == {
        system: result.p_value for system, result in zip(systems, results, strict=True) if result.p_value
    }


def test_scores_in_percent_have_two_decimals():
    found = bleukit.compare("ter", {"a": ["a b c d"] * 12}, ["a b c e"] * 12)
    assert " 25.00 " in str(found)


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "delta", "multeval", "hierarchical"])
def test_the_lower_ter_is_the_better_one(test):
    systems, references = corpus(3, segments=60)
    metric = bleukit.load_metric("ter")
    found = bleukit.compare(metric, systems, references, references_by="set", test=test)
    assert [system.rank for system in found.systems] == [1, 2, 3]
    assert [system.system for system in found.systems] == sorted(systems)
    assert all(system.interval.low < system.score < system.interval.high for system in found.systems)
    assert all(pair.difference < 0 for pair in found.pairs)
    assert "system 1 is better than system 3" in found.verdict
    assert "of TER, the lower score is the better one" in found.notes
    assert (found.metric, found.lower_is_better) == ("TER", True)
    other = bleukit.compare(bleukit.load_metric("chrf"), systems, references, references_by="set", test=test)
    assert [system.system for system in other.systems] == sorted(systems)
    assert all(pair.difference > 0 for pair in other.pairs)


def test_runs_documents_and_groups():
    systems, references = corpus(4, segments=60)
    runs = {"runs": bleukit.Runs(*systems.values()), "single": references[1]}
    documents = [str(segment // 4) for segment in range(60)]
    for name in ("chrf++", "ter"):
        metric = bleukit.load_metric(name)
        found = bleukit.compare(metric, runs, references[0], documents=documents, by="length")
        assert found.units == 15
        assert sum(group.segments for group in found.groups) == 60
        influences = sum(group.pairs[0].influence for group in found.groups)
        assert influences == pytest.approx(found.pairs[0].difference)
        rows = {system: metric.statistics(texts, references[0]) for system, texts in systems.items()}
        by_delta = bleukit.compare(metric, bleukit.Moments.of(rows), test="delta")
        assert by_delta.systems[0].score == metric.corpus(systems["system 1"], references[0]).value


def test_the_command_compares_by_a_metric(tmp_path, run):
    systems, references = corpus(5, segments=20, systems=2)
    files = {"ref": references[0], **{name.replace(" ", ""): texts for name, texts in systems.items()}}
    for name, texts in files.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    paths = [str(tmp_path / name) for name in files]
    given = ["compare", "-r", *paths, "--samples", "200", "--format", "json"]
    named = dict(zip(paths[1:], systems.values(), strict=True))
    for chosen, metric in (("ter", "ter"), ("{chrf: {word_order: 1}}", bleukit.load_metric("chrf", word_order=1))):
        status, out, _ = run(*given, "-m", chosen)
        expected = bleukit.compare(metric, named, references[0], samples=200)
        assert (status, json.loads(out)) == (0, expected.to_dict())
    status, out, _ = run(*given[:-2], "-m", "ter")
    assert "TER" in out
    assert "BLEU" not in out
    for wrong, message in (
        (["-m", "ter", "-m", "ter"], "-m: ter is given twice"),
        (["-m", "ter", "-V", "nltk"], "-V, -c and --set choose a BLEU"),
    ):
        status, _, err = run(*given, *wrong)
        assert status == 2
        assert message in err


@pytest.mark.parametrize("test", ["permutation", "sacrebleu-bs", "delta"])
def test_each_of_several_metrics_compares_as_it_does_alone(test, tmp_path, run):
    systems, references = corpus(6, segments=24, systems=4)
    files = {"ref": references[0], **{name.replace(" ", ""): texts for name, texts in systems.items()}}
    for name, texts in files.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    *single, first, second = (str(tmp_path / name) for name in files)
    (tmp_path / "documents").write_text("".join(f"{line // 2}\n" for line in range(24)), encoding="utf-8")
    grouped = {
        "permutation": ["--documents", str(tmp_path / "documents"), "--by", "length"],
        "sacrebleu-bs": ["--baseline", single[1]],
    }
    given = ["compare", "-r", *single, "--test", test, *grouped.get(test, ["--system", f"runs={first},{second}"])]
    given += ["--samples", "100"] if test != "delta" else []
    metrics = [["-m", "bleu", "-V", "nltk"], ["-m", "bleu", "-V", "sacrebleu"], ["-m", "chrf++"], ["-m", "ter"]]
    several = [word for words in metrics for word in words if word not in {"-m", "bleu"}]
    all_ = ["-m", "bleu", *several[:4], "-m", "chrf++", "-m", "ter"]
    for form in ("json", "csv", "text", "latex"):
        status, out, err = run(*given, *all_, "--format", form)
        assert (status, err) == (0, "")
        alone = [run(*given, *words, "--format", form)[1] for words in metrics]
        if form == "json":
            expected = [json.loads(one) | {"metric": name} for one, name in zip(alone, NAMES, strict=True)]
            assert json.loads(out) == {"comparisons": expected}
        elif form == "csv":
            rows = [one.replace(",BLEU,", f",{name},").splitlines() for one, name in zip(alone, NAMES, strict=True)]
            assert out.splitlines() == [rows[0][0], *(row for one in rows for row in one[1:])]
        else:
            for one, name in zip(alone, NAMES, strict=True):
                assert all(line in out for line in one.replace(" BLEU ", f" {name} ").splitlines() if " & " in line)
            assert out.count("procedure test:") == 1
            assert out.count("signature ") == 4
            assert out.count("TER: ") == 1 if form == "text" else "% TER" in out


NAMES = ["nltk", "sacrebleu", "chrF2++", "TER"]


def test_an_interval_of_ter_may_end_above_100():
    hypotheses, references = [f"{'b c ' * (line % 3)}a" for line in range(30)], ["a"] * 30
    found = bleukit.compare(bleukit.load_metric("ter"), {"long": hypotheses}, references, test="delta")
    (system,) = found.systems
    assert system.score == 200
    assert 100 < system.interval.low < 200 < system.interval.high
    assert system.interval.low * system.interval.high == pytest.approx(200**2)
