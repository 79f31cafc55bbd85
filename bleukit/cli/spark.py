"""``bleukit score --engine spark``: the statistics of systems, counted by Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.cli.options import variant_or_signature
from bleukit.cli.reading import chosen_columns
from bleukit.cli.units import Units, names_of
from bleukit.engines import spark, spark_files
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics


def counted_by_spark(
    hypotheses: Sequence[str], references: Sequence[str], level: Level
) -> tuple[Bleu, list[str], Units]:
    """Return the BLEU, the systems and the units of text files, or of one Parquet file or folder.

    Documents are sorted by their names. Raises InputError for what Spark does not count here.
    """
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
            opened = [(hypotheses[0], *spark_files.parquet(session, hypotheses[0], chosen_columns()))]
        bleu, _ = variant_or_signature(len(opened[0][2]["reference"]))
        systems: list[tuple[str, Statistics]] = []
        for path, table, names in opened:
            if level == "document" and not names["document"]:
                raise InputError(f"{path}: which column is the document? Choose by --document-column")
            by = [*names["system"], *(names["document"] if level == "document" else ())]
            counted = spark.statistics(
                table, hypothesis=names["hypothesis"][0], references=names["reference"], by=by, variant=bleu
            )
            systems += _by_system(spark.collected(counted, bleu), path if not names["system"] else None, level)
    rows = [of_system for _, of_system in systems]
    return bleu, [name for name, _ in systems], Units(rows, names_of(rows[0], level))


def _by_system(rows: Statistics, name: str | None, level: Level) -> list[tuple[str, Statistics]]:
    """Return the rows of each system, given rows by system and document; all are of one system if it has a name."""
    places: dict[str, list[tuple[str, int]]] = {}
    for place, key in enumerate(rows.keys()):
        system, document = key if isinstance(key, tuple) else (key, key)
        places.setdefault(name or str(system), []).append((str(document), place))
    systems = []
    for system, of_system in sorted(places.items()):
        own = rows[[place for _, place in sorted(of_system)]]
        if level == "document":
            own = own.with_keys([document for document, _ in sorted(of_system)])
        systems.append((system, own))
    return systems
