"""What the adapters share: telling what of a variant a library has no parameter for, and handing over its tokens."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bleukit
from bleukit.plugin import DESCRIPTIVE_KEYS, CannotExpressError, Component, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


PLAIN = "wikipedia"
"""The variant of the plain definition: what a library that says BLEU is asked for without any parameter."""

WHITESPACE = ("whitespace", "none")
"""The tokenizers that split at white space and do nothing else."""

_SACREBLEU = ("13a", "zh", "intl", "char", "ja-mecab", "ko-mecab", "flores101", "flores200")
SACREBLEU_TOKENIZERS = {**dict.fromkeys(WHITESPACE, "none"), **{name: name for name in _SACREBLEU}}
"""Tokenizers by the names that sacreBLEU, and libraries after it, give them."""

ELSEWHERE = ("tokenizer", "weights", "normalize_weights", "scale", "sentence", "plugins", *DESCRIPTIVE_KEYS)
"""Keys that matter by way of the tokens or the weights, which adapters look at, or not at all."""


def require_expressible(variant: Variant, **accepted: Collection[str | bool]) -> None:
    """Refuse a variant with a key that has neither the plain definition's value nor one that the library accepts."""
    for key, plain in bleukit.load(PLAIN).variant.fields().items():
        value = getattr(variant, key)
        name = value.name if isinstance(value, Component) else value
        if key not in ELSEWHERE and value != plain and name not in accepted.get(key, ()):
            raise CannotExpressError(f"{key}: {name}")


def order_of_equal_weights(variant: Variant) -> int:
    """Return the highest order, for libraries that weigh all orders alike."""
    weights = variant.weights_used
    if not all(math.isclose(weight, 1 / len(weights)) for weight in weights):
        raise CannotExpressError("weights: unequal ones")
    return len(weights)


def tokens_of(variant: Variant, text: Text) -> list[str]:
    """Return tokens, for libraries that leave tokenizing to others."""
    if not isinstance(text, str):
        return list(text)
    if variant.tokenizer.name not in WHITESPACE:
        raise CannotExpressError(f"tokenizer: {variant.tokenizer.name}")
    return text.split()


def sacrebleu_tokenizer(variant: Variant, hypotheses: Sequence[Text]) -> str:
    """Return sacreBLEU's name of the tokenizer that segments need, given as text or as tokens."""
    if not all(isinstance(hypothesis, str) for hypothesis in hypotheses):
        return "none"
    if variant.tokenizer.name not in SACREBLEU_TOKENIZERS or variant.tokenizer.options:
        raise CannotExpressError(f"tokenizer: {variant.tokenizer.name}")
    return SACREBLEU_TOKENIZERS[variant.tokenizer.name]


def spaced(tokens: Sequence[str]) -> str:
    """Return tokens as text, for libraries that split at white space."""
    text = " ".join(tokens)
    if text.split() != list(tokens):
        raise CannotExpressError("tokens: one is empty or holds white space")
    return text


def as_spaced_text(segment: Text) -> str:
    """Return a segment as text, for libraries that split at white space."""
    return segment if isinstance(segment, str) else spaced(segment)
