"""Pages of the conformance suite: implementations by documents, and a page a document, with a section for each case.

A case about components is asked as the plain definition has it, a case about one named variant as that variant.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from bleukit.conformance.implementations import asking
from bleukit.conformance.implementations.questions import STAGES
from bleukit.conformance.judging.cases import documents_by_name
from bleukit.conformance.judging.laws import laws_by_verdict
from bleukit.conformance.writing.drafts import usable_variants
from bleukit.conformance.writing.explaining import explain_case

import bleukit
from _extension.pages import MARKS, shown
from bleukit.bleu.hookspecs import IMPLEMENTATION
from bleukit.explaining.derivation import written
from bleukit.framework import registry
from bleukit.framework.creating import how_to_install
from bleukit.metrics.loading import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleukit.conformance.implementations.records import JudgedAnswer
    from bleukit.conformance.judging.cases import Case, CaseDocument, Otherwise
    from bleukit.conformance.judging.laws import Verdict

    from _extension.pages import Pages

PLAIN = "wikipedia"
"""The variant of the plain definition."""

LONGEST = 600
"""How long, in characters, the text of a case may be whose score is worked out."""


class Asked(NamedTuple):
    """What came of asking the implementations that are installed: of the plain definition, and of every case."""

    names: list[str]
    titles: list[str]
    answers: dict[str, list[JudgedAnswer]]
    not_asked: dict[str, str]

    def verdicts(self, implementation: str, document: CaseDocument) -> str:
        """Return the number of answers of each verdict to the cases of a document, with its mark."""
        answers = [answer for case in document.cases for answer in self.answers.get(case.id, ())]
        counts = Counter(answer.verdict for answer in answers if answer.implementation == implementation)
        return ", ".join(f"{mark} {counts[verdict]}" for verdict, mark in MARKS.items() if counts[verdict])

    def marks(self, case: Case) -> list[str]:
        """Return the verdict on each implementation for a case, empty if it is not asked."""
        verdicts = {answer.implementation: MARKS[answer.verdict] for answer in self.answers.get(case.id, ())}
        return [verdicts.get(name, "") for name in self.names]


@cache
def asked() -> Asked:
    """Ask the implementations that are installed."""
    documents = [*documents_by_name().values()]
    offered = registry.installed().of_kind(IMPLEMENTATION)
    names = [name for name, registered in offered.items() if not how_to_install(registered.value)]
    runs = [asking.ask_implementations(documents, names, [PLAIN])]
    for variant in sorted({case.variant for document in documents for case in document.cases} - {"", PLAIN}):
        own = [msgspec.structs.replace(document, cases=cases) for _, document, cases in of_variant(variant)]
        with suppress(bleukit.NotInstalledError):
            runs.append(asking.ask_implementations(own, names, [variant]))
    answers: dict[str, list[JudgedAnswer]] = {}
    for answer in chain.from_iterable(run.answers for run in runs):
        answers.setdefault(answer.case, []).append(answer)
    not_asked = {left.case: left.because for run in runs for left in run.left_out}
    return Asked(list(runs[0].versions), runs[0].titles, answers, not_asked)


def write(pages: Pages) -> None:
    """Write the pages that are Markdown."""
    documents = documents_by_name()
    pages.write("cases.md", "cases.md", documents=documents, asked=asked())
    for name, document in documents.items():
        functions: dict[str, Any] = {"variants": registry.installed().of_kind("variant"), "law_verdicts": law_verdicts}
        functions |= {
            "laws_by_name": laws_by_name,
            "anchor": anchor,
            "link": link,
            "by_stage": by_stage,
            "derivation": derivation,
        }
        pages.write(f"documents/{name}.md", "document.md", document=document, asked=asked(), **functions)


@cache
def law_verdicts() -> list[Verdict]:
    """Judge all laws, for the variants that can be used, and for metrics."""
    cases = chain.from_iterable(document.cases for document in documents_by_name().values())
    return laws_by_verdict(cases, [*usable_variants(), *METRICS])


@cache
def laws_by_name() -> dict[str, dict[str, Verdict]]:
    """Return what came of each law, by its id, for each variant and metric."""
    found: dict[str, dict[str, Verdict]] = {}
    for verdict in law_verdicts():
        for name in verdict.names:
            found.setdefault(name, {})[verdict.law.id] = verdict
    return found


def by_stage(answers: list[JudgedAnswer]) -> Iterator[tuple[str, list[str]]]:
    """Yield each stage, with what must be, and what each implementation says of it, marked if both are compared.

    After the stages stands why implementations say nothing.
    """
    expected = answers[0].expected
    for stage in (*STAGES, "error"):
        said = [_said(answer, stage) for answer in answers]
        if stage in expected or any(said):
            yield stage, [shown(expected[stage]) if stage in expected else "", *said]
    reasons = [answer.cannot_express or answer.no_answer for answer in answers]
    if any(reasons):
        marked = [f"{MARKS[answer.verdict]} {why}" if why else "" for answer, why in zip(answers, reasons, strict=True)]
        yield "", ["", *marked]


def _said(answer: JudgedAnswer, stage: str) -> str:
    differing = {difference.stage: difference.got for difference in answer.differences}
    given = differing | answer.reported
    if stage not in given:
        return ""
    mark = f"{MARKS['differs' if stage in differing else 'passed']} " if stage in answer.compared else ""
    return mark + shown(given[stage])


def derivation(case: Case) -> str:
    """Return how the score follows by the variant of a case, empty if it is refused, or too long to be read."""
    if case.expect.error or case.self_bleu or sum(map(len, map(str, case.texts))) > LONGEST or len(case.pairs) > 2:
        return ""
    try:
        return written(explain_case(case, case.variant or PLAIN)[1:])
    except bleukit.BleukitError:
        return ""


def anchor(case: Case) -> str:
    """Return the name of the section of a case."""
    return re.sub(r"[^\w.-]+", "-", case.id)


def link(case: Case) -> str:
    """Return the address of the section of a case, for Markdown."""
    document = next(name for name, document in documents_by_name().items() if case in document.cases)
    return f"case:{document}#{anchor(case)}"


@cache
def of_variant(name: str) -> list[tuple[str, CaseDocument, list[Case]]]:
    """Return the documents that have cases about a variant, with the names of their pages, and these cases."""
    found = [(key, each, [c for c in each.cases if c.variant == name]) for key, each in documents_by_name().items()]
    return [(key, document, own) for key, document, own in found if own]


def departures(variant: bleukit.Variant) -> Iterator[tuple[Case, list[Otherwise]]]:
    """Yield the cases that state something else for a variant than for the plain definition, with the exceptions."""
    plain = bleukit.load(PLAIN).variant
    for document in documents_by_name().values():
        for case in document.cases:
            if not case.subject and not {*case.set} & {"counter", "smoothing", "reference_length", "tokenizer"}:
                exceptions = case.exceptions(variant)
                if exceptions and case.expected(exceptions) != case.expected(case.exceptions(plain)):
                    yield case, exceptions
