"""``bleukit sacrebleu``: the command of sacreBLEU; bleukit computes BLEU, and sacreBLEU itself the rest."""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from bleukit.errors import BleukitError
from bleukit.loading.creating import version_of

if TYPE_CHECKING:
    from collections.abc import Iterator

METRICS = ("bleu", "chrf", "ter")
OF_TEST_SETS = ("list", "citation", "download", "echo", "origlang", "subset", "detail")
"""Options about test sets, for which sacreBLEU itself is run."""

logger = logging.getLogger("sacrebleu")


class _Unparsed(click.Command):
    """Leaves its arguments as they are: click has no options that take any number of values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.args = args
        return args


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise click.UsageError(message, click.get_current_context())


@click.command("sacrebleu", cls=_Unparsed, add_help_option=False)
@click.pass_context
def command(context: click.Context) -> None:
    """Score with the options and the output of sacreBLEU."""
    parser = _parser()
    options, unknown = parser.parse_known_args(context.args)
    of_sacrebleu = [f"--{name}" for name in OF_TEST_SETS if getattr(options, name) not in (None, False)]
    of_sacrebleu += [f"-m {metric}" for metric in options.metrics if metric != "bleu"]
    if options.help:
        click.echo(parser.format_help(), nl=False)
    elif options.version:
        from bleukit.compat.sacrebleu import __version__  # takes long to import

        click.echo(f"sacrebleu {__version__}")
    elif of_sacrebleu:
        context.exit(run_by_sacrebleu(context.args, ", ".join(of_sacrebleu)))
    elif unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    else:
        from bleukit.compat.sacrebleu.sacrebleu import results  # takes long to import

        with _messages(quiet=options.quiet):
            for text in results(options):
                # without -nc, click removes the colours if this is no terminal
                click.echo(text, color=options.no_color or None)


def run_by_sacrebleu(arguments: list[str], reason: str) -> int:
    """Run the installed sacreBLEU, say so, and return its exit status. Raises BleukitError if it reports an error."""
    version = version_of("sacrebleu")
    if not version:
        raise BleukitError(f"{reason}: this needs sacreBLEU: pip install 'bleukit[sacrebleu]'")
    click.echo(f"bleukit: {reason}: computed by sacreBLEU {version}", err=True)
    ended = subprocess.run(  # noqa: S603 - the user's own arguments, and no shell
        [sys.executable, "-m", "sacrebleu", *arguments], stderr=subprocess.PIPE, text=True, check=False
    )
    if ended.returncode > 0:
        lines = ended.stderr.splitlines() or [f"ended with status {ended.returncode}"]
        errors = [line.removeprefix("sacreBLEU: ") for line in lines if line.startswith("sacreBLEU: ")]
        raise BleukitError(f"sacreBLEU: {' '.join(errors or lines[-1:])}")
    click.echo(ended.stderr, err=True, nl=False)
    return 128 - ended.returncode if ended.returncode else 0


def _parser() -> _Parser:
    from bleukit.compat.sacrebleu.metrics import BLEU  # takes long to import
    from bleukit.compat.sacrebleu.sacrebleu import FORMATS

    parser = _Parser(
        prog="bleukit sacrebleu",
        usage="bleukit sacrebleu [OPTION]... [REF]... [-i HYP...]",
        formatter_class=partial(argparse.HelpFormatter, max_help_position=36),
        add_help=False,
        description="Score like the command of sacreBLEU, with its options and the same output. REF are files of"
        " references, and stand before -i. sacreBLEU itself is run for -m chrf and -m ter, with their options, and for"
        " --list, --echo, --download, --citation, --origlang, --subset and --detail.",
        epilog="These, and tables of several systems, need: pip install 'bleukit[sacrebleu]'",
    )
    add = parser.add_argument
    add("refs", nargs="*", default=[], metavar="REF", help=argparse.SUPPRESS)
    add("--input", "-i", nargs="*", metavar="HYP", help="hypothesis files (default: standard input)")
    add("--num-refs", "-nr", type=int, default=1, metavar="N", help="references per line, separated by tabs")
    add("--encoding", "-e", default="utf-8", metavar="NAME", help="encoding of all files (default: %(default)s)")
    add("--metrics", "-m", nargs="+", choices=METRICS, default=["bleu"], metavar="NAME", help="bleu, chrf, ter")
    add("--sentence-level", "-sl", action="store_true", help="score each sentence, with effective order")
    add(
        "--smooth-method",
        "-s",
        choices=list(BLEU.SMOOTH_DEFAULTS),
        default="exp",
        metavar="NAME",
        help="none, floor, add-k or exp (default: %(default)s)",
    )
    add("--smooth-value", "-sv", type=float, metavar="X", help="value of floor (default 0.1) or add-k (1)")
    tokenizers = f"{', '.join(BLEU.TOKENIZERS)} (by target language, or 13a)"
    add("--tokenize", "-tok", choices=list(BLEU.TOKENIZERS), metavar="NAME", help=tokenizers)
    add("--lowercase", "-lc", action="store_true", help="ignore case")
    add("--force", action="store_true", help="no warning about text that looks tokenized")
    add("--confidence", "-ci", action="store_true", help="add the 95 %% interval, by the bootstrap")
    add(
        "--confidence-n",
        "-cin",
        type=int,
        default=1000,
        metavar="N",
        help="number of its resamples (default: %(default)s)",
    )
    paired = parser.add_mutually_exclusive_group()
    paired.add_argument("--paired-ar", "-par", action="store_true", help="test by approximate randomization")
    paired.add_argument("--paired-bs", "-pbs", action="store_true", help="test by the paired bootstrap")
    add("--paired-ar-n", "-parn", type=int, default=10000, metavar="N", help="number of trials (default: %(default)s)")
    add(
        "--paired-bs-n", "-pbsn", type=int, default=1000, metavar="N", help="number of resamples (default: %(default)s)"
    )
    add("--paired-jobs", "-j", type=int, default=1, help=argparse.SUPPRESS)
    add("--quiet", "-q", action="store_true", help="print only warnings as messages")
    add("--short", "-sh", action="store_true", help="abbreviate the signature")
    add("--score-only", "-b", action="store_true", help="print only the score")
    add("--width", "-w", type=int, default=1, metavar="N", help="number of decimals (default: %(default)s)")
    add("--detail", "-d", action="store_true", help=argparse.SUPPRESS)
    add("--no-color", "-nc", action="store_true", help="print no colors")
    add(
        "--format",
        "-f",
        choices=FORMATS,
        default="json",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: SACREBLEU_FORMAT, or %(default)s)",
    )
    add("--test-set", "-t", metavar="NAME", help="test sets, separated by commas")
    add("--language-pair", "-l", dest="langpair", metavar="PAIR", help="their language pair, such as en-de")
    add("--list", action="store_true", help=argparse.SUPPRESS)
    add("--citation", "--cite", action="store_true", help=argparse.SUPPRESS)
    add("--download", help=argparse.SUPPRESS)
    add("--echo", nargs="+", help=argparse.SUPPRESS)
    add("--origlang", "-ol", help=argparse.SUPPRESS)
    add("--subset", help=argparse.SUPPRESS)
    add("--version", "-V", action="store_true", help="print the version that is reproduced")
    add("--help", "-h", action="store_true", help="print this page")
    return parser


@contextmanager
def _messages(*, quiet: bool) -> Iterator[None]:
    """Print what sacreBLEU would: all messages with its name before them, or warnings alone."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s" if quiet else "sacreBLEU: %(message)s"))
    level = logger.level
    logger.setLevel(logging.WARNING if quiet else logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
