"""fast-bleu: ``BLEU``, NLTK's in C++, which scores hypotheses one by one against the same references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.built_in.implementations.mapping import require_expressible, tokens_of

from bleukit.plugin import CannotExpressError, Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence


METHODS = {"none": 0, "nltk-method0": 0, "nltk-method1": 1}


class FastBleu:
    """Takes tokens of one segment. Which weights it takes is left to its own check."""

    def __init__(self) -> None:
        from fast_bleu import BLEU

        self._bleu = BLEU

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, counter=["nltk"], smoothing=METHODS)
        if variant.smoothing.options:
            raise CannotExpressError("smoothing: options")
        if len(hypotheses) > 1:
            raise CannotExpressError("input: several segments")
        (hypothesis,), (group,) = hypotheses, references
        weights = {"all": variant.weights_used}
        tokens = [tokens_of(variant, reference) for reference in group]
        try:
            bleu = self._bleu(tokens, weights, smoothing_func=METHODS[variant.smoothing.name])
        except AssertionError as error:  # it wants two or more, one in sum
            raise CannotExpressError("weights: its own check refuses them") from error
        (score,) = bleu.get_score([tokens_of(variant, hypothesis)])["all"]
        return Reported(score=score)
