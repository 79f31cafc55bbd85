"""What came of asking implementations, as JSON: with a schema, to be kept and compared with later ones, and a badge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import msgspec
from bleukit.conformance.implementations.asking import Verdict  # noqa: TC002 - msgspec looks at it
from bleukit.conformance.implementations.protocol import schema, with_texts
from msgspec import Meta

from bleukit.errors import InputError, in_words, key_path
from bleukit.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from bleukit.conformance.implementations import asking

FORMAT = 1
"""The version of the format. New members do not change it."""

Key: TypeAlias = tuple[str, str, str]
"""An implementation, a variant, and a case."""


class Difference(msgspec.Struct, frozen=True):
    """A stage at which something else comes out; the stage ``error`` is what the implementation raised."""

    stage: str
    expected: Any
    got: Any


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one case. Numbers that are not finite are text; scores are as the case writes them."""

    implementation: str
    variant: str
    document: str
    case: Annotated[str, Meta(description="the name of the case")]
    says: Annotated[str, Meta(description="what holds by the case for this variant")]
    verdict: Verdict
    expected: Annotated[dict[str, Any], Meta(description="what the case states, by stage")] = {}
    reported: Annotated[dict[str, Any], Meta(description="what the implementation says, by stage")] = {}
    compared: Annotated[list[str], Meta(description="the stages that both have")] = []
    differences: list[Difference] = []
    cannot_express: Annotated[str, Meta(description="what it has no parameter for")] = ""
    no_answer: Annotated[str, Meta(description="what its process did in place of answering")] = ""


class Process(msgspec.Struct, frozen=True):
    """How the process of a command fared."""

    implementation: str
    command: str
    version: str
    language: str
    answered: Annotated[int, Meta(description="the number of cases that it answered")]
    seconds: Annotated[float, Meta(description="the time that this took, without its start")]
    problems: list[str]
    standard_error: Annotated[str, Meta(description="the end of what it wrote there")]


class LeftOut(msgspec.Struct, frozen=True):
    """A case that says nothing of a variant, or nothing that an implementation could be asked."""

    variant: str
    case: str
    because: str


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """All that came of asking implementations."""

    format: int
    version: Annotated[str, Meta(description="the version of bleukit, whose cases these are")]
    implementations: Annotated[
        dict[str, dict[str, str]],
        Meta(description="the implementations, each with the versions of what it consists of"),
    ]
    counts: Annotated[dict[str, int], Meta(description="the number of answers of each verdict")]
    answers: list[Answer]
    processes: list[Process]
    left_out: list[LeftOut]


class Change(NamedTuple):
    """What became of one case for an implementation, from one record to the next; None if it is not in one of them."""

    implementation: str
    variant: str
    case: str
    before: Answer | None
    after: Answer | None

    @property
    def is_worse(self) -> bool:
        """Whether a case passed that does not pass any more."""
        passed = self.before is not None and self.before.verdict == "passed"
        return passed and self.after is not None and self.after.verdict != "passed"


def of(comparison: asking.Comparison) -> Record:
    """Return the record of a comparison."""
    answers = [vars(answer) | {"verdict": answer.verdict} for answer in comparison.answers]
    counts: dict[str, int] = {}
    for answer in comparison.answers:
        counts[answer.verdict] = counts.get(answer.verdict, 0) + 1
    plain = {
        "format": FORMAT,
        "version": __version__,
        "implementations": {name: dict(versions) for name, versions in comparison.versions.items()},
        "counts": counts,
        "answers": [answer | {"differences": [d._asdict() for d in answer["differences"]]} for answer in answers],
        "processes": [vars(course) for course in comparison.courses],
        "left_out": [left_out._asdict() for left_out in comparison.left_out],
    }
    return msgspec.convert(with_texts(msgspec.to_builtins(plain)), Record)


def to_plain(record: Record) -> dict[str, Any]:
    """Return a record as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    return plain


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a record."""
    return schema("the report of bleukit conform on implementations", Record)


def read(path: Path) -> Record:
    """Read a record from a file. Raises InputError if it is none."""
    try:
        record = msgspec.json.decode(path.read_bytes(), type=Record)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except msgspec.ValidationError as error:
        problem, key = in_words(error)
        where = ": ".join(filter(None, (str(path), key_path(key), problem)))
        raise InputError(
            f"{where}; expected what 'bleukit conform --implementation NAME --format json' prints"
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is no JSON: {error}") from error
    if record.format != FORMAT:
        raise InputError(f"{path}: format: expected {FORMAT}, got {record.format}")
    return record


def changes(old: Record, new: Record) -> list[Change]:
    """Return what changed: other verdicts, other differences, cases that are only in one of the records."""
    before, after = map(_by_key, (old, new))
    keys = dict.fromkeys([*after, *before])
    return [
        Change(*key, before.get(key), after.get(key)) for key in keys if _told(before.get(key)) != _told(after.get(key))
    ]


def badge(record: Record) -> dict[str, Any]:
    """Return what shields.io calls an endpoint: a label, a message, a colour. Raises InputError for several records."""
    names = {(answer.implementation, answer.variant) for answer in record.answers}
    if len(names) != 1:
        raise InputError("a badge is about one implementation, and one variant")
    passed, *others = (record.counts.get(verdict, 0) for verdict in ("passed", "differs", "no answer"))
    colors = "brightgreen", "yellow", "red"
    worst = max((place for place, number in enumerate(others, 1) if number), default=0)
    message = f"{passed} of {passed + sum(others)} cases"
    return {"schemaVersion": 1, "label": "BLEU conformance", "message": message, "color": colors[worst]}


def _by_key(record: Record) -> dict[Key, Answer]:
    return {(answer.implementation, answer.variant, answer.case): answer for answer in record.answers}


def _told(answer: Answer | None) -> Any:
    """Return what must change of an answer to be reported."""
    return answer and (answer.verdict, answer.differences, answer.cannot_express, bool(answer.no_answer))
