"""Pages of the conformance suite: implementations by documents, a page a document and a page a case.

A case about components is asked as the plain definition has it, a case about one named variant as that variant. Pages
of cases are as `bleukit conform implementations --format html` shows them. They are too many for Markdown, which takes
long to read: each is put into a page of the theme without sidebars.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from bleukit.conformance.implementations import asking, records
from bleukit.conformance.judging.cases import documents_by_name
from bleukit.conformance.reports import page

import bleukit
from _extension.derivations import as_plain_text
from bleukit.loading import registry
from bleukit.loading.creating import how_to_install
from bleukit.loading.manager import IMPLEMENTATION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleukit.conformance.judging.cases import Case, CaseDocument, Otherwise

    from _extension.pages import Pages

PLAIN = "wikipedia"
LONGEST = 600
"""How long, in characters, the text of a case may be whose score is worked out on its page."""


class Asked(NamedTuple):
    """What came of asking the implementations that are installed: of the plain definition, and of every case."""

    plain: records.Record
    titles: list[str]
    answers: dict[str, list[records.JudgedAnswer]]
    not_asked: dict[str, str]

    @property
    def names(self) -> list[str]:
        """The implementations."""
        return list(self.plain.implementations)

    def counts(self, implementation: str, document: CaseDocument | None = None) -> Counter[str]:
        """Return the number of answers of each verdict, in all documents or in one."""
        return Counter(
            answer.verdict
            for answers in self.answers.values()
            for answer in answers
            if answer.implementation == implementation and (document is None or answer.document == document.document)
        )

    def marks(self, case: Case) -> list[str]:
        """Return the verdict on each implementation for a case, empty if it is not asked."""
        verdicts = {answer.implementation: page.MARKS[answer.verdict] for answer in self.answers.get(case.id, ())}
        return [verdicts.get(name, "") for name in self.names]


@cache
def asked() -> Asked:
    """Ask the implementations that are installed."""
    documents = [*documents_by_name().values()]
    offered = registry.installed().registered[IMPLEMENTATION]
    names = [name for name, registered in offered.items() if not how_to_install(registered.value)]
    plain = asking.ask_implementations(documents, names, [PLAIN])
    runs = [plain]
    for variant in sorted({case.variant for document in documents for case in document.cases} - {"", PLAIN}):
        own = [_with_cases_of(variant, document) for document in documents]
        try:
            runs.append(asking.ask_implementations(own, names, [variant]))
        except bleukit.NotInstalledError:
            continue
    answers: dict[str, list[records.JudgedAnswer]] = {}
    for run in runs:
        for answer in run.answers:
            answers.setdefault(answer.case, []).append(answer)
    not_asked = {left.case: left.because for run in runs for left in run.left_out}
    return Asked(plain.record, plain.titles, answers, not_asked)


def _with_cases_of(variant: str, document: CaseDocument) -> CaseDocument:
    return msgspec.structs.replace(document, cases=[case for case in document.cases if case.variant == variant])


def write(pages: Pages) -> None:
    """Write the pages that are Markdown."""
    documents = documents_by_name()
    pages.write("cases.md", "cases.md", documents=documents, asked=asked())
    for name, document in documents.items():
        shared = {"document": document, "asked": asked(), "page_of": page_name}
        pages.write(f"documents/{name}.md", "document.md", **shared)


def case_pages() -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page of each case: its name, what fills the template in, and the template."""
    for name, document in documents_by_name().items():
        link = f'<a href="../documents/{name}.html">{escape(document.document)}</a>'
        for case in document.cases:
            about = f' · <a href="../variants/{case.variant}.html">{case.variant}</a>' if case.variant else ""
            body = page.case_part(case, asked().answers.get(case.id, ()), asked().not_asked.get(case.id, ""))
            worked = "" if case.variant else _worked(case)
            facts = {"title": f"Case {case.id}", "above": link + about, "says": case.says, "worked": worked}
            yield f"cases/{page_name(case)}", {**facts, "body": body}, "case.html"


def _worked(case: Case) -> str:
    """Return how the score follows by the plain definition, empty if it is refused, or too long to be read."""
    if case.expect.error or sum(map(len, map(str, case.texts))) > LONGEST or len(case.pairs) > 2:
        return ""
    try:
        return as_plain_text(case, PLAIN)
    except bleukit.BleukitError:
        return ""


def page_name(case: Case) -> str:
    """Return the name of the page of a case."""
    return re.sub(r"[^\w.-]+", "-", case.id)


@cache
def of_variant(name: str) -> list[tuple[str, list[Case]]]:
    """Return the documents that have cases about a variant, by the names of their pages."""
    found = {key: [c for c in document.cases if c.variant == name] for key, document in documents_by_name().items()}
    return [(key, own) for key, own in found.items() if own]


def of_document(key: str) -> list[Case]:
    """Return the cases of a document, by the name of its page."""
    return documents_by_name()[key].cases


def rules_of(key: str) -> int:
    """Return how many cases of a document are about components."""
    return sum(not case.variant for case in of_document(key))


def departures(variant: bleukit.Variant) -> Iterator[tuple[Case, list[Otherwise]]]:
    """Yield the cases that state something else for a variant than for the plain definition, with the exceptions."""
    plain = bleukit.load(PLAIN).variant
    for document in documents_by_name().values():
        for case in document.cases:
            if not case.variant and not {*case.set} & {"counter", "smoothing", "reference_length", "tokenizer"}:
                exceptions = case.exceptions(variant)
                if exceptions and case.expected(exceptions) != case.expected(case.exceptions(plain)):
                    yield case, exceptions
