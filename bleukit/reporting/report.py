"""The data of a report on systems: where their scores come from, and why one is better than another."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.bleu import loader
from bleukit.bleu.bleu import bleu_of
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.comparing import tables
from bleukit.comparing.comparison import compared
from bleukit.comparing.gathering import Systems
from bleukit.comparing.labels import Labels
from bleukit.comparing.resampling import untracked
from bleukit.comparing.settings import Settings
from bleukit.comparing.units import DOCUMENT, LABEL, LENGTH
from bleukit.framework import creating, registry
from bleukit.framework.arguments import check_segments, check_sequence, check_texts
from bleukit.framework.errors import BleukitError, InputError, InputTypeError, shown
from bleukit.framework.options import Component
from bleukit.framework.plain import plain
from bleukit.framework.signature import versions_written
from bleukit.framework.tokenizing import tokenize_segments
from bleukit.framework.version import __version__
from bleukit.reporting import page
from bleukit.tables.columns import Column, note_misfits
from bleukit.writing.printers import as_html
from bleukit.writing.table import TableHead, TextTable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from bleukit.bleu.bleu import Bleu, VariantLike
    from bleukit.bleu.scoring import Score
    from bleukit.bleu.statistics import Statistics
    from bleukit.bleu.variant import Variant
    from bleukit.comparing.resampling import Track
    from bleukit.comparing.results import Comparison
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.segments import Segments
    from bleukit.reporting.page import Page

BLOCK = 2000
"""The number of segments that are compressed together, and that the page opens to show one of them."""


def report(  # noqa: PLR0913
    bleu: VariantLike,
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[References],
    *,
    source: Sequence[str] | None = None,
    documents: Sequence[Hashable] | None = None,
    labels: Sequence[Hashable] | None = None,
    names: Sequence[str] | None = None,
    title: str | None = None,
    test_set: str = "",
    references_by: Layout | None = None,
    threads: int | None = None,
    track: Track = untracked,
) -> Page:
    """Return a page that shows where the scores of systems come from, and why one is better than another.

    ``bleu`` is what :func:`bleukit.load` takes, or returns: a variant's name, the path of its file, a Variant, a Bleu.
    ``systems`` maps names to hypotheses; ``references`` and ``references_by`` are as in :meth:`bleukit.Metric.corpus`.
    ``source``, ``documents``, ``labels`` (any groups of segments) and ``names`` (of segments) have an item per segment.
    The page is a single file with all texts, which needs no network: ``page.save("report.html")``. Notebooks show it.
    Its title, if none is given, names the systems, ``test_set`` if it is not empty, the variant and the date.
    ``track`` returns the items that it is given with their number and a description, and may show progress.

    Raises InputError for what cannot be scored, as :meth:`Metric.corpus` does.
    """
    if not isinstance(systems, Mapping):
        raise InputTypeError(f"systems: expected a mapping of names to hypotheses, got {shown(systems)}")
    bleu, settings = bleu_of(bleu), Settings()
    if bleu.variant.join_documents:
        raise InputError(f"{bleu.label} joins the segments of each document, and the page shows segments")
    collected = Systems({str(name): 1 for name in systems})
    counted = [_counted(bleu, name, texts, references, references_by, threads) for name, texts in systems.items()]
    segments, statistics = zip(*counted, strict=True)
    facts = _facts(len(statistics[0]), source=source, documents=documents, labels=labels, names=names)
    scores = [bleu.score(rows) for rows in statistics]
    collected.add(statistics, facts["documents"])
    lengths = collected.lengths
    comparison, refused = None, None
    try:
        comparison = compared(bleu, collected, settings, track=track)
    except InputError as error:  # the rest of the report does not need it
        refused = str(error)
    column = Column(bleu.name, bleu, alone=True)
    note_misfits([column], segments[0].hypotheses)
    notes = [score.noted(column.splits) for score in scores]
    zeros = [f"{name}: {note}" for name, note in zip(collected.texts, notes, strict=True) if note]
    groups_of = {LENGTH: Labels.by_length(lengths)}
    for kind, values in ((DOCUMENT, facts["documents"]), (LABEL, facts["labels"])):
        if values is not None:
            groups_of[kind] = Labels.of(f"{kind}s", values, len(lengths))
    tokens, tokenizer = None, bleu.components["tokenizer"]
    if not segments[0].tokenized and not _is_known(tokenizer):
        tokens = [tokenize_segments(each, tokenizer, bleu.variant.lowercase) for each in segments]
    places, arrays = page.packed_columns({**_columns(bleu, statistics), **{k: v.numbers for k, v in groups_of.items()}})
    data = {
        "kind": "report",
        "version": __version__,
        "segments": len(lengths),
        "systems": list(collected.texts),
        "references": max(segments[0].references.lengths(), default=0),
        "has": {
            "source": facts["source"] is not None,
            "tokens": tokens is not None,
            "given": segments[0].tokenized,
        },
        "variant": _variant(bleu.variant),
        "sentence": _variant(bleu.sentence_variant),
        "label": bleu.label,
        "versions": _versions(bleu),
        "orders": bleu.max_order,
        "scores": [plain(score.to_dict()) for score in scores],
        "comparison": {**comparison.to_dict(), "notes": [*comparison.notes, *zeros]} if comparison else None,
        "refused": ". ".join([refused, *zeros]) if refused is not None else None,
        "level": settings.confidence_level,
        "groups": {kind: labels.names for kind, labels in groups_of.items()},
        "columns": places,
        "block": BLOCK,
    }
    named = page.json_for_html(_named_variants()).encode()
    blocks = {"arrays": arrays, "variants": named} | {
        f"texts-{number}": block for number, block in enumerate(_blocks(segments, tokens, facts))
    }
    without = _scores_as_html([*collected.texts], scores, comparison, bleu.scale)
    shown_names = ", ".join(collected.texts) if len(systems) < 5 else f"{len(systems)} systems"
    default = f"{shown_names}{test_set and f' on {test_set}'}: {bleu.label}, {date.today()}"  # noqa: DTZ011 - the user's date
    return page.filled(title or default, data, blocks, without=without)


def _scores_as_html(systems: Sequence[str], scores: Sequence[Score], comparison: Comparison | None, scale: int) -> str:
    """Return what a browser shows that runs no script: scores, the tables of a comparison, and the signature."""
    digits = 2 if scale == 100 else 4
    rows = [
        [
            name,
            f"{score.value:.{digits}f}",
            " / ".join(f"{100 * precision:.1f}" for precision in score.precisions),
            f"{score.brevity_penalty:.4f}",
            f"{score.hypothesis_length:,}",
            f"{score.reference_length:,g}",
        ]
        for name, score in zip(systems, scores, strict=True)
    ]
    heads = ("system", "BLEU", "precisions, %", "brevity penalty", "length", "reference length")
    parts = [as_html(TextTable(list(map(TableHead, heads)), rows))]
    if comparison:
        parts += map(as_html, tables.tables(comparison, digits))
    verdict = f"<p><strong>{escape(comparison.verdict)}</strong></p>" if comparison and comparison.pairs else ""
    scrolling = "".join(f'<div class="scroll">{part}</div>' for part in parts)
    return f'{verdict}{scrolling}<p class="signature"><code>{escape(scores[0].signature)}</code></p>'


def _facts(segments: int, **facts: Any) -> dict[str, Any]:
    """Return what is known of the segments beside their texts, None for what is not.

    Raises InputError unless each fact is a sequence with an item for each segment.
    """
    for name, values in facts.items():
        if values is not None:
            facts[name] = check_sequence(values, name, "a sequence with an item for each segment")
            if len(facts[name]) != segments:
                raise InputError(f"{name}: {len(facts[name])} for {segments} segments; each needs one")
    if facts["source"] is not None:
        check_texts(facts["source"], "source")
    return facts


def _counted(  # noqa: PLR0913
    bleu: Bleu,
    name: str,
    hypotheses: Sequence[Text],
    references: Sequence[References],
    references_by: Layout | None,
    threads: int | None,
) -> tuple[Segments, Statistics]:
    """Return the checked texts of a system and their statistics. Raises InputError that names the system."""
    try:
        segments = check_segments(hypotheses, references, references_by=references_by)
        return segments, bleu.statistics(
            segments.hypotheses, segments.references, references_by="segment", threads=threads
        )
    except InputError as error:
        raise type(error)(f"systems[{name!r}]: {error}") from error


def _variant(variant: Variant) -> dict[str, Any]:
    """Return the keys of a variant that determine scores, as plain data."""
    components = {
        kind: {"name": choice.name, "options": plain(dict(choice.options))}
        for kind in COMPONENT_HOOKS
        for choice in [getattr(variant, kind)]
    }
    others = ("normalize_weights", "lowercase", "effective_order", "empty_score", "scale", "average")
    return components | {"weights": list(variant.weights_used)} | {key: getattr(variant, key) for key in others}


def levels_of(variant: Variant) -> dict[str, Any]:
    """Return what a variant means, for a corpus and for single segments."""
    for_corpus, for_sentence = loader.levels(variant, registry.installed())
    return {"variant": _variant(for_corpus), "sentence": _variant(for_sentence)}


def _named_variants() -> dict[str, Any]:
    """Return the named variants of segments that can be loaded here, for a corpus and for single segments."""
    named = {}
    for name in sorted(registry.installed().of_kind(VARIANT)):
        with suppress(BleukitError):  # an installed plugin's variant may be broken
            variant = loader.named(name, registry.installed())
            if not variant.join_documents:
                named[name] = levels_of(variant)
    return named


def _versions(bleu: Bleu) -> dict[str, dict[str, str]]:
    """Return the versions that the variant's components, and those that the page knows, bring into a signature."""
    versions: dict[str, dict[str, str]] = {kind: {} for kind in page.known_components()}
    for kind, names in page.known_components().items():
        components = [bleu.components[kind]]
        for name in names:
            with suppress(BleukitError):  # what cannot be created here is not in a signature from here either
                components.append(creating.create(registry.installed(), kind, Component(name)))
        for component in components:
            written = versions_written(component)
            if written:
                versions[kind][component.name] = written
    return versions


def _is_known(component: LoadedComponent) -> bool:
    """Return whether the page can compute a component."""
    choice = component.choice
    options = page.known_components().get(component.kind.replace(" ", "_"), {}).get(choice.name)
    return options is not None and set(choice.options) <= set(options)


def _columns(bleu: Bleu, statistics: Sequence[Statistics]) -> dict[str, Any]:
    """Return the statistics of all systems by column: ``0.matches.1`` holds the first system's matches of order 1.

    If the page cannot compute the variant's scores from counts, there are also columns with the scores of the segments.
    """
    columns: dict[str, Any] = {"tokens": statistics[0].reference_tokens}
    levels = bleu.components, bleu.sentence_components
    is_known = all(_is_known(level[kind]) for level in levels for kind in loader.OF_SCORING)
    for system, table in enumerate(statistics):
        for order in range(bleu.max_order):
            columns[f"{system}.matches.{order + 1}"] = table.matches[:, order]
            columns[f"{system}.totals.{order + 1}"] = table.totals[:, order]
        columns[f"{system}.length"] = table.hypothesis_length
        columns[f"{system}.reference"] = table.reference_length
        if not is_known:
            columns[f"{system}.score"] = bleu.score_columns(table, level="sentence").value
    return columns


def _blocks(
    systems: Sequence[Segments], tokens: Sequence[Segments] | None, facts: Mapping[str, Any]
) -> Iterator[bytes]:
    """Yield the texts, BLOCK segments at a time, as JSON; with their tokens, if these are given."""
    for start in range(0, len(systems[0].hypotheses), BLOCK):
        chosen = slice(start, start + BLOCK)
        block = _texts(systems, chosen)
        if tokens:
            block["tokens"] = _texts(tokens, chosen)
        block |= {name: list(map(str, facts[name][chosen])) for name in ("source", "names") if facts[name] is not None}
        yield page.json_for_html(block).encode()


def _texts(systems: Sequence[Segments], chosen: slice) -> dict[str, Any]:
    """Return the texts or tokens of some segments: the outputs of each system, and the references of each segment."""
    numbers = range(len(systems[0].hypotheses))[chosen]
    return {
        "systems": [[_plain(text) for text in system.hypotheses[chosen]] for system in systems],
        "references": [[_plain(text) for text in systems[0].references[number]] for number in numbers],
    }


def _plain(text: Text) -> str | list[str]:
    return text if isinstance(text, str) else list(text)
