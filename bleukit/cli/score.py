"""``bleukit score``: files in, scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import chosen_for, signature_option, variant_options
from bleukit.cli.printing import as_json
from bleukit.cli.reading import limit_option, reading, reference_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.comparing.comparison import Settings
    from bleukit.comparing.gathering import Gathered
    from bleukit.comparing.results import Comparison, SystemResult
    from bleukit.metric import Bleu
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics
    from bleukit.text.corpora import Part
    from bleukit.text.files import Limits


@click.command(no_args_is_help=True)
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@reference_option
@variant_options
@signature_option
@click.option(
    "--level",
    type=click.Choice(["corpus", "document", "sentence"]),
    help="What a score speaks of. Default: corpus, or document where --documents is given.",
)
@click.option("--documents", metavar="FILE", help="The document of each segment, one id a line.")
@click.option(
    "--confidence",
    is_flag=True,
    help="Print the 95 % interval of each score, by the bootstrap, or as a signature with bs: says.",
)
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
    confidence: bool,
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
    bleukit score --confidence -r reference.txt hypothesis.txt
    bleukit score -V mteval-v13a --level document -r reference.sgm system.sgm
    """
    level = level or ("document" if documents is not None else "corpus")
    if level != "document" and documents is not None:
        raise click.UsageError("--level document and --documents FILE go together")
    with reading(hypotheses, references, documents, limits) as corpus:
        if level == "document" and not corpus.has_documents:
            raise click.UsageError("--level document and --documents FILE go together")
        number = len(corpus.reference_paths)
        bleu, said = chosen_for(number, variant, config, settings, signature)
        how = _resampling(said, level, asked=confidence)
        gathered = _gathered(len(corpus.systems)) if how else None
        systems = [_System(name, bleu, level) for name in corpus.systems]
        for part in corpus.parts(bleu.tokenize):
            groups = part.groups()
            rows = [bleu.statistics(texts, groups, threads=threads, first=part.first) for texts in part.systems]
            for system, of_system in zip(systems, rows, strict=True):
                system.add(of_system, part)
            if gathered:
                gathered.add(rows)
    if gathered and how:
        from bleukit.comparing.comparison import compared

        comparison = compared(bleu, gathered, how)
        for found in comparison.systems:
            systems[int(found.system)].resampled = found, comparison
    if output == "json":
        from bleukit.loading.signature_formats import written

        click.echo(_as_json(systems, written(bleu.variant, number)))
    else:
        click.echo(_as_text(systems))


def _resampling(said: Mapping[str, Any], level: Level, *, asked: bool) -> Settings | None:
    """Return how to find intervals: as a signature says, or by the bootstrap if they are asked for."""
    from_signature = said.get("samples") if said.get("test") == "sacrebleu-bs" else said.get("interval_samples")
    if said and not from_signature:
        note = "the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores"
        click.echo(f"bleukit: warning: {note}", err=True)
    if not asked and not from_signature:
        return None
    if level != "corpus":
        raise click.UsageError("intervals are those of the score of the corpus: leave out --level and --documents")
    from bleukit.comparing.comparison import Settings

    if from_signature:
        return Settings(test="sacrebleu-bs", samples=from_signature, seed=said["seed"])
    return Settings(test="bootstrap")


def _gathered(systems: int) -> Gathered:
    from bleukit.comparing.gathering import Gathered, Names

    return Gathered(Names.of({str(number): 1 for number in range(systems)}))


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
        self.resampled: tuple[SystemResult, Comparison] | None = None

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
        lines = []
        for system, score in zip(systems, corpora, strict=True):
            name = f"{system.name}: " if several else ""
            lines += [f"{name}{said}" for said in (score, *_interval(system))]
        return "\n".join([*lines, f"signature {signature}"])
    header = [level, *([system.name for system in systems] if several else ["BLEU"])]
    units = zip(*(system.values() for system in systems), strict=True)
    table = ("\t".join([scores[0][0], *(repr(value) for _, value in scores)]) for scores in units)
    return "\n".join(["\t".join(header), *table, f"# signature {signature}"])


def _interval(system: _System) -> Iterator[str]:
    """Yield the interval of a system's score in words, if it has one."""
    if system.resampled is None:
        return
    found, comparison = system.resampled
    how = f"{comparison.test}, {comparison.samples:,} resamples, seed {comparison.seed}"
    if found.interval is None:
        yield f"no interval: one segment cannot be resampled ({how})"
        return
    mean = "" if found.mean is None else f"mean {found.mean!r} ± {found.half_width!r}, "
    yield f"{mean}95 % interval {found.interval.low!r} to {found.interval.high!r} ({how})"


def _as_json(systems: Sequence[_System], signatures: dict[str, str]) -> str:
    results = []
    for system in systems:
        name = system.name.encode("utf-8", "backslashreplace").decode()  # file names may hold any bytes
        result: dict[str, Any] = {"system": name, **_fields(system.corpus()), "signatures": signatures}
        if system.resampled:
            found, comparison = system.resampled
            told = found.to_dict()
            result |= {key: told[key] for key in ("interval", "mean", "half_width")}
            result["procedure"] = comparison.procedure
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
