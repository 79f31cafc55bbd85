"""Which recipes give a published score of a text: named ones, and mixtures of all registered components."""

from __future__ import annotations

import math
import re
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import structs

from bleukit import scoring
from bleukit.counting import components
from bleukit.errors import BleukitError, InputError, shown
from bleukit.inspecting.shared_text import SharedText
from bleukit.loading import loader
from bleukit.loading.registry import HOOKS, installed
from bleukit.recipes.variant import Component, Variant
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from bleukit.counting.segments import Segments
    from bleukit.hookspecs import Counts, References, Text
    from bleukit.loading.registry import LoadedComponent, Registry
    from bleukit.statistics import Statistics

SCALES: tuple[Literal[100], Literal[1]] = (100, 1)

_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]{1,3})?", re.IGNORECASE)

MOST_REFERENCES = 4
"""Up to how many references all subsets of them are tried; of more, each alone and all together."""

Choice: TypeAlias = tuple[int, ...] | None
"""Which references of each segment to take, counted from 0; None for all."""


@dataclass(frozen=True)
class Figure:
    """A score as it was printed: the numbers from ``low`` up to, not including, ``high`` round to it."""

    text: str
    low: float
    high: float

    @classmethod
    def parse(cls, score: str | float) -> Figure:
        """Read a number of 0 to 100: 39.9 stands for 39.85 to 39.95. Raises InputError for anything else."""
        text = score.strip() if isinstance(score, str) else repr(score)
        number = Decimal(text) if _NUMBER.fullmatch(text) else Decimal(-1)
        if not 0 <= number <= 100:
            raise InputError(f"score: expected a number of 0 to 100, got {shown(score)}")
        half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
        return cls(text, float(number - half), float(number + half))

    def holds(self, value: float) -> bool:
        """Tell whether a value rounds to this figure; arithmetic's last digits do not count."""
        return self.low <= value < self.high or math.isclose(value, float(self.text), rel_tol=1e-13)


@dataclass(frozen=True)
class Candidate:
    """A recipe and what it gives: ``departs`` holds what it does otherwise than the named recipe ``nearest``.

    ``references`` says which references of each segment it uses, counted from 1, empty for all; ``value`` is in the
    recipe's scale.
    """

    variant: Variant
    nearest: str
    departs: Mapping[str, Any]
    references: tuple[int, ...]
    value: float

    @property
    def distance(self) -> int:
        """How many steps it is from the named recipe on all references; points or fractions are no difference."""
        return len(self.departs.keys() - {"scale"}) + bool(self.references)


@dataclass(frozen=True)
class Identification:
    """The recipes that give a figure, in ``groups`` that give one and the same score on this text.

    The most common come first: those nearest to a named recipe, and of these the default. ``tried`` counts recipes and
    choices of references. ``decimals`` is how many a figure of this scale would need to tell the first group from all
    others, None where there are none. ``closest`` is what comes nearest to the figure. ``left_out`` says which
    components and recipes could not be used, and why.
    """

    figure: Figure
    tried: int
    groups: tuple[tuple[Candidate, ...], ...]
    decimals: int | None
    closest: Candidate
    left_out: Mapping[str, str]


def identify(
    score: str | float,
    hypotheses: Sequence[Text],
    references: Sequence[References],
    *,
    registry: Registry | None = None,
    progress: Callable[[Sequence[Variant]], Iterable[Variant]] = iter,
) -> Identification:
    """Search the named recipes and all mixtures of components for those that give a score of a text.

    ``score`` is best given as a str, whose digits say how exact it is. Mixtures combine each tokenizer, case, counter,
    reference-length policy, smoothing (those that need no options) and effective order; all are tried with all subsets
    of the references and on both scales. ``registry`` is by default what is installed, and ``progress`` is handed the
    recipes to go through. Raises InputError for a figure that is no score, and for input that cannot be scored.
    """
    figure = Figure.parse(score)
    segments = arguments.check(hypotheses, references)
    if not segments.hypotheses:
        raise InputError("no segment to score")
    search = _Search(segments, registry or installed())
    found: list[Candidate] = []
    closest: tuple[float, Candidate] | None = None
    choices = _choices(search.text.references)
    for recipe in progress(search.recipes):
        for chosen in choices:
            points = search.value(recipe, chosen)
            if points is None:
                continue
            for scale in SCALES:
                value = points * scale / SCALES[0]
                miss = abs(value - float(figure.text))
                if figure.holds(value):
                    found.append(search.candidate(recipe, chosen, scale))
                if closest is None or miss < closest[0]:
                    closest = miss, search.candidate(recipe, chosen, scale)
    if closest is None:
        raise InputError("no recipe can score this text")
    groups = _grouped(found, search.order)
    tried = len(search.recipes) * len(choices)
    return Identification(figure, tried, groups, _decimals(groups), closest[1], search.left_out)


class _Search:
    """All recipes on one text; what they share is counted once."""

    def __init__(self, segments: Segments, registry: Registry) -> None:
        self.left_out: dict[str, str] = {}
        self._components: dict[tuple[str, Component], LoadedComponent] = {}
        self._named = dict(self._loaded(registry))
        known = {kind: list(self._creatable(registry, kind)) for kind in HOOKS}
        if segments.tokenized:  # no tokenizer is applied to tokens: one stands for all
            known["tokenizer"] = known["tokenizer"][:1]
        self.order = {name: number for number, name in enumerate(self._named)}
        in_points = [structs.replace(recipe, scale=SCALES[0]) for recipe in (*self._named.values(), *_mixtures(known))]
        self.recipes = list(dict.fromkeys(in_points))
        self.text = SharedText(segments, max(map(self._counted_order, self.recipes)))
        self._sums: dict[Hashable, Statistics] = {}
        self._precisions: dict[Hashable, Sequence[float] | None] = {}

    def value(self, recipe: Variant, references: Choice) -> float | None:
        """Return the score of the whole text, in the recipe's scale; None where the recipe cannot score it."""
        loaded = {kind: self._components[kind, getattr(recipe, kind)] for kind in HOOKS}
        counted = (recipe.tokenizer, recipe.counter, recipe.reference_length, recipe.lowercase, references)
        if counted not in self._sums:
            rows = self.text.statistics(loaded, lowercase=recipe.lowercase, references=references)
            self._sums[counted] = rows.sum()
        total = self._sums[counted]
        (counts,) = total.counts(len(recipe.weights))
        smoothed = (counted, recipe.smoothing, len(recipe.weights))
        if smoothed not in self._precisions:
            self._precisions[smoothed] = _precisions(loaded["smoothing"], counts)
        precisions = self._precisions[smoothed]
        if precisions is None:
            return None
        return scoring.value(recipe, precisions, counts, total.column("reference_tokens")[0])

    def candidate(self, recipe: Variant, references: Choice, scale: Literal[1, 100]) -> Candidate:
        """Return a recipe of a scale as people would write it: the nearest named one, and what departs from it."""
        recipe = structs.replace(recipe, scale=scale)
        value = self.value(recipe, references)
        assert value is not None, "what scores in points scores as a fraction"  # noqa: S101
        departures = {name: _departures(recipe, named) for name, named in self._named.items()}
        nearest = min(departures, key=lambda name: (len(departures[name].keys() - {"scale"}), self.order[name]))
        variant = structs.replace(self._named[nearest], **departures[nearest])
        chosen = tuple(reference + 1 for reference in references or ())
        return Candidate(variant, nearest, departures[nearest], chosen, value)

    def _counted_order(self, recipe: Variant) -> int:
        return components.counted_order(self._components["smoothing", recipe.smoothing], len(recipe.weights))

    def _loaded(self, registry: Registry) -> Iterator[tuple[str, Variant]]:
        """Return the named recipes that can be used, the default one first."""
        for name in sorted(registry.recipes, key=lambda name: (name != loader.default(), name)):
            with self._leaving_out(f"variant {name}"):
                loaded = loader.load(name, registry, {})
                self._components |= {(kind, part.choice): part for kind, part in loaded.components.items()}
                yield name, loaded.variant

    def _creatable(self, registry: Registry, kind: str) -> Iterator[Component]:
        """Return the components that need no options and can be used."""
        for name in sorted(registry.components[kind]):
            with self._leaving_out(f"{kind.replace('_', ' ')} {name}"):
                component = registry.create(kind, Component(name))
                self._components[kind, component.choice] = component
                yield component.choice

    @contextmanager
    def _leaving_out(self, what: str) -> Iterator[None]:
        """Remember what cannot be used, and why."""
        try:
            yield
        except BleukitError as error:
            self.left_out[what] = str(error)


def _precisions(smoothing: LoadedComponent, counts: Counts) -> Sequence[float] | None:
    """Return the precisions; None where the smoothing needs more than the text has."""
    try:
        return components.precisions(smoothing, [counts])[0]
    except InputError:
        return None


def _mixtures(known: Mapping[str, Sequence[Component]]) -> Iterator[Variant]:
    """Return all mixtures, those that share most next to each other."""
    for tokenizer, lowercase in product(known["tokenizer"], (False, True)):
        for counter, reference_length in product(known["counter"], known["reference_length"]):
            for smoothing, effective_order in product(known["smoothing"], (False, True)):
                yield Variant(
                    tokenizer=tokenizer,
                    counter=counter,
                    reference_length=reference_length,
                    smoothing=smoothing,
                    lowercase=lowercase,
                    effective_order=effective_order,
                )


def _choices(references: int | None) -> list[Choice]:
    """Return which references to take: all, and where every segment has as many, their subsets."""
    if references is None or references == 1:
        return [None]
    sizes = range(1, references) if references <= MOST_REFERENCES else [1]
    return [None, *chain.from_iterable(combinations(range(references), size) for size in sizes)]


def _departures(recipe: Variant, named: Variant) -> dict[str, Any]:
    """Return what a recipe does otherwise than a named one, as far as a text that is not empty can tell."""
    keys = (*HOOKS, "lowercase", "effective_order", "scale")
    departures = {key: getattr(recipe, key) for key in keys if getattr(recipe, key) != getattr(named, key)}
    if recipe.weights_used != named.weights_used:
        departures |= {"weights": recipe.weights, "normalize_weights": recipe.normalize_weights}
    return departures


def _grouped(found: Sequence[Candidate], order: Mapping[str, int]) -> tuple[tuple[Candidate, ...], ...]:
    """Put together what gives the same score, the most common first."""
    groups: dict[float, list[Candidate]] = {}
    for candidate in sorted(found, key=lambda c: (c.distance, order[c.nearest], repr(c.departs), c.references)):
        groups.setdefault(_rounded(candidate), []).append(candidate)
    return tuple(map(tuple, groups.values()))


def _rounded(candidate: Candidate) -> float:
    """Return the score without arithmetic's last digits."""
    return float(f"{candidate.value:.13g}")


def _decimals(groups: Sequence[Sequence[Candidate]]) -> int | None:
    """Return how many decimals tell the first group from all others."""
    values = [_rounded(group[0]) for group in groups]
    for decimals in range(14):
        if len(values) > 1 and all(round(values[0], decimals) != round(other, decimals) for other in values[1:]):
            return decimals
    return None
