"""The cases as JSON, for runners in any language: each resolved for every variant that it says something of.

What is written depends on the cases and on bleukit's own variants alone, so that it is the same, byte for byte, on
every machine. The messages of :mod:`.protocol` are made of its parts.
"""

from __future__ import annotations

import math
import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from bleukit.conformance.definitions import PLAIN_VARIANT
from bleukit.conformance.implementations import protocol, records
from bleukit.conformance.implementations.questions import STAGES, ask_about
from bleukit.conformance.judging import cases  # noqa: TC002 - msgspec looks at it
from bleukit.conformance.judging.runner import RELATIVE, read_number
from msgspec import UNSET, Meta, UnsetType

import bleukit
from bleukit.loading import creating, loader, manager, registry
from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit.conformance.implementations.questions import Question

FORMAT = 1
"""The version of the format. New members do not change it."""

README = Path(__file__).parents[1] / "harnesses.md"


class Value(msgspec.Struct, frozen=True):
    """A number that must come out: equal to ``value`` within ``tolerance``; nan is equal to nan."""

    value: protocol.Number
    tolerance: float


PerOrder: TypeAlias = Annotated[list[int], Meta(description="one number per order, order 1 first")]


class Expect(msgspec.Struct, frozen=True, omit_defaults=True):
    """What must come out, at the stages that are named; an implementation need not report all of them."""

    tokens: Annotated[list[str] | UnsetType, Meta(description="of the hypothesis of the first segment")] = UNSET
    matches: PerOrder | UnsetType = UNSET
    totals: PerOrder | UnsetType = UNSET
    precisions: list[Value] | UnsetType = UNSET
    hypothesis_length: int | UnsetType = UNSET
    reference_length: Value | UnsetType = UNSET
    brevity_penalty: Value | UnsetType = UNSET
    score: Annotated[Value | UnsetType, Meta(description="between 0 and 1")] = UNSET


class ExportedTest(msgspec.Struct, frozen=True):
    """A variant, and what must come out of the case for it."""

    variants: Annotated[list[str], Meta(description="the names of the variants of which this holds")]
    variant: Annotated[
        protocol.AskedVariant, Meta(description="what to ask for: the variant with all that the case sets")
    ]
    says: Annotated[str, Meta(description="why this must come out")]
    expect: Expect


class ExportedCase(msgspec.Struct, frozen=True, omit_defaults=True):
    """One example or rule of a document: segments, to be scored together, or counts; and its tests."""

    id: Annotated[str, Meta(description="its name, unique over all files")]
    says: Annotated[str, Meta(description="what the document says, as short as it can be said")]
    tests: list[ExportedTest]
    section: Annotated[str, Meta(description="where the document says it")] = ""
    derived: Annotated[bool, Meta(description="it follows from the document, but is not printed there")] = False
    erratum: Annotated[cases.Erratum | None, Meta(description="what the document prints by mistake")] = None
    produced_by: Annotated[cases.Produced | None, Meta(description="the program that printed the figures")] = None
    segments: list[protocol.RequestedSegment] | UnsetType = UNSET
    counts: protocol.SummedCounts | UnsetType = UNSET


class ExportedDocument(msgspec.Struct, frozen=True):
    """A document that defines BLEU, and its cases."""

    format: Annotated[int, Meta(description="the version of this format")]
    version: Annotated[str, Meta(description="the version of bleukit that the cases are of")]
    document: str
    source: str
    cases: list[ExportedCase]


class CasesLeftOut(msgspec.Struct, frozen=True):
    """Cases that say nothing of variants, or nothing that an implementation could be asked."""

    because: str
    variant: str
    cases: list[str]


class ExportIndex(msgspec.Struct, frozen=True):
    """What there is."""

    format: int
    version: str
    plain: Annotated[str, Meta(description="the variant to ask for if there is no reason for another one")]
    variants: Annotated[dict[str, str], Meta(description="the names of the variants, and what each is")]
    files: Annotated[dict[str, str], Meta(description="the files of cases, and the document of each")]
    left_out: list[CasesLeftOut]


def bleukits_own() -> list[str]:
    """Return the named variants that bleukit brings and that need no extra: those are everywhere the same."""
    required = {
        _distribution(requirement)
        for requirement in metadata.requires("bleukit") or ()
        if "extra ==" not in requirement
    }
    installed = registry.installed()

    def needs_no_extra(name: str) -> bool:
        variant = loader.named(name, installed)
        factories = [installed.registered[kind][getattr(variant, kind).name] for kind in manager.COMPONENT_HOOKS]
        return all(required.issuperset(creating.versions(factory.value)) for factory in factories)

    own = [name for name, variant in installed.variants.items() if variant.plugin.is_built_in]
    return [PLAIN_VARIANT, *(name for name in sorted(own) if name != PLAIN_VARIANT and needs_no_extra(name))]


def exported_files(
    documents: Mapping[str, cases.CaseDocument], variants: Sequence[str | Path]
) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of all files. ``documents`` are by the names that their files get.

    Raises VariantError for a variant that is wrong, or that needs what is not installed.
    """
    questions, left_out = ask_about([*documents.values()], variants)
    by_case: dict[str, list[Question]] = {}
    for question in questions:
        by_case.setdefault(question.case.id, []).append(question)
    paths = {}
    for name, document in documents.items():
        exported = [_case(case, by_case[case.id]) for case in document.cases if case.id in by_case]
        if exported:
            paths[f"cases/{name}.json"] = document.document
            data = ExportedDocument(FORMAT, __version__, document.document, document.source, exported)
            yield f"cases/{name}.json", _json(data)
    names = {str(variant): bleukit.load(variant).variant.description for variant in variants}
    silent: dict[tuple[str, str], list[str]] = {}
    for case in left_out:
        silent.setdefault((case.because, case.variant), []).append(case.case)
    index = ExportIndex(
        FORMAT, __version__, PLAIN_VARIANT, names, paths, [CasesLeftOut(*key, ids) for key, ids in silent.items()]
    )
    yield "index.json", _json(index)
    schemas = {
        "index": protocol.titled_schema("index", ExportIndex),
        "cases": protocol.titled_schema("cases", ExportedDocument, ExportedCase=protocol.INPUTS),
        "report": records.report_schema(),
        **protocol.schemas(),
    }
    for name, schema in schemas.items():
        yield f"schemas/{name}.json", _json(schema)
    yield "README.md", README.read_bytes()


def _case(case: cases.Case, questions: Sequence[Question]) -> ExportedCase:
    tests: dict[str, ExportedTest] = {}
    for question in questions:
        test = ExportedTest([], protocol.asked_of(question.variant), question.says, _expect(question))
        tests.setdefault(repr(test), test).variants.append(question.source)
    return ExportedCase(
        id=case.id,
        says=case.says,
        tests=[*tests.values()],
        section=case.section,
        derived=case.derived,
        erratum=case.erratum,
        produced_by=case.produced_by,
        **protocol.input_of(case),
    )


def _expect(question: Question) -> Expect:
    stated = {stage: getattr(question.expected, stage) for stage in STAGES}
    return Expect(**{stage: _exact(stage, stated[stage], question) for stage in STAGES if stated[stage] is not None})


def _exact(stage: str, stated: Any, question: Question) -> Any:
    """Return what is stated of a stage: whole numbers and tokens as they are, other numbers with their tolerance."""
    if stage not in {"precisions", "reference_length", "brevity_penalty", "score"}:
        return stated
    if isinstance(stated, list):
        return list(map(_value, stated))
    return _value(stated, question.scale if stage == "score" else 1)


def _value(written: cases.Number, scale: float = 1) -> Value:
    number, within = read_number(written)
    if math.isnan(number):
        return Value("nan", 0.0)
    return Value(number / scale, max(within, RELATIVE * abs(number)) / scale)


def _json(data: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"


def _distribution(requirement: str) -> str:
    """Return the name in a requirement such as ``numpy>=1.24``."""
    return re.split(r"[^\w.-]", requirement)[0]
