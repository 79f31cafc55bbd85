"""A report as tables for people, or as data for programs."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit_conformance.suite import HEADLINES, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleukit_conformance.runner import Status
    from bleukit_conformance.suite import Report, Result

SHOWN = 20
"""How many failures a table lists."""

COLUMNS = ["passed", "not applicable", "failed"]


class Table(NamedTuple):
    """A title, and rows of text under columns."""

    title: str
    columns: list[str]
    rows: list[list[str]]


def tables(report: Report) -> list[Table]:
    """Return the report as tables, those without a row left out."""
    return [
        table for table in (_matrix(report), _headlines(report), _components(report), _failures(report)) if table.rows
    ]


def summary(report: Report) -> str:
    """Return the report on one line."""
    counts = report.counts
    told = ", ".join(f"{counts[status]:,} {status}" for status in ("passed", "not applicable", "failed"))
    combined = f"{report.number_of_combinations:,} combinations x {report.number_of_cases} cases: "
    changed = f"; {len(report.changes)} changes of what is left open" if report.changes else ""
    contracts = ""
    if report.breaches is None:
        contracts = "; contracts not tried, which needs: pip install 'bleukit[conformance]'"
    elif report.number_of_combinations:
        contracts = f"; {len(report.breaches)} contracts broken"
    return f"{combined if report.number_of_combinations else ''}{told}{changed}{contracts}"


def as_markdown(report: Report) -> str:
    """Return the tables in Markdown."""
    lines = []
    for table in tables(report):
        lines += [f"### {table.title}", "", _pipes(table.columns), _pipes(["---"] * len(table.columns))]
        lines += [*map(_pipes, table.rows), ""]
    return "\n".join([*lines, summary(report)])


def as_data(report: Report) -> dict[str, Any]:
    """Return the report as plain data: counts, and every result that did not pass."""
    return {
        "conforms": report.conforms,
        "combinations": report.number_of_combinations,
        "cases": report.number_of_cases,
        "counts": dict(report.counts),
        "changes": list(report.changes),
        "breaches": None if report.breaches is None else [vars(breach) for breach in report.breaches],
        "variants": [_result(result) for result in report.variants],
        "not_passed": [_result(result) for result in report.combinations if result.outcome.status != "passed"],
    }


def as_junit(report: Report) -> str:
    """Return the report in the XML of JUnit, a test a result, as continuous integration reads it."""
    counts = report.counts
    results = [*report.variants, *report.combinations]
    suite = ET.Element(
        "testsuite",
        name="bleukit conformance",
        tests=str(len(results)),
        failures=str(counts["failed"]),
        skipped=str(counts["not applicable"]),
    )
    for result in results:
        test = ET.SubElement(suite, "testcase", classname=result.recipe, name=result.outcome.case)
        if result.outcome.failures:
            ET.SubElement(test, "failure", message="; ".join(result.outcome.failures))
        elif result.outcome.open:
            ET.SubElement(test, "skipped", message="; ".join(result.outcome.open))
    for change in report.changes:
        test = ET.SubElement(suite, "testcase", classname="what cases leave open", name=change)
        ET.SubElement(test, "failure", message=change)
    for breach in report.breaches or ():
        test = ET.SubElement(suite, "testcase", classname=f"{breach.kind} {breach.name}", name=breach.contract)
        ET.SubElement(test, "failure", message=breach.shown_by)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _matrix(report: Report) -> Table:
    """Documents by named recipes."""
    recipes = list(dict.fromkeys(result.recipe for result in report.variants))
    documents = list(dict.fromkeys(result.document for result in report.variants))
    rows = []
    for document in documents:
        here = [result for result in report.variants if result.document == document]
        rows.append([document, *(_told(result for result in here if result.recipe == recipe) for recipe in recipes)])
    return Table("Named recipes against the documents", ["document", *recipes], rows)


def _headlines(report: Report) -> Table:
    rows = []
    for figure, cases in HEADLINES.items():
        results = [result for result in report.combinations if result.outcome.case in cases]
        if results:
            rows.append([figure, ", ".join(cases), *_numbers(count(results))])
    return Table("The documents' figures, over all combinations", ["figure", "cases", *COLUMNS], rows)


def _components(report: Report) -> Table:
    counters: dict[tuple[str, str], Counter[Status]] = {}
    for result in report.combinations:
        for component in result.components.items():
            counters.setdefault(component, Counter())[result.outcome.status] += 1
    rows = [[kind.replace("_", " "), name, *_numbers(counts)] for (kind, name), counts in sorted(counters.items())]
    return Table("Components, over all combinations they take part in", ["kind", "component", *COLUMNS], rows)


def _failures(report: Report) -> Table:
    rows = [[result.recipe, result.outcome.case, "; ".join(result.outcome.failures)] for result in report.failures]
    rows += [["", "", change] for change in report.changes]
    rows += [
        [f"{b.kind} {b.name}", "contract", f"it {b.contract}: not for {b.shown_by}"] for b in report.breaches or ()
    ]
    more = [["…", "", f"and {len(rows) - SHOWN} more"]] if len(rows) > SHOWN else []
    return Table("Failures", ["recipe", "case", "what differs"], rows[:SHOWN] + more)


def _told(results: Iterable[Result]) -> str:
    counts = count(results)
    others = [f"{counts[status]} {status}" for status in ("failed", "not applicable") if counts[status]]
    return ", ".join([f"{counts['passed']} passed", *others])


def _numbers(counts: Counter[Status]) -> list[str]:
    return [f"{counts[status]:,}" for status in ("passed", "not applicable", "failed")]


def _result(result: Result) -> dict[str, Any]:
    outcome = result.outcome
    told = {"status": outcome.status, "failures": list(outcome.failures), "open": list(outcome.open)}
    return {"recipe": result.recipe, "document": result.document, "case": outcome.case, **told}


def _pipes(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
