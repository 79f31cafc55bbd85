"""Whether the cases notice when a key of a named variant changes: ``bleukit conform changes``.

Each key of each named variant is given every other registered value, one at a time: components and their options,
weights permuted, changed, fewer and more, each flag, what differs at sentence level. The cases for that variant must
notice.
A change that gives all texts the same scores is listed with the reason, after a search for a text that shows otherwise.
"""

from __future__ import annotations

import math
import random
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from bleukit.conformance.judging.named_variants import stage_differences

import bleukit
from bleukit.loading import creating, loader, manager, registry
from bleukit.plain import plain
from bleukit.variant import AT_SENTENCE_LEVEL, DESCRIPTIVE_KEYS, STANDARD, Component, Variant, from_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.conformance.judging.cases import Case, CaseDocument

    from bleukit import Bleu

SEARCHED = 100
"""How many generated corpora are tried on a change that is said to be without effect."""


SAME_COMPONENT = "these are two names of one component"
SAME_WEIGHTS = "the weights of the formula are the same to the last bit, divided by their sum or not"
TINY_LENGTHS = "the lengths that are added lower a score by at most a billionth of itself, within which numbers agree"
FACTS = (SAME_COMPONENT, SAME_WEIGHTS, TINY_LENGTHS)
"""Why a change has no effect if that was computed; for any other reason a text is searched that shows otherwise."""


@dataclass(frozen=True)
class NoEffect:
    """A change of a key to a value that changes no score if the variant has one of the components given; and why."""

    key: str
    value: Any
    components: Mapping[str, Sequence[Component | str]]
    """By kind; a name stands for the component with any options."""
    because: str
    of_sentences: bool = False
    """Whether it changes no score of a single segment only."""


def _named(*names: str) -> list[Component]:
    return list(map(Component, names))


NO_EFFECT = (
    *(
        NoEffect("join_documents", joined, {}, "no documents are given with texts in Python, each of which is one")
        for joined in (False, True)
    ),
    NoEffect(
        "effective_order",
        True,
        {"smoothing": ["mteval", "coco", "add-one", "e2e-metrics", "ignite-smooth1", "ignite-nltk_smooth2"]},
        "the smoothing gives an order without n-grams a precision, so that none is undefined",
    ),
    NoEffect(
        "effective_order",
        True,
        {"counter": _named("nltk")},
        "every total is at least 1, so that no precision is undefined",
    ),
    NoEffect(
        "effective_order",
        True,
        {"smoothing": [*_named("torchmetrics", "add-k"), Component("torchmetrics", {"smooth": True})]},
        "if a precision is undefined, no other is above 0",
    ),
    NoEffect(
        "effective_order",
        True,
        {"smoothing": _named("matlab"), "counter": _named("clipped")},
        "a segment lacks an order only if it has fewer words than weights, and then no precision is above 0",
        of_sentences=True,
    ),
    NoEffect(
        "smoothing",
        Component("nltk-method3"),
        {"smoothing": _named("exp"), "counter": _named("clipped")},
        "both halve at each order without a match; orders without n-grams come last, and a text without a matching "
        "unigram has no match",
    ),
    NoEffect(
        "smoothing",
        Component("nltk-method1"),
        {"smoothing": _named("floor"), "counter": _named("clipped")},
        "both put 0.1 matches for none; a text without a matching unigram has no match",
    ),
    NoEffect(
        "smoothing",
        Component("floor"),
        {"smoothing": _named("nltk-method1"), "counter": _named("nltk")},
        "both put 0.1 matches for none; a text without a matching unigram has no match",
    ),
    NoEffect(
        "smoothing",
        Component("ignite-smooth1"),
        {"smoothing": _named("nltk-method1"), "counter": _named("nltk")},
        "every total is at least 1, as the smoothing would make it",
    ),
    NoEffect(
        "brevity_penalty",
        STANDARD,
        {"brevity_penalty": [Component("added-lengths", {"added_to_hypothesis": 1e-15, "added_to_reference": 1e-9})]},
        TINY_LENGTHS,
    ),
    NoEffect("smoothing", Component("floor", {"value": 0.0}), {"smoothing": _named("none")}, "0 stands for 0"),
    NoEffect(
        "smoothing",
        Component("add-k", {"k": 0.0}),
        {"smoothing": _named("none")},
        "0 is added to matches and totals, and 0/0 stays undefined",
    ),
)


@dataclass(frozen=True)
class KeyChange:
    """One key of a named variant with another value: the case that notices it, or why no case can."""

    variant: str
    key: str
    value: Any
    noticed_by: str = ""
    without_effect: str = ""

    def __str__(self) -> str:
        return f"{self.variant} with {self.key}: {plain(self.value)}"


def changes_of(documents: Sequence[CaseDocument], name: str) -> Iterator[KeyChange]:
    """Yield each change of a named variant, and what comes of it. Raises VariantError for a wrong name."""
    variant = bleukit.load(name)
    cases = [case for document in documents for case in document.cases if case.variant == name]
    cases = [case for case in cases if not case.expect.error]  # those are about what a user sets
    cases.sort(key=lambda case: len(case.pairs))  # what takes long comes last
    for key, value in alternatives(variant.variant):
        changed = _with(variant.variant, key, value)
        noticed_by = next((case for case in cases if _notices(case, changed)), None)
        if noticed_by:  # try it first on the next change, which is much like this one
            cases.sort(key=lambda case: case is not noticed_by)
            yield KeyChange(name, key, value, noticed_by=noticed_by.id)
        else:
            reason = without_effect(variant.variant, changed)
            shown = reason and reason not in FACTS and witness(variant, _as_named(changed))
            yield KeyChange(name, key, value, without_effect="" if shown else reason)


def alternatives(variant: Variant) -> Iterator[tuple[str, Any]]:
    """Yield each key of a variant with each other value that it can have; not those that say what the variant is."""
    for key in Variant.__struct_fields__:
        if key not in {*DESCRIPTIVE_KEYS, "plugins"}:
            for other in _others(variant, key):
                yield key, other


def _with(variant: Variant, key: str, value: Any) -> Variant:
    """Return a variant with another value of a key; the score of empty texts is one of its scale."""
    fields = variant.fields()
    if key == "scale":
        fields["empty_score"] *= value / variant.scale
    return from_keys(fields | {key: value})


def _others(variant: Variant, key: str) -> Iterator[Any]:
    """Yield the values of one key that make a variant another one."""
    value = getattr(variant, key)
    others: Iterable[Any]
    if isinstance(value, Component):
        value, others = creating.without_defaults(registry.installed(), key, value), component_choices(key)
    else:
        others = _OTHERS[key](variant)
    for other in others:
        if repr(other) != repr(value):
            yield other


def without_effect(variant: Variant, changed: Variant, *, of_sentences: bool = False) -> str:
    """Return why a change of one key of a variant changes no score; empty if it does, or if nobody says so."""
    key, *others = (key for key, value in variant.fields().items() if repr(getattr(changed, key)) != repr(value))
    if others:  # what differed at sentence level no longer does
        return ""
    value = getattr(changed, key)
    if key == "sentence":
        return without_effect(variant.at_sentence_level(), changed.at_sentence_level(), of_sentences=True)
    if key in manager.COMPONENT_HOOKS and _created(key, value) is _created(key, getattr(variant, key)):
        return SAME_COMPONENT
    if "weights" in key and variant.weights_used == changed.weights_used:
        return SAME_WEIGHTS
    for known in NO_EFFECT:
        applies = of_sentences or not known.of_sentences
        if applies and (known.key, repr(known.value)) == (key, repr(value)) and _has(variant, known.components):
            return known.because
    return ""


def _created(kind: str, choice: Component) -> Any:
    return creating.create(registry.installed(), kind, choice).call


def witness(variant: Bleu, changed: Bleu) -> tuple[list[Any], list[Any]] | None:
    """Search for segments that a changed variant scores otherwise; return them, or None if none was found."""
    generator = random.Random(0)  # noqa: S311 - no secret, but the same segments each time
    for _ in range(SEARCHED):
        segments = _corpus(generator)
        if _scored(variant, *segments) != _scored(changed, *segments):
            return segments
    return None


def _notices(case: Case, changed: Variant) -> bool:
    """Return whether a case fails for the changed variant. What a user sets in it overrides the change."""
    try:
        return next(stage_differences(case, _as_named(changed, **case.set)), None) is not None
    except bleukit.InputError:  # it refuses what the variant scores
        return True


def _as_named(variant: Variant, **keys: Any) -> Bleu:
    """Return a variant under the name it has, as if that meant this; with keys that a user sets."""
    return bleukit.Bleu(loader.load_variant(variant, registry.installed(), keys)._replace(label=variant.name))


def _has(variant: Variant, components: Mapping[str, Sequence[Component | str]]) -> bool:
    return all(
        {getattr(variant, kind).name, creating.without_defaults(registry.installed(), kind, getattr(variant, kind))}
        & set(known)
        for kind, known in components.items()
    )


@cache
def component_choices(kind: str) -> tuple[Component, ...]:
    """Return each registered component of a kind that can be created, with each option at each other value, too."""
    installed = registry.installed()
    choices = []
    for name in sorted(installed.registered[kind]):
        with suppress(bleukit.VariantError):  # it needs options, or what is not installed
            options = creating.create(installed, kind, Component(name)).options
            for values in product(*map(_other_options, options.values())):
                with suppress(bleukit.VariantError):  # out of range
                    choices.append(
                        creating.create(
                            installed, kind, Component(name, dict(zip(options, values, strict=True)))
                        ).choice
                    )
    return tuple(choices)


def _other_options(value: Any) -> Sequence[Any]:
    """Return the value of an option, and others."""
    if isinstance(value, bool):
        return value, not value
    return (value, 0.0, value / 2, value * 2) if isinstance(value, int | float) else (value,)


def _weights(variant: Variant) -> Iterator[tuple[float, ...]]:
    weights = variant.weights
    number = len(weights)
    for i in range(number):
        yield tuple(float(order == i) for order in range(number))
        if number > 1:
            yield (*weights[:i], 0.0, *weights[i + 1 :])
        for j in range(i):
            swapped = list(weights)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield tuple(swapped)
            swapped[i], swapped[j] = weights[i] * 1.5, weights[j] - weights[i] / 2
            yield tuple(swapped)
    yield tuple(2 * weight for weight in weights)
    yield tuple(weight / 2 for weight in weights)
    yield (*weights, 0.0)
    for orders in range(1, 13):
        yield (1 / orders,) * orders


def _at_sentence_level(variant: Variant) -> Iterator[dict[str, Any]]:
    """Yield no difference at sentence level, and each key that can differ there with each other value."""
    yield {}
    there = variant.at_sentence_level()
    for key in AT_SENTENCE_LEVEL:
        for other in _others(there, key):
            yield from_keys(variant.fields() | {"sentence": variant.sentence | {key: other}}).sentence


_FLAG = (False, True)
_OTHERS: dict[str, Callable[[Variant], Iterable[Any]]] = {
    "weights": _weights,
    "normalize_weights": lambda _: _FLAG,
    "lowercase": lambda _: (*_FLAG, "ascii"),
    "join_documents": lambda _: _FLAG,
    "effective_order": lambda _: _FLAG,
    "empty_score": lambda variant: (0.0, variant.scale / 2, float(variant.scale), math.nan),
    "average": lambda _: ("micro", "macro", "macro-with-final-newline"),
    "sentence": _at_sentence_level,
    "scale": lambda _: (1, 100),
}

_WORDS = [
    *["a", "b", "c", "d", "e", "A", "É", "ΣΑΣ", "ß", "İ", "e\u0301", "猫", "が", "가", "👍🏽"],
    *["a\u00a0b", "a\u2003b", "a\x1cb", "a\u2028b", "a\u205fb", "a\u0085b", "-\n", "a-\nb", "<skipped>"],
    *["1.5", "1,000", "a.", ".5", "5.", "3-4", "½", "٣.٤", "€", "$5", "-", "--", "—", "(x)", "“q”", "«", "!"],
    *["well-known", "don't", "&amp;", "&quot;", "&apos;", "&lt;b&gt;", "@you_2", "#tag", "https://example.org", ":-)"],
    *["<unk>", "<pad>", "</s>"],
]
"""What tokenizers, counters and lowercasing treat in different ways."""


def _corpus(generator: random.Random) -> tuple[list[Any], list[Any]]:
    """Return segments that differ a little from their references, often of few words, so that n-grams coincide."""
    hypotheses, references = [], []
    for _ in range(generator.choice([1, 1, 2, 3])):
        words = _WORDS[:5] if generator.random() < 0.6 else _WORDS
        hypothesis = generator.choices(words, k=generator.choice([0, 1, 2, 3, 4, 5, 9]))
        hypotheses.append(hypothesis)
        references.append([_changed(generator, hypothesis, words) for _ in range(generator.choice([1, 1, 2, 3]))])
    if generator.random() < 0.5:
        return hypotheses, references
    return list(map(" ".join, hypotheses)), [list(map(" ".join, group)) for group in references]


def _changed(generator: random.Random, words: Sequence[str], others: Sequence[str]) -> list[str]:
    kept = [word if generator.random() > 0.2 else generator.choice(others) for word in words]
    if generator.random() < 0.2:
        kept = list(map(str.swapcase, kept))
    return kept[generator.choice([0, 0, 1]) :] + generator.choices(others, k=generator.choice([0, 0, 1, 2]))


def _scored(bleu: Bleu, hypotheses: list[Any], references: list[Any]) -> str:
    """Return the scores of segments, at both levels, in a form in which NaN equals NaN."""
    rows = bleu.statistics(hypotheses, references)
    try:
        scores = [bleu.score(rows), *bleu.scores(rows, level="sentence")]
    except bleukit.InputError as error:
        return str(error)
    stages = [(s.value, s.precisions, s.matches, s.totals, s.hypothesis_length, s.reference_length) for s in scores]
    return repr(stages)
