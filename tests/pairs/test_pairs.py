"""Every pair of some texts: matrices whose cells are the scores of single sentences, to the last bit."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import smoothings_that_promise, texts, tokens
from uncompiled import uncompiled

import bleukit
from bleukit.bleu import ngrams
from bleukit.pairs import loops
from bleukit.pairs import matrix as pairs
from bleukit.plugin import Counts

BLEU = bleukit.load()
SEGMENTS = ["the cat sat on the mat", "the cat sat", "the the the", "", "a cat sat on a mat today", "x", "the cat sat"]
INSTALLED = [
    name
    for name, variant in bleukit.variants().items()
    if variant.tokenizer.name not in {"ja-mecab", "ko-mecab", "spm"}
]


def one_by_one(bleu, hypotheses, references):
    scores = [[bleu.sentence(hypothesis, [reference]).value for reference in references] for hypothesis in hypotheses]
    return np.array(scores).reshape(len(hypotheses), len(references))


def same(one, other):
    """Tell whether two arrays are equal to the last bit, NaN being equal to NaN."""
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("name", sorted(INSTALLED))
def test_each_cell_is_the_score_of_a_sentence(name):
    try:
        bleu = bleukit.load(name)
    except bleukit.NotInstalledError as error:
        pytest.skip(str(error))
    assert same(bleukit.matrix(bleu, SEGMENTS, SEGMENTS[::-1]), one_by_one(bleu, SEGMENTS, SEGMENTS[::-1]))
    assert same(bleukit.matrix(bleu, SEGMENTS), one_by_one(bleu, SEGMENTS, SEGMENTS))


@pytest.mark.parametrize("smoothing", ["none", "floor", "add-k", *(f"nltk-method{number}" for number in range(1, 6))])
@pytest.mark.parametrize("counter", ["clipped", "unclipped", "nltk", "fairseq"])
def test_all_smoothings_and_counters(smoothing, counter):
    bleu = bleukit.load("nltk", smoothing=smoothing, counter=counter, reference_length="average")
    assert same(bleukit.matrix(bleu, SEGMENTS), one_by_one(bleu, SEGMENTS, SEGMENTS))


@settings(max_examples=20)
@given(st.lists(texts, max_size=5), st.lists(texts, max_size=5), st.sampled_from(["sacrebleu", "nltk", "mteval-v13a"]))
def test_any_text(hypotheses, references, name):
    bleu = bleukit.load(name)
    assert same(bleukit.matrix(bleu, hypotheses, references), one_by_one(bleu, hypotheses, references))


@settings(max_examples=12)
@given(st.lists(tokens, min_size=1, max_size=9), st.lists(tokens, max_size=5), st.booleans())
def test_tiles_and_threads_do_not_show(hypotheses, references, alone):
    others = hypotheses if alone else references
    expected = one_by_one(BLEU, hypotheses, others)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pairs, "TILE", 2)
        patched.setattr(pairs, "SCORED", 3)
        assert same(bleukit.matrix(BLEU, hypotheses, None if alone else references, threads=2), expected)


@pytest.mark.parametrize("form", [ngrams, uncompiled("bleukit.bleu.ngrams")], ids=["compiled", "plain"])
@settings(max_examples=30)
@given(st.lists(tokens, max_size=4), st.lists(tokens, max_size=4), st.booleans(), st.integers(0, 1))
def test_pairs_are_counted_as_each_is(form, hypotheses, references, clip, least):
    for others in (references, hypotheses):
        counted = form.count_pairs(hypotheses, others, 4, clip=clip, least_total=least)
        matches, totals = (np.asarray(side).tolist() for side in counted)
        for row, hypothesis in enumerate(hypotheses):
            plain = [ngrams.count(hypothesis, [other], 4, clip=clip, least_total=least) for other in others]
            for order in range(4):
                assert matches[order][row] == [each[order] for each, _ in plain]
                assert {totals[order][row]} >= {each[order] for _, each in plain}


@pytest.mark.parametrize("kept_as", [np.int32, np.int64])
@given(data=st.data())
def test_pairs_of_one_kind_are_alike(kept_as, data):
    orders, height, width, most = (data.draw(st.integers(1, largest)) for largest in (9, 6, 6, 300))
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    matches = chance.integers(0, most, (orders, height, width)).astype(kept_as)
    rows, columns = chance.integers(0, 3, height), chance.integers(0, 2**32, width)
    pairs, kinds = loops.distinct(matches, rows, columns)
    described = [
        (*matches[:, row, column].tolist(), rows[row], columns[column]) for row, column in np.ndindex(height, width)
    ]
    assert [described[pair] for pair in pairs[kinds]] == described


@dataclass(frozen=True)
class OneByOne:
    """A counter that knows single segments only; a hyphen matches nothing."""

    def __call__(self, hypothesis, references, max_order):
        return ngrams.count(hypothesis, [[token for token in one if token != "-"] for one in references], max_order)


def test_a_counter_that_knows_single_segments_only():
    bleu = bleukit.load("wikipedia", counter=OneByOne(), smoothing="floor")
    texts_ = ["a - b c", "a - b - c", "- - -", "a b"]
    assert same(bleukit.matrix(bleu, texts_, threads=2), one_by_one(bleu, texts_, texts_))


@pytest.mark.parametrize(("name", "smoothing"), [*smoothings_that_promise("ignores_reference_length")])
@given(data=st.data())
def test_smoothings_that_promise_it_ignore_the_reference_length(name, smoothing, data):
    length = data.draw(st.integers(0, 9))
    totals = [max(length - order, 0) for order in range(5)]
    drawn = sorted(data.draw(st.lists(st.integers(0, 9), min_size=5, max_size=5)), reverse=True)
    matches = list(map(min, drawn, totals))  # no n-gram matches unless those within it do
    counted = [Counts(matches, totals, length, other) for other in (data.draw(st.integers(0, 20)), length)]
    one, other = (outcome(lambda own=own: smoothing.call(replace(own, last=own))) for own in counted)
    assert one == other


def outcome(function):
    """Return what a function returns or raises, as text."""
    try:
        return str(function())
    except bleukit.InputError as error:
        return str(error)


def by_length(counts):
    """Smooth as no published method does: by the length of the reference."""
    return [1 / (2 + counts.reference_length)] * len(counts.matches)


def test_a_smoothing_that_reads_the_reference_length():
    bleu = bleukit.load("wikipedia", smoothing=by_length)
    assert same(bleukit.matrix(bleu, SEGMENTS), one_by_one(bleu, SEGMENTS, SEGMENTS))


@dataclass(frozen=True)
class Wrong(OneByOne):
    matches: object = 0

    def pairs(self, hypotheses, references, max_order):
        return self.matches, np.ones((max_order, len(hypotheses)), int)


@pytest.mark.parametrize("matches", [np.full((4, 2, 2), 2), np.full((4, 2, 2), -1), np.zeros((2, 2, 4), int), None])
def test_a_counter_that_counts_pairs_wrongly(matches):
    with pytest.raises(bleukit.PluginError, match=r"^counter .*Wrong"):
        bleukit.matrix(bleukit.load("wikipedia", counter=Wrong(matches)), ["a b", "c"])


def test_a_pair_without_a_score_is_named():
    bleu = bleukit.load("nltk", smoothing="nltk-method6")
    where = r"^hypotheses\[1\] against references\[0\]: smoothing 'nltk-method6' needs a matching trigram"
    with pytest.raises(bleukit.InputError, match=where):
        bleukit.matrix(bleu, ["a b c d e", "a b x"], ["a b c d e"])


@pytest.mark.parametrize("references", [["a b"], [["a", "b"]]])
def test_no_hypotheses_have_no_scores(references):
    assert bleukit.matrix(bleukit.load("parlai-bleu-1"), [], references).shape == (0, 1)
    assert bleukit.matrix(bleukit.load("parlai-bleu-1"), references, []).shape == (1, 0)


def test_scores_are_written_into_what_is_given(tmp_path):
    out = np.memmap(tmp_path / "matrix", np.float32, "w+", shape=(7, 7))
    assert bleukit.matrix(BLEU, SEGMENTS, out=out) is out
    assert same(np.asarray(out), bleukit.matrix(BLEU, SEGMENTS).astype(np.float32))


GROUPS = [SEGMENTS, SEGMENTS[:1], [], SEGMENTS[3:], ["", ""]]


@pytest.mark.parametrize("threads", [1, 3, 8])
def test_groups_are_as_each_alone(threads):
    done = []
    found = bleukit.matrices(BLEU, GROUPS, threads=threads, on_done=done.append)
    assert all(map(same, found, map(partial(bleukit.matrix, BLEU), GROUPS)))
    assert done == [1] * 5
    found = bleukit.matrices(BLEU, GROUPS, [group[:2] for group in GROUPS], threads=threads)
    expected = [bleukit.matrix(BLEU, group, group[:2]) for group in GROUPS]
    assert all(map(same, found, expected))


def test_groups_are_written_into_what_is_given(tmp_path):
    out = np.memmap(tmp_path / "matrices", np.float32, "w+", shape=(3, 2, 2))
    bleukit.matrices(BLEU, [SEGMENTS[:2]] * 3, out=out, threads=2)
    assert same(np.asarray(out), np.stack([bleukit.matrix(BLEU, SEGMENTS[:2])] * 3).astype(np.float32))


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        ("a", {}, "hypotheses: expected a sequence with the hypotheses of each segment, got str 'a'"),
        (
            ["a"],
            {},
            (
                "hypotheses[0]: expected a sequence of texts, got str 'a'; "
                "the texts of a single segment are given as [texts]"
            ),
        ),
        ([["a"], ["b", 1]], {}, "group 1: hypotheses[1]: expected a str, got int 1"),
        ([["a"]], {"references": []}, "1 segments in hypotheses but 0 in references"),
        ([["a"]], {"references": ["b"]}, "references[0]: expected a sequence of texts, got str 'b'"),
        ([["a"]], {"out": [np.empty((2, 2))]}, "group 0: out: expected a writeable array of floats of shape (1, 1)"),
        ([["a"]], {"threads": 0}, "threads: expected a whole number of at least 1"),
    ],
)
def test_wrong_groups(groups, options, message):
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.matrices(BLEU, groups, **options)
    assert str(raised.value).startswith(message)


def test_a_long_text():
    long = "the cat sat on a mat " * 20_000
    assert same(bleukit.matrix(BLEU, [long, "the cat"]), one_by_one(BLEU, [long, "the cat"], [long, "the cat"]))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["a"], {}, "hypotheses: expected a sequence of str, or of token lists"),
        ([["a", 1]], {}, "hypotheses[1]: expected a str, got int 1"),
        ([["a"], [["a"]]], {}, "references[0]: expected a str, got list"),
        ([[["a"]], ["a"]], {}, "references[0]: expected a token list, got str 'a'"),
        ([["a"], "a"], {}, "references: expected a sequence of str, or of token lists"),
        ([["a"]], {"threads": 0}, "threads: expected a whole number of at least 1"),
        ([["a"]], {"out": np.empty((1, 2))}, "out: expected a writeable array of floats of shape (1, 1), got float64"),
        ([["a"]], {"out": np.empty((1, 1), int)}, "out: expected a writeable array of floats of shape (1, 1), got int"),
    ],
)
def test_wrong_arguments(arguments, options, message):
    given_ = [arguments[0] if isinstance(arguments[0], list) else "a", *arguments[1:]]
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.matrix(BLEU, *given_, **options)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("function", [partial(bleukit.matrix, BLEU), partial(bleukit.self_bleu, definition=BLEU)])
def test_groups_of_texts_are_not_taken_for_tokens(function):
    groups = [["a b", "a c"], ["d e", "a c f"]]
    with pytest.raises(bleukit.InputTypeError, match=r"texts\[0\]|hypotheses\[0\]") as error:
        function(groups)
    assert "got a list of texts, such as 'a b'" in str(error.value)
    function([["a b", "a"], ["a b", "c"]])  # a token with a blank among others remains a token


def test_a_pair_without_a_score_is_named_in_every_tile(monkeypatch):
    monkeypatch.setattr(pairs, "TILE", 2)
    monkeypatch.setattr(pairs, "SLOW_TILE", 2)
    bleu = bleukit.load("nltk", smoothing="nltk-method6")
    full = "a b c d e"
    for row, column in ((0, 3), (3, 0), (2, 1)):
        hypotheses, references = [full] * 4, [full] * 4
        hypotheses[row], references[column] = "a b x y z", "a b p q r"
        both = bleukit.matrix(bleu, [full] * 4, [full] * 4)
        assert both.shape == (4, 4)
        for rows, columns, place in (
            (hypotheses, [full] * 4, rf"hypotheses\[{row}\] against references\[0\]"),
            ([full] * 4, references, rf"hypotheses\[\d\] against references\[{column}\]"),
        ):
            with pytest.raises(bleukit.InputError, match=f"^{place}: smoothing 'nltk-method6' needs"):
                bleukit.matrix(bleu, rows, columns)


def test_an_array_that_cannot_be_written_and_no_threads_are_refused():
    out = np.zeros((2, 2))
    out.flags.writeable = False
    with pytest.raises(bleukit.InputError, match=r"^out: expected a writeable array of floats of shape \(2, 2\)"):
        bleukit.matrix(BLEU, ["a", "b"], out=out)
    several = (bleukit.matrix, ["a", "b"]), (bleukit.matrices, [["a"]]), (bleukit.diversity, [["a", "b"]])
    for function, groups in several:
        with pytest.raises(bleukit.InputError, match="^threads: expected a whole number of at least 1"):
            function(BLEU, groups, threads=0)
