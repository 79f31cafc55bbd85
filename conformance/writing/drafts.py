"""For those who write cases: a document to start from, and its mistakes, each with its line and the value computed."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.formula import PLAIN_VARIANT
from bleukit.conformance.judging import cases, named_variants, runner
from bleukit.conformance.judging.laws import judge_law
from bleukit.conformance.judging.observing import observe

import bleukit
from bleukit.bleu.bleu import bleu_from
from bleukit.framework import registry, yaml_document
from bleukit.framework.errors import NAME, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.runner import CaseOutcome

    from bleukit import Variant
    from bleukit.framework.errors import Key

TEMPLATE = """\
# The cases of one document. 'bleukit conform check FILE' computes them; 'bleukit conform schema' prints all keys.
document: What the document is called
source: how to find it
cases:
  - id: {name}-1
    section: where the document says it
    says: what the document says, as short as it can be said
    derived: true  # it follows from the document; remove this line if the document prints the figures
    hypothesis: the the cat
    references: [the cat sat, a cat]
    set: {{tokenizer: whitespace, reference_length: closest, weights: [0.5, 0.5]}}
    expect:
      tokens: [the, the, cat]
      matches: [2, 1]
      totals: [3, 2]
      precisions: [2/3, 1/2]  # fractions are exact
      reference_length: 3
      brevity_penalty: 1
      score: "0.5774"  # in quotes: good to the last digit
    otherwise:
      - when: {{counter: [unclipped]}}
        because: without clipping the second "the" counts, too
        expect: {{matches: [3, 1], precisions: [1, 1/2], score: "0.7071"}}
"""

DENOMINATOR = 1000
"""The largest denominator of a fraction that is shown beside a number."""


class Mistake(NamedTuple):
    """What a case states and does not follow for some variants; ``where`` is the file and the line."""

    where: str
    case: str
    problem: str
    variants: Sequence[str]

    def __str__(self) -> str:
        first, *others = self.variants
        more = f" and {len(others)} more" if others else ""
        return f"{self.where}: {self.case}: {self.problem} (variant {first}{more})"


def start_document(path: Path) -> None:
    """Write a document to start from, in a folder that need not be there.

    Raises InputError if there is such a file, or it cannot be written.
    """
    name = path.stem
    if not NAME.fullmatch(name):
        raise InputError(f"{path}: expected a file name of letters, digits and ._+-, as it becomes the name of a case")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(name=name))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error


def mistakes_in(path: Path, variants: Sequence[str]) -> list[Mistake]:
    """Return what the cases of a document state and does not follow for their variant, or for any of some variants.

    Raises VariantError, with file and line, if the file is no document.
    """
    document = cases.load_document(path)
    source = yaml_document.read_yaml(path)
    mistakes: dict[tuple[str, str, str], list[str]] = {}
    for index, case in enumerate(document.cases):
        says_something = False
        for name, outcome, variant in _outcomes(case, variants):
            says_something |= any(stage.state != "unstated" for stage in outcome.stages)
            for failure in outcome.failures:
                where = source.where(("cases", index, *_stated_at(case, variant, failure)))
                mistakes.setdefault((where, case.id, with_fractions(failure)), []).append(name)
        if not says_something:
            where = source.where(("cases", index))
            mistakes[where, case.id, "it states nothing that any of the variants could be held to"] = [*variants]
    return [Mistake(*mistake, names) for mistake, names in mistakes.items()]


def usable_variants() -> list[str]:
    """Return the named variants of which nothing is missing."""
    usable = []
    for name in sorted(registry.installed().of_kind("variant")):
        with suppress(bleukit.NotInstalledError):
            usable.append(bleukit.load(name).variant.name)
    return usable


def _outcomes(case: Case, variants: Sequence[str]) -> Iterator[tuple[str, CaseOutcome, Variant | None]]:
    """Yield what comes of a case for each variant; and for each exception, with the first components that it names."""
    if case.law:
        yield from ((name, judge_law(case, name), None) for name in variants)
    elif case.subject:
        yield case.subject, named_variants.run_for_variant(case, case.subject), None
    if case.subject:
        return
    sources: dict[str, str | Variant] = {name: name for name in variants}
    for exception in case.otherwise:
        named: dict[str, Any] = {kind: names[0] for kind, names in exception.when.items()}
        chosen = ", ".join(f"{kind}: {name}" for kind, name in named.items())
        sources[f"{PLAIN_VARIANT} with {chosen}"] = bleu_from(PLAIN_VARIANT, named).variant
    for name, source in sources.items():
        seen = observe(case, source)
        yield name, runner.judge(case, seen), seen.variant


def _stated_at(case: Case, variant: Variant | None, failure: str) -> Key:
    """Return the key, within the case, of what holds for a variant of the stage that a failure is about."""
    stage = re.split("[: ]", failure)[0]
    for number in reversed(range(len(case.otherwise) if variant else 0)):
        exception = case.otherwise[number]
        if variant is not None and exception.holds(variant) and stage in exception.expect.stated:
            return ("otherwise", number, "expect", stage)
    return ("expect", stage)


def with_fractions(failure: str) -> str:
    """Return what differs with the simple fractions that the computed numbers are."""
    stated, got, computed = failure.partition(", got ")
    return stated + got + re.sub(r"\d+\.\d+(?:e-?\d+)?", lambda number: _with_fraction(number[0]), computed)


def _with_fraction(number: str) -> str:
    fraction = Fraction(float(number)).limit_denominator(DENOMINATOR)
    is_simple = fraction.denominator > 1 and float(fraction) == float(number)
    return f"{number} ({fraction})" if is_simple else number
