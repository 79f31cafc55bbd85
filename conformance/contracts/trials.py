"""What a way to a number is tried with: a variant and a corpus whose rows its components give one by one.

The components are called for one text and one segment at a time, and what they return is summed by exact arithmetic,
and put together by the definition.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, cycle
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.conformance.contracts import corpora
from bleukit.conformance.contracts.corpora import Corpus, Row
from bleukit.conformance.definitions import alike, plain_score
from bleukit.conformance.judging import written
from bleukit.conformance.judging.observing import split_alone
from bleukit.conformance.tokenizers import plain_lower

import bleukit
from bleukit.errors import InputError, shown
from bleukit.protocols import Counts
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from bleukit import Bleu
    from bleukit.accumulator import Level
    from bleukit.protocols import Text

Groups: TypeAlias = "list[Sequence[int]]"
"""The numbers of the segments of each row."""

joined = Statistics.concatenate

PARTS = (1, 2, 3, 50, 51, 2047, 2048, 2049)
"""The sizes of parts in which a text comes."""

STARTED = (500, 10_000)
"""The command is not tried on corpora of a size between these, because to start it takes long."""

CLOSE = 1e-12
"""How much of its size a number may differ by that is computed by another formula."""


@dataclass
class Trial:
    """A variant and a corpus: ``plain`` are the rows of its segments, counted one by one. ``folder`` is for files.

    ``is_default`` says whether it is the default variant, which is tried in the ways that take longer, too.
    """

    source: str
    bleu: Bleu
    corpus: Corpus
    plain: list[Row]
    folder: Path
    is_default: bool = False
    known: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def offers(self) -> frozenset[str]:
        """What ways may need: what the corpus offers, and names of what is true of the variant and the run."""
        least, most = STARTED
        more = {
            "command": self.is_default and not least < len(self.corpus) < most,
            "default": self.is_default,
            self.source: True,
            "joins": self.bleu.variant.join_documents,
            "micro": not self.bleu.variant.is_macro,
            "macro": self.bleu.variant.is_macro,
            "parts": not self.bleu.counts_whole_texts,
        }
        return self.corpus.offers | {name for name, is_offered in more.items() if is_offered}

    @property
    def input(self) -> tuple[list[Text], list[Sequence[Text]]]:
        """Hypotheses and references."""
        return self.corpus.hypotheses, self.corpus.references

    def counted(self) -> Statistics:
        """Return the statistics of all segments, counted at once; those of the corpus if it has no segments."""
        if "counted" not in self.known:
            self.known["counted"] = self.bleu.statistics(*self.input) if self.corpus.distinct else self.sums(of_each)
        rows: Statistics = self.known["counted"]
        return rows

    def sums(self, of: Callable[[int], Groups]) -> Statistics:
        """Return the sum of each group, by the plain rows."""
        if of not in self.known:
            groups = [_sum(self.plain, group) for group in of(len(self.corpus))]
            self.known[of] = groups, statistics_of(groups)
        rows: Statistics = self.known[of][1]
        return rows

    def scores(self, of: Callable[[int], Groups]) -> list[tuple[str, str]]:
        """Return all figures of the score of each group, and its value. Raises InputError if that is refused."""
        if ("scores", of) not in self.known:
            self.sums(of)
            level: Level = "sentence" if of is of_each else "corpus"
            self.known["scores", of] = [self._score(row, level) for row in self.known[of][0]]
        scores: list[tuple[str, str]] = self.known["scores", of]
        return scores

    def signatures(self, of: Callable[[int], Groups]) -> list[dict[str, str]]:
        """Return what the signature of the score of each group is to say: the same as that of the variant at its level.

        If tokens are given, it says so, and the versions are left out of it, of which the tokenizer has some.
        """
        self.sums(of)
        variant = self.bleu.sentence_variant if of is of_each else self.bleu.variant
        fields = {**self.signed(bleukit.load(variant).signature), "variant": self.bleu.label}
        fields |= {} if "with" in fields else {"tokenizer": written.TOKENS_GIVEN}
        numbers = [{row.fewest_references: "", row.most_references: ""} for row in self.known[of][0]]
        return [{**fields, "references": "-".join(map(str, number))} for number in numbers]

    def signed(self, signature: str) -> dict[str, str]:
        """Return the fields of a signature; without versions if tokens are given."""
        fields = dict(field.split(":", 1) for field in signature.split("|"))
        versions = {"with": fields.pop("with", "")}
        return fields | versions if isinstance(self.corpus.hypotheses[0], str) else fields

    def _score(self, row: Row, level: Level) -> tuple[str, str]:
        key = level, row._replace(reference_length=float(row.reference_length))  # type: ignore[arg-type]
        if key not in self.known:
            score = score_of(self.bleu, level, row)
            self.known[key] = figures_of(score), repr(score.value)
        scored: tuple[str, str] = self.known[key]
        return scored

    def parts(self) -> Iterator[slice]:
        """Yield the segments in parts."""
        start = 0
        for size in cycle(PARTS):
            if start >= len(self.corpus):
                return
            yield slice(start, start + size)
            start += size


class Way(NamedTuple):
    """A way to the statistics of groups ``of`` segments, or to their scores: ``result`` returns these for a trial.

    ``needs`` says what the corpus must offer and, by "parts", that counts must not depend on the segments before, by
    "joins", that the variant scores documents, each as one text, by "macro", that it averages sentence scores, by
    "micro", that it does not.
    ``is_exact`` is False if averages of reference lengths are summed by products of floating-point numbers.
    """

    says: str
    result: Callable[[Trial], Any]
    of: Callable[[int], Groups]
    needs: str = ""
    is_exact: bool = True

    def is_for(self, trial: Trial) -> bool:
        """Return whether it is a way for a trial."""
        needs = self.needs.split()
        return {*needs} <= trial.offers and trial.corpus.only in {"", *needs}


class OtherwiseError(Exception):
    """A score does not follow from its components and the formula; the message says how."""


def figures_of(score: Any) -> str:
    """Return all figures of a score; NaN is equal to NaN in it."""
    return repr([value for name, value in score.to_dict().items() if name not in {"signature", "variant"}])


def score_of(bleu: Bleu, level: Level, row: Row) -> Any:
    """Return the score of a row, held to its components and the formula. Raises InputError if that is refused."""
    score = bleu.score(statistics_of([row]), level=level)
    variant = bleu.sentence_variant if level == "sentence" else bleu.variant
    components = bleu.sentence_components if level == "sentence" else bleu.components
    smoothing = components["smoothing"].call
    as_counts = _as_counts if getattr(smoothing, "takes_totals_below_zero", False) else _as_counts_from_zero
    last = as_counts(row.last or row, bleu.max_order)
    counts = replace(as_counts(row, len(variant.weights)), last_segment=last)
    precisions = tuple(map(float, smoothing(counts)))
    penalty = float(components["brevity_penalty"].call(counts.hypothesis_length, counts.reference_length))
    value = variant.scale * plain_score(variant, penalty, precisions)
    if not row.hypothesis_length and not row.reference_tokens:
        value = variant.empty_score
    if variant.is_macro and level != "sentence":
        total = Fraction((row.sentence_scores or 0) * 2**30 + (row.sentence_scores_rest or 0), 2**60)
        more = variant.average == "macro-with-final-newline"
        value = float(variant.scale * total + more * Fraction(variant.empty_score)) / (row.segments + more)
    for name, got, wanted in (
        ("precisions", score.precisions, precisions),
        ("brevity_penalty", score.brevity_penalty, penalty),
        ("score", score.value, value),
        ("variant", score.variant, f"{bleu.variant.name or 'unnamed'}{written.MODIFIED}"),  # for counts were given
    ):
        if not alike(got, wanted, CLOSE):
            raise OtherwiseError(f"{name} {got}, by its components {wanted}")
    return score


def columns_of(names: Iterable[str]) -> list[str]:
    """Return those names that are columns of statistics, not the last segment."""
    return [name for name in names if name in Row._fields[:-1]]


def _as_counts(row: Row, orders: int) -> Counts:
    return Counts(row.matches[:orders], row.totals[:orders], row.hypothesis_length, float(row.reference_length))


def _as_counts_from_zero(row: Row, orders: int) -> Counts:
    """Return what a smoothing is given that takes no totals below 0, and no more matches than totals."""
    totals = tuple(max(0, total) for total in row.totals)
    return _as_counts(row._replace(matches=tuple(map(min, row.matches, totals)), totals=totals), orders)


def statistics_of(rows: Sequence[Row]) -> Statistics:
    """Return statistics with these rows."""
    names = columns_of(name for name, value in zip(Row._fields, rows[0], strict=True) if value is not None)
    columns: dict[str, Any] = {name: [getattr(row, name) for row in rows] for name in names}
    lengths = columns["reference_length"]
    columns["reference_length"] = list(map(float, lengths))
    columns["reference_length_rest"] = [float(length - Fraction(float(length))) for length in lengths]
    columns |= {name: list(chain.from_iterable(columns[name])) for name in ("matches", "totals")}
    lasts = [row.last or row for row in rows]
    last = statistics_of(lasts) if any(row.last for row in rows) else None
    return Statistics(len(rows[0].matches), columns, last)


def counted_alone(bleu: Bleu, corpus: Corpus) -> list[Row]:
    """Return what the components of a variant count in each segment of a corpus, one by one."""
    if not corpus.distinct:
        return list(corpus.rows)
    rows = [_counted(bleu, *segment) for segment in corpus.distinct]
    if bleu.variant.is_macro:
        rows = [_with_sentence_score(bleu, row) for row in rows]
    at_places = [rows[place] for place in corpus.places]
    if not bleu.counts_whole_texts:
        return at_places
    hypotheses = [tokens_of(bleu, hypothesis) for hypothesis in corpus.hypotheses]
    references = [[tokens_of(bleu, text) for text in own] for own in corpus.references]
    counter: Any = bleu.components["counter"].call
    count = counter.for_text().batch
    parts = (slice(start, start + corpora.FEW) for start in range(0, len(corpus), corpora.FEW))
    counted = (count(hypotheses[part], references[part], bleu.max_order) for part in parts)
    sides = chain.from_iterable(zip(*both, strict=True) for both in counted)
    return [
        row._replace(matches=tuple(map(int, matches)), totals=tuple(map(int, totals)))
        for row, (matches, totals) in zip(at_places, sides, strict=True)
    ]


def _counted(bleu: Bleu, hypothesis: Text, references: Sequence[Text]) -> Row:
    ours, *theirs = (tokens_of(bleu, text) for text in (hypothesis, *references))
    matches, totals = bleu.components["counter"].call(ours, theirs, bleu.max_order)
    lengths = list(map(len, theirs))
    effective = Fraction(float(bleu.components["reference_length"].call(len(ours), lengths)))
    number = len(theirs)
    return Row(1, len(ours), effective, sum(lengths), number, number, tuple(map(int, matches)), tuple(map(int, totals)))


def _with_sentence_score(bleu: Bleu, row: Row) -> Row:
    score = score_of(bleu, "sentence", row).value / bleu.variant.scale
    first, rest = divmod(round(Fraction(score) * 2**60), 2**30)
    return row._replace(sentence_scores=first, sentence_scores_rest=rest)


def tokens_of(bleu: Bleu, text: Text) -> list[str]:
    """Return the tokens that a variant counts of a text, split alone."""
    if isinstance(text, str):
        return split_alone(text, bleu)
    return [plain_lower(token, bleu.variant.lowercase) for token in text]


def _sum(plain: Sequence[Row], group: Sequence[int]) -> Row:
    """Return the sum of the rows at some places."""
    if len(group) == 1:
        return plain[group[0]]
    rows = {id(plain[place]): plain[place] for place in group}
    often = Counter(id(plain[place]) for place in group)

    def total(values: Iterable[Any]) -> Any:
        return sum((value * often[row] for value, row in zip(values, rows, strict=True)), 0)

    return Row._make(
        [
            *(total(row[column] for row in rows.values()) for column in range(4)),
            min(row.fewest_references for row in rows.values()),
            max(row.most_references for row in rows.values()),
            *(tuple(map(total, zip(*(row[column] for row in rows.values()), strict=True))) for column in (6, 7)),
            *(
                None if plain[group[0]][column] is None else total(row[column] for row in rows.values())
                for column in (8, 9)
            ),
            plain[group[-1]],
        ]
    )


def of_each(number: int) -> Groups:
    """Return a group of each segment."""
    return [[place] for place in range(number)]


def of_all(number: int) -> Groups:
    """Return one group of all segments."""
    return [range(number)]


def document_of(number: int) -> list[str]:
    """Return the document of each segment: of many segments most have one of their own; they are interleaved."""
    return [rf"document\new {place * place % 7 if number <= corpora.FEW else place % 9000}" for place in range(number)]


def of_documents(number: int) -> Groups:
    """Return a group of each document."""
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(document_of(number)):
        groups.setdefault(name, []).append(place)
    return list(groups.values())


def of_mask(number: int) -> Groups:
    """Return a group of each segment, of every second one first."""
    return [*([place] for place in range(0, number, 2)), *([place] for place in range(1, number, 2))]


def of_short_resamples(number: int) -> Groups:
    """Return groups of fewer segments than there are."""
    return [[place * times % number for place in range(number // 2 + 1)] for times in (2, 1, 3)]


def of_long_resamples(number: int) -> Groups:
    """Return groups of more segments than there are."""
    return [[place * times % number for place in range(2 * number + 1)] for times in (2, 1, 3)]


def of_resamples(number: int) -> Groups:
    """Return groups in which some segments are several times."""
    often = [place // 2 * (place % 2) for place in range(number)]  # the first one
    return [*([place * times % number for place in range(number)] for times in (1, 0, 2, number - 1, 7)), often]


def of_ordered_resamples(number: int) -> Groups:
    """Return the same groups, each in the order of the text."""
    return [sorted(group) for group in of_resamples(number)]


def expected(trial: Trial, of: Callable[[int], Groups] = of_each) -> list[float]:
    """Return the score of each group."""
    return [float(value) for _, value in trial.scores(of)]


def held(check: Callable[[Trial], None], trial: Trial) -> list[float]:
    """Return the scores of the segments if a check, which is about other numbers, raises no InputError."""
    check(trial)
    return expected(trial)


def checks(*rows: tuple[str, Callable[[Trial], None], str]) -> Iterator[Way]:
    """Yield ways to the scores of segments that are checks of other numbers; each with its name and its needs."""
    yield from (Way(says, partial(held, check), of_each, needs) for says, check, needs in rows)


def as_read(data: Any) -> Any:
    """Return plain data as it is read from JSON, in which NaN is null."""
    return json.loads(json.dumps(data).replace("NaN", "null"))


def require(what: str, got: Any, wanted: Any) -> None:
    """Raise InputError unless numbers are the wanted ones, but for what rounding changes; NaN is equal to NaN."""
    if not alike(got, wanted, CLOSE):
        raise InputError(f"{what}: {shown(got)}, expected {shown(wanted)}")


LEVELS: dict[Level, Callable[[int], Groups]] = {"corpus": of_all, "document": of_documents, "sentence": of_each}


def rows_at(level: Level, trial: Trial) -> Statistics:
    """Return the counted rows, summed at a level."""
    return at_level(level, trial.counted())


def by_plain_functions(bleu: Bleu) -> Bleu:
    """Return a variant whose components are functions without attributes, but for those that cannot be."""
    functions: Any = {
        kind: partial(_called, component.call)
        for kind, component in bleu.components.items()
        if component == bleu.sentence_components[kind]
        and not any(getattr(component.call, name, False) for name in NEEDED)
    }
    return bleukit.load(bleu.variant, **functions)


def _called(component: Callable[..., Any], *arguments: Any) -> Any:
    return component(*arguments)


NEEDED = (
    "lowercasing",
    "counted_order",
    "for_text",
    "refuses_input",
    "takes_totals_below_zero",
    "exceeds_one",
    "least_total",
)
"""Attributes by which a component asks for, or gives, something else."""


def at_level(level: Level, rows: Statistics) -> Statistics:
    """Return rows of segments, summed at a level."""
    if level == "sentence":
        return rows
    return rows.sum() if level == "corpus" else rows.by_document(document_of(len(rows)))
