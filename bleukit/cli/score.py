"""``bleukit score``: files in, scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bleukit.cli.options import chosen, variant_options
from bleukit.cli.printing import as_json, with_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.metric import Bleu
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics

LONG_WORK = 50_000
"""From how many segments on a terminal shows progress."""


@click.command(no_args_is_help=True)
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@click.option(
    "-r",
    "--reference",
    "references",
    metavar="REF",
    multiple=True,
    required=True,
    help="A file of references; repeat it for several references a segment.",
)
@variant_options
@click.option(
    "--level",
    type=click.Choice(["corpus", "document", "sentence"]),
    help="What a score speaks of. Default: corpus, or document where --documents is given.",
)
@click.option("--documents", metavar="FILE", help="The document of each segment, one id a line.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    level: str | None,
    documents: str | None,
    output: str,
) -> None:
    """Score each file HYP against the references.

    Files are UTF-8, one segment a line; .gz, .bz2, .xz and .zst are decompressed, - is standard input. Files .sgm,
    .sgml and .xml are evaluation sets of NIST or WMT: they may hold several systems or references, and name documents.

    \b
    bleukit score -r reference.txt hypothesis.txt
    bleukit score -V nltk --level sentence -r reference.txt hypothesis.txt
    bleukit score -V mteval-v13a --level document -r reference.sgm system.sgm
    """
    from bleukit.evaluation_sets import is_set

    level = level or ("document" if documents is not None else "corpus")
    are_sets = [is_set(path) for path in (*hypotheses, *references)]
    if any(are_sets) and not all(are_sets):
        raise click.UsageError("evaluation sets (.sgm, .sgml, .xml) and text files cannot be scored together")
    if any(are_sets) and documents is not None:
        raise click.UsageError("evaluation sets name the document of each segment themselves: leave out --documents")
    if not any(are_sets) and (level == "document") != (documents is not None):
        raise click.UsageError("--level document and --documents FILE go together")
    if [*hypotheses, *references, documents].count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    bleu = chosen(variant, config, settings)
    files = _of_sets(bleu, hypotheses, references) if any(are_sets) else _of_lines(hypotheses, references, documents)
    rows = _statistics(bleu, files.systems, list(zip(*files.references, strict=True)))
    results = [
        _System(name, bleu.score(system), _units(bleu, system, level, files))
        for name, system in zip(files.names, rows, strict=True)
    ]
    click.echo(_as_json(results, level) if output == "json" else _as_text(results, level))


class _Files(NamedTuple):
    """What was read: a name and the segments of each system, each list of references, where each segment belongs."""

    names: Sequence[str]
    systems: Sequence[list[str]]
    references: Sequence[list[str]]
    documents: Sequence[str]
    segments: Sequence[str] | None = None
    """What segments are called; None where they are numbered."""


def _of_lines(hypotheses: Sequence[str], references: Sequence[str], documents: str | None) -> _Files:
    aligned = _read_aligned([*hypotheses, *references, *([documents] if documents is not None else [])])
    systems, others = aligned[: len(hypotheses)], aligned[len(hypotheses) :]
    return _Files(hypotheses, systems, others[: len(references)], others[-1])


def _of_sets(bleu: Bleu, hypotheses: Sequence[str], references: Sequence[str]) -> _Files:
    from collections import Counter

    from bleukit.evaluation_sets import read_aligned

    aligned = read_aligned(hypotheses, references)
    keep_entities = list(bleu.tokenize("&amp;")) == list(bleu.tokenize("&"))  # mteval's tokenizers, and 13a
    times = Counter(system.name for system in aligned.systems)
    return _Files(
        [str(system) if times[system.name] > 1 or not system.name else system.name for system in aligned.systems],
        [system.texts(aligned.places, keep_entities=keep_entities) for system in aligned.systems],
        [reference.texts(aligned.places, keep_entities=keep_entities) for reference in aligned.references],
        [document for document, _ in aligned.places],
        [f"{document}:{segment}" for document, segment in aligned.places],
    )


class _System(NamedTuple):
    """The scores of one file: of the corpus, and of its documents or sentences where these were asked for."""

    name: str
    corpus: Score
    units: dict[str, Score]


def _units(bleu: Bleu, system: Statistics, level: str, files: _Files) -> dict[str, Score]:
    if level == "document":
        return {str(document): bleu.score(part) for document, part in system.by_document(files.documents).items()}
    if level == "sentence":
        names = files.segments or map(str, range(1, len(system) + 1))
        return dict(zip(names, bleu.scores(system), strict=True))
    return {}


def _read_aligned(paths: Sequence[str]) -> list[list[str]]:
    """Read files that must have one line a segment each."""
    from bleukit.errors import InputError
    from bleukit.reading import read_lines

    files = [read_lines(path) for path in paths]
    for path, lines in zip(paths, files, strict=True):
        if len(lines) != len(files[0]):
            raise InputError(
                f"{path} has {len(lines)} lines, {paths[0]} has {len(files[0])}: "
                "line N of every file must belong to segment N"
            )
    return files


def _statistics(bleu: Bleu, systems: Sequence[list[str]], groups: Sequence[tuple[str, ...]]) -> list[Statistics]:
    from bleukit.metric import CHUNK
    from bleukit.statistics import Statistics

    shards = [(system, slice(start, start + CHUNK)) for system in systems for start in range(0, len(groups), CHUNK)]
    tracked = with_progress(shards, len(shards), "Scoring") if len(groups) >= LONG_WORK else shards
    done = [bleu.statistics(system[part], groups[part]) for system, part in tracked]
    per_system = len(shards) // len(systems)
    return [Statistics.concatenate(done[i : i + per_system]) for i in range(0, len(done), per_system)]


def _as_text(systems: Sequence[_System], level: str) -> str:
    signature = systems[0].corpus.signature
    several = len(systems) > 1
    if level == "corpus":
        lines = [f"{system.name}: {system.corpus}" if several else str(system.corpus) for system in systems]
        return "\n".join([*lines, f"signature {signature}"])
    header = [level, *([system.name for system in systems] if several else ["BLEU"])]
    table = [[unit, *(repr(system.units[unit].value) for system in systems)] for unit in systems[0].units]
    return "\n".join(["\t".join(row) for row in [header, *table]] + [f"# signature {signature}"])


def _as_json(systems: Sequence[_System], level: str) -> str:
    results = []
    for system in systems:
        name = system.name.encode("utf-8", "backslashreplace").decode()  # file names may hold any bytes
        result: dict[str, Any] = {"system": name, **_fields(system.corpus)}
        if level != "corpus":
            result = {key: result[key] for key in ("system", "variant", "signature")}
            of_the_whole = ("variant", "signature")
            result[f"{level}s"] = [
                {level: unit, **{key: value for key, value in _fields(score).items() if key not in of_the_whole}}
                for unit, score in system.units.items()
            ]
        results.append(result)
    return as_json(results if len(results) > 1 else results[0])


def _fields(score: Score) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(score)
    return {"score": fields.pop("value"), **fields}
