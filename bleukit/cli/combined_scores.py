"""Scores that combine others: the mean or the maximum of those by each reference."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from bleukit.bleu.bleu import Bleu
from bleukit.bleu.scoring import rounded
from bleukit.cli.counting import warn_of_text
from bleukit.cli.printing import as_json
from bleukit.cli.tables import ScoredUnits, print_systems, print_values
from bleukit.corpus.counting import CountedPart
from bleukit.framework.arguments import available_cores
from bleukit.framework.errors import InputError, quantity
from bleukit.framework.threads import map_while_reading
from bleukit.reading.paths import encodable
from bleukit.tables.columns import Column
from bleukit.tables.scoring import Scoring

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.bleu.statistics import Statistics
    from bleukit.cli.options import OutputOptions
    from bleukit.cli.sacrebleu import Provenance
    from bleukit.corpus.arranging import ArrangedCorpus
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_segments import AlignedSegments


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
    parts = _counted(metric, corpus, threads)
    start = next(parts, None)  # which tells how many references a segment has
    if start is None:
        raise InputError("no segment to score")
    by_sentence = isinstance(metric, Bleu) and metric.variant.is_macro and level != "sentence"
    number = 1 if by_sentence else corpus.together
    by_reference = _by_reference(chain([start], parts), corpus.together, how if by_sentence else None)
    sides = [system for system in systems for _ in range(number)]
    scoring = Scoring([Column(metric.name, metric, alone=True)], sides, level)
    blocks = list(scoring.units(by_reference))
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


def _counted(metric: AnyMetric, corpus: ArrangedCorpus, threads: int | None) -> Iterator[CountedPart]:
    """Yield what a metric counts of the parts of a corpus; warn if the text does not fit the metric."""

    def parts() -> Iterator[AlignedSegments]:
        for part in corpus.parts(*([metric.tokenize] if isinstance(metric, Bleu) else [])):
            if part.first == 0:
                warn_of_text(part, [metric])
            yield part

    def count(part: AlignedSegments, threads: int) -> CountedPart:
        rows = [
            metric.statistics(texts, part.references, references_by="segment", threads=threads, first=part.first)
            for texts in part.systems
        ]
        return CountedPart(part.without_texts(), {metric.name: rows})

    return map_while_reading(count, parts(), threads or available_cores())


def _by_reference(
    parts: Iterable[tuple[AlignedSegments, Mapping[str, Any]]], number: int, how: str | None
) -> Iterator[CountedPart]:
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
        yield CountedPart(segments, rows)


def _of_sentences(by_reference: list[Statistics], how: str) -> Statistics:
    """Return rows whose sentence scores are the mean or the maximum of those by each reference."""
    joined = getattr(np, how)([rows.sentence_scores for rows in by_reference], axis=0)
    return by_reference[0].with_sentence_scores(joined)


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
        print_systems(output, systems, shown, [note, f"signature {signature}"])
    else:
        head, scores = next(iter(columns.items()))
        heads = systems if len(systems) > 1 else [head]
        print_values(output, [level, *heads], [ScoredUnits([units], scores, [signature])])
