"""Other implementations of BLEU under the suite's cases: what each passes, where it differs, what it cannot express.

An implementation is a library behind an adapter in Python, or a process behind the protocol: both are asked the same
questions, and their answers are judged alike.
"""

from __future__ import annotations

import warnings
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, get_args

import msgspec
from bleukit.conformance.implementations.harness import Harness, NoAnswerError, RaisedError
from bleukit.conformance.implementations.questions import PLAIN, STAGES, LeftOut, ask_about
from bleukit.conformance.judging.runner import agrees

import bleukit
from bleukit.errors import one_line
from bleukit.loading import creating, registry
from bleukit.loading.manager import IMPLEMENTATION
from bleukit.offers import Reported
from bleukit.plain import plain
from bleukit.variant import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bleukit.conformance.implementations.questions import Question
    from bleukit.conformance.judging.cases import Document

Verdict: TypeAlias = Literal["passed", "differs", "cannot express", "no answer"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Difference(NamedTuple):
    """A stage at which a library gives something else; the stage ``error`` is what it raised in place of a result."""

    stage: str
    expected: Any
    got: Any


@dataclass(frozen=True)
class Answer:
    """What came of one case, asked of one implementation: the stages compared, the differences, or why it has none.

    ``says`` is what holds by the case for this variant; ``expected`` and ``reported`` are the stages that the case
    states and that the implementation reports. ``no_answer`` says what a process did instead of answering.
    """

    implementation: str
    variant: str
    document: str
    case: str
    says: str
    expected: Mapping[str, Any] = field(default_factory=dict)
    reported: Mapping[str, Any] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    cannot_express: str = ""
    no_answer: str = ""

    @property
    def verdict(self) -> Verdict:
        """Differs if any stage does."""
        if self.no_answer:
            return "no answer"
        return "cannot express" if self.cannot_express else "differs" if self.differences else "passed"


@dataclass(frozen=True)
class Course:
    """How a process behind a command fared: ``problems`` are what it did that no harness may do.

    ``answered`` is the number of cases that it answered, ``seconds`` the time that took, with its start left out.
    """

    implementation: str
    command: str
    version: str
    language: str
    answered: int
    seconds: float
    problems: Sequence[str]
    standard_error: str


@dataclass(frozen=True)
class Comparison:
    """All answers; the versions of the distributions that each implementation consists of; how processes fared.

    ``answers`` holds those of all implementations to the first of the ``questions``, then to the second.
    """

    versions: Mapping[str, Mapping[str, str]]
    answers: Sequence[Answer]
    left_out: Sequence[LeftOut]
    questions: Sequence[Question] = ()
    courses: Sequence[Course] = ()

    @property
    def titles(self) -> list[str]:
        """The names of the implementations, each with the version of the first of its distributions."""
        return [" ".join(filter(None, [name, *list(each.values())[:1]])) for name, each in self.versions.items()]


class Asked(Protocol):
    """Whatever answers questions."""

    def ask(self, question: Question, /) -> Reported:
        """Return what the implementation reports. Raises CannotExpressError, RaisedError or NoAnswerError."""
        ...


@dataclass(frozen=True)
class Adapted:
    """A library behind an adapter: an :class:`bleukit.hookspecs.Implementation`."""

    name: str
    call: Callable[..., Reported]

    def ask(self, question: Question) -> Reported:
        """Return what the library reports. Raises as :func:`reported_by`."""
        case = question.case
        segments = [(pair.hypothesis, pair.references) for pair in case.pairs]
        counts = bleukit.plugin.Counts(**msgspec.structs.asdict(case.counts)) if case.counts else None
        return reported_by(self.name, self.call, question.variant, segments, counts)


def reported_by(
    name: str,
    library: Callable[..., Reported],
    variant: bleukit.Variant,
    segments: Sequence[tuple[Any, Sequence[Any]]],
    counts: bleukit.plugin.Counts | None,
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
    counts: bleukit.plugin.Counts | None,
) -> Any:
    if counts is None:
        return library(variant, [segment[0] for segment in segments], [segment[1] for segment in segments])
    from_counts = getattr(library, "from_counts", None)
    if from_counts is None:
        raise bleukit.CannotExpressError("input: counts in place of segments")
    return from_counts(variant, counts)


def not_installed() -> dict[str, str]:
    """Return the implementations that miss a distribution, each with the command that installs it."""
    known = registry.installed().registered[IMPLEMENTATION]
    commands = {name: creating.how_to_install(known[name].value) for name in sorted(known)}
    return {name: command for name, command in commands.items() if command}


def compare(
    documents: Sequence[Document],
    names: Sequence[str],
    variants: Sequence[str | Path],
    commands: Sequence[Sequence[str]] = (),
    seconds: float = 10,
) -> Comparison:
    """Ask implementations for each variant (a name, or the path of a YAML file), the keys of each case laid over it.

    ``commands`` start processes that speak the protocol, each with its arguments; ``seconds`` is how long one may take
    for a case. Raises VariantError for a variant or a name that nobody registered or a library that is not installed,
    PluginError for one that does not import.
    """
    installed = registry.installed()
    asked: dict[str, Asked] = {
        name: Adapted(name, creating.create(installed, IMPLEMENTATION, Component(name)).call)
        for name in dict.fromkeys(names)
    }
    versions = {name: creating.versions(installed.registered[IMPLEMENTATION][name].value) for name in asked}
    questions, left_out = ask_about(documents, variants or [PLAIN])
    with ExitStack() as stack:
        harnesses: dict[str, Harness] = {}
        for command in commands:
            harness = stack.enter_context(_started(command, seconds))
            name = _distinct(harness.name, asked)
            asked[name] = harnesses[name] = harness
            versions[name] = {harness.name: harness.hello.version} if harness.hello else {}
        answers = [_answer(name, each, question) for question in questions for name, each in asked.items()]
        for harness in harnesses.values():
            harness.end()
    courses = [_course(name, harness) for name, harness in harnesses.items()]
    return Comparison(versions, answers, left_out, questions, courses)


@contextmanager
def _started(command: Sequence[str], seconds: float) -> Iterator[Harness]:
    harness = Harness(command, seconds)
    try:
        yield harness
    finally:
        harness.kill()


def _distinct(name: str, known: Mapping[str, Any]) -> str:
    """Return a name that nobody has: the second and third of a name are numbered."""
    numbered = (name, *(f"{name} ({number})" for number in range(2, len(known) + 2)))
    return next(each for each in numbered if each not in known)


def _course(name: str, harness: Harness) -> Course:
    hello = harness.hello
    return Course(
        name,
        harness.command_line,
        hello.version if hello else "",
        hello.language if hello else "",
        harness.answered,
        harness.taken,
        harness.problems,
        harness.standard_error,
    )


def _answer(name: str, asked: Asked, question: Question) -> Answer:
    """Return what comes of asking a question."""
    expected = {stage: value for stage in STAGES if (value := getattr(question.expected, stage)) is not None}
    answer = Answer(name, question.source, question.document, question.case.id, question.says, expected)
    try:
        stages = vars(asked.ask(question))
    except bleukit.CannotExpressError as error:
        return replace(answer, cannot_express=str(error))
    except NoAnswerError as error:
        return replace(answer, no_answer=str(error))
    except RaisedError as error:
        return replace(answer, compared=("error",), differences=(Difference("error", None, str(error)),))
    reported = {stage: plain(value) for stage, value in stages.items() if value is not None}
    if "score" in reported:
        reported["score"] *= question.scale
    compared = [stage for stage in expected if stage in reported]
    pairs = [Difference(stage, expected[stage], reported[stage]) for stage in compared]
    differences = tuple(pair for pair in pairs if not agrees(pair.expected, pair.got))
    none = "" if compared else "result: it reports none of the stages that the case states"
    answer = replace(answer, reported=reported, cannot_express=none)
    return replace(answer, compared=tuple(compared), differences=differences)
