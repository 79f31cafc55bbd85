"""What came of asking implementations as a page: one HTML file, without a network or scripts, to read and to cite."""

from __future__ import annotations

import shlex
from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.conformance.implementations import protocol
from bleukit.conformance.implementations.questions import STAGES

from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleukit.conformance.implementations.asking import ImplementationRun
    from bleukit.conformance.implementations.questions import Question
    from bleukit.conformance.implementations.records import JudgedAnswer, ProcessRecord
    from bleukit.conformance.judging.cases import CaseDocument

MARKS = {"passed": "✓", "differs": "✗", "cannot express": "–", "no answer": "!"}
LONGEST = 2000
"""How many characters of a request are shown: some cases have hundreds of segments."""

STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --none: #888; --odd: #9a6700 }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --odd: #d29922 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.5rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top }
.wide { overflow-x: auto; margin-top: .7rem } .counts { white-space: nowrap }
.passed { color: var(--good) } .differs { color: var(--bad) } .cannot { color: var(--none) } .no { color: var(--odd) }
details { border-bottom: 1px solid var(--line); padding: .3rem 0 } details > *:not(summary) { margin-left: 1.2rem }
summary { cursor: pointer } summary code { font-weight: 600 } .marks { float: right; letter-spacing: .1em }
pre { overflow-x: auto; padding: .5rem; background: #8881; white-space: pre-wrap; overflow-wrap: anywhere }
.says { opacity: .8 } td code { overflow-wrap: anywhere }
"""


def html_page(run: ImplementationRun, documents: Sequence[CaseDocument]) -> str:
    """Return the page: implementations × documents, then each case with what everybody answered at each stage."""
    names = list(run.versions)
    answers = [run.answers[start : start + len(names)] for start in range(0, len(run.answers), len(names))]
    asked = list(zip(run.questions, answers, strict=True))
    sources = {document.document: document.source for document in documents}
    title = "What conforms to the documents that define BLEU"
    variants = list(dict.fromkeys(question.source for question, _ in asked))
    parts = [f"<h1>{title}</h1>", _explained()]
    for variant in variants:
        of_variant = [(question, answers) for question, answers in asked if question.source == variant]
        parts += [f"<h2>Asked for the variant {escape(variant)}, in cases</h2>", _matrix(of_variant, run)]
        for document in dict.fromkeys(question.document for question, _ in of_variant):
            parts.append(f'<h2 id="{_anchor(variant, document)}">{escape(document)}</h2>')
            parts.append(f"<p class=says>{escape(sources[document])}</p>")
            parts += [_case(question, own) for question, own in of_variant if question.document == document]
    parts += [_processes(run.processes), _reproduced(run)]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = "".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head><body>\n{body}</body></html>'


def _explained() -> str:
    marks = ", ".join(f"{_mark(verdict)} {words}" for verdict, words in IN_WORDS.items())
    return (
        f"<p>The cases are those of bleukit {escape(__version__)}: what the documents print of BLEU, or what follows "
        f"from them. Of the stages that a case states and an implementation reports: {marks}.</p>"
    )


IN_WORDS = {
    "passed": "all of them agree",
    "differs": "one does not, or the implementation raises an error",
    "cannot express": "the implementation has no parameter for it",
    "no answer": "its process gave no answer",
}


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
        _row(f'<a href="#{_anchor(variant, document)}">{escape(document)}</a>', map(_counted, of_document))
        for document, of_document in counts.items()
    ]
    return _table(["document", *map(escape, run.titles)], [*rows, _row("<b>all</b>", map(_counted, sums))])


def _counted(counts: Counter[str]) -> str:
    counted = " &nbsp;".join(f"{_mark(verdict)} {counts[verdict]}" for verdict in MARKS if counts[verdict])
    return f"<span class=counts>{counted}</span>"


def _case(question: Question, answers: Sequence[JudgedAnswer]) -> str:
    case = question.case
    marks = " ".join(_mark(answer.verdict, answer.implementation) for answer in answers)
    facts = {
        "what holds": "" if question.says == case.says else question.says,
        "where": case.section,
        "derived": "it follows from the document, but is not printed there" if case.derived else "",
        "erratum": case.erratum and f"printed: {case.erratum.printed}; {case.erratum.because}",
        "printed by": case.produced_by
        and f"{case.produced_by.program}, {case.produced_by.version}: {case.produced_by.command}",
    }
    known = "".join(_row(f"<i>{name}</i>", [escape(fact)]) for name, fact in facts.items() if fact)
    stages = [stage for stage in (*STAGES, "error") if any(_stage(answer, stage) for answer in answers)]
    said = [answer for answer in answers if answer.reported or answer.differences]
    rows = [_row(stage, [_expected(answers[0], stage), *(_got(a, stage) for a in said)]) for stage in stages]
    reasons = [
        f"<p>{_mark(answer.verdict)} {escape(f'{answer.implementation}: {reason}')}</p>"
        for answer in answers
        if (reason := answer.cannot_express or answer.no_answer)
    ]
    heads = ["stage", "the case", *(escape(answer.implementation) for answer in said)]
    request = protocol.encode(protocol.case_of(question, 2)).decode().strip()
    more = f"… ({len(request):,} characters)" if len(request) > LONGEST else ""
    return (
        f'<details id="{_anchor(question.source, case.id)}"><summary><span class=marks>{marks}</span>'
        f"<code>{escape(case.id)}</code> {escape(case.says)}</summary>"
        f"{f'<table>{known}</table>' if known else ''}{_table(heads, rows)}{''.join(reasons)}"
        f"<p>What a harness is asked:</p><pre>{escape(request[:LONGEST])}{more}</pre></details>\n"
    )


def _stage(answer: JudgedAnswer, stage: str) -> bool:
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
    return f"{_mark('differs' if stage in differences else 'passed')} {reported}"


def _processes(processes: Sequence[ProcessRecord]) -> str:
    if not processes:
        return ""
    rows = [
        _row(
            escape(process.implementation),
            [
                f"<code>{escape(process.command)}</code>",
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


def _table(heads: Sequence[str], rows: Iterable[str]) -> str:
    return (
        f"<div class=wide><table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{''.join(rows)}</table></div>"
    )


def _row(first: str, cells: Iterable[str]) -> str:
    return f"<tr><td>{first}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _mark(verdict: str, of: str = "") -> str:
    title = f"{of}: {verdict}" if of else verdict
    return f'<span class={verdict.partition(" ")[0]} title="{escape(title)}">{MARKS[verdict]}</span>'


def _anchor(variant: str, document: str) -> str:
    return escape("-".join(f"{variant} {document}".split()))


def stage_value(value: Any) -> str:
    """Show what a stage gives: numbers to twelve digits, because more are noise to people."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(stage_value, value))}]"
    return f"{value:.12g}" if isinstance(value, float) else "nothing" if value is None else str(value)
