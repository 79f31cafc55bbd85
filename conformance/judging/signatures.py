"""Signatures, held to the variant: what they state, and what is read back from them, bleukit's own and other tools'."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bleukit
from bleukit.loading.signature import read_signature, written_signatures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit import Bleu, Variant

MODIFIED = " (modified)"


OVERRIDES: Sequence[Mapping[str, Any]] = (
    {},
    {"lowercase": True},
    {"lowercase": "ascii"},
    {"weights": 2},
    {"weights": [0.123456789, 0.3, 0.0, 0.2]},
    {"smoothing": {"name": "add-k", "k": 123.456}},
    {"smoothing": {"name": "floor", "value": 0.25}},
    {"smoothing": "none"},
    {"tokenizer": "intl"},
    {"effective_order": True},
    {"empty_score": 0.125},
)
"""Keys of a variant, some of which sacreBLEU's signature can state."""


def of_overrides(source: str) -> Iterator[str]:
    """Yield what is wrong with the signatures of a variant, given by name or file, and of others that start from it."""
    named = bleukit.load(source)
    if not named.variant.plugins:  # which a signature does not name
        for keys in OVERRIDES:
            with suppress(bleukit.VariantError):
                yield from differences(bleukit.load(source, **keys), named)


def differences(bleu: Bleu, named: Bleu) -> Iterator[str]:
    """Yield what is wrong with the signatures of a variant that started from a named one."""
    is_modified = bleu.variant not in {named.variant, named.sentence_variant}
    label = named.label if not is_modified else named.label.removesuffix(MODIFIED) + MODIFIED
    if bleu.label != label or f"variant:{label}|" not in bleu.signature:
        yield f"{bleu.label!r}, signed {bleu.signature!r}, is {label!r}"
    wanted = _as_signed(bleu.variant)
    signatures = {"bleukit": bleu.signature, **written_signatures(bleu.variant, 1)}
    for tool, signature in signatures.items():
        read = _as_signed(read_signature(signature).variant)
        if read != wanted:
            yield f"the signature of {tool}, {signature!r}, is read as {read}"
    if "sacrebleu" in signatures and (wrong := _not_as_sacrebleu(signatures["sacrebleu"], bleu)):
        yield f"the signature of sacrebleu, {signatures['sacrebleu']!r}, lacks {wrong}"


def _as_signed(variant: Variant) -> Variant:
    """Return the variant as a signature states it: with the weights that it uses, for one level."""
    return bleukit.load(variant, sentence={}, weights=list(variant.weights_used), normalize_weights=False).variant


def _not_as_sacrebleu(signature: str, bleu: Bleu) -> str:
    """Return the first field that is not as ``sacrebleu/metrics/bleu.py``, class BLEUSignature, writes it."""
    variant, values = bleu.variant, bleu.components["smoothing"].options.values()
    fields = (
        "nrefs:1",
        f"case:{'lc' if variant.lowercase else 'mixed'}",
        f"eff:{'yes' if variant.effective_order else 'no'}",
        f"tok:{'none' if variant.tokenizer.name == 'whitespace' else variant.tokenizer.name}",
        f"smooth:{variant.smoothing.name}" + "".join(f"[{value:.2f}]" for value in values),
    )
    written = signature.split("|")
    pairs = zip(fields, written, strict=False)
    return next((field for field, own in pairs if own != field and not own.startswith(f"{field}-")), "")
