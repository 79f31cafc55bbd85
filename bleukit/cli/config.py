"""``bleukit config``: variants as files."""

from __future__ import annotations

import click

from bleukit.cli.file_names import FileName
from bleukit.cli.options import chosen_variant, more_in, plugin_option, variant_options
from bleukit.cli.printing import as_json
from bleukit.loading import registry
from bleukit.loading.variant_schema import variant_schema


@click.group("config", no_args_is_help=True, epilog=more_in("variants"))
def command() -> None:
    """Show or check a variant file, or print the JSON Schema."""


@command.command("show")
@variant_options
def show_variant() -> None:
    """Print the variant that the options describe as a variant file."""
    click.echo(chosen_variant().variant.to_yaml(), nl=False)


@command.command("check")
@plugin_option
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
def check_files(files: tuple[str, ...]) -> None:
    """Check variant files; the first mistake is reported with file, line and key."""
    checked = [(file, chosen_variant(config=file)) for file in files]
    for file, bleu in checked:
        click.echo(f"{file}: ok, {bleu.signature}")


@command.command("schema")
@plugin_option
def print_schema() -> None:
    """Print the JSON Schema of variant files, for editors."""
    installed = registry.installed()
    click.echo(as_json(variant_schema({**installed.registered, "variant": installed.variants})))
