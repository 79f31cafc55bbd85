"""The variant: which components, which weights, which rules make up one BLEU variant; its schema and its YAML."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

import msgspec
from msgspec import Meta, structs

from bleukit.framework import yaml_document
from bleukit.framework.errors import NAME, Key, VariantError, near_misses, shown
from bleukit.framework.options import Component, checked
from bleukit.framework.plain import plain

MAX_ORDER = 100
"""The highest n-gram order that a variant can weigh: far above any in use, and below any that exhausts a machine."""

DESCRIPTIVE_KEYS = ("name", "description", "source", "used_by", "field")
"""The keys that describe a variant and change no score."""

AT_SENTENCE_LEVEL = ("smoothing", "brevity_penalty", "weights", "normalize_weights", "effective_order", "empty_score")
"""The keys that a variant may set otherwise at sentence level: none of them changes the statistics."""

OTHER_NAMES = {
    **dict.fromkeys(("n_gram", "ngram_order", "max_order", "max_ngram_order"), "`weights`, the number of orders"),
    **dict.fromkeys(("smooth", "smooth_method", "smoothing_function"), "`smoothing`"),
    **dict.fromkeys(("smooth_value", "k"), "an option of `smoothing`: {name: add-k, k: 1}"),
    **dict.fromkeys(("tokenize", "tok"), "`tokenizer`"),
    **dict.fromkeys(("lc", "case"), "`lowercase`"),
}
"""The parameters of other libraries, and the keys that do the same here."""

Weight: TypeAlias = Annotated[float, Meta(ge=0)]


STANDARD = Component("standard")
"""The brevity penalty of a variant that names none: that of Papineni et al. 2002."""


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False, dict=True):
    """One BLEU variant. Two variants are equal when they print the same YAML, their names aside."""

    name: Annotated[
        str, Meta(description="what the variant is called: letters, digits and ._+-", pattern=f"^({NAME.pattern})?$")
    ] = ""
    description: Annotated[str, Meta(description="what the variant is, in one line")] = ""
    source: Annotated[str, Meta(description="where its definition comes from")] = ""
    used_by: Annotated[str, Meta(description="who reports it, since when, in one line")] = ""
    field: Annotated[str, Meta(description="the field in which it is reported; lists group variants by it")] = ""
    tokenizer: Annotated[Component, Meta(description="text to tokens")]
    counter: Annotated[Component, Meta(description="tokens to matches and totals of each n-gram order")]
    reference_length: Annotated[Component, Meta(description="the effective reference length of a segment")]
    smoothing: Annotated[Component, Meta(description="counts to precisions")]
    brevity_penalty: Annotated[Component, Meta(description="summed lengths to a factor of the score")] = msgspec.field(
        default_factory=lambda: STANDARD
    )  # a default itself would have to be in the JSON Schema
    weights: Annotated[
        tuple[Weight, ...],
        Meta(
            min_length=1,
            max_length=MAX_ORDER,
            description="one weight per order; their number is the highest n-gram order. 4 means four equal weights",
            extra_json_schema={"contains": {"exclusiveMinimum": 0}},
        ),
    ] = (0.25, 0.25, 0.25, 0.25)
    normalize_weights: Annotated[bool, Meta(description="divide the weights by their sum")] = False
    lowercase: Annotated[
        bool | Literal["ascii"],
        Meta(description="lowercase the text: true by Unicode, ascii only A to Z, false not at all"),
    ] = False
    join_documents: Annotated[
        bool, Meta(description="join the segments of each document by a space, before they are tokenized")
    ] = False
    effective_order: Annotated[
        bool, Meta(description="undefined orders drop out and the remaining weights are renormalised")
    ] = False
    empty_score: Annotated[
        float,
        Meta(
            description="the score when hypothesis and references are all empty: 0 to scale, or .nan",
            extra_json_schema={"minimum": 0, "maximum": 100},
        ),
    ] = 0.0
    average: Annotated[
        Literal["micro", "macro", "macro-with-final-newline"],
        Meta(
            description="what scores a corpus or a document: micro, its summed statistics; macro, the mean of its "
            "sentence scores; macro-with-final-newline, that mean with one more pair of empty texts, as programs "
            "compute it that split files at newlines"
        ),
    ] = "micro"
    sentence: Annotated[
        dict[str, Any],
        Meta(
            description="what the library does differently at sentence level: keys of the variant that do not change "
            f"the statistics ({', '.join(AT_SENTENCE_LEVEL)}); an override of one of these keys applies at all levels"
        ),
    ] = {}
    scale: Annotated[Literal[1, 100], Meta(description="the score of a perfect match")] = 1
    plugins: Annotated[
        tuple[str, ...],
        Meta(description="modules to load in addition to installed plugins; they run code, so trust their authors"),
    ] = ()

    @property
    def is_macro(self) -> bool:
        """Whether the score of a corpus or a document is the mean of its sentence scores."""
        return self.average != "micro"

    @property
    def weights_used(self) -> tuple[float, ...]:
        """The weights of the formula, normalised if the variant says so."""
        if not self.normalize_weights:
            return self.weights
        total = math.fsum(self.weights)
        return tuple(weight / total for weight in self.weights)

    @property
    def note_of_weights(self) -> str:
        """What to know of weights that sum to something else than 1; empty if they sum to 1."""
        total = math.fsum(self.weights_used)
        if math.isclose(total, 1):
            return ""
        used = "are used as they are; normalize_weights=true divides them by their sum"
        return f"the weights sum to {total:.6g}, not 1, and {used}"

    def fields(self) -> dict[str, Any]:
        """Return the keys of the variant with their values."""
        return {field: getattr(self, field) for field in self.__struct_fields__}

    def to_dict(self) -> dict[str, Any]:
        """Return the variant as plain data, as in a variant file; it loads to an equal variant."""
        return {key: plain(value) for key, value in self.fields().items()}

    def to_yaml(self) -> str:
        """Return the whole variant as YAML; it loads to an equal variant."""
        return yaml_document.dump(self.to_dict())

    def at_sentence_level(self) -> Variant:
        """Return the variant that scores single segments: this one, with the keys under ``sentence`` laid over it."""
        return from_keys({**self.fields(), **self.sentence, "sentence": {}}) if self.sentence else self

    @cached_property
    def _identity(self) -> tuple[Any, ...]:
        at_sentence_level = {f"sentence.{key}": value for key, value in self.sentence.items()}
        keys = {**self.fields(), "sentence": None, **at_sentence_level}
        return tuple((key, _comparable(value)) for key, value in keys.items() if key not in DESCRIPTIVE_KEYS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and self._identity == other._identity

    def __ne__(self, other: object) -> bool:  # Struct brings one of its own, which would compare all fields
        return not self == other

    def __hash__(self) -> int:
        return hash(self._identity)


def _comparable(value: Any) -> Any:
    """Return what makes values of a key equal; NaN equals NaN."""
    return value if isinstance(value, Component) else repr(value)


class VariantKeys(TypedDict, total=False):
    """The keys of a variant as keyword arguments, for editors; :class:`Variant` says what each means."""

    name: str
    description: str
    source: str
    used_by: str
    field: str
    tokenizer: str | Mapping[str, Any] | Component | Callable[..., Any]
    counter: str | Mapping[str, Any] | Component | Callable[..., Any]
    reference_length: str | Mapping[str, Any] | Component | Callable[..., Any]
    smoothing: str | Mapping[str, Any] | Component | Callable[..., Any]
    brevity_penalty: str | Mapping[str, Any] | Component | Callable[..., Any]
    weights: int | Sequence[float]
    normalize_weights: bool
    lowercase: bool | Literal["ascii"]
    join_documents: bool
    effective_order: bool
    empty_score: float
    average: Literal["micro", "macro", "macro-with-final-newline"]
    sentence: Mapping[str, Any]
    scale: Literal[1, 100]
    plugins: Sequence[str]


def from_keys(keys: Mapping[str, Any]) -> Variant:
    """Return the variant that has these keys. Raises VariantError with the key that is wrong."""
    for key in ("weights", "plugins"):
        if isinstance(keys.get(key), AbstractSet):
            raise VariantError(f"expected a list, got {shown(keys[key])}, which has no order", (key,))
    plain_keys = {key: _plain(key, value) for key, value in keys.items()}
    if isinstance(plain_keys.get("weights"), int):
        plain_keys["weights"] = _equal_weights(plain_keys["weights"])
    variant: Variant = checked(plain_keys, Variant, choices=_CHOICES)
    for index, weight in enumerate(variant.weights):
        if not math.isfinite(weight):
            raise VariantError(f"expected a finite number of at least 0, got {shown(weight)}", ("weights", index))
    if not any(variant.weights):
        raise VariantError("at least one weight must be above 0", ("weights",))
    if not math.isfinite(sum(variant.weights)):
        raise VariantError("the weights are too large: their sum is no finite number", ("weights",))
    if not (math.isnan(variant.empty_score) or 0 <= variant.empty_score <= variant.scale):
        expected = f"expected 0 to {variant.scale} (the scale), or .nan"
        raise VariantError(f"{expected}, got {shown(variant.empty_score)}", ("empty_score",))
    if not variant.sentence:
        return variant
    variant = _with_sentence_level(variant)
    # All scores of a macro variant are made of sentence scores: what it does to sentences is all that it does.
    return variant.at_sentence_level() if variant.is_macro else variant


def _with_sentence_level(variant: Variant) -> Variant:
    """Return the variant with the keys under ``sentence`` checked; those that change nothing are removed."""
    for key in variant.sentence:
        if key not in AT_SENTENCE_LEVEL:
            known = near_misses(key, [*AT_SENTENCE_LEVEL])
            raise VariantError(f"cannot differ at sentence level; {known}", ("sentence", key))
    try:
        there = variant.at_sentence_level()
    except VariantError as error:
        raise VariantError(error.problem, ("sentence", *error.key)) from error
    differs = [k for k in AT_SENTENCE_LEVEL if _comparable(getattr(there, k)) != _comparable(getattr(variant, k))]
    return structs.replace(variant, sentence={key: getattr(there, key) for key in differs})


def _plain(key: str, value: Any) -> Any:
    if isinstance(value, Component) or callable(value):
        return value
    if key == "sentence" and isinstance(value, Mapping):
        return {name: _plain(name, item) for name, item in value.items()}
    value = plain(value)
    # A calculation, or pandas, may have made a float of a whole number.
    whole = key in ("scale", "weights") and isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def _equal_weights(orders: int) -> tuple[float, ...]:
    if isinstance(orders, bool) or not 1 <= orders <= MAX_ORDER:
        expected = f"expected a list, or a number of equal weights up to {MAX_ORDER}"
        raise VariantError(f"{expected}, got {orders}", ("weights",))
    return (1 / orders,) * orders


_CHOICES: dict[Key, str] = {
    ("average",): "micro, macro or macro-with-final-newline",
    ("lowercase",): "true, false or ascii",
    ("scale",): "1 or 100",
}


def check_keys(keys: Mapping[str, Any]) -> None:
    """Raise VariantError, with the near misses, for a key that no variant file has."""
    accepted = ["variant", *Variant.__struct_fields__]
    for key in keys:
        if key in OTHER_NAMES:
            raise VariantError(f"unknown key; it is {OTHER_NAMES[key]}", (str(key),))
        if key not in accepted:
            raise VariantError(f"unknown key; {near_misses(str(key), accepted)}", (str(key),))
