"""iBLEU, from sacreBLEU's and NLTK's scores of the two sides, in Python and on the command line."""

import json

import pytest
from nltk.translate.bleu_score import corpus_bleu
from sacrebleu.metrics import BLEU

import bleukit

HYPOTHESES = ["how can I learn English quickly ?", "what is the best way to cook rice ?", "who won ?"]
REFERENCES = [
    ["how do I learn English fast ?", "what can I do to learn English quickly ?"],
    ["how should rice be cooked ?", "what is the best method to cook rice ?"],
    ["who was the winner ?", "who won the game ?"],
]
SOURCES = ["how can I learn English in a short time ?", "what is the best way to cook rice ?", "who has won it ?"]
SETS = [list(texts) for texts in zip(*REFERENCES, strict=True)]
ALPHA = 0.8


def test_it_weighs_the_scores_of_sacrebleu():
    ours, theirs = (BLEU().corpus_score(HYPOTHESES, sets).score for sets in (SETS, [SOURCES]))
    found = bleukit.ibleu(HYPOTHESES, REFERENCES, SOURCES)
    assert (found.score.value, found.source_score.value) == pytest.approx((ours, theirs), rel=1e-12)
    assert float(found) == pytest.approx(ALPHA * ours - (1 - ALPHA) * theirs, rel=1e-12)
    assert bleukit.ibleu(HYPOTHESES, SETS, SOURCES, references_by="set") == found
    assert found.signature == f"{found.score.signature}|ibleu:0.8|sources:1"
    assert str(found).startswith(f"iBLEU {found.value:.2f} (alpha 0.8; BLEU {ours:.2f}, {theirs:.2f} of the sources")


def test_it_weighs_the_scores_of_nltk():
    words = [text.split() for text in HYPOTHESES]
    ours = corpus_bleu([[text.split() for text in group] for group in REFERENCES], words)
    theirs = corpus_bleu([[text.split()] for text in SOURCES], words)
    found = bleukit.ibleu(HYPOTHESES, REFERENCES, SOURCES, 0.9, "nltk")
    assert found.value == pytest.approx(0.9 * ours - 0.1 * theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((HYPOTHESES, REFERENCES, SOURCES, 1.5), "alpha: expected a number from 0 to 1, got 1.5"),
        ((HYPOTHESES, REFERENCES, SOURCES, float("nan")), "alpha: expected a number from 0 to 1, got nan"),
        ((HYPOTHESES, REFERENCES, SOURCES, True), "alpha: expected a number from 0 to 1, got bool True"),
        ((HYPOTHESES, REFERENCES, SOURCES[:2]), "sources: 3 hypotheses, but 2 items"),
        ((HYPOTHESES, REFERENCES, "abc"), "sources: expected a sequence with the source of each hypothesis"),
    ],
)
def test_what_cannot_be_scored_is_refused(arguments, message):
    with pytest.raises(bleukit.InputError, match=message):
        bleukit.ibleu(*arguments)


@pytest.fixture
def files(tmp_path):
    texts = {"hyp": HYPOTHESES, "ref1": SETS[0], "ref2": SETS[1], "src": SOURCES, "docs": ["a", "b", "a"]}
    for name, side in texts.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in side))
    rows = zip(HYPOTHESES, SETS[0], SOURCES, strict=True)
    table = ["hypothesis\treference\tsource", *map("\t".join, rows)]
    (tmp_path / "table.tsv").write_text("".join(f"{row}\n" for row in table))
    return ["score", "--ibleu", "0.8", "--source", "src", "-r", "ref1", "-r", "ref2", "hyp"]


def test_the_command_prints_both_scores_and_alpha(run, files):
    expected = bleukit.ibleu(HYPOTHESES, REFERENCES, SOURCES)
    status, out, err = run(*files)
    assert (status, err) == (0, "")
    numbers = [f"{score:.2f}" for score in (expected.value, expected.score.value, expected.source_score.value)]
    assert ["hyp", *numbers] in [line.split() for line in out.splitlines()]
    assert "alpha 0.8, sacrebleu, 3 segments" in out
    assert out.endswith(f"signature {expected.signature}\n")
    assert float(run(*files, "-q", "-w", "12")[1]) == pytest.approx(expected.value, abs=1e-12)


def test_json_has_all_digits_and_units(run, files):
    expected = bleukit.ibleu(HYPOTHESES, REFERENCES, SOURCES)
    [system] = json.loads(run(*files, "--format", "json", "--level", "sentence")[1])["systems"]
    sentences = system.pop("sentences")
    assert system == {
        "system": "hyp",
        "ibleu": expected.value,
        "alpha": 0.8,
        "score": expected.score.to_dict(),
        "source_score": expected.source_score.to_dict(),
        "signature": expected.signature,
    }
    bleu = bleukit.load()
    ours, theirs = (bleu.sentences(HYPOTHESES, side) for side in (REFERENCES, SOURCES))
    assert [one["ibleu"] for one in sentences] == pytest.approx(list(0.8 * ours - 0.2 * theirs), rel=1e-12)


def test_tables_hold_sources(run, files):
    expected = bleukit.ibleu(HYPOTHESES, SETS[0], SOURCES, references_by="segment")
    _, out, _ = run("score", "--ibleu", "0.8", "table.tsv", "-q", "-w", "9")
    assert float(out) == pytest.approx(expected.value, abs=1e-9)
    assert run("score", "--ibleu", "0.8", "table.tsv")[1].splitlines()[-1] == f"signature {expected.signature}"


def test_documents_have_scores_of_their_own(run, files):
    _, out, _ = run(*files, "--documents", "docs", "--level", "document")
    one = bleukit.ibleu(HYPOTHESES[::2], REFERENCES[::2], SOURCES[::2])
    assert out.splitlines()[:2] == ["document\tiBLEU", f"a\t{one.value!r}"]
    joined = run(*files, "-V", "d-bleu", "--documents", "docs", "-q", "-w", "9")[1]
    documents = [[" ".join(side[::2]), side[1]] for side in (HYPOTHESES, *SETS, SOURCES)]
    expected = bleukit.ibleu(documents[0], documents[1:3], documents[3], references_by="set")
    assert float(joined) == pytest.approx(expected.value, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "src", "-r", "ref1", "hyp"], "--source is for --ibleu"),
        (["--ibleu", "0.8", "-r", "ref1", "hyp"], "the sources are not known: give --source FILE"),
        (["--ibleu", "1.8", "--source", "src", "-r", "ref1", "hyp"], "1.8"),
        (["--ibleu", "0.8", "--confidence", "--source", "src", "-r", "ref1", "hyp"], "--ibleu: leave out"),
        (["--ibleu", "0.8", "--level", "document", "--source", "src", "-r", "ref1", "hyp"], "documents"),
        (["--ibleu", "0.8", "--source", "src", "-r", "ref1", "hyp", "-o", "out.csv"], "not written to a table"),
    ],
)
def test_what_does_not_go_together_is_refused(run, files, arguments, message):
    status, out, err = run("score", *arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_its_signature_is_no_signature_of_bleu(run, files):
    signature = bleukit.ibleu(HYPOTHESES, REFERENCES, SOURCES).signature
    status, _, err = run("score", "--signature", signature, "-r", "ref1", "-r", "ref2", "hyp")
    assert status == 2
    assert "--ibleu and --source" in err
