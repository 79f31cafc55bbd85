"""``bleukit sacrebleu``, and the test sets that sacreBLEU knows by name and has downloaded (``-t`` and ``-l``)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import arrangement_fields, kept_option, option_value, options
from bleukit.framework.errors import BleukitError, InputError
from bleukit.framework.python_process import python_command
from bleukit.framework.signature import with_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@click.command(
    "sacrebleu",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def sacrebleu(arguments: Sequence[str]) -> int:
    """Score with the options and the output of sacreBLEU."""
    return run_sacrebleu(arguments)


def run_sacrebleu(arguments: Sequence[str]) -> int:
    """Run the command of sacreBLEU in a process of its own, and return its exit status.

    Raises BleukitError if sacreBLEU is missing, or reports an error.
    """
    import subprocess  # heavy, and rarely needed

    from bleukit.compat.originals import require

    require("sacrebleu", "2.5", "bleukit[sacrebleu]")
    ended = subprocess.run(  # noqa: S603 - the user's own arguments, and no shell
        [*python_command("import bleukit.compat.sacrebleu.__main__"), *arguments],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",  # a library in C may write anything
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    if ended.returncode > 0:
        lines = ended.stderr.splitlines() or [f"ended with status {ended.returncode}"]
        one_is_the_error = ended.stderr.startswith(("usage: ", "Traceback "))
        errors = [line.removeprefix("sacreBLEU: ") for line in (lines[-1:] if one_is_the_error else lines)]
        raise BleukitError(f"sacreBLEU: {' '.join(errors)}")
    click.echo(ended.stderr, err=True, nl=False)
    return 128 - ended.returncode if ended.returncode else 0


def _unless(other_option: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """Return what refuses another tool's option that begins with the same letter, for which click takes this one."""

    def checked(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if value == other_option[2:]:
            raise click.NoSuchOption(option.opts[0], ctx=context)
        return value

    return checked


test_set_options = options(
    kept_option(
        "-t",
        "--test-set",
        metavar="NAME",
        callback=_unless("-tok"),
        help="Test sets in sacreBLEU's cache: NAME,... (--list).",
    ),
    kept_option(
        "-l",
        "--language-pair",
        metavar="PAIR",
        callback=_unless("-lc"),
        help="Language pair of the test set, such as en-de.",
    ),
    kept_option("--echo", metavar="FIELD", help="Print fields of the test set, such as src and ref."),
    kept_option("--list", "list_test_sets", is_flag=True, hidden=True),
)
"""Adds -t, -l, --echo and --list to a command; the functions below obey them."""


def print_test_sets(further_fields: Sequence[str]) -> None:
    """List test sets, or print fields of one, as sacreBLEU does, and end the command, if the options ask for that.

    Raises InputError or BleukitError if the test set, or sacreBLEU, is not there.
    """
    name, pair, field = (option_value(key) for key in ("test_set", "language_pair", "echo"))
    if field is None and not option_value("list_test_sets"):
        return
    if field is not None and None in {name, pair}:
        raise click.UsageError("--echo needs a test set (-t) and its language pair (-l)")
    if name is not None:
        from bleukit.compat.sacrebleu.test_sets import require_cached  # takes long to import

        for each in name.split(","):
            require_cached(each, pair)
    words = [*(["-t", name] if name else []), *(["-l", pair] if pair else [])]
    asked = ["--list"] if field is None else ["--echo", field, *further_fields]
    click.get_current_context().exit(run_sacrebleu([*words, *asked]))


def references_of_test_set(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files of references: those of the test sets that the options name, else those given.

    Several test sets follow one another, as in sacreBLEU, in files that exist while the command runs. Raises UsageError
    for both, and for a part of a test set's name; and InputError or BleukitError as above.
    """
    name, pair = option_value("test_set"), option_value("language_pair")
    if name is None and pair is None:
        return given
    if name is None or pair is None:
        raise click.UsageError("a test set (-t) and its language pair (-l) go together")
    if given:
        raise click.UsageError("give references (-r) or a test set (-t), not both")
    from bleukit.compat.sacrebleu.test_sets import reference_files, require_cached  # takes long to import
    from bleukit.shards.sources import checksum

    names = name.split(",")
    for each in names:
        require_cached(each, pair)
    of_sets = [reference_files(each, pair) for each in names]
    if len(set(map(len, of_sets))) > 1:
        numbers = ", ".join(f"{len(files)} of {each}" for each, files in zip(names, of_sets, strict=True))
        raise InputError(f"-t: the test sets have different numbers of references: {numbers}")
    context = click.get_current_context()
    context.meta[__name__] = {
        Path(file).name: checksum(file, file, "reference").sha256 for files in of_sets for file in files
    }
    if len(names) == 1:
        return tuple(of_sets[0])
    from tempfile import TemporaryDirectory  # heavy, and rarely needed

    folder = Path(context.with_resource(TemporaryDirectory()))
    return tuple(_one_file(folder, files) for files in zip(*of_sets, strict=True))


def _one_file(folder: Path, files: Sequence[str]) -> str:
    """Write the lines of some files into one file, one after the other, and return its path."""
    path = folder / "+".join(Path(file).name for file in files)
    with path.open("wb") as joined:
        for file in files:
            content = Path(file).read_bytes()
            joined.write(content if content.endswith(b"\n") else content + b"\n")
    return str(path)


def described_test_set() -> dict[str, Any]:
    """Return what JSON says about the test sets: their names, and the SHA-256 of each file; empty if there is none."""
    if not _checksums():
        return {}
    name, pair = option_value("test_set"), option_value("language_pair")
    return {"test_set": {"name": name, "language_pair": pair, "sha256": _checksums()}}


def naming_test_set(signature: str) -> str:
    """Return a signature that names the files that were read for a test set, and what of a text was scored."""
    named = with_versions(signature, {name: f"sha256:{sha256[:16]}" for name, sha256 in _checksums().items()})
    return "|".join([named, *arrangement_fields()])


def _checksums() -> Mapping[str, str]:
    found: Mapping[str, str] = click.get_current_context().meta.get(__name__, {})
    return found
