"""Identify how a published score of a text was computed, among procedures that people follow, by their prices."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import inf, isclose, prod
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from bleukit.bleu.bleu import bleu_of, load
from bleukit.bleu.names import names_of
from bleukit.bleu.signature import read_signature
from bleukit.framework.arguments import check_segments
from bleukit.framework.errors import InputError, quantity
from bleukit.framework.results import Result
from bleukit.identifying.calculating import Calculator
from bleukit.identifying.procedures import OF_TOKENS, possible_procedures, prices, traits
from bleukit.identifying.published_score import POINTS, PublishedScore
from bleukit.writing.phrases import listed, wrapped_lines
from bleukit.writing.printers import as_html
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from bleukit.bleu.bleu import VariantLike
    from bleukit.bleu.variant import Variant
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.segments import SegmentsReader
    from bleukit.identifying.procedures import Procedure

Verdict: TypeAlias = Literal["likely", "possible", "nothing plausible"]

MOST_SHOWN = 3
"""The default number of answers that are printed."""

MOST_NAMED = 3
"""The number of procedures of an answer that are named, unless all are asked for."""

PROGRAMS = 12
"""The most programs that are named as computing the first variant."""

EXACT = 1e-9
"""The relative difference up to which two scores are the same: what rounding in another order may change."""

NEIGHBOURHOOD = 1.0
"""Scores of so many points around a figure tell how dense scores are there."""


class Case(NamedTuple):
    """A published figure, and the text that it was computed of; ``read`` gives the text as a tokenizer reads it."""

    figure: PublishedScore
    read: SegmentsReader
    documents: Sequence[Hashable] | None = None

    @classmethod
    def of(
        cls, score: object, hypotheses: Sequence[Text], references: Sequence[References], by: Layout | None = None
    ) -> Case:
        """Return a case of what :func:`identify` takes. Raises InputError for what cannot be scored."""
        figure = PublishedScore.parse(score)
        segments = check_segments(hypotheses, references, references_by=by)
        return cls(figure, lambda _: segments)


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Result):
    """A score that rounds to the figure, and the procedures that give it on this text, the likeliest first.

    ``value`` is in the scale of the figure, of the first case. ``posterior`` is the probability (0 to 1) that one of
    them was followed; ``by_chance`` is how many other scores of procedures no dearer than the first would be expected
    to round to the figure.
    """

    value: float
    posterior: float
    by_chance: float
    same_score: tuple[Procedure, ...]

    @property
    def first(self) -> Procedure:
        """The likeliest procedure."""
        return self.same_score[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, and the price of the first."""
        return {**super().to_dict(), "bits": self.first.bits}

    def __repr__(self) -> str:
        return f"<Answer {self.value!r}, {self.posterior:.0%}: {self.first.words}>"


@dataclass(frozen=True, eq=False, repr=False)
class Identification(Result):
    """How a published score may have been computed, the likeliest answer first.

    ``verdict`` is "nothing plausible" if "none of these" is, "likely" if the first answer is and the figure is not 0,
    else "possible".
    ``nothing`` is the probability (0 to 1) of "none of these": that a procedure was followed that is not listed.
    ``tried`` is the number of procedures, ``expected_by_chance`` how many different scores of theirs would round to any
    figure here. ``closest`` is the cheapest of the scores nearest to the figure, if there is no answer. ``left_out``
    maps variants and components that cannot be used to the reasons.
    """

    figure: str
    cases: int
    verdict: Verdict
    nothing: float
    tried: int
    expected_by_chance: float
    answers: tuple[Answer, ...]
    closest: Answer | None
    left_out: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<Identification of {self.figure}: {self.summary}>"

    def __str__(self) -> str:
        return self.as_text()

    @property
    def summary(self) -> str:
        """The verdict in words: "likely sacrebleu (95 %)"."""
        if self.verdict == "nothing plausible":
            return "nothing plausible"
        first = self.answers[0]
        return f"{self.verdict} {first.first.words} ({_percent(first.posterior).lstrip()})"

    def notes(self) -> list[str]:
        """Return sentences that say how much a match means, and what would help."""
        notes = []
        chance = f"{_rough(self.expected_by_chance)} would give {self.figure} by chance"
        if self.answers:
            chance += f", {_rough(self.answers[0].by_chance)} as simple as the first"
            first = self.answers[0].first.variant
            programs = names_of(first)
            if len(programs) > PROGRAMS:
                programs = [*programs[:PROGRAMS], f"{len(programs) - PROGRAMS} more"]
            if programs:
                notes.append(
                    f"{first} is also what these programs compute, some of them among others: {listed(programs)}."
                )
        notes.append(f"{quantity(self.tried, 'procedure')} tried; {chance}.")
        if not PublishedScore.parse(self.figure).number:
            notes.append("A score of 0 tells little: it is what all give that ask for n-grams that do not match.")
        if self.verdict == "possible" and self.cases == 1:
            notes.append("A second figure of the same procedure, on another text, would narrow it (--case).")
        if missing := [name.removeprefix("variant ") for name in self.left_out if name.startswith("variant ")]:
            notes.append(f"Not tried: {', '.join(missing)} (--format json says why).")
        return notes

    def as_text(self, width: int = 80, most: int = MOST_SHOWN, named: int | None = MOST_NAMED) -> str:
        """Return the result as text in lines of at most ``width`` characters.

        It has at most ``most`` answers, with at most ``named`` procedures each, None for all.
        """
        lines = [*wrapped_lines(f"{self.figure}: {self.summary}", width), ""]
        for answer in self.answers[:most]:
            start = f"{_percent(answer.posterior)}  {self._printed(answer)}  "
            lines += wrapped_lines(answer.first.words, width, first=start)
            others = [procedure.words for procedure in answer.same_score[1:]]
            shown = others if named is None else others[: named - 1]
            more = f"; and {len(others) - len(shown):,} more (--all)" if len(others) > len(shown) else ""
            if others:
                same = f"same on this text: {'; '.join(shown)}{more}"
                lines += wrapped_lines(same, width, first=" " * len(start))
        if self.closest:
            closest = f"{self._printed(self.closest)}  {self.closest.first.words}"
            lines += wrapped_lines(closest, width, first="closest  ")
        if rest := self.answers[most:]:
            share = sum(answer.posterior for answer in rest)
            lines.append(f"{_percent(share)}  {quantity(len(rest), 'more score')}")
        lines += [f"{_percent(self.nothing)}  none of these", ""]
        return "\n".join([*lines, *(line for note in self.notes() for line in wrapped_lines(note, width))])

    def _printed(self, answer: Answer) -> str:
        """Return the score of an answer with two decimals more than the figure has, and at least four."""
        return f"{answer.value:.{max(4, PublishedScore.parse(self.figure).decimals + 2)}f}"

    def _repr_html_(self) -> str:
        shown = self.answers[:MOST_SHOWN]
        columns = {
            "probability": [*(f"{answer.posterior:.0%}" for answer in shown), f"{self.nothing:.0%}"],
            "score": [*map(self._printed, shown), ""],
            "procedure": [*(answer.first.words for answer in shown), "none of these"],
        }
        return as_html(
            f"{self.figure}: {self.summary}", table_of(columns.items(), {"procedure"}), " ".join(self.notes())
        )


def identify(  # noqa: PLR0913
    score: object,
    hypotheses: Sequence[Text],
    references: Sequence[References],
    *,
    cases: Iterable[tuple[object, Sequence[Text], Sequence[References]]] = (),
    variants: Iterable[VariantLike] = (),
    mix: bool = False,
    references_by: Layout | None = None,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> Identification:
    """Search the procedures that give a published score of a text, by rising price.

    ``score`` should be a str, whose digits give its precision: "39.9". It may be what a program printed, with
    precisions, brevity penalty, lengths and signature, all of which have to agree. Hypotheses and references are what
    :meth:`Metric.corpus` takes. ``cases`` are further figures of the same procedure, each with its hypotheses and
    references; ``variants`` are tried as well, each is what :func:`bleukit.load` takes or returns. ``mix`` tries
    mixtures of any components, too. ``progress`` wraps each sequence of steps, and may show how many are done. Raises
    InputError for a figure that is not a score, for a text that cannot be scored, and for different ``variants`` of one
    name; VariantError for a wrong variant.
    """
    all_cases = (Case.of(*case, references_by) for case in ((score, hypotheses, references), *cases))
    return identified(list(all_cases), variants, progress, mix=mix)


def identified(
    cases: Sequence[Case],
    variants: Iterable[VariantLike] = (),
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
    *,
    mix: bool = False,
) -> Identification:
    """Search the procedures that give the figures of all cases; for the other parameters see :func:`identify`."""
    texts = [case.read(None) for case in cases]
    if not all(map(len, texts)):
        raise InputError("no segment to score")
    has = set.intersection(*map(traits, texts))
    if all(case.documents is not None for case in cases):
        has.add("documents")
    signatures = (case.figure.signature for case in cases if case.figure.signature)
    further = _by_name([*variants, *(load(read_signature(signature).variant) for signature in signatures)])
    procedures, left_out = possible_procedures(further, has, mix=mix)
    search = _Search(cases, procedures)
    search.run(progress)
    return search.result(left_out)


def _by_name(variants: Iterable[VariantLike]) -> dict[str, Variant]:
    """Return variants by what they are chosen by: a name or a path, or for others their label."""
    named: dict[str, Any] = {}
    for variant in variants:
        bleu = bleu_of(variant)
        name = os.fspath(variant) if isinstance(variant, str | os.PathLike) else bleu.label
        if named.setdefault(name, bleu).signature != bleu.signature:
            raise InputError(f"two variants are called {name!r}: give one of them another name")
        if bleu.variant.join_documents:
            raise InputError(f"{name} joins the segments of each document, and here no documents are read")
    return {name: bleu.variant for name, bleu in named.items()}


class _Try(NamedTuple):
    """A procedure that was tried: its score of the first text, in points.

    If it gives all figures, ``bits`` is its price with theirs, and ``values`` are its scores in their scale.
    """

    procedure: Procedure
    points: float
    bits: float
    values: tuple[float, ...]


class _Search:
    """The search; it stops some bits above the cheapest match."""

    def __init__(self, cases: Sequence[Case], procedures: Sequence[Procedure]) -> None:
        self._cases = cases
        self._procedures = procedures
        self._constants: Mapping[str, float] = prices()["search"]
        self._calculators = [Calculator(case.read, case.documents) for case in cases]
        self._tries: list[_Try] = []
        """What was tried, by rising price."""
        self._near: dict[float, float] = {}
        """The different scores near the first figure, and the price of the cheapest procedure of each."""

    def run(self, progress: Callable[[Sequence[Any]], Iterable[Any]]) -> None:
        """Try the procedures, before all others those that are tried in any case; the same tokens together."""
        procedures = self._procedures
        in_any_case = procedures[0].bits + self._constants["margin"]
        first = bisect_right(procedures, in_any_case, key=attrgetter("bits"))
        tries: dict[int, _Try] = {}
        by_tokens: dict[Any, list[int]] = {}
        limit = inf
        for places in (range(first), range(first, len(procedures))):
            by_tokens = {tokens: [] for tokens in by_tokens}  # in the same order, so that what is kept is found
            for place in places:
                if procedures[place].bits <= limit:
                    by_tokens.setdefault(procedures[place].steps[:OF_TOKENS], []).append(place)
            for place in chain.from_iterable(progress(list(by_tokens.values()))):
                if procedures[place].bits <= limit and (tried := self._try(procedures[place])):
                    tries[place] = tried
                    if tried.values:
                        limit = min(limit, procedures[place].bits + self._constants["margin"])
        if not tries:
            raise InputError("no procedure can score this text")
        self._tries = [tries[place] for place in sorted(tries) if procedures[place].bits <= limit]
        for each in self._tries:
            if abs(each.points - self._cases[0].figure.points) <= NEIGHBOURHOOD:
                self._near.setdefault(round(each.points, 9), each.procedure.bits)

    def _try(self, procedure: Procedure) -> _Try | None:
        """Return what comes of a procedure; None if it refuses the first text."""
        bits, family = procedure.bits, procedure.family.variant.scale
        points: list[float] = []
        scales: list[int] = []
        with suppress(InputError):
            for case, calculator in zip(self._cases, self._calculators, strict=True):
                points.append(calculator.points(procedure.steps))
                scale = case.figure.scale_of(points[-1])
                if scale is None or not case.figure.agrees(partial(calculator.facts, procedure.steps)):
                    break
                scales.append(scale)
                bits += self._constants["as_points"] if scale == POINTS and len(case.figure.scales) > 1 else 0
                bits += self._constants["as_fraction"] if scale < family else 0
        if len(scales) < len(self._cases):
            return _Try(procedure, points[0], bits, ()) if points else None
        values = tuple(value * scale / POINTS for value, scale in zip(points, scales, strict=True))
        return _Try(procedure.in_scale(scales[-1]), points[0], bits, values)

    def result(self, left_out: Mapping[str, str]) -> Identification:
        """Return the answers with their probabilities."""
        figure = self._cases[0].figure
        are_equal = partial(isclose, rel_tol=EXACT, abs_tol=1e-15)
        groups: list[list[_Try]] = []
        for match in sorted((each for each in self._tries if each.values), key=attrgetter("bits")):
            group = next((group for group in groups if all(map(are_equal, group[0].values, match.values))), [])
            if not group:
                groups.append(group)
            group.append(match)
        weights = [self._weight(sum(2.0**-match.bits for match in group)) for group in groups]
        none = self._weight_of_none()
        total = sum(weights) + none
        ranked = sorted(zip(weights, groups, strict=True), key=lambda pair: -pair[0])
        answers = tuple(
            self._answer(group[0].values[0], weight / total, [match.procedure for match in group])
            for weight, group in ranked
        )
        verdict: Verdict = "possible"
        if not answers or none / total >= self._constants["nothing"]:
            verdict = "nothing plausible"
        elif answers[0].posterior >= self._constants["likely"] and figure.number:  # 0 says little: any score may be
            verdict = "likely"
        return Identification(
            figure=figure.text,
            cases=len(self._cases),
            verdict=verdict,
            nothing=none / total,
            tried=len(self._tries),
            expected_by_chance=self._by_chance(inf),
            answers=answers,
            closest=None if answers else self._closest(),
            left_out=left_out,
        )

    def _weight_of_none(self) -> float:
        """Return the weight of "none of these": how likely another procedure gives figures in intervals so wide."""
        frequencies: dict[float, float] = defaultdict(float)
        for each in self._tries:
            frequencies[round(each.points, 9)] += 2.0**-each.procedure.bits
        weights = {points: self._weight(frequency) for points, frequency in frequencies.items()}
        near = sum(weight for points, weight in weights.items() if points in self._near)
        density = near / sum(weights.values()) / (2 * NEIGHBOURHOOD) + self._constants["anywhere"]
        by_chance = min(1, self._cases[0].figure.width * density) * self._chance_of_others()
        agreeing = (self._constants["others"] for case in self._cases if case.figure.facts)
        prior = self._constants["none"] / (1 - self._constants["none"])
        return prior * sum(weights.values()) * prod(agreeing, start=by_chance)

    def _weight(self, frequency: float) -> float:
        """Return how often people ask about a score, given how often procedures give it."""
        return float(frequency ** (1 / self._constants["flatness"]))

    def _by_chance(self, bits: float) -> float:
        """Return how many different scores of procedures up to a price are expected to round to the figures."""
        number = sum(cheapest <= bits for cheapest in self._near.values())
        return number * min(1, self._cases[0].figure.width / (2 * NEIGHBOURHOOD)) * self._chance_of_others()

    def _chance_of_others(self) -> float:
        """Return how likely a procedure that gives the first figure gives all others by chance."""
        return prod(min(1, case.figure.width * self._constants["further"]) for case in self._cases[1:])

    def _answer(self, value: float, posterior: float, procedures: Sequence[Procedure]) -> Answer:
        return Answer(value, posterior, self._by_chance(procedures[0].bits), tuple(procedures))

    def _closest(self) -> Answer:
        figure = self._cases[0].figure
        closest = min(self._tries, key=lambda each: round(abs(each.points - figure.points), 9))
        return self._answer(closest.points * figure.scales[-1] / POINTS, 0.0, [closest.procedure])


def _percent(share: float) -> str:
    return f"{f'{share:.0%}':>4}".replace("%", " %")


def _rough(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}" if number >= 0.1 else f"{number:.1g}"
