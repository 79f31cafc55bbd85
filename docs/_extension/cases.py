"""Pages of the conformance suite: the matrix of implementations, a page for each document and for each of its rules.

A case about components is asked of other implementations, and has a page. A case about one named variant stands on the
page of its document.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit.conformance.implementations import asking, records
from bleukit.conformance.judging.cases import documents_by_name
from bleukit.conformance.reports import page as report_page
from bleukit.conformance.reports import reporting

import bleukit
from _extension.derivations import as_plain_text
from bleukit.inspecting.phrases import as_yaml
from bleukit.loading import registry
from bleukit.loading.creating import how_to_install
from bleukit.loading.manager import IMPLEMENTATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit.conformance.judging.cases import Case, CaseDocument, Otherwise

    from _extension.pages import Pages

PLAIN = "wikipedia"
LONGEST = 600
"""How many characters of the text of a case are shown."""

VERDICTS = {"passed": "✓", "differs": "✗", "cannot express": "–", "no answer": "!"}


def records_of(paths: Sequence[str]) -> list[records.Record]:
    """Return what implementations answered, the oldest first: from files, else by asking those that are installed."""
    if paths:
        return [records.read_record(Path(path)) for path in paths]
    offered = registry.installed().registered[IMPLEMENTATION]
    names = [name for name, registered in offered.items() if not how_to_install(registered.value)]
    return [asking.ask_implementations([*documents_by_name().values()], names, [PLAIN]).record]


def write(pages: Pages, history: Sequence[records.Record]) -> None:
    """Write the pages."""
    record = history[-1]
    answers: dict[str, list[records.JudgedAnswer]] = {}
    for answer in record.answers:
        answers.setdefault(answer.case, []).append(answer)
    documents = documents_by_name()
    shared = {"marks": VERDICTS, "page_of": page_name, "shown": shown, "stages": stages, "anchor": anchor}
    changes = [reporting.markdown_report(reporting.of_changes(old, new)) for old, new in pairwise(history)]
    matrix = {name: _counts(document, answers) for name, document in documents.items()}
    titles = [" ".join([name, *list(own.values())[:1]]) for name, own in record.implementations.items()]
    pages.write(
        "cases.md",
        "cases.md",
        documents=documents,
        matrix=matrix,
        titles=titles,
        names=list(record.implementations),
        changes=changes,
        **shared,
    )
    for name, document in documents.items():
        pages.write(f"documents/{name}.md", "document.md", document=document, answers=answers, **shared)
        for case in document.cases:
            if not case.variant:
                given = answers.get(case.id, ())
                facts = {"case": case, "document": document, "name": name, "answers": given, "worked": _worked(case)}
                pages.write(f"cases/{page_name(case)}.md", "case.md", conditions=_conditions, **facts, **shared)


def _counts(document: CaseDocument, answers: Mapping[str, Sequence[records.JudgedAnswer]]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for case in document.cases:
        for answer in answers.get(case.id, ()):
            counts.setdefault(answer.implementation, Counter())[answer.verdict] += 1
    return counts


def _worked(case: Case) -> str:
    """Return how the score follows by the plain definition, empty if it is refused, or too long to be read."""
    if case.expect.error or sum(map(len, map(str, case.texts))) > LONGEST or len(case.pairs) > 2:
        return ""
    try:
        return as_plain_text(case, PLAIN)
    except bleukit.BleukitError:
        return ""


def _conditions(exception: Otherwise) -> str:
    """Return the components for which an exception holds."""
    words = {
        kind: ", ".join(names) if isinstance(names, list) else f"all but those that declare {', '.join(names.excluded)}"
        for kind, names in exception.when.items()
    }
    return "; ".join(f"{kind.replace('_', ' ')} {names}" for kind, names in words.items())


def stages(case: Case, expect: Any = None) -> Iterator[tuple[str, str]]:
    """Yield the stages that a case states, each with what must come out."""
    expect = expect or case.expect
    for stage in expect.stated:
        value = getattr(expect, stage)
        yield stage.replace("_", " "), as_yaml(value) if isinstance(value, dict) else report_page.stage_value(value)


def shown(text: Any) -> str:
    """Return text, or tokens with blanks between, cut off if it is long."""
    text = text if isinstance(text, str) else " ".join(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text):,} characters)"


def page_name(case: Case) -> str:
    """Return the name of the page of a case."""
    return anchor(case.id)


def anchor(name: str) -> str:
    """Return a name as part of an address."""
    return re.sub(r"[^\w.-]+", "-", name)


@cache
def of_variant(name: str) -> list[tuple[str, list[Case]]]:
    """Return the documents that have cases about a variant, by the names of their pages."""
    found = {key: [c for c in document.cases if c.variant == name] for key, document in documents_by_name().items()}
    return [(key, own) for key, own in found.items() if own]


def departures(variant: bleukit.Variant) -> Iterator[tuple[Case, list[Otherwise]]]:
    """Yield the cases that state something else for a variant than for the plain definition, with the exceptions."""
    for document in documents_by_name().values():
        for case in document.cases:
            if not case.variant and not {*case.set} & {"counter", "smoothing", "reference_length", "tokenizer"}:
                exceptions = case.exceptions(variant)
                if exceptions:
                    yield case, exceptions
