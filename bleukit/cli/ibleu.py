"""``bleukit score --ibleu``: the iBLEU of systems, printed as a table, as tab-separated values or as JSON."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from bleukit.cli.options import decimals, option_value, variant_or_signature
from bleukit.cli.output import destination
from bleukit.cli.printing import as_json, broken_signature, encodable, escaped, short_names, table_lines, terminal_width
from bleukit.cli.reading import reading, segments_of
from bleukit.cli.test_sets import naming_test_set
from bleukit.cli.units import names_of
from bleukit.errors import InputError
from bleukit.metric import Bleu
from bleukit.paraphrases import IBleu
from bleukit.scoring import rounded, segments_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.accumulator import Accumulator, Level
    from bleukit.text.corpora import Corpus


Paths: TypeAlias = "tuple[Sequence[str], Sequence[str], str | None, str | None]"
"""The files of hypotheses and of references, and those of documents and sources."""


def is_ibleu(alpha: float | None, source: str | None, *, with_others: bool) -> bool:
    """Return whether iBLEU is asked for. Raises UsageError for options that do not go with it."""
    if source is not None and alpha is None:
        raise click.UsageError("--source is for --ibleu")
    if alpha is not None and with_others:
        raise click.UsageError("--ibleu: leave out --statistics, --confidence and --engine")
    return alpha is not None


def write_ibleu(form: str, files: Paths, level: Level, alpha: float, threads: int | None) -> None:
    """Print the iBLEU of each unit of each system. Raises InputError if documents or sources are missing."""
    if form not in {"text", "json"}:
        raise click.UsageError("iBLEU is printed as text or as JSON, not written to a table")
    hypotheses, references, documents, source = files
    with reading(hypotheses, references, documents, ["document", "source"], sources=source) as opened:
        bleu, _ = variant_or_signature(opened.references)
        corpus = segments_of(bleu, opened)
        counted = _counted(bleu, corpus, level, threads)
    systems = [_of_units(*sides, alpha) for sides in counted]
    if not systems[0]:
        raise InputError("no segment to score")
    names = _names(counted[0][0], level)
    if form == "json":
        _write_json(bleu, corpus.systems, [_of_corpus(*sides, alpha) for sides in counted], level, names, systems)
    else:
        lines = _table(bleu, corpus.systems, systems) if level == "corpus" else _values(level, names, corpus, systems)
        destination().deferred().write("".join(f"{line}\n" for line in lines))


def _counted(bleu: Bleu, corpus: Corpus, level: Level, threads: int | None) -> list[tuple[Accumulator, Accumulator]]:
    """Return, for each system, what was counted against the references, and against the sources."""
    counted = [(bleu.accumulator(level), bleu.accumulator(level)) for _ in corpus.systems]
    bleus = [(bleu.for_text(), bleu.for_text()) for _ in corpus.systems]
    threads = 1 if bleu.counts_whole_texts else threads
    for part in corpus.parts(bleu.tokenize):
        if part.sources is None:
            raise InputError("the sources are not known: give --source FILE, or a table that has them")
        if level == "document" and part.documents is None:
            raise InputError("the documents are not known: give --documents FILE, or a table that has them")
        count = partial(Bleu.statistics, references_by="segment", threads=threads, first=part.first)
        documents = part.documents if level == "document" else None
        for texts, sides, of_sides in zip(part.systems, counted, bleus, strict=True):
            for side, own, references in zip(sides, of_sides, (part.references, part.sources), strict=True):
                side.add(count(own, texts, references), documents=documents)
    return counted


def _of_units(ours: Accumulator, of_sources: Accumulator, alpha: float) -> list[IBleu]:
    return [IBleu.of_scores(*pair, alpha) for pair in zip(ours.scores(), of_sources.scores(), strict=True)]


def _of_corpus(ours: Accumulator, of_sources: Accumulator, alpha: float) -> IBleu:
    return IBleu.of_scores(ours.compute(), of_sources.compute(), alpha)


def _names(side: Accumulator, level: Level) -> list[str]:
    rows = side.statistics
    return names_of(rows, level) or [str(number + 1) for number in range(len(rows))]


def _table(bleu: Bleu, names: Sequence[str], systems: Sequence[Sequence[IBleu]]) -> list[str]:
    places, width = decimals(bleu), terminal_width()
    scores = [units[0] for units in systems]
    if option_value("score_only"):
        return [rounded(score.value, places) for score in scores]
    columns = {
        "system": [escaped(name) for name in short_names(names)],
        "iBLEU": [rounded(score.value, places) for score in scores],
        "BLEU": [rounded(score.score.value, places) for score in scores],
        "BLEU of\nthe sources": [rounded(score.source_score.value, places) for score in scores],
    }
    rows = list(zip(*columns.values(), strict=True))
    lines = table_lines([*columns], rows, numbers=columns.keys() - {"system"}, width=width)
    first = scores[0]
    lines.append(f"\nalpha {first.alpha:g}, {first.score.variant}, {segments_in_words(first.score.segments)}")
    return [*lines, broken_signature(f"signature {naming_test_set(first.signature)}", width)]


def _values(level: Level, names: Sequence[str], corpus: Corpus, systems: Sequence[Sequence[IBleu]]) -> list[str]:
    places = option_value("width")
    columns = [
        [repr(score.value) if places is None else rounded(score.value, places) for score in units] for units in systems
    ]
    if option_value("score_only"):
        return list(map("\t".join, zip(*columns, strict=True)))
    heads = list(map(escaped, corpus.systems)) if len(systems) > 1 else ["iBLEU"]
    rows = map("\t".join, zip(map(escaped, names), *columns, strict=True))
    return ["\t".join([level, *heads]), *rows, f"# signature {naming_test_set(systems[0][0].signature)}"]


def _write_json(  # noqa: PLR0913
    bleu: Bleu,
    names: Sequence[str],
    whole: Sequence[IBleu],
    level: Level,
    units: Sequence[str],
    systems: Sequence[Sequence[IBleu]],
) -> None:
    """Print one object; scores of units lack what is the same for all."""

    def data(result: IBleu) -> dict[str, Any]:
        sides = {"score": result.score.to_dict(), "source_score": result.source_score.to_dict()}
        return {"ibleu": result.value, "alpha": result.alpha, **sides, "signature": naming_test_set(result.signature)}

    written = []
    for name, of_corpus, of_units in zip(names, whole, systems, strict=True):
        system = {"system": encodable(name), **data(of_corpus)}
        if level != "corpus":
            system[f"{level}s"] = [
                {level: unit, "ibleu": one.value, "score": one.score.value, "source_score": one.source_score.value}
                for unit, one in zip(units, of_units, strict=True)
            ]
        written.append(system)
    destination().deferred().write(as_json({"systems": written, "variant": bleu.variant.to_dict()}) + "\n")
