"""Self-BLEU, the similarity of texts: the mean score of each text with the others as references (Zhu et al. 2018).

Published definitions differ in the variant, in the references and in the choice of texts; plugins register them.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from bleukit.bleu import components
from bleukit.bleu.bleu import Bleu, bleu_of, load
from bleukit.bleu.hookspecs import SELF_BLEU
from bleukit.bleu.protocols import AmongTexts, CountsTable, SelfBleuDefinition
from bleukit.framework import arguments
from bleukit.framework.errors import InputError, InputTypeError, PluginError, one_line, reported_as, shown
from bleukit.framework.packed import Grouped, lengths_of
from bleukit.framework.registry import installed
from bleukit.framework.results import Result
from bleukit.pairs import counts, single_reference
from bleukit.pairs.matrix import TILE, matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from bleukit.bleu.bleu import VariantLike
    from bleukit.bleu.scorer import Scorer
    from bleukit.bleu.variant import VariantKeys
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.protocols import Text


@dataclass(frozen=True, eq=False)
class SelfBleu(Result):
    """The self-BLEU of ``texts`` texts, in the scale of the variant; ``seed`` is None unless texts were sampled."""

    value: float
    texts: int
    seed: int | None
    signature: str

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        sampled = "" if self.seed is None else f", sampled with seed {self.seed}"
        return f"self-BLEU {self.value:.4f} of {self.texts:,} texts{sampled}"


def self_bleu(  # noqa: PLR0913
    texts: Sequence[Text],
    definition: str | SelfBleuDefinition | Bleu,
    *,
    references: AmongTexts | None = None,
    first: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    **overrides: Unpack[VariantKeys],
) -> SelfBleu:
    """Return the mean score of each text, at level "sentence", with others as its references; two texts are needed.

    ``definition`` is the name of a published one (``bleukit plugins`` lists them), a SelfBleuDefinition, or a Bleu;
    ``overrides`` are keys of a variant, as :func:`bleukit.load` takes them: ``weights=5``.

    ``references`` says which texts are references of one: the "others", "all", which includes itself, both in time
    linear in the texts; or "later", which scores each text against each that comes later, alone, in quadratic time.
    ``first`` leaves out all texts but so many. Both are those of the definition unless they are given; for a Bleu they
    are the others of all texts. ``sample`` leaves out all texts but so many at random, by ``seed``.

    Raises VariantError for an unknown name or a wrong key, InputError for texts or arguments that are wrong.
    """
    bleu, published = _defined(definition, overrides)
    scorer, signature = bleu.scorer("sentence"), bleu.signature
    references = published.references if references is None else references
    first = published.first if first is None else first
    checked, tokenized = arguments.check_texts_or_tokens(texts, "texts")
    _check_numbers(sample=(sample, 2), first=(first, 2), seed=(seed, 0))
    _check_references(references)
    _check_several(checked)
    is_sampled = sample is not None and sample < len(checked)
    if is_sampled:
        chance = Random(seed)  # noqa: S311 - not for security, but for reproducible samples
        checked = [checked[place] for place in sorted(chance.sample(range(len(checked)), sample or 0))]
    checked = checked[:first]
    if references == "later":
        value = _mean_of_pairs(bleu, checked)
    else:
        tokens = single_reference.tokens_of_texts(scorer, checked, tokenized=tokenized)
        value = float(scores_of_tokens(scorer, tokens, itself=references == "all").mean())
    chosen = {"first": first, "sample": sample if is_sampled else None}
    written = [f"{name}={number}" for name, number in chosen.items() if number is not None]
    written += [f"seed={seed}"] if is_sampled else []
    signature += f"|self_bleu:{','.join([f'references={references}', *written])}"
    return SelfBleu(value, len(checked), seed if is_sampled else None, signature)


def self_bleu_scores(
    bleu: VariantLike, texts: Sequence[Text], *, references: AmongTexts = "others"
) -> NDArray[np.float64]:
    """Return the score of each text with all others as its references, or "all"; their mean is :func:`self_bleu`.

    ``bleu`` is a Bleu, or what :func:`bleukit.load` takes.
    """
    scorer = bleu_of(bleu).scorer("sentence")
    checked, tokenized = arguments.check_texts_or_tokens(texts, "texts")
    _check_references(references)
    if references == "later":
        raise InputError("references: with 'later', pairs are scored, not texts")
    _check_several(checked)
    tokens = single_reference.tokens_of_texts(scorer, checked, tokenized=tokenized)
    return scores_of_tokens(scorer, tokens, itself=references == "all")


def _defined(definition: str | SelfBleuDefinition | Bleu, overrides: VariantKeys) -> tuple[Bleu, SelfBleuDefinition]:
    """Return the Bleu of a definition with some keys changed, and the definition; of a Bleu, the plain one."""
    if isinstance(definition, Bleu):
        return load(definition.variant, **overrides) if overrides else definition, SelfBleuDefinition("", {})
    published = self_bleu_definition(definition) if isinstance(definition, str) else definition
    if not isinstance(published, SelfBleuDefinition):
        raise InputTypeError(f"definition: expected a name, a SelfBleuDefinition or a Bleu, got {shown(definition)}")
    keys: dict[str, Any] = {**published.keys, **overrides}
    return load(keys.pop("variant", None), **keys), published


def _check_numbers(**numbers: tuple[Any, int]) -> None:
    """Raise InputError or InputTypeError unless each number is None, or whole and not below its least value."""
    for name, (number, least) in numbers.items():
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            raise InputTypeError(f"{name}: expected a whole number, got {shown(number)}")
        if number is not None and number < least:
            raise InputError(f"{name}: expected at least {least}, got {number}")


def _check_several(texts: Sequence[Text]) -> None:
    if len(texts) < 2:
        raise InputError(f"texts: self-BLEU needs two or more, got {len(texts)}")


def _check_references(references: object) -> None:
    if references not in get_args(AmongTexts):
        expected = ", ".join(map(repr, get_args(AmongTexts)))
        raise InputError(f"references: expected one of {expected}, got {shown(references)}")


def _mean_of_pairs(bleu: Bleu, texts: Sequence[Text]) -> float:
    """Return the mean score over all pairs of a text with a later text as its reference."""
    total = 0.0
    for start in range(0, len(texts) - 1, TILE):
        scores = matrix(bleu, texts[start : start + TILE], texts[start + 1 :])
        total += float(np.triu(scores).sum())
    return total / (len(texts) * (len(texts) - 1) // 2)


def scores_of_tokens(scorer: Scorer, tokens: Sequence[Sequence[str]], *, itself: bool) -> NDArray[np.float64]:
    """Return the score of each text with all other texts, or with all texts including itself, as references."""
    lengths = np.array(lengths_of(tokens), np.int64)
    counter = scorer.loaded.components["counter"]
    matches, totals = counts.count_against_others(counter, tokens, scorer.max_order, itself=itself)
    effective = _effective_lengths(scorer.loaded.components["reference_length"], lengths, itself=itself)
    reference_tokens = np.full(len(lengths), lengths.sum()) if itself else lengths.sum() - lengths
    return single_reference.segment_scores(scorer, CountsTable(matches, totals, lengths, effective), reference_tokens)


def _effective_lengths(policy: LoadedComponent, lengths: NDArray[np.int64], *, itself: bool) -> NDArray[np.float64]:
    """Return the effective reference length of each text.

    It is computed once for all texts of one length if the policy promises ``order_independent``, or if all texts are
    the references of each.
    """
    if not itself and not policy.promise("order_independent"):
        places, kinds = np.arange(len(lengths)), np.arange(len(lengths))
    else:
        _, places, kinds = np.unique(lengths, return_index=True, return_inverse=True)
    by_kind = []
    for place in places:
        references = array("q", (lengths if itself else np.delete(lengths, place)).tobytes())
        own: Any = array("q", [int(lengths[place])])
        by_kind.append(components.reference_lengths(policy, own, Grouped(references, array("q", [len(references)])))[0])
    effective: NDArray[np.float64] = np.array(by_kind)[kinds.ravel()]
    return effective


def self_bleu_definition(name: str) -> SelfBleuDefinition:
    """Return the definition of self-BLEU of this name. Raises VariantError with the near misses."""
    registered = installed().find(SELF_BLEU, name, ("definition",))
    with reported_as(lambda error: PluginError(f"{name!r} of {registered.plugin} fails: {one_line(error)}")):
        definition = registered.value()
    if not isinstance(definition, SelfBleuDefinition):
        raise PluginError(f"{name!r} of {registered.plugin} is no SelfBleuDefinition but {definition!r:.60}")
    return definition
