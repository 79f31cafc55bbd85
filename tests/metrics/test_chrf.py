"""chrF and chrF++, against sacreBLEU's own."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF
from strategies import hostile_texts
from uncompiled import uncompiled

import bleukit
from bleukit.framework.packed import grouped
from bleukit.metrics import chrf

pytestmark = pytest.mark.oldest

plain = uncompiled("bleukit.metrics.chrf")

PIECES = [
    "(hi)",
    '"so',
    "..",
    "!",
    "'",
    "a",
    "b",
    "aB",
    "É",
    "ß",
    "İ",
    "漢",
    "字",
    "😀",
    "\ud800",
    "\x1c",
    "\u2028",
    " ",
    "\t",
]
TEXTS = st.one_of(hostile_texts, st.lists(st.sampled_from(PIECES), max_size=20).map("".join))

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.sampled_from([1, 2, 6, 7, 10]),
        "word_order": st.integers(0, 3),
        "beta": st.integers(0, 3),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)


@st.composite
def corpora(draw):
    """Return hypotheses and sets of references, some of which are hypotheses with changes."""
    hypotheses = draw(st.lists(TEXTS, min_size=1, max_size=4))
    changed = [
        st.one_of(
            TEXTS, st.just(text), st.sampled_from(PIECES).map(lambda piece, text=text: text[:9] + piece + text[9:])
        )
        for text in hypotheses
    ]
    return hypotheses, draw(st.lists(st.tuples(*changed).map(list), min_size=1, max_size=3))


def rows_of(statistics):
    """Return the rows as sacreBLEU has them: three numbers for each order."""
    columns = statistics.hypothesis_ngrams, statistics.reference_ngrams, statistics.matches
    return np.stack(columns, axis=2).reshape(len(statistics), -1).tolist()


@given(corpora(), OPTIONS)
def test_rows_and_scores_are_those_of_sacrebleu(corpus, options):
    hypotheses, references = corpus
    metric, theirs = bleukit.load_metric("chrf", **options), CHRF(**options)
    statistics = metric.statistics(hypotheses, references, references_by="set")
    assert rows_of(statistics) == theirs._extract_corpus_statistics(hypotheses, references)
    assert statistics.reference_characters.tolist() == [
        sum(len(text if metric.whitespace else "".join(text.split())) for text in cased(group, metric))
        for group in zip(*references, strict=True)
    ]
    score, expected = (
        metric.corpus(hypotheses, references, references_by="set"),
        theirs.corpus_score(hypotheses, references),
    )
    assert (score.value, score.metric) == (expected.score, expected.name)
    segments = list(zip(hypotheses, zip(*references, strict=True), strict=True))
    of_segments = [theirs.sentence_score(*segment).score for segment in segments]
    assert [score.value for score in metric.scores(statistics)] == of_segments
    assert metric.values(statistics).tolist() == of_segments
    assert [metric.sentence(*segment).value for segment in segments] == of_segments


def cased(texts, metric):
    return [text.lower() for text in texts] if metric.lowercase else texts


@given(corpora(), OPTIONS)
def test_compiled_code_counts_as_plain_python(corpus, options):
    hypotheses, references = corpus
    groups = grouped(list(zip(*references, strict=True)))
    metric = chrf.Chrf(**options)
    orders = metric.char_order, metric.word_order
    counted = []
    for module in (chrf, plain):
        words, others = (
            module.words_of_texts(texts, whitespace=metric.whitespace) for texts in (hypotheses, groups.items)
        )
        assert list(words) == list(chrf.words_of_texts(hypotheses, whitespace=metric.whitespace))
        pairs = words, bleukit.framework.packed.Grouped(others, groups.ends)
        counted.append(module.match_ngrams(*pairs, orders, metric.beta, eps_smoothing=metric.eps_smoothing))
    assert counted[0] == counted[1]


@pytest.mark.parametrize("distinct", [3, 90, 5000])
def test_long_texts(distinct):
    drawn = random.Random(distinct)
    hypothesis, reference = ("".join(chr(33 + drawn.randrange(distinct)) for _ in range(10_000)) for _ in range(2))
    texts, references = [hypothesis, reference], [[reference, reference[5000:] + hypothesis[:5000]]]
    metric, theirs = bleukit.load_metric("chrf++"), CHRF(word_order=2)
    statistics = metric.statistics(texts, references, references_by="set")
    assert rows_of(statistics) == theirs._extract_corpus_statistics(texts, references)


def test_statistics_add_up():
    metric = bleukit.load_metric("chrf++")
    texts, references = ["the cat sat", "on the mat"] * 3000, ["the cat sat down", "on a mat"] * 3000
    rows = metric.statistics(texts, references, threads=2)
    assert metric.score(rows) == metric.corpus(texts, references, threads=1) == metric.prepare(references).corpus(texts)
    accumulator = metric.accumulator("document").update(texts, references, documents=["a", "b", "a"] * 2000)
    by_document = rows.by_document(["a", "b", "a"] * 2000)
    assert accumulator.scores() == metric.scores(by_document)
    assert metric.score(by_document) == metric.score(rows)


def test_signature_says_all_that_determines_a_score():
    score = bleukit.load_metric("chrf++", lowercase=True).sentence("a", ["a", "b"])
    options = "case:lower|char_order:6|word_order:2|beta:2|whitespace:no|effective_order:yes"
    assert score.signature == f"metric:chrf|references:2|{options}|bleukit:{bleukit.__version__}"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chrf+", {}, "unknown metric 'chrf\\+'; did you mean"),
        ("chrf", {"order": 2}, "chrf.order: unknown option; "),
        ("chrf", {"beta": "2"}, "chrf.beta: expected a whole number, got text"),
        ("chrf", {"char_order": -1}, "chrf.char_order: "),
        ("chrf", {"char_order": 101}, "chrf.char_order: "),
        ("chrf", {"char_order": 0}, "char_order and word_order are both 0"),
        ("bleu", {"beta": 2}, "beta: unknown key"),
    ],
)
def test_wrong_names_and_options_are_refused(name, options, message):
    with pytest.raises(bleukit.BleukitError, match=message):
        bleukit.load_metric(name, **options)


def test_tokens_and_other_statistics_are_refused():
    metric = bleukit.load_metric("chrf")
    with pytest.raises(bleukit.InputTypeError, match="chrF2 is of texts, not of token lists"):
        metric.corpus([["a"]], [["a"]])
    with pytest.raises(bleukit.InputTypeError, match="expected ChrfStatistics"):
        metric.score(bleukit.load().statistics(["a"], ["a"]))
    with pytest.raises(bleukit.InputError, match="were counted otherwise"):
        metric.score(bleukit.load_metric("chrf", beta=3).statistics(["a"], ["a"]))
