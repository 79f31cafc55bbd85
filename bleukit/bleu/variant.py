"""The variant: which components, which weights, which rules make up one BLEU variant; its schema and its YAML."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum, EnumMeta
from functools import cached_property, reduce
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, get_args, get_origin

import msgspec
from msgspec import Meta, structs

from bleukit.framework import yaml_document
from bleukit.framework.errors import NAME, Key, VariantError, in_words, near_misses, shown
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


UNNAMED = "given-in-Python"
"""The name of a component that is a Python object which no name leads to, such as a lambda."""


class Component:
    """The choice of a component in a variant: its registered name, and the options it is created with. Immutable.

    ``python_object`` is the component, or a class whose instances without arguments are, if it was passed in Python.
    Its name is then where Python finds it, UNNAMED if there is no such place.
    """

    __slots__ = ("_shown", "name", "options", "python_object")

    name: str
    options: Mapping[str, Any]
    python_object: Callable[..., Any] | None
    _shown: str

    def __init__(
        self, name: str, options: Mapping[str, Any] | None = None, python_object: Callable[..., Any] | None = None
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", MappingProxyType(dict(options or {})))
        object.__setattr__(self, "python_object", python_object)
        object.__setattr__(self, "_shown", f"Component({name!r}, {dict(sorted(self.options.items()))!r})")

    @classmethod
    def of_python(cls, python_object: Callable[..., Any]) -> Component:
        """Return the choice of a component that was passed in Python."""
        options = _frozen_fields(python_object)
        name = _place(python_object if options is None else type(python_object))
        return cls(name, options, python_object) if name else cls(UNNAMED, {}, python_object)

    @classmethod
    def from_yaml(cls, value: Any) -> Component:
        """Read a name, or a mapping of ``name`` and options, or take a callable. Raises ValueError for others."""
        if isinstance(value, cls):
            return value
        if callable(value):
            return cls.of_python(value)
        if isinstance(value, str):
            return cls(value)
        if isinstance(value, Mapping) and isinstance(value.get("name"), str) and all(isinstance(k, str) for k in value):
            return cls(value["name"], {key: plain(option) for key, option in value.items() if key != "name"})
        raise ValueError(f"expected a name, or a mapping with `name` and options, got {shown(value)}")

    def to_yaml(self) -> str | dict[str, Any]:
        """Return the shortest form that reads back as an equal choice."""
        return {"name": self.name, **self.options} if self.options else self.name

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a Component is immutable: {attribute!r} cannot be set")

    def __reduce__(self) -> tuple[type[Component], tuple[Any, ...]]:
        return Component, (self.name, dict(self.options), self.python_object)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Component) or self._shown != other._shown:
            return False
        with suppress(ValueError):  # of fields that are arrays, which do not say whether they are equal
            return self.python_object is other.python_object or bool(self.python_object == other.python_object)
        return False

    def __hash__(self) -> int:
        return hash(self._shown)

    def __repr__(self) -> str:
        return self._shown if self.python_object is None else f"Component.of_python({self.python_object!r})"


STANDARD = Component("standard")
"""The brevity penalty of a variant that names none: that of Papineni et al. 2002."""


def _place(python_object: Any) -> str:
    """Return ``module.name`` if Python finds the object there, in any process; else nothing."""
    module, name = (getattr(python_object, key, None) for key in ("__module__", "__qualname__"))
    module = module or "builtins"
    place = f"{module}.{name}"
    if module == "__main__" or not isinstance(name, str) or not NAME.fullmatch(place):
        return ""
    try:
        return place if reduce(getattr, name.split("."), sys.modules[module]) is python_object else ""
    except (KeyError, AttributeError):
        return ""


def _frozen_fields(python_object: object) -> dict[str, Any] | None:
    """Return the fields of a frozen dataclass if they are plain data, which tell it from others of its class."""
    if not is_dataclass(python_object) or isinstance(python_object, type):
        return None
    values = {field.name: getattr(python_object, field.name) for field in fields(python_object)}
    is_frozen: bool = python_object.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return values if is_frozen and all(type(value) in {bool, int, float, str} for value in values.values()) else None


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
    variant: Variant = checked(plain_keys, Variant)
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


def checked(value: Any, expected: Any, key: Key = ()) -> Any:
    """Convert plain data to a type. Raises VariantError, with the key, if it does not fit."""
    try:
        return msgspec.convert(value, expected, dec_hook=_made)
    except msgspec.ValidationError as error:
        problem, way = in_words(error)
        key = (*key, *way)
        for part in way:
            value = value[part]
        if key in _KEYS_WITH_CHOICES:
            problem = f"expected {_KEYS_WITH_CHOICES[key]}"
        elif choices := _choices(expected):
            problem = f"expected {' or '.join(map(repr, choices))}"
        elif "matching regex" in problem:
            problem = "expected letters, digits and ._+-, beginning with a letter or digit"
        got = "" if ", got " in problem or "missing" in problem else f", got {shown(value)}"
        raise VariantError(problem + got, key) from error


_KEYS_WITH_CHOICES: dict[Key, str] = {
    ("average",): "micro, macro or macro-with-final-newline",
    ("lowercase",): "true, false or ascii",
    ("scale",): "1 or 100",
}


def _choices(expected: Any) -> list[Any]:
    """Return the values that a type lists, none if it lists no values."""
    if isinstance(expected, EnumMeta):
        members: list[Enum] = [*expected]
        return [member.value for member in members]
    return [*get_args(expected)] if get_origin(expected) is Literal else []


def _made(kind: type, value: Any) -> Any:
    """Make what YAML cannot write, such as a path, from what it can."""
    if kind is Component:
        return Component.from_yaml(value)
    return value if isinstance(value, kind) else kind(value)


def check_keys(keys: Mapping[str, Any]) -> None:
    """Raise VariantError, with the near misses, for a key that no variant file has."""
    accepted = ["variant", *Variant.__struct_fields__]
    for key in keys:
        if key in OTHER_NAMES:
            raise VariantError(f"unknown key; it is {OTHER_NAMES[key]}", (str(key),))
        if key not in accepted:
            raise VariantError(f"unknown key; {near_misses(str(key), accepted)}", (str(key),))
