"""``bleukit merge``: statistics in, scores out."""

from __future__ import annotations

import click

from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.options import more_in, plugin_option, score_only_option, width_option
from bleukit.cli.output import output_option, score_format_option
from bleukit.cli.reading import chosen_limits, limit_option
from bleukit.cli.scores import score_format, write_scores
from bleukit.cli.units import units_of_shard
from bleukit.errors import InputError
from bleukit.shards.shard import Shard


@click.command("merge", no_args_is_help=True, epilog=more_in("statistics-files"))
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
@plugin_option
@click.option("--equal-parts", is_flag=True, help="Accept files whose statistics are equal: the text repeats itself.")
@click.option(
    "--statistics", "kept", metavar="FILE", type=OutputName(), help="Write the sum to FILE, which can be merged again."
)
@limit_option
@width_option
@score_only_option
@output_option
@score_format_option
def command(files: tuple[str, ...], kept: str | None, form: str | None, *, equal_parts: bool) -> None:
    """Add up statistics of parts of a text, and score the sum.

    Each FILE was written by 'bleukit score --statistics'. The files hold parts of one text, in the order of the text,
    counted by the same variant and version at the same level. A part that occurs twice is an error. System N of each
    file is the same system.

    \b
    bleukit score --statistics part1.jsonl -r reference.part1 hypothesis.part1
    bleukit score --statistics part2.jsonl -r reference.part2 hypothesis.part2
    bleukit merge part1.jsonl part2.jsonl
    """
    form = score_format(form)
    shards: dict[str, Shard] = {}
    for path in files:
        if path in shards:
            raise InputError(f"{path}: is given twice")
        shards[path] = Shard.read(path, limits=chosen_limits())
    merged = Shard.merged(shards, equal_parts=equal_parts)
    try:
        bleu = merged.load()
    except InputError as error:
        raise InputError(f"{files[0]}: {error}") from error
    write_scores(form, bleu, merged.level, list(merged.statistics), [units_of_shard(merged)])
    if kept is not None:
        merged.write(kept)
