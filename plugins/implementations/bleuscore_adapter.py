"""bleuscore: ``compute``, after the BLEU of Hugging Face's evaluate, in Rust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.built_in.implementations.mapping import order_of_equal_weights, require_expressible, spaced, tokens_of

from bleukit.plugin import CannotExpressError, Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence


TOKENIZERS = ("evaluate", "13a")
"""What it applies to all texts, and the same of texts that do not end in a hyphen and a line feed."""


class Bleuscore:
    """Tokenizes all that it is given, and weighs all orders alike. Its ``smooth`` adds 1 at order 1 too: no variant's.

    Its default reference length is the shortest, so it is always passed explicitly.
    """

    def __init__(self) -> None:
        import bleuscore

        self._bleuscore = bleuscore

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, reference_length=["shortest"])
        texts = [self._text(variant, hypothesis) for hypothesis in hypotheses]
        said = self._bleuscore.compute(
            [[self._text(variant, reference) for reference in group] for group in references],
            texts,
            max_order=order_of_equal_weights(variant),
            ref_len_method=variant.reference_length.name,
        )
        return Reported(
            tokens=self._bleuscore.tokenizer_13a(texts[0]) if len(texts) == 1 else None,
            precisions=said["precisions"],
            hypothesis_length=said["translation_length"],
            reference_length=said["reference_length"],
            brevity_penalty=said["brevity_penalty"],
            score=said["bleu"],
        )

    def _text(self, variant: Variant, segment: Text) -> str:
        """Return a text of which its tokenizer makes the tokens that the variant asks for."""
        if isinstance(segment, str) and variant.tokenizer.name in TOKENIZERS:
            return segment
        tokens = tokens_of(variant, segment)
        text = spaced(tokens)
        if self._bleuscore.tokenizer_13a(text) != tokens:
            raise CannotExpressError(f"tokens: its tokenizer, {TOKENIZERS[0]}, makes others of them")
        return text
