"""The variants that identify tries on a text: all named ones, and all mixtures of registered components."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bleukit.counting import components
from bleukit.errors import BleukitError, InputError
from bleukit.inspecting.summed_statistics import Axes
from bleukit.loading import creating, loader
from bleukit.loading.creating import Parameters
from bleukit.loading.manager import COMPONENT_HOOKS
from bleukit.metric import Bleu
from bleukit.variant import Component

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from bleukit.inspecting.summed_statistics import ReferenceChoice
    from bleukit.loading.creating import LoadedComponent
    from bleukit.loading.registry import Registry
    from bleukit.variant import Variant

MOST_REFERENCES = 4
"""The number of references up to which all their subsets are tried; of more, each alone and all together."""

ORDERS = (1, 2, 3, 4)
"""The highest n-gram orders that are tried with equal weights."""

OF_SUMS = ("tokenizer", "lowercase", "references", "counter", "reference_length")
"""The keys that determine the sums of a text; "references" is the choice among them, which no variant has."""

OF_RULES = ("smoothing", "effective_order", "weights", "brevity_penalty")
"""The keys that determine the score of the sums."""

KEYS = (*OF_SUMS, *OF_RULES)


class ScoringRule(NamedTuple):
    """What turns sums into a score: values of OF_RULES, with the components created."""

    smoothing: LoadedComponent
    effective_order: bool
    weights: tuple[float, ...]
    brevity_penalty: LoadedComponent


class SearchSpace:
    """The variants to try, by codes: arrays of shape (variants, keys) with an index in ``values`` for each of KEYS.

    ``references`` is the number of references of each segment, None if it varies. ``named`` holds the variants that can
    be used and score summed statistics: the ``registered`` ones, the default one first, then the ``further`` ones;
    ``averages`` holds those which average sentence scores. ``codes_of_named`` holds the codes of ``named``, with all
    references. ``rules`` are all scoring rules, of which each ``penalties`` neighbours differ in the brevity penalty
    alone. ``left_out`` maps the components and registered variants that cannot be used to the reasons. Raises
    InputError for a further variant that joins the segments of documents.
    """

    def __init__(
        self, registry: Registry, references: int | None, further: Mapping[str, Bleu], *, tokenized: bool
    ) -> None:
        self.left_out: dict[str, str] = {}
        self.registered = frozenset(registry.variants)
        bleus = dict(self._registered(registry))
        bleus.update((name, _of_segments(name, bleu)) for name, bleu in further.items())
        self.averages = {name: bleu for name, bleu in bleus.items() if bleu.variant.is_macro}
        self.named = {name: bleu for name, bleu in bleus.items() if name not in self.averages}
        self._components = {kind: self._usable(registry, kind, self.named.values()) for kind in COMPONENT_HOOKS}
        if tokenized:  # no tokenizer is applied to token lists: one stands for all
            self._components["tokenizer"] = self._components["tokenizer"][:1]
        variants = [bleu.variant for bleu in self.named.values()]
        self.values: dict[str, list[Any]] = {
            **{kind: [component.choice for component in usable] for kind, usable in self._components.items()},
            "lowercase": _distinct(False, True, *(variant.lowercase for variant in variants)),
            "references": _choices(references),
            "effective_order": [False, True],
            "weights": _distinct(
                *((1 / order,) * order for order in ORDERS), *(variant.weights_used for variant in variants)
            ),
        }
        self.codes_of_named = np.array([self._code(variant, tokenized=tokenized) for variant in variants], np.int16)
        # Tokenizing takes long: tokenizers with options are tried only with the case of the named variants.
        plain = [number for number, choice in enumerate(self.values["tokenizer"]) if tokenized or not choice.options]
        self._texts = _distinct(*product(plain, (0, 1)), *map(tuple, self.codes_of_named[:, :2].tolist()))
        choices = [self._components.get(key, self.values[key]) for key in OF_RULES]
        self.penalties = len(choices[-1])
        self.rules = [ScoringRule(*members) for members in product(*choices)]
        self._codes_of_rules = list(product(*(range(len(values)) for values in choices)))

    @property
    def axes(self) -> Axes:
        """The components and choices that are combined to sums."""
        tokenizers, cases = self._components["tokenizer"], self.values["lowercase"]
        return Axes(
            [(tokenizers[tokenizer], cases[case]) for tokenizer, case in self._texts],
            self.values["references"],
            self._components["counter"],
            self._components["reference_length"],
        )

    @cached_property
    def max_order(self) -> int:
        """The highest n-gram order to count."""
        orders = max(map(len, self.values["weights"]))
        return max(components.counted_order(smoothing, orders) for smoothing in self._components["smoothing"])

    def codes(self, rows: NDArray[np.int64], rules: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return the codes of variants, given the rows of their sums and the indices of their rules."""
        text, *others = np.unravel_index(rows, self.axes.shape)
        columns = [np.asarray(self._texts)[text], np.stack(others, axis=1), np.asarray(self._codes_of_rules)[rules]]
        return np.concatenate(columns, axis=1).astype(np.int16)

    def value(self, key: str, code: int) -> Any:
        """Return the value of a key for an index in a code; references are counted from 1, empty for all."""
        value = self.values[key][code]
        return tuple(number + 1 for number in value) if key == "references" else value

    def _code(self, variant: Variant, *, tokenized: bool) -> list[int]:
        own = {
            **{key: getattr(variant, key) for key in KEYS if key != "references"},
            "references": (),
            "weights": variant.weights_used,
        }
        if tokenized:
            own["tokenizer"] = self.values["tokenizer"][0]
        return [self.values[key].index(own[key]) for key in KEYS]

    def _registered(self, registry: Registry) -> Iterator[tuple[str, Bleu]]:
        """Yield the registered variants that can be used, the default one first."""
        for name in sorted(registry.variants, key=lambda name: (name != loader.DEFAULT, name)):
            with self._leaving_out(f"variant {name}"):
                yield name, _of_segments(name, Bleu(loader.load_variant(name, registry, {})))

    def _usable(self, registry: Registry, kind: str, named: Iterable[Bleu]) -> list[LoadedComponent]:
        """Return the components that can be used: those without required options, and those of named variants."""
        of_variants = {bleu.components[kind].choice: bleu.components[kind] for bleu in named}
        with_options = {choice.name for choice in of_variants if choice.options}
        usable: dict[Component, LoadedComponent] = {}
        for name, registered in sorted(registry.registered[kind].items()):
            if name in with_options and Parameters.of(registered.value).required:
                continue
            with self._leaving_out(f"{kind.replace('_', ' ')} {name}"):
                component = creating.create(registry, kind, Component(name))
                usable[component.choice] = component
        return list({**usable, **of_variants}.values())

    @contextmanager
    def _leaving_out(self, what: str) -> Iterator[None]:
        """Record a component or variant that cannot be used, and the reason."""
        try:
            yield
        except BleukitError as error:
            self.left_out[what] = str(error)


def _of_segments(name: str, bleu: Bleu) -> Bleu:
    if bleu.variant.join_documents:
        raise InputError(f"{name} joins the segments of each document, and here no documents are read")
    return bleu


def _distinct(*values: Any) -> list[Any]:
    return list(dict.fromkeys(values))


def _choices(references: int | None) -> list[ReferenceChoice]:
    """Return the choices of references to try: all, and subsets if each segment has as many."""
    if references is None:
        return [()]
    sizes = range(1, references) if references <= MOST_REFERENCES else [1]
    return [(), *chain.from_iterable(combinations(range(references), size) for size in sizes)]
