"""What a shell completes beside files: the names of variants, of their keys and of components."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem
from click.types import StringParamType

from bleukit.cli.file_names import FileName
from bleukit.errors import VariantError
from bleukit.loading import registry
from bleukit.loading.manager import COMPONENT_HOOKS
from bleukit.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import click


class VariantName(FileName):
    """Text that names a variant, or a file."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the variants whose names begin so; if there are none, let the shell complete a file."""
        named = _beginning(registry.installed().variants, incomplete)
        return named or super().shell_complete(ctx, param, incomplete)


class ComponentName(StringParamType):
    """Text that names a component of a kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Return the components whose names begin so."""
        return _beginning(registry.installed().registered[self.kind], incomplete)


class Setting(FileName):
    """Text of the form KEY=VALUE; the value may hold the name of a file, such as that of a model."""

    def read(self, value: str) -> Iterable[str]:
        """Return the texts in the value."""
        from bleukit import yaml_document  # PyYAML is heavy, and rarely needed

        with suppress(VariantError):  # which is raised when the value is used
            yield from _texts(yaml_document.parse(value.partition("=")[2], value).data)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Return the keys that begin so, or, after a key of components, their names."""
        key, equals, _ = incomplete.partition("=")
        if not equals:
            return _beginning((f"{name}=" for name in Variant.__struct_fields__), incomplete)
        names = registry.installed().registered[key] if key in COMPONENT_HOOKS else ()
        return _beginning((f"{key}={name}" for name in names), incomplete)


def _texts(data: object) -> Iterator[str]:
    """Yield all texts in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _texts(each)


def _beginning(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(incomplete)]
