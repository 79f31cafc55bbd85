"""Other libraries' BLEU under the suite's cases: what each passes, where it differs, what it cannot express."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from bleukit_conformance.runner import agrees, run

import bleukit
from bleukit.errors import one_line
from bleukit.hookspecs import Reported
from bleukit.loading import registry
from bleukit.loading.registry import IMPLEMENTATION
from bleukit.recipes.variant import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bleukit_conformance.cases import Case, Document

    from bleukit import Variant

PLAIN = "wikipedia"
"""The recipe that libraries are asked for where none is named: the plain definition, with nobody's particulars."""

Verdict: TypeAlias = Literal["passed", "differs", "cannot express"]
VERDICTS: tuple[Verdict, ...] = ("passed", "differs", "cannot express")
STAGES = tuple(field.name for field in fields(Reported))


class Difference(NamedTuple):
    """A stage at which a library gives something else; the stage ``error`` is what it raised in place of a result."""

    stage: str
    expected: Any
    got: Any


@dataclass(frozen=True)
class Answer:
    """What came of one case, asked of one library: the stages compared, the differences, or why it was not asked.

    ``says`` is what holds by the case for this recipe.
    """

    implementation: str
    recipe: str
    document: str
    case: str
    says: str
    compared: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    cannot_express: str = ""

    @property
    def verdict(self) -> Verdict:
        """Differs where any stage does."""
        return "cannot express" if self.cannot_express else "differs" if self.differences else "passed"


class LeftOut(NamedTuple):
    """A case that no library is asked, for it says nothing of what the recipe must give."""

    recipe: str
    case: str
    because: str


@dataclass(frozen=True)
class Comparison:
    """All answers; and the versions of the distributions that each library consists of."""

    versions: Mapping[str, Mapping[str, str]]
    answers: Sequence[Answer]
    left_out: Sequence[LeftOut]


def not_installed() -> dict[str, str]:
    """Return the implementations that miss a distribution, each with the command that installs it."""
    known = registry.installed().components[IMPLEMENTATION]
    commands = {name: registry.how_to_install(known[name].value) for name in sorted(known)}
    return {name: command for name, command in commands.items() if command}


def compare(documents: Sequence[Document], names: Sequence[str], recipes: Sequence[str | Path]) -> Comparison:
    """Ask libraries for each recipe (a name, or the path of a YAML file), the recipe's keys of each case laid over it.

    Raises VariantError for a recipe or a name that nobody registered or a library that is not installed, PluginError
    for one that does not import.
    """
    installed = registry.installed()
    libraries = {name: installed.create(IMPLEMENTATION, Component(name)).call for name in dict.fromkeys(names)}
    versions = {name: registry.versions(installed.components[IMPLEMENTATION][name].value) for name in libraries}
    answers, left_out = [], []
    for recipe in recipes or [PLAIN]:
        bleukit.load(recipe)  # so that a recipe that is wrong is told as such, and not as cases that say nothing of it
        for document in documents:
            for case in document.cases:
                if case.variant not in {"", str(recipe)}:
                    continue
                reason = _silence(case, recipe)
                if reason:
                    left_out.append(LeftOut(str(recipe), case.id, reason))
                    continue
                variant = bleukit.load(recipe, **case.recipe).variant
                for name, library in libraries.items():
                    told = _ask(name, library, case, variant)
                    answers.append(Answer(name, str(recipe), document.document, case.id, _says(case, variant), *told))
    return Comparison(versions, answers, left_out)


def _silence(case: Case, recipe: str | Path) -> str:
    """Say why a case gives no result for a recipe to compare with, empty where it does."""
    if case.expect.error:
        return f"{case.expect.error}: the recipe is refused before anyone is asked, as the case says"
    if case.level == "sentence":
        return "level: it is about a sentence, and libraries are asked for the score of a corpus"
    return "" if case.variant else "; ".join(run(case, recipe).open)


def _says(case: Case, variant: Variant) -> str:
    return "; ".join(exception.because for exception in case.exceptions(variant)) or case.says


def _ask(
    name: str, library: Callable[..., Reported], case: Case, variant: Variant
) -> tuple[tuple[str, ...], tuple[Difference, ...], str]:
    """Return the stages compared, the differences, and what cannot be expressed."""
    expected = case.expected(variant)
    try:
        with warnings.catch_warnings():  # a library's advice on its scores
            warnings.simplefilter("ignore")
            reported = _answer(library, case, variant)
    except bleukit.CannotExpressError as error:
        return (), (), str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a panic in Rust is no Exception
        return ("error",), (Difference("error", None, one_line(error)),), ""
    if not isinstance(reported, Reported):
        raise bleukit.PluginError(f"the implementation {name!r} returns {reported!r:.60}, not bleukit.Reported")
    if case.variant and reported.score is not None:
        reported = replace(reported, score=reported.score * variant.scale)
    pairs = {stage: (getattr(expected, stage), getattr(reported, stage)) for stage in STAGES}
    compared = {stage: pair for stage, pair in pairs.items() if None not in pair}
    if not compared:
        return (), (), "result: it reports none of the stages that the case states"
    differences = [Difference(stage, *pair) for stage, pair in compared.items() if not agrees(*pair)]
    return tuple(compared), tuple(differences), ""


def _answer(library: Callable[..., Reported], case: Case, variant: Variant) -> Reported:
    if not case.counts:
        return library(variant, [pair.hypothesis for pair in case.pairs], [pair.references for pair in case.pairs])
    from_counts: Callable[..., Reported] | None = getattr(library, "from_counts", None)
    if from_counts is None:
        raise bleukit.CannotExpressError("input: counts in place of segments")
    given = case.counts
    counts = bleukit.Counts(given.matches, given.totals, given.hypothesis_length, given.reference_length)
    return from_counts(variant, counts)
