"""The messages by which an implementation of BLEU in any language is asked: JSON objects, one a line.

A harness reads requests from standard input and writes one answer to each, in order, to standard output. The types
below define both, :func:`schemas` gives their JSON Schemas, and ``harnesses.md`` explains them. Numbers that are not
finite are the texts ``nan``, ``inf`` and ``-inf``, because JSON has none.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bleukit.bleu import protocols
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.variant import STANDARD, Variant, from_keys
from bleukit.framework.plain import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.conformance.implementations.questions import Question
    from bleukit.conformance.judging import cases

    from bleukit import Component

VERSION = 1
"""The version of the protocol. New keys in requests do not change it: a harness ignores those that it does not know."""

Whole: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Number: TypeAlias = Annotated[
    Whole | float | Literal["nan", "inf", "-inf"], Meta(description="a number, or what JSON has no number for")
]
Text: TypeAlias = Annotated[
    str | list[str], Meta(description="text, or the list of its tokens, which no tokenizer is applied to")
]


Choice: TypeAlias = Annotated[
    dict[str, Any],
    Meta(
        description="a component: its name, and its options, if it has any",
        extra_json_schema={"required": ["name"], "properties": {"name": {"type": "string"}}},
    ),
]


class Numbered(msgspec.Struct, frozen=True):
    """What every message has."""

    seq: Annotated[int, Meta(description="the number of the request: 1, 2, 3, …", ge=1)]


class _Request(Numbered, frozen=True, tag_field="request"):
    """What a harness is asked."""


class _Answer(Numbered, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What it says."""


class Hello(_Request, frozen=True, tag="hello"):
    """The first request: who are you?"""

    protocol: Annotated[int, Meta(description="the version of the protocol that the requests are in")] = VERSION


class Introduction(_Answer, frozen=True, kw_only=True):
    """The answer to ``hello``."""

    protocol: Annotated[int, Meta(description="the version of the protocol that the harness speaks")]
    implementation: Annotated[str, Meta(description="the name of the implementation", min_length=1)]
    version: Annotated[str, Meta(description="its version")] = ""
    language: Annotated[str, Meta(description="the language it is written in")] = ""
    reports: Annotated[list[str], Meta(description="the stages that it can report")] = []


class AskedVariant(msgspec.Struct, frozen=True):
    """Which BLEU is asked for. Scores are between 0 and 1, whatever an implementation's own scale is."""

    tokenizer: Annotated[Choice, Meta(description="text to tokens; it does not matter if tokens are given")]
    counter: Annotated[Choice, Meta(description="tokens to matches and totals of each order; clipped as a rule")]
    reference_length: Annotated[Choice, Meta(description="the effective reference length of a segment")]
    smoothing: Annotated[Choice, Meta(description="counts, summed over the segments, to precisions")]
    weights: Annotated[list[float], Meta(description="one weight per order, order 1 first", min_length=1)]
    lowercase: Annotated[
        bool | Literal["ascii"], Meta(description="lowercase the texts: true by Unicode, ascii only A to Z")
    ]
    effective_order: Annotated[
        bool, Meta(description="orders without n-grams drop out, and the other weights are scaled up to the sum of all")
    ]
    empty_score: Annotated[Number, Meta(description="the score if no segment has a token")]
    brevity_penalty: Annotated[
        Choice | UnsetType, Meta(description="summed lengths to a factor of the score; without it, the standard one")
    ] = UNSET
    average: Annotated[
        Literal["macro", "macro-with-final-newline"] | UnsetType,
        Meta(description="the score is the mean of the segments' scores; without it, it is that of their sums"),
    ] = UNSET
    join_documents: Annotated[
        Literal[True] | UnsetType,
        Meta(description="the segments are one document, joined by blanks before they are split into tokens"),
    ] = UNSET


class RequestedSegment(msgspec.Struct, frozen=True):
    """A hypothesis and its references."""

    hypothesis: Text
    references: Annotated[list[Text], Meta(min_length=1)]


class SummedCounts(msgspec.Struct, frozen=True):
    """Sums over the segments, in place of segments."""

    matches: Annotated[list[int], Meta(description="clipped matches, order 1 first")]
    totals: Annotated[list[int], Meta(description="n-grams of the hypotheses, order 1 first")]
    hypothesis_length: int
    reference_length: int


class CaseRequest(_Request, frozen=True, tag="case", kw_only=True):
    """Score these segments together, as a corpus, or these counts."""

    id: Annotated[str, Meta(description="the name of the case, for messages")]
    variant: AskedVariant
    segments: list[RequestedSegment] | UnsetType = UNSET
    counts: SummedCounts | UnsetType = UNSET


class ReportedStages(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the implementation itself says: any of the stages, none that the harness had to compute."""

    tokens: Annotated[list[str] | UnsetType, Meta(description="those of the first hypothesis, if it is text")] = UNSET
    matches: Annotated[list[Number] | UnsetType, Meta(description="order 1 first")] = UNSET
    totals: Annotated[list[Number] | UnsetType, Meta(description="order 1 first")] = UNSET
    precisions: Annotated[list[Number] | UnsetType, Meta(description="after smoothing; nan for 0/0")] = UNSET
    hypothesis_length: Annotated[Number | UnsetType, Meta(description="in tokens, summed over the segments")] = UNSET
    reference_length: Annotated[Number | UnsetType, Meta(description="in tokens, summed over the segments")] = UNSET
    brevity_penalty: Annotated[Number | UnsetType, Meta(description="0 to 1")] = UNSET
    score: Annotated[Number | UnsetType, Meta(description="1 for a perfect match")] = UNSET


class CaseAnswer(_Answer, frozen=True, kw_only=True):
    """The answer to ``case``: what the implementation reports, why it cannot be asked, or the error that it raised."""

    reported: ReportedStages | UnsetType = UNSET
    cannot: Annotated[
        str | UnsetType,
        Meta(description="what the implementation has no parameter for: key and value, as in `counter: unclipped`"),
    ] = UNSET
    error: Annotated[str | UnsetType, Meta(description="what the implementation raised, on one line")] = UNSET

    def __post_init__(self) -> None:
        if sum(getattr(self, name) is not UNSET for name in ANSWERS) != 1:
            raise ValueError("expected one of reported, cannot and error")


class Bye(_Request, frozen=True, tag="bye"):
    """The last request, without an answer: end with status 0."""


MESSAGES: dict[str, type[msgspec.Struct]] = {
    "hello.request": Hello,
    "hello.answer": Introduction,
    "case.request": CaseRequest,
    "case.answer": CaseAnswer,
    "bye.request": Bye,
}
"""The messages by name."""

INPUTS = ("segments", "counts")
"""The members of a case of which it has one."""

ANSWERS = ("reported", "cannot", "error")
"""The members of the answer to a case of which it has one."""


def schemas() -> dict[str, Any]:
    """Return the JSON Schema of each message, by its name."""
    one_of: dict[str, dict[str, Sequence[str]]]
    one_of = {"case.request": {"CaseRequest": INPUTS}, "case.answer": {"CaseAnswer": ANSWERS}}
    return {name: titled_schema(name, message, **one_of.get(name, {})) for name, message in MESSAGES.items()}


def titled_schema(title: str, kind: type[msgspec.Struct], **one_of: Sequence[str]) -> dict[str, Any]:
    """Return the JSON Schema of a message or of a file. Its parts in ``one_of`` have one of these members each."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    json_schema = {"$schema": draft, "title": title, **msgspec.json.schema(kind)}
    for part, members in one_of.items():
        json_schema["$defs"][part]["oneOf"] = [{"required": [member]} for member in members]
    return json_schema


def encode(message: msgspec.Struct) -> bytes:
    """Return a message as a line."""
    return msgspec.json.encode(message) + b"\n"


def case_of(question: Question, seq: int) -> CaseRequest:
    """Return the request that asks a question."""
    return CaseRequest(seq=seq, id=question.case.id, variant=asked_of(question.variant), **input_of(question.case))


def input_of(case: cases.Case) -> dict[str, Any]:
    """Return the segments of a case, or the counts that it has in their place, by the name of the member."""
    if case.counts:
        return {"counts": SummedCounts(**msgspec.structs.asdict(case.counts))}
    return {"segments": [RequestedSegment(pair.hypothesis, pair.references) for pair in case.pairs]}


def asked_of(variant: Variant) -> AskedVariant:
    """Return what a variant says of a corpus, at the scale 1."""
    kinds = [kind for kind in COMPONENT_HOOKS if getattr(variant, kind) != STANDARD]
    return AskedVariant(
        **{kind: _choice(getattr(variant, kind)) for kind in kinds},
        weights=list(variant.weights_used),
        lowercase=variant.lowercase,
        effective_order=variant.effective_order,
        empty_score=with_texts(variant.empty_score / variant.scale),
        average=variant.average if variant.average != "micro" else UNSET,
        join_documents=variant.join_documents or UNSET,
    )


def variant_of(asked: AskedVariant) -> Variant:
    """Return the variant that a variant of a request describes. Raises VariantError if it is none."""
    keys = {key: value for key, value in msgspec.structs.asdict(asked).items() if value is not UNSET}
    return from_keys({**keys, "empty_score": float(asked.empty_score)})


def answer_of(reported: protocols.Reported, seq: int) -> CaseAnswer:
    """Return the answer with what a Python adapter reports. Raises ValidationError if that is not what it should be."""
    stages = {stage: with_texts(plain(value)) for stage, value in vars(reported).items() if value is not None}
    return CaseAnswer(seq=seq, reported=msgspec.convert(stages, ReportedStages))


def reported_in(answer: ReportedStages) -> protocols.Reported:
    """Return what an answer reports as Python adapters do."""
    stages = msgspec.structs.asdict(answer).items()
    values = {stage: value if stage == "tokens" else _floats(value) for stage, value in stages if value is not UNSET}
    return protocols.Reported(**values)


def _choice(component: Component) -> dict[str, Any]:
    return {"name": component.name, **{name: with_texts(plain(value)) for name, value in component.options.items()}}


def with_texts(value: Any) -> Any:
    """Return plain data with text for the numbers that JSON cannot write."""
    if isinstance(value, list | tuple):
        return list(map(with_texts, value))
    if isinstance(value, dict):
        return {key: with_texts(item) for key, item in value.items()}
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _floats(value: Any) -> Any:
    """Return numbers as Python has them."""
    if isinstance(value, list):
        return list(map(_floats, value))
    return float(value) if isinstance(value, str) else value
