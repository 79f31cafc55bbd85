"""The coco variants equal pycocoevalcap, where that is installed (pip install --no-deps pycocoevalcap: it is large)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, tokens

import bleukit

bleu_scorer = pytest.importorskip("pycocoevalcap.bleu.bleu_scorer")
PEER = "pycocoevalcap"
WITHIN = 1e-12
VARIANTS = ["coco-bleu-1", "coco-bleu-2", "coco-bleu-3", "coco"]


@given(corpora(tokens.map(" ".join)), st.sampled_from(["closest", "shortest", "average"]))
def test_of_the_corpus_and_of_each_caption(difference, corpus, reference_length):
    scorer = bleu_scorer.BleuScorer(n=4)
    for caption in corpus:
        scorer += caption
    of_corpus, of_captions = scorer.compute_score(option=reference_length)
    for name, expected, each in zip(VARIANTS, of_corpus, of_captions, strict=True):
        bleu = bleukit.load(name, reference_length=reference_length)
        rows = bleu.statistics(*zip(*corpus, strict=True))
        difference.check(bleu.score(rows).value, expected, WITHIN)
        for value, wanted in zip(bleu.score_columns(rows, level="sentence").value, each, strict=True):
            difference.check(value, wanted, WITHIN)
