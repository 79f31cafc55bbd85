"""The plain definitions of tokenizers, held to the original programs; and what they notice."""

import pytest
import sacrebleu
from bleukit.conformance.contracts.code_points import tokenized_otherwise
from bleukit.conformance.tokenizers import TOKENIZERS, plain_lower
from hypothesis import given
from strategies import texts

from bleukit.counting import lowercasing, segment_columns
from bleukit.loading import creating, registry
from bleukit.variant import Component


def of_sacrebleu(name, text):
    return sacrebleu.BLEU(tokenize=name).tokenizer(text.rstrip()).split()


@pytest.mark.parametrize("name", ["13a", "zh", "intl", "none", "char"])
@given(texts)
def test_a_definition_gives_what_sacrebleu_gives(name, text):
    assert TOKENIZERS[name](text) == of_sacrebleu(name, text)


@pytest.mark.parametrize("name", ["13a", "zh", "intl"])
def test_a_definition_gives_what_sacrebleu_gives_at_every_code_point(name):
    for start in range(0, 0x30000, 512):
        text = " ".join(f"a{c}a 1{c}1 {c}" for c in map(chr, range(start, start + 512)))
        assert TOKENIZERS[name](text) == of_sacrebleu(name, text)


def component_of(name, call=None, **options):
    component = creating.create(registry.installed(), "tokenizer", Component(name, options))
    return component if call is None else component._replace(call=call)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_every_documented_tokenizer_keeps_its_definition(name):
    assert tokenized_otherwise(component_of(name), True) == ""


def joined(name, characters):
    """Return a tokenizer that takes characters for letters."""
    tokenize = component_of(name).call
    apart = {ord(character): 0xF0000 + number for number, character in enumerate(characters)}
    back = {there: here for here, there in apart.items()}
    return lambda text: [token.translate(back) for token in tokenize(text.translate(apart))]


@pytest.mark.parametrize(
    ("name", "character"),
    [*(("intl", c) for c in "_^`؟।🙂"), ("zh", "\u7777"), ("13a", "`"), ("mteval", "~"), ("whitespace", "\u3000")],
)
def test_a_character_that_is_taken_for_a_letter_is_noticed(name, character):
    otherwise = tokenized_otherwise(component_of(name, joined(name, character)), False)
    assert repr(character)[1:-1] in otherwise
    assert "its document defines" in otherwise


def test_a_number_that_is_taken_for_a_letter_is_noticed():
    assert "Ⅷ" in tokenized_otherwise(component_of("intl", joined("intl", "Ⅷ")), False)


LOWER = {
    "casefold": str.casefold,
    "without the final sigma": lambda text: "".join(map(str.lower, text)),
    "without Deseret": lambda text: "".join(c if c > "\uffff" else c.lower() for c in text),
    "without Cherokee": lambda text: "".join(c if "\u13a0" <= c <= "\u13f5" else c.lower() for c in text),
    "with Georgian as it was": lambda text: "".join(c if "\u1c90" <= c <= "\u1cbf" else c.lower() for c in text),
}


@pytest.mark.parametrize("way", LOWER)
@pytest.mark.parametrize("where", ["text", "UTF-8"])
def test_a_wrong_lower_case_is_noticed(way, where, monkeypatch):
    def lowered(texts, lowercase):
        right = type(texts).__name__ == ("list" if where == "UTF-8" else "PackedTexts") or lowercase == "ascii"
        return [plain_lower(text, lowercase) if right else LOWER[way](text) for text in texts]

    monkeypatch.setattr(segment_columns, "all_lowered", lowered)
    assert f"as {where} in lower case: its tokens are" in tokenized_otherwise(component_of("whitespace"), True)


@pytest.mark.parametrize("lowercase", [True, "ascii", False])
@given(texts)
def test_texts_are_lowercased_as_defined(lowercase, text):
    assert lowercasing.lowered(text, lowercase) == plain_lower(text, lowercase)
