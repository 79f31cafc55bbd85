"""The options that choose a variant and bring plugins, shared by the commands."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from bleukit.metric import Bleu

Function = TypeVar("Function", bound=Callable[..., Any])


def remember(context: click.Context, option: str, given: tuple[str, ...]) -> None:
    """Remember an option that any command which reads the same must be given, too."""
    context.meta.setdefault(__name__, []).extend(word for value in given for word in (option, value))


def remembered() -> list[str]:
    """Return the words of the options that were remembered."""
    return [*click.get_current_context().meta.get(__name__, ())]


def _use_plugins(context: click.Context, option: click.Parameter, modules: tuple[str, ...]) -> None:  # noqa: ARG001
    remember(context, "--plugin", modules)
    if modules:
        from bleukit.errors import VariantError
        from bleukit.loading import registry

        try:
            context.with_resource(registry.also_installed(modules))
        except VariantError as error:
            raise click.BadParameter(error.problem) from error


def _plugin_option(*name: str, **how: Any) -> Callable[[Function], Function]:
    what = "Use the plugin in this module, too: a name as in 'import NAME', or the path of a .py file. May be repeated."
    return click.option("--plugin", *name, metavar="MODULE", multiple=True, help=what, **how)


plugin_option = _plugin_option(is_eager=True, expose_value=False, callback=_use_plugins)
unloaded_plugin_option = _plugin_option("plugins")
"""Adds --plugin to a command that receives the modules as ``plugins``, to load them itself, or in another process."""


def variant_options(command: Function) -> Function:
    """Add -V, -c, --set and --plugin to a command; it receives what :func:`chosen` takes."""
    for option in (
        plugin_option,
        click.option(
            "--set",
            "settings",
            metavar="KEY=VALUE",
            multiple=True,
            help="Override a key of the variant: --set smoothing=floor --set 'weights=[0.5, 0.5]'. May be repeated.",
        ),
        click.option("-c", "--config", metavar="FILE", help="A variant in a YAML file."),
        click.option(
            "-V",
            "--variant",
            metavar="NAME",
            help="A named variant; 'bleukit variants' lists them and marks the default.",
        ),
    ):
        command = option(command)
    return command


width_option = click.option(
    "-w",
    "--width",
    type=click.IntRange(0, 17),
    metavar="N",
    help="Digits of scores behind the point. Default: 2, or 4 if the scale is 1.",
)


def decimals(bleu: Bleu, width: int | None) -> int:
    """Return how many digits behind the point scores have in tables; ``width`` is what was asked for."""
    if width is not None:
        return width
    return 2 if bleu.variant.scale == 100 else 4


threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="How many threads count. Default: the cores."
)


signature_option = click.option(
    "--signature",
    metavar="TEXT",
    help="Score as another tool's signature says, such as sacreBLEU's 'nrefs:1|case:mixed|eff:no|tok:13a|...'.",
)


def chosen_for(
    references: int | None, variant: str | None, config: str | None, settings: tuple[str, ...], signature: str | None
) -> tuple[Bleu, Mapping[str, Any]]:
    """Return the BLEU that the options choose for so many references, and how its signature says to compare.

    ``references`` is None if the number is not known, or varies.
    """
    if signature is None:
        return chosen(variant, config, settings), {}
    from bleukit import metric
    from bleukit.errors import InputError
    from bleukit.loading import signature_formats

    if variant is not None or config is not None or settings:
        raise click.UsageError("--signature cannot be combined with -V, -c or --set")
    said = signature_formats.read(signature)
    if not said.any_references and said.references != references:
        plural = "" if said.references == 1 else "s"
        wanted = f"{said.references or 'a varying number of'} reference{plural}"
        here = "lists may hold any number" if references is None else f"each has {references}"
        raise InputError(f"the signature is for {wanted} a segment, here {here}")
    if said.caveat:
        click.echo(f"bleukit: warning: {said.caveat}", err=True)
    return metric.load(said.variant), said.comparison


def chosen(
    variant: str | None, config: str | None, settings: tuple[str, ...], keys: Mapping[str, Any] | None = None
) -> Bleu:
    """Return the BLEU that the options choose; ``keys`` are laid over the variant before what is set."""
    from bleukit import metric

    if variant is not None and config is not None:
        raise click.UsageError("give -V or -c, not both; a file names the variant it starts from with 'variant: NAME'")
    overrides = {}
    for setting in settings:
        from bleukit import yaml_document  # which imports a parser: only with --set

        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise click.UsageError(f"--set takes KEY=VALUE, got {setting!r}")
        if key in overrides:
            raise click.UsageError(f"--set gives {key!r} twice")
        overrides[key] = yaml_document.parse(value, f"--set {key}").data
    source: str | PathLike[str] | None = variant
    if config is not None:
        from pathlib import Path

        source = Path(config)  # else a file could be taken for the name of a variant
    bleu = metric.load(source, **{**(keys or {}), **overrides})
    total = math.fsum(bleu.variant.weights_used)
    if not math.isclose(total, 1):
        where = "" if config is None or "weights" in overrides else f"{config}: "
        note = f"{where}the weights sum to {total:.6g}, not 1, and are used as they are"
        click.echo(f"bleukit: warning: {note}; normalize_weights=true divides them by their sum", err=True)
    return bleu
