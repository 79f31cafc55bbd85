"""What implementations answered, as tables or plain data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
from bleukit.conformance.implementations import asking
from bleukit.conformance.implementations.harness import printable_line
from bleukit.conformance.implementations.records import VERDICTS

from bleukit.writing.table import TableHead, TextTable

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from bleukit.conformance.implementations.asking import ImplementationRun
    from bleukit.conformance.implementations.records import Difference, JudgedAnswer

    from bleukit.writing.printers import Part

SHOWN = 20
"""How many cases without an answer are listed."""


def parts(run: ImplementationRun) -> list[Part]:
    """Return the tables of a report, those that have rows, and how many cases have which verdict."""
    asked: dict[str, list[JudgedAnswer]] = {}
    for answer in run.answers:
        asked.setdefault(answer.variant, []).append(answer)
    of_variants = [
        table
        for variant, answers in asked.items()
        for table in (
            _answers(variant, answers, run),
            _differences(variant, answers),
            _not_expressed(variant, answers, run),
        )
    ]
    diagnoses = _table("Diagnosis", ["implementation", "variant", ""], list(map(list, asking.diagnoses(run))))
    others = [_without_answer(run), diagnoses, _processes(run), _left_out(run)]
    return [*(table for table in (*of_variants, *others) if table.rows), _summary(run)]


def _table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Container[str] = ()
) -> TextTable:
    return TextTable([TableHead(name, is_number=name in numbers) for name in columns], rows, title)


def _summary(run: ImplementationRun) -> str:
    counts = Counter(answer.verdict for answer in run.answers)
    without = f", {counts['no answer']:,} without an answer" if counts["no answer"] else ""
    passed = f"{counts['passed']:,} passed, {counts['differs']:,} differ"
    return f"{passed}, {counts['cannot express']:,} cannot be expressed{without}"


def as_data(run: ImplementationRun) -> dict[str, Any]:
    """Return all answers as plain data."""
    data: dict[str, Any] = msgspec.to_builtins(run.record)
    return data


def _answers(variant: str, answers: Sequence[JudgedAnswer], run: ImplementationRun) -> TextTable:
    """Documents by implementations."""
    rows = []
    for document in dict.fromkeys(answer.document for answer in answers):
        here = [answer for answer in answers if answer.document == document]
        rows.append([document, *(_verdicts(here, name) for name in run.versions)])
    total = ["all", *(_verdicts(answers, name) for name in run.versions)]
    title = f"Implementations asked for the variant {variant}: cases passed / that differ / that it cannot express"
    return _table(title, ["document", *run.titles], [*rows, total], run.titles)


def _differences(variant: str, answers: Sequence[JudgedAnswer]) -> TextTable:
    rows: list[list[str]] = []
    shown: set[str] = set()
    for answer in answers:
        for difference in answer.differences:
            about = ["", ""] if answer.case in shown else [answer.case, answer.says]
            rows.append([*about, answer.implementation, _difference(difference)])
            shown.add(answer.case)
    columns = ["case", "what holds", "implementation", "what differs"]
    return _table(f"Differences, asked for the variant {variant}", columns, rows)


def _not_expressed(variant: str, answers: Sequence[JudgedAnswer], run: ImplementationRun) -> TextTable:
    counts = Counter((answer.cannot_express, answer.implementation) for answer in answers if answer.cannot_express)
    reasons = sorted({reason for reason, _ in counts})
    rows = [[reason, *(str(counts[reason, name] or "") for name in run.versions)] for reason in reasons]
    title = f"Cases that cannot be expressed, asked for the variant {variant}"
    return _table(title, ["reason", *run.versions], rows, run.versions)


def _processes(run: ImplementationRun) -> TextTable:
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
    return _table("Processes", [*columns, "standard error: the last line, or all if it does not start"], rows)


def _without_answer(run: ImplementationRun) -> TextTable:
    rows = [[a.implementation, a.variant, a.case, a.no_answer] for a in run.answers if a.no_answer]
    more = [["…", "", "", f"and {len(rows) - SHOWN} more"]] if len(rows) > SHOWN else []
    columns = ["implementation", "variant", "case", "because"]
    return _table("Cases without an answer", columns, rows[:SHOWN] + more)


def _left_out(run: ImplementationRun) -> TextTable:
    cases: dict[tuple[str, str], list[str]] = {}
    for case in run.left_out:
        cases.setdefault((case.variant, case.because), []).append(case.case)
    rows = [[variant, ", ".join(names), because] for (variant, because), names in cases.items()]
    return _table("Cases that nobody is asked", ["variant", "cases", "because"], rows)


def _verdicts(answers: Iterable[JudgedAnswer], implementation: str) -> str:
    """Return the number of each verdict, those without an answer only if there are any."""
    counts = Counter(answer.verdict for answer in answers if answer.implementation == implementation)
    counted = " / ".join(str(counts[verdict]) for verdict in VERDICTS[:3])
    return f"{counted}, {counts['no answer']} without an answer" if counts["no answer"] else counted


def _difference(difference: Difference) -> str:
    expected, got = map(stage_value, (difference.expected, difference.got))
    return f"{difference.stage}: expected {expected}, got {got}"


def stage_value(value: Any) -> str:
    """Show what a stage gives: numbers to twelve digits, because more are noise to people."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(stage_value, value))}]"
    return f"{value:.12g}" if isinstance(value, float) else "nothing" if value is None else str(value)
