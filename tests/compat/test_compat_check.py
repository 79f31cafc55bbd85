"""``python -m bleukit.compat.check``: what it says of code that uses other libraries' BLEU; docs/drop-ins.md."""

import doctest
from pathlib import Path

import pytest

from bleukit.compat import check

OURS = "bleukit.compat.sacrebleu"


@pytest.mark.parametrize(
    ("code", "name", "becomes"),
    [
        ("from sacrebleu import corpus_bleu", "sacrebleu.corpus_bleu", f"{OURS}.corpus_bleu"),
        ("from sacrebleu.metrics import BLEU as B", "sacrebleu.metrics.BLEU", f"{OURS}.metrics.BLEU"),
        (
            "from sacrebleu.significance import PairedTest",
            "sacrebleu.significance.PairedTest",
            f"{OURS}.significance.PairedTest",
        ),
        ("import sacrebleu as sb\nsb.corpus_bleu([], []).score", "sacrebleu.corpus_bleu", f"{OURS}.corpus_bleu"),
        (
            "import sacrebleu.metrics\nsacrebleu.metrics.BLEU.TOKENIZERS",
            "sacrebleu.metrics.BLEU",
            f"{OURS}.metrics.BLEU",
        ),
        ("from sacrebleu import metrics\nmetrics.BLEU()", "sacrebleu.metrics.BLEU", f"{OURS}.metrics.BLEU"),
        (
            "from nltk.translate.bleu_score import SmoothingFunction",
            "nltk.translate.bleu_score.SmoothingFunction",
            "bleukit.compat.nltk.SmoothingFunction",
        ),
        (
            "from nltk.translate import bleu_score as b\nb.corpus_bleu",
            "nltk.translate.bleu_score.corpus_bleu",
            "bleukit.compat.nltk.corpus_bleu",
        ),
        (
            "import nltk\nnltk.translate.bleu_score.sentence_bleu()",
            "nltk.translate.bleu_score.sentence_bleu",
            "bleukit.compat.nltk.sentence_bleu",
        ),
        ("from nltk.translate import bleu", "nltk.translate.bleu", "bleukit.compat.nltk.sentence_bleu"),
        (
            "from torchmetrics.text import BLEUScore",
            "torchmetrics.text.BLEUScore",
            "bleukit.compat.torchmetrics.BLEUScore",
        ),
        (
            "from torchmetrics.functional.text import bleu_score",
            "torchmetrics.functional.text.bleu_score",
            "bleukit.compat.torchmetrics.bleu_score",
        ),
        (
            "import evaluate\nevaluate.load('bleu')",
            "evaluate.load('bleu')",
            "evaluate.load(bleukit.compat.evaluate.folder('bleu'))",
        ),
    ],
)
def test_what_can_be_switched(tmp_path, code, name, becomes):
    (tmp_path / "code.py").write_text(code)
    (use,) = check.uses(tmp_path / "code.py")
    assert (use.line, use.name, use.switched) == (code.count("\n") + 1, name, becomes)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("from sacrebleu.metrics import CHRF", "bleukit computes BLEU; use sacreBLEU for chrF"),
        ("import sacrebleu\nsacrebleu.corpus_ter", "bleukit computes BLEU; use sacreBLEU for TER"),
        ("from sacrebleu.dataset import DATASETS", "has no attribute 'dataset'"),
        ("from sacrebleu.metrics import *", "name what is imported"),
    ],
)
def test_what_stays_and_why(tmp_path, code, why):
    (tmp_path / "code.py").write_text(code)
    (use,) = check.uses(tmp_path / "code.py")
    assert use.switched is None
    assert why in use.why


@pytest.mark.parametrize(
    "code",
    [
        "import nltk\nnltk.word_tokenize",
        "from .sacrebleu import BLEU",
        "import sacrebleu",
        "sacrebleu.BLEU",
        "import evaluate\nevaluate.load('rouge')",
    ],
)
def test_what_is_not_about_bleu_is_left_out(tmp_path, code):
    (tmp_path / "code.py").write_text(code)
    assert check.uses(tmp_path / "code.py") == []


def test_folders_and_the_status(tmp_path, capsys):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.py").write_text("from sacrebleu import BLEU, CHRF\n")
    (tmp_path / "b.py").write_text("from sacrebleu import BLEU\n")
    assert check.main([str(tmp_path / "b.py")]) == 0
    assert check.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith("2 of 3 can be switched\n")
    (tmp_path / "bad.py").write_text("def\n")
    for path in (tmp_path, tmp_path / "absent.py"):
        assert check.main([str(path)]) == 2
        assert "cannot be read" in capsys.readouterr().err
    assert check.main([]) == 2


def test_the_examples_of_the_document():
    document = Path(__file__).parents[2] / "docs/drop-ins.md"
    if not document.exists():
        pytest.skip("not in a checkout")
    found = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert found.attempted > 8
    assert not found.failed
