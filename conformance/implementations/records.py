"""What implementations answered, as JSON with a schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence  # noqa: TC003 - msgspec looks at them
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from bleukit.conformance.implementations.protocol import titled_schema, with_texts
from bleukit.conformance.implementations.questions import CaseLeftOut  # noqa: TC002 - msgspec looks at it
from msgspec import Meta

from bleukit.framework.version import __version__

FORMAT = 1
"""The version of the format. New members do not change it."""

Verdict: TypeAlias = Literal["passed", "differs", "cannot express", "no answer"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Difference(msgspec.Struct, frozen=True):
    """A stage at which something else comes out; the stage ``error`` is what the implementation raised."""

    stage: str
    expected: Any
    got: Any


class JudgedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an implementation answered to one case, and how it compares. Scores are as the case writes them.

    In JSON, numbers that are not finite are text.
    """

    implementation: str
    variant: str
    document: str
    case: Annotated[str, Meta(description="the name of the case")]
    says: Annotated[str, Meta(description="what holds by the case for this variant")]
    verdict: Verdict
    expected: Annotated[dict[str, Any], Meta(description="what the case states, by stage")] = {}
    reported: Annotated[dict[str, Any], Meta(description="what the implementation says, by stage")] = {}
    compared: Annotated[tuple[str, ...], Meta(description="the stages that both have")] = ()
    differences: tuple[Difference, ...] = ()
    cannot_express: Annotated[str, Meta(description="what it has no parameter for")] = ""
    no_answer: Annotated[str, Meta(description="what its process did in place of answering")] = ""


class ProcessRecord(msgspec.Struct, frozen=True):
    """How the process of a command fared."""

    implementation: str
    command: str
    version: str
    language: str
    answered: Annotated[int, Meta(description="the number of cases that it answered")]
    seconds: Annotated[float, Meta(description="the time that this took, without its start")]
    problems: Sequence[str]
    standard_error: Annotated[str, Meta(description="the end of what it wrote there")]
    introduced: Annotated[bool, Meta(description="whether it started, and answered hello")] = True


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """All that came of asking implementations."""

    format: int
    version: Annotated[str, Meta(description="the version of bleukit, whose cases these are")]
    implementations: Annotated[
        dict[str, dict[str, str]],
        Meta(description="the implementations, each with the versions of what it consists of"),
    ]
    counts: Annotated[dict[str, int], Meta(description="the number of answers of each verdict")]
    answers: list[JudgedAnswer]
    processes: list[ProcessRecord]
    left_out: list[CaseLeftOut]


def record_of(
    versions: Mapping[str, Mapping[str, str]],
    answers: Sequence[JudgedAnswer],
    left_out: Sequence[CaseLeftOut],
    processes: Sequence[ProcessRecord],
) -> Record:
    """Return the record of answers; ``versions`` are those of the distributions of each implementation."""
    parts = {
        "format": FORMAT,
        "version": __version__,
        "implementations": versions,
        "counts": Counter(answer.verdict for answer in answers),
        "answers": answers,
        "processes": processes,
        "left_out": left_out,
    }
    return msgspec.convert(with_texts(msgspec.to_builtins(parts)), Record)


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of a record."""
    return titled_schema("the report of bleukit conform on implementations", Record)
