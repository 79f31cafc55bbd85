"""Each tokenizer equals sacreBLEU's of that name token for token, compiled and as the function that specifies it."""

import pytest
import sacrebleu.metrics.bleu
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

import bleukit
from bleukit.registry import installed
from bleukit.variant import Component

RULES = ["13a", "zh", "intl", "char"]
ZOO = [
    "",
    " ",
    ".",
    "..",
    ". 5",
    "1.",
    "1. ",
    "1.2.",
    ",.1,.",
    "-1-2 3-",
    "1.)",
    "a\n",
    "\t.5\u3000",
    "it's <b> &amp; &lt;",
    "他说：“1.5％的人，来了。”２０２２年３．５",
    "中.5中,中-1-中",
    "猫が座る。ｶﾞｷﾞｸﾞ 「テスト」・ー",
    "고양이가 앉는다. 3.5%를 (다시)",
    "แมวนั่ง ๑๒.๓ ๆ ฯลฯ",
    "القطة، جلست؛ ٣٫١٤ ؟",
    "बिल्ली बैठी। १२.५ ₹५०",
    "তিন ৩.১৪ ௧௨.௩ ౧.౨",
    "בַּיִת־סֵפֶר ״כן״",
    "«¿Qué?» ¡sí!… 1½. ²; Ⅷ, ①.",
    "👩‍👩‍👧‍👦 👍🏽 🇨🇿 ☺️ ❤️‍🔥 ✈.",
    "e\u0301 a\u0308. n\u0303\u0303, \u0301. \ufeff.",
    "ＡＢＣ　１２．３！（全角）",
    "𠀀𠀁 𪛖 丽 \u2a6e ⪀ → ∑ ⟨x⟩",
    "\u2000.\u2001.\u200a.\u200b.\u2028.\u202f.\u205f.\u3000.",
    "\x1c.\x1d,\x85.\xa0, \x00.\x7f.",
    "\u0378. \U000e0000, \U0010ffff. \uffff; \ue000.",
    "\ud800. x\udc00, \ud83d\ude00 \udfff",
]
"""Scripts, digits of other scripts, joiners, combining marks, full-width forms, unassigned code points, surrogates."""


def theirs(name, text):
    return sacrebleu.metrics.bleu._get_tokenizer(name)()(text.rstrip()).split()


def ours(name, text):
    """Return the tokens by the function for one text, and by the batch method."""
    component = installed().create("tokenizer", Component(name))
    return list(component.call(text)), list(bleukit.load("sacrebleu", tokenizer=name).tokenize(text))


def assert_equal(name, text):
    expected = theirs(name, text)
    assert ours(name, text) == (expected, expected)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("text", ZOO)
def test_zoo(name, text):
    assert_equal(name, text)


@pytest.mark.parametrize("name", RULES)
@given(st.one_of(texts, st.text(max_size=40), st.lists(st.sampled_from(ZOO)).map("".join)))
def test_generated(name, text):
    assert_equal(name, text)


@pytest.mark.parametrize("name", RULES)
@given(st.text(".,-'1٣½a中\u2001\u3000 \n$(。😀\ud800", max_size=12))
def test_what_the_rules_look_at(name, text):
    assert_equal(name, text)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("frame", ["{0}", "a{0}", "1{0}2", "1.{0}", "中{0}."])
def test_every_code_point(name, frame):
    """In texts of many, for speed; the characters are framed so that each rule that may see one does."""
    bleu = bleukit.load("sacrebleu", tokenizer=name)
    for first in (*range(0, 0x30000, 0x4000), 0xE0000, 0x10C000):
        text = "\n".join(frame.format(chr(code)) for code in range(first, first + 0x4000))
        assert bleu.tokenize(text) == theirs(name, text)
