"""``bleukit self-bleu``: how alike the lines of a file are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.file_names import FileName
from bleukit.cli.options import chosen_variant, decimals, more_in, option_value, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json, broken_signature, encodable, terminal_width
from bleukit.cli.reading import hypothesis_column_option, limit_option, read_texts
from bleukit.errors import InputError
from bleukit.loading import creating, registry
from bleukit.text.files import refuse_second_readers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.metric import Bleu
    from bleukit.pairs.diversity import Diversity
    from bleukit.pairs.self_bleu import SelfBleu
    from bleukit.protocols import AmongTexts


@click.command("self-bleu", no_args_is_help=True, epilog=more_in("pairs"))
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
@click.option(
    "-d", "--definition", metavar="NAME", help="A published definition of self-BLEU; 'bleukit plugins' lists them."
)
@variant_options
@click.option(
    "--references",
    type=click.Choice(["others", "all", "later"]),
    metavar="LINES",
    help="References of a line: others (default), all, or later (each later line alone).",
)
@click.option("--first", type=click.IntRange(min=2), metavar="N", help="Use only the first N lines.")
@click.option("--sample", type=click.IntRange(min=2), metavar="N", help="Use N random lines if there are more.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Random seed.")
@click.option(
    "--level",
    type=click.Choice(["corpus", "sentence"]),
    default="corpus",
    metavar="LEVEL",
    help="corpus (default), or sentence: the score of each line.",
)
@click.option(
    "-n",
    "--samples",
    "each",
    type=click.IntRange(min=2),
    metavar="N",
    help="Every N lines are samples of a source: how diverse are they?",
)
@hypothesis_column_option
@limit_option
@width_option
@output_option
@format_option("text", "json")
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    definition: str | None,
    references: AmongTexts | None,
    first: int | None,
    sample: int | None,
    seed: int,
    level: str,
    each: int | None,
    form: str,
) -> None:
    """Measure how similar the lines of a file are (self-BLEU).

    Self-BLEU is the mean score of the lines, each with all others as its references. FILE is a text file, an evaluation
    set or a table. With -n, samples are compared with those of the same source.

    \b
    bleukit self-bleu FILE
    bleukit self-bleu -d texygen FILE
    bleukit self-bleu -n 8 SAMPLES
    """
    refuse_second_readers(files)
    policy: dict[str, Any] = {"references": references, "first": first}
    given = {"-d": definition, "--sample": sample}
    given |= {f"--{name}": value for name, value in policy.items()}
    if level == "sentence":
        given.pop("--references")
        _refuse(given, "--level sentence")
    if each:
        _refuse({**given, "--level sentence": True if level == "sentence" else None}, "--samples")
    bleu, policy = _chosen(definition, policy)
    of_files = [(path, _texts(path, bleu)) for path in files]
    if level == "sentence":
        _write_scores(bleu, of_files, policy["references"], form)
        return
    if each:
        results: list[Any] = [bleu.diversity(_by_source(path, texts, each)) for path, texts in of_files]
    else:
        results = [bleu.self_bleu(texts, **policy, sample=sample, seed=seed) for _, texts in of_files]
    if form == "json":
        members = [{"file": encodable(path), **result.to_dict()} for path, result in zip(files, results, strict=True)]
        click.echo(as_json({"files": members, "signature": bleu.signature}))
        return
    lines_of = _lines_of_diversity if each else _lines_of_self_bleu
    for path, result in zip(files, results, strict=True):
        name = f"{encodable(path)}: " if len(files) > 1 else ""
        for line in lines_of(result, decimals(bleu)):
            click.echo(f"{name}{line}")
    for signature in dict.fromkeys(result.signature for result in results):
        click.echo(broken_signature(f"signature {signature}", terminal_width()))


def _refuse(given: Mapping[str, object], option: str) -> None:
    """Raise UsageError for an option that was given beside another."""
    other = next((name for name, value in given.items() if value is not None), None)
    if other:
        raise click.UsageError(f"{option} cannot be combined with {other}")


def _chosen(definition: str | None, policy: dict[str, Any]) -> tuple[Bleu, dict[str, Any]]:
    """Return the BLEU and the policy of a published definition, or of the other options."""
    if definition is None:
        return chosen_variant(), {**policy, "references": policy["references"] or "others"}
    if any(value is not None for value in (*policy.values(), *map(option_value, ("variant", "config")))):
        others = "-V, -c, --references or --first"
        raise click.UsageError(f"--definition cannot be combined with {others}; --set changes its variant")
    published = creating.self_bleu_definition(registry.installed(), definition)
    return chosen_variant(published.keys), published.policy


def _texts(path: str, bleu: Bleu) -> list[str]:
    texts = read_texts(path, bleu)
    if len(texts) < 2:
        raise InputError(f"{path}: self-BLEU needs two or more texts, got {len(texts)}")
    return texts


def _by_source(path: str, texts: Sequence[str], each: int) -> list[Sequence[str]]:
    """Return the samples of each source."""
    if len(texts) % each:
        raise InputError(f"{path}: has {len(texts)} lines, which are no groups of {each}")
    return [texts[start : start + each] for start in range(0, len(texts), each)]


def _lines_of_self_bleu(result: SelfBleu, digits: int) -> list[str]:
    sampled = "" if result.seed is None else f", sampled with seed {result.seed}"
    return [f"self-BLEU {result.value:.{digits}f} of {result.texts:,} texts{sampled}"]


def _lines_of_diversity(result: Diversity, digits: int) -> list[str]:
    return [f"{result.texts:,} samples of {result.sources:,} sources", *result.lines(digits)]


def _write_scores(bleu: Bleu, of_files: Sequence[tuple[str, list[str]]], references: AmongTexts, form: str) -> None:
    """Print the score of each line of each file."""
    scores = [(path, bleu.self_bleu_scores(texts, references=references)) for path, texts in of_files]
    if form == "json":
        members = [{"file": encodable(path), "scores": of_file.tolist()} for path, of_file in scores]
        click.echo(as_json({"files": members, "signature": bleu.signature}))
        return
    for path, of_file in scores:
        name = f"{encodable(path)}\t" if len(scores) > 1 else ""
        for number, score in enumerate(of_file.tolist(), 1):
            click.echo(f"{name}{number}\t{score:.{decimals(bleu)}f}")
    click.echo(f"# signature {bleu.signature}")
