"""What implementations of BLEU are asked: cases, each for one variant, with what the case says that must come out."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from bleukit.conformance.judging.observing import observe
from bleukit.conformance.judging.runner import judge

import bleukit
from bleukit.bleu.bleu import bleu_from
from bleukit.bleu.protocols import Reported

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bleukit.conformance.judging.cases import Case, CaseDocument, Expected

    from bleukit import Variant

STAGES = tuple(field.name for field in fields(Reported))
"""The stages that an implementation can report."""


class Question(NamedTuple):
    """A case for one variant: ``variant`` is that variant with the case's keys over it.

    ``expected`` is what must come out; a score in it is on the scale of the variant if the case is for a variant.
    ``says`` is why.
    """

    source: str
    document: str
    case: Case
    variant: Variant
    expected: Expected
    says: str

    @property
    def scale(self) -> float:
        """The score of a perfect match, as the case writes it."""
        return self.variant.scale if self.case.variant else 1


class CaseLeftOut(msgspec.Struct, frozen=True):
    """A case that says nothing of a variant, or nothing that an implementation could be asked."""

    variant: str
    case: str
    because: str


def ask_about(
    documents: Sequence[CaseDocument], variants: Sequence[str | Path]
) -> tuple[list[Question], list[CaseLeftOut]]:
    """Return the questions of documents about each variant (a name, or the path of a YAML file), and what is left out.

    Raises VariantError for a variant that is wrong, or that needs what is not installed.
    """
    cases = [(document.document, case) for document in documents for case in document.cases]
    questions: list[Question] = []
    left_out = []
    for source in dict.fromkeys(variants):
        bleukit.load(source)  # so that a variant that is wrong is reported as such
        for document, case in cases:
            if case.subject not in {"", str(source)}:
                continue
            asked = _question(document, case, source)
            if isinstance(asked, Question):
                questions.append(asked)
            else:
                left_out.append(CaseLeftOut(str(source), case.id, asked))
    return questions, left_out


def _question(document: str, case: Case, source: str | Path) -> Question | str:
    """Return the question, or why there is none."""
    not_asked = _why_not_asked(case)
    if not_asked:
        return not_asked
    if case.variant:
        variant = bleu_from(source, case.set).variant
    else:
        seen = observe(case, source)
        unstated = judge(case, seen).open
        if unstated or seen.variant is None:
            return "; ".join(unstated) or "the variant is refused"
        variant = seen.variant
    expected = _of_orders(case.expected(case.exceptions(variant)), len(variant.weights))
    if all(getattr(expected, stage) is None for stage in STAGES):
        return "result: it states none of the stages that an implementation reports"
    says = "; ".join(exception.because for exception in case.exceptions(variant)) or case.says
    return Question(str(source), document, case, variant, expected, says)


def _why_not_asked(case: Case) -> str:
    """Return why nobody is asked, whatever the variant; empty if it is asked."""
    if case.expect.error:
        return f"{case.expect.error}: the variant is refused before anyone is asked, as the case says"
    if case.self_bleu:
        return "self_bleu: libraries are asked for the score of a corpus"
    if case.documents:
        return "documents: libraries are not told which document a segment is of"
    if case.level == "sentence":
        return "level: it is about a sentence, and libraries are asked for the score of a corpus"
    return ""


def _of_orders(expected: Expected, orders: int) -> Expected:
    """Return what must come out up to an order: a case may state more than a variant weighs."""
    stated = {stage: getattr(expected, stage) for stage in ("matches", "totals", "precisions")}
    return msgspec.structs.replace(
        expected, **{stage: numbers and numbers[:orders] for stage, numbers in stated.items()}
    )
