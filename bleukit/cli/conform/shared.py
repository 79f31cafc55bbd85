"""The options that the conformance commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bleukit.cli.completion import VariantName
from bleukit.cli.file_names import FileName, FileNames
from bleukit.conformance.judging import cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.conformance.judging.cases import CaseDocument

Function = TypeVar("Function", bound=Callable[..., Any])

NOT_CONFORMING = 1
"""The exit status if something does not conform."""

cases_option = click.option(
    "--cases",
    "folder",
    metavar="DIR",
    type=FileNames(lambda folder: map(str, Path(folder).glob("*.yaml"))),
    help="Add the cases in DIR to those of the documents.",
)


def variants_option(what: str) -> Callable[[Function], Function]:
    """Add -V; the command receives the names as ``variants``."""
    return click.option(
        "-V",
        "--variant",
        "variants",
        metavar="NAME",
        type=VariantName(),
        multiple=True,
        help=f"{what} May be repeated.",
    )


def configs_option(what: str) -> Callable[[Function], Function]:
    """Add -c; the command receives the files as ``configs``."""
    return click.option(
        "-c", "--config", "configs", metavar="FILE", type=FileName(), multiple=True, help=f"{what} May be repeated."
    )


def format_option(*formats: str) -> Callable[[Function], Function]:
    """Add --format, of which the first is the default; the command receives it as ``form``."""
    first, *others = formats
    named = f"{first} (default), {', '.join(others[:-1])} or {others[-1]}."
    return click.option("--format", "form", type=click.Choice(formats), default=first, metavar="FORMAT", help=named)


def sources(variants: Sequence[str], configs: Sequence[str]) -> list[str | Path]:
    """Return the variants that -V and -c choose: names, and paths of files."""
    return [*variants, *map(Path, configs)]


def documents(folder: str | None) -> dict[str, CaseDocument]:
    """Return the documents of the suite and those in a folder, by name."""
    return cases.documents_by_name(None if folder is None else Path(folder))
