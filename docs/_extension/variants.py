"""A page for each named variant, their lists, and the keys of a variant."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bleukit
from _extension import cases, components
from _extension.pictures import dots
from bleukit.bleu import names
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, IMPLEMENTATION
from bleukit.bleu.keys_in_words import as_yaml
from bleukit.bleu.loader import DEFAULT
from bleukit.bleu.variant_schema import variant_schema
from bleukit.explaining.derivation import derive, written
from bleukit.framework import registry
from bleukit.identifying.procedures import prices
from bleukit.plugin import DESCRIPTIVE_KEYS, CannotExpressError, Variant
from bleukit.reading.misfits import splits_punctuation
from bleukit.reporting.page import known_components

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.conformance.judging.cases import Case

    from _extension.pages import Pages

EXAMPLES = Path(__file__).parents[2] / "examples"

known = cache(bleukit.variants)
"""The named variants, read once."""

WORDS = ("The cat sat on a mat.", ["The cat sat on the mat."])
"""A hypothesis and its references, for which the steps are shown."""


@cache
def example() -> dict[str, Any]:
    """Return the text in the folder examples: hypotheses, and the references of each."""
    hypotheses, *references = (
        (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        for name in ("hypothesis.txt", "reference1.txt", "reference2.txt")
    )
    return {"hypotheses": hypotheses, "references": [list(group) for group in zip(*references, strict=True)]}


class Relative(NamedTuple):
    """Another variant, the keys in which it differs, and what that does on the example text."""

    name: str
    keys: list[str]
    difference: float | None
    shares: Mapping[str, float]


def write(pages: Pages) -> None:
    """Write the pages."""
    variants = known()
    groups: dict[str, list[str]] = {}
    for name in sorted(variants, key=lambda name: (name != DEFAULT, name)):
        groups.setdefault(variants[name].field or "Others", []).append(name)
    pages.write("variants/index.md", "variants.md", groups=groups, variants=variants, score=_value)
    values = {name: value for name in variants if (value := _value(name)) is not None}
    title = f"The same two files by {len(values)} variants"
    pages.write("variants/picture.md", "picture.md", picture=dots(title, values, ["sacrebleu", "nltk"]))
    alike: dict[Any, list[Any]] = {}
    for name, meanings in sorted(names.known().items(), key=lambda known: names.folded(known[0])):
        alike.setdefault(meanings, []).append(name)
    pages.write("variants/names.md", "names.md", names=alike)
    pages.write("variants/prices.md", "prices.md", **prices())
    properties = variant_schema(registry.installed())["properties"]
    pages.write("reference/variant-keys.md", "keys.md", properties=properties)
    for name, variant in variants.items():
        pages.write(f"variants/{name}.md", "variant.md", **facts(name, variant))


def facts(name: str, variant: Variant) -> dict[str, Any]:
    """Return what the page of a variant says."""
    plugin = next(plugin for plugin in bleukit.plugins() if name in plugin.provides.get("variant", ()))
    documents = cases.of_variant(name)
    score = _score(name)
    return {
        "name": name,
        "variant": variant,
        "plugin": plugin,
        "problem": _problem(name),
        "score": score,
        "stages": [(kind, getattr(variant, kind)) for kind in COMPONENT_HOOKS],
        "about": components.about,
        "page_of": components.page_name,
        "at_sentence_level": {key: as_yaml(getattr(variant.at_sentence_level(), key)) for key in variant.sentence},
        "documents": documents,
        "programs": _programs(case for _, _, own in documents for case in own),
        "worked": _worked(name),
        "words": WORDS,
        "for_tokens": not (_problem(name) or splits_punctuation(bleukit.load(name).tokenize)),
        "laws": list(cases.laws_by_name().get(name, {}).values()),
        "departures": list(cases.departures(variant)),
        "relatives": _relatives(name),
        "alike": _alike(name),
        "libraries": _libraries(variant),
        "in_browser": all(getattr(variant, kind).name in names for kind, names in known_components().items()),
        "link": cases.link,
    }


def _programs(cases: Iterable[Case]) -> list[Any]:
    """Return the original programs whose output cases state, each command once."""
    produced = [case.produced_by for case in cases if case.produced_by]
    return list({(each.program, each.command): each for each in produced}.values())


def _worked(name: str) -> tuple[bleukit.Score, str] | None:
    """Return the score of a sentence of words, and how it follows; None if the variant cannot be used."""
    if _problem(name):
        return None
    bleu = bleukit.load(name)
    score = bleu.score(bleu.statistics(WORDS[:1], WORDS[1:]))
    return score, written(derive(bleu, [WORDS], score))


@cache
def _problem(name: str) -> str:
    """Return why a variant cannot be used, empty if it can."""
    try:
        bleukit.load(name).corpus(["a"], ["a"])
    except bleukit.BleukitError as error:
        return str(error)
    return ""


@cache
def _score(name: str) -> bleukit.Score | None:
    """Return the score of the example text, None if the variant needs what is not installed."""
    return None if _problem(name) else bleukit.load(name).corpus(**example())


def _value(name: str) -> float | None:
    """Return the score of the example text, of 100."""
    score = _score(name)
    return None if score is None else 100 / known()[name].scale * score.value


@cache
def scoring_keys(name: str) -> Mapping[str, str]:
    """Return the keys that make a variant, as YAML in one line."""
    variant = known()[name]
    return {key: as_yaml(value) for key, value in variant.to_dict().items() if key not in DESCRIPTIVE_KEYS}


@cache
def differing(first: str, second: str) -> list[str]:
    """Return the keys in which two variants differ, the scale aside, which is the same number."""
    return [key for key, value in scoring_keys(first).items() if value != scoring_keys(second)[key] and key != "scale"]


def _relatives(name: str) -> list[Relative]:
    field = known()[name].field
    others = [other for other in known() if other != name]
    others.sort(key=lambda other: (len(differing(name, other)), known()[other].field != field, other))
    return [_relative(name, other) for other in others[:5]]


def _relative(name: str, other: str) -> Relative:
    keys = differing(name, other)
    mine, its = _value(name), _value(other)
    difference = None if mine is None or its is None else its - mine
    parts = bleukit.explain(name, other, **example()).parts if keys and difference is not None else ()
    return Relative(other, keys, difference, {part.key: part.points for part in parts})


def _alike(name: str) -> list[tuple[str, list[str]]]:
    """Return variants of the same score on the example text that differ in a key, and these keys."""
    mine = _value(name)
    if mine is None:
        return []
    found = [(other, differing(name, other)) for other in known() if other != name]
    return [
        (other, keys) for other, keys in found if keys and (its := _value(other)) is not None and abs(its - mine) < 5e-7
    ]


def _libraries(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yield the libraries that give the score of a variant, with code."""
    for name, registered in registry.installed().of_kind(IMPLEMENTATION).items():
        code = getattr(registered.value, "code", None)
        if code:
            try:
                yield name, code(variant)
            except CannotExpressError:
                continue
