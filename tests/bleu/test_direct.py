"""The direct way and the compiled formula give what the components give one by one, and Python, to the last bit."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile_texts, token_lists, tokens

import bleukit
from bleukit.bleu import loader
from bleukit.bleu.bleu import Bleu
from bleukit.bleu.protocols import Counts, CountsTable
from bleukit.bleu.scoring import Score

pytest.importorskip("bleukit.bleu.direct_compiled", reason="built without a compiler")

WORDS = ["the", "cat", "sat", "on", "a", "mat."]
"""Few, so that n-grams match."""

alike = st.lists(st.sampled_from(WORDS), max_size=9)
keys = st.fixed_dictionaries(
    {},
    optional={
        "tokenizer": st.sampled_from(["13a", "none", "zh", "char", "intl"]),
        "counter": st.sampled_from(["clipped", "unclipped", "nltk"]),
        "reference_length": st.sampled_from(["closest", "shortest", "longest", "average"]),
        "smoothing": st.one_of(
            st.sampled_from(["none", "exp", "floor", "add-k", *(f"nltk-method{i}" for i in range(5))]),
            st.builds(lambda value: {"name": "floor", "value": value}, st.floats(0, 1e300)),
            st.builds(lambda k: {"name": "add-k", "k": k}, st.one_of(st.floats(0, 1e300), st.integers(0, 2**70))),
        ),
        "brevity_penalty": st.one_of(
            st.sampled_from(["standard", "none"]),
            st.builds(
                lambda c, r: {"name": "added-lengths", "added_to_hypothesis": c, "added_to_reference": r},
                st.floats(0, 1e300),
                st.integers(0, 2**70),
            ),
        ),
        "weights": st.one_of(
            st.integers(1, 17), st.lists(st.floats(0.01, 400), min_size=1, max_size=6), st.just([0.1, 0.0, 0.9])
        ),
        "lowercase": st.sampled_from([True, "ascii"]),
        "effective_order": st.booleans(),
        "empty_score": st.sampled_from([0.5, float("nan")]),
        "scale": st.sampled_from([1, 100]),
    },
)


class OneByOne:
    """A component without its batch method, so that it is called for one segment at a time."""

    def __init__(self, component):
        self.component = component

    def __call__(self, *arguments):
        return self.component(*arguments)

    def __getattr__(self, name):
        if name == "batch" or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.component, name)


def by_python(keys):
    """Return a variant as it is without compiled code."""
    loaded = loader.load_variant("sacrebleu", keys)

    def of_python(loaded):
        alone = {kind: one._replace(call=OneByOne(one.call)) for kind, one in loaded.components.items()}
        return loaded._replace(components=alone, sentence=loaded.sentence and of_python(loaded.sentence))

    return Bleu(of_python(loaded))


def outcome(call, *arguments, **options):
    """Return all that a call gives, or the error."""
    try:
        result = call(*arguments, **options)
    except bleukit.BleukitError as error:
        return type(error).__name__
    return repr((result.value, result.to_dict()) if isinstance(result, Score) else result.tolist())


@st.composite
def segments(draw, texts):
    text = st.one_of(texts, alike.map(" ".join) if texts is hostile_texts else alike)
    several = st.lists(text, max_size=9)
    return draw(text), draw(st.one_of(several, several.map(tuple), text))


def same(keys, some):
    ways = bleukit.load("sacrebleu", **keys), by_python(keys)
    for hypothesis, references in some:
        one, other = (outcome(bleu.sentence, hypothesis, references) for bleu in ways)
        assert one == other
    groups = [[hypothesis for hypothesis, _ in some], [references for _, references in some]]
    for method in ("sentences", "corpus"):
        one, other = (outcome(getattr(bleu, method), *groups, references_by="segment") for bleu in ways)
        assert one == other


@given(keys, st.lists(segments(hostile_texts), min_size=1, max_size=3))
def test_texts(keys, some):
    same(keys, some)


@given(keys, st.lists(segments(st.one_of(tokens, token_lists)), min_size=1, max_size=3))
def test_tokens(keys, some):
    same(keys, some)


def test_built_in_components_are_counted_directly(monkeypatch):
    bleus = [bleukit.load(name) for name in ("sacrebleu", "nltk", "sacrebleu-zh", "wikipedia")]
    monkeypatch.setattr("bleukit.bleu.bleu.tokenize_segments", None)
    for bleu in bleus:
        assert bleu.sentence("a b c d", ["a b c d"]).value == bleu.variant.scale
        assert bleu.corpus(["a b c d"], ["a b c d"]).value == bleu.variant.scale
        assert bleu.corpus([["a", "b", "c", "d"]], [["a", "b", "c", "d"]]).value == bleu.variant.scale


def test_files_are_counted_directly(monkeypatch, run, tmp_path):
    monkeypatch.setattr("bleukit.bleu.bleu.tokenize_segments", None)
    for name in ("hyp", "ref"):
        (tmp_path / name).write_text("a b c d\n" * 3)
    files = str(tmp_path / "ref"), str(tmp_path / "hyp")
    assert run("score", "--score-only", "-r", *files)[:2] == (0, "100.00\n")
    assert run("score", "--score-only", "-r", *files, files[1])[:2] == (0, "100.00\n100.00\n")


def test_a_counter_without_the_known_batch_method_is_called():
    def nothing(hypothesis, references, max_order):
        return [0] * max_order, [max(0, len(hypothesis) - order) for order in range(max_order)]

    assert bleukit.load(counter=nothing).sentence("a b c d", "a b c d").value == 0
    assert bleukit.load(tokenizer=str.splitlines).sentence("a b\nc", "a b\nd").totals == (2, 1, 0, 0)


def test_the_fields_of_a_score_are_computed_when_they_are_read():
    score = bleukit.load().sentence("the cat sat on the mat", "the cat sat on a mat")
    copies = pickle.loads(pickle.dumps(score)), copy.copy(score), copy.deepcopy(score)
    assert "matches" not in vars(bleukit.load().sentence("a", "a"))
    assert score.matches == (5, 3, 2, 1)
    assert [one.to_dict() for one in copies] == [score.to_dict()] * 3
    for name in ("value", "precisions"):
        with pytest.raises(AttributeError):
            setattr(score, name, 0)
    with pytest.raises(AttributeError, match="'Score' object has no attribute 'bleu'"):
        score.bleu  # noqa: B018


def test_threads_share_a_bleu():
    bleu = bleukit.load(effective_order=True)
    pairs = [(" ".join(WORDS[: 1 + i % 6]), " ".join(WORDS[i % 3 :])) for i in range(18)]
    expected = [bleu.sentence(*pair).to_dict() for pair in pairs]

    def scored(offset):
        turned = range(offset, offset + 18)
        return all(bleu.sentence(*pairs[i % 18]).to_dict() == expected[i % 18] for _ in range(20) for i in turned)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(scored, range(8)))


@pytest.mark.parametrize("smoothing", ["none", "exp", "floor", "add-k"])
@given(st.lists(st.tuples(st.floats(0, 9), st.floats(1, 9)), min_size=1, max_size=4))
@example([(0.5, 1.25), (0.25, 1.5), (0.0, 1.0)])
def test_means_of_counts_are_smoothed_as_they_are(smoothing, orders):
    matches, totals = zip(*((match, match + more) for match, more in orders), strict=True)
    component = bleukit.load(smoothing=smoothing).components["smoothing"].call
    table = CountsTable(np.array([matches]), np.array([totals]), np.array([9]), np.array([9.0]))
    assert component.batch(table)[0].tolist() == list(component(Counts(matches, totals, 9, 9.0)))
