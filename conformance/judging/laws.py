"""Judges laws: what documents say of all texts is tried on small texts that are built for it, the smallest first."""

from __future__ import annotations

from functools import cache
from itertools import chain, cycle, islice, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from bleukit.conformance.judging.runner import STATES, CaseOutcome, Stage

import bleukit
from bleukit.bleu.bleu import bleu_from
from bleukit.framework import registry
from bleukit.metrics.loading import METRICS, load_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.conformance.judging.cases import Case, Law, Pair
    from bleukit.conformance.judging.runner import State
    from numpy.typing import NDArray

    from bleukit.framework.metric import Level

Segment: TypeAlias = tuple[str, tuple[str, ...]]
"""A hypothesis and its references, in which each letter is a word."""

Segments: TypeAlias = tuple[Segment, ...]

KNOWN, OTHER = "bcdefghjklm", "nopqrstuvwxyz"
"""The words of references, and others: letters, without those that are words of English."""

QUOTED_AND = '" and "'

LENGTHS, SHORT = (1, 2, 3, 4, 6, 9), 3
"""How many words the first reference has, and how many at most beside a segment of one word."""


class Trials(NamedTuple):
    """The numbers of texts before and after a change, with their words in all; ``ids`` has the text of each segment."""

    sizes: Sequence[int]
    before: Sequence[int]
    after: Sequence[int]
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    ids: Sequence[int]


def judge_law(case: Case, source: Any, *, names_all: bool = False) -> CaseOutcome:
    """Return what comes of a law for a variant (a name or a path), or for a metric beside BLEU.

    What breaks it unnamed fails if it is bleukit's own, or the law ``names_all``; else it deviates. Raises VariantError
    for an unknown name.
    """
    assert case.law is not None  # noqa: S101 - the caller knows
    law = case.law
    metric = load_metric(source, **case.set) if source in METRICS else bleu_from(source, case.set)
    variant = getattr(metric, "variant", None)

    def broken(trials: Trials | None = None) -> tuple[int, str] | None:
        levels: Sequence[Level] = (case.level,) if case.level else ("corpus", "sentence")
        return min(filter(None, (_broken(law, metric, level, trials) for level in levels)), default=None)

    def outcome(state: State, because: str = "") -> CaseOutcome:
        return CaseOutcome(case.id, (Stage("law", state, because),))

    if (law.speaks_of and not law.speaks_of.has(str(source), variant)) or (variant is None and law.of != "score"):
        return outcome("unstated", "it does not speak of this")
    named = next((each for each in law.breaks if each.has(str(source), variant)), None)
    try:
        found = broken()
        stated = named and broken(_trials_of([(_segments(named.before), _segments(named.after))]))
    except (bleukit.InputError, bleukit.PluginError) as error:
        return outcome("unstated", f"it refuses the input: {error}")
    if named is None and found:
        known = registry.installed().of_kind("variant").get(str(source))
        is_own = names_all or variant is None or bool(known and known.plugin.is_built_in)
        return outcome("fails" if is_own else "deviates", f"it breaks the law, unnamed: {found[1]}")
    if named and stated and not (found and found[0] < stated[0]):
        return outcome("deviates", f"{named.because}: {stated[1]}")
    if named:
        return outcome("fails", f"it breaks the law otherwise than stated: {found[1]}" if found else "it keeps the law")
    return outcome("agrees")


class Verdict(NamedTuple):
    """What came of a law for all of these ``names``."""

    law: Case
    state: State
    because: str
    names: list[str]


def laws_by_verdict(cases: Iterable[Case], sources: Iterable[Any]) -> list[Verdict]:
    """Return what comes of each law among cases for variants and metrics, those that are alike together."""
    found: dict[tuple[str, str, str], Verdict] = {}
    for case, source in product([case for case in cases if case.law], sources):
        (stage,) = judge_law(case, source, names_all=True).stages
        key = case.id, stage.state, stage.because
        found.setdefault(key, Verdict(case, stage.state, stage.because, [])).names.append(str(source))
    return sorted(found.values(), key=lambda one: (one.law.id, STATES.index(one.state), -len(one.names)))


def _segments(pairs: Sequence[Pair]) -> Segments:
    def text(given: str | Sequence[str]) -> str:
        return given if isinstance(given, str) else " ".join(given)

    return tuple((text(pair.hypothesis), tuple(map(text, pair.references))) for pair in pairs)


def _broken(law: Law, metric: Any, level: Level, trials: Trials | None) -> tuple[int, str] | None:
    """Return how many words the smallest texts have that break a law at a level, and what they give, or None."""
    trials = trials or _trials(law.change, law.shortest, law.bounds is None, level == "sentence")
    if not trials.sizes:  # the corpus twice is no sentence
        return None
    values = _values(law.of, metric, level, trials)
    before, after = values[trials.before], values[trials.after]
    low, high = law.bounds or (before, before)
    if law.bounds is None and law.relation != "equal":
        low, high = (before, np.inf) if law.relation == "at least" else (-np.inf, before)
    slack = law.within * np.maximum(1, np.abs(np.where(np.isfinite(low), low, high)))
    wrong = ~((after >= low - slack) & (after <= high + slack))
    if law.of != "score":  # an order without n-grams has no precision
        wrong &= ~(np.isnan(before) | np.isnan(after))
    elif law.bounds is None:
        wrong &= ~(np.isnan(before) & np.isnan(after))
    broken = wrong.reshape(len(after), -1).any(axis=1)
    if not broken.any():
        return None
    first = int(broken.argmax())
    said = [_said(trials, side[first], values) for side in (trials.before, trials.after)][law.bounds is not None :]
    return trials.sizes[first], f"{', and '.join(said)} ({level} level)"


def _values(of: str, metric: Any, level: Level, trials: Trials) -> NDArray[np.float64]:
    """Return the figure of each text, of shape (texts,), or (texts, orders) for precisions."""
    rows = metric.statistics(trials.hypotheses, trials.references, references_by="segment", threads=1)
    rows = rows.by_document(trials.ids) if level == "corpus" else rows
    if of == "score":
        values: NDArray[np.float64] = metric.scorer(level).values(rows) / metric.scale
        return 1 - values if metric.lower_is_better else values
    columns = metric.score_columns(rows, level=level)
    figure: NDArray[np.float64] = columns.brevity_penalty if of == "brevity penalty" else columns.precisions
    return figure[:, 0] if of == "unigram precision" else figure


def _said(trials: Trials, number: int, values: NDArray[np.float64]) -> str:
    rows = zip(trials.ids, trials.hypotheses, trials.references, strict=True)
    segments = [f'"{text}" against "{QUOTED_AND.join(of)}"' for own, text, of in rows if own == number]
    return f"{'; '.join(segments)} gives {', '.join(f'{value:.4g}' for value in values[number].reshape(-1))}"


def _free(segment: Segment, number: int) -> str:
    """Return so many words that neither the hypothesis nor a reference has."""
    used = {*segment[0], *chain(*segment[1])}
    return "".join(islice(cycle([word for word in OTHER + KNOWN if word not in used]), number))


def _longer(own: Segment) -> list[str]:
    longest = max(own[1], key=len)
    missing = max(1, len(longest) + 1 - len(own[0]))
    return [longest + _free(own, 1), *(own[0] + _free(own, missing + more) for more in (0, 1, 5))]


def _added(own: Segment) -> list[str]:
    foreign = [_free(own, length) for length in (1, len(own[0]) + 1, 2 * len(own[0]))]
    return [own[0], own[0][:-1], own[0] + foreign[-1], *foreign]


def _parts(text: str) -> list[str]:
    return [text[:-1], text[1:], text[:1], text[1:-1]]


HYPOTHESES: Mapping[str, Callable[[Segment], list[str]]] = {
    "identical texts": lambda own: [own[1][0], own[1][-1]],
    "nothing in common": lambda own: [_free(own, len(own[0])), _free(own, len(own[1][0]))],
    "a part of a reference": lambda own: _parts(own[1][0]) + _parts(own[1][-1]),
    "longer than the references": _longer,
    "words in another order": lambda own: [own[0][::-1], own[0][1:] + own[0][:1], own[0][:-2] + own[0][-2:][::-1]],
    "another case": lambda own: [own[0].upper(), own[0][:1].upper() + own[0][1:]],
}
REFERENCES: Mapping[str, Callable[[Segment], list[tuple[str, ...]]]] = {
    "one more reference": lambda own: [(*own[1], new) for new in _added(own)],
    "references in another order": lambda own: [own[1][::-1], own[1][1:] + own[1][:1]],
}
TEXTS: Mapping[str, Callable[[Segments], Segments]] = {
    "nothing": lambda texts: texts,
    "segments in another order": lambda texts: texts[::-1],
    "the corpus twice": lambda texts: texts * 2,
}


def _changed(change: str, texts: Segments) -> Iterable[Segments]:
    """Return what texts may be after a change, which all their segments undergo alike."""
    if change in TEXTS:
        return [TEXTS[change](texts)]
    if change in HYPOTHESES:
        return zip(*([(new, own[1]) for new in HYPOTHESES[change](own)] for own in texts), strict=True)
    return zip(*([(own[0], new) for new in REFERENCES[change](own)] for own in texts), strict=True)


def _built() -> Iterator[Segments]:
    """Yield the texts before a change: hypotheses made of a reference, one or two references, one or two segments."""
    segments: list[Segment] = []
    for length in LENGTHS:
        own, other, half = KNOWN[:length], OTHER[: length + 2], length // 2
        hypotheses = [own, own[:-1], own[:half], own[::-1], own[:-1] + other[0], own * 2, own + other[0]]
        hypotheses += [own[:half] + other[0] + own[half + 1 :], own[0] * length, own + other[:2], OTHER[-length:], ""]
        others = [(), (other[:-1],), (own[1:] + own[0],), (own[: max(1, length - 2)],)]
        segments += [(text, (own, *more)) for text, more in product(dict.fromkeys(hypotheses), others)]
    yield from ((segment,) for segment in segments)
    yield from product([("b", ("b",))], [own for own in segments if len(own[1][0]) <= SHORT])
    yield from product([("bcdef", ("bcdef",))], segments[::5])


@cache
def _trials(change: str, shortest: int, is_compared: bool, is_sentence: bool) -> Trials:
    """Return the texts on which a law is tried, each once, the smallest first."""
    tried: dict[tuple[Segments, Segments], None] = {}
    for before in _built():
        for after in _changed(change, before):
            least = min(len(text) for own in (*before, *after) for text in (own[0], *own[1]))
            if least >= shortest and not (is_sentence and len(after) > 1):
                tried[_spaced(before) if is_compared else (), _spaced(after)] = None
    return _trials_of(sorted(tried, key=lambda texts: (_size(texts), len(texts[1]))))


def _spaced(texts: Segments) -> Segments:
    return tuple((" ".join(hypothesis), tuple(map(" ".join, references))) for hypothesis, references in texts)


def _size(texts: tuple[Segments, Segments]) -> int:
    return sum(len(text.split()) for hypothesis, references in chain(*texts) for text in (hypothesis, *references))


def _trials_of(tried: Sequence[tuple[Segments, Segments]]) -> Trials:
    """Return trials of texts before and after a change, all of the former empty if a law does not compare with them."""
    if not tried:
        return Trials((), (), (), (), (), ())
    numbers = {texts: number for number, texts in enumerate(dict.fromkeys(filter(None, chain(*tried))))}
    before, after = ([numbers.get(texts, 0) for texts in side] for side in zip(*tried, strict=True))
    segments = [(number, *segment) for texts, number in numbers.items() for segment in texts]
    ids, hypotheses, references = zip(*segments, strict=True)
    return Trials([*map(_size, tried)], before, after, hypotheses, references, ids)
