"""``bleukit conform export``: the cases as JSON, for runners in any language."""

from __future__ import annotations

from pathlib import Path

import click

from bleukit.cli.conform.shared import cases_option, configs_option, documents, sources, variants_option
from bleukit.cli.file_names import OutputName
from bleukit.cli.options import plugin_option
from bleukit.conformance.implementations import exporting


@click.command("export")
@click.argument("directory", metavar="DIR", type=OutputName())
@variants_option("Export the cases for this variant; default: all of bleukit's own.")
@configs_option("Export the cases for the variant in this YAML file.")
@cases_option
@plugin_option
def command(directory: str, variants: tuple[str, ...], configs: tuple[str, ...], folder: str | None) -> None:
    """Write the cases as JSON, for runners in any language.

    DIR is a new or empty folder. Each case is resolved for each variant. The README.md in DIR explains the files.

    \b
    bleukit conform export exported -V wikipedia
    """
    target = Path(directory)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise click.UsageError(f"{directory}: expected a new or empty folder")
    named = sources(variants, configs)
    files = dict(exporting.exported_files(documents(folder), named or exporting.bleukits_own()))
    try:
        for path, data in files.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"{directory}: cannot be written: {error.strerror}") from error
