"""What looks wrong with a text is said from a share of its segments on, and not below it."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleukit
from bleukit.reading import misfits

SEGMENTS = st.integers(1, 60)
WORDS = "it was late, and we were at home"


def some(number, marked, of, plain=WORDS):
    """Return ``of`` texts, of which the first ``number`` are ``marked``."""
    return [marked if place < number else plain for place in range(of)]


@given(SEGMENTS, st.data())
def test_marks_are_those_of_nine_tenths_of_the_hypotheses_and_at_most_a_tenth_of_the_references(segments, data):
    numbers = st.integers(0, segments) | st.sampled_from([segments * 9 // 10, segments // 10])
    ours, theirs = data.draw(numbers), data.draw(numbers)
    texts, references = (some(number, f"{WORDS} ->", segments) for number in (ours, theirs))
    warned = list(misfits.foreign_marks(texts, references))
    assert bool(warned) == (ours >= 5 and 10 * ours >= 9 * segments and 10 * theirs <= segments)
    assert all(f"{ours} of the first {segments} hypotheses end in '->'" in warning for warning in warned)


SHARES = {
    "un@@ believ@@ able": 25,
    "\u2581un believ able": 25,
    "the\u0120cat": 25,
    "un ##believ ##able": 25,
    "the cat </s>": 25,
    "u n b e l i e v a b l e": 25,
    "a well @-@ known cat": 2,
    "it &apos;s late": 5,
}


@pytest.mark.parametrize("marked", SHARES)
@given(st.integers(1, 100), st.data())
def test_text_that_is_not_final_is_a_share_of_the_segments(marked, segments, data):
    number = data.draw(st.integers(0, segments) | st.sampled_from([-(-segments * SHARES[marked] // 100)]))
    warned = list(misfits.not_final(some(number, marked, segments), "hypotheses"))
    assert [re.match(r"\d+ of the first \d+ hypotheses have", warning)[0] for warning in warned] == (
        [f"{number} of the first {segments} hypotheses have"]
        if number and 100 * number >= SHARES[marked] * segments
        else []
    )


def found(bleu, texts):
    return misfits.misfits(bleu.variant.tokenizer.name, bleu.tokenize, texts)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 400))
@example(10, 9, 0)
@example(10, 10, 0)
@example(10, 0, 90)
@example(10, 0, 91)
def test_tokenized_text_has_more_split_ends_than_whole_ones_and_a_tenth_of_all(split, whole, others):
    texts = ["we left ."] * split + ["we left."] * whole + ["we left"] * others
    reasons = [misfit.reason for misfit in found(bleukit.load("sacrebleu"), texts)]
    expected = split >= 10 and split > whole and 10 * split >= len(texts)
    assert ("splits text that looks tokenized already" in reasons) == expected


@pytest.mark.parametrize(
    "text",
    [
        "สวัสดีชาวโลก",
        "さようなら、",
        "这是什么？",
        "ฉันรักแมวมากเพราะมันน่ารักมาก",
        "ຂ້ອຍຮັກແມວຫຼາຍເພາະມັນໜ້າຮັກ",
        "ကျွန်တော်ကြောင်ကိုချစ်တယ်",
        "ខ្ញុំស្រឡាញ់ឆ្មាណាស់ព្រោះវាគួរឱ្យ",
    ],
)
def test_scripts_without_spaces_are_left_unsplit_by_rules_for_others(text):
    for name in ("sacrebleu", "nltk"):
        (misfit,) = found(bleukit.load(name), [text])
        assert misfit.reason == "leaves text without spaces between words unsplit"
    characters = bleukit.load("sacrebleu", tokenizer="char")
    assert list(found(characters, [text])) == []


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_short_text_without_spaces_is_taken_for_a_word_unless_most_texts_are_such(short, others):
    bleu = bleukit.load("nltk")
    assert len(list(found(bleu, ["莫名其妙"] * short + ["我 爱 你"] * others))) == (short > others)


@pytest.mark.parametrize(
    ("texts", "references", "blank"),
    [
        (["a", "b", "c"], [["", "x"], ["y"], ["z"]], 1),
        (["a", "b", "c"], ["x", " \u3000", ""], 2),
        (["a", " ", "c"], [["x"], [" "], ["y"]], 0),
        (["a", "", ""], [[""], [""], ["z"]], 1),
    ],
)
def test_blank_references_of_blank_texts_are_not_counted(texts, references, blank):
    warned = list(misfits.odd_references(texts, references))
    assert [warning.partition(" have ")[0] for warning in warned] == [f"{blank} of the first 3 segments"] * bool(blank)


@given(st.integers(1, 5), st.integers(0, 9), st.integers(0, 9))
def test_references_that_are_words_are_those_of_most_segments(size, words, others):
    groups = [["a"] * size] * words + [["a b"] * size] * others
    warned = list(misfits.odd_references(["a"] * len(groups), groups))
    assert bool(warned) == (size > 3 and words > others)
