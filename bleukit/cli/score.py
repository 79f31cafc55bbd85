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
    "--signature",
    metavar="TEXT",
    help="Score as another tool's signature says, such as sacreBLEU's 'nrefs:1|case:mixed|eff:no|tok:13a|...'.",
)
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
    signature: str | None,
    level: str | None,
    documents: str | None,
    output: str,
) -> None:
    """Score each file HYP against the references.

    Files are UTF-8, one segment a line; .gz, .bz2, .xz and .zst are decompressed, - is standard input.

    \b
    bleukit score -r reference.txt hypothesis.txt
    bleukit score -V nltk --level sentence -r reference.txt hypothesis.txt
    bleukit score --signature '#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0' -r reference.txt hypothesis.txt
    """
    level = level or ("document" if documents is not None else "corpus")
    if (level == "document") != (documents is not None):
        raise click.UsageError("--level document and --documents FILE go together")
    if [*hypotheses, *references, documents].count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    if signature is None:
        bleu = chosen(variant, config, settings)
    elif variant is None and config is None and not settings:
        bleu = _of_signature(signature, len(references))
    else:
        raise click.UsageError("--signature says it all: give it without -V, -c and --set")
    aligned = _read_aligned([*hypotheses, *references, *([documents] if documents is not None else [])])
    systems = aligned[: len(hypotheses)]
    groups = list(zip(*aligned[len(hypotheses) : len(hypotheses) + len(references)], strict=True))
    rows = _statistics(bleu, systems, groups)
    results = [
        _System(name, bleu.score(system), _units(bleu, system, level, aligned[-1]))
        for name, system in zip(hypotheses, rows, strict=True)
    ]
    if output == "json":
        from bleukit.foreign_signatures import written

        click.echo(_as_json(results, level, written(bleu.variant, len(references))))
    else:
        click.echo(_as_text(results, level))


def _of_signature(signature: str, references: int) -> Bleu:
    """Return the BLEU that another tool's signature describes, where it is for so many references a segment."""
    from bleukit import foreign_signatures, metric
    from bleukit.errors import InputError

    said = foreign_signatures.read(signature)
    if said.references != references:
        plural = "" if said.references == 1 else "s"
        wanted = f"{said.references or 'a varying number of'} reference{plural}"
        raise InputError(f"the signature is for {wanted} a segment, here each has {references}")
    if said.caveat:
        click.echo(f"bleukit: warning: {said.caveat}", err=True)
    return metric.load(said.recipe)


class _System(NamedTuple):
    """The scores of one file: of the corpus, and of its documents or sentences where these were asked for."""

    name: str
    corpus: Score
    units: dict[str, Score]


def _units(bleu: Bleu, system: Statistics, level: str, documents: list[str]) -> dict[str, Score]:
    if level == "document":
        return {str(document): bleu.score(part) for document, part in system.by_document(documents).items()}
    if level == "sentence":
        return {str(number): score for number, score in enumerate(bleu.scores(system), 1)}
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


def _as_json(systems: Sequence[_System], level: str, signatures: dict[str, str]) -> str:
    results = []
    for system in systems:
        name = system.name.encode("utf-8", "backslashreplace").decode()  # file names may hold any bytes
        result: dict[str, Any] = {"system": name, **_fields(system.corpus), "signatures": signatures}
        if level != "corpus":
            result = {key: result[key] for key in ("system", "variant", "signature", "signatures")}
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
