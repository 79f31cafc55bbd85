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
    ("code", "becomes"),
    [
        ("from sacrebleu.metrics import CHRF", f"{OURS}.metrics.CHRF"),
        ("import sacrebleu\nsacrebleu.corpus_ter", f"{OURS}.corpus_ter"),
        ("from sacrebleu.dataset import DATASETS", f"{OURS}.dataset.DATASETS"),
        ("from sacrebleu.metrics.chrf import CHRF", f"{OURS}.metrics.chrf.CHRF"),
        ("from sacrebleu.metrics.base import Metric", f"{OURS}.metrics.base.Metric"),
        ("from sacrebleu.tokenizers import tokenizer_13a", f"{OURS}.tokenizers.tokenizer_13a"),
        ("import sacrebleu as s\ns.tokenizers.tokenizer_13a.Tokenizer13a", f"{OURS}.tokenizers.tokenizer_13a"),
    ],
)
def test_what_is_sacrebleus_own(tmp_path, code, becomes):
    (tmp_path / "code.py").write_text(code)
    (use,) = check.uses(tmp_path / "code.py")
    assert (use.switched, use.why) == (becomes, "sacreBLEU's own")
    assert str(use).endswith(f"-> {becomes} (sacreBLEU's own)")


def test_names_that_bleukit_says_can_be_switched_can_be_imported(tmp_path):
    code = """
from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER
from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_all_word_ngrams
from sacrebleu.metrics.ter import TER
from sacrebleu.utils import get_source_file
from sacrebleu.significance import PairedTest, _paired_bs_test
from sacrebleu import DATASETS, __version__
"""
    (tmp_path / "code.py").write_text(code)
    assert all(use.switched for use in check.uses(tmp_path / "code.py"))
    exec(code.replace("from sacrebleu", f"from {OURS}"), {})


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("from sacrebleu.metrics import NIST", "has no attribute 'NIST'"),
        ("from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a", f"no module {OURS}.tokenizers.tokenizer_13a"),
        ("from sacrebleu.metrics import *", "name what is imported"),
    ],
)
def test_what_stays_and_why(tmp_path, code, why):
    (tmp_path / "code.py").write_text(code)
    (use,) = check.uses(tmp_path / "code.py")
    assert use.switched is None
    assert why in use.why


BY_SEGMENT = "references: by segment; sacreBLEU wants sets of them, [refs]"
CHARACTERS = "text, which NLTK takes for characters"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import sacrebleu\nsacrebleu.corpus_bleu(hyps, [[r] for r in refs])", [f"2: corpus_bleu: {BY_SEGMENT}"]),
        (
            "from sacrebleu import corpus_bleu as f\nf(h, references=[[x] for x in y])",
            [f"2: corpus_bleu: {BY_SEGMENT}"],
        ),
        (
            "from sacrebleu.metrics import BLEU\nrefs = [[r.strip()] for r in file]\nBLEU().corpus_score(hyps, refs)",
            [f"3: corpus_score: {BY_SEGMENT}"],
        ),
        ("from sacrebleu import BLEU\nBLEU(references=[[r] for r in refs])", [f"2: BLEU: {BY_SEGMENT}"]),
        ("import sacrebleu\nsacrebleu.corpus_bleu(hyps, [refs])", []),
        ("import sacrebleu\nsacrebleu.corpus_bleu([hyp], [[r] for r in refs])", []),
        ("import sacrebleu\nsacrebleu.corpus_bleu(hyps, [[r, s] for r, s in refs])", []),
        ("import other\nother.corpus_bleu(hyps, [[r] for r in refs])", []),
        (
            "from nltk.translate.bleu_score import sentence_bleu\nhyp = line.strip()\nsentence_bleu([ref], hyp)",
            [f"3: sentence_bleu: hypothesis: {CHARACTERS}"],
        ),
        (
            "from nltk.translate import bleu\nbleu(['a b'], f'{a} b')",
            [f"2: sentence_bleu: hypothesis: {CHARACTERS}", f"2: sentence_bleu: references: {CHARACTERS}"],
        ),
        (
            "import nltk\nnltk.translate.bleu_score.corpus_bleu([[' '.join(r)] for r in refs], hypotheses=hyps)",
            [f"2: corpus_bleu: list_of_references: {CHARACTERS}"],
        ),
        ("import nltk\nnltk.bleu([['a', 'b'], 'a b'.split()], ['a'])", []),
        ("import nltk\nh = 'a b'\nh = h.split()\nnltk.bleu([r], h)", []),
    ],
)
def test_calls_that_are_probably_wrong(tmp_path, capsys, code, found):
    path = tmp_path / "code.py"
    path.write_text(code)
    assert check.mistakes(path) == [f"{path}:{mistake}" for mistake in found]
    assert check.main([str(path)]) == (1 if found else 0)
    printed = capsys.readouterr().out
    assert ("probably wrong\n" in printed) == bool(found)


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
    (tmp_path / "deep/a.py").write_text("from sacrebleu import BLEU, NIST\n")
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
