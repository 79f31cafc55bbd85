"""How the score of a case follows, step by step, with what the case says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from bleukit.conformance.judging.observing import observe, statistics_of_counts
from bleukit.conformance.judging.runner import judge

import bleukit
from bleukit.explaining.derivation import Heading, Sentence, derive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.observing import Observation

    from bleukit.explaining.derivation import Step

SEGMENTS = 3
"""Of how many segments the n-grams are shown; the others are summed."""


def explain_case(case: Case, variant: str | Path) -> list[Step]:
    """Return the steps from the input of a case to its score by a variant, the keys of the case laid over it.

    Raises VariantError for a variant that is wrong, or that needs what is not installed.
    """
    if case.metric or case.law:
        raise bleukit.InputError(f"{case.id} is about {case.subject}, and only scores of BLEU are worked out")
    lowercase = bleukit.load(variant).variant.lowercase  # by the variant: elsewhere a case says so, or there is none
    asked = msgspec.structs.replace(case, set={"lowercase": lowercase, **case.set})
    seen = observe(asked, variant)
    steps: list[Step] = [Heading(f"{case.id}: {case.says}")]
    if seen.variant is None or seen.score is None:
        return [*steps, Sentence(f"It is refused: {seen.refused.problem if seen.refused else 'it gives no score'}.")]
    bleu = bleukit.load(seen.variant)
    if asked.counts:
        steps.append(Sentence("The case starts from counts."))
        statistics = statistics_of_counts(asked.counts)
    else:
        statistics = bleu.statistics([pair.hypothesis for pair in case.pairs], [pair.references for pair in case.pairs])
    segments = [(pair.hypothesis, pair.references) for pair in case.pairs[:SEGMENTS]]
    steps += derive(bleu, segments, bleu.score(statistics))
    steps += [*_stated(case, seen)]
    if case.erratum:
        steps.append(Sentence(f"Erratum: the document prints {case.erratum.printed}; {case.erratum.because}."))
    return steps


def _stated(case: Case, seen: Observation) -> Iterator[Step]:
    """Yield what the case states of the score, or why it states nothing for this variant."""
    variant = seen.variant
    assert variant is not None  # noqa: S101 - it was scored
    score = case.expected(case.exceptions(variant)).score
    unstated = () if case.variant else judge(case, seen).open
    if variant.lowercase and not case.variant and "lowercase" not in case.set:
        yield Sentence("The case states nothing of variants that lowercase.")
    elif unstated:
        yield Sentence(f"The case states nothing of the score for this variant: {'; '.join(unstated)}.")
    elif score is not None:
        yield Sentence(f"The case states {score}.")
