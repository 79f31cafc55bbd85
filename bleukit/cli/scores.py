"""How scores are printed: a table for people, tab-separated values, JSON, or a table in a file.

What is printed is a :class:`bleukit.tables.scoring.Scoring` with the units that it yields. One BLEU is printed with
all that its scores consist of; any other metric, and several, with a column for each. As text, the scores of documents
and sentences by one metric have a column for each system.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from bleukit.bleu.bleu import Bleu
from bleukit.bleu.scoring import percentages, rounded
from bleukit.bleu.signature import written_signatures
from bleukit.cli.printing import as_json, as_json_lines, escaped, json_members, short_names, warn
from bleukit.cli.tables import ScoredUnits, interleaved, print_systems, print_values, write_columns
from bleukit.framework.errors import quantity
from bleukit.reading.paths import encodable
from bleukit.tables.columns import grouped_notes
from bleukit.writing.streams import HeldText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.bleu.scoring import Score
    from bleukit.bleu.statistics import Statistics
    from bleukit.cli.options import OutputOptions
    from bleukit.cli.sacrebleu import Provenance
    from bleukit.comparing.results import Comparison, SystemResult
    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.tables.scoring import Scoring, Units

AT_A_TIME = 4096
"""How many documents or sentences are scored and written at a time."""

PRECISIONS = "n-gram\nprecisions"

MEANS = "BLEU is the mean of the sentence scores; the other figures are from the summed statistics"


def write_scores(
    output: OutputOptions,
    scoring: Scoring,
    blocks: Iterable[Units],
    provenance: Provenance,
    *,
    by_score: bool = False,
) -> None:
    """Print the scores of all units, each block as it comes. After an error nothing is printed.

    As text, the scores of a corpus are a row for each system or, ``by_score``, for each score that variants give it.
    """
    pieces = (piece for units in blocks for piece in units.parts(AT_A_TIME))
    form = output.form
    if form not in {"text", "json"}:
        write_columns(output, _table_columns(scoring, pieces, provenance))
    elif form == "text" and scoring.level != "corpus":
        _print_values(output, scoring, pieces, provenance)
    elif bleu := _only_bleu(scoring):
        (_write_bleu if form == "json" else _print_bleu)(output, bleu, scoring, pieces, provenance)
    else:
        _write_table(output, scoring, list(pieces), provenance, by_score=by_score)
    notes = {column.name: column.notes for column in scoring.columns if column.notes}
    if output.score_only and notes:
        number = len(notes)
        found = "1 variant has no score, or does" if number == 1 else f"{number} variants have no score, or do"
        warn(f"{found} not fit the text: without -q it says which, and why")
    elif form != "json" and (form != "text" or scoring.level != "corpus"):
        warn(*(f"{reason}: {', '.join(names)}" for reason, names in grouped_notes(notes.items()).items()))


def _only_bleu(scoring: Scoring) -> Bleu | None:
    """Return the BLEU that is scored alone, not as one of several; None if there is none."""
    first = scoring.columns[0]
    return first.metric if first.alone and isinstance(first.metric, Bleu) else None


def _write_table(
    output: OutputOptions,
    scoring: Scoring,
    blocks: Sequence[Units],
    provenance: Provenance,
    *,
    by_score: bool,
) -> None:
    """Print the scores of metrics as JSON or, those of a corpus, as text."""
    from bleukit.cli import variant_tables
    from bleukit.tables.table import tabulated  # needs NumPy

    table = variant_tables.printable(tabulated(scoring, blocks), provenance)
    if output.form == "json":
        click.echo(as_json(table.to_dict() | provenance.members))
    elif output.score_only:
        variant_tables.print_scores(output, table)
    else:
        (variant_tables.print_by_score if by_score else variant_tables.print_by_system)(output, table)


def _print_values(output: OutputOptions, scoring: Scoring, pieces: Iterable[Units], provenance: Provenance) -> None:
    """Print tab-separated values: one metric with a row for each unit and a column for each system.

    Several metrics have a row for each system of each unit, and a column for each metric.
    """
    first = scoring.columns[0]
    several = ["system"] if len(scoring.systems) > 1 else []
    heads = [*several, *(column.name for column in scoring.columns)]
    if first.alone and several:
        heads = [*scoring.systems]

    def scored(units: Units) -> ScoredUnits:
        signatures = map(provenance.named, scoring.signatures(units).values())
        if first.alone:
            return ScoredUnits([units.names], scoring.values(units)[first.name], signatures)
        systems, names, *scores = scoring.scores(units).values()
        return ScoredUnits([names, *([systems] if several else [])], scores, signatures)

    print_values(output, [scoring.level, *heads], map(scored, pieces))


def _table_columns(
    scoring: Scoring, pieces: Iterable[Units], provenance: Provenance
) -> Iterator[dict[str, Sequence[Any]]]:
    """Yield the columns of a table in a file, some rows at a time: scores, intervals, signatures and notes.

    Of documents and sentences by several metrics, signatures and notes are given only if they are not those of the row
    above, because they take more space than all else.
    """
    bleu, level = _only_bleu(scoring), scoring.level
    known: dict[str, dict[tuple[int, int], str]] = {name: {} for name in scoring.metrics}
    above: dict[str, str] = {}
    for units in pieces:
        ends: dict[str, Sequence[Any]] = {}
        for name, comparison in units.comparisons.items():
            ends |= {f"{end}{'' if bleu else f'_{name}'}": of_end for end, of_end in _ends(comparison.systems).items()}
        signatures = {
            name: interleaved(
                [unit_signatures(scoring.metrics[name], level, rows, known[name], provenance) for rows in of_systems]
            )
            for name, of_systems in units.rows.items()
        }
        if bleu:
            yield _bleu_columns(bleu, scoring, units) | {"signature": signatures[bleu.name]} | ends
            continue
        columns = scoring.scores(units)
        columns["system"] = list(map(encodable, columns["system"]))
        texts = {f"signature_{name}": of_units for name, of_units in signatures.items()}
        notes = {f"note_{one.name}": "; ".join(one.notes) for one in scoring.columns if one.notes}
        texts |= {name: [note] * len(columns["system"]) for name, note in notes.items()}
        for name, of_rows in texts.items() if level != "corpus" else ():
            texts[name] = [
                None if text == before else text
                for before, text in zip([above.get(name), *of_rows], of_rows, strict=False)
            ]
            above[name] = of_rows[-1]
        yield columns | ends | texts


def unit_signatures(
    metric: AnyMetric,
    level: Level,
    rows: AdditiveStatistics,
    known: dict[tuple[int, int], str],
    provenance: Provenance,
) -> list[str]:
    """Return the signature of each unit; ``known`` keeps those of each number of references."""
    numbers = list(zip(rows.column("fewest_references"), rows.column("most_references"), strict=True))
    for number in set(numbers) - known.keys():
        known[number] = provenance.named(metric.scores(rows[numbers.index(number)], level=level)[0].signature)
    return [known[number] for number in numbers]


def _bleu_columns(bleu: Bleu, scoring: Scoring, units: Units) -> dict[str, list[Any]]:
    """Return a row for each system of each unit, with all that its score consists of."""
    of_systems = [
        {"system": [encodable(system)] * len(units.names), **_figures(bleu, scoring.level, rows, units.names)}
        for system, rows in zip(scoring.systems, units.rows[bleu.name], strict=True)
    ]
    return {name: interleaved([columns[name] for columns in of_systems]) for name in of_systems[0]}


def _figures(bleu: Bleu, level: Level, rows: Statistics, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the names of some units, their scores and what they consist of, by column."""
    values, penalties, precisions = bleu.score_columns(rows, level=level)
    orders = precisions.shape[1]
    return {
        **({} if level == "corpus" else {level: list(names)}),
        "score": values.tolist(),
        "precisions": precisions.tolist(),
        "matches": rows.matches[:, :orders].tolist(),
        "totals": rows.totals[:, :orders].tolist(),
        "brevity_penalty": penalties.tolist(),
        "hypothesis_length": rows.hypothesis_length.tolist(),
        "reference_length": rows.reference_length.tolist(),
        "segments": rows.segments.tolist(),
    }


def _write_bleu(
    output: OutputOptions, bleu: Bleu, scoring: Scoring, pieces: Iterable[Units], provenance: Provenance
) -> None:
    """Print one object, with a line for each unit; the units of a system are held until its score is known."""
    level, systems = scoring.level, scoring.systems
    totals = [bleu.accumulator() for _ in systems]
    signature, comparison = "", None
    with ExitStack() as stack:
        texts = [stack.enter_context(HeldText()) for _ in systems]
        for units in pieces:
            start = ",\n" if signature else ""
            signature = signature or provenance.named(scoring.signatures(units)[bleu.name])
            comparison = units.comparisons.get(bleu.name)
            for rows, total, text in zip(units.rows[bleu.name], totals, texts, strict=True):
                total.add(rows)
                if level != "corpus":
                    text.write(start + as_json_lines(_figures(bleu, level, rows, units.names), 8))
        stream = output.destination.deferred()
        stream.write('{\n  "systems": [\n')
        results = comparison.systems if comparison else [None] * len(systems)
        for place, (system, total, text, result) in enumerate(zip(systems, totals, texts, results, strict=True)):
            fields = _fields(system, total.compute(), scoring.columns[0].splits, result, comparison, provenance)
            stream.write(("    },\n" if place else "") + f"    {{\n{json_members(fields, 6)}")
            if level != "corpus":
                stream.write(f',\n      "{level}s": [\n')
                text.print_to(stream)
                stream.write("\n      ]")
            stream.write("\n")
        fewest = min(min(total.statistics.column("fewest_references")) for total in totals)
        most = max(max(total.statistics.column("most_references")) for total in totals)
        references = fewest if fewest == most else None
        variant = bleu.variant.at_sentence_level() if level == "sentence" else bleu.variant
        of_all = {
            "level": level,
            "signature": signature,
            "signatures": written_signatures(variant, references),
        }
        of_all |= provenance.members
        stream.write(f"    }}\n  ],\n{json_members(of_all, 2)}\n}}\n")


def _fields(  # noqa: PLR0913
    system: str,
    score: Score,
    splits: str,
    result: SystemResult | None,
    comparison: Comparison | None,
    provenance: Provenance,
) -> dict[str, Any]:
    """Return the members of a system's object: its score, all that this consists of, and its interval."""
    fields = score.to_dict()
    ends = {"variant": fields.pop("variant"), "signature": provenance.named(fields.pop("signature"))}
    fields = {"system": encodable(system), "score": fields.pop("value"), **fields}
    if why := score.noted(splits):
        fields["note"] = why
    if result and comparison:
        interval = result.to_dict()
        fields |= {key: interval[key] for key in ("interval", "mean", "half_width")}
        fields["procedure"] = comparison.procedure
    return fields | ends


def _print_bleu(
    output: OutputOptions, bleu: Bleu, scoring: Scoring, pieces: Iterable[Units], provenance: Provenance
) -> None:
    """Print a row for each system, then the signature."""
    [corpus] = pieces
    scores = [bleu.score(rows) for rows in corpus.rows[bleu.name]]
    comparison, places = corpus.comparisons.get(bleu.name), output.decimals(bleu)
    columns = {
        "BLEU": [rounded(score.value, places) for score in scores],
        **(_interval_columns(comparison, places) if comparison else {}),
        PRECISIONS: [percentages(score.precisions) for score in scores],
        "brevity\npenalty": [f"{score.brevity_penalty:.4f}" for score in scores],
        "hypothesis\nlength": [str(score.hypothesis_length) for score in scores],
        "reference\nlength": [f"{score.reference_length:.10g}" for score in scores],
    }
    notes = [
        f"{scores[0].variant}, {quantity(scores[0].segments, 'segment')}",
        *([MEANS] if bleu.variant.is_macro else []),
        *(
            f"note: {escaped(name)}: {note}"
            for name, score in zip(short_names(scoring.systems), scores, strict=True)
            if (note := score.noted(scoring.columns[0].splits))
        ),
    ]
    if comparison:
        from bleukit.comparing.words import caution

        if any(result.interval for result in comparison.systems):
            of_units = f" of {comparison.units:,} {comparison.resample_by}s"
            how = f"{comparison.test}, {comparison.samples:,} resamples{of_units}, seed {comparison.seed}"
            notes.append(f"95 % intervals: {how}")
        if warning := caution(comparison.units, comparison.resample_by):
            notes.append(f"note: {warning}")
    notes.append(f"signature {provenance.named(scores[0].signature)}")
    print_systems(output, scoring.systems, columns, notes, {PRECISIONS}, {PRECISIONS: "%"})


def _interval_columns(comparison: Comparison, places: int) -> dict[str, list[str]]:
    from bleukit.comparing.tables import SACREBLEU

    def shown(number: float | None) -> str:
        return "" if number is None else rounded(number, places)

    results = comparison.systems
    ends = list(zip(*_ends(results).values(), strict=True))
    columns = {}
    if any(result.interval for result in results):
        columns["95 %\ninterval"] = ["" if low is None else f"{shown(low)}–{shown(high)}" for low, high in ends]
    if any(result.mean is not None for result in results):
        columns[SACREBLEU] = [f"{shown(result.mean)} ± {shown(result.half_width)}" for result in results]
    return columns


def _ends(results: Sequence[SystemResult]) -> dict[str, list[float | None]]:
    """Return the lower and the upper ends of intervals, None if there are none."""
    ends = [(one.interval.low, one.interval.high) if one.interval else (None, None) for one in results]
    lows, highs = zip(*ends, strict=True)
    return {"interval_low": [*lows], "interval_high": [*highs]}
