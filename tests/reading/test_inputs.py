"""Wrong input never gives a number: the error says which argument, which index, and what was expected."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.framework import arguments, packed

pytestmark = pytest.mark.oldest

bleu = bleukit.load("wikipedia")


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("a", ["a"], "hypotheses: expected a sequence of str, or of token lists, got str 'a'"),
        (["a"], "a", "references: expected a sequence with the references of each hypothesis, got str 'a'"),
        (b"a", ["a"], "hypotheses: expected .*, got bytes b'a'"),
        (None, ["a"], "hypotheses: expected .*, got NoneType None"),
        ({"a"}, ["a"], "hypotheses: expected .*, got set"),
        ((text for text in "a"), ["a"], "hypotheses: expected .*, got generator"),
        (["a", None], ["a", "b"], r"hypotheses\[1\]: expected a str, got NoneType None"),
        (["a", 7], ["a", "b"], r"hypotheses\[1\]: expected a str, got int 7"),
        (["a", ["b"]], ["a", "b"], r"hypotheses\[1\]: expected a str, got list"),
        ([["a"], "b"], [["a"], ["b"]], r"hypotheses\[1\]: expected a token list, got str 'b'"),
        ([["a", 3]], [["a"]], r"hypotheses\[0\]\[1\]: expected a str, got int 3"),
        ([7], ["a"], r"hypotheses\[0\]: expected a str or a token list, got int 7"),
        ([None, "a"], ["a", "a"], r"hypotheses\[0\]: expected a str or a token list, got NoneType"),
        (np.array("a"), ["a"], "hypotheses: expected a sequence of str"),
        (["a"], [None], r"references\[0\]: expected one reference or a sequence of them \(str.*got NoneType"),
        (["a"], [["a", None]], r"references\[0\]\[1\]: expected a str, got NoneType"),
        (["a"], [["a", b"b"]], r"references\[0\]\[1\]: expected a str, got bytes"),
        (["a"], [{"a": 1}], r"references\[0\]: expected .*, got dict"),
        ([["a"]], ["a"], r"references\[0\]: expected token lists, as the hypotheses are, got str 'a'"),
        ([["a"]], [[["a"], "b"]], r"references\[0\]\[1\]: expected a token list, got str 'b'"),
        ([["a"]], [[["a"], [None]]], r"references\[0\]\[1\]\[0\]: expected a str, got NoneType"),
    ],
)
def test_wrong_types(hypotheses, references, message):
    with pytest.raises(bleukit.InputTypeError, match=message) as error:
        bleu.corpus(hypotheses, references)
    assert isinstance(error.value, TypeError)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b"], ["a"], "2 hypotheses, but 1 item in `references`"),
        (["a", "b", "c"], [["a", "b", "c"]], "pass references_by='set'"),
        (["a"], [[]], r"references\[0\]: no reference; .*an empty one is ''"),
        ([["a"]], [[]], r"references\[0\]: no reference; .*an empty one is \[\[\]\]"),
    ],
)
def test_wrong_numbers(hypotheses, references, message):
    with pytest.raises(bleukit.InputError, match=message):
        bleu.corpus(hypotheses, references)


BY_SEGMENT = [["the cat sat on the mat", "a cat sat"], ["all dogs bark loudly", "dogs bark"]]
BY_SET = [list(texts) for texts in zip(*BY_SEGMENT, strict=True)]
HYPOTHESES = ["the cat sat on a mat", "dogs bark loudly"]


def test_references_by_set_are_not_taken_for_references_by_segment():
    """As many sets as segments: the shape does not tell, so that sacreBLEU's layout gave a number that was wrong."""
    expected = bleu.statistics(HYPOTHESES, BY_SEGMENT)
    with pytest.raises(bleukit.InputError, match="2 hypotheses and 2 references of each, which fit better if"):
        bleu.corpus(HYPOTHESES, BY_SET)
    assert bleu.statistics(HYPOTHESES, BY_SET, references_by="set") == expected
    assert bleu.corpus(HYPOTHESES, BY_SET, references_by="set").to_json() == bleu.score(expected).to_json()
    assert bleu.statistics(HYPOTHESES, BY_SET, references_by="segment") != expected
    tokens = [[text.split() for text in texts] for texts in BY_SET]
    with pytest.raises(bleukit.InputError, match="fit better"):
        bleu.corpus([text.split() for text in HYPOTHESES], tokens)


def test_sets_have_one_reference_of_each_hypothesis():
    with pytest.raises(bleukit.InputError, match=r"references\[1\]: 2 hypotheses, but 1 reference in this set"):
        bleu.corpus(HYPOTHESES, [["a", "b"], ["c"]], references_by="set")
    with pytest.raises(bleukit.InputError, match="references_by: expected 'segment' or 'set', got str 'sets'"):
        bleu.corpus(HYPOTHESES, BY_SET, references_by="sets")


def test_words_are_not_taken_for_references():
    hypotheses = ["the cat sat on a mat", "dogs bark very loudly"]
    words = [text.split() for text in ("the cat sat on the mat", "all dogs bark loudly")]
    with pytest.raises(bleukit.InputError, match="each is one word, but the hypotheses are texts"):
        bleu.corpus(hypotheses, words)
    with pytest.raises(bleukit.InputError, match="each is one word"):
        bleu.sentence(hypotheses[0], words[0])
    assert bleu.corpus(hypotheses, words, references_by="segment").segments == 2


class Table:
    """A data frame of pandas or Polars, or an Arrow table, as far as it looks like a sequence."""

    shape, columns = (1, 1), ["hypothesis"]

    def __len__(self):
        return 1

    def __iter__(self):
        return iter(self.columns)


def test_a_table_is_not_taken_for_its_column_names():
    with pytest.raises(bleukit.InputTypeError, match="got a Table; pass one of its columns"):
        bleu.corpus(Table(), ["hypothesis"])


def test_sentence_names_its_own_arguments():
    with pytest.raises(bleukit.InputTypeError, match=r"^references\[1\]: expected a str, got int 2"):
        bleu.sentence("a", ["a", 2])
    with pytest.raises(bleukit.InputTypeError, match="^hypothesis: expected a str or a token list, got NoneType"):
        bleu.sentence(None, ["a"])


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
@pytest.mark.parametrize("call", [bleu.corpus, bleu.sentence, bleu.sentences, bleu.statistics])
def test_threads(call, threads):
    with pytest.raises(bleukit.InputError, match="threads: expected a whole number of at least 1"):
        call(["a"], ["a"], threads=threads)


def test_the_same_segments_in_every_accepted_form():
    expected = bleu.corpus(["a b", "c"], [["a b", "b"], ["c d"]])
    assert bleu.corpus(("a b", "c"), (("a b", "b"), "c d")).to_json() == expected.to_json()
    assert bleu.corpus(np.array(["a b", "c"]), [["a b", "b"], "c d"]).to_json() == expected.to_json()
    tokens = bleu.corpus([["a", "b"], ["c"]], [[["a", "b"], ["b"]], ["c", "d"]])
    assert bleu.corpus([("a", "b"), ("c",)], [(["a", "b"], ("b",)), [["c", "d"]]]).to_json() == tokens.to_json()
    assert (tokens.matches, tokens.totals) == (expected.matches, expected.totals)


def test_lowercase_applies_to_tokens_too():
    lower = bleukit.load("wikipedia", lowercase=True, weights=[1])
    assert lower.sentence(["A", "b"], ["a", "B"]).value == lower.sentence("A b", "a B").value == 1


def test_input_is_left_as_it_was():
    hypotheses, references = [["A", "b"]], [[["a"], ["B"]]]
    bleukit.load("wikipedia", lowercase=True).corpus(hypotheses, references)
    assert (hypotheses, references) == ([["A", "b"]], [[["a"], ["B"]]])


@given(st.data())
def test_what_a_caller_changes_meanwhile_changes_no_segment(data):
    hypotheses, references = ["a b", "c"], [["a b"], ["c d", "d"]]
    segments = arguments.check_segments(hypotheses, references)
    for texts in (hypotheses, references, references[1]):
        del texts[data.draw(st.integers(0, len(texts))) :]
    assert list(segments.hypotheses) == ["a b", "c"]
    assert list(segments.references) == [["a b"], ["c d", "d"]]


def test_groups_of_references_that_another_thread_changes_are_refused(monkeypatch):
    references = [["a"], ["b"]]

    def later(groups):  # as if another thread had its turn after the references were read
        references[0].append("c")
        return packed.ends_of(groups)

    monkeypatch.setattr(arguments, "ends_of", later)
    with pytest.raises(bleukit.InputError, match="`references` was changed while it was read"):
        bleu.corpus(["a", "b"], references)


STATISTICS = bleu.statistics(["a b"] * 4, ["a b"] * 4)
SYSTEMS = {"a": ["a b c d"] * 4, "b": ["a b c"] * 4}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bleu.scores(5), "statistics: expected Statistics, got int 5"),
        (lambda: bleu.score_columns(None), "statistics: expected Statistics, got NoneType None"),
        (lambda: STATISTICS.by_document(["a", [1], "a", "b"]), r"ids\[1\]: expected a label, got list \[1\]"),
        (lambda: compare(documents=[[1]] * 4), r"documents\[0\]: expected a label, got list \[1\]"),
        (lambda: compare(confidence_level="x"), "confidence_level: expected a number between 0 and 1, got str 'x'"),
        (lambda: compare(detect="1"), "detect: expected a difference above 0, got str '1'"),
        (lambda: compare(baseline=3), "baseline: unknown system 3; known: a, b"),
        (lambda: compare(samples=True), "samples: expected a whole number of at least 1, got bool True"),
        (lambda: bleukit.compare(bleu, {1: ["a"], "1": ["b"]}, ["a"]), "systems: two names are the same as text"),
        (lambda: bleukit.Statistics(0, {}), "max_order: expected a whole number of at least 1, got int 0"),
        (lambda: bleukit.Statistics(4, None), "columns: expected a mapping of names to values, got NoneType"),
        (
            lambda: bleukit.explain("nltk", "coco", ["a"], ["a"], most=1.5),
            "most: expected a whole number of at least 0",
        ),
    ],
)
def test_arguments_of_a_wrong_type_are_one_clear_error(call, message):
    with pytest.raises(bleukit.InputError, match=f"^{message}"):
        call()


def compare(**keys):
    return bleukit.compare(bleu, SYSTEMS, ["a b c d e"] * 4, **{"samples": 9, "interval_samples": 39, **keys})


def test_numbers_of_numpy_are_numbers():
    threaded = bleu.corpus(["a"] * 9, ["a"] * 9, threads=np.int64(2))
    assert threaded.to_json() == bleu.corpus(["a"] * 9, ["a"] * 9).to_json()
    ours = {"samples": 9, "interval_samples": 39, "seed": 3, "confidence_level": 0.9, "detect": 1.0}
    of_numpy = {key: np.float64(value) if isinstance(value, float) else np.int32(value) for key, value in ours.items()}
    assert compare(**of_numpy) == compare(**ours)
    assert str(bleukit.explain("nltk", "coco", ["a"], ["b"], most=np.int64(1)))
