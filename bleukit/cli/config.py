"""``bleukit config``: variants as files."""

from __future__ import annotations

import click

from bleukit.cli.options import chosen, plugin_option, variant_options
from bleukit.cli.printing import as_json


@click.group(no_args_is_help=True)
def command() -> None:
    """Show or check a variant; print its JSON Schema."""


@command.command()
@variant_options
def show(variant: str | None, config: str | None, settings: tuple[str, ...]) -> None:
    """Print the whole variant that the options describe as YAML, ready to save."""
    click.echo(chosen(variant, config, settings).variant.to_yaml(), nl=False)


@command.command()
@plugin_option
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def check(files: tuple[str, ...]) -> None:
    """Check variants: the first mistake is reported with file, line and key."""
    checked = [(file, chosen(None, file, ())) for file in files]
    for file, bleu in checked:
        click.echo(f"{file}: ok, {bleu.signature}")


@command.command()
@plugin_option
def schema() -> None:
    """Print the JSON Schema of a variant, for editors."""
    from bleukit.loading import registry
    from bleukit.loading.schema import json_schema

    installed = registry.installed()
    click.echo(as_json(json_schema({**installed.registered, "variant": installed.variants})))
