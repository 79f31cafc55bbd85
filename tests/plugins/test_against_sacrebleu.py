"""The sacrebleu variant equals the real package: tokens, levels, smoothing, order, case, references."""

from importlib.metadata import version
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu import sentence_bleu
from sacrebleu.metrics import BLEU
from strategies import corpora, texts

import bleukit

PEER = f"sacrebleu {version('sacrebleu')}"
WITHIN = 1e-9

TOKENIZERS = ["13a", "none", "zh", "intl", "char"]
TOKENIZERS += [name for name, module in (("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")) if find_spec(module)]

settings = st.fixed_dictionaries(
    {
        "tokenize": st.sampled_from(TOKENIZERS),
        "smooth": st.sampled_from(
            [
                ("exp", None),
                ("none", None),
                ("floor", None),
                ("floor", 0.5),
                ("floor", 0),
                ("add-k", None),
                ("add-k", 2),
                ("add-k", 0),
            ]
        ),
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
        "max_ngram_order": st.integers(1, 6),
    }
)


def both(settings):
    (method, value), order = settings["smooth"], settings["max_ngram_order"]
    option = {} if value is None else {"value" if method == "floor" else "k": value}
    ours = bleukit.load(
        "sacrebleu",
        tokenizer=settings["tokenize"],
        smoothing={"name": method, **option},
        lowercase=settings["lowercase"],
        effective_order=settings["effective_order"],
        weights=[1 / order] * order,
    )
    theirs = BLEU(
        **{key: settings[key] for key in ("tokenize", "lowercase", "effective_order", "max_ngram_order")},
        smooth_method=method,
        smooth_value=value,
        force=True,
    )
    return ours, theirs


def streams(references):
    """One list a reference set, padded with None: the layout that sacreBLEU takes."""
    most = max(map(len, references))
    return [
        list(stream) for stream in zip(*([*group, *[None] * (most - len(group))] for group in references), strict=True)
    ]


@given(corpora(texts), settings)
def test_corpus(difference, corpus, settings):
    ours, theirs = both(settings)
    hypotheses, references = zip(*corpus, strict=True)
    score = ours.corpus(hypotheses, references)
    expected = theirs.corpus_score(list(hypotheses), streams(references))
    difference.check(score.value, expected.score, WITHIN)
    assert (score.hypothesis_length, score.reference_length) == (expected.sys_len, expected.ref_len)


@given(corpora(texts, max_size=1), settings)
def test_sentence(difference, corpus, settings):
    ours, theirs = both(settings)
    ((hypothesis, references),) = corpus
    expected = theirs.sentence_score(hypothesis, references).score
    difference.check(ours.sentence(hypothesis, references).value, expected, WITHIN)


@given(corpora(texts, max_size=1))
def test_sentence_bleu_at_its_defaults(difference, corpus):
    ((hypothesis, references),) = corpus
    ours = bleukit.load("sacrebleu").sentence(hypothesis, references).value
    difference.check(ours, sentence_bleu(hypothesis, references).score, WITHIN)


@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_the_variant_for_a_language_is_what_sacrebleu_takes_for_it(language):
    try:
        ours = bleukit.load(f"sacrebleu-{language}")
    except bleukit.NotInstalledError as error:
        pytest.skip(str(error))
    theirs = BLEU(trg_lang=language)
    hypothesis, reference = "猫が、座る。고양이가 1.5 앉는다.", "猫は、座る。고양이는 1.5 앉는다."
    expected = theirs.corpus_score([hypothesis], [[reference]]).score
    assert ours.corpus([hypothesis], [reference]).value == pytest.approx(expected, abs=WITHIN)
    assert expected > 0


@given(corpora(texts))
def test_counts(corpus):
    hypotheses, references = zip(*corpus, strict=True)
    score = bleukit.load("sacrebleu").corpus(hypotheses, references)
    expected = BLEU(force=True).corpus_score(list(hypotheses), streams(references))
    assert (list(score.matches), list(score.totals)) == (expected.counts, expected.totals)
