"""``bleukit merge``: statistics in, scores out."""

from __future__ import annotations

import click

from bleukit.cli.options import plugin_option, width_option
from bleukit.cli.output import output_option, refuse_to_overwrite, table_format_option, table_of_output


@click.command(no_args_is_help=True)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@plugin_option
@click.option(
    "--statistics", "kept", metavar="FILE", help="Write the sum of all files into FILE, which may be merged again."
)
@width_option
@click.option("-q", "--score-only", is_flag=True, help="Print nothing but scores, one line per system or unit.")
@output_option
@table_format_option
def command(files: tuple[str, ...], kept: str | None, width: int | None, score_only: bool, form: str | None) -> None:
    """Add up statistics that 'bleukit score --statistics' has kept, and print the scores as 'bleukit score' does.

    The files hold parts of one text, in the order of the text. All must be counted by the same variant, by the same
    versions, at the same level; the same part of the text twice is an error. System N of each file is one system.

    \b
    bleukit score --statistics part1.jsonl -r reference.part1 hypothesis.part1
    bleukit score --statistics part2.jsonl -r reference.part2 hypothesis.part2
    bleukit merge part1.jsonl part2.jsonl
    """
    table = table_of_output(form, width, score_only=score_only)
    from bleukit.cli.keeping import scores_of
    from bleukit.cli.score_tables import print_scores
    from bleukit.errors import InputError
    from bleukit.shards.shard import Shard

    shards: dict[str, Shard] = {}
    for path in files:
        if path in shards:
            raise InputError(f"{path}: is given twice")
        shards[path] = Shard.read(path)
    if kept is not None:
        refuse_to_overwrite(kept, files)
    merged = Shard.merged(shards)
    try:
        bleu = merged.load()
    except InputError as error:
        raise InputError(f"{files[0]}: {error}") from error
    scores = scores_of(merged, bleu)
    if kept is not None:
        merged.write(kept)
    print_scores(scores, form, table, width, score_only=score_only)
