"""bleukit.compat.sacrebleu beside sacrebleu: the same numbers, attributes, texts, signatures, warnings and errors."""

import inspect
import logging
from functools import partial

import numpy as np
import pytest
import sacrebleu as theirs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as THEIRS
from strategies import texts

import bleukit.compat.sacrebleu as ours
from bleukit.compat.sacrebleu.metrics import BLEU, BLEUScore
from bleukit.compat.sacrebleu.metrics.bleu import BLEUSignature

BOTH = (BLEU, THEIRS)

lines = st.one_of(texts, st.sampled_from(["the cat sat on the mat .", "", "a ."]))
smoothings = st.sampled_from(
    [("exp", None), ("none", None), ("floor", None), ("floor", 0.5), ("floor", 0), ("add-k", None), ("add-k", 2)]
)


@st.composite
def corpora(draw):
    """Hypotheses, and one to three sets of references; some are None, but not all of a segment."""
    number = draw(st.integers(1, 5))
    sets = [draw(st.lists(lines, min_size=number, max_size=number)) for _ in range(draw(st.integers(1, 3)))]
    for later in sets[1:]:
        for segment in range(number):
            later[segment] = draw(st.sampled_from([None, later[segment]]))
    hypotheses = [draw(st.one_of(lines, st.just(reference))) for reference in sets[0]]
    return hypotheses, sets


parameters = st.fixed_dictionaries(
    {
        "tokenize": st.sampled_from(["13a", "none", "zh", "intl", "char", None]),
        "smooth": smoothings,
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
        "max_ngram_order": st.integers(1, 6),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
        "force": st.booleans(),
    }
)


def metrics(given, **more):
    method, value = given["smooth"]
    rest = {key: value for key, value in given.items() if key != "smooth"}
    return [metric(smooth_method=method, smooth_value=value, **rest, **more) for metric in BOTH]


def described(score):
    """All attributes, the private ones too, and all texts."""
    texts = [repr(score), str(score), score.format(5), score.format(score_only=True), score.format(signature="a:b")]
    return vars(score), [*texts, score.format(signature="a:b|c:d", is_json=True)]


def agree(ours, theirs):
    mine, peers = outcome(ours), outcome(theirs)
    if isinstance(peers, type):
        assert mine is peers
    else:
        assert described(mine) == described(peers)


def outcome(call):
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever it is
        return type(error)


@given(corpora(), parameters)
def test_corpus_score_and_signature(corpus, parameters):
    mine, peers = metrics(parameters)
    agree(partial(mine.corpus_score, *corpus), partial(peers.corpus_score, *corpus))
    for short in (False, True):
        assert mine.get_signature().format(short=short) == peers.get_signature().format(short=short)
    assert (str(mine.get_signature()), mine.get_signature().info) == (
        str(peers.get_signature()),
        peers.get_signature().info,
    )


@given(corpora(), parameters)
def test_references_given_to_the_constructor(corpus, parameters):
    hypotheses, references = corpus
    mine, peers = metrics(parameters, references=references)
    for system in (hypotheses, hypotheses[::-1], ["x"]):
        agree(partial(mine.corpus_score, system, None), partial(peers.corpus_score, system, None))
    assert str(mine.get_signature()) == str(peers.get_signature())


@given(corpora(), parameters)
def test_sentence_score(corpus, parameters):
    hypotheses, sets = corpus
    references = [references[0] for references in sets]
    mine, peers = metrics(parameters)
    agree(
        partial(mine.sentence_score, hypotheses[0], references),
        partial(peers.sentence_score, hypotheses[0], references),
    )
    assert str(mine.get_signature()) == str(peers.get_signature())


@given(corpora(), smoothings, st.booleans(), st.sampled_from(["13a", "none", "intl"]), st.booleans())
def test_functions(corpus, smoothing, lowercase, tokenize, effective):
    options = {"lowercase": lowercase, "tokenize": tokenize, "use_effective_order": effective}
    options |= dict(zip(("smooth_method", "smooth_value"), smoothing, strict=True))
    first = corpus[0][0], [references[0] for references in corpus[1]]
    agree(lambda: ours.corpus_bleu(*corpus, **options), lambda: theirs.corpus_bleu(*corpus, **options))
    agree(lambda: ours.sentence_bleu(*first, **options), lambda: theirs.sentence_bleu(*first, **options))
    agree(lambda: ours.corpus_bleu(*corpus), lambda: theirs.corpus_bleu(*corpus))
    agree(lambda: ours.sentence_bleu(*first), lambda: theirs.sentence_bleu(*first))
    agree(lambda: ours.raw_corpus_bleu(*corpus), lambda: theirs.raw_corpus_bleu(*corpus))
    agree(lambda: ours.raw_corpus_bleu(*corpus, 0.5), lambda: theirs.raw_corpus_bleu(*corpus, 0.5))


@given(corpora(), parameters, st.integers(2, 60), st.sampled_from(["1", "12345", "77"]))
@settings(max_examples=30)
def test_bootstrap(corpus, parameters, samples, seed):
    mine, peers = metrics(parameters)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", seed)
        agree(partial(mine.corpus_score, *corpus, samples), partial(peers.corpus_score, *corpus, n_bootstrap=samples))
    assert str(mine.get_signature()) == str(peers.get_signature())


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6),
    st.integers(0, 30),
    st.integers(0, 30),
    smoothings,
    st.booleans(),
    st.sampled_from([list, np.array, partial(np.array, dtype=np.float32)]),
)
@example([(1, 2)], 3, 4, ("other", None), False, list)
def test_compute_bleu(counts, hypothesis_length, reference_length, smoothing, effective, kind):
    def call(metric):
        correct, total = (kind(column) for column in zip(*counts, strict=True))
        score = metric.compute_bleu(
            correct, total, hypothesis_length, reference_length, *smoothing, effective, max_ngram_order=len(counts)
        )
        score.counts, score.totals = list(score.counts), list(score.totals)
        return score

    agree(partial(call, BLEU), partial(call, THEIRS))


odd = st.sampled_from(
    [None, 5, "a b", b"a", [], [None], [[]], [5], ["a", 5], ["a", b"a"], [["a", 5]], [[None]], ["a", None]]
)


@given(odd | corpora().map(lambda corpus: corpus[0]), odd | corpora().map(lambda corpus: corpus[1]), st.booleans())
@example(["a b"], [[None], [None]], True)
@example([""], [[None], [None]], True)
@example(["a", "b"], ["ab"], True)
def test_bad_input(hypotheses, references, force):
    mine, peers = BLEU(force=force), THEIRS(force=force)
    agree(partial(mine.corpus_score, hypotheses, references), partial(peers.corpus_score, hypotheses, references))
    for hypothesis in ("a b", *(hypotheses if isinstance(hypotheses, list) else [hypotheses])):
        agree(
            partial(mine.sentence_score, hypothesis, references), partial(peers.sentence_score, hypothesis, references)
        )


@pytest.mark.parametrize("wrong", [{"smooth_method": "x"}, {"tokenize": "x"}, {"tokenize": ""}, {"other": 1}])
def test_wrong_settings(wrong):
    assert outcome(lambda: BLEU(**wrong)) is outcome(lambda: THEIRS(**wrong))


def test_a_signature_before_a_score():
    assert outcome(BLEU().get_signature) is outcome(THEIRS().get_signature) is ValueError


@pytest.mark.parametrize("tokenizer", ["ja-mecab", "ko-mecab"])
def test_signatures_of_mecab(tokenizer):
    try:
        peer = THEIRS(tokenize=tokenizer)
    except RuntimeError as error:
        pytest.skip(str(error))
    assert BLEU(tokenize=tokenizer).tokenizer_signature == peer.tokenizer_signature


def messages(caplog, call):
    caplog.clear()
    with caplog.at_level(logging.WARNING, "sacrebleu"):
        call()
    return [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize(
    "use",
    [
        lambda metric: metric().sentence_score("a", ["a"]),
        lambda metric: metric().corpus_score(["a b ."] * 100, [["a b ."] * 100]),
        lambda metric: metric(force=True).corpus_score(["a b ."] * 100, [["a b ."] * 100]),
        lambda metric: metric(trg_lang="ja", tokenize="13a"),
        lambda metric: metric(trg_lang="zh", tokenize="zh"),
    ],
)
def test_warnings_are_logged_alike(caplog, use):
    mine, peers = (messages(caplog, partial(use, metric)) for metric in BOTH)
    assert mine == peers


def test_parameters_and_constants_are_those_of_sacrebleu():
    pairs = [
        *((getattr(ours, name), getattr(theirs, name)) for name in ("corpus_bleu", "sentence_bleu", "raw_corpus_bleu")),
        (BLEU.__init__, THEIRS.__init__),
        (BLEU.compute_bleu, THEIRS.compute_bleu),
        (BLEU.corpus_score, THEIRS.corpus_score),
        (BLEUScore.__init__, theirs.metrics.BLEUScore.__init__),
        (BLEUScore.format, theirs.metrics.BLEUScore.format),
    ]
    for mine, peers in pairs:
        both = [[(p.name, p.default) for p in inspect.signature(each).parameters.values()] for each in (mine, peers)]
        assert both[0] == both[1]
    assert list(BLEU.TOKENIZERS) == list(THEIRS.TOKENIZERS)
    assert (BLEU.SMOOTH_DEFAULTS, BLEU.TOKENIZER_DEFAULT) == (THEIRS.SMOOTH_DEFAULTS, THEIRS.TOKENIZER_DEFAULT)
    assert BLEUSignature.format(BLEU_of("a").get_signature()).endswith(f"version:{theirs.__version__}")


def BLEU_of(text):  # noqa: N802
    metric = BLEU()
    metric.corpus_score([text], [[text]])
    return metric


def test_segments_without_counterpart_are_warned_about(caplog):
    assert messages(caplog, lambda: BLEU().corpus_score(["a", "b"], [["a"]])) == [
        "2 hypotheses but references of 1: the rest is left out."
    ]


@pytest.mark.parametrize(
    ("module", "name", "peer"),
    [
        (ours, "CHRF", "chrF"),
        (ours, "corpus_chrf", "chrF"),
        (ours, "sentence_ter", "TER"),
        (ours.metrics, "TER", "TER"),
        (ours.metrics, "CHRFScore", "chrF"),
        (ours.compat, "corpus_ter", "TER"),
    ],
)
def test_other_metrics_are_sacrebleus(module, name, peer):
    assert hasattr(theirs, name) or hasattr(theirs.metrics, name)
    with pytest.raises(AttributeError, match=f"bleukit computes BLEU; use sacreBLEU for {peer}"):
        getattr(module, name)
    with pytest.raises(AttributeError, match="has no attribute 'interval'"):
        getattr(module, "inter" + "val")
