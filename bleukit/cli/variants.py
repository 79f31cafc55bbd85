"""``bleukit variants``: the named recipes."""

from __future__ import annotations

import click

from bleukit.cli.options import plugin_option


@click.command()
@plugin_option
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the BLEU variants, or print the recipe NAME as YAML, ready to save and change."""
    from bleukit.errors import VariantError
    from bleukit.loading import loader, registry

    installed = registry.installed()
    if name:
        click.echo(loader.named(name, installed).to_yaml(), nl=False)
        return
    from bleukit.cli.printing import show_with_notes

    rows, recipes = [], []
    for known in sorted(installed.recipes):
        title = f"{known} (default)" if known == loader.default() else known
        try:
            recipe = loader.named(known, installed)
        except VariantError as error:  # the recipe of one plugin must not hide those of the others
            rows.append([title, *[""] * 6])
            recipes.append({"description": f"BROKEN: {error}"})
            continue
        names = [getattr(recipe, kind).name for kind in registry.HOOKS]
        rows.append([title, *names, _weights(recipe.weights), str(recipe.scale)])
        recipes.append(recipe.fields())
    notes = {"what it is": "description", "used by": "used_by", "source": "source"}
    show_with_notes(
        ["variant", "tokenizer", "counter", "length", "smoothing", "weights", "scale"],
        rows,
        {title: [recipe.get(key, "") for recipe in recipes] for title, key in notes.items()},
    )


def _weights(weights: tuple[float, ...]) -> str:
    if len(set(weights)) == 1:
        return f"{len(weights)}×{weights[0]:.3g}"
    return "/".join(f"{weight:g}" for weight in weights)
