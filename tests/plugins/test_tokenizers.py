"""Tokenizers split as sacreBLEU's own, or as they are defined: at every assigned code point, and on generated text.

matlab's, which a tokenizer of another library is compared with, and those by SentencePiece have tests of their own.
"""

import re
import unicodedata
from array import array
from functools import cache, partial
from itertools import accumulate

import pytest
import sacrebleu
from corpus import TEXTS
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers import tokenizer_zh
from strategies import hostile_texts
from tokenizer_definitions import CONTINUOUS, PYTHON_SPACES, TOKENIZERS, plain_lower

from bleukit.framework import creating, registry
from bleukit.framework.lowercasing import lowered
from bleukit.framework.options import Component
from bleukit.framework.tokenizing import tokenize_texts
from bleukit.plugin import PackedTexts

SACREBLEU = ["13a", "char", "intl", "none", "zh"]
MECAB = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}
OPTIONS = [
    ("mteval", {"ascii_whitespace": True}),
    ("mteval", {"blanks": "_'aé&<"}),
    ("mteval-international", {"split_non_ascii": True}),
    ("multi-bleu", {"split_hyphens": True}),
]
CHOICES = [*((name, {}) for name in (*SACREBLEU, *TOKENIZERS)), *OPTIONS]
CASES = [False, True, "ascii"]

PARTS = [*".,-'$&<>@_%( 019aBé", "中", "، ", "½", "٣", "👍", "ΑΣ", "İ", "\x85", "\xa0", "\u3000", "\n", "-\n", "-\r\n"]
PARTS += ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "quot;", "lt;", "<skipped>", "<pad>", "</s>", "the", "An"]
MARKED = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
"""Texts of what the rules of some tokenizer look at."""


def component_of(name, options):
    pytest.importorskip(MECAB.get(name, "re"), reason="an extra that is not installed")
    return creating.create(registry.installed(), "tokenizer", Component(name, options))


@cache
def tokenizer_of_sacrebleu(name):
    return sacrebleu.BLEU(tokenize=name).tokenizer


def defined(name, options):
    """Return the function of a text, and of how it is lowercased, that says what the tokens are."""
    if name in TOKENIZERS:
        return partial(TOKENIZERS[name], **options)

    def by_sacrebleu(text, lowercase=False):
        text = plain_lower(text, lowercase)
        if name in MECAB:  # sacreBLEU fails on lone surrogates
            text = re.sub("[\ud800-\udfff]", "\ufffd", text)
        return tokenizer_of_sacrebleu(name)(text.rstrip()).split()

    return by_sacrebleu


def of_utf8(texts):
    """Return texts as UTF-8 in a buffer, as files and columns have them."""
    encoded = [text.encode() for text in texts]
    ends = array("q", accumulate(map(len, encoded)))
    return PackedTexts(b"".join(encoded), array("q", [0, *ends][: len(ends)]), ends)


def assert_as_defined(component, texts, lowercase=False):
    """Each text alone, all of them together, and as UTF-8 if they can be."""
    wanted = [defined(component.name, component.options)(text, lowercase) for text in texts]
    if not lowercase:
        assert [list(component.call(text)) for text in texts] == wanted
    assert list(map(list, tokenize_texts(texts, component, lowercase))) == wanted
    if not any("\ud800" <= character <= "\udfff" for text in texts for character in text):
        assert list(map(list, tokenize_texts(of_utf8(texts), component, lowercase))) == wanted


@pytest.mark.oldest
@pytest.mark.parametrize(("name", "options"), [*CHOICES, *((name, {}) for name in MECAB)], ids=str)
@given(st.lists(st.one_of(MARKED, hostile_texts, st.sampled_from(TEXTS)), max_size=6), st.sampled_from(CASES))
def test_generated_texts(name, options, texts, lowercase):
    assert_as_defined(component_of(name, options), texts, lowercase)


@pytest.mark.oldest
@pytest.mark.parametrize(("name", "options"), CHOICES, ids=str)
def test_texts_that_have_been_hard(name, options):
    pairs = [" ".join(f"a{one}{other}1 9{one}{other}0" for other in PARTS) for one in PARTS]
    ends = [f"{before}{part}1{part}{after}" for before in ("", " ") for after in ("", " ") for part in PARTS]
    spaces = [text.format(space) for text in ("{}a.", "1.{}", "a-{}", "-{}1", "{}") for space in PYTHON_SPACES]
    assert_as_defined(component_of(name, options), [*TEXTS, *pairs, *ends, *spaces, "é cat. " * 9_500])


RANGES = [*CONTINUOUS, *((ord(first[0]), ord(last[0])) for first, last in tokenizer_zh._UCODE_RANGES)]
EDGES = {edge + shift for ends in RANGES for edge in ends for shift in (-1, 0, 1)}


@cache
def code_points():
    """Return all code points but surrogates; of letters without case (Lo) one of 61, of unassigned ones one of 997.

    Those for private use are as unassigned ones; edges of ranges are among them.
    """
    shares = {"Lo": 61, "Cn": 997, "Co": 997}
    categories = ((code, unicodedata.category(chr(code))) for code in range(0x110000))
    return [
        chr(code)
        for code, category in categories
        if category != "Cs" and (code < 0x250 or code in EDGES or code % shares.get(category, 1) == 0)
    ]


def assert_points_as_defined(component, points, context, lowercase=False):
    """In texts of 128; of a text that goes wrong each code point is tried alone, so that the message is short."""
    for start in range(0, len(points), 128 * 64):
        parts = [points[place : place + 128] for place in range(start, min(start + 128 * 64, len(points)), 128)]
        try:
            assert_as_defined(component, [" ".join(map(context.format, part)) for part in parts], lowercase)
        except AssertionError:
            for point in points[start : start + 128 * 64]:
                assert_as_defined(component, [context.format(point)], lowercase)
            raise


@pytest.mark.parametrize(("name", "options"), CHOICES, ids=str)
def test_code_points(name, options):
    assert_points_as_defined(component_of(name, options), code_points(), "a{0}a 1{0}1 {0}")


@cache
def cased_code_points():
    return [c for c in map(chr, range(0x110000)) if c.lower() != c or c.casefold() != c]


LOWERCASING = [choice for choice in CHOICES if hasattr(component_of(*choice).call, "lowercasing")]


@pytest.mark.parametrize("lowercase", CASES[1:])
@pytest.mark.parametrize(("name", "options"), [("whitespace", {}), *LOWERCASING], ids=str)
def test_code_points_in_lower_case(name, options, lowercase):
    assert_points_as_defined(component_of(name, options), cased_code_points(), "Ab{0} {0}a", lowercase)


@given(hostile_texts, st.sampled_from(CASES))
def test_texts_in_lower_case(text, lowercase):
    assert lowered(text, lowercase) == plain_lower(text, lowercase)
