"""Reports as tables for people, or as data for programs: of the suite, and of other libraries under it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from bleukit.conformance.implementations import asking, records
from bleukit.conformance.implementations.harness import printable_line
from bleukit.conformance.implementations.records import VERDICTS
from bleukit.conformance.judging import coverage
from bleukit.conformance.judging.runner import STATES
from bleukit.conformance.reports import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bleukit.conformance.implementations.asking import ImplementationRun
    from bleukit.conformance.implementations.records import Difference, JudgedAnswer, Record
    from bleukit.conformance.judging.cases import CaseDocument
    from bleukit.conformance.judging.coverage import CaseResult, Stages
    from bleukit.conformance.judging.runner import State
    from bleukit.conformance.suite import Report
    from bleukit.conformance.writing.changes import KeyChange

HEADLINES = {"2/7": ("W2", "N1-modified"), "0.5411": ("L1", "L3-closest", "L3-shortest", "L3-average"), "0.75": ("N2",)}
"""The documents' best known figures, and the cases that hold them."""

SHOWN = 20
"""How many failures a table lists."""

SIDE_BY_SIDE = 4
"""How many variants are columns beside the documents; more are rows, for a terminal is longer than wide."""

ACROSS = 8
"""How many documents are the columns of one table, if variants are its rows."""

IN_WORDS: dict[State, str] = {
    "agrees": "agree",
    "deviates": "deviate as stated",
    "unstated": "unstated",
    "fails": "fail",
}
"""The states of stages, as the columns of tables."""

MARKS: dict[State, str] = {"fails": "✗", "unstated": "–", "deviates": "~", "agrees": "✓"}


class ReportTable(NamedTuple):
    """A title, and rows of text under columns."""

    title: str
    columns: list[str]
    rows: list[list[str]]


class Check(NamedTuple):
    """One result, named within its group: it fails, is skipped (why), or agrees; ``note`` says in what it deviates."""

    group: str
    name: str
    failure: str = ""
    skipped: str = ""
    note: str = ""


@dataclass(frozen=True)
class Findings:
    """A report in all that the formats need: tables and a line for people, plain data, and single results.

    The last two are made when they are needed: they can be large.
    """

    tables: list[ReportTable]
    summary: str
    make_data: Callable[[], dict[str, Any]]
    make_checks: Callable[[], list[Check]]
    make_page: Callable[[], str] | None = None
    """What makes a page that shows more than the tables."""
    make_badge: Callable[[], dict[str, Any]] | None = None
    """What makes a badge, for shields.io."""

    @cached_property
    def data(self) -> dict[str, Any]:
        """Plain data, for programs."""
        return self.make_data()

    @cached_property
    def checks(self) -> list[Check]:
        """Every single result."""
        return self.make_checks()


def of_suite(report: Report, documents: Sequence[CaseDocument] = ()) -> Findings:
    """Return the findings of a run of the suite, of documents."""
    of_variants = [*_matrix(report), _deviations(report)]
    others = [_headlines(report), _components(report), _contracts(report)]
    others += [_not_run(report), _verdicts_table(report), _failures(report)]
    summary = _summary(report)
    return Findings(
        _with_rows([*of_variants, *others]),
        summary,
        partial(_data, report),
        partial(_checks, report),
        partial(page.suite_page, report.variants, documents, summary, _with_rows(others)),
    )


def of_implementations(run: ImplementationRun, documents: Sequence[CaseDocument] = ()) -> Findings:
    """Return the findings of asking implementations about documents."""
    asked: dict[str, list[JudgedAnswer]] = {}
    for answer in run.answers:
        asked.setdefault(answer.variant, []).append(answer)
    tables = [
        table
        for variant, answers in asked.items()
        for table in (
            _answers(variant, answers, run),
            _differences(variant, answers),
            _not_expressed(variant, answers, run),
        )
    ]
    counts = Counter(answer.verdict for answer in run.answers)
    return Findings(
        _with_rows(
            [
                *tables,
                _without_answer(run),
                ReportTable("Diagnosis", ["implementation", "variant", ""], list(map(list, asking.diagnoses(run)))),
                _processes(run),
                _left_out(run),
            ]
        ),
        f"{counts['passed']:,} passed, {counts['differs']:,} differ, {counts['cannot express']:,} cannot be expressed"
        + (f", {counts['no answer']:,} without an answer" if counts["no answer"] else ""),
        lambda: msgspec.to_builtins(run.record),
        lambda: [
            Check(
                f"{answer.implementation}, {answer.variant}",
                answer.case,
                answer.no_answer or "; ".join(map(_difference, answer.differences)),
                answer.cannot_express,
            )
            for answer in run.answers
        ],
        partial(page.html_page, run, documents),
        lambda: records.badge(run.record),
    )


def of_changes(old: Record, new: Record) -> Findings:
    """Return what changed from one record to a later one."""
    changes = records.answer_changes(old, new)
    worse = sum(change.is_worse for change in changes)
    names = dict.fromkeys([*old.implementations, *new.implementations])
    versions = [["bleukit, whose cases these are", old.version, new.version]]
    versions += [[name, *(_versions(record.implementations.get(name)) for record in (old, new))] for name in names]
    rows = [[c.implementation, c.variant, c.case, *map(_became, (c.before, c.after))] for c in changes]
    tables = [
        ReportTable("Versions", ["", "before", "after"], [row for row in versions if row[1] != row[2]]),
        ReportTable("Changes", ["implementation", "variant", "case", "before", "after"], rows),
    ]
    return Findings(
        _with_rows(tables),
        f"cases that changed: {len(changes):,}; of these, cases that passed and do not any more: {worse:,}",
        lambda: {"changes": [msgspec.to_builtins(change._asdict()) for change in changes], "worse": worse},
        lambda: [
            Check(f"{c.implementation}, {c.variant}", c.case, _became(c.after) if c.is_worse else "") for c in changes
        ],
    )


def of_key_changes(changes: Sequence[KeyChange]) -> Findings:
    """Return the findings: the changes that no case notices, and those without effect by their reason."""
    unnoticed = [change for change in changes if not change.noticed_by and not change.without_effect]
    without: dict[str, list[str]] = {}
    for change in changes:
        if change.without_effect:
            without.setdefault(change.without_effect, []).append(str(change))
    noticed = len(changes) - len(unnoticed) - sum(map(len, without.values()))
    tables = [
        ReportTable("Changes that no case notices", ["change"], [[str(change)] for change in unnoticed]),
        ReportTable(
            "Changes without effect",
            ["because", "number", "such as"],
            [[because, str(len(same)), same[0]] for because, same in without.items()],
        ),
    ]
    data = {"noticed": noticed, "unnoticed": list(map(str, unnoticed)), "without_effect": without}
    return Findings(
        _with_rows(tables),
        f"{noticed:,} of {noticed + len(unnoticed):,} changes noticed, {len(changes) - noticed - len(unnoticed):,} "
        "more are without effect",
        lambda: data,
        lambda: [
            Check(
                change.variant,
                str(change),
                "" if change.noticed_by or change.without_effect else "noticed by no case",
                change.without_effect,
            )
            for change in changes
        ],
    )


def markdown_report(findings: Findings) -> str:
    """Return the tables in Markdown."""
    lines = []
    for table in findings.tables:
        lines += [f"### {table.title}", "", _pipes(table.columns), _pipes(["---"] * len(table.columns))]
        lines += [*map(_pipes, table.rows), ""]
    return "\n".join([*lines, findings.summary])


def junit_report(findings: Findings) -> str:
    """Return the single results in the XML of JUnit, as continuous integration reads it."""
    suite = ET.Element(
        "testsuite",
        name="bleukit conformance",
        tests=str(len(findings.checks)),
        failures=str(sum(bool(check.failure) for check in findings.checks)),
        skipped=str(sum(bool(check.skipped) for check in findings.checks)),
    )
    for check in findings.checks:
        test = ET.SubElement(suite, "testcase", classname=check.group, name=check.name)
        if check.failure:
            ET.SubElement(test, "failure", message=check.failure)
        elif check.skipped:
            ET.SubElement(test, "skipped", message=check.skipped)
        elif check.note:
            ET.SubElement(test, "system-out").text = check.note
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _summary(report: Report) -> str:
    """Return the report on one line: what was checked, and what is not certified."""
    stages = coverage.of_outcomes(result.outcome for result in report.results)
    combined = f"{report.number_of_combinations:,} combinations x {report.number_of_cases} cases: "
    checked = f"{stages.total() - stages['unstated']:,} of {stages.total():,} stages checked"
    states = ", ".join(f"{stages[state]:,} {IN_WORDS[state]}" for state in ("agrees", "deviates", "fails"))
    kept = sum(component.kept for component in report.checked)
    left = f"; left out: {report.left_out}" if report.left_out else ""
    tried = f"; {kept:,} contracts kept, {len(report.breaches):,} broken" if report.checked or report.faults else ""
    what = f"{combined if report.number_of_combinations else ''}{checked}"
    return f"{what}: {states}{tried}; {_standing(report)}{left}"


def _standing(report: Report) -> str:
    """Say how many variants and components are certified, and name the others."""
    standing: dict[str, list[str]] = {}
    for (kind, name), verdict in report.verdicts.items():
        standing.setdefault(verdict, []).append(f"{kind.replace('_', ' ')} {name}")
    certified = len(standing.pop("certified", []))
    total = f"all {certified}" if not standing else f"{certified} of {len(report.verdicts)}"
    others = [f"{verdict}: {', '.join(names)}" for verdict, names in sorted(standing.items())]
    need_options = [what for what, why in report.not_run if "needs the option" in why]
    not_installed = [what for what, _ in report.not_run if what not in need_options]
    others += [f"not installed: {', '.join(not_installed)}"] if not_installed else []
    others += [f"not tried alone, because they need options: {', '.join(need_options)}"] if need_options else []
    return "; ".join([f"certified: {total} variants and components", *others])


MISSING = {
    "tokenizer": "{hypothesis: a text, references: [another], set: {tokenizer: NAME}, expect: {tokens: [the, tokens]}}",
    "counter": "{hypothesis: [a, b], references: [[a, c]], set: {counter: NAME}, expect: {matches: [1, 0, 0, 0]}}",
    "reference_length": "{hypothesis: [a], references: [[a], [b, c, d]], set: {reference_length: NAME}, "
    "expect: {reference_length: 2}}",
    "smoothing": "{hypothesis: [a, b], references: [[a, c]], set: {smoothing: NAME, weights: [0.5, 0.5]}, "
    "expect: {precisions: [1/2, 1/4]}}",
    "brevity_penalty": "{hypothesis: [a], references: [[a, b]], set: {brevity_penalty: NAME}, "
    "expect: {brevity_penalty: 0.5}}",
    "variant": "{variant: NAME, hypothesis: [a, b], references: [[a, c]], expect: {score: 0}}",
}
"""A case that is missing, by kind, with figures that its author has to replace."""


def _missing(kind: str, name: str) -> str:
    """Return the case that would certify what is sound."""
    return f"- {{id: {name}-1, says: what its document says, {MISSING[kind].replace('NAME', name)[1:]}"


def _verdicts_table(report: Report) -> ReportTable:
    """Return what is not certified, and what is missing."""
    rows = [
        [
            f"{kind.replace('_', ' ')} {name}",
            verdict,
            coverage.MEANINGS[verdict],
            _counted_basis(report, kind, name),
            _missing(kind, name) if verdict == "sound" else "",
        ]
        for (kind, name), verdict in report.verdicts.items()
        if verdict != "certified" or (kind, name) in report.required
    ]
    return ReportTable(
        "Verdicts", ["", "verdict", "it", "stands on", "a case to add, with what its document states"], rows
    )


def _basis(report: Report, kind: str, name: str) -> dict[str, Any]:
    """Return the verdict on a variant or a component, and on what it stands."""
    cases = sorted(report.cases.get((kind, name), ()))
    return {"verdict": report.verdicts[kind, name], "ways": report.ways(kind, name), "cases": cases}


def _counted_basis(report: Report, kind: str, name: str) -> str:
    """Say on how much a verdict stands."""
    ways, cases = report.ways(kind, name), report.cases.get((kind, name), ())
    inputs = {tried for own in ways.values() for tried in own}
    return f"ways: {len(ways)}, kinds of input: {len(inputs)}, cases: {len(cases)}"


def _data(report: Report) -> dict[str, Any]:
    """Return the report as plain data: coverage, and every result that does not agree with the document."""
    return {
        "conforms": report.conforms,
        "combinations": report.number_of_combinations,
        "cases": report.number_of_cases,
        "left_out": report.left_out,
        "not_run": dict(report.not_run),
        "stages": coverage.of_outcomes(result.outcome for result in report.results),
        "variants": [
            {"name": name, "stages": stages, **_basis(report, "variant", name)}
            for name, stages in coverage.of_variants(report.variants).items()
        ],
        "components": [
            {"kind": kind, "name": name, "stages": stages, **_basis(report, kind, name)}
            for (kind, name), stages in report.by_component.items()
        ],
        "contracts": [
            {
                "kind": component.kind,
                "name": component.name,
                "kept": component.kept,
                "broken": len(component.breaches),
                "declared": component.declared,
                "not_tried": component.not_tried,
            }
            for component in report.checked
        ],
        "breaches": [vars(breach) for breach in report.breaches],
        "results": [_result(result) for result in report.variants],
        "combinations_open_or_failing": [
            _result(result) for result in report.combinations if result.outcome.open or result.outcome.failures
        ],
    }


def _checks(report: Report) -> list[Check]:
    """Return every result, and what came of the contracts of each component."""
    results = [
        Check(
            result.variant,
            result.outcome.case,
            "; ".join(result.outcome.failures),
            "; ".join(result.outcome.open),
            "; ".join(f"deviates, as stated: {because}" for because in result.outcome.deviations),
        )
        for result in report.results
    ]
    breaches = [Check(f"{b.kind} {b.name}", b.contract, failure=b.shown_by) for b in report.breaches]
    kept = [Check(f"{c.kind} {c.name}", f"{c.kept} contracts") for c in report.checked if not c.breaches]
    return [*results, *breaches, *kept]


def _matrix(report: Report) -> list[ReportTable]:
    """Documents by named variants; of many variants, variants by documents, which are numbered."""
    variants = list(dict.fromkeys(result.variant for result in report.variants))
    documents = list(dict.fromkeys(result.document for result in report.variants))
    cases: dict[tuple[str, str], Counter[State]] = defaultdict(Counter)
    for result in report.variants:
        cases[result.variant, result.document][result.outcome.state] += 1
    title = "Named variants against the documents, in cases"
    if len(variants) <= SIDE_BY_SIDE:
        rows = [[document, *(_told(cases[variant, document]) for variant in variants)] for document in documents]
        return [ReportTable(title, ["document", *variants], rows)]
    numbers = [str(number) for number, _ in enumerate(documents, 1)]
    columns = list(zip(numbers, documents, strict=True))
    parts = [columns[start : start + ACROSS] for start in range(0, len(columns), ACROSS)]
    key = "✓ all agree, ~N deviate as stated, –N unstated, ✗N fail"
    return [
        ReportTable("Documents", ["", "document"], list(map(list, columns))),
        *(
            ReportTable(
                f"{title}: {key}",
                ["variant", *(number for number, _ in part)],
                [[variant, *(_marked(cases[variant, document]) for _, document in part)] for variant in variants],
            )
            for part in parts
        ),
    ]


def _deviations(report: Report) -> ReportTable:
    """What few variants do otherwise than the documents, and why; many are in the JSON alone."""
    variants = {result.variant for result in report.variants}
    rows = [
        [*([result.variant] if len(variants) > 1 else []), result.outcome.case, because]
        for result in report.variants
        for because in result.outcome.deviations
    ]
    columns = [*(["variant"] if len(variants) > 1 else []), "case", "because"]
    return ReportTable("Deviations, as stated", columns, rows if len(variants) <= SIDE_BY_SIDE else [])


def _headlines(report: Report) -> ReportTable:
    rows = []
    for figure, cases in HEADLINES.items():
        outcomes = [result.outcome for result in report.combinations if result.outcome.case in cases]
        if outcomes:
            rows.append([figure, ", ".join(cases), *_numbers(Counter(outcome.state for outcome in outcomes))])
    columns = ["figure", "cases", *IN_WORDS.values()]
    return ReportTable("The documents' figures, over all combinations, in cases", columns, rows)


def _components(report: Report) -> ReportTable:
    rows = [
        [kind.replace("_", " "), name, *_numbers(stages), report.verdicts[kind, name]]
        for (kind, name), stages in report.by_component.items()
    ]
    columns = ["kind", "component", *IN_WORDS.values(), "verdict"]
    return ReportTable("Components, in stages of cases, over all combinations they take part in", columns, rows)


def _contracts(report: Report) -> ReportTable:
    """Contracts of components of which there is more to say than that all are kept."""
    rows = [
        [
            component.kind.replace("_", " "),
            component.name,
            f"{component.kept}",
            f"{len(component.breaches)}",
            "; ".join([*(f"declares otherwise: {rule}" for rule in component.declared), *component.not_tried]),
        ]
        for component in report.checked
        if component.breaches or component.declared or component.not_tried
    ]
    return ReportTable("Contracts", ["kind", "component", "kept", "broken", "not tried"], rows)


def _not_run(report: Report) -> ReportTable:
    return ReportTable("Not installed, or not to be used as it is", ["", "because"], list(map(list, report.not_run)))


def _failures(report: Report) -> ReportTable:
    """Broken contracts come first: a component that breaks one may fail in every combination."""
    rows = [[f"{b.kind} {b.name}", "contract", f"it {b.contract}: not for {b.shown_by}"] for b in report.breaches]
    rows += [[result.variant, result.outcome.case, "; ".join(result.outcome.failures)] for result in report.failures]
    more = [["…", "", f"and {len(rows) - SHOWN} more"]] if len(rows) > SHOWN else []
    return ReportTable("Failures", ["variant", "case", "what differs"], rows[:SHOWN] + more)


def _told(cases: Counter[State]) -> str:
    parts = [f"{cases[state]} {IN_WORDS[state]}" for state in reversed(STATES) if cases[state]]
    return ", ".join(parts)


def _marked(cases: Counter[State]) -> str:
    marks = [f"{MARKS[state]}{cases[state]}" for state in STATES if cases[state] and state != "agrees"]
    return " ".join(marks) or MARKS["agrees"]


def _numbers(counts: Stages) -> list[str]:
    return [f"{counts[state]:,}" for state in IN_WORDS]


def _result(result: CaseResult) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "variant": result.variant,
        "document": result.document,
        "case": outcome.case,
        "state": outcome.state,
        "stages": {stage.name: stage.state for stage in outcome.stages if stage.name},
        "failures": outcome.failures,
        "deviations": outcome.deviations,
        "unstated": outcome.open,
    }


def _answers(variant: str, answers: Sequence[JudgedAnswer], run: ImplementationRun) -> ReportTable:
    """Documents by implementations."""
    rows = []
    for document in dict.fromkeys(answer.document for answer in answers):
        here = [answer for answer in answers if answer.document == document]
        rows.append([document, *(_verdicts(here, name) for name in run.versions)])
    total = ["all", *(_verdicts(answers, name) for name in run.versions)]
    title = f"Implementations asked for the variant {variant}: cases passed / that differ / that it cannot express"
    return ReportTable(title, ["document", *run.titles], [*rows, total])


def _differences(variant: str, answers: Sequence[JudgedAnswer]) -> ReportTable:
    rows: list[list[str]] = []
    shown: set[str] = set()
    for answer in answers:
        for difference in answer.differences:
            about = ["", ""] if answer.case in shown else [answer.case, answer.says]
            rows.append([*about, answer.implementation, _difference(difference)])
            shown.add(answer.case)
    columns = ["case", "what holds", "implementation", "what differs"]
    return ReportTable(f"Differences, asked for the variant {variant}", columns, rows)


def _not_expressed(variant: str, answers: Sequence[JudgedAnswer], run: ImplementationRun) -> ReportTable:
    counts = Counter((answer.cannot_express, answer.implementation) for answer in answers if answer.cannot_express)
    reasons = sorted({reason for reason, _ in counts})
    rows = [[reason, *(str(counts[reason, name] or "") for name in run.versions)] for reason in reasons]
    title = f"Cases that cannot be expressed, asked for the variant {variant}"
    return ReportTable(title, ["reason", *run.versions], rows)


def _processes(run: ImplementationRun) -> ReportTable:
    """How processes fared."""
    rows = [
        [
            process.implementation,
            " ".join(filter(None, [process.version, process.language])),
            process.command,
            f"{process.answered:,}",
            f"{process.answered / process.seconds:,.0f}" if process.seconds else "",
            "; ".join(process.problems),
            printable_line(
                process.standard_error[
                    0 if not process.introduced else process.standard_error.strip().rfind("\n") + 1 :
                ]
            ),
        ]
        for process in run.processes
    ]
    columns = ["implementation", "version, language", "command", "answers", "a second", "what went wrong"]
    return ReportTable("Processes", [*columns, "standard error: the last line, or all if it does not start"], rows)


def _without_answer(run: ImplementationRun) -> ReportTable:
    rows = [[a.implementation, a.variant, a.case, a.no_answer] for a in run.answers if a.no_answer]
    more = [["…", "", "", f"and {len(rows) - SHOWN} more"]] if len(rows) > SHOWN else []
    columns = ["implementation", "variant", "case", "because"]
    return ReportTable("Cases without an answer", columns, rows[:SHOWN] + more)


def _left_out(run: ImplementationRun) -> ReportTable:
    cases: dict[tuple[str, str], list[str]] = {}
    for case in run.left_out:
        cases.setdefault((case.variant, case.because), []).append(case.case)
    rows = [[variant, ", ".join(names), because] for (variant, because), names in cases.items()]
    return ReportTable("Cases that nobody is asked", ["variant", "cases", "because"], rows)


def _verdicts(answers: Iterable[JudgedAnswer], implementation: str) -> str:
    """Return the number of each verdict, those without an answer only if there are any."""
    counts = Counter(answer.verdict for answer in answers if answer.implementation == implementation)
    counted = " / ".join(str(counts[verdict]) for verdict in VERDICTS[:3])
    return f"{counted}, {counts['no answer']} without an answer" if counts["no answer"] else counted


def _versions(versions: Mapping[str, str] | None) -> str:
    return "not asked" if versions is None else ", ".join(filter(None, versions.values()))


def _became(answer: JudgedAnswer | None) -> str:
    if answer is None:
        return "not asked"
    reasons = [*map(_difference, answer.differences), answer.cannot_express, answer.no_answer]
    return ": ".join(filter(None, [answer.verdict, "; ".join(filter(None, reasons))]))


def _difference(difference: Difference) -> str:
    expected, got = map(page.stage_value, (difference.expected, difference.got))
    return f"{difference.stage}: expected {expected}, got {got}"


def _with_rows(tables: Iterable[ReportTable]) -> list[ReportTable]:
    return [table for table in tables if table.rows]


def _pipes(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
