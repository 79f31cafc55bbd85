"""Other implementations of BLEU under the suite's cases: what each passes, where it differs, what it cannot express.

An implementation is a library behind an adapter in Python, or a process behind the protocol: both are asked the same
questions, and their answers are judged alike.
"""

from __future__ import annotations

import warnings
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from bleukit.conformance.formula import PLAIN_VARIANT, alike
from bleukit.conformance.implementations.harness import Harness, NoAnswerError, RaisedError
from bleukit.conformance.implementations.questions import STAGES, ask_about
from bleukit.conformance.implementations.records import (
    Difference,
    JudgedAnswer,
    ProcessRecord,
    Record,
    Verdict,
    record_of,
)
from bleukit.conformance.judging.runner import agrees

import bleukit
from bleukit.bleu.bleu import bleu_from
from bleukit.bleu.hookspecs import IMPLEMENTATION
from bleukit.bleu.protocols import Counts, Reported
from bleukit.framework import creating, registry
from bleukit.framework.errors import one_line
from bleukit.framework.options import Component
from bleukit.framework.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bleukit.conformance.implementations.questions import CaseLeftOut, Question
    from bleukit.conformance.implementations.records import Verdict
    from bleukit.conformance.judging.cases import CaseDocument


@dataclass(frozen=True)
class ImplementationRun:
    """All answers; the versions of the distributions that each implementation consists of; how processes fared.

    ``answers`` holds those of all implementations to the first of the ``questions``, then to the second.
    """

    versions: Mapping[str, Mapping[str, str]]
    answers: Sequence[JudgedAnswer]
    left_out: Sequence[CaseLeftOut]
    questions: Sequence[Question] = ()
    processes: Sequence[ProcessRecord] = ()

    @property
    def not_started(self) -> list[str]:
        """The implementations whose process does not start, or does not introduce itself."""
        return [process.implementation for process in self.processes if not process.introduced]

    @property
    def titles(self) -> list[str]:
        """The names of the implementations, each with the version of the first of its distributions."""
        return [" ".join(filter(None, [name, *list(own.values())[:1]])) for name, own in self.versions.items()]

    @property
    def record(self) -> Record:
        """All of that, to be written as JSON."""
        return record_of(self.versions, self.answers, self.left_out, self.processes)


CAUSES: dict[str, Mapping[str, Any]] = {
    "matches are not clipped": {"counter": "unclipped"},
    "the reference length is that of the longest reference": {"reference_length": "longest"},
    "the reference length is that of the shortest reference": {"reference_length": "shortest"},
}
"""What explains other scores, and the keys of a variant that has it."""


def diagnoses(run: ImplementationRun) -> Iterator[tuple[str, str, str]]:
    """Yield each implementation and variant of which one cause explains all scores that differ, and what it is."""
    each = len(run.versions)
    asked = {id(answer): run.questions[number // each] for number, answer in enumerate(run.answers)}
    differing: dict[tuple[str, str], list[tuple[Question, float]]] = {}
    for answer in run.answers:
        for difference in answer.differences:
            if difference.stage == "score":
                key = answer.implementation, answer.variant
                differing.setdefault(key, []).append((asked[id(answer)], difference.got))
    for (implementation, variant), scores in differing.items():
        explained = [set(_explaining(*score)) for score in scores]
        for cause in sorted(set.intersection(*explained)) if len(explained) > 1 else ():
            yield implementation, variant, f"one cause explains all {len(scores)} scores that differ: {cause}"


def _explaining(question: Question, got: float) -> Iterator[str]:
    """Yield each cause by which a score comes out."""
    expected = question.expected.score
    if expected is not None and agrees(expected, got / 100):
        yield "they are 100 times too large: a perfect match is 1"
    if not question.case.pairs:
        return
    hypotheses, references = zip(*((pair.hypothesis, pair.references) for pair in question.case.pairs), strict=True)
    bleu = bleukit.load(question.variant)
    score = bleu.corpus(hypotheses, references)
    if 0 < score.brevity_penalty < 1 and alike(score.value / score.brevity_penalty, got * bleu.variant.scale):
        yield "there is no brevity penalty"
    for cause, keys in CAUSES.items():
        if alike(bleu_from(question.variant, keys).corpus(hypotheses, references).value, got * bleu.variant.scale):
            yield cause


@dataclass(frozen=True)
class Adapted:
    """A library behind an adapter: an :class:`bleukit.framework.hookspecs.Implementation`."""

    name: str
    call: Callable[..., Reported]

    def ask(self, question: Question) -> Reported:
        """Return what the library reports. Raises as :func:`reported_by`."""
        case = question.case
        segments = [(pair.hypothesis, pair.references) for pair in case.pairs]
        counts = Counts(**msgspec.structs.asdict(case.counts)) if case.counts else None
        return reported_by(self.name, self.call, question.variant, segments, counts)


def reported_by(
    name: str,
    library: Callable[..., Reported],
    variant: bleukit.Variant,
    segments: Sequence[tuple[Any, Sequence[Any]]],
    counts: Counts | None,
) -> Reported:
    """Return what a library reports of segments, or of counts.

    Raises CannotExpressError; RaisedError for whatever else the library raises; PluginError if its adapter returns
    anything else.
    """
    try:
        with warnings.catch_warnings():  # a library's advice on its scores
            warnings.simplefilter("ignore")
            reported = _called(library, variant, segments, counts)
    except (KeyboardInterrupt, bleukit.CannotExpressError):
        raise
    except BaseException as error:
        raise RaisedError(one_line(error)) from error
    if not isinstance(reported, Reported):
        raise bleukit.PluginError(f"the implementation {name!r} returns {reported!r:.60}, not bleukit.plugin.Reported")
    return reported


def _called(
    library: Callable[..., Any],
    variant: bleukit.Variant,
    segments: Sequence[tuple[Any, Sequence[Any]]],
    counts: Counts | None,
) -> Any:
    if counts is None:
        return library(variant, [segment[0] for segment in segments], [segment[1] for segment in segments])
    from_counts = getattr(library, "from_counts", None)
    if from_counts is None:
        raise bleukit.CannotExpressError("input: counts in place of segments")
    return from_counts(variant, counts)


def not_installed() -> dict[str, str]:
    """Return the implementations that miss a distribution, each with the command that installs it."""
    known = registry.installed().of_kind(IMPLEMENTATION)
    commands = {name: creating.how_to_install(known[name].value) for name in sorted(known)}
    return {name: command for name, command in commands.items() if command}


def ask_implementations(
    documents: Sequence[CaseDocument],
    names: Sequence[str],
    variants: Sequence[str | Path],
    commands: Sequence[Sequence[str]] = (),
    seconds: float = 10,
) -> ImplementationRun:
    """Ask implementations for each variant (a name, or the path of a YAML file), the keys of each case laid over it.

    ``commands`` start processes that speak the protocol, each with its arguments; ``seconds`` is how long one may take
    for a case. Raises VariantError for a variant or a name that nobody registered or a library that is not installed,
    PluginError for one that does not import.
    """
    installed = registry.installed()
    respondents: dict[str, Adapted | Harness] = {
        name: Adapted(name, creating.create(installed, IMPLEMENTATION, Component(name)).call)
        for name in dict.fromkeys(names)
    }
    versions = {name: creating.versions(installed.of_kind(IMPLEMENTATION)[name].value) for name in respondents}
    questions, left_out = ask_about(documents, variants or [PLAIN_VARIANT])
    with ExitStack() as stack:
        harnesses: dict[str, Harness] = {}
        for command in commands:
            harness = stack.enter_context(closing(Harness(command, seconds)))
            name = _distinct(harness.name, respondents)
            respondents[name] = harnesses[name] = harness
            versions[name] = {harness.name: harness.hello.version} if harness.hello else {}
        answers = [
            _answer(name, respondent, question) for question in questions for name, respondent in respondents.items()
        ]
        for harness in harnesses.values():
            harness.end()
    return ImplementationRun(versions, answers, left_out, questions, list(map(_process, harnesses, harnesses.values())))


def _distinct(name: str, known: Mapping[str, Any]) -> str:
    """Return a name that nobody has: the second and third of a name are numbered."""
    numbered = (name, *(f"{name} ({number})" for number in range(2, len(known) + 2)))
    return next(candidate for candidate in numbered if candidate not in known)


def _process(name: str, harness: Harness) -> ProcessRecord:
    hello = harness.hello
    return ProcessRecord(
        name,
        harness.command_line,
        hello.version if hello else "",
        hello.language if hello else "",
        harness.answered,
        harness.taken,
        harness.problems,
        harness.standard_error,
        hello is not None,
    )


def _answer(name: str, respondent: Adapted | Harness, question: Question) -> JudgedAnswer:
    """Return what comes of asking a question."""
    expected = {stage: value for stage in STAGES if (value := getattr(question.expected, stage)) is not None}
    answer = partial(
        JudgedAnswer,
        implementation=name,
        variant=question.source,
        document=question.document,
        case=question.case.id,
        says=question.says,
        expected=expected,
    )
    try:
        stages = vars(respondent.ask(question))
    except bleukit.CannotExpressError as error:
        return answer(verdict="cannot express", cannot_express=str(error))
    except NoAnswerError as error:
        return answer(verdict="no answer", no_answer=str(error))
    except RaisedError as error:
        difference = Difference("error", None, str(error))
        return answer(verdict="differs", compared=("error",), differences=(difference,))
    reported = {stage: plain(value) for stage, value in stages.items() if value is not None}
    if "score" in reported:
        reported["score"] *= question.scale
    compared = tuple(stage for stage in expected if stage in reported)
    if not compared:
        nothing = "result: it reports none of the stages that the case states"
        return answer(verdict="cannot express", reported=reported, cannot_express=nothing)
    pairs = [Difference(stage, expected[stage], reported[stage]) for stage in compared]
    differences = tuple(pair for pair in pairs if not agrees(pair.expected, pair.got))
    verdict: Verdict = "differs" if differences else "passed"
    return answer(verdict=verdict, reported=reported, compared=compared, differences=differences)
