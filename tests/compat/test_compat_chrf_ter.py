"""chrF and TER of bleukit.compat.sacrebleu beside sacreBLEU's: the same numbers, attributes, texts and signatures."""

import inspect
import pickle
from functools import partial

import pytest
import sacrebleu as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import significance as their_tests
from sacrebleu.metrics import CHRF as THEIR_CHRF
from sacrebleu.metrics import TER as THEIR_TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from test_compat_sacrebleu import agree, corpora, described

import bleukit.compat.sacrebleu as ours
from bleukit.compat.sacrebleu import significance
from bleukit.compat.sacrebleu.metrics import CHRF, TER, TransposedReferencesWarning

OF_CHRF = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 2),
        "beta": st.integers(0, 3),
        **dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), st.booleans()),
    },
)
OF_TER = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans())
)

METRICS = st.one_of(st.tuples(st.just((CHRF, THEIR_CHRF)), OF_CHRF), st.tuples(st.just((TER, THEIR_TER)), OF_TER)).map(
    lambda drawn: [partial(metric, **drawn[1]) for metric in drawn[0]]
)
"""Both classes of a metric, with the same options."""


@given(corpora(), METRICS, st.booleans(), st.sampled_from([1, 2, 25]))
@pytest.mark.filterwarnings("ignore::bleukit.compat.sacrebleu.TransposedReferencesWarning")
def test_scores_and_signatures(corpus, metrics, cached, samples):
    hypotheses, references = corpus
    mine, peers = (metric(references=references if cached else None) for metric in metrics)
    rest = None if cached else references
    for system in (hypotheses, hypotheses[::-1], ["x"]):
        agree(partial(mine.corpus_score, system, rest, samples), partial(peers.corpus_score, system, rest, samples))
    first = hypotheses[0], [texts[0] for texts in references]
    agree(partial(mine.sentence_score, *first), partial(peers.sentence_score, *first))
    for short in (False, True):
        assert mine.get_signature().format(short=short) == peers.get_signature().format(short=short)


@given(corpora(), METRICS)
def test_what_other_code_calls(corpus, metrics):
    hypotheses, references = corpus
    found = []
    for metric in (each() for each in metrics):
        known = metric._cache_references(references)
        statistics = metric._compute_segment_statistics(metric._preprocess_segment(hypotheses[0]), known[0])
        found.append((list(known), statistics, metric._extract_corpus_statistics(hypotheses, references)))
    assert found[0] == found[1]


@given(corpora(), METRICS, st.sampled_from([("_preprocess_segment", "a b"), ("_compute_segment_statistics", [3] * 27)]))
def test_overridden_methods(corpus, metrics, change):
    scored = []
    for metric in (each() for each in metrics):
        setattr(metric, change[0], lambda *_: change[1])
        scored.append(partial(metric.corpus_score, *corpus))
    agree(*scored)


@pytest.mark.parametrize("orders", [(0, 0), (-1, 2), (2, -1), (True, 0), (2.0, 1)])
def test_odd_orders(orders):
    agree(*(partial(metric(*orders).corpus_score, ["a b"], [["a c b"]]) for metric in (CHRF, THEIR_CHRF)))


@given(corpora(), OF_TER, st.sampled_from([TercomTokenizer(normalized=True), str.upper]))
def test_a_tokenizer_that_is_set_later(corpus, options, tokenizer):
    mine, peers = TER(**options), THEIR_TER(**options)
    mine.tokenizer = peers.tokenizer = tokenizer
    agree(partial(mine.corpus_score, *corpus), partial(peers.corpus_score, *corpus))


@given(corpora(), METRICS, st.sampled_from(["ar", "bs"]), st.sampled_from([-1, 7]))
@settings(max_examples=30)
def test_paired_tests(corpus, metrics, kind, intervals):
    hypotheses, references = corpus
    named = [("one", hypotheses), ("other", hypotheses[::-1]), ("copy", references[0])]
    found = []
    for module, metric in zip((significance, their_tests), metrics, strict=True):
        signatures, columns = module.PairedTest(named, {"metric": metric()}, references, kind, 40, intervals)()
        found.append((str(signatures), str(columns)))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["corpus_chrf", "sentence_chrf", "corpus_ter", "sentence_ter"])
def test_functions(name):
    given = ("the Cat, sat", ["the, cat sat on", "it"]) if name.startswith("sentence") else (["a B. c"], [["c b a"]])
    function, other = getattr(ours, name), getattr(theirs, name)
    assert described(function(*given)) == described(other(*given))
    assert inspect.signature(function) == inspect.signature(other)
    assert pickle.loads(pickle.dumps(function)) is function
    with pytest.MonkeyPatch.context() as patch:
        for metric in (CHRF, TER):
            patch.setattr(metric, "_counted", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            function(*given)


@pytest.mark.parametrize("metric", [CHRF, TER])
def test_references_the_other_way_round_are_warned_about(metric):
    with pytest.warns(TransposedReferencesWarning):
        metric().corpus_score(["a b", "c"], [["a b"], ["c"]])
