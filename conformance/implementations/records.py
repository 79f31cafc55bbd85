"""What implementations answered, as JSON: with a schema, to be kept and compared with later answers, and a badge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence  # noqa: TC003 - msgspec looks at them
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from bleukit.conformance.implementations.protocol import titled_schema, with_texts
from bleukit.conformance.implementations.questions import CaseLeftOut  # noqa: TC002 - msgspec looks at it
from msgspec import Meta

from bleukit.errors import InputError, in_words, key_path
from bleukit.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

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


class AnswerChange(NamedTuple):
    """How the answer of an implementation to a case changed from one record to the next; None if it is not in one.

    ``is_gone`` says that the later record has no answer of the implementation at all.
    """

    implementation: str
    variant: str
    case: str
    before: JudgedAnswer | None
    after: JudgedAnswer | None
    is_gone: bool = False

    @property
    def is_worse(self) -> bool:
        """Whether a case passed that does not pass any more; one that is not asked any more is no worse by itself."""
        passed = self.before is not None and self.before.verdict == "passed"
        return passed and (self.is_gone if self.after is None else self.after.verdict != "passed")


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


def read_record(path: Path) -> Record:
    """Read a record from a file. Raises InputError if it is none."""
    try:
        record = msgspec.json.decode(path.read_bytes(), type=Record)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except msgspec.ValidationError as error:
        problem, key = in_words(error)
        where = ": ".join(filter(None, (str(path), key_path(key), problem)))
        expected = "expected what 'bleukit conform implementations NAME --format json' prints"
        raise InputError(f"{where}; {expected}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is no JSON: {error}") from error
    if record.format != FORMAT:
        raise InputError(f"{path}: format: expected {FORMAT}, got {record.format}")
    return record


def answer_changes(old: Record, new: Record) -> list[AnswerChange]:
    """Return what changed: other verdicts, other differences, cases that are only in one of the records."""
    before, after = (
        {(answer.implementation, answer.variant, answer.case): answer for answer in record.answers}
        for record in (old, new)
    )
    left = {(implementation, variant) for implementation, variant, _ in after}
    changes = [
        AnswerChange(*key, before.get(key), after.get(key), key[:2] not in left)
        for key in dict.fromkeys([*after, *before])
    ]
    return [change for change in changes if _compared(change.before) != _compared(change.after)]


def badge(record: Record) -> dict[str, Any]:
    """Return what shields.io calls an endpoint: a label, a message, a colour. Raises InputError for several records."""
    names = {(answer.implementation, answer.variant) for answer in record.answers}
    if len(names) != 1:
        raise InputError("a badge is about one implementation, and one variant")
    return badge_of(record.counts)


def badge_of(counts: Mapping[str, int]) -> dict[str, Any]:
    """Return the same of the number of answers of each verdict."""
    passed, *others = (counts.get(verdict, 0) for verdict in ("passed", "differs", "no answer"))
    colors = "brightgreen", "yellow", "red"
    worst = max((place for place, number in enumerate(others, 1) if number), default=0)
    message = f"{passed} of {passed + sum(others)} cases"
    return {"schemaVersion": 1, "label": "BLEU conformance", "message": message, "color": colors[worst]}


def _compared(answer: JudgedAnswer | None) -> Any:
    """Return what of an answer must change to be reported."""
    return answer and (answer.verdict, answer.differences, answer.cannot_express, bool(answer.no_answer))
