"""What else may give a published score, if no variant gives it as the score of the text: common slips.

Only named variants are tried, because among many candidates some fit any number.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleukit.errors import InputError
from bleukit.inspecting.phrases import listed, setting
from bleukit.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.counting.segment_columns import Segments
    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.inspecting.published_score import PublishedScore
    from bleukit.inspecting.summed_statistics import ReferenceChoice
    from bleukit.metric import Bleu
    from bleukit.protocols import Text

MACRO, MEAN, SWAPPED, CHARACTERS = "macro", "mean", "swapped", "characters"
WHOLE, SINGLE = "one segment", "single segment"

_IN_WORDS = {
    MACRO: "the score of {}, a mean of sentence scores",
    MEAN: "the mean of the sentence scores of {}",
    SWAPPED: "the score of {} with hypotheses and references swapped",
    CHARACTERS: "the score of {} with each character as a token",
    WHOLE: "the score of {} with the whole text as one segment",
    SINGLE: "the sentence score of {} for segment {} alone",
}


@dataclass(frozen=True, eq=False, repr=False)
class OtherCalculation(Result):
    """A score that is no score of summed statistics, but gives the published one, ``figure`` as it was printed.

    ``calculation`` is "macro" (the score of a variant that averages sentence scores), "mean" (of the sentence scores of
    another one), "swapped" (hypotheses and references), "characters" (each is a token, as for strings in place of token
    lists), "one segment" (the whole text is one) or "single segment" (the sentence score of ``segment``, counted from
    1). ``variants`` are the named variants that give it, with the same
    ``value``, which is in points or a fraction: ``scale`` is 100 or 1. ``references`` are the references of each
    segment that it uses, counted from 1, empty for all.
    """

    figure: str
    calculation: str
    segment: int | None
    variants: tuple[str, ...]
    references: tuple[int, ...]
    scale: int
    value: float

    def __str__(self) -> str:
        """Return it as a sentence: "6.12 is the mean of the sentence scores of nltk"."""
        words = _IN_WORDS[self.calculation].format(listed(self.variants), self.segment)
        chosen = f", {setting('references', [self.references])}" if self.references else ""
        return f"{self.figure} is {words}{chosen}"

    def __repr__(self) -> str:
        return f"<OtherCalculation {self}: {self.value!r}>"


def other_calculations(
    figure: PublishedScore, named: Mapping[str, Bleu], choices: Sequence[ReferenceChoice], read: SegmentsReader
) -> tuple[OtherCalculation, ...]:
    """Return what gives a published score otherwise, single segments last.

    ``named`` are the variants to try, ``choices`` those of the references, as in the search space.
    """
    variants: dict[tuple[str, int | None, tuple[int, ...], int, str], list[tuple[str, float]]] = {}
    for name, bleu in named.items():
        text = read(bleu.components["tokenizer"])
        for choice in choices:
            for calculation, values in _values(bleu, _Text.of(text, choice)):
                before = np.zeros(len(values), bool)
                for scale in figure.scales:
                    scaled = values * (scale / bleu.variant.scale)
                    held = figure.holds(scaled, scale) & ~before  # 0 is the same in both scales
                    before |= held
                    for place in np.flatnonzero(held).tolist():
                        segment = place + 1 if calculation == SINGLE else None
                        references = tuple(number + 1 for number in choice)
                        value = float(scaled[place])
                        key = calculation, segment, references, scale, f"{value:.13g}"  # without rounding errors
                        variants.setdefault(key, []).append((name, value))
    order = {calculation: place for place, calculation in enumerate(_IN_WORDS)}
    return tuple(
        OtherCalculation(
            figure.text, calculation, segment, tuple(name for name, _ in giving), references, scale, giving[0][1]
        )
        for (calculation, segment, references, scale, _), giving in sorted(
            variants.items(), key=lambda item: (order[item[0][0]], item[0][1] or 0)
        )
    )


class _Text(NamedTuple):
    """Texts or token lists, with the chosen references."""

    hypotheses: Sequence[Text]
    references: Sequence[Sequence[Text]]
    tokenized: bool

    @classmethod
    def of(cls, text: Segments, choice: ReferenceChoice) -> _Text:
        groups = list(text.references)
        return cls(
            text.hypotheses, [[group[i] for i in choice] if choice else group for group in groups], text.tokenized
        )


def _values(bleu: Bleu, text: _Text) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield each calculation with its values: one, or one per segment. What a variant cannot score is left out."""
    hypotheses, references, tokenized = text
    if bleu.variant.is_macro:
        with suppress(InputError):
            yield MACRO, np.array([bleu.corpus(hypotheses, references, references_by="segment").value])
        return
    with suppress(InputError):
        sentences = bleu.sentences(hypotheses, references, references_by="segment")
        yield MEAN, sentences.mean(keepdims=True)
        if len(sentences) > 1:
            yield SINGLE, sentences
    others: list[tuple[str, Sequence[Text], Sequence[Sequence[Text]]]] = []
    if all(len(group) == 1 for group in references):
        others.append((SWAPPED, [group[0] for group in references], [[hypothesis] for hypothesis in hypotheses]))
    if not tokenized:
        others.append((CHARACTERS, list(map(list, hypotheses)), [list(map(list, group)) for group in references]))
    if len({len(group) for group in references}) == 1 < len(hypotheses):
        others.append((WHOLE, [_joined(hypotheses)], [list(map(_joined, zip(*references, strict=True)))]))
    for calculation, ours, theirs in others:
        with suppress(InputError):
            yield calculation, np.array([bleu.corpus(ours, theirs, references_by="segment").value])


def _joined(texts: Sequence[Text]) -> Text:
    if isinstance(texts[0], str):
        return " ".join(map(str, texts))
    return list(chain.from_iterable(texts))
