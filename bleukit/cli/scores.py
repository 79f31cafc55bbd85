"""How the scores of systems are printed: a table for people, tab-separated values, JSON, or a table in a file."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from bleukit.cli.counting import in_pieces
from bleukit.cli.options import decimals
from bleukit.cli.output import HeldText, destination
from bleukit.cli.printing import as_json_lines, encodable, escaped, json_members, short_names
from bleukit.cli.sacrebleu import described_test_set, naming_test_set
from bleukit.cli.tables import ScoredUnits, interleaved, print_systems, print_values, write_columns
from bleukit.errors import quantity
from bleukit.loading.signature import written_signatures
from bleukit.scoring import percentages, rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.additive import AdditiveStatistics
    from bleukit.bleu import Bleu
    from bleukit.cli.counting import Units
    from bleukit.comparing.results import SystemResult
    from bleukit.comparing.written import Comparison
    from bleukit.metric import AnyMetric, Level
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics


PRECISIONS = "n-gram\nprecisions, %"

MEANS = "BLEU is the mean of the sentence scores; the other figures are from the summed statistics"


def write_scores(form: str, bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print the scores of the units of some systems, each block as it comes. After an error nothing is printed."""
    if form == "json":
        _write_json(bleu, level, systems, blocks)
    elif form != "text":
        write_columns(form, _table_columns(bleu, level, systems, blocks))
    elif level == "corpus":
        _write_text_table(bleu, systems, blocks)
    else:
        _write_values(bleu, level, systems, blocks)


def _write_text_table(bleu: Bleu, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print a row for each system, then the signature."""
    [corpus] = blocks
    scores = [bleu.score(rows) for rows in corpus.rows]
    comparison, places = corpus.comparison, decimals(bleu)
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
            f"note: {escaped(name)}: {score.note}"
            for name, score in zip(short_names(systems), scores, strict=True)
            if score.note
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
    print_systems(systems, columns, notes, [naming_test_set(scores[0].signature)], {PRECISIONS})


def _interval_columns(comparison: Comparison, places: int) -> dict[str, list[str]]:
    from bleukit.comparing.tables import SACREBLEU

    def shown(number: float | None) -> str:
        return "" if number is None else rounded(number, places)

    results = comparison.systems
    ends = list(zip(*interval_columns(results).values(), strict=True))
    columns = {}
    if any(result.interval for result in results):
        columns["95 %\ninterval"] = ["" if low is None else f"{shown(low)}–{shown(high)}" for low, high in ends]
    if any(result.mean is not None for result in results):
        columns[SACREBLEU] = [f"{shown(result.mean)} ± {shown(result.half_width)}" for result in results]
    return columns


def interval_columns(results: Sequence[SystemResult]) -> dict[str, list[float | None]]:
    """Return the lower and the upper ends of intervals, None if there are none."""
    ends = [(one.interval.low, one.interval.high) if one.interval else (None, None) for one in results]
    lows, highs = zip(*ends, strict=True)
    return {"interval_low": [*lows], "interval_high": [*highs]}


def _write_values(bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print tab-separated values: a row for each unit, a column for each system."""

    def scored(units: Units) -> ScoredUnits:
        scores = [bleu.score_columns(rows, level=level).value.tolist() for rows in units.rows]
        return ScoredUnits([units.names or ()], scores, (_signature(bleu, level, units) for _ in range(1)))

    print_values([level, *(systems if len(systems) > 1 else ["BLEU"])], map(scored, in_pieces(blocks)))


def _signature(bleu: Bleu, level: Level, units: Units) -> str:
    return naming_test_set(bleu.scores(units.rows[0][:1], level=level)[0].signature)


def _write_json(bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print one object, with a line for each unit; the units of a system are held until its score is known."""
    totals = [bleu.accumulator() for _ in systems]
    signature, comparison = "", None
    with ExitStack() as stack:
        texts = [stack.enter_context(HeldText()) for _ in systems]
        for units in in_pieces(blocks):
            start = ",\n" if signature else ""
            signature, comparison = signature or _signature(bleu, level, units), units.comparison
            for rows, total, text in zip(units.rows, totals, texts, strict=True):
                total.add(rows)
                if level != "corpus":
                    text.write(start + as_json_lines(_unit_columns(bleu, level, rows, units.names or ()), 8))
        stream = destination().deferred()
        stream.write('{\n  "systems": [\n')
        results = comparison.systems if comparison else [None] * len(systems)
        for place, (system, total, text, result) in enumerate(zip(systems, totals, texts, results, strict=True)):
            fields = _fields(system, total.compute(), result, comparison)
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
        of_all |= described_test_set()
        stream.write(f"    }}\n  ],\n{json_members(of_all, 2)}\n}}\n")


def _fields(system: str, score: Score, result: SystemResult | None, comparison: Comparison | None) -> dict[str, Any]:
    """Return the members of a system's object: its score, all that this consists of, and its interval."""
    fields = score.to_dict()
    ends = {"variant": fields.pop("variant"), "signature": naming_test_set(fields.pop("signature"))}
    fields = {"system": encodable(system), "score": fields.pop("value"), **fields}
    if why := score.note:
        fields["note"] = why
    if result and comparison:
        interval = result.to_dict()
        fields |= {key: interval[key] for key in ("interval", "mean", "half_width")}
        fields["procedure"] = comparison.procedure
    return fields | ends


def _unit_columns(bleu: Bleu, level: Level, rows: Statistics, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the scores of some units and what they consist of, by column; ``names`` are those of the units."""
    values, penalties, precisions = bleu.score_columns(rows, level=level)
    orders = precisions.shape[1]
    return {
        level: list(names),
        "score": values.tolist(),
        "precisions": precisions.tolist(),
        "matches": rows.matches[:, :orders].tolist(),
        "totals": rows.totals[:, :orders].tolist(),
        "brevity_penalty": penalties.tolist(),
        "hypothesis_length": rows.hypothesis_length.tolist(),
        "reference_length": rows.reference_length.tolist(),
        "segments": rows.segments.tolist(),
    }


def _table_columns(
    bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]
) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of the table, some rows at a time."""
    signatures: dict[tuple[int, int], str] = {}
    for units in in_pieces(blocks):
        names = units.names or ()
        of_systems = [
            {
                "system": [encodable(system)] * len(names),
                **_unit_columns(bleu, level, rows, names),
                "signature": unit_signatures(bleu, level, rows, signatures),
            }
            for system, rows in zip(systems, units.rows, strict=True)
        ]
        columns = interleaved(of_systems)
        if level == "corpus":
            del columns["corpus"]
        if units.comparison:
            columns |= interval_columns(units.comparison.systems)
        yield columns


def unit_signatures(
    metric: AnyMetric, level: Level, rows: AdditiveStatistics, known: dict[tuple[int, int], str]
) -> list[str]:
    """Return the signature of each unit; ``known`` keeps those of each number of references."""
    numbers = list(zip(rows.column("fewest_references"), rows.column("most_references"), strict=True))
    for number in set(numbers) - known.keys():
        known[number] = naming_test_set(metric.scores(rows[numbers.index(number)], level=level)[0].signature)
    return [known[number] for number in numbers]
