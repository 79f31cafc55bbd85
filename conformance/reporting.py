"""Reports as text, Markdown or JSON, all of one model."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from bleukit.conformance.judging.runner import read_number
from bleukit.conformance.report import CASES_HOLD, said

from bleukit.bleu.hookspecs import VARIANT
from bleukit.writing import printers
from bleukit.writing.phrases import listed, wrapped_lines
from bleukit.writing.table import TableHead, TextTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.conformance.report import Cause, Cell, Failing, Observed, Report, Subject

WIDTH = 80
"""How many columns the text is wide."""

NAMED = 25
"""How many columns the names of variants are wide that give the same answers."""

GROUPS = 8
"""How many groups of failures are shown."""

LISTED = 5
"""How many cases are listed in which a component deviates, or which do not cover it."""

WORDS = {"agrees": "agree", "deviates": "deviate as stated", "unstated": "are not covered", "fails": "fail"}
"""What results do, by their state; in this order."""

UNCOVERED = "*"


def as_text(report: Report) -> str:
    """Return a report for people: the headline figures first, and then what fails."""
    return "\n".join(chain.from_iterable(_parts(report)))


def as_markdown(report: Report) -> str:
    """Return the same as Markdown: the headline figures as a table, and all else as it is in text."""
    table = _matrix(report)
    first, *parts = _parts(report)
    lines = printers.as_markdown(table).split("\n") if table.rows else first
    return "\n".join([*lines, *_as_code(list(chain.from_iterable(parts)))])


def _as_code(lines: Sequence[str]) -> list[str]:
    return ["", "```text", *lines[lines[0] == "" :], "```"] if any(lines) else []


def _parts(report: Report) -> Iterator[list[str]]:
    """Yield the lines of a report, part by part; the first is about the headline figures."""
    own = [subject for subject in report.subjects.values() if subject.gives]
    table = _matrix(report)
    yield printers.text_lines(table, WIDTH) if table.rows else list(chain.from_iterable(map(_gives, own)))
    yield _of_combinations(report)
    yield list(chain.from_iterable(map(_own, (s for s in report.subjects.values() if _is_shown(s, report)))))
    yield list(_failures(report))
    yield list(_summary(report))


def _matrix(report: Report) -> TextTable:
    """Return the table of headline figures."""
    order = sorted(range(len(report.headlines)), key=lambda place: read_number(report.headlines[place][1].headline))
    headlines = [report.headlines[place] for place in order]
    titles = ["\n".join([name.replace("-", "-\n"), case.headline]) for name, case in headlines]
    notes: dict[str, str] = {}
    rows = []
    for row in report.matrix:
        cells = [_cell(row.cells[place], notes) for place in order]
        if cells[0] == "not installed":
            cells[1:] = [""] * len(cells[1:])
        rows.append([_short(row.variants), *cells])
    marks = [f"{mark}  {because}" for because, mark in notes.items()]
    if any(UNCOVERED in cell for row in rows for cell in row[1:]):
        marks.append(f"{UNCOVERED}  not covered: the document says nothing about such a component")
    return TextTable([TableHead(title) for title in ("variants", *titles)], rows, notes=marks)


def _cell(cell: Cell, notes: dict[str, str]) -> str:
    """Return a cell; why something deviates is a note, a letter each."""
    if cell.state in {"agrees", "not installed"}:
        return cell.state
    figure = "none" if cell.figure is None else f"{cell.figure:.4f}"
    if cell.state == "deviates":
        return f"{figure}{notes.setdefault(cell.because, ascii_lowercase[len(notes) % 26])}"
    return f"{figure}{UNCOVERED if cell.state == 'unstated' else ' fails'}"


def _short(names: Sequence[str]) -> str:
    """Return the first names, the shortest, and how many more there are."""
    ordered = sorted(names, key=lambda name: (len(name), name))
    for number in range(len(ordered), 0, -1):
        more = len(ordered) - number
        text = ", ".join(ordered[:number]) + (f" and {more} more" if more else "")
        if len(text) <= NAMED or number == 1:
            return text
    return ""


def _gives(subject: Subject) -> list[str]:
    """Return the headline figures that come out with a component beside those of the plain variant."""
    figures = sorted(subject.gives, key=lambda gives: read_number(gives[0]))
    other = [f"{got} (for {headline})" if got != headline else got for headline, got in figures]
    return _wrapped(f"With the components of `wikipedia`, {subject.name} gives {listed(other)}.")


def _of_combinations(report: Report) -> list[str]:
    if not report.combinations:
        return []
    states = ", ".join(f"{report.combined[state]:,} {words}" for state, words in _SHORT.items())  # type: ignore[index]
    return ["", f"{report.combinations:,} combinations: {states}"]


_SHORT = {"agrees": "agree", "deviates": "deviate", "unstated": "not covered", "fails": "fail"}


def _is_shown(subject: Subject, report: Report) -> bool:
    """Return whether there is something to say of a component or a variant itself."""
    is_asked = (subject.kind, subject.name) in report.required or bool(subject.gives)
    return is_asked or bool(subject.broken or subject.observed or subject.needs)


def _own(subject: Subject) -> Iterator[str]:
    """Yield what came of one component or variant."""
    if subject.compared is None:
        verdict = subject.verdict if not subject.needs else f"not tried: it {subject.needs}"
    elif subject.verdict == "fails":
        verdict = "fails"
    else:
        to = subject.conforms_to
        verdict = f"does not conform to {to}: {subject.compared}" if subject.compared else f"conforms to {to}"
    yield ""
    yield from _wrapped(f"{subject}: {verdict}")
    for broken in subject.broken:
        yield from _wrapped(f"{broken.rule}: {broken.shown}", first="  breaks    ")
    for observed in subject.observed:
        yield from _wrapped(f"{observed.rule}: {observed.shown}", first="  observed  ")
    yield from _cases("  deviates  ", subject.deviates)
    yield from _cases("  uncovered ", subject.uncovered)


def _cases(first: str, cases: Sequence[Observed]) -> Iterator[str]:
    for case in cases[:LISTED]:
        yield from _wrapped(f"{case.rule}: {case.shown}", first=first)
    if len(cases) > LISTED:
        yield f"{first}and {len(cases) - LISTED} more cases, which --format json lists"


def _failures(report: Report) -> Iterator[str]:
    """Yield what fails: a group for each cause, with its smallest case, and how many more there are."""
    for problem in report.problems:
        yield from ["", *_wrapped(problem, first="fails: ")]
    groups = sorted(report.failures.items(), key=lambda group: (bool(group[0].kind == VARIANT), -len(group[1])))
    for cause, failing in groups[:GROUPS]:
        smallest = min(failing, key=lambda one: (len(one.because), one.case))
        what = said(cause.kind, cause.name).strip()
        yield from ["", f"fails: {what}, {cause.stage or 'result'}: {len(failing):,} results, such as"]
        yield from _wrapped(f"{smallest.case} ({smallest.of}): {smallest.because}", first="  ")
    if report.failures:
        yield ""
        if len(groups) > GROUPS:
            others = listed([said(cause.kind, cause.name) for cause, _ in groups[GROUPS : GROUPS + LISTED]])
            yield from _wrapped(f"fails, too: {others} and others, {len(groups) - GROUPS} causes in all")
        yield "The same command with --format json lists all that fails."


def _summary(report: Report) -> Iterator[str]:
    """Yield what was tried, and with which verdicts; of what was asked for by name each has its own lines before."""
    if report.required:
        return
    verdicts = Counter((subject.kind == VARIANT, subject.verdict) for subject in report.subjects.values())
    yield ""
    for verdict in ("well-behaved", CASES_HOLD):
        counts = [
            f"{verdicts[is_variant, verdict]} {noun}{'s' * (verdicts[is_variant, verdict] != 1)}"
            for is_variant, noun in ((False, "component"), (True, "variant"))
            if verdicts[is_variant, verdict]
        ]
        if counts:
            yield from _wrapped(f"{verdict}: {listed(counts)}")
    failing = [str(subject) for subject in report.subjects.values() if subject.verdict == "fails"]
    if failing:
        shown = failing if len(failing) <= LISTED else [*failing[:LISTED], f"{len(failing) - LISTED} more"]
        yield from _wrapped(f"fails: {listed(shown)}")
    if report.not_installed:
        yield from _wrapped(f"not installed: {', '.join(said(*name) for name in report.not_installed)}")
    for what in report.left_out:
        yield from _wrapped(what)


def _wrapped(text: str, first: str = "") -> list[str]:
    return wrapped_lines(text, WIDTH, first=first)


def as_data(report: Report) -> dict[str, Any]:
    """Return a report as plain data: everything that was found, but single results that do not fail."""
    return {
        "headline": [
            {
                "variants": list(row.variants),
                "figures": {
                    case.headline: {"document": name, **cell._asdict()}
                    for (name, case), cell in zip(report.headlines, row.cells, strict=True)
                },
            }
            for row in report.matrix
        ],
        "combinations": report.combinations,
        "results": {words: report.combined[state] for state, words in WORDS.items()},  # type: ignore[index]
        "verdict": report.verdict,
        "conforms": None if report.verdict == CASES_HOLD else report.conforms,
        "subjects": [_subject_data(subject) for subject in report.subjects.values()],
        "failures": [_failure_data(cause, failing) for cause, failing in report.failures.items()],
        "problems": report.problems,
        "not_installed": [
            {"kind": kind, "name": name, "because": because} for (kind, name), because in report.not_installed.items()
        ],
        "left_out": report.left_out,
    }


def _subject_data(subject: Subject) -> dict[str, Any]:
    lists = {
        name: [found._asdict() for found in getattr(subject, name)]
        for name in ("broken", "observed", "deviates", "uncovered")
    }
    return {
        "kind": subject.kind,
        "name": subject.name,
        "verdict": subject.verdict,
        "needs": subject.needs,
        "gives": dict(subject.gives),
        "conforms_to": subject.conforms_to,
        "difference": subject.compared,
        "results": subject.checked,
        **lists,
    }


def _failure_data(cause: Cause, failing: Sequence[Failing]) -> dict[str, Any]:
    return {**cause._asdict(), "results": [one._asdict() for one in failing]}
