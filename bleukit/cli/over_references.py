"""``bleukit score --over-references mean`` and ``max``: a score by each reference, and their mean or maximum."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from bleukit.bleu import Bleu
from bleukit.cli import options
from bleukit.cli.counting import counted_segments, in_pieces, units_of_segments
from bleukit.cli.printing import as_json, encodable
from bleukit.cli.sacrebleu import naming_test_set
from bleukit.cli.tables import ScoredUnits, print_systems, print_values
from bleukit.errors import InputError, quantity
from bleukit.scoring import rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.cli.counting import CountedPart
    from bleukit.metric import AnyMetric, Level
    from bleukit.statistics import Statistics
    from bleukit.text.arranging import ArrangedCorpus


def write_over_references(
    form: str, metric: AnyMetric, corpus: ArrangedCorpus, level: Level, threads: int | None
) -> None:
    """Print the mean or the maximum of the scores by each reference, of each unit of each system.

    ``corpus`` has each reference as a segment of its own. If the score of a text is a mean of sentence scores, these
    are joined first. Raises InputError if there is no segment.
    """
    how = str(corpus.arrangement.over_references)
    if form not in {"text", "json"}:
        raise click.UsageError(f"--over-references {how} is printed as text or as JSON, not written to a table")
    counted = counted_segments(metric, corpus, threads)
    start = next(counted, None)  # which tells how many references a segment has
    if start is None:
        raise InputError("no segment to score")
    by_sentence = isinstance(metric, Bleu) and metric.variant.is_macro and level != "sentence"
    number = 1 if by_sentence else corpus.together
    parts = _by_reference(chain([start], counted), corpus.together, how if by_sentence else None)
    units = list(in_pieces(units_of_segments(metric, level, number * len(corpus.systems), parts)))
    values = [[metric.scorer(level).values(rows) for rows in one.rows] for one in units]
    scores = np.concatenate(values, axis=1).reshape(len(corpus.systems), number, -1)
    joined = getattr(np, how)(scores, axis=1).tolist()
    names = list(chain.from_iterable(one.names or () for one in units))
    signature = naming_test_set(metric.scores(units[0].rows[0][:1], level=level)[0].signature)
    if form == "json":
        systems = [
            {"system": encodable(system), **_units(level, names, own), "signature": signature}
            for system, own in zip(corpus.systems, joined, strict=True)
        ]
        click.echo(as_json({"systems": systems, "level": level, "signature": signature}))
    elif level == "corpus":
        heads = [metric.name, *(f"reference {place + 1}" for place in range(number if number > 1 else 0))]
        shown = zip(
            *([own[0], *of_each[:, 0].tolist()] for own, of_each in zip(joined, scores, strict=True)), strict=True
        )
        columns = {
            head: [rounded(value, options.decimals(metric)) for value in values]
            for head, values in zip(heads, shown, strict=False)
        }
        note = f"{metric.label}, {quantity(sum(units[0].rows[0].column('segments')), 'segment')}, {how} over references"
        print_systems(corpus.systems, columns, [note], [signature])
    else:
        of_systems = corpus.systems if len(corpus.systems) > 1 else [metric.name]
        print_values([level, *of_systems], [ScoredUnits([names], joined, [signature])])


def _units(level: Level, names: Sequence[str], scores: Sequence[float]) -> dict[str, Any]:
    """Return the members of a system's object: its score, or those of its units."""
    if level == "corpus":
        return {"score": scores[0]}
    return {f"{level}s": [{level: name, "score": score} for name, score in zip(names, scores, strict=True)]}


def _by_reference(segments: Iterable[CountedPart], number: int, how: str | None) -> Iterator[CountedPart]:
    """Yield the parts with the rows of each reference as those of a system, or, if ``how`` says so, joined."""
    for part, systems in segments:
        by_reference = [[rows[place::number] for place in range(number)] for rows in systems]
        documents = part.documents and part.documents[::number]
        names = part.names and part.names[::number]
        joined = [[_of_sentences(rows, how)] if how else rows for rows in by_reference]
        yield part._replace(documents=documents, names=names), list(chain.from_iterable(joined))


def _of_sentences(by_reference: list[Statistics], how: str) -> Statistics:
    """Return rows whose sentence scores are the mean or the maximum of those by each reference."""
    joined = getattr(np, how)([rows.sentence_scores for rows in by_reference], axis=0)
    return by_reference[0].with_sentence_scores(joined)
