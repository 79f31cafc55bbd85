"""The tokenizer after the published description of tokenizedDocument; its scores are in the conformance suite."""

import pytest
import regex
from bleukit.built_in.matlab.components import LONGEST_ADDRESS, TokenizedDocument
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import texts
from uniseg.wordbreak import word_break, words

pytestmark = pytest.mark.oldest

tokenize = TokenizedDocument()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's 3.14, (or) 1,000?", ["It's", "3.14", ",", "(", "or", ")", "1,000", "?"]),
        ("mail me@example.com.", ["mail", "me@example.com", "."]),
        ("see https://www.mathworks.com/help?a=b.", ["see", "https://www.mathworks.com/help?a=b", "."]),
        ("at www.example.org, or example.com/a", ["at", "www.example.org", ",", "or", "example.com/a"]),
        ("#MATLAB2024 #1 @you_2", ["#MATLAB2024", "#", "1", "@you_2"]),
        ("fine :) sad :-( ;P a:b (x:(y", ["fine", ":)", "sad", ":-(", ";P", "a:b", "(", "x", ":", "(", "y"]),
        ("👍🏽👩‍👩‍👧 🇩🇪🇫🇷", ["👍🏽", "👩‍👩‍👧", "🇩🇪", "🇫🇷"]),
        ("say 'Apple' or ’it’, l'eau", ["say", "'", "Apple", "'", "or", "’", "it", "’", ",", "l'eau"]),
        ("a-'\u0301", ["a", "-", "'\u0301"]),
        ("a🇩 b 🇩c", ["a", "🇩", "b", "🇩", "c"]),
        ("\ufeffa \u0301\n\u0301b", ["\ufeff", "a", " \u0301", "\u0301", "b"]),
        ("  \t\u2028 ", []),
    ],
)
def test_tokens(text, tokens):
    assert tokenize(text) == tokens


@pytest.mark.parametrize(("length", "is_one_token"), [(LONGEST_ADDRESS, True), (LONGEST_ADDRESS + 1, False)])
def test_addresses_are_sought_up_to_a_length(length, is_one_token):
    address = "example.org/".ljust(length, "a")
    assert (tokenize(address) == [address]) == is_one_token


def same_word_break_property(character):
    """Whether both libraries, of different Unicode versions, put a character into the same class."""
    return regex.fullmatch(rf"\p{{Word_Break={word_break(character).name}}}", character)


plain = st.characters(exclude_characters="#@:;=<>.8xX_^oOT-").filter(same_word_break_property)


MARK = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]"
WITHIN_WORDS = r"[\p{WB=MidLetter}\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}\p{WB=Double_Quote}]"
MARK_IN_A_WORD = regex.compile(rf"{MARK}{WITHIN_WORDS}|{WITHIN_WORDS}{MARK}")
"""Where the regex package ends a word, and the annex (rules WB4 to WB12) does not."""


@given(st.text(plain).filter(lambda text: not MARK_IN_A_WORD.search(text)))
def test_plain_text_is_split_at_unicode_word_boundaries(text):
    """Text without addresses and the like: an independent implementation of UAX 29 finds the same words."""
    assert tokenize(text) == [word for word in words(text) if word.strip()]


@given(texts)
def test_only_whitespace_is_lost(text):
    assert "".join("".join(tokenize(text)).split()) == "".join(text.split())


PIECES = [
    " ",
    "  ",
    "\u2009",
    "a",
    "\xfc",
    "Word.",
    "\u0301",
    "\u200d",
    "\u00ad",
    "'",
    "1",
    ".",
    ":-)",
    "@a",
    "\n",
    "\t",
    "\U0001f1e9",
]


@given(st.lists(st.sampled_from(PIECES)))
@example([" ", "\u2009", "\u0301"])
def test_pieces_between_spaces_are_split_as_in_their_text(pieces):
    text = "".join(pieces)
    assert list(map(list, tokenize.batch([text, text]))) == [tokenize(text)] * 2
