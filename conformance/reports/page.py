"""The cases as HTML, with what came of them: parts of the site's pages, and pages of one file, to read and to cite.

The parts have the markup of the site, whose theme styles it; a page of one file brings a style of the same design. None
needs a network or a script.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.conformance.implementations import protocol
from bleukit.conformance.implementations.questions import STAGES
from bleukit.conformance.judging.runner import STATES

from bleukit.inspecting.phrases import as_yaml
from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.conformance.implementations.asking import ImplementationRun
    from bleukit.conformance.implementations.questions import Question
    from bleukit.conformance.implementations.records import JudgedAnswer, ProcessRecord
    from bleukit.conformance.judging.cases import Case, CaseDocument, Expected, Otherwise
    from bleukit.conformance.judging.coverage import CaseResult

MARKS = {"passed": "✓", "differs": "✗", "cannot express": "–", "no answer": "!"}
"""The verdicts on answers."""

STATE_MARKS = {"agrees": "✓", "deviates": "~", "unstated": "–", "fails": "✗"}
"""The states of what a variant gives."""

LONGEST = 2000
"""How many characters of a request are shown: some cases have hundreds of segments."""

SHOWN = 600
"""How many characters of a text or a stage are shown."""

SEGMENTS = 3
"""How many segments are shown."""

UPRIGHT = 8
"""How many variants are columns with names across."""

STYLE = """
:root { color-scheme: light dark; --text: #000; --muted: #5a5c63; --page: #fff; --shade: #f8f9fb; --line: #d5d8dd;
  --link: #2757dd; --good: #1a7f37; --bad: #b3261e; --odd: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --text: #cfd0d0; --muted: #a0a4a9; --page: #131416; --shade: #1a1c1e;
  --line: #3a3d42; --link: #5ca5ff; --good: #3fb950; --bad: #ff7b72; --odd: #d29922 } }
body { font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--text);
  background: var(--page); margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
a { color: var(--link) } h1 { font-size: 2.2rem; line-height: 1.2 } h2 { font-size: 1.6rem; margin-top: 2.5rem }
h3 { font-size: 1.15rem } .table-wrapper { overflow-x: auto; margin: 1rem 0 }
h1, h2, h3, p, summary { overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top }
thead, tr:nth-child(even) { background: var(--shade) } .counts { white-space: nowrap }
.turned th { vertical-align: bottom } .turned th + th { writing-mode: vertical-rl; white-space: nowrap }
.passed, .agrees { color: var(--good) } .differs, .fails { color: var(--bad) } .no, .deviates { color: var(--odd) }
.cannot, .unstated { color: var(--muted) }
details { border-bottom: 1px solid var(--line); padding: .3rem 0 } details > *:not(summary) { margin-left: 1.2rem }
summary { cursor: pointer } summary code { font-weight: 600 } .marks { float: right; letter-spacing: .1em }
code, pre { font: 81.25%/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere }
code { white-space: break-spaces }
pre { padding: .5rem; background: var(--shade); white-space: pre-wrap } .says { color: var(--muted) }
"""
"""The style of a page of one file: the colours and sizes of the site's theme."""

TITLE = "What conforms to the documents that define BLEU"


def html_page(run: ImplementationRun, documents: Sequence[CaseDocument]) -> str:
    """Return the page of a run: implementations × documents, then each case with what everybody answered."""
    names = list(run.versions)
    answers = [run.answers[start : start + len(names)] for start in range(0, len(run.answers), len(names))]
    asked = list(zip(run.questions, answers, strict=True))
    sources = {document.document: document.source for document in documents}
    variants = list(dict.fromkeys(question.source for question, _ in asked))
    parts = [
        f"<h1>{TITLE}</h1>",
        _explained(MARKS, VERDICTS_IN_WORDS, "that a case states and an implementation reports"),
    ]
    for variant in variants:
        of_variant = [(question, answers) for question, answers in asked if question.source == variant]
        parts += [f"<h2>Asked for the variant {escape(variant)}, in cases</h2>", _matrix(of_variant, run)]
        for document in dict.fromkeys(question.document for question, _ in of_variant):
            parts += _heading(f"{variant} {document}", document, sources[document])
            parts += [_asked(question, own) for question, own in of_variant if question.document == document]
    return _in_one_file([*parts, _processes(run.processes), _reproduced(run)])


def suite_page(
    results: Sequence[CaseResult], documents: Sequence[CaseDocument], summary: str, tables: Iterable[Sequence[Any]]
) -> str:
    """Return the page of named variants under the suite: documents × variants, tables, each case with what comes of it.

    Each of the ``tables`` is a title, columns, and rows of text.
    """
    of_case: dict[str, list[CaseResult]] = {}
    for result in results:
        of_case.setdefault(result.outcome.case, []).append(result)
    asked = [(document, [case for case in document.cases if case.id in of_case]) for document in documents]
    asked = [(document, cases) for document, cases in asked if cases]
    parts = [f"<h1>{TITLE}</h1>", _explained(STATE_MARKS, STATES_IN_WORDS, "that a case states")]
    parts += [f"<p>{escape(summary)}.</p>", "<h2>Named variants, in cases</h2>", _of_variants(results, asked)]
    for title, columns, rows in tables:
        lines = [_row(escape(first), map(escape, cells)) for first, *cells in rows]
        parts += [f"<h2>{escape(title)}</h2>", _table([*map(escape, columns)], lines)]
    for document, cases in asked:
        parts += _heading(document.document, document.document, document.source)
        parts += [_judged(case, of_case[case.id]) for case in cases]
    return _in_one_file(parts)


def case_part(case: Case, answers: Sequence[JudgedAnswer] = (), not_asked: str = "") -> str:
    """Return a case: its facts, its input, what must come out, and what everybody answers or why nobody is asked."""
    parts = [_facts(case), f"<h2>Input</h2>{_input(case)}"]
    if not any(map(_says, answers)) or not {*case.expect.stated} <= {*answers[0].expected} or case.otherwise:
        parts.append(f"<h2>What must come out</h2>{_stages(case)}")
    if answers:
        parts.append(f"<h2>What implementations answer</h2>{_answered(answers)}")
    elif not_asked:
        parts.append(f"<h2>What implementations answer</h2><p>Nobody is asked. {escape(not_asked)}.</p>")
    return "".join(parts)


def _in_one_file(parts: Iterable[str]) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{TITLE}</title>'
    body = "".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head><body><main>\n{body}</main></body>'
        "</html>"
    )


def _explained(marks: Mapping[str, str], words: Mapping[str, str], which: str) -> str:
    explained = ", ".join(f"{_mark(marks, name)} {words[name]}" for name in marks)
    return (
        f"<p>The cases are those of bleukit {escape(__version__)}: what the documents print of BLEU, or what follows "
        f"from them. Of the stages {which}: {explained}.</p>"
    )


VERDICTS_IN_WORDS = {
    "passed": "all of them agree",
    "differs": "one does not, or the implementation raises an error",
    "cannot express": "the implementation has no parameter for it",
    "no answer": "its process gave no answer",
}

STATES_IN_WORDS = {
    "agrees": "all of them agree",
    "deviates": "one is what the case states for such a component instead",
    "unstated": "the case states nothing of one for such a component",
    "fails": "one fails",
}


def _heading(anchor: str, title: str, source: str) -> list[str]:
    return [f'<h2 id="{_anchor(anchor)}">{escape(title)}</h2>', f"<p class=says>{escape(source)}</p>"]


def _matrix(asked: Sequence[tuple[Question, Sequence[JudgedAnswer]]], run: ImplementationRun) -> str:
    """Documents by implementations, and the sums."""
    counts: dict[str, list[Counter[str]]] = {}
    for question, answers in asked:
        of_document = counts.setdefault(question.document, [Counter() for _ in answers])
        for counter, answer in zip(of_document, answers, strict=True):
            counter[answer.verdict] += 1
    sums: list[Counter[str]] = [sum(columns, Counter()) for columns in zip(*counts.values(), strict=True)]
    variant = asked[0][0].source
    rows = [
        _row(_link(f"{variant} {document}", document), [_counted(MARKS, own) for own in of_document])
        for document, of_document in counts.items()
    ]
    total = _row("<b>all</b>", [_counted(MARKS, own) for own in sums])
    return _table(["document", *map(escape, run.titles)], [*rows, total])


def _of_variants(results: Sequence[CaseResult], asked: Sequence[tuple[CaseDocument, Sequence[Case]]]) -> str:
    """Documents by variants, whose names are turned if they are many."""
    variants = list(dict.fromkeys(result.variant for result in results))
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        counts[result.document, result.variant][result.outcome.state] += 1
    rows = [
        _row(_link(title, title), [_counted(STATE_MARKS, counts[title, variant]) for variant in variants])
        for title in (document.document for document, _ in asked)
    ]
    return _table(["document", *map(escape, variants)], rows, *(["turned"] if len(variants) > UPRIGHT else []))


def _counted(marks: Mapping[str, str], counts: Counter[str]) -> str:
    counted = " &nbsp;".join(f"{_mark(marks, name)} {counts[name]}" for name in marks if counts[name])
    return f"<span class=counts>{counted}</span>"


def _asked(question: Question, answers: Sequence[JudgedAnswer]) -> str:
    """Return a case that implementations were asked, folded up."""
    case = question.case
    marks = " ".join(_mark(MARKS, answer.verdict, answer.implementation) for answer in answers)
    request = protocol.encode(protocol.case_of(question, 2)).decode().strip()
    held = "" if question.says == case.says else f"<p>For this variant: {escape(question.says)}.</p>"
    return _folded(
        case,
        _anchor(f"{question.source} {case.id}"),
        marks,
        f"{held}{_facts(case)}{_answered(answers)}<p>What a harness is asked:</p><pre>{_cut(request, LONGEST)}</pre>",
    )


def _judged(case: Case, results: Sequence[CaseResult]) -> str:
    """Return a case that variants were held to, folded up: those of which the same came stand together."""
    alike: dict[Any, list[CaseResult]] = {}
    for result in results:
        alike.setdefault(result.outcome.stages, []).append(result)
    groups = sorted(alike.values(), key=lambda group: STATES.index(group[0].outcome.state))
    states = dict.fromkeys(group[0].outcome.state for group in groups)
    rows = [
        _row(
            f"{_mark(STATE_MARKS, own[0].outcome.state)} {own[0].outcome.state}",
            [escape(", ".join(result.variant for result in own)), _reasons(own[0])],
        )
        for own in groups
    ]
    came = _table(["outcome", "variants", "because"], rows)
    marks = " ".join(_mark(STATE_MARKS, state) for state in states)
    return _folded(case, _anchor(case.id), marks, f"{_facts(case)}{_input(case)}{_stages(case)}{came}")


def _reasons(result: CaseResult) -> str:
    return escape("; ".join(reason for state in STATES for reason in result.outcome.reasons(state) if reason))


def _folded(case: Case, anchor: str, marks: str, inside: str) -> str:
    return (
        f'<details id="{anchor}"><summary><span class=marks>{marks}</span>'
        f"<code>{escape(case.id)}</code> {escape(case.says)}</summary>{inside}</details>\n"
    )


def _facts(case: Case) -> str:
    """Return what a case says of itself, beside its input and what must come out."""
    produced = case.produced_by
    facts = {
        "variant": case.variant,
        "where": case.section,
        "derived": "it follows from the document, but is not printed there" if case.derived else "",
        "erratum": case.erratum and f"the document prints {case.erratum.printed}; {case.erratum.because}",
        "printed by": produced and f"{produced.program}, {produced.version}: {produced.command}",
        "sets": ", ".join(f"{key}: {as_yaml(value)}" for key, value in case.set.items()),
        "level": case.level,
    }
    rows = [_row(f"<i>{name}</i>", [escape(str(fact))]) for name, fact in facts.items() if fact]
    return _table([], rows) if rows else ""


def _input(case: Case) -> str:
    if case.counts:
        counts = case.counts
        return (
            f"<p>Matches {counts.matches}, totals {counts.totals}, hypothesis length {counts.hypothesis_length}, "
            f"reference length {counts.reference_length}.</p>"
        )
    if case.self_bleu:
        return _table([], [_row("text", [_text(text)]) for text in case.self_bleu.texts])
    rows = []
    for pair in case.pairs[:SEGMENTS]:
        rows.append(_row("hypothesis", [_text(pair.hypothesis)]))
        rows += [_row("reference", [_text(reference)]) for reference in pair.references]
    more = len(case.pairs) - SEGMENTS
    return _table([], rows) + (f"<p>… and {more:,} more segment{'s' if more > 1 else ''}.</p>" if more > 0 else "")


def _stages(case: Case) -> str:
    """Return what must come out, and what for some components instead."""
    rows = [[stage, value, ""] for stage, value in _stated(case.expect)]
    for exception in case.otherwise:
        why = f"for {escape(conditions(exception))}, because {escape(exception.because)}"
        rows += [[stage, value, why] for stage, value in _stated(exception.expect)]
    columns = 3 if case.otherwise else 2
    return _table(["stage", "must be", ""][:columns], [_row(stage, rest[: columns - 1]) for stage, *rest in rows])


def _stated(expect: Expected) -> Iterator[tuple[str, str]]:
    for stage in expect.stated:
        value = getattr(expect, stage)
        yield stage.replace("_", " "), _code(as_yaml(value) if isinstance(value, dict) else stage_value(value))


def conditions(exception: Otherwise) -> str:
    """Return the components for which an exception holds."""
    words = {
        kind: ", ".join(names) if isinstance(names, list) else f"all but those that declare {', '.join(names.excluded)}"
        for kind, names in exception.when.items()
    }
    return "; ".join(f"{kind.replace('_', ' ')} {names}" for kind, names in words.items())


def _answered(answers: Sequence[JudgedAnswer]) -> str:
    """Return what everybody says of each stage, and why the others say nothing."""
    stages = [stage for stage in (*STAGES, "error") if any(_speaks_of(answer, stage) for answer in answers)]
    said = [answer for answer in answers if _says(answer)]
    rows = [
        _row(stage.replace("_", " "), [_expected(answers[0], stage), *(_got(answer, stage) for answer in said)])
        for stage in stages
    ]
    heads = ["stage", "must be", *(escape(answer.implementation) for answer in said)]
    reasons = [
        f"<p>{_mark(MARKS, answer.verdict)} {escape(f'{answer.implementation}: {reason}')}</p>"
        for answer in answers
        if (reason := answer.cannot_express or answer.no_answer)
    ]
    return f"{_table(heads, rows) if said else ''}{''.join(reasons)}"


def _says(answer: JudgedAnswer) -> bool:
    return bool(answer.reported or answer.differences)


def _speaks_of(answer: JudgedAnswer, stage: str) -> bool:
    return stage in answer.expected or stage in answer.reported or stage in answer.compared


def _expected(answer: JudgedAnswer, stage: str) -> str:
    return escape(stage_value(answer.expected[stage])) if stage in answer.expected else ""


def _got(answer: JudgedAnswer, stage: str) -> str:
    """Return what an implementation says of a stage, marked if it was compared."""
    differences = {difference.stage: difference.got for difference in answer.differences}
    if stage not in answer.reported and stage not in differences:
        return ""
    reported = escape(stage_value(answer.reported.get(stage, differences.get(stage))))
    if stage not in answer.compared:
        return reported
    return f"{_mark(MARKS, 'differs' if stage in differences else 'passed')} {reported}"


def _processes(processes: Sequence[ProcessRecord]) -> str:
    if not processes:
        return ""
    rows = [
        _row(
            escape(process.implementation),
            [
                _code(process.command),
                escape(" ".join(filter(None, [process.version, process.language]))),
                f"{process.answered:,}",
                escape("; ".join(process.problems)),
                f"<pre>{escape(process.standard_error)}</pre>" if process.standard_error else "",
            ],
        )
        for process in processes
    ]
    heads = ["implementation", "command", "version, language", "answers", "what went wrong", "standard error"]
    return f"<h2>Processes</h2>{_table(heads, rows)}"


def _reproduced(run: ImplementationRun) -> str:
    """Return the command that asks the same again."""
    commands = {process.implementation: process.command for process in run.processes}
    words = ["bleukit", "conform", "implementations", *(name for name in run.versions if name not in commands)]
    for command in commands.values():
        words += ["--command", command]
    variants = dict.fromkeys(question.source for question in run.questions)
    for variant in variants:
        words += ["-c" if variant.endswith((".yaml", ".yml")) else "-V", variant]
    install = f"pip install bleukit=={__version__}"
    return (
        f"<h2>How to reproduce it</h2><pre>{escape(install)}\n{escape(shlex.join([*words, '--format', 'html']))}</pre>"
    )


def _table(heads: Sequence[str], rows: Iterable[str], *styles: str) -> str:
    cells = "".join(f"<th>{head}</th>" if head else "<td></td>" for head in heads)
    head = f"<thead><tr>{cells}</tr></thead>" if heads else ""
    return (
        f'<div class=table-wrapper tabindex=0><table class="{" ".join(["docutils", *styles])}">{head}'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(first: str, cells: Iterable[str]) -> str:
    return f"<tr><td>{first}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _text(text: str | Sequence[str]) -> str:
    """Return text, or tokens with blanks between."""
    return _code(text if isinstance(text, str) else " ".join(text)) if text else "<i>empty</i>"


def _code(text: str) -> str:
    shown = _cut(text, SHOWN).replace("\n", "⏎")
    return f"<code class=literal>{shown}</code>"


def _cut(text: str, longest: int) -> str:
    return escape(text[:longest]) + (f" … ({len(text):,} characters)" if len(text) > longest else "")


def _link(to: str, text: str) -> str:
    return f'<a href="#{_anchor(to)}">{escape(text)}</a>'


def _mark(marks: Mapping[str, str], name: str, of: str = "") -> str:
    title = f' title="{escape(of)}: {name}"' if of else ""
    return f"<span class={name.partition(' ')[0]}{title}>{marks[name]}</span>"


def _anchor(name: str) -> str:
    return escape("-".join(name.split()))


def stage_value(value: Any) -> str:
    """Show what a stage gives: numbers to twelve digits, because more are noise to people."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(stage_value, value))}]"
    return f"{value:.12g}" if isinstance(value, float) else "nothing" if value is None else str(value)
