"""How the scores of systems are printed: a table for people, tab-separated values, JSON, or a table in a file."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, Any, TextIO

import click
import msgspec

from bleukit.cli.options import decimals, option_value
from bleukit.cli.output import HeldText, destination
from bleukit.cli.printing import (
    as_json_lines,
    broken_signature,
    encodable,
    escaped,
    json_members,
    short_names,
    table_lines,
    terminal_width,
)
from bleukit.cli.test_sets import described_test_set, naming_test_set
from bleukit.cli.units import Units, in_pieces
from bleukit.comparing.tables import SACREBLEU
from bleukit.comparing.words import caution
from bleukit.errors import InputError
from bleukit.inspecting.phrases import wrapped_lines
from bleukit.loading.signature import written_signatures
from bleukit.scoring import Score, percentages, rounded, segments_in_words
from bleukit.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.comparing.results import SystemResult
    from bleukit.comparing.written import Comparison
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics

TABLES = ("csv", "jsonl", "ndjson", "parquet")
"""The suffixes of files that receive scores as a table."""

ROW_GROUP = 1 << 16
"""How many rows are written to Parquet at a time."""

_LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}
"""Columns with a number for each order, and what each of these is called in CSV, before the order."""
_WHOLE = {"matches", "totals", "hypothesis_length", "segments"}
_TEXTS = {"system", "document", "sentence", "signature"}
_OF_VARIANTS = ("signature_", "note_")
"""What columns of text begin with that belong to one variant of several."""

PRECISIONS = "n-gram\nprecisions, %"

MEANS = "BLEU is the mean of the sentence scores; the other figures are those of the summed statistics"


def score_format(form: str | None) -> str:
    """Return the format that the options ask for: "text" or "json", or the suffix of a table that is written.

    Raises UsageError for a kind of table that is not written, and for options that only text has.
    """
    path = destination().path
    suffix = path.rpartition(".")[2].lower()
    is_table = not form and paths.is_table(path) and suffix not in {"tsv", "json"}
    if is_table and suffix not in TABLES:
        raise click.UsageError(f"{path}: a table of scores ends in .{', .'.join(TABLES)}")
    if (is_table or form == "json") and (option_value("score_only") or option_value("width") is not None):
        what = "a table" if is_table else "JSON"
        raise click.UsageError(f"{what} has all scores with all digits: leave out --score-only and --width")
    return suffix if is_table else form or "text"


def write_scores(form: str, bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print the scores of the units of some systems, each block as it comes. After an error nothing is printed."""
    if form == "json":
        _write_json(bleu, level, systems, blocks)
    elif form != "text":
        _write_table(form, bleu, level, systems, blocks)
    elif level == "corpus":
        _write_text_table(bleu, systems, blocks)
    else:
        _write_values(bleu, level, systems, blocks)


def _write_text_table(bleu: Bleu, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print a row for each system, then the signature."""
    [corpus] = blocks
    scores = [bleu.score(rows) for rows in corpus.rows]
    values = [rounded(score.value, decimals(bleu)) for score in scores]
    lines = values if option_value("score_only") else _text_table(bleu, systems, scores, values, corpus.comparison)
    destination().deferred().write("".join(f"{line}\n" for line in lines))


def _text_table(
    bleu: Bleu, systems: Sequence[str], scores: Sequence[Score], values: Sequence[str], comparison: Comparison | None
) -> list[str]:
    columns = {
        "system": [escaped(name) for name in short_names(systems)],
        "BLEU": values,
        **(_interval_columns(comparison, decimals(bleu)) if comparison else {}),
        PRECISIONS: [percentages(score.precisions) for score in scores],
        "brevity\npenalty": [f"{score.brevity_penalty:.4f}" for score in scores],
        "hypothesis\nlength": [str(score.hypothesis_length) for score in scores],
        "reference\nlength": [f"{score.reference_length:.10g}" for score in scores],
    }
    width = terminal_width()
    rows = list(zip(*columns.values(), strict=True))
    lines = table_lines([*columns], rows, numbers=columns.keys() - {"system", PRECISIONS}, width=width)
    lines.append(f"\n{scores[0].variant}, {segments_in_words(scores[0].segments)}")
    if bleu.variant.is_macro:
        lines += wrapped_lines(MEANS, width)
    if comparison:
        if any(result.interval for result in comparison.systems):
            of_units = f" of {comparison.units:,} {comparison.resample_by}s"
            how = f"{comparison.test}, {comparison.samples:,} resamples{of_units}, seed {comparison.seed}"
            lines.append(f"95 % intervals: {how}")
        if warning := caution(comparison.units, comparison.resample_by):
            lines += wrapped_lines(f"note: {warning}", width)
    return [*lines, broken_signature(f"signature {naming_test_set(scores[0].signature)}", width)]


def _interval_columns(comparison: Comparison, places: int) -> dict[str, list[str]]:
    def shown(number: float | None) -> str:
        return "" if number is None else rounded(number, places)

    results = comparison.systems
    ends = [result.interval and (result.interval.low, result.interval.high) for result in results]
    columns = {"95 %\ninterval": ["–".join(map(shown, pair or ())) for pair in ends]} if any(ends) else {}
    if any(result.mean is not None for result in results):
        columns[SACREBLEU] = [f"{shown(result.mean)} ± {shown(result.half_width)}" for result in results]
    return columns


def _write_values(bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Print tab-separated values: a row for each unit, a column for each system; then the signature."""
    stream = destination().deferred()
    score_only = option_value("score_only")
    if not score_only:
        stream.write("\t".join([level, *(map(escaped, systems) if len(systems) > 1 else ["BLEU"])]) + "\n")
    signature = ""
    for units in in_pieces(blocks):
        signature = signature or _signature(bleu, level, units)
        columns = [_values(bleu.score_columns(rows, level=level).value.tolist()) for rows in units.rows]
        if not score_only:
            columns.insert(0, list(map(escaped, units.names or ())))
        stream.write("\n".join(map("\t".join, zip(*columns, strict=True))) + "\n")
    if not score_only:
        stream.write(f"# signature {signature}\n")


def _values(scores: Sequence[float]) -> list[str]:
    places = option_value("width")
    return [repr(score) if places is None else rounded(score, places) for score in scores]


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
        references = _references([total.statistics for total in totals])
        of_all = {"level": level, "signature": signature, "signatures": _foreign_signatures(bleu, level, references)}
        of_all |= described_test_set()
        stream.write(f"    }}\n  ],\n{json_members(of_all, 2)}\n}}\n")


def _foreign_signatures(bleu: Bleu, level: Level, references: int | None) -> Mapping[str, str]:
    variant = bleu.variant.at_sentence_level() if level == "sentence" else bleu.variant
    return written_signatures(variant, references)


def _fields(system: str, score: Score, result: SystemResult | None, comparison: Comparison | None) -> dict[str, Any]:
    """Return the members of a system's object: its score, all that this consists of, and its interval."""
    fields = score.to_dict()
    ends = {"variant": fields.pop("variant"), "signature": naming_test_set(fields.pop("signature"))}
    fields = {"system": encodable(system), "score": fields.pop("value"), **fields}
    if result and comparison:
        interval = result.to_dict()
        fields |= {key: interval[key] for key in ("interval", "mean", "half_width")}
        fields["procedure"] = comparison.procedure
    return fields | ends


def _references(totals: Sequence[Statistics]) -> int | None:
    """Return how many references each segment has, None if the number varies."""
    fewest = min(min(total.column("fewest_references")) for total in totals)
    most = max(max(total.column("most_references")) for total in totals)
    return fewest if fewest == most else None


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


def _write_table(kind: str, bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Write the scores of units to the file of ``-o``; the rows of all systems of a unit follow each other."""
    write_columns(kind, _table_columns(bleu, level, systems, blocks))


def write_columns(kind: str, tables: Iterable[dict[str, list[Any]]]) -> None:
    """Write the columns of a table, some rows at a time, to the file of ``-o``.

    Raises InputError if Parquet needs what is not installed.
    """
    if kind == "parquet":
        _write_parquet(tables)
    else:
        (_write_csv if kind == "csv" else _write_json_lines)(tables, destination().deferred())


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
        columns = {
            name: list(chain.from_iterable(zip(*(table[name] for table in of_systems), strict=True)))
            for name in of_systems[0]
        }
        if level == "corpus":
            del columns["corpus"]
        if units.comparison:
            intervals = [result.interval for result in units.comparison.systems]
            columns["interval_low"] = [interval and interval.low for interval in intervals]
            columns["interval_high"] = [interval and interval.high for interval in intervals]
        yield columns


def unit_signatures(bleu: Bleu, level: Level, rows: Statistics, known: dict[tuple[int, int], str]) -> list[str]:
    """Return the signature of each unit; ``known`` keeps those of each number of references."""
    numbers = list(zip(rows.column("fewest_references"), rows.column("most_references"), strict=True))
    for number in set(numbers) - known.keys():
        known[number] = naming_test_set(bleu.scores(rows[numbers.index(number)], level=level)[0].signature)
    return [known[number] for number in numbers]


def _write_csv(tables: Iterable[Mapping[str, Sequence[Any]]], stream: TextIO | HeldText) -> None:
    for number, columns in enumerate(tables):
        flat: dict[str, Sequence[Any]] = {}
        for name, values in columns.items():
            if name in _LISTS:
                of_orders = zip(*values, strict=True)
                flat |= {f"{_LISTS[name]}_{order}": numbers for order, numbers in enumerate(of_orders, 1)}
            else:
                flat[name] = values
        header = [] if number else [",".join(flat)]
        rows = map(",".join, zip(*map(_cells, flat.values()), strict=True))
        stream.write("\n".join([*header, *rows, ""]))


def _cells(values: Sequence[str | float | None]) -> list[str]:
    """Return values as the standard library writes them in CSV, which takes it three times as long.

    Texts are quoted if necessary; None is an empty cell.
    """
    if set(map(type, values)) == {float}:
        numbers = msgspec.json.encode(values).decode()[1:-1].split(",")
        pairs: Any = zip(values, numbers, strict=True)
        return [number if 1e-4 <= value < 1e16 else repr(value) for value, number in pairs]  # JSON has others otherwise
    cells = ["" if value is None else str(value) for value in values]
    if not _SPECIAL.search("".join(cells)):
        return cells
    return ['"{}"'.format(cell.replace('"', '""')) if _SPECIAL.search(cell) else cell for cell in cells]


_SPECIAL = re.compile('[,"\r\n]')


def _write_json_lines(tables: Iterable[Mapping[str, Sequence[Any]]], stream: TextIO | HeldText) -> None:
    for columns in tables:
        fields = {f"field_{number}": name for number, name in enumerate(columns)}  # names may be no identifiers
        row = msgspec.defstruct("Row", [*fields], rename=fields)
        stream.write(msgspec.json.Encoder().encode_lines(list(map(row, *columns.values()))).decode())


def _write_parquet(tables: Iterable[Mapping[str, Sequence[Any]]]) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("writing Parquet needs pyarrow: pip install 'bleukit[arrow]'") from error
    sink = _BytesSink(sys.stdout)
    writer: Any = None
    batches: list[Any] = []
    try:
        for columns in tables:
            schema = _schema(pa, [*columns])
            writer = writer or parquet.ParquetWriter(sink, schema)
            arrays = [pa.array(columns[field.name], field.type) for field in schema]
            batches.append(pa.record_batch(arrays, schema=schema))
            if sum(batch.num_rows for batch in batches) >= ROW_GROUP:
                writer.write_table(pa.Table.from_batches(batches))
                batches = []
        if batches:
            writer.write_table(pa.Table.from_batches(batches))
    except BaseException:
        sink.is_abandoned = True
        raise
    finally:
        if writer:
            writer.close()


def _schema(pa: Any, names: Sequence[str]) -> Any:
    kinds = {name: pa.int64() if name in _WHOLE else pa.float64() for name in names}
    kinds |= {name: pa.list_(kinds[name]) for name in _LISTS if name in kinds}
    kinds |= {name: pa.string() for name in names if name in _TEXTS or name.startswith(_OF_VARIANTS)}
    return pa.schema(list(kinds.items()))


class _BytesSink:
    """Standard output, or the file in its place, as pyarrow writes to it: bytes, whose number it asks for."""

    closed = is_abandoned = False

    def __init__(self, stream: TextIO) -> None:
        stream.flush()
        self._buffer = stream.buffer
        self._written = 0

    def write(self, data: bytes) -> int:
        self._written += len(data)
        return len(data) if self.is_abandoned else self._buffer.write(data)

    def tell(self) -> int:
        return self._written

    def flush(self) -> None:
        """Leave it to who has opened the file."""

    def close(self) -> None:
        self.closed = True
