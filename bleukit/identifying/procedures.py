"""How people compute a BLEU: procedures with their prices in bits, as the file procedures.yaml has them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from bleukit.bleu import loader
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.bleu.keys_in_words import as_yaml, is_uniform, setting
from bleukit.bleu.variant import DESCRIPTIVE_KEYS, Variant
from bleukit.corpus.procedure import PREFIX, ProcedureKeys
from bleukit.framework import creating, yaml_document
from bleukit.framework.errors import BleukitError, InputError
from bleukit.framework.options import Component
from bleukit.framework.registry import installed
from bleukit.framework.results import Result
from bleukit.writing.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from bleukit.framework.segments import Segments

OWN_KEYS = ProcedureKeys.__struct_fields__
"""The keys of procedures that no variant has."""

_OF_TEXT = {"tokenizer", "text", "remove"}
"""The keys that change nothing of text that is given as tokens."""

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
    shift: int | None
    swap: bool | None
    reference: int | None
    over_references: str | None
    segments: int | None
    units: str | int | None
    mean: str | None
    penalty: str | None

    @property
    def apart(self) -> bool:
        """Whether each reference is counted apart from the others of its segment."""
        return self.reference is not None or self.over_references is not None

    @property
    def by_reference(self) -> bool:
        """Whether each unit has a score by each reference; "best" is the greatest of their averages."""
        return self.over_references in {"mean", "max", "best"}

    @property
    def unit(self) -> str | int:
        """What is scored: the text, single segments, batches of so many segments, or documents."""
        return self.units or ("text" if self.average == "micro" else "segments")


OF_TOKENS = 4
"""The number of steps that determine the tokens."""


class Deviation(NamedTuple):
    """A departure from what a family does: the keys that it sets; those whose value is None are only concerned."""

    bits: float
    words: str
    keys: Mapping[str, Any]


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


@dataclass(frozen=True, eq=False, repr=False)
class Procedure(Result):
    """What a person did: a family and deviations from it. ``bits`` is its price."""

    bits: float
    family: Family
    deviations: tuple[Deviation, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: the procedure in words, its price, and how to do it again."""
        return {"words": self.words, "bits": self.bits, "python": self.python}

    def __repr__(self) -> str:
        return f"<Procedure {self.words}, {self.bits:g} bits>"

    @property
    def keys(self) -> dict[str, Any]:
        """The keys that it sets, of variants and its own."""
        return {key: value for each in self.deviations for key, value in each.keys.items() if value is not None}

    @property
    def own(self) -> dict[str, Any]:
        """The keys that no variant has."""
        return {key: value for key, value in self.keys.items() if key in OWN_KEYS}

    @property
    def of_variant(self) -> dict[str, Any]:
        """The keys of a variant."""
        return {key: value for key, value in self.keys.items() if key not in OWN_KEYS}

    @cached_property
    def steps(self) -> Steps:
        """The steps from text to score; what averages sentences does what it does to single segments."""
        average = self.keys.get("over_units") or self.keys.get("average", self.family.variant.average)
        start = self.family.variant if average == "micro" else self.family.of_sentences
        variant = structs.replace(start, **{**self.of_variant, "sentence": {}})
        chosen = {**dict.fromkeys(OWN_KEYS), **self.own, "average": average}
        return Steps(*[chosen[key] if key in chosen else getattr(variant, key) for key in Steps._fields])

    @property
    def settings(self) -> dict[str, Any]:
        """The keys of the variant that differ from the family's."""
        family = self.family.variant
        return {key: value for key, value in self.of_variant.items() if getattr(family, key) != value}

    @property
    def words(self) -> str:
        """What was done, in words: "nltk on word_tokenize tokens, lowercased"."""
        words = sorted((each.words for each in self.deviations if each.words), key=_is_clause)
        between = ", " if words and _is_clause(words[0]) else " "
        return f"{self.family.name}{between}{', '.join(words)}" if words else self.family.name

    def in_scale(self, scale: int) -> Procedure:
        """Return the same procedure, whose score is in a scale."""
        if scale == self.family.variant.scale:
            return self
        return replace(self, deviations=(*self.deviations, Deviation(0, "", {"scale": scale})))

    def command(
        self, options: Sequence[str], hypothesis: str, references: Sequence[str], documents: str | None = None
    ) -> str:
        """Return the command line that does it, with some more options; ``documents`` is a file of their names."""
        own = self.own
        if references and "reference" in own:
            chosen = own.pop("reference")
            references = references[chosen - 1 : chosen]
        words = ["bleukit", "score", *options, "-V", self.family.name]
        settings = self.settings | {f"{PREFIX}{key}": value for key, value in own.items()}
        words += [word for key, value in settings.items() for word in ("--set", f"{key}={as_yaml(value)}")]
        words += [word for reference in references for word in ("-r", reference)]
        if documents is not None and own.get("units") == "documents":
            words += ["--documents", documents]
        return shlex.join([*words, hypothesis])

    @property
    def variant(self) -> str:
        """The name of the variant that it follows, or departs from; empty if it has none."""
        return self.family.variant.name

    @property
    def python(self) -> str:
        """Lines of Python that do it, in which ``references[i]`` is a list of the references of ``hypotheses[i]``."""
        written = [f"{key}={_as_python(value)}" for key, value in {**self.settings, **self.own}.items()]
        if not self.own:
            load = f"bleukit.load({', '.join([repr(self.family.name), *written])})"
            return f"import bleukit\nprint({load}.corpus(hypotheses, references).value)"
        if self.own.get("units") == "documents":
            written.append("documents=documents")
        text = [repr(self.family.name), "hypotheses", "references"]
        return f"import bleukit\nprint(bleukit.reproduce({', '.join([*text, *written])}))"


def _as_kept(key: str, value: Any) -> Any:
    """Return the value of a key, written in the list of prices, as variants keep it."""
    if value is None:
        return None
    if key in COMPONENT_HOOKS:
        return Component.from_yaml(value)
    if key == "weights":
        return (1 / value,) * value if isinstance(value, int) else tuple(map(float, value))
    return value


def _is_clause(words: str) -> bool:
    """Return whether words follow a comma, not a blank."""
    return not words.startswith(("on ", "with ", "without "))


def _as_python(value: Any) -> str:
    if isinstance(value, tuple) and is_uniform(value):
        return str(len(value))
    return repr(value.to_yaml() if isinstance(value, Component) else value)


def possible_procedures(
    further: Mapping[str, Variant], has: Collection[str], *, mix: bool = False
) -> tuple[list[Procedure], dict[str, str]]:
    """Return the procedures that can be followed here, the cheapest first, and what cannot be used, with the reasons.

    ``further`` are variants that the user names; ``has`` says what the text has, of what deviations need; ``mix`` says
    that any component may take the place of any other.
    """
    data = prices()
    left_out: dict[str, str] = {}
    limit = data["search"]["mixed_limit" if mix else "limit"]
    entries = {each["variant"]: each for each in data["families"]}
    entries |= dict.fromkeys(sorted(installed().of_kind(VARIANT).keys() - entries.keys()), data["other_variants"])
    families = [
        Family(entry["bits"], name, variant, entry["kind"])
        for name, entry in entries.items()
        if entry.get("needs") in {None, *has}
        and (variant := _usable(left_out, f"variant {name}", _variant_of_segments, name))
    ]
    kinds = dict.fromkeys(family.kind for family in families)
    deviations = {kind: _possible_deviations(kind, has, left_out, mix=mix) for kind in kinds}
    found = [_of_further(name, variant) for name, variant in further.items()]
    for family in families:
        found += _within(limit, Procedure(family.bits, family), deviations[family.kind])
    return sorted(found, key=attrgetter("bits")), left_out


def _within(limit: float, plain: Procedure, deviations: Sequence[Deviation]) -> Iterator[Procedure]:
    """Yield a procedure and all departures from it, given the deviations that it may have, the cheapest first."""
    waiting = [(0, plain)]
    while waiting:
        start, procedure = waiting.pop()
        if procedure.bits <= limit:
            yield procedure
        concerned = {key for each in procedure.deviations for key in each.keys}
        for place, more in enumerate(deviations[start:], start + 1):
            bits = procedure.bits + more.bits
            if bits > limit:
                break
            if concerned.isdisjoint(more.keys):
                waiting.append((place, Procedure(bits, plain.family, (*procedure.deviations, more))))


def _of_further(name: str, variant: Variant) -> Procedure:
    """Return the procedure of a variant that the user names: its name or path, or itself."""
    if name.endswith((".yaml", ".yml")):
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
    return Procedure(FURTHER, family, (Deviation(0, words, differs),) if differs else ())


def _usable(left_out: dict[str, str], what: str, make: Callable[..., Any], *arguments: Any) -> Any:
    """Return what is made of the arguments; if that fails, None, and ``left_out`` gets the reason."""
    try:
        return make(*arguments)
    except BleukitError as error:
        left_out[what] = str(error)
        return None


def _variant_of_segments(name: str) -> Variant:
    variant = loader.load_variant(name, {}).variant
    if variant.join_documents:
        raise InputError("joins the segments of each document, and here no documents are read")
    return variant


def _possible_deviations(kind: str, has: Collection[str], left_out: dict[str, str], *, mix: bool) -> list[Deviation]:
    """Return the deviations that families of a kind may have here, the cheapest first."""
    data = prices()
    entries = [each for each in data["deviations"] if kind in each.get("kinds", [kind])]
    bits = data["mixtures" if mix else "other_tokenizers"]["bits"]
    for key in COMPONENT_HOOKS:
        if mix or (key == "tokenizer" and kind in data["other_tokenizers"]["kinds"]):
            others = installed().of_kind(key).keys() - {each["set"].get(key) for each in entries}
            words = "on {} tokens" if key == "tokenizer" else f"with {key.replace('_', ' ')} {{}}"
            entries += [{"set": {key: name}, "bits": bits, "words": words.format(name)} for name in sorted(others)]
    usable = [
        Deviation(each["bits"], each["words"], {key: _as_kept(key, value) for key, value in each["set"].items()})
        for each in entries
        if each.get("needs") in {None, *has}
        and not ("tokens" in has and each["set"].keys() & _OF_TEXT)
        and all(
            _usable(left_out, f"{key.replace('_', ' ')} {name}", creating.create, installed(), key, Component(name))
            for key in COMPONENT_HOOKS
            if (name := each["set"].get(key))
        )
    ]
    return sorted(usable, key=attrgetter("bits"))


@cache
def prices() -> Mapping[str, Any]:
    """Return the content of procedures.yaml."""
    data: Mapping[str, Any] = yaml_document.read_yaml(Path(__file__).with_name("procedures.yaml")).data
    return data


_SCRIPTS = {"han": "[\u4e00-\u9fff]", "kana": "[\u3041-\u30ff]", "hangul": "[\uac00-\ud7a3]", "subwords": "@@ |\u2581"}
_SAMPLE = 200


def traits(segments: Segments) -> set[str]:
    """Return what a text has, of what deviations need; looks at the first segments."""
    has = {"tokens" if segments.tokenized else "text"}
    numbers = set(segments.references.lengths())
    has.add("one reference" if numbers == {1} else "several references" if len(numbers) == 1 else "varying references")
    has |= {f"{number} references" for number in range(2, min(numbers, default=0) + 1)}
    if not segments.tokenized:
        sample = "\n".join(map(str, segments.hypotheses[:_SAMPLE]))
        has |= {name for name, signs in _SCRIPTS.items() if re.search(signs, sample)}
    return has
