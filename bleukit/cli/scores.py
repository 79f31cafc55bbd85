"""How the scores of systems are printed: a table for people, tab-separated values, JSON, or a table in a file."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bleukit.cli.options import decimals, option_value
from bleukit.cli.output import HeldText, destination
from bleukit.cli.printing import (
    aligned,
    as_json_lines,
    broken_signature,
    escaped,
    json_members,
    printable,
    short_names,
    terminal_width,
    wrapped,
)
from bleukit.cli.score_tables import unit_columns, write_table
from bleukit.cli.units import Units, in_pieces
from bleukit.comparing.results import SACREBLEU, Comparison, SystemResult, caution
from bleukit.loading import signature_formats
from bleukit.scoring import Score, percentages, rounded, segments_in_words
from bleukit.text import table_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from typing_extensions import Self

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics

TABLES = ("csv", "jsonl", "ndjson", "parquet")
"""The suffixes of files that receive scores as a table."""

PRECISIONS = "n-gram\nprecisions, %"


class ScoreFormat(NamedTuple):
    """How scores are printed: as "text" or "json", or as a table, which its suffix names.

    In text, scores have ``width`` decimals, None for the default; ``score_only`` leaves out all else.
    """

    form: str
    width: int | None
    score_only: bool

    @classmethod
    def of_options(cls, form: str | None) -> Self:
        """Return the format that the options ask for: the one of --format, or a table by the suffix of the file.

        Raises UsageError for a kind of table that is not written, and for options that only text has.
        """
        width, score_only = option_value("width"), option_value("score_only")
        path = destination().path
        suffix = path.rpartition(".")[2].lower()
        is_table = not form and table_names.is_table(path) and suffix != "tsv"
        if is_table and suffix not in TABLES:
            raise click.UsageError(f"{path}: a table of scores ends in .{', .'.join(TABLES)}")
        if (is_table or form == "json") and (score_only or width is not None):
            what = "a table" if is_table else "JSON"
            raise click.UsageError(f"{what} has all scores with all digits: leave out --score-only and --width")
        return cls(suffix if is_table else form or "text", width, score_only)


def write_scores(form: ScoreFormat, bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print the scores of the units of some systems, each block as it comes. After an error nothing is printed."""
    if form.form == "json":
        _write_json(bleu, level, systems, blocks)
    elif form.form != "text":
        write_table(form.form, bleu, level, systems, blocks)
    elif level == "corpus":
        _write_text_table(form, bleu, systems, blocks)
    else:
        _write_values(form, bleu, level, systems, blocks)


def _write_text_table(form: ScoreFormat, bleu: Bleu, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print a row for each system, then the signature."""
    [corpus] = blocks
    places = decimals(bleu)
    scores = [bleu.score(rows) for rows in corpus.rows]
    values = [rounded(score.value, places) for score in scores]
    lines = values if form.score_only else _text_table(systems, scores, values, corpus.comparison, places)
    destination().deferred().write("".join(f"{line}\n" for line in lines))


def _text_table(
    systems: Sequence[str], scores: Sequence[Score], values: Sequence[str], comparison: Comparison | None, places: int
) -> list[str]:
    columns = {
        "system": [escaped(name) for name in short_names(systems)],
        "BLEU": values,
        **(_interval_columns(comparison, places) if comparison else {}),
        PRECISIONS: [percentages(score.precisions) for score in scores],
        "brevity\npenalty": [f"{score.brevity_penalty:.4f}" for score in scores],
        "hypothesis\nlength": [str(score.hypothesis_length) for score in scores],
        "reference\nlength": [f"{score.reference_length:.10g}" for score in scores],
    }
    width = terminal_width()
    rows = list(zip(*columns.values(), strict=True))
    lines = aligned([*columns], rows, numbers=columns.keys() - {"system", PRECISIONS}, width=width)
    lines.append(f"\n{scores[0].variant}, {segments_in_words(scores[0].segments)}")
    if comparison:
        lines.append(f"95 % intervals: {comparison.test}, {comparison.samples:,} resamples, seed {comparison.seed}")
        if warning := caution(comparison.units, comparison.resample_by):
            lines += wrapped(f"note: {warning}", width)
    return [*lines, broken_signature(f"signature {scores[0].signature}", width)]


def _interval_columns(comparison: Comparison, places: int) -> dict[str, list[str]]:
    def shown(number: float | None) -> str:
        return "" if number is None else rounded(number, places)

    results = comparison.systems
    ends = [result.interval and (result.interval.low, result.interval.high) for result in results]
    columns = {"95 %\ninterval": ["–".join(map(shown, pair or ())) for pair in ends]}
    if any(result.mean is not None for result in results):
        columns[SACREBLEU] = [f"{shown(result.mean)} ± {shown(result.half_width)}" for result in results]
    return columns


def _write_values(form: ScoreFormat, bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print tab-separated values: a row for each unit, a column for each system; then the signature."""
    stream = destination().deferred()
    if not form.score_only:
        stream.write("\t".join([level, *(map(escaped, systems) if len(systems) > 1 else ["BLEU"])]) + "\n")
    signature = ""
    for units in in_pieces(blocks):
        signature = signature or _signature(bleu, level, units)
        columns = [_values(bleu.score_columns(rows, level=level).value.tolist(), form.width) for rows in units.rows]
        if not form.score_only:
            columns.insert(0, list(map(escaped, units.names or ())))
        stream.write("\n".join(map("\t".join, zip(*columns, strict=True))) + "\n")
    if not form.score_only:
        stream.write(f"# signature {signature}\n")


def _values(scores: Sequence[float], places: int | None) -> list[str]:
    return [repr(score) if places is None else rounded(score, places) for score in scores]


def _signature(bleu: Bleu, level: Level, units: Units) -> str:
    """Return the signature of the scores of units."""
    return bleu.scores(units.rows[0][:1], level=level)[0].signature


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
                    text.write(start + as_json_lines(unit_columns(bleu, level, rows, units.names or ()), 8))
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
        references = _references([total.statistics for total in totals])
        of_all = {"level": level, "signature": signature, "signatures": _foreign_signatures(bleu, level, references)}
        stream.write(f"    }}\n  ],\n{json_members(of_all, 2)}\n}}\n")


def _foreign_signatures(bleu: Bleu, level: Level, references: int | None) -> Mapping[str, str]:
    """Return the signatures of other tools for the same scores."""
    variant = bleu.variant.at_sentence_level() if level == "sentence" else bleu.variant
    return signature_formats.written_signatures(variant, references)


def _fields(system: str, score: Score, result: SystemResult | None, comparison: Comparison | None) -> dict[str, Any]:
    """Return the members of a system's object: its score, all that this consists of, and its interval."""
    fields = {"system": printable(system), "score": score.value}
    fields |= {
        name: getattr(score, name)
        for name in (
            "precisions",
            "matches",
            "totals",
            "brevity_penalty",
            "hypothesis_length",
            "reference_length",
            "segments",
        )
    }
    if result and comparison:
        interval = result.to_dict()
        fields |= {key: interval[key] for key in ("interval", "mean", "half_width")}
        fields["procedure"] = comparison.procedure
    return fields | {"variant": score.variant, "signature": score.signature}


def _references(totals: Sequence[Statistics]) -> int | None:
    """Return how many references each segment has, None if the number varies."""
    fewest = min(min(total.column("fewest_references")) for total in totals)
    most = max(max(total.column("most_references")) for total in totals)
    return fewest if fewest == most else None
