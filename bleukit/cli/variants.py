"""``bleukit variants``: the named recipes."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the BLEU variants, or print the recipe NAME as YAML, ready to save and change."""
    from bleukit import registry, variant

    installed = registry.installed()
    if name:
        click.echo(variant.named(name, installed).to_yaml(), nl=False)
        return
    from bleukit.cli.tables import show

    rows = []
    for known in sorted(installed.recipes):
        recipe = variant.named(known, installed)
        rows.append(
            [
                known,
                *(getattr(recipe, kind).name for kind in registry.HOOKS),
                "/".join(f"{weight:g}" for weight in recipe.weights),
                f"0 to {recipe.scale}",
                recipe.description,
            ]
        )
    show(["variant", "tokenizer", "counter", "length", "smoothing", "weights", "scale", "what it is"], rows)
