"""Tokenizers by rules: the automaton against the regular expressions, which say what rules mean."""

import pickle
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleukit.framework.packed import ends_of
from bleukit.plugin import Apart, LowercasingRules, PackedTexts, RuleTokenizer

pytest.importorskip("bleukit.framework.rule_tokenizer_compiled", reason="built without a compiler")

CLASSES = st.sampled_from(
    ["[.,]", "[^0-9]", "[0-9]", "-", r"\W", r"\s", "[ab]", "[^a]", "\xe9|\u20ac", "\U0001f600", r"\p{L}"]
)
RULES = st.tuples(CLASSES, CLASSES, CLASSES, st.sampled_from("012")).map(
    lambda drawn: Apart(drawn[0], after=drawn[1] if drawn[3] == "1" else "", before=drawn[2] if drawn[3] == "2" else "")
)
TEXTS = st.text(st.sampled_from("aAbB1 .,-\n\t&\xa0\xc9\xe9\u03a3\u0130\u20ac\u3000\U0001f600"), max_size=12)


def prepare(text):
    """Make a text longer, so that it needs more room."""
    return text.strip().replace("&", "longer \u20ac longer")


@st.composite
def tokenizers(draw):
    rules = tuple(draw(st.lists(RULES, max_size=4)))
    assume(sum(bool(rule.before) for rule in rules) <= 1)
    return RuleTokenizer(
        rules,
        blank=draw(st.sampled_from([r"\s", " ", r"[ \n]", r"[^\S\n]"])),
        surrounded=draw(st.booleans()),
        prepare=draw(st.sampled_from([None, prepare])),
        marks="&",
        lowercase=draw(st.sampled_from([False, True, "ascii"])),
        removed=draw(st.sampled_from(["", "[-,]"])),
    )


def of_utf8(texts):
    encoded = [text.encode() for text in texts]
    ends = ends_of(encoded)
    return PackedTexts(b"".join(encoded), array("q", [0, *ends[:-1]][: len(ends)]), ends)


def batch(tokenizer, texts):
    return list(map(list, tokenizer.batch(texts)))


@given(tokenizers(), st.lists(TEXTS, max_size=5))
def test_many_texts_have_the_tokens_of_each(tokenizer, texts):
    wanted = list(map(tokenizer, texts))
    assert batch(tokenizer, texts) == wanted
    assert batch(tokenizer, of_utf8(texts)) == wanted


def test_pairs_do_not_overlap():
    text = "1,,2"
    assert RuleTokenizer((Apart(",", after="."),))(text) == ["1", ",", ",2"]
    assert RuleTokenizer((Apart(",", before="."),))(text) == ["1", ",", ",2"]
    assert RuleTokenizer((Apart(","),))(text) == ["1", ",", ",", "2"]


def test_kinds_of_characters_beyond_the_room_of_the_automaton_are_left_to_the_rules():
    letters = list(map(chr, range(0x4E00, 0x4E80)))
    rules = [Apart("a", after=f"[{''.join(c for c in letters if ord(c) >> bit & 1)}]") for bit in range(7)]
    tokenizer = RuleTokenizer(tuple(rules))
    texts = ["a a", *(f"{letter}a{letter}" for letter in letters)]
    assert batch(tokenizer, texts) == list(map(tokenizer, texts))


def test_threads_may_meet_new_characters_at_once():
    texts = [chr(code) + "." for code in range(0xA1, 0x8000, 37)]
    tokenizer = RuleTokenizer((Apart(r"\W"),))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: batch(tokenizer, texts), range(8)))
    assert found == [list(map(tokenizer, texts))] * 8


def test_a_pickled_batch_method_is_that_of_equal_rules():
    tokenizer = RuleTokenizer((Apart("[.]"),), prepare=prepare, marks="&")
    assert batch(tokenizer, ["a.b"]) == [["a", ".", "b"]]
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert copy == tokenizer
    assert list(map(list, pickle.loads(pickle.dumps(tokenizer.batch))(["a.b &"]))) == [tokenizer("a.b &")]


def test_lowercasing_rules_are_made_once_for_each_case():
    @dataclass(frozen=True)
    class Lowercasing(LowercasingRules):
        def rules(self, lowercase):
            return RuleTokenizer(lowercase=lowercase)

    tokenizer = Lowercasing()
    assert tokenizer("\xc9A") == ["\xc9A"]
    assert tokenizer.lowercasing("ascii")("\xc9A") == ["\xc9a"]
    assert tokenizer.lowercasing(lowercase=True) is tokenizer.lowercasing(lowercase=True)


def test_what_a_text_is_prepared_to_must_be_a_text():
    with pytest.raises(TypeError, match="int"):
        RuleTokenizer(prepare=lambda text: 1 if "&" in text else text, marks="&").batch(["a &"])


def test_utf8_that_is_none_is_refused():
    for content in (b"a\xff", b"\x80\x80", b"\xe2\x82"):
        texts = PackedTexts(content, array("q", [0]), array("q", [len(content)]))
        for tokenizer in (RuleTokenizer(), RuleTokenizer(prepare=str.strip)):
            with pytest.raises(UnicodeDecodeError):
                tokenizer.batch(texts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blank": "[^ ]"}, "blank: a space is none by"),
        ({"rules": (Apart("a", after="b", before="c"),)}, "both `after` and `before`"),
        ({"rules": (Apart("a", before="b"), Apart("c", before="d"))}, "more than one has `before`"),
    ],
)
def test_rules_that_no_automaton_can_follow_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        RuleTokenizer(**options)
