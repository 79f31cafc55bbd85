"""What a variant gives for the input of a case, stage by stage; :mod:`.runner` judges it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.conformance.formula import plain_lower

import bleukit
from bleukit.bleu.bleu import bleu_from
from bleukit.bleu.statistics import Statistics
from bleukit.bleu.variant import Variant, from_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from bleukit.conformance.judging.cases import Case, CountsGiven

    from bleukit import Bleu, Score
    from bleukit.framework.protocols import Text

Source: TypeAlias = "str | Path | Variant | Mapping[str, Any]"
"""A variant: its name, the path of its YAML file, a Variant, or the components of one by kind, as YAML has them."""


class Refused(NamedTuple):
    """Why there is no result: ``key`` is that of the variant that is wrong or refuses the input, empty if none is.

    ``by_variant`` says that the variant itself cannot be used, whatever the input.
    """

    problem: str
    key: str = ""
    by_variant: bool = False


@dataclass(frozen=True)
class Observation:
    """What a variant gives: ``tokens`` of each text, in order: a hypothesis, its references, the next hypothesis.

    ``alone`` are the tokens of the first text by the tokenizer's call, which takes one text. ``lengths`` are those of
    the references of each segment, and ``rows`` the statistics. ``foreign`` are the kinds of components that are not
    bleukit's own.
    """

    variant: Variant | None = None
    foreign: AbstractSet[str] = frozenset()
    tokens: Sequence[Sequence[str]] = ()
    alone: Sequence[str] = ()
    lengths: Sequence[Sequence[int]] = ()
    rows: Statistics | None = None
    score: Score | None = None
    refused: Refused | None = None

    def scored(self, bleu: Bleu) -> Observation:
        """Return what a variant that counts like this one makes of the counts."""
        scored = replace(self, variant=bleu.variant, foreign=_foreign(bleu))
        if self.rows is None:
            return scored
        try:
            return replace(scored, score=bleu.score(self.rows))
        except (bleukit.InputError, bleukit.PluginError) as error:
            return replace(scored, refused=_refused(error))


def observe(case: Case, source: Source) -> Observation:
    """Return what a variant gives for a case, with the case's keys over it."""
    try:
        return observe_loaded(case, load_for(case, source))
    except bleukit.VariantError as error:
        return Observation(refused=Refused(str(error), key_at_fault(error), by_variant=True))


def observe_loaded(case: Case, bleu: Bleu) -> Observation:
    """Return the same for what was loaded for the case, or for one with the same keys."""
    return counted(case, bleu, tokenized(case, bleu)).scored(bleu)


def load_for(case: Case, source: Source) -> Bleu:
    """Load a variant with the keys of a case over it; no case lowercases, or averages, unless it says so.

    Raises VariantError if it cannot be used.
    """
    if isinstance(source, str | Path):
        variant = bleukit.load(source).variant
    else:
        source = variant = source if isinstance(source, Variant) else from_keys(source)
    plain: dict[str, Any] = {"lowercase": False, "average": "micro"}
    keys = {key: value for key, value in plain.items() if getattr(variant, key) != value} | case.set
    return bleu_from(source, keys)


def tokenized(case: Case, bleu: Bleu) -> Observation:
    """Return what the tokenizer of a variant gives for a case."""
    seen = Observation(bleu.variant, _foreign(bleu))
    texts = [text for pair in case.pairs for text in (pair.hypothesis, *pair.references)]
    try:
        tokens = [list(bleu.tokenize(text)) for text in texts if isinstance(text, str)]
        alone = split_alone(texts[0], bleu) if texts and isinstance(texts[0], str) else []
        lengths = [[_length(reference, bleu) for reference in pair.references] for pair in case.pairs]
        return replace(seen, tokens=tokens, alone=alone, lengths=lengths)
    except bleukit.PluginError as error:
        return replace(seen, refused=_refused(error))


def counted(case: Case, bleu: Bleu, seen: Observation) -> Observation:
    """Return what a variant counts for a case, beside what its tokenizer gives."""
    if seen.refused:
        return seen
    try:
        return replace(seen, rows=_statistics(case, bleu))
    except (bleukit.InputError, bleukit.PluginError) as error:
        return replace(seen, refused=_refused(error))


def _foreign(bleu: Bleu) -> AbstractSet[str]:
    return frozenset(kind for kind, component in bleu.components.items() if not component.plugin.is_built_in)


def _refused(error: Exception) -> Refused:
    return Refused(str(error), key_at_fault(error) if isinstance(error, bleukit.InputError) else "")


def key_at_fault(error: bleukit.VariantError | bleukit.InputError) -> str:
    """Return the key of the variant that an error is about, empty if it is about none."""
    return str(error.key[0]) if error.key else ""


def split_alone(text: str, bleu: Bleu) -> list[str]:
    """Return the tokens of a text by the tokenizer's call, which takes one text."""
    call, lowercase = bleu.components["tokenizer"].call, bleu.variant.lowercase
    if lowercase and hasattr(call, "lowercasing"):
        return list(call.lowercasing(lowercase)(text))
    return list(call(plain_lower(text, lowercase)))


def _length(reference: Text, bleu: Bleu) -> int:
    return len(bleu.tokenize(reference) if isinstance(reference, str) else reference)


def _statistics(case: Case, bleu: Bleu) -> Statistics:
    if case.counts is None:
        return bleu.statistics([pair.hypothesis for pair in case.pairs], [pair.references for pair in case.pairs])
    return statistics_of_counts(case.counts)


def statistics_of_counts(counts: CountsGiven) -> Statistics:
    """Return the statistics of one segment that has these counts."""
    return Statistics.of_segments(
        len(counts.matches),
        hypothesis_length=[counts.hypothesis_length],
        reference_length=[counts.reference_length],
        reference_tokens=[counts.reference_length],
        references=[1],
        matches=counts.matches,
        totals=counts.totals,
    )
