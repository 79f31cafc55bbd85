"""A component that goes wrong gives no number but one line: what it returned, for which segment, what was expected."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import bleukit

HYPOTHESES, REFERENCES = ["a b", "c d e"], [["a b", "a"], ["c d"]]
SECOND = "for segment 2, counted from 1"


@dataclass(frozen=True, repr=False)
class Odd:
    """A component of the plain definition with a method, or an answer about the second segment, of another kind."""

    kind: str
    answer: Any
    method: str = ""

    def __repr__(self):
        return "odd"

    def __getattr__(self, name):
        if name != self.method:
            raise AttributeError(name)
        return self.answered

    def answered(self, *_):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def __call__(self, *arguments):
        own = arguments[0].hypothesis_length if self.kind == "smoothing" else arguments[0]
        if not self.method and own in ("c d e", ["c", "d", "e"], 3):
            return self.answered()
        return bleukit.load("wikipedia").components[self.kind].call(*arguments)


WRONG = ZeroDivisionError("no number")
REFUSED = bleukit.InputError("needs a match")
ONE_BY_ONE = [
    ("tokenizer", "c d", "returns a str, not a sequence of tokens, for the text 'c d e'"),
    ("tokenizer", b"c", "returns a bytes, not a sequence of tokens, for the text 'c d e'"),
    ("tokenizer", {"c"}, "returns a set, not a sequence of tokens, for the text 'c d e'"),
    ("tokenizer", None, "returns a NoneType, not a sequence of tokens, for the text 'c d e'"),
    ("tokenizer", ["c", 1], "returns non-string tokens, ['c', 1], for the text 'c d e'"),
    ("tokenizer", WRONG, "fails with ZeroDivisionError: no number, for the text 'c d e'"),
    ("counter", ([4], [3]), f"counts matches [4] of totals [3] up to order 1, {SECOND}"),
    ("counter", ([-1], [3]), f"counts matches [-1] of totals [3] up to order 1, {SECOND}"),
    ("counter", ([1, 0], [3, 2]), f"counts matches [1, 0] of totals [3, 2] up to order 1, {SECOND}"),
    ("counter", ([1], []), f"counts matches [1] of totals [] up to order 1, {SECOND}"),
    ("counter", ([0], [-1]), f"counts matches [0] of totals [-1] up to order 1, {SECOND}"),
    ("counter", ([0], [2**63]), f"counts matches [0] of totals [{2**63}] up to order 1, {SECOND}"),
    ("counter", ([0.5], [3]), f"returns ([0.5], [3]), not two lists of whole numbers, {SECOND}"),
    ("counter", None, f"returns None, not two lists of whole numbers, {SECOND}"),
    ("counter", WRONG, f"fails with ZeroDivisionError: no number, {SECOND}"),
    ("reference_length", -1, f"returns -1, which is not a length, for references of lengths [2], {SECOND}"),
    ("reference_length", np.nan, f"returns nan, which is not a length, for references of lengths [2], {SECOND}"),
    (
        "reference_length",
        10**400,
        f"returns 1{'0' * 59}, which is not a length, for references of lengths [2], {SECOND}",
    ),
    ("reference_length", "2", f"returns '2', which is not a length, for references of lengths [2], {SECOND}"),
    ("reference_length", WRONG, f"fails with ZeroDivisionError: no number, {SECOND}"),
    ("smoothing", [0.5, 1.0], f"returns [0.5, 1.0], not 1 precisions, for matches [2] of [3] {SECOND}"),
    ("smoothing", [-0.5], f"returns [-0.5], not 1 precisions, for matches [2] of [3] {SECOND}"),
    ("smoothing", [np.inf], f"returns [inf], not 1 precisions, for matches [2] of [3] {SECOND}"),
    ("smoothing", ["1"], f"returns ['1'], not 1 precisions, for matches [2] of [3] {SECOND}"),
    ("smoothing", None, f"returns None, not 1 precisions, for matches [2] of [3] {SECOND}"),
    ("smoothing", WRONG, f"fails with ZeroDivisionError: no number, {SECOND}"),
    ("brevity_penalty", -0.5, "returns -0.5, not a factor of at least 0, for 3 tokens and a reference length of 2"),
    ("brevity_penalty", np.nan, "returns nan, not a factor of at least 0, for 3 tokens and a reference length of 2"),
    ("brevity_penalty", "1", "returns '1', not a factor of at least 0, for 3 tokens and a reference length of 2"),
    ("brevity_penalty", WRONG, "fails with ZeroDivisionError: no number, for 3 tokens and a reference length of 2"),
]


def problem(component, call):
    """Return what is said of a component by which a call scores."""
    with pytest.raises(bleukit.BleukitError) as raised:
        call(bleukit.load("wikipedia", weights=1, **{component.kind: component}))
    return str(raised.value).removeprefix(f"{component.kind} odd, given in Python, ")


def sentences(bleu):
    bleu.sentences(HYPOTHESES, REFERENCES)


@pytest.mark.parametrize(("kind", "answer", "message"), ONE_BY_ONE)
def test_of_one_segment(kind, answer, message):
    assert problem(Odd(kind, answer), sentences) == message


@pytest.mark.parametrize("kind", ["counter", "reference_length", "smoothing"])
def test_a_segment_that_a_component_refuses_is_no_fault_of_it(kind):
    assert problem(Odd(kind, REFUSED), sentences) == f"{kind} 'given-in-Python' needs a match {SECOND}"


IN_BATCHES = [
    ("tokenizer", [["a"]], "returns 1 result for a batch of 2"),
    ("tokenizer", [["c"], "d"], "returns a str, not a sequence of tokens, for the text 'c d e'"),
    ("counter", [[1], [2]], "returns [[1], [2]] for a batch, not (matches, totals)"),
    ("counter", ([[1]], [[2], [3]]), "returns 1 result for a batch of 2"),
    ("counter", ([[1], [4]], [[2], [3]]), f"counts matches [4] of totals [3] up to order 1, {SECOND}"),
    ("reference_length", [2.0], "returns 1 result for a batch of 2"),
    (
        "reference_length",
        [2.0, -1.0],
        f"returns -1.0, which is not a length, for references of lengths [2], {SECOND}",
    ),
    *(
        (kind, WRONG, "fails with ZeroDivisionError: no number, in its batch method")
        for kind in ("tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty")
    ),
]


@pytest.mark.parametrize(("kind", "answer", "message"), IN_BATCHES)
def test_of_a_batch(kind, answer, message):
    assert problem(Odd(kind, answer, "batch"), sentences) == message


ONES = np.ones((1, 2, 2), int)
OTHER_METHODS = [
    ("pairs", (ONES, ONES[0, 0]), "(1, 2, 2) and (2,)"),
    ("pairs", (ONES, ONES[0, :1], ONES), "(1, 2, 2) and (1, 2) and (1, 2, 2)"),
    ("pairs", (ONES.astype(float), ONES[0, :1]), "(1, 2, 2) and (1, 2)"),
    ("pairs", (2 * ONES, ONES[0, :1]), "(1, 2, 2) and (1, 2)"),
    ("pairs", (-ONES, ONES[0, :1]), "(1, 2, 2) and (1, 2)"),
    ("others", (ONES[0], ONES[0]), "(2, 2) and (2, 2)"),
    ("others", (2 * ONES[0, :, :1], ONES[0, :, :1]), "(2, 1) and (2, 1)"),
]


@pytest.mark.parametrize(("method", "answer", "shapes"), OTHER_METHODS)
def test_of_all_pairs(method, answer, shapes):
    calls = {
        "pairs": (lambda bleu: bleukit.matrix(bleu, HYPOTHESES), "(1, 2, 2) and (1, 2)"),
        "others": (lambda bleu: bleukit.self_bleu(HYPOTHESES, bleu), "(2, 1) and (2, 1)"),
    }
    call, expected = calls[method]
    assert problem(Odd("counter", answer, method), call) == (
        f"returns matches and totals of the shapes {shapes}, or more matches than n-grams, in its {method} method; "
        f"expected whole numbers of the shapes {expected}"
    )
    message = f"fails with ZeroDivisionError: no number, in its {method} method"
    assert problem(Odd("counter", WRONG, method), call) == message


@pytest.mark.parametrize(
    ("answer", "message"),
    [(WRONG, "ZeroDivisionError: no number"), ("5", "TypeError: 'str' object cannot be interpreted as an integer")],
)
def test_of_the_order_that_a_smoothing_asks_for(answer, message):
    found = problem(Odd("smoothing", answer, "counted_order"), sentences)
    assert found == f"fails with {message}, in its counted_order"
