"""``bleukit score``: files in, scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import chosen, variant_options
from bleukit.cli.printing import as_json
from bleukit.cli.reading import limit_option, reading, reference_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics
    from bleukit.text.corpora import Part
    from bleukit.text.files import Limits


@click.command(no_args_is_help=True)
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@reference_option
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
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="How many threads. Default: the cores.")
@limit_option
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    signature: str | None,
    level: Level | None,
    documents: str | None,
    threads: int | None,
    limits: Limits,
    output: str,
) -> None:
    """Score each file HYP against the references.

    Files are UTF-8, one segment a line; .gz, .bz2, .xz and .zst are decompressed, - is standard input. Files .sgm,
    .sgml and .xml are evaluation sets of NIST or WMT: they may hold several systems or references, of which
    FILE#NAME chooses one, and name documents.

    \b
    bleukit score -r reference.txt hypothesis.txt
    bleukit score -V nltk --level sentence -r reference.txt hypothesis.txt
    bleukit score --signature '#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0' -r reference.txt hypothesis.txt
    bleukit score -V mteval-v13a --level document -r reference.sgm system.sgm
    """
    level = level or ("document" if documents is not None else "corpus")
    if level != "document" and documents is not None:
        raise click.UsageError("--level document and --documents FILE go together")
    with reading(hypotheses, references, documents, limits) as corpus:
        if level == "document" and not corpus.has_documents:
            raise click.UsageError("--level document and --documents FILE go together")
        number = len(corpus.reference_paths)
        if signature is None:
            bleu = chosen(variant, config, settings)
        elif variant is None and config is None and not settings:
            bleu = _of_signature(signature, number)
        else:
            raise click.UsageError("--signature says it all: give it without -V, -c and --set")
        systems = [_System(name, bleu, level) for name in corpus.systems]
        for part in corpus.parts(bleu.tokenize):
            groups = part.groups()
            for system, segments in zip(systems, part.systems, strict=True):
                system.add(bleu.statistics(segments, groups, threads=threads, first=part.first), part)
    if output == "json":
        from bleukit.loading.signature_formats import written

        click.echo(_as_json(systems, written(bleu.variant, number)))
    else:
        click.echo(_as_text(systems))


def _of_signature(signature: str, references: int) -> Bleu:
    """Return the BLEU that another tool's signature describes, where it is for so many references a segment."""
    from bleukit import metric
    from bleukit.errors import InputError
    from bleukit.loading import signature_formats

    said = signature_formats.read(signature)
    if not said.any_references and said.references != references:
        plural = "" if said.references == 1 else "s"
        wanted = f"{said.references or 'a varying number of'} reference{plural}"
        raise InputError(f"the signature is for {wanted} a segment, here each has {references}")
    if said.caveat:
        click.echo(f"bleukit: warning: {said.caveat}", err=True)
    return metric.load(said.recipe)


class _System:
    """The statistics of one hypothesis file, as they come in: no more of them is kept than the level asks for."""

    def __init__(self, name: str, bleu: Bleu, level: Level) -> None:
        from bleukit.statistics import Statistics

        self.name = name
        self.level = level
        self._bleu = bleu
        self._sum = Statistics.empty(bleu.max_order)
        self._sentences: list[Statistics] = []
        self._documents: dict[str, Statistics] = {}
        self._names: list[str] = []

    def add(self, rows: Statistics, part: Part) -> None:
        """Take in the rows of some segments."""
        self._names += part.names or ()
        self._sum = (self._sum + rows.sum()).sum()
        if self.level == "sentence":
            self._sentences.append(rows)
        elif self.level == "document" and part.documents is not None:
            for document, of_document in rows.by_document(part.documents).items():
                known = self._documents.get(str(document))
                self._documents[str(document)] = (known + of_document if known else of_document).sum()

    def corpus(self) -> Score:
        """Return the score of all."""
        return self._bleu.score(self._sum)

    def units(self) -> tuple[Iterable[str], Statistics]:
        """Return the names of the sentences or documents, and their rows."""
        rows = self._sum.concatenate(self._sentences or self._documents.values())
        return self._documents or self._names or map(str, range(1, len(rows) + 1)), rows

    def scores(self) -> Iterator[tuple[str, Score]]:
        """Return the score of each sentence or document."""
        names, rows = self.units()
        return zip(names, self._bleu.scores(rows, level=self.level), strict=True)

    def values(self) -> Iterator[tuple[str, float]]:
        """Return only its value."""
        names, rows = self.units()
        return zip(names, self._bleu.scores_array(rows, level=self.level).tolist(), strict=True)


def _as_text(systems: Sequence[_System]) -> str:
    corpora = [system.corpus() for system in systems]
    several = len(systems) > 1
    signature = corpora[0].signature
    level = systems[0].level
    if level == "corpus":
        lines = [f"{s.name}: {score}" if several else str(score) for s, score in zip(systems, corpora, strict=True)]
        return "\n".join([*lines, f"signature {signature}"])
    header = [level, *([system.name for system in systems] if several else ["BLEU"])]
    units = zip(*(system.values() for system in systems), strict=True)
    table = ("\t".join([scores[0][0], *(repr(value) for _, value in scores)]) for scores in units)
    return "\n".join(["\t".join(header), *table, f"# signature {signature}"])


def _as_json(systems: Sequence[_System], signatures: dict[str, str]) -> str:
    results = []
    for system in systems:
        name = system.name.encode("utf-8", "backslashreplace").decode()  # file names may hold any bytes
        result: dict[str, Any] = {"system": name, **_fields(system.corpus()), "signatures": signatures}
        if system.level != "corpus":
            result = {key: result[key] for key in ("system", "variant", "signature", "signatures")}
            of_the_whole = ("variant", "signature")
            result[f"{system.level}s"] = [
                {system.level: unit, **{key: value for key, value in _fields(score).items() if key not in of_the_whole}}
                for unit, score in system.scores()
            ]
        results.append(result)
    return as_json(results if len(results) > 1 else results[0])


def _fields(score: Score) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(score)
    return {"score": fields.pop("value"), **fields}
