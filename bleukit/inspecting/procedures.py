"""How people compute a BLEU: procedures with their prices in bits, as the file procedures.yaml has them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from bleukit import yaml_document
from bleukit.errors import BleukitError, InputError, shown
from bleukit.inspecting.phrases import as_yaml, is_uniform, listed, setting
from bleukit.loading import creating, loader
from bleukit.loading.manager import COMPONENT_HOOKS, VARIANT
from bleukit.loading.registry import installed
from bleukit.text.arguments import check_whole_number
from bleukit.variant import DESCRIPTIVE_KEYS, Component, Variant

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from os import PathLike

    from bleukit.counting.segment_columns import Segments

OWN_KEYS = ("text", "remove", "shift", "swap", "reference", "over_references", "segments", "units", "mean", "penalty")
"""The keys of procedures that no variant has."""

AVERAGES = ("median", "positive")
"""The values of ``average`` that no variant has."""

FURTHER = 2
"""The price in bits of a variant that the user names."""


class Steps(NamedTuple):
    """What a score depends on, from the text on: keys of a variant, and those of a procedure, None if it lacks them.

    The first ones determine the tokens. Equal steps give equal scores.
    """

    tokenizer: Component
    lowercase: bool | str
    text: str | None
    remove: str | None
    counter: Component
    reference_length: Component
    smoothing: Component
    brevity_penalty: Component
    weights_used: tuple[float, ...]
    effective_order: bool
    scale: float
    empty_score: float
    average: str
    shift: int | None = None
    swap: bool | None = None
    reference: int | None = None
    over_references: str | None = None
    segments: int | None = None
    units: str | int | None = None
    mean: str | None = None
    penalty: str | None = None

    @property
    def apart(self) -> bool:
        """Whether each reference is counted apart from the others of its segment."""
        return self.reference is not None or self.over_references is not None

    @property
    def by_reference(self) -> bool:
        """Whether each unit has a score by each reference; "best" is the greatest of their averages."""
        return self.over_references in {"mean", "max", "best"}

    @property
    def orders(self) -> int:
        """Up to which order there are weights."""
        return len(self.weights_used)

    @property
    def unit(self) -> str | int:
        """What is scored: the text, single segments, batches of so many segments, or documents."""
        return self.units or ("text" if self.average == "micro" else "segments")

    @property
    def first(self) -> int | None:
        """How many segments are summed, if not all are; of single ones all are scored, and the first averaged."""
        return None if self.unit == "segments" else self.segments


OF_TOKENS = 4
"""The number of steps that determine the tokens."""

_OF_VARIANT = tuple(key for key in Steps._fields if key not in OWN_KEYS)


class Deviation(NamedTuple):
    """A departure from what a family does; ``of_variant`` and ``own`` hold what it sets, ``keys`` what it concerns."""

    bits: float
    words: str
    of_variant: Mapping[str, Any]
    own: Mapping[str, Any]
    keys: frozenset[str]

    @classmethod
    def of(cls, bits: float, words: str, keys: Mapping[str, Any]) -> Deviation:
        """Return the deviation that sets some keys; those whose value is None are only concerned."""
        own = {key: value for key, value in keys.items() if key in OWN_KEYS or value in AVERAGES}
        of_variant = {key: _as_kept(key, value) for key, value in keys.items() if key not in own and value is not None}
        own = {key: value for key, value in own.items() if value is not None}
        return cls(bits, words, of_variant, own, frozenset(keys))


def _as_kept(key: str, value: Any) -> Any:
    """Return the value of a variant's key as variants keep it."""
    if key in COMPONENT_HOOKS:
        return Component.from_yaml(value)
    if key == "weights":
        return (1 / value,) * value if isinstance(value, int) else tuple(map(float, value))
    return value


@dataclass(frozen=True)
class Family:
    """What a person starts from: a variant, by the name or path that ``load`` takes, its price, and its kind."""

    bits: float
    name: str
    variant: Variant
    kind: str

    @cached_property
    def of_sentences(self) -> Variant:
        """The variant that scores single segments."""
        return self.variant.at_sentence_level()


@dataclass(frozen=True, eq=False)
class Procedure:
    """What a person did: a family and deviations from it. ``bits`` is its price."""

    bits: float
    family: Family
    deviations: tuple[Deviation, ...] = ()

    @cached_property
    def of_variant(self) -> dict[str, Any]:
        """The keys of a variant that deviations set."""
        return {key: value for each in self.deviations for key, value in each.of_variant.items()}

    @cached_property
    def own(self) -> dict[str, Any]:
        """The keys that no variant has."""
        return {key: value for each in self.deviations for key, value in each.own.items()}

    @cached_property
    def steps(self) -> Steps:
        """The steps from text to score; what averages sentences does what it does to single segments."""
        average = self.own.get("average") or self.of_variant.get("average", self.family.variant.average)
        start = self.family.variant if average == "micro" else self.family.of_sentences
        variant = structs.replace(start, **{**self.of_variant, "sentence": {}})
        of_variant = {key: getattr(variant, key) for key in _OF_VARIANT}
        return Steps(**{**of_variant, "text": None, "remove": None, **self.own, "average": average})

    @property
    def settings(self) -> dict[str, Any]:
        """The keys of the variant that differ from the family's."""
        family = self.family.variant
        return {key: value for key, value in self.of_variant.items() if getattr(family, key) != value}

    def __str__(self) -> str:
        """Return it in words: "nltk on word_tokenize tokens, lowercased"."""
        words = sorted((each.words for each in self.deviations if each.words), key=_is_clause)
        between = ", " if words and _is_clause(words[0]) else " "
        return f"{self.family.name}{between}{', '.join(words)}" if words else self.family.name

    def in_scale(self, scale: int) -> Procedure:
        """Return the same procedure, whose score is in a scale."""
        if scale == self.family.variant.scale:
            return self
        return replace(self, deviations=(*self.deviations, Deviation.of(0, "", {"scale": scale})))

    def command(self, options: Sequence[str], hypothesis: str, references: Sequence[str]) -> str | None:
        """Return the command line that does it, with some more options; None if no option does what it does."""
        own = dict(self.own)
        chosen, segments, over = (own.pop(key, None) for key in ("reference", "segments", "over_references"))
        if (chosen and not references) or over == "best":  # columns of a table; what no option does
            return None
        words = ["bleukit", "score", *options, "-V", self.family.name]
        for key, value in self.settings.items():
            words += ["--set", f"{key}={as_yaml(value)}"]
        words += [word for reference in references[slice(*_only(chosen))] for word in ("-r", reference)]
        words += ["--segments", f"1-{segments}"] if segments else []
        words += ["--over-references", over] if over else []
        words += ["--swap"] if own.pop("swap", False) else []
        removed = own.pop("remove", None)
        words += ["--remove", removed] if removed else []
        return None if own else shlex.join([*words, hypothesis])

    def python(self) -> str:
        """Return it as lines of Python, in which ``references[i]`` is a list of the references of ``hypotheses[i]``."""
        written = [f"{key}={_as_python(value)}" for key, value in {**self.settings, **self.own}.items()]
        if not self.own:
            load = f"bleukit.load({', '.join([repr(self.family.name), *written])})"
            return f"import bleukit\nprint({load}.corpus(hypotheses, references).value)"
        if self.own.get("units") == "documents":
            written.append("documents=documents")
        text = [repr(self.family.name), "hypotheses", "references"]
        return f"import bleukit\nprint(bleukit.reproduce({', '.join([*text, *written])}))"


def _is_clause(words: str) -> bool:
    """Return whether words follow a comma, not a blank."""
    return not words.startswith(("on ", "with ", "without "))


def _only(number: int | None) -> tuple[int | None, int | None]:
    """Return from and up to where references are used, given the number of the only one."""
    return (None, None) if number is None else (number - 1, number)


def _as_python(value: Any) -> str:
    if isinstance(value, tuple) and is_uniform(value):
        return str(len(value))
    return repr(value.to_yaml() if isinstance(value, Component) else value)


def procedure_of(variant: str | PathLike[str], keys: Mapping[str, Any]) -> Procedure:
    """Return the procedure that starts from a variant, given the keys that it sets, of variants and its own.

    Raises VariantError for a wrong key of a variant, InputError for a wrong value of another.
    """
    own = {key: value for key, value in keys.items() if key in OWN_KEYS or value in AVERAGES}
    for key, value in own.items():
        known = {each["set"][key] for each in prices()["deviations"] if each["set"].get(key) is not None}
        if key in {"segments", "units", "reference"} and not isinstance(value, str):
            check_whole_number(value, key, 1)
        elif value not in known:
            raise InputError(f"{key}: expected {listed(sorted(map(str, known)), 'or')}, got {shown(value)}")
    settings = {key: value for key, value in keys.items() if key not in own}
    loaded = loader.load_variant(variant, settings).variant
    return Procedure(0, Family(0, loaded.name, loaded, "other"), (Deviation(0, "", {}, own, frozenset(own)),))


class Prices:
    """The families and deviations of the data file that can be used here, and the constants of the search.

    ``further`` are variants that the user names; ``has`` says what the text has, of what deviations need. ``left_out``
    maps the variants that cannot be used to the reasons.
    """

    def __init__(self, further: Mapping[str, Variant], has: Collection[str], *, mix: bool = False) -> None:
        data = prices()
        self.constants: Mapping[str, float] = data["search"]
        self.limit = self.constants["mixed_limit" if mix else "limit"]
        self.left_out: dict[str, str] = {}
        listed = {each["variant"]: each for each in data["families"]}
        others = sorted(installed().of_kind(VARIANT).keys() - listed.keys())
        entries = [*listed.values(), *({"variant": name, **data["other_variants"]} for name in others)]
        self.families: list[Family] = []
        self.further = [self._of_further(name, variant) for name, variant in further.items()]
        for entry in entries:
            if entry.get("needs", "") in (*has, "") and (variant := self._variant(entry["variant"])):
                self.families.append(Family(entry["bits"], entry["variant"], variant, entry["kind"]))
        self._deviations: dict[str, list[Deviation]] = {}
        for kind in {family.kind for family in self.families}:
            usable = list(self._of_kind(kind, data, has, mix=mix))
            self._deviations[kind] = sorted(usable, key=lambda each: each.bits)

    def procedures(self) -> list[Procedure]:
        """Return all procedures up to the limit, the cheapest first."""
        found = list(self.further)
        for family in self.families:
            deviations = self._deviations[family.kind]
            waiting: list[tuple[int, float, tuple[Deviation, ...], frozenset[str]]] = [
                (0, family.bits, (), frozenset())
            ]
            while waiting:
                start, bits, chosen, keys = waiting.pop()
                if bits <= self.limit:
                    found.append(Procedure(bits, family, chosen))
                for place in range(start, len(deviations)):
                    more = deviations[place]
                    if bits + more.bits > self.limit:
                        break
                    if keys.isdisjoint(more.keys):
                        waiting.append((place + 1, bits + more.bits, (*chosen, more), keys | more.keys))
        return sorted(found, key=lambda each: each.bits)

    def _of_further(self, name: str, variant: Variant) -> Procedure:
        """Return the procedure of a variant that the user names: its name or path, or itself."""
        if installed().get(VARIANT, name) or name.endswith((".yaml", ".yml")):
            return Procedure(FURTHER, Family(FURTHER, name, variant, "other"))
        start = variant.name if installed().get(VARIANT, variant.name) else loader.DEFAULT
        family = Family(FURTHER, start, loader.load_variant(start, {}).variant, "other")
        unchanged = {*DESCRIPTIVE_KEYS, "sentence", "plugins", "scale"}
        differs = {
            key: value
            for key, value in variant.fields().items()
            if key not in unchanged and value != getattr(family.variant, key)
        }
        words = "with " + listed([setting(key, value) for key, value in differs.items()])
        return Procedure(FURTHER, family, (Deviation.of(0, words, differs),) if differs else ())

    def _variant(self, name: str) -> Variant | None:
        try:
            variant = loader.load_variant(name, {}).variant
        except BleukitError as error:
            self.left_out[f"variant {name}"] = str(error)
            return None
        if variant.join_documents:
            self.left_out[f"variant {name}"] = "joins the segments of each document, and here no documents are read"
            return None
        return variant

    def _of_kind(self, kind: str, data: Mapping[str, Any], has: Collection[str], *, mix: bool) -> Iterator[Deviation]:
        own: dict[str, set[Any]] = {key: set() for key in COMPONENT_HOOKS}
        for each in data["deviations"]:
            keys = each["set"]
            if kind not in each.get("kinds", [kind]):
                continue
            for key in keys.keys() & own.keys():
                own[key].add(keys[key])
            is_possible = each.get("needs", "") in (*has, "")
            if not is_possible or ("tokens" in has and keys.keys() & {"tokenizer", "text", "remove"}):
                continue
            if all(self._is_usable(key, keys[key]) for key in keys.keys() & own.keys() if keys[key]):
                yield Deviation.of(each["bits"], each["words"], keys)
        tokenizers = data["other_tokenizers"]
        for key in COMPONENT_HOOKS:
            bits = data["mixtures"]["bits"] if mix else tokenizers["bits"]
            if ("tokens" in has and key == "tokenizer") or not (
                mix or (key == "tokenizer" and kind in tokenizers["kinds"])
            ):
                continue
            for name in sorted(installed().of_kind(key).keys() - own[key]):
                if self._is_usable(key, name):
                    words = f"on {name} tokens" if key == "tokenizer" else f"with {key.replace('_', ' ')} {name}"
                    yield Deviation.of(bits, words, {key: name})

    def _is_usable(self, key: str, name: str) -> bool:
        try:
            creating.create(installed(), key, Component(name))
        except BleukitError as error:
            self.left_out[f"{key.replace('_', ' ')} {name}"] = str(error)
            return False
        return True


@cache
def prices() -> Mapping[str, Any]:
    """Return the content of procedures.yaml."""
    data: Mapping[str, Any] = yaml_document.read_yaml(Path(__file__).with_name("procedures.yaml")).data
    return data


_SCRIPTS = {"han": "[\u4e00-\u9fff]", "kana": "[\u3041-\u30ff]", "hangul": "[\uac00-\ud7a3]", "subwords": "@@ |\u2581"}
_SAMPLE = 200


def traits(segments: Segments, *, documented: bool = False) -> set[str]:
    """Return what a text has, of what deviations need; looks at the first segments."""
    has = {"tokens" if segments.tokenized else "text"}
    numbers = set(segments.references.lengths())
    has.add("one reference" if numbers == {1} else "several references" if len(numbers) == 1 else "varying references")
    has |= {f"{number} references" for number in range(2, min(numbers, default=0) + 1)}
    if not segments.tokenized:
        sample = "\n".join(map(str, segments.hypotheses[:_SAMPLE]))
        has |= {name for name, signs in _SCRIPTS.items() if re.search(signs, sample)}
    return has | ({"documents"} if documented else set())
