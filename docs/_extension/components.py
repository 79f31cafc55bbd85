"""A page for each component, and their list."""

from __future__ import annotations

import inspect
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import bleukit
from _extension.cases import PLAIN
from _extension.pictures import curves
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.framework import creating, registry
from bleukit.framework.creating import options_of
from bleukit.framework.errors import BleukitError
from bleukit.plugin import Component
from bleukit.writing.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from _extension.pages import Pages
    from bleukit.framework.creating import LoadedComponent

LINES = (
    "The cat sat on the mat.",
    "\"It's 5 o'clock,\" she said.",
    "It cost $3,500.00 in 2019-2020.",
    "A state-of-the-art e-mail: info@example.org",
    "&quot;Q &amp; A&quot; <skipped> at 7.45 a.m.",
    "Two  blanks, a tab\tand a no-break\u00a0space",
    "Café “naïve” – 10 €, 50 %",
    "我们在2019年见面。",
    "これはペンです。",
    "x = a[i]+b_2; // comment",
)
"""The lines on which all tokenizers are shown."""

SEGMENTS = (
    ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]),
    ("a cat", ["a cat sat"]),
    ("it is a guide to action", ["it is a guide to action that ensures", "it is the guiding principle"]),
    ("", ["a cat"]),
)
"""Hypotheses and references, of tokens between spaces, on which counters are shown."""

COUNTS = (
    ((9, 6, 4, 2), (12, 11, 10, 9)),
    ((9, 6, 4, 0), (12, 11, 10, 9)),
    ((9, 3, 0, 0), (12, 11, 10, 9)),
    ((0, 0, 0, 0), (12, 11, 10, 9)),
    ((2, 1, 0, 0), (2, 1, 0, 0)),
)
"""Matches and totals on which smoothings are shown."""

REFERENCE_LENGTHS = (10, 16, 22)
PENALIZED = 20


class Shown(NamedTuple):
    """A table of what a component does, and a picture of it, if there is one."""

    intro: str
    columns: list[str]
    rows: list[list[str]]
    picture: str = ""


def write(pages: Pages) -> None:
    """Write the pages."""
    variants = bleukit.variants()
    offered = {kind: registry.installed().of_kind(kind) for kind in COMPONENT_HOOKS}
    pages.write("components/index.md", "components.md", offered=offered, page_of=page_name, about=about)
    for kind, names in offered.items():
        for name, registered in names.items():
            loaded, problem = load(kind, name)
            pages.write(
                f"components/{page_name(kind, name)}.md",
                "component.md",
                kind=kind.replace("_", " "),
                key=kind,
                name=name,
                plugin=registered.plugin,
                documentation=documentation(kind, name),
                options=options_of(registered.value).by_name,
                problem=problem,
                shown=None if loaded is None else SHOWS[kind](loaded),
                used_by=[v for v, variant in variants.items() if getattr(variant, kind).name == name],
            )


def page_name(kind: str, name: str) -> str:
    """Return the name of the page of a component."""
    return f"{kind.replace('_', '-')}-{name}"


@cache
def load(kind: str, name: str) -> tuple[LoadedComponent | None, str]:
    """Return a component without options, or what is missing."""
    try:
        return creating.create(registry.installed(), kind, Component(name)), ""
    except BleukitError as error:
        return None, str(error)


def documentation(kind: str, name: str) -> str:
    """Return the docstring of a component: its own, or that of its class."""
    factory = registry.installed().of_kind(kind)[name].value
    loaded, _ = load(kind, name)
    described = loaded.call if loaded else factory
    own = "" if isinstance(described, partial) else described.__doc__
    return inspect.cleandoc(own or factory.__doc__ or "")


def about(kind: str, name: str) -> str:
    """Return the first sentence of the docstring of a component."""
    first = documentation(kind, name).partition("\n\n")[0]
    return " ".join(first.replace("``", "`").split())


def _tokenizer(loaded: LoadedComponent) -> Shown:
    rows = [[line, " · ".join(loaded.call(line))] for line in LINES]
    return Shown("The tokens of ten lines, separated by ` · `.", ["line", "tokens"], rows)


def _counter(loaded: LoadedComponent) -> Shown:
    rows = []
    for hypothesis, references in SEGMENTS:
        matches, totals = loaded.call(hypothesis.split(), [text.split() for text in references], 4)
        rows.append([hypothesis, " / ".join(references), *(f"{m}/{t}" for m, t in zip(matches, totals, strict=True))])
    columns = ["hypothesis", "references", *(f"{n}-grams" for n in (1, 2, 3, 4))]
    return Shown("Matches and totals of some segments, by order.", columns, rows)


def _reference_length(loaded: LoadedComponent) -> Shown:
    lengths = range(4, 29)
    chosen = [(length, float(loaded.call(length, REFERENCE_LENGTHS))) for length in lengths]
    intro = f"The effective reference length if the references have {listed(list(map(str, REFERENCE_LENGTHS)))} tokens."
    plain = [(length, float(length)) for length in lengths]
    picture = curves(
        intro, "length of the hypothesis", "reference length", {loaded.name: chosen, "length of the hypothesis": plain}
    )
    rows = [[f"{length}", f"{value:g}"] for length, value in chosen if length in {8, 10, 13, 16, 19, 22, 25}]
    return Shown(intro, ["length of the hypothesis", "effective reference length"], rows, picture)


def _smoothing(loaded: LoadedComponent) -> Shown:
    rows = []
    for matches, totals in COUNTS:
        score = _score(loaded.name, matches, totals)
        if score:
            cells = [f"{m}/{t}" for m, t in zip(matches, totals, strict=True)]
            rows.append([" ".join(cells), *(f"{100 * p:.2f}" for p in score.precisions), f"{100 * score.value:.2f}"])
    totals = COUNTS[0][1]
    lines = {}
    for method in dict.fromkeys((loaded.name, "none")):
        scores = [(last, _score(method, (9, 6, 4, last), totals)) for last in range(5)]
        lines[method] = [(last, 100 * score.value) for last, score in scores if score]
    intro = "Precisions in percent, and BLEU from 0 to 100, for some counts of one segment, without a brevity penalty."
    label = "matches of order 4, of 9 (orders 1 to 3: 9/12, 6/11, 4/10)"
    heading = f"BLEU by the matches of order 4, {loaded.name}"
    picture = curves(heading, label, "BLEU", lines) if all(lines.values()) else ""
    return Shown(intro, ["matches/totals", "p₁", "p₂", "p₃", "p₄", "BLEU"], rows, picture)


def _score(smoothing: str, matches: tuple[int, ...], totals: tuple[int, ...]) -> bleukit.Score | None:
    """Return the score of the counts of a segment; None if the smoothing needs more than these."""
    try:
        bleu = bleukit.load(PLAIN, smoothing=smoothing)
        length = totals[0]
        counts = bleukit.Statistics.of_segments(4, [length], [length], [length], [1], matches, totals)
        return bleu.score(counts)
    except BleukitError:
        return None


def _brevity_penalty(loaded: LoadedComponent) -> Shown:
    lengths = range(1, 31)
    lines = {
        method: [(length, float(load("brevity_penalty", method)[0].call(length, PENALIZED))) for length in lengths]
        for method in dict.fromkeys((loaded.name, "standard"))
    }
    intro = f"The factor for a hypothesis, if the effective reference length is {PENALIZED} tokens."
    picture = curves(intro, "length of the hypothesis", "factor", lines)
    in_table = {1, 5, 10, 15, 18, 19, 20, 25}
    rows = [[f"{length}", f"{value:.4f}"] for length, value in lines[loaded.name] if length in in_table]
    return Shown(intro, ["length of the hypothesis", "factor"], rows, picture)


SHOWS: Mapping[str, Callable[[LoadedComponent], Shown]] = {
    "tokenizer": _tokenizer,
    "counter": _counter,
    "reference_length": _reference_length,
    "smoothing": _smoothing,
    "brevity_penalty": _brevity_penalty,
}
"""What shows a component of each kind."""
