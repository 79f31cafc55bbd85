"""``bleukit score --engine spark``: the same scores by Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.cli.scores import Scores, System, references_of
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics
    from bleukit.text.table_names import ColumnNames


def scores_by_spark(
    hypotheses: Sequence[str],
    references: Sequence[str],
    level: Level,
    columns: ColumnNames,
    chosen: Callable[[int | None], Bleu],
) -> Scores:
    """Return the scores of text files, or of one Parquet file or folder; documents are sorted by their names.

    ``chosen`` returns the Bleu for so many references a segment. Raises InputError for what Spark does not score here.
    """
    from bleukit.engines import spark, spark_files

    if level == "sentence":
        raise InputError("Spark adds up statistics here: give --level corpus or document")
    if any(map(spark_files.is_parquet, hypotheses)) and (references or len(hypotheses) > 1):
        raise InputError("Spark reads one Parquet file or folder here, which has the references")
    if not references and not spark_files.is_parquet(hypotheses[0]):
        raise InputError("Spark reads text files with references, -r, or Parquet that has them")
    with spark_files.spark_errors(), spark_files.session() as session:
        if references:
            opened = [(path, *spark_files.lines(session, path, references)) for path in hypotheses]
        else:
            opened = [(hypotheses[0], *spark_files.parquet(session, hypotheses[0], columns))]
        bleu = chosen(len(opened[0][2]["reference"]))
        systems = []
        for path, table, found in opened:
            if level == "document" and not found["document"]:
                raise InputError(f"{path}: which column is the document? Choose by --document-column")
            by = [*found["system"], *(found["document"] if level == "document" else ())]
            counted = spark.statistics(
                table, hypothesis=found["hypothesis"][0], references=found["reference"], by=by, variant=bleu
            )
            systems += _systems(bleu, spark.collected(counted, bleu), path if not found["system"] else None, level)
    return Scores(bleu, level, systems, [], references_of([system.rows for system in systems]))


def _systems(bleu: Bleu, rows: Statistics, name: str | None, level: Level) -> list[System]:
    """Return the systems of rows by system and document; all are of one if it has a name."""
    places: dict[str, list[tuple[str, int]]] = {}
    for place, key in enumerate(rows.keys()):
        system, document = key if isinstance(key, tuple) else (key, key)
        places.setdefault(name or str(system), []).append((str(document), place))
    found = []
    for system, of_system in sorted(places.items()):
        own = rows[[place for _, place in sorted(of_system)]]
        if level == "document":
            own = own.with_keys([document for document, _ in sorted(of_system)])
        found.append(System(system, own, bleu.score(own), None))
    return found
