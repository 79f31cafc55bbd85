"""Scores that combine others: the mean or the maximum of those by each reference, and iBLEU of paraphrases."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from bleukit.bleu.bleu import Bleu
from bleukit.bleu.scoring import rounded
from bleukit.bleu.statistics import Statistics
from bleukit.cli.counting import warn_of_text
from bleukit.cli.printing import as_json, encodable
from bleukit.cli.tables import ScoredUnits, print_systems, print_values
from bleukit.corpus.counting import Scoring, VariantCounts
from bleukit.explaining.paraphrases import IBleu
from bleukit.framework.arguments import available_cores
from bleukit.framework.errors import InputError, quantity
from bleukit.framework.packed import grouped
from bleukit.framework.threads import map_while_reading
from bleukit.reading.corpora import documents_of, in_memory
from bleukit.tables.columns import Column

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.bleu.scoring import Score
    from bleukit.cli.options import OutputOptions
    from bleukit.cli.sacrebleu import Provenance
    from bleukit.corpus.arranging import ArrangedCorpus
    from bleukit.corpus.counting import Units
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.reading.corpora import Corpus
    from bleukit.reading.files import Limits


def write_over_references(  # noqa: PLR0913
    output: OutputOptions,
    metric: AnyMetric,
    corpus: ArrangedCorpus,
    level: Level,
    threads: int | None,
    provenance: Provenance,
) -> None:
    """Print the mean or the maximum of the scores by each reference, of each unit of each system.

    ``corpus`` has each reference as a segment of its own. If the score of a text is a mean of sentence scores, these
    are joined first. Raises InputError if there is no segment.
    """
    how = str(corpus.arrangement.over_references)
    name, systems = metric.name, corpus.systems
    parts = _counted(metric, _whole_parts(metric, corpus), threads)
    start = next(parts, None)  # which tells how many references a segment has
    if start is None:
        raise InputError("no segment to score")
    by_sentence = isinstance(metric, Bleu) and metric.variant.is_macro and level != "sentence"
    number = 1 if by_sentence else corpus.together
    by_reference = _by_reference(chain([start], parts), corpus.together, how if by_sentence else None)
    scoring, blocks = _scored(metric, [system for system in systems for _ in range(number)], level, by_reference)
    scores = np.concatenate([scoring.values(units)[name] for units in blocks], axis=1).reshape(len(systems), number, -1)
    joined = getattr(np, how)(scores, axis=1).tolist()
    units = list(chain.from_iterable(units.names for units in blocks))
    signature = provenance.named(scoring.signatures(blocks[0])[name])
    if output.form == "json":
        members = [
            {"system": encodable(system), **_members(level, units, own), "signature": signature}
            for system, own in zip(systems, joined, strict=True)
        ]
        click.echo(as_json({"systems": members, "level": level, "signature": signature}))
        return
    of_each = enumerate(scores.swapaxes(0, 1).tolist(), 1) if number > 1 else ()
    columns = {name: joined, **{f"reference {place}": of_systems for place, of_systems in of_each}}
    segments = sum(blocks[0].rows[name][0].column("segments"))
    note = f"{metric.label}, {quantity(segments, 'segment')}, {how} over references"
    _print(output, level, systems, units, columns, output.decimals(metric), note, signature)


def _members(level: Level, units: Sequence[str], scores: Sequence[float]) -> dict[str, Any]:
    """Return the members of a system's object: its score, or those of its units."""
    if level == "corpus":
        return {"score": scores[0]}
    return {f"{level}s": [{level: name, "score": score} for name, score in zip(units, scores, strict=True)]}


def _whole_parts(metric: AnyMetric, corpus: ArrangedCorpus) -> Iterator[list[AlignedSegments]]:
    """Yield the parts of a corpus, and warn if the text does not fit the metric."""
    for part in corpus.parts(*([metric.tokenize] if isinstance(metric, Bleu) else [])):
        if part.first == 0:
            warn_of_text(part, [metric])
        yield [part]


def _by_reference(
    parts: Iterable[tuple[AlignedSegments, Mapping[str, Any]]], number: int, how: str | None
) -> Iterator[VariantCounts]:
    """Yield the parts with the rows of each reference as those of a system, or, if ``how`` says so, joined."""
    for part, counts in parts:
        segments = part._replace(
            first=part.first // number,
            references=part.references[::number],
            documents=part.documents and part.documents[::number],
            names=part.names and part.names[::number],
        )
        rows: dict[str, Any] = {}
        for name, systems in counts.items():
            of_systems = [[each[place::number] for place in range(number)] for each in systems]
            joined = [[_of_sentences(each, how)] for each in of_systems] if how else of_systems
            rows[name] = list(chain.from_iterable(joined))
        yield VariantCounts(segments, rows)


def _of_sentences(by_reference: list[Statistics], how: str) -> Statistics:
    """Return rows whose sentence scores are the mean or the maximum of those by each reference."""
    joined = getattr(np, how)([rows.sentence_scores for rows in by_reference], axis=0)
    return by_reference[0].with_sentence_scores(joined)


def write_ibleu(  # noqa: PLR0913
    output: OutputOptions,
    bleu: Bleu,
    corpus: Corpus,
    level: Level,
    alpha: float,
    limits: Limits,
    threads: int | None,
    provenance: Provenance,
) -> None:
    """Print the iBLEU of each unit of each system. Raises InputError if sources are missing."""
    segments: Iterable[AlignedSegments] = corpus.parts(bleu.tokenize)
    if bleu.joins_documents:
        segments = [documents_of(in_memory(corpus, bleu.tokenize, limits=limits))]
    parts = _counted(bleu, map(_with_sources, segments), threads)
    _, blocks = _scored(bleu, [system for system in corpus.systems for _ in range(2)], level, parts)
    names = list(chain.from_iterable(units.names for units in blocks))
    rows = list(map(Statistics.concatenate, zip(*(units.rows[bleu.name] for units in blocks), strict=True)))
    systems = _ibleu([bleu.scores(of_side, level=level) for of_side in rows], alpha)
    if output.form == "json":
        whole = _ibleu([[bleu.score(of_side.sum())] for of_side in rows], alpha)
        members = []
        for system, [of_corpus], of_units in zip(corpus.systems, whole, systems, strict=True):
            units = [
                {level: unit, "ibleu": one.value, "score": one.score.value, "source_score": one.source_score.value}
                for unit, one in zip(names, of_units, strict=True)
            ]
            of_level = {} if level == "corpus" else {f"{level}s": units}
            members.append({"system": encodable(system), **_data(of_corpus, provenance), **of_level})
        data = as_json({"systems": members, "variant": bleu.variant.to_dict()})
        output.destination.deferred().write(f"{data}\n")
        return
    columns = {
        "iBLEU": [[unit.value for unit in of_units] for of_units in systems],
        "BLEU": [[unit.score.value for unit in of_units] for of_units in systems],
        "BLEU of\nthe sources": [[unit.source_score.value for unit in of_units] for of_units in systems],
    }
    first = systems[0][0]
    note = f"alpha {alpha:g}, {first.score.variant}, {quantity(first.score.segments, 'segment')}"
    signature = provenance.named(first.signature)
    _print(output, level, corpus.systems, names, columns, output.decimals(bleu), note, signature)


def _with_sources(part: AlignedSegments) -> list[AlignedSegments]:
    """Return a part with its references, and with the sources instead."""
    if part.sources is None:
        raise InputError("the sources are not known: give --source FILE, or a table that has them")
    return [part, part._replace(references=grouped([[source] for source in part.sources]))]


def _ibleu(scores: Sequence[Sequence[Score]], alpha: float) -> list[list[IBleu]]:
    """Return the iBLEU of each unit of each system, given its scores by the references, and then by the sources."""
    return [
        [IBleu.of_scores(*both, alpha) for both in zip(*sides, strict=True)]
        for sides in zip(scores[::2], scores[1::2], strict=True)
    ]


def _data(result: IBleu, provenance: Provenance) -> dict[str, Any]:
    sides = {"score": result.score.to_dict(), "source_score": result.source_score.to_dict()}
    return {"ibleu": result.value, "alpha": result.alpha, **sides, "signature": provenance.named(result.signature)}


def _counted(
    metric: AnyMetric, parts: Iterable[Sequence[AlignedSegments]], threads: int | None
) -> Iterator[VariantCounts]:
    """Yield what a metric counts of the same segments against one side or several, each as if it were a system."""

    def count(sides: Sequence[AlignedSegments], threads: int) -> VariantCounts:
        rows = [
            metric.statistics(texts, side.references, references_by="segment", threads=threads, first=side.first)
            for of_system in zip(*(side.systems for side in sides), strict=True)
            for texts, side in zip(of_system, sides, strict=True)
        ]
        return VariantCounts(sides[0].without_texts(), {metric.name: rows})

    return map_while_reading(count, parts, threads or available_cores())


def _scored(
    metric: AnyMetric, systems: Sequence[str], level: Level, parts: Iterable[VariantCounts]
) -> tuple[Scoring, list[Units]]:
    """Return how texts are scored that stand for systems, and their units."""
    scoring = Scoring([Column(metric.name, metric, alone=True)], systems, level)
    return scoring, list(scoring.units(parts))


def _print(  # noqa: PLR0913
    output: OutputOptions,
    level: Level,
    systems: Sequence[str],
    units: Sequence[str],
    columns: Mapping[str, Sequence[Sequence[float]]],
    places: int,
    note: str,
    signature: str,
) -> None:
    """Print columns that hold a score of each system for each unit: all of a corpus, the first of other units."""
    if level == "corpus":
        shown = {head: [rounded(own[0], places) for own in of_systems] for head, of_systems in columns.items()}
        print_systems(output, systems, shown, [note], [signature])
    else:
        head, scores = next(iter(columns.items()))
        heads = systems if len(systems) > 1 else [head]
        print_values(output, [level, *heads], [ScoredUnits([units], scores, [signature])])
