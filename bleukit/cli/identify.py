"""``bleukit identify``: how a published score was computed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bleukit.cli import options
from bleukit.cli.file_names import FileName
from bleukit.cli.metric_options import variant_names_option
from bleukit.cli.options import OutputOptions, TextOptions
from bleukit.cli.printing import as_json, text_width, with_progress
from bleukit.cli.reading import read_labels, read_segments
from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.identifying.identification import Case
    from bleukit.identifying.procedures import Procedure

NOT_FOUND, MOST_NAMED = 1, 3

LEAST_FILES = 2
"""A case has a file of hypotheses, and at least one of references."""

_BETWEEN = "\0"

REPEATED = {"plugin", "as_text", "limits", *(f"{role}_column" for role in ("hypothesis", "reference", "system"))}
"""The parameters that also belong to a command which reproduces a score."""


class IdentifyCommand(click.Command):
    """A command whose option --case takes all words up to the next option, and that repeats options.

    Its parameter ``repeated`` has the words of the options that say how to read text, and of plugins.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the words of each --case."""
        joined: list[str] = []
        waiting = list(args)
        while waiting:
            word = waiting.pop(0)
            joined.append(word)
            if word == "--case":
                case = []
                while waiting and (waiting[0] == "-" or not waiting[0].startswith("-")):
                    case.append(waiting.pop(0))
                joined.append(_BETWEEN.join(case))
        rest = super().parse_args(ctx, [*joined])
        words, _, order = self.make_parser(ctx).parse_args(joined)
        ctx.params["repeated"] = repeated = []
        for option in sorted(dict.fromkeys(order), key=lambda one: not one.is_eager):
            value = words[str(option.name)] if option.name in REPEATED else ()
            for each in value if isinstance(value, list | tuple) else [value]:
                repeated += [option.opts[0]] if each is True else [option.opts[0], each]
        return rest


@click.command("identify", cls=IdentifyCommand, no_args_is_help=True)
@click.argument("hypothesis", metavar="HYP", type=FileName())
@options.reference_option
@options.option(
    "--score",
    "figure",
    metavar="TEXT",
    required=True,
    help="The score with all its digits, such as 39.9, or the printed line of BLEU.",
)
@options.option(
    "--case",
    "cases",
    metavar="NUMBER HYP REF...",
    type=FileName(lambda case: case.split(_BETWEEN)),  # a figure, which is no file, and files
    multiple=True,
    help="Another figure of the procedure and its files; may be repeated.",
)
@options.documents_option
@options.option(
    "-n", "--number", type=click.IntRange(min=1), metavar="N", default=3, help="Number of answers; default 3."
)
@options.option("--all", "all_named", is_flag=True, help="Name all procedures with the same score.")
@options.option("--mix", is_flag=True, help="Also try mixtures of components that no program has.")
@variant_names_option(help="Also try the variant of a file; may be repeated.", metavar="FILE")
@options.plugin_option
@options.table_options
@options.limit_option
@options.output_option
@options.format_option("text", "json", "html", text="text, json or html; default: text, or html if FILE is .html.")
@options.grouped(text=TextOptions, output=OutputOptions)
def identify(  # noqa: PLR0913
    hypothesis: str,
    text: TextOptions,
    figure: str,
    cases: tuple[str, ...],
    number: int,
    variants: tuple[str, ...],
    output: OutputOptions,
    repeated: Sequence[str],
    *,
    all_named: bool,
    mix: bool,
) -> int:
    """Find how a published score was computed.

    It tries named variants, and the usual deviations from them, the likeliest first. A score matches if it
    rounds to the published one. Answers have probabilities, and so has "none of these". Procedures with the same score
    on this text are one answer; a second figure (--case) tells them apart.

    Exit status: 0 if an answer is likely or possible, 1 if nothing is plausible.

    \b
    bleukit identify --score 39.9 -r reference.txt hypothesis.txt
    bleukit identify --score 39.9 -r r1.txt h1.txt --case 41.2 h2.txt r2.txt
    """
    from bleukit.identifying.identification import identified  # needs NumPy

    names = read_labels(text.documents, text) if text.documents is not None else None
    opened = [_opened(figure, hypothesis, text, names)]
    for words in cases:
        own, *files = words.split(_BETWEEN)
        if len(files) < LEAST_FILES:
            raise click.UsageError("--case takes a figure, a file of hypotheses and files of references")
        opened.append(_opened(own, files[0], replace(text, references=tuple(files[1:])), None))
    identification = identified(
        opened, variants, progress=lambda steps: with_progress(steps, len(steps), "Trying", after=1), mix=mix
    )
    answers = identification.answers

    def command_of(procedure: Procedure) -> str:
        return procedure.command(repeated, hypothesis, text.references, text.documents)

    form = output.form_of_page()
    if form == "html":
        from bleukit.reporting.inspected import page  # needs NumPy

        click.echo(page(identification, command=command_of).html, nl=False)
    elif form == "json":
        data = identification.to_dict()
        for answer, plain in zip(answers, data["answers"], strict=True):
            plain["command"] = command_of(answer.first)
            for found, same in zip(answer.same_score, plain["same_score"], strict=True):
                same["command"] = command_of(found)
        click.echo(as_json(data))
    else:
        click.echo(identification.as_text(text_width(), number, None if all_named else MOST_NAMED))
        if answers and identification.verdict != "nothing plausible":
            click.echo(f"To reproduce: {command_of(answers[0].first)}")
    return NOT_FOUND if identification.verdict == "nothing plausible" else 0


def _opened(figure: str, hypothesis: str, text: TextOptions, documents: Sequence[str] | None) -> Case:
    """Return a case of files. Raises InputError if their segments differ in the number of references."""
    from bleukit.identifying.identification import Case
    from bleukit.identifying.published_score import PublishedScore

    corpus, read = read_segments(hypothesis, text)
    segments = read(None)
    if corpus.references is None:
        raise InputError(f"{hypothesis}: the number of references varies, so that no choice among them can be tried")
    if documents is not None and len(documents) != len(segments):
        raise InputError(f"{len(segments)} segments, but {len(documents)} documents")
    return Case(PublishedScore.parse(figure), read, documents)
