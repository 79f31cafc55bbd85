"""``bleukit sacrebleu``, and the test sets that sacreBLEU knows by name and has downloaded (``-t`` and ``-l``)."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import Exclusion, option, options
from bleukit.framework.errors import BleukitError, InputError
from bleukit.framework.python_process import python_command
from bleukit.framework.signature import with_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


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
    option(
        "-t",
        "--test-set",
        metavar="NAME",
        callback=_unless("-tok"),
        help="Test sets in sacreBLEU's cache: NAME,... (--list).",
    ),
    option(
        "-l",
        "--language-pair",
        metavar="PAIR",
        callback=_unless("-lc"),
        help="Language pair of the test set, such as en-de.",
    ),
    option("--echo", metavar="FIELD", help="Print fields of the test set, such as src and ref."),
    option("--list", "list_test_sets", is_flag=True, hidden=True),
)
"""Adds -t, -l, --echo and --list to a command."""

_NEEDED = "needs a test set (-t) and its language pair (-l)"
_TOGETHER = "a test set (-t) and its language pair (-l) go together"
TEST_SET_EXCLUSIONS = (
    Exclusion("--echo", "", f"--echo {_NEEDED}", "--test-set"),
    Exclusion("--echo", "", f"--echo {_NEEDED}", "--language-pair"),
    Exclusion("--test-set", "", _TOGETHER, "--language-pair, --echo, --list"),
    Exclusion("--language-pair", "", _TOGETHER, "--test-set, --echo, --list"),
    Exclusion("--test-set", "--reference", "give references (-r) or a test set (-t), not both", "--echo, --list"),
)
"""What these options exclude."""


@dataclass(frozen=True)
class TestSetOptions:
    """The test sets that are scored, or printed."""

    test_set: str | None = None
    """Their names, with commas between them."""
    language_pair: str | None = None
    echo: str | None = None
    list_test_sets: bool = False


@dataclass(frozen=True)
class Provenance:
    """What signatures and JSON say of a text: the test sets that it is of, and what was done to it."""

    test_set: str | None = None
    language_pair: str | None = None
    checksums: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of each file of the test sets."""
    of_procedure: Sequence[str] = ()
    """What was done to the text, as fields of a signature."""

    @property
    def members(self) -> dict[str, Any]:
        """What JSON says about the test sets; empty if there is none."""
        if not self.checksums:
            return {}
        named = {"name": self.test_set, "language_pair": self.language_pair, "sha256": self.checksums}
        return {"test_set": named}

    def named(self, signature: str) -> str:
        """Return a signature that names the files of the test sets, and says what was done to the text."""
        files = {name: f"sha256:{sha256[:16]}" for name, sha256 in self.checksums.items()}
        return "|".join([with_versions(signature, files), *self.of_procedure])


def printed_test_sets(options: TestSetOptions, further_fields: Sequence[str]) -> int | None:
    """List test sets, or print fields of one, as sacreBLEU does, and return its exit status; None if nothing is asked.

    Raises InputError or BleukitError if the test set, or sacreBLEU, is not there.
    """
    name, pair, fields = options.test_set, options.language_pair, options.echo
    if fields is None and not options.list_test_sets:
        return None
    if name is not None:
        from bleukit.compat.sacrebleu.test_sets import require_cached  # takes long to import

        for each in name.split(","):
            require_cached(each, pair)
    words = [*(["-t", name] if name else []), *(["-l", pair] if pair else [])]
    asked = ["--list"] if fields is None else ["--echo", fields, *further_fields]
    return run_sacrebleu([*words, *asked])


@contextmanager
def opened_test_sets(
    options: TestSetOptions, of_procedure: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], Provenance]]:
    """Yield the files of references of the test sets, none without a test set, and what signatures say of them.

    Several test sets follow one another, as in sacreBLEU, in files that exist until the end. Raises InputError or
    BleukitError as above, and InputError for test sets with different numbers of references.
    """
    if options.test_set is None or options.language_pair is None:
        yield (), Provenance(of_procedure=of_procedure)
        return
    from bleukit.compat.sacrebleu.test_sets import reference_files, require_cached  # takes long to import
    from bleukit.shards.sources import checksum

    names, pair = options.test_set.split(","), options.language_pair
    for each in names:
        require_cached(each, pair)
    of_sets = [reference_files(each, pair) for each in names]
    if len(set(map(len, of_sets))) > 1:
        numbers = ", ".join(f"{len(files)} of {each}" for each, files in zip(names, of_sets, strict=True))
        raise InputError(f"-t: the test sets have different numbers of references: {numbers}")
    checksums = {Path(file).name: checksum(file, file, "reference").sha256 for files in of_sets for file in files}
    provenance = Provenance(options.test_set, pair, checksums, of_procedure)
    if len(names) == 1:
        yield tuple(of_sets[0]), provenance
        return
    from tempfile import TemporaryDirectory  # heavy, and rarely needed

    with TemporaryDirectory() as folder:
        yield tuple(_one_file(Path(folder), files) for files in zip(*of_sets, strict=True)), provenance


def _one_file(folder: Path, files: Sequence[str]) -> str:
    """Write the lines of some files into one file, one after the other, and return its path."""
    path = folder / "+".join(Path(file).name for file in files)
    with path.open("wb") as joined:
        for file in files:
            content = Path(file).read_bytes()
            joined.write(content if content.endswith(b"\n") else content + b"\n")
    return str(path)
