"""``bleukit plugins``: where components come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit import installation
from bleukit.cli.options import more_in, plugin_option
from bleukit.cli.output import format_option
from bleukit.cli.printing import UNBROKEN, as_json, entries, terminal_width
from bleukit.inspecting.phrases import wrapped_lines
from bleukit.loading import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.installation import InstalledPlugin


@click.command("plugins", epilog=more_in("plugins"))
@plugin_option
@format_option("text", "json")
def command(form: str) -> None:
    """List the plugins, what each provides, and what is missing.

    Compiled parts are optional: without them, scores are the same, but take many times longer.
    """
    installed = installation.plugins()
    parts = installation.compiled_parts()
    disabled = registry.installed().disabled
    if form == "json":
        of_plugins = [plugin.to_dict() for plugin in installed]
        click.echo(as_json({"plugins": of_plugins, "disabled": [p.name for p in disabled], "compiled": parts}))
        return
    width = terminal_width()
    for plugin in installed:
        click.echo("\n".join([*wrapped_lines(str(plugin), width), *entries(_provided(plugin), width), ""]))
    notes = [f"compiled parts: {_compiled(parts)}"]
    if disabled:
        notes.append(f"kept out by {registry.DISABLE}: {', '.join(map(str, disabled))}")
    click.echo("\n".join(line for note in notes for line in wrapped_lines(note, width)))


def _provided(plugin: InstalledPlugin) -> dict[str, str]:
    if plugin.problem:
        return {"LEFT OUT": f"it {plugin.problem}"}
    texts = {}
    for kind, names in plugin.provides.items():
        needs = plugin.needs.get(kind, {})
        labels = [f"{name} (needs: {needs[name]})".replace(" ", UNBROKEN) if name in needs else name for name in names]
        texts[kind.replace("_", " ")] = ", ".join(labels)
    texts |= {"CLASH": ". ".join(plugin.clashes)} if plugin.clashes else {}
    return texts or {"provides": "nothing"}


def _compiled(parts: Mapping[str, bool]) -> str:
    missing = [name for name, is_there in parts.items() if not is_there]
    if not missing:
        return f"all {len(parts)} are in use"
    return (
        f"{len(missing)} of {len(parts)} are missing, so that scoring is many times slower ({', '.join(missing)}); "
        "install a C compiler, then install again what they belong to"
    )
