"""Whether a component or a variant gives the same as another one, on generated input and on the input of all cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit.conformance.contract import inputs
from bleukit.conformance.contract.calls import BrokenError, Caller, Note, Refusal, Watch, in_short
from bleukit.conformance.contract.checks import counterexample, same
from bleukit.conformance.formula import PLAIN_VARIANT
from bleukit.conformance.judging.combinations import name_of
from bleukit.conformance.judging.observing import observe
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.hookspecs import VARIANT
from bleukit.framework import creating, registry
from bleukit.framework.options import Component

if TYPE_CHECKING:
    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.combinations import Choice

Calls = Callable[[Any], Any]


def first_difference(  # noqa: PLR0913
    kind: str, choice: Choice, other: Choice, cases: Sequence[Case], examples: int, note: Note
) -> Iterator[str]:
    """Yield the first input on which two components, or two variants, differ, with both results; nothing if none.

    Tokens and counts are compared exactly, other numbers to 1e-12 of their size. Raises BleukitError if one of both
    cannot be created.
    """
    if kind == VARIANT:
        one, two = (_scores_of(name, note) for name in (choice, other))
        given = (_segments_of(case) for case in cases if case.pairs)
        strategy: st.SearchStrategy[Any] = _corpora
    else:
        one, two = (_caller(kind, own, note) for own in (choice, other))
        given = (arguments for case in cases for arguments in _arguments_of(kind, case))
        strategy = inputs.ARGUMENTS[kind]
    name = name_of(other)

    def differs(arguments: Any) -> str:
        first, second = _result(one, arguments), _result(two, arguments)
        if same(first, second):
            return ""
        if kind == VARIANT and isinstance(first, list) and isinstance(second, list):
            place = next(place for place, pair in enumerate(zip(first, second, strict=True)) if not same(*pair))
            return f"{FIGURES[place % len(FIGURES)]} {in_short(first[place])}, but {in_short(second[place])} of {name}"
        return f"{in_short(first)}, but {in_short(second)} of {name}"

    found = counterexample(strategy, differs, examples, note)
    for arguments in () if found else (*given, *_special(kind)):
        if problem := differs(arguments):
            words = arguments[0].split(" ") if kind == "tokenizer" else []
            parts = (((word,), differs((word,))) for word in words)
            found = next((part for part in parts if part[1]), (arguments, problem))
            break
    if found:
        arguments, problem = found
        yield f"{in_short(arguments[0] if kind == 'tokenizer' else arguments)}: {problem}"


def _caller(kind: str, choice: Choice, note: Note) -> Calls:
    component = creating.create(registry.installed(), kind, Component.from_yaml(choice))
    return Caller(component, Watch(note, lambda: ""))


def _result(call: Calls, arguments: Any) -> Any:
    """Return the result of a call, or what is the same for all calls that fail alike."""
    try:
        result = call(arguments)
    except (BrokenError, bleukit.BleukitError):
        return "an error"
    return "refused" if isinstance(result, Refusal) else result


def _scores_of(source: Choice, note: Note) -> Calls:
    """Return what scores a corpus, and each segment of it, by a variant: all figures but the signature."""
    if not isinstance(source, str):
        raise bleukit.VariantError(f"expected the name of a variant, got {source}")
    bleu = bleukit.load(Path(source) if source.endswith((".yaml", ".yml")) else source)

    def figures(segments: Sequence[tuple[Any, Sequence[Any]]]) -> list[Any]:
        note(f"the variant {source}", segments)
        hypotheses, references = [segment[0] for segment in segments], [segment[1] for segment in segments]
        corpus = bleu.corpus(hypotheses, references)
        alone = [bleu.sentence(*segment) for segment in segments[:3]]
        return [_plain(getattr(score, figure)) for score in (corpus, *alone) for figure in FIGURES]

    return figures


FIGURES = ("hypothesis_length", "reference_length", "matches", "totals", "precisions", "brevity_penalty", "value")
"""The figures of a score, in the order in which they follow from each other."""


def _plain(figure: Any) -> Any:
    return list(figure) if isinstance(figure, tuple) else figure


_corpora = st.lists(
    st.tuples(inputs.texts, st.lists(inputs.texts, min_size=1, max_size=3)), min_size=1, max_size=4
).filter(lambda segments: "\udc80" not in repr(segments))


def _segments_of(case: Case) -> list[tuple[Any, Any]]:
    return [(pair.hypothesis, pair.references) for pair in case.pairs]


def _arguments_of(kind: str, case: Case) -> Iterator[Any]:
    """Yield the input of a component of a kind in a case."""
    if kind == "tokenizer":
        yield from ((text,) for text in case.texts if isinstance(text, str))
    elif kind == "counter":
        yield from ((p.hypothesis, p.references, 4) for p in case.pairs if not isinstance(p.hypothesis, str))
    elif kind == "reference_length":
        for pair in case.pairs:
            if not isinstance(pair.hypothesis, str):
                yield len(pair.hypothesis), list(map(len, pair.references))
    elif score := observe(case, PLAIN_VARIANT).score:
        c, r = score.hypothesis_length, float(score.reference_length)
        unit = [*score.matches], [*score.totals], c, r
        yield (*unit, (*unit, None)) if kind == "smoothing" else (c, r)


def _special(kind: str) -> Iterator[Any]:
    """Yield input on which what is the same elsewhere may differ."""
    if kind == "tokenizer":
        yield from ((text,) for text in (*inputs.every_pair(), *inputs.every_character()))
    elif kind == VARIANT:
        texts = list(inputs.every_pair())
        yield [(text, [other]) for text, other in pairwise(texts) if "\udc80" not in text + other]
    else:
        yield from inputs.special(kind)
