"""``bleukit plugins``: where components come from."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from bleukit.cli.options import plugin_option
from bleukit.errors import BleukitError

if TYPE_CHECKING:
    from bleukit.loading.registry import Registered


@click.command()
@plugin_option
def command() -> None:
    """List the plugins that were found, what each provides and what that needs, and which could not be used.

    What is compiled works on whole batches, many times faster.
    """
    from bleukit.cli.printing import show
    from bleukit.loading import registry

    installed = registry.installed()
    rows = []
    for plugin in installed.plugins:
        offers = {**installed.components, "variant": installed.recipes}
        provided = [
            f"{kind.replace('_', ' ')}: {', '.join(names)}"
            for kind, known in offers.items()
            if (names := [_told(kind, name, known[name]) for name in known if known[name].plugin == plugin])
        ]
        provides = f"LEFT OUT: it {plugin.problem}" if plugin.problem else "\n".join(provided) or "nothing"
        rows.append([plugin.name, f"{plugin.distribution} {plugin.version}", provides])
    show(["plugin", "distribution", "provides"], rows)


def _told(kind: str, name: str, registered: Registered) -> str:
    from bleukit.loading.registry import how_to_install

    command = how_to_install(registered.value)
    if command:
        return f"{name} (needs: {command})"
    return f"{name} (compiled)" if _is_compiled(kind, name) else name


def _is_compiled(kind: str, name: str) -> bool:
    from bleukit.compiled import Compiled
    from bleukit.loading.registry import HOOKS, installed
    from bleukit.recipes.variant import Component

    if kind in HOOKS:
        with suppress(BleukitError):  # one that needs options
            return isinstance(installed().create(kind, Component(name)).call, Compiled)
    return False
