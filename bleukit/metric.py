"""From text to score, in the order in which it happens: check, tokenize, count, sum, score."""

from __future__ import annotations

import json
import math
from array import array
from functools import cached_property
from importlib import metadata
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from bleukit import components, inputs, loading, registry
from bleukit.errors import InputError
from bleukit.hookspecs import PROJECT
from bleukit.scoring import Score, brevity_penalty, geometric_mean
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.hookspecs import Counts
    from bleukit.inputs import References, Segments, Text
    from bleukit.loading import Loaded
    from bleukit.variant import Variant

SHARD = 2048
"""How many segments are tokenized and counted at a time: what bounds the memory that tokens take."""


def load(source: str | PathLike[str] | Variant | None = None, **overrides: Any) -> Bleu:
    """Return the BLEU that a recipe describes, ready to score.

    ``source`` is a recipe's name (``bleukit variants`` lists them), the path of a YAML file, or a Variant;
    ``overrides`` are keys of a recipe: ``load("nltk", smoothing="nltk-method3", weights=[0.5, 0.5])``. Raises
    VariantError where the recipe is wrong, PluginError where a plugin is.
    """
    return Bleu(loading.load(source, registry.installed(), overrides))


class Bleu:
    """One BLEU variant, ready to score; made by :func:`load`.

    ``hypotheses`` is a sequence of str, or of token lists, to which the tokenizer is not applied. ``references[i]``
    holds the references of hypothesis i: one, or a sequence of them. All methods raise InputError (a ValueError), or
    its subclass InputTypeError (a TypeError too), that names the argument and the index at fault; and PluginError where
    a component breaks its contract.
    """

    def __init__(self, loaded: Loaded) -> None:
        self.variant = loaded.variant
        self._label = loaded.label
        self._components = loaded.components
        self._tokenizer = loaded.components["tokenizer"]
        self._counter = loaded.components["counter"]
        self._reference_length = loaded.components["reference_length"]
        self._smoothing = loaded.components["smoothing"]
        self._weights = _weights(loaded.variant)
        counted_order = getattr(self._smoothing.call, "counted_order", lambda max_order: max_order)
        self._max_order: int = max(len(self._weights), counted_order(len(self._weights)))

    def corpus(self, hypotheses: Sequence[Text], references: Sequence[References], *, threads: int = 1) -> Score:
        """Return the score of all segments together. At least one is needed."""
        return self.score(self.statistics(hypotheses, references, threads=threads))

    def sentence(self, hypothesis: Text, references: References, *, threads: int = 1) -> Score:
        """Return the score of one segment, against one reference or a sequence of them."""
        inputs.check_threads(threads)
        return self.score(self._rows(inputs.check_segment(hypothesis, references)))

    def sentences(
        self, hypotheses: Sequence[Text], references: Sequence[References], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Return the score of each segment: shape (segments,), in the scale of the variant."""
        import numpy as np

        scores = self.scores(self.statistics(hypotheses, references, threads=threads))
        return np.array([score.value for score in scores], np.float64)

    def statistics(
        self, hypotheses: Sequence[Text], references: Sequence[References], *, threads: int = 1
    ) -> Statistics:
        """Return the sufficient statistics, one row a segment. They are the same whatever the number of threads."""
        inputs.check_threads(threads)
        shards = list(_shards(inputs.check(hypotheses, references)))
        rows = _in_threads(self._rows, shards, threads) if threads > 1 else map(self._rows, shards)
        return Statistics.concatenate([Statistics.empty(self._max_order), *rows])

    def score(self, statistics: Statistics) -> Score:
        """Return the score of the sum of all rows; at least one segment is needed."""
        if not len(statistics):
            raise InputError("no segment to score")
        return self.scores(statistics.sum())[0]

    def scores(self, statistics: Statistics) -> list[Score]:
        """Return the score of each row: everything right of the sum."""
        if not len(statistics):
            return []
        units = statistics.counts(len(self._weights))
        precisions = components.precisions(self._smoothing, units)
        return [self._score(*row) for row in zip(units, precisions, statistics.rows(), strict=True)]

    def tokenize(self, text: str) -> Sequence[str]:
        """Return the tokens that the variant counts in a text, lowercased where it lowercases."""
        if not isinstance(text, str):
            raise inputs.InputTypeError(f"text: expected a str, got {type(text).__name__}")
        return self._tokens([text])[0]

    def signature(self, fewest_references: int, most_references: int) -> str:
        """Return, on one line, everything needed to reproduce a score against so many references a segment."""
        several = f"-{most_references}" if most_references != fewest_references else ""
        return f"variant:{self._label}|references:{fewest_references}{several}|{self._recipe_signature}"

    @cached_property
    def _recipe_signature(self) -> str:
        recipe = self.variant
        fields = {
            **{kind: _described(component.name, component.options) for kind, component in self._components.items()},
            "weights": ",".join(map(repr, self._weights)),
            "case": "lower" if recipe.lowercase else "mixed",
            "effective_order": "yes" if recipe.effective_order else "no",
            "empty_score": f"{recipe.empty_score:g}",
            "scale": str(recipe.scale),
            PROJECT: metadata.version(PROJECT),
        }
        for component in self._components.values():
            if component.plugin.distribution != PROJECT:
                fields[component.plugin.distribution or component.plugin.module] = component.plugin.version or "unknown"
            for distribution in getattr(component.call, "distributions", ()):
                fields[distribution] = metadata.version(distribution)
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    def _rows(self, segments: Segments) -> Statistics:
        """Everything left of the sum: tokenize and count the segments of one shard."""
        per_segment = [len(group) for group in segments.references]
        hypotheses = self._tokens(segments.hypotheses, tokenized=segments.tokenized)
        flat = iter(self._tokens(list(chain.from_iterable(segments.references)), tokenized=segments.tokenized))
        references = [list(islice(flat, many)) for many in per_segment]
        hypothesis_lengths = [len(tokens) for tokens in hypotheses]
        lengths = [[len(tokens) for tokens in group] for group in references]

        columns = zip(
            hypothesis_lengths,
            components.reference_lengths(self._reference_length, hypothesis_lengths, lengths),
            map(sum, lengths),
            per_segment,
            components.count(self._counter, hypotheses, references, self._max_order),
            strict=True,
        )
        rows = array("d")
        for length, effective, reference_tokens, many, (matches, totals) in columns:
            rows.extend((1, length, effective, reference_tokens, many, many, *matches, *totals))
        return Statistics(self._max_order, rows)

    def _tokens(self, texts: Sequence[Text], *, tokenized: bool = False) -> Sequence[Sequence[str]]:
        if self.variant.lowercase:
            texts = [[t.lower() for t in text] if tokenized else text.lower() for text in texts]  # type: ignore[union-attr]
        return texts if tokenized else components.tokenize(self._tokenizer, texts)

    def _score(self, counts: Counts, precisions: tuple[float, ...], columns: tuple[float, ...]) -> Score:
        """The formula: scale · BP · exp(Σ w_n log p_n)."""
        segments, _, _, reference_tokens, fewest, most = map(int, columns)
        recipe = self.variant
        penalty = brevity_penalty(counts.hypothesis_length, counts.reference_length)
        if counts.hypothesis_length == reference_tokens == 0:
            value = recipe.empty_score
        else:
            value = penalty * geometric_mean(
                precisions, self._weights, effective_order=recipe.effective_order, scale=recipe.scale
            )
        return Score(
            value=value,
            precisions=precisions,
            matches=tuple(counts.matches),
            totals=tuple(counts.totals),
            brevity_penalty=penalty,
            hypothesis_length=counts.hypothesis_length,
            reference_length=counts.reference_length,
            segments=segments,
            variant=self._label,
            signature=self.signature(fewest, most),
        )


def _weights(recipe: Variant) -> tuple[float, ...]:
    if not recipe.normalize_weights:
        return recipe.weights
    largest = max(recipe.weights)  # divided out first, so that a sum of huge weights does not overflow
    total = math.fsum(weight / largest for weight in recipe.weights)
    return tuple(weight / largest / total for weight in recipe.weights)


def _shards(segments: Segments) -> Iterator[Segments]:
    for start in range(0, len(segments.hypotheses), SHARD):
        shard = slice(start, start + SHARD)
        yield inputs.Segments(segments.hypotheses[shard], segments.references[shard], segments.tokenized)


def _in_threads(function: Callable[[Segments], Statistics], shards: list[Segments], threads: int) -> list[Statistics]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, shards))


def _described(name: str, options: Any) -> str:
    written = ",".join(f"{key}={json.dumps(value, default=str)}" for key, value in options.items())
    return f"{name}({written})" if written else name
