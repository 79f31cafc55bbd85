"""Every variant scores as its components and the plain formula say, at every level and by every way."""

import math
import pickle
import re
from functools import partial, reduce

import numpy as np
import plain_formula
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from strategies import LETTERS, hostile_texts, token_lists

import bleukit
from bleukit.bleu import bleu as bleu_module
from bleukit.framework import metric

WORDS = st.sampled_from(["the", "The", "cat", "cat.", "3.5", "a-b", "ΑΣ", "é", "猫が", "&amp;", "<unk>"])
LETTER_LISTS = st.lists(LETTERS, max_size=12)
TEXTS = st.one_of(st.lists(WORDS, max_size=9).map(" ".join), LETTER_LISTS.map(" ".join), hostile_texts)
TOKENS = st.one_of(LETTER_LISTS, st.lists(WORDS, max_size=9), token_lists)


def corpora_of(texts):
    """Lists of segments with 1 to 5 references each, often as many, and their documents."""
    segment = st.tuples(texts, st.lists(texts, min_size=1, max_size=5), st.sampled_from("xyz"))
    return st.lists(segment, min_size=1, max_size=7).map(lambda corpus: list(map(list, zip(*corpus, strict=True))))


CORPORA = st.one_of(*map(corpora_of, (TEXTS, TOKENS)))
QUICK = (Phase.explicit, Phase.generate)  # a failure is not made smaller, which takes minutes, and most are small
NAMES = sorted(bleukit.variants())


def load(name):
    try:
        return bleukit.load(name)
    except bleukit.NotInstalledError as error:
        pytest.skip(str(error))


def assert_is(score, expected):
    """Whole numbers are equal; of others the last digits may differ by what was rounded."""
    got = {name: getattr(score, name) for name in expected}
    rounded = 1e-16 if score.is_mean else 0  # each sentence score of a mean is rounded to 2**-60
    for name, wanted in expected.items():
        values = zip(*(value if isinstance(value, tuple) else (value,) for value in (got[name], wanted)), strict=True)
        for one, other in values:
            alike = (
                one == other
                if isinstance(other, int | str)
                else math.isclose(one, other, rel_tol=1e-9, abs_tol=rounded)
            )
            assert alike or (one != one and other != other), f"{name}: {got}, by the formula {expected}"  # noqa: PLR0124


def assert_scores(bleu, hypotheses, references, documents):
    """The corpus, each document and each segment."""
    rows = plain_formula.count(bleu, hypotheses, references)
    corpus = bleu.corpus(hypotheses, references, references_by="segment")
    assert_is(corpus, plain_formula.score(bleu, plain_formula.summed(rows), "corpus"))
    of_documents = bleu.accumulator("document").update(hypotheses, references, documents=documents).scores()
    for name, score in zip(dict.fromkeys(documents), of_documents, strict=True):
        own = [row for row, document in zip(rows, documents, strict=True) if document == name]
        assert_is(score, plain_formula.score(bleu, plain_formula.summed(own), "document"))
    single = [plain_formula.score(bleu, row, "sentence") for row in rows]
    statistics = bleu.statistics(hypotheses, references, references_by="segment")
    columns = bleu.score_columns(statistics, level="sentence")
    sentences = bleu.sentences(hypotheses, references, references_by="segment")
    assert np.array_equal(columns.value, sentences, equal_nan=True)
    for place, (expected, score) in enumerate(zip(single, bleu.scores(statistics, level="sentence"), strict=True)):
        assert_is(score, expected)
        assert np.array_equal(columns.precisions[place], score.precisions, equal_nan=True)
        assert (columns.brevity_penalty[place], repr(sentences[place].item())) == (
            score.brevity_penalty,
            repr(score.value),
        )
    (alone,) = plain_formula.count(bleu, hypotheses[:1], references[:1])
    assert_is(bleu.sentence(hypotheses[0], references[0]), plain_formula.score(bleu, alone, "sentence"))


@pytest.mark.parametrize("name", NAMES)
@settings(phases=QUICK, max_examples=8)
@given(corpus=CORPORA)
def test_a_named_variant(name, corpus):
    assert_scores(load(name), *corpus)


@pytest.mark.parametrize("name", [name for name in NAMES if not bleukit.variants()[name].is_macro])
@settings(phases=QUICK, max_examples=20)
@given(hypothesis=st.lists(st.sampled_from("abc"), max_size=5), reference=st.lists(st.sampled_from("abcd"), max_size=6))
@example(list("abcd"), list("abed"))
@example(["a"], ["a"])
@example(["a", "b"], ["a", "b"])
def test_the_reason_for_a_score_of_0_agrees_with_its_counts(name, hypothesis, reference):
    """Each of these texts is short, so that no brevity penalty is tiny."""
    bleu = load(name)
    score = bleu.corpus([hypothesis], [[reference]])
    if not score.value < 1e-50 * bleu.variant.scale:
        assert score.note is None or " is above " in score.note
        return
    found = re.match(r"the score is .+?: no (token|\d-gram) (matches|in a text)", score.note)
    if not found:
        assert score.note == "the score is 0: the hypotheses have no tokens"
        assert not score.hypothesis_length
        return
    place = 0 if found[1] == "token" else int(found[1][0]) - 1
    assert score.matches[place] == 0
    assert all(matches or score.precisions[order] > 0 for order, matches in enumerate(score.matches[:place]))
    assert (score.totals[place] > 0) == (found[2] == "matches")


def options_of(name, **options):
    return st.fixed_dictionaries({"name": st.just(name)}, optional=options)


SMOOTHINGS = st.one_of(
    st.sampled_from(["none", "exp", "mteval", "matlab", "torchmetrics", *(f"nltk-method{n}" for n in (0, 2, 3, 5))]),
    options_of("floor", value=st.floats(0, 9)),
    options_of("add-k", k=st.floats(0, 9)),
    options_of("add-one", first=st.floats(0, 9)),
    options_of("nltk-method1", epsilon=st.floats(0.01, 9)),
    options_of("nltk-method4", k=st.floats(0.01, 9)),
    options_of("nltk-method7", k=st.floats(0.01, 9)),
    options_of("torchmetrics", smooth=st.booleans()),
)
PENALTIES = st.one_of(
    st.sampled_from(["standard", "none"]),
    st.builds(
        lambda c, r: {"name": "added-lengths", "added_to_hypothesis": c, "added_to_reference": r},
        *[st.floats(0, 9)] * 2,
    ),
)
WEIGHTS = st.one_of(st.integers(1, 18), st.lists(st.sampled_from([0, 0.1, 0.25, 1, 3]), min_size=1).filter(any))
OF_SCORING = {
    "smoothing": SMOOTHINGS,
    "brevity_penalty": PENALTIES,
    "weights": WEIGHTS,
    "normalize_weights": st.booleans(),
    "effective_order": st.booleans(),
    "empty_score": st.sampled_from([0, 0.5, 1]),
}
KEYS = {
    **OF_SCORING,
    "tokenizer": st.sampled_from(["13a", "intl", "whitespace", "zh", "char", "mteval", "e2e-metrics"]),
    "counter": st.sampled_from(["clipped", "unclipped", "nltk", "fairseq-exact"]),
    "reference_length": st.sampled_from(["closest", "first-closest", "shortest", "longest", "average"]),
    "lowercase": st.sampled_from([True, False, "ascii"]),
    "average": st.sampled_from(["micro", "macro", "macro-with-final-newline"]),
    "scale": st.sampled_from([1, 100]),
    "sentence": st.fixed_dictionaries({}, optional=OF_SCORING),
}


@settings(phases=QUICK, max_examples=150)
@given(st.sampled_from(["sacrebleu", "nltk"]), st.fixed_dictionaries({}, optional=KEYS), CORPORA)
def test_any_variant(name, keys, corpus):
    keys = {key: value for key, value in keys.items() if key not in keys.get("sentence", {})}
    assert_scores(bleukit.load(name, **keys), *corpus)


def test_the_score_of_empty_texts_is_stated():
    for name in NAMES:
        variant = bleukit.variants()[name]
        if variant.empty_score:
            bleu = bleukit.load(name, empty_score=variant.scale / 4)
            assert bleu.corpus([""], [""]).value == variant.scale / 4


def called(component, *arguments):
    return component(*arguments)


ATTRIBUTES = ["lowercasing", "counted_order", "needs_last_segment", "least_total"]
"""By these a component asks for, or gives, something else, so that it cannot be a mere function."""


def by_functions(bleu):
    """Return the variant with functions, which have no attributes, in place of its components."""
    return bleukit.load(
        bleu.variant,
        **{
            kind: partial(called, component.call)
            for kind, component in bleu.components.items()
            if component == bleu.sentence_components[kind]
            and not any(getattr(component.call, name, False) for name in ATTRIBUTES)
        },
    )


def by_objects(bleu):
    return bleukit.load(bleu.variant, **{kind: component.call for kind, component in bleu.components.items()})


def joined(rows):
    return reduce(lambda one, other: one + other, rows)


def in_parts(level, bleu, hypotheses, references, documents):
    """Return two accumulators merged, of which one is pickled, and each was given a text in parts."""
    halves = []
    for half in (slice(0, len(documents) // 2), slice(len(documents) // 2, None)):
        taken = bleu.accumulator(level)
        names = {"documents": documents[half]} if level == "document" else {}
        taken.update(iter(hypotheses[half]), iter(references[half]), **names)
        halves.append(taken)
    return halves[0].merge(pickle.loads(pickle.dumps(halves[1])))


def rows_by_all_ways(bleu, hypotheses, references, documents):
    """Yield the name of each way to the rows of statistics, and these."""
    tokens = not isinstance(hypotheses[0], str)
    count = partial(bleu.statistics, references_by="segment")
    prepared = bleu.prepare(references, tokens=tokens)
    prepared.statistics(hypotheses[:1] * len(hypotheses))
    arrays = [np.empty(len(hypotheses), object) for _ in range(2)]
    arrays[0][:], arrays[1][:] = hypotheses, references
    for threads in (2, 3):
        yield f"{threads} threads", count(hypotheses, references, threads=threads)
        yield f"prepared, {threads} threads", prepared.statistics(hypotheses, threads=threads)
    yield "arrays", count(*arrays)
    for way in (by_functions, by_objects, lambda bleu: pickle.loads(pickle.dumps(bleu))):
        yield str(way), way(bleu).statistics(hypotheses, references, references_by="segment")
    if len(set(map(len, references))) == 1:
        sets = list(map(list, zip(*references, strict=True)))
        yield "sets", bleu.statistics(hypotheses, sets, references_by="set")
    if not tokens and not (bleu.variant.lowercase and hasattr(bleu.components["tokenizer"].call, "lowercasing")):
        given = bleukit.load(bleu.variant, lowercase=False)
        split = list(map(list, bleu.tokenize_all(hypotheses)))
        of_references = [list(map(list, bleu.tokenize_all(own))) for own in references]
        yield "its own tokens", given.statistics(split, of_references, references_by="segment")
    yield "one by one", joined([count([own], [others]) for own, others in zip(hypotheses, references, strict=True)])
    yield "merged", in_parts("sentence", bleu, hypotheses, references, documents).statistics


COLUMNS = ("segments", "hypothesis_length", "reference_length", "reference_tokens")
COLUMNS += ("fewest_references", "most_references", "matches", "totals")


def in_lists(value):
    return list(value) if isinstance(value, tuple) else value


@pytest.fixture
def small_batches(monkeypatch):
    """Few segments at a time, so that short texts have many limits of batches."""
    monkeypatch.setattr(bleu_module, "CHUNK", 3)
    monkeypatch.setattr(bleu_module, "SLOW_CHUNK", 2)
    monkeypatch.setattr(metric, "STREAMED", 2)


OTHERS = [{"reference_length": "average"}, {"smoothing": "nltk-method5"}]  # the last looks at the last segment


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("keys", [*({"name": name} for name in NAMES), *({"name": "nltk", **keys} for keys in OTHERS)])
def test_every_way_gives_the_same(keys):
    bleu = bleukit.load(load(keys["name"]).variant, **keys)

    @settings(phases=QUICK, max_examples=4)
    @given(CORPORA)
    def check(corpus):
        hypotheses, references, documents = corpus
        expected = bleu.statistics(hypotheses, references, references_by="segment", threads=1)
        plain = plain_formula.count(bleu, hypotheses, references)
        for column in COLUMNS:
            assert getattr(expected, column).tolist() == [in_lists(getattr(row, column)) for row in plain]
        whole = plain_formula.score(bleu, plain_formula.summed(plain), "corpus")
        del whole["variant"]
        for way, rows in rows_by_all_ways(bleu, hypotheses, references, documents):
            for column in COLUMNS:
                assert np.array_equal(getattr(rows, column), getattr(expected, column)), f"{way}: {column}"
            assert_is(bleu.score(rows), whole)
        assert_is(bleu.prepare(references, tokens=type(hypotheses[0]) is list).corpus(hypotheses), whole)
        for level in ("corpus", "document"):
            assert_is(in_parts(level, bleu, hypotheses, references, documents).compute(), whole)
        assert_is(bleu.score(joined([row.sum() for row in expected])), whole)

    check()


SHORT = [("a b c d", ["a b c d e"]), ("a", ["a"]), ("b b b b", ["a b c", "b b", ""]), ("", [""]), ("ç 猫 ΑΣ", ["ç ΑΣ"])]


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "matlab", "torchmetrics", "mteval-v14", "b-norm"])
@pytest.mark.parametrize("number", [255, 256, 257, 2047, 2048, 2049, 8193])
def test_many_segments_of_which_most_are_equal(name, number):
    bleu = bleukit.load(name)
    if number > 257 and bleu._chunk == bleu_module.SLOW_CHUNK:
        number = 1025
    places = [*(place * place % 4 for place in range(number - 1)), 4]
    segments = [SHORT[place] for place in places]
    rows = plain_formula.count(bleu, *zip(*SHORT, strict=True))
    expected = plain_formula.score(bleu, plain_formula.summed([rows[place] for place in places]), "corpus")
    assert_is(bleu.corpus(*zip(*segments, strict=True)), expected)
    single = [plain_formula.score(bleu, row, "sentence")["value"] for row in rows]
    got = bleu.sentences(*zip(*segments, strict=True), threads=3)
    assert np.allclose(got, [single[place] for place in places], rtol=1e-9, atol=0, equal_nan=True)


@pytest.mark.parametrize("tokens", [["x"] * 66_000, [str(number * number % 8191) for number in range(66_000)]])
def test_a_segment_of_more_tokens_than_16_bits_count(tokens):
    bleu = bleukit.load("sacrebleu")
    hypothesis, references = tokens, [tokens[1:], tokens[: len(tokens) // 2] * 2]
    (row,) = plain_formula.count(bleu, [hypothesis], [references])
    assert_is(bleu.sentence(hypothesis, references), plain_formula.score(bleu, row, "sentence"))
