"""``bleukit plugins``: where components come from."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """List the plugins that were found, what each provides, and which could not be used."""
    from bleukit import registry
    from bleukit.cli.printing import show

    installed = registry.installed()
    rows = []
    for plugin in installed.plugins:
        offers = {**installed.components, "variant": installed.recipes}
        provided = [
            f"{kind.replace('_', ' ')}: {', '.join(names)}"
            for kind, known in offers.items()
            if (names := [name for name, registered in known.items() if registered.plugin == plugin])
        ]
        provides = f"LEFT OUT: it {plugin.problem}" if plugin.problem else "\n".join(provided) or "nothing"
        rows.append([plugin.name, f"{plugin.distribution} {plugin.version}", provides])
    show(["plugin", "distribution", "provides"], rows)
