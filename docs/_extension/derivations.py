"""How the score of a case follows, without formulas that a program would have to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.conformance.writing.explaining import explain_case

from _extension.pages import as_code, as_text
from bleukit.inspecting.derivation import Formula, Heading, Sentence, steps_as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.conformance.judging.cases import Case

    from bleukit.inspecting.derivation import Step


def as_plain_text(case: Case, variant: str) -> str:
    """Return how the score of a case follows by a variant, as `bleukit conform explain` prints it."""
    return steps_as_text(explain_case(case, variant)[1:])


def as_markdown(case: Case, variant: str, level: int) -> str:
    """Return the same as Markdown, with headings of a level."""
    return "\n\n".join(_written(explain_case(case, variant)[1:], "#" * level))


def _written(steps: Sequence[Step], marks: str) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Heading):
            yield f"{marks} {as_text(step.text)}"
        elif isinstance(step, Sentence):
            yield as_text(step.text)
        elif isinstance(step, Formula):
            yield as_code(step.plain)
        else:
            heads = [head or "text" for head in step.columns]
            lines = [[as_text(cell) for cell in line] for line in (heads, *step.rows)]
            lines.insert(1, ["---"] * len(step.columns))
            yield "\n".join(f"| {' | '.join(line)} |" for line in lines)
