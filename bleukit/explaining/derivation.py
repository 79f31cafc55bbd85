"""The derivation of a score from its text, step by step, as it is worked out by hand: as text, Markdown or LaTeX.

N-gram tables, clipped counts and lengths are computed here again, from the tokens. Precisions that differ from the
counts are attributed to the smoothing of the variant.
"""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.bleu import components
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.protocols import Counts
from bleukit.bleu.scoring import weigh
from bleukit.framework.errors import InputError, PluginError, one_line, reported_as
from bleukit.framework.tokenizing import tokenize_texts
from bleukit.writing.printers import as_latex, as_markdown, as_text, in_latex, in_markdown
from bleukit.writing.table import TextTable, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.bleu.bleu import Bleu
    from bleukit.bleu.scoring import Score
    from bleukit.bleu.variant import Variant
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.protocols import Text

Tokens = tuple[str, ...]


class Heading(NamedTuple):
    """A heading."""

    text: str


class Sentence(NamedTuple):
    """A paragraph of one sentence."""

    text: str


class Formula(NamedTuple):
    """An equation, as plain text and in TeX."""

    plain: str
    tex: str


Step = Heading | Sentence | TextTable | Formula


Segment = tuple[Tokens, list[Tokens]]
"""The tokens of a hypothesis and of its references, as a variant counts them."""


def derive(bleu: Bleu, segments: Iterable[tuple[Text, Iterable[Text]]], score: Score) -> list[Step]:
    """Return the steps from segments to their score, or from counts to a score if there are no segments.

    ``segments`` are the first ones, whose n-grams are shown: each a hypothesis and its references. The score may be of
    more.
    """
    counted = [_tokenized(bleu, hypothesis, list(references)) for hypothesis, references in segments]
    steps: list[Step] = [Sentence(_variant(bleu.variant))]
    for number, segment in enumerate(counted, 1):
        steps += _of_segment(segment, f"Segment {number}" if score.segments > 1 else "The segment", bleu.variant)
    others = score.segments - len(counted)
    if counted and others:
        those = f"the other {others:,} segments" if others > 1 else "the other segment"
        steps.append(Sentence(f"The n-grams of {those} are counted in the same way."))
    if bleu.variant.is_macro:
        return [*steps, *_mean(bleu, counted, score)]
    return [*steps, *_of_sums(bleu, counted, score)]


def _tokenized(bleu: Bleu, hypothesis: Text, references: list[Text]) -> Segment:
    texts, is_text = [hypothesis, *references], isinstance(hypothesis, str)
    tokens = tokenize_texts(texts, bleu.components["tokenizer"], bleu.variant.lowercase, tokenized=not is_text)
    own, *others = map(tuple, tokens)
    return own, others


def _of_sums(bleu: Bleu, segments: Sequence[Segment], score: Score) -> Iterator[Step]:
    yield from _precisions(score, bleu.components["smoothing"])
    yield from _penalty(bleu, segments, score)
    yield from _score(bleu.variant, score)


def _mean(bleu: Bleu, segments: Sequence[Segment], score: Score) -> Iterator[Step]:
    """Yield the steps from the counts of each of the first segments to its score, and the mean of all scores."""
    for number, segment in enumerate(segments, 1):
        yield Heading(f"The score of segment {number}")
        yield from _of_sums(bleu, [segment], bleu.sentence(*segment))
    yield Heading("Mean")
    if bleu.variant.average == "macro-with-final-newline":
        yield Sentence("The program counts one more pair of empty texts after the last newline.")
    value = _number(score.value)
    yield Formula(
        f"BLEU = the mean of {score.segments:,} sentence scores = {value}",
        rf"\mathrm{{BLEU}} = \frac{{1}}{{N}} \sum_i \mathrm{{BLEU}}_i = {value}",
    )


def written(steps: Sequence[Step], form: str = "text", width: int | None = None) -> str:
    """Return the steps in a format of FORMATS: as plain text, in Markdown, or as a fragment of LaTeX.

    Markdown has formulas in dollar signs, as GitHub and Jupyter read them; LaTeX needs amsmath and booktabs. Sentences
    and tables of plain text are as wide as ``width``, None for any.
    """
    return "\n\n".join(FORMATS[form][type(step)](step, width) for step in steps)


def _variant(variant: Variant) -> str:
    weights = ", ".join(map(_number, variant.weights_used))
    parts = {kind.replace("_", " "): getattr(variant, kind) for kind in COMPONENT_HOOKS}
    chosen = ", ".join(f"{kind} {part.name}" for kind, part in parts.items())
    return f"The variant: {chosen}; weights {weights}{'; effective order' if variant.effective_order else ''}."


def _of_segment(segment: Segment, title: str, variant: Variant) -> Iterator[Step]:
    """Yield the tokens and, for each order, the n-grams of the hypothesis with their counts, and those it misses."""
    yield Heading(title)
    hypothesis, references = segment
    names = ["hypothesis", *(f"reference {n}" for n in range(1, len(references) + 1))]
    texts = zip(names, (hypothesis, *references), strict=True)
    rows = [(name, " ".join(tokens), str(len(tokens))) for name, tokens in texts]
    yield table_of(zip(("", "tokens", "length"), zip(*rows, strict=True), strict=True), {"", "tokens"})
    counts = _COUNTED.get(variant.counter.name)
    for order in range(1, len(variant.weights) + 1):
        own = _ngrams(hypothesis, order)
        if not own:
            yield Sentence(f"Order {order}: the hypothesis has no n-gram of this length.")
            continue
        in_references = reduce(or_, [_ngrams(tokens, order) for tokens in references])
        every = list(dict.fromkeys([*own, *in_references]))
        found, most = ([side[ngram] for ngram in every] for side in (own, in_references))
        columns: dict[str, list[object]] = {
            f"order {order}": [*map(" ".join, every), "sum"],
            "in the hypothesis": [*found, own.total()],
            "at most in a reference": [*most, ""],
        }
        if counts:
            matches, missed = list(map(counts, found, most)), [max(0, m - n) for n, m in zip(found, most, strict=True)]
            columns |= {"counts": [*matches, sum(matches)], "missed": [*missed, sum(missed)]}
        yield table_of(((name, list(map(str, cells))) for name, cells in columns.items()), {f"order {order}"})


_COUNTED: dict[str, Callable[[int, int], int]] = {
    "clipped": min,
    "nltk": min,
    "unclipped": lambda number, most: number if most else 0,
}
"""How often an n-gram is counted as a match, by counter; for other counters, only the sums are known."""


def _ngrams(tokens: Tokens, order: int) -> Counter[Tokens]:
    return Counter(tokens[start : start + order] for start in range(len(tokens) - order + 1))


def _precisions(score: Score, smoothing: LoadedComponent) -> Iterator[Step]:
    yield Heading("Precisions")
    columns = zip(score.matches, score.totals, score.precisions, _smoothing_steps(score, smoothing), strict=True)
    for order, (matches, total, precision, step) in enumerate(columns, 1):
        value = _number(precision)
        if total and math.isclose(precision, Fraction(matches, total), rel_tol=1e-12):
            plain = tex = f" = {value}"
        elif math.isnan(precision):
            plain, tex = ", undefined", r" \text{, undefined}"
        else:
            smoothed = step if "," in step else f"{step} = {value}" if step else value
            plain = f", smoothed by {smoothing}: {smoothed}"
            tex = rf" \text{{, smoothed: {in_latex(smoothed)}}}"
        yield Formula(f"p{order} = {matches}/{total}{plain}", f"p_{{{order}}} = \\frac{{{matches}}}{{{total}}}{tex}")


def _smoothing_steps(score: Score, smoothing: LoadedComponent) -> Sequence[str]:
    """Return how the smoothing says that it computes each precision; nothing if it does not, or of other counts."""
    nothing = [""] * len(score.precisions)
    lengths = score.hypothesis_length, score.reference_length
    counts = Counts(score.matches, score.totals, *lengths, segments=score.segments)
    if smoothing.promise("needs_last_segment"):
        if score.segments > 1:
            return nothing
        counts = replace(counts, last=counts)
    with suppress(InputError):
        if repr(components.precisions(smoothing, [counts])) != repr([score.precisions]):
            return nothing
    steps = list(map(str, _steps_of(smoothing, counts)))
    return steps if len(steps) == len(nothing) else nothing


def _steps_of(component: LoadedComponent, *arguments: Any) -> Any:
    """Return what a component says of its steps; nothing if it does not say them. Raises PluginError if it fails."""
    with reported_as(lambda error: PluginError(f"{component} fails with {one_line(error)}, in its steps")):
        return component.call.steps(*arguments) if hasattr(component.call, "steps") else ""


def _penalty(bleu: Bleu, segments: Sequence[Segment], score: Score) -> Iterator[Step]:
    """Yield the lengths of the segments, if there are any, and the brevity penalty."""
    yield Heading("Brevity penalty")
    policy = bleu.components["reference_length"].call
    if segments:
        rows = []
        for number, (hypothesis, references) in enumerate(segments, 1):
            lengths = [len(tokens) for tokens in references]
            effective = _number(float(policy(len(hypothesis), lengths)))
            rows.append((str(number), str(len(hypothesis)), ", ".join(map(str, lengths)), effective))
        more = [("…", "", "", "")] if score.segments > len(segments) else []
        sums = ("sum", str(score.hypothesis_length), "", _number(score.reference_length))
        chosen = bleu.variant.reference_length.name
        columns = zip(*rows, *more, sums, strict=True)
        yield table_of(zip(("segment", "hypothesis", "references", chosen), columns, strict=True))
    step = str(_steps_of(bleu.components["brevity_penalty"], score.hypothesis_length, score.reference_length))
    value = _number(score.brevity_penalty)
    written = step if ", because " in step else f"{step} = {value}" if step else value
    equation, because, reason = written.partition(", because ")
    tex = _in_tex(equation) + (rf" \text{{, because }} {_in_tex(reason)}" if because else "")
    yield Formula(f"BP = {written}", rf"\mathrm{{BP}} = {tex}")


def _in_tex(equation: str) -> str:
    return equation.replace("exp(", r"\exp(").replace("≥", r"\ge")


def _score(variant: Variant, score: Score) -> Iterator[Step]:
    yield Heading("Score")
    scale, tex_scale = ("", "") if variant.scale == 1 else (f"{variant.scale:g} × ", rf"{variant.scale:g} \cdot ")
    undefined = [variant.effective_order and math.isnan(precision) for precision in score.precisions]
    weights, _ = weigh(variant.weights_used, undefined)
    columns = zip(weights, score.precisions, strict=True)
    weighed = [(order, weight, precision) for order, (weight, precision) in enumerate(columns, 1) if weight]
    if 0 < len(weighed) < sum(map(bool, variant.weights_used)):
        yield Sentence("Orders without n-grams are left out, and the other weights are scaled up to the same sum.")
    bad = next((order for order, _, precision in weighed if not precision > 0), None)
    value = _number(score.value)
    if bad is not None:
        yield Formula(
            f"BLEU = {value}, because p{bad} is not above 0",
            rf"\mathrm{{BLEU}} = {value} \text{{, because }} p_{{{bad}}} \not> 0",
        )
        return
    terms = " + ".join(f"{_number(weight)} ln {_number(precision)}" for _, weight, precision in weighed)
    tex = " + ".join(rf"{_number(weight)} \ln {_number(precision)}" for _, weight, precision in weighed)
    penalty = _number(score.brevity_penalty)
    mean = r"\exp\Bigl(\sum_n w_n \ln p_n\Bigr)"
    yield Formula(
        f"BLEU = {scale}BP × exp(Σ w ln p) = {scale}{penalty} × exp({terms}) = {value}",
        rf"\mathrm{{BLEU}} = {tex_scale}\mathrm{{BP}} \cdot {mean} = {tex_scale}{penalty} \cdot \exp({tex}) = {value}",
    )


def _number(value: float) -> str:
    """Return a number with six significant digits."""
    return f"{value:.6g}"


FORMATS: Mapping[str, Mapping[type[Step], Callable[[Any, int | None], str]]] = {
    "text": {
        Heading: lambda heading, _: f"{heading.text}\n{'=' * len(heading.text)}",
        Sentence: lambda sentence, width: as_text(sentence.text, width),
        TextTable: lambda table, width: as_text(table, width, ruled=True),
        Formula: lambda formula, _: f"    {formula.plain}",
    },
    "markdown": {
        Heading: lambda heading, _: f"## {in_markdown(heading.text)}",
        Sentence: lambda sentence, _: in_markdown(sentence.text),
        TextTable: lambda table, _: as_markdown(table),
        Formula: lambda formula, _: f"$${formula.tex}$$",
    },
    "latex": {
        Heading: lambda heading, _: f"\\section*{{{in_latex(heading.text)}}}",
        Sentence: lambda sentence, _: in_latex(sentence.text),
        TextTable: lambda table, _: as_latex(table),
        Formula: lambda formula, _: f"\\[ {formula.tex} \\]",
    },
}
