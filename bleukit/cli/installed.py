"""``bleukit variants``, ``plugins`` and ``config``: what is installed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bleukit.bleu import loader
from bleukit.bleu.keys_in_words import as_yaml
from bleukit.bleu.names import description, folded, names_of
from bleukit.bleu.variant import DESCRIPTIVE_KEYS, Variant
from bleukit.bleu.variant_schema import variant_schema
from bleukit.cli import options
from bleukit.cli.file_names import FileName
from bleukit.cli.metric_options import VARIANT_EXCLUSIONS, MetricOptions, ProcedureOptions, variant_options
from bleukit.cli.printing import UNBROKEN, WITHOUT_TERMINAL, as_json, entries, terminal_width
from bleukit.corpus.procedure import KEY, procedure_schema
from bleukit.framework import registry
from bleukit.framework.errors import UnknownNameError, VariantError
from bleukit.installed import installation
from bleukit.writing.phrases import wrapped_lines
from bleukit.writing.printers import aligned, printed
from bleukit.writing.table import Markdown, TableHead, TextTable, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.framework.registry import Plugin
    from bleukit.installed.installation import InstalledPlugin


LEFT_OUT = ("average", "scale", "brevity\npenalty", "weights", "counter", "reference\nlength", "case")
"""The columns that a narrow terminal does not show, the least important first."""

CASES = {False: "mixed", True: "lower", "ascii": "lower A-Z"}


@click.command("variants")
@options.plugin_option
@click.argument("words", nargs=-1)
@options.option(
    "--long", "in_full", is_flag=True, help="Describe each variant: what it is, who uses it, its source and keys."
)
@options.format_option("text", "json", "markdown")
def variants(words: tuple[str, ...], in_full: bool, form: str) -> None:
    """List the named variants, find some, or print one as YAML.

    The list is grouped by the fields that report them, and shows the components of each variant. 'case' says whether
    text is lowercased: fully, or only from A to Z.

    \b
    bleukit variants NAME      print a variant file, ready to save and change;
                               NAME may be a program's name, such as joeynmt
    bleukit variants WORD...   list the variants whose descriptions have all words
    """
    unknown = VariantError(f"no variant is described with all of these words: {' '.join(words)}")
    if len(words) == 1:
        try:
            variant = loader.named(words[0], registry.installed())
        except UnknownNameError as error:
            unknown = error
        else:
            if form == "json":
                click.echo(as_json(variant.to_dict()))
                return
            if folded(words[0]) != folded(variant.name):
                click.echo(f"# {description(words[0])}")
            click.echo(variant.to_yaml().removesuffix("\n"))
            return
    variants = _described(words)
    if words and not variants:
        raise unknown
    if form == "json":
        listed = [_data(*known) for known in variants.items()]
        click.echo(as_json({"default": loader.DEFAULT, "variants": listed}))
        return
    groups = _groups(variants)
    if form == "markdown":
        click.echo(printed(form, [_described_table(title, names, variants) for title, names in groups.items()]))
        return
    _print_list(groups, variants, in_full=in_full)


def _print_list(
    groups: Mapping[str, Sequence[str]], variants: Mapping[str, Variant | VariantError], *, in_full: bool
) -> None:
    """Print a table of the variants in groups or, in full, their descriptions."""
    head, texts, left_out = ([], _descriptions(variants), []) if in_full else _table(variants)
    for title, names in groups.items():
        click.echo("\n".join([*head, "", *wrapped_lines(title, terminal_width()), *(texts[name] for name in names)]))
        head = []
    if sys.stdout.isatty() and not in_full:
        hint = "'bleukit variants NAME' prints a variant, --long describes all."
        if left_out:
            hint += f" A wider terminal shows more: {', '.join(left_out)}."
        click.echo("\n" + "\n".join(wrapped_lines(hint, terminal_width())))


def _described(words: Sequence[str]) -> dict[str, Variant | VariantError]:
    """Return the variants whose descriptions have all words, the default one first."""
    variants = installation.variants_or_errors()
    names = sorted(variants, key=lambda name: (name != loader.DEFAULT, name))
    return {name: variants[name] for name in names if _has(words, name, variants[name])}


def _has(words: Sequence[str], name: str, variant: Variant | VariantError) -> bool:
    """Return whether the description of a variant, or that of its plugin, has all words, in any case."""
    plugin = _plugin_of(name)
    texts = [name, plugin.name, plugin.description, *names_of(name)]
    if isinstance(variant, Variant):
        texts += [getattr(variant, key) for key in DESCRIPTIVE_KEYS]
    described = " ".join(texts).lower()
    return all(word.lower() in described for word in words)


def _plugin_of(variant: str) -> Plugin:
    return registry.installed().find("variant", variant, ()).plugin


def _groups(variants: Mapping[str, Variant | VariantError]) -> dict[str, list[str]]:
    """Return the names of variants by field, the default variant's first; by plugin if a variant has none."""
    groups: dict[str, list[str]] = {}
    for name, variant in variants.items():
        plugin = _plugin_of(name)
        title = f"{plugin.name}: {plugin.description}" if plugin.description else plugin.name
        groups.setdefault(getattr(variant, "field", "") or title, []).append(name)
    return groups


def _described_table(title: str, names: Sequence[str], variants: Mapping[str, Variant | VariantError]) -> TextTable:
    rows = []
    for name in names:
        variant = variants[name]
        about = [variant.description, variant.used_by] if isinstance(variant, Variant) else [str(variant), ""]
        rows.append(list(map(Markdown, [f"`{name}`", *about])))
    return TextTable(list(map(TableHead, ("variant", "what it is", "who reports it"))), rows, title)


def _table(variants: Mapping[str, Variant | VariantError]) -> tuple[list[str], dict[str, str], list[str]]:
    """Return the head of a table, the row of each variant, and the columns for which the terminal is too narrow."""
    table = {name: _cells(name, variant) for name, variant in variants.items() if isinstance(variant, Variant)}
    heads = next(iter(table.values()), {"variant": ""})
    width = terminal_width() or WITHOUT_TERMINAL
    for dropped in range(len(LEFT_OUT) + 1):
        columns = [column for column in heads if column not in LEFT_OUT[:dropped]]
        head, *lines = aligned(
            table_of(((name, [cells[name] for cells in table.values()]) for name in columns), columns)
        )
        if all(len(line) <= width for line in lines):
            break
    broken = {name: f"  {name} is broken: {variant}" for name, variant in variants.items() if name not in table}
    left_out = [column.replace("\n", " ") for column in LEFT_OUT[:dropped]]
    return [head], {**dict(zip(table, lines, strict=True)), **broken}, left_out


def _cells(name: str, variant: Variant) -> dict[str, str]:
    weights = variant.weights_used
    alike = len(set(weights)) == 1
    return {
        "variant": f"  {_marked(name)}",
        "tokenizer": variant.tokenizer.name,
        "counter": variant.counter.name,
        "reference\nlength": variant.reference_length.name,
        "smoothing": variant.smoothing.name,
        "brevity\npenalty": variant.brevity_penalty.name,
        "case": CASES[variant.lowercase],
        "weights": f"{len(weights)} × {weights[0]:.3g}" if alike else ", ".join(f"{weight:g}" for weight in weights),
        "scale": f"0–{variant.scale}",
        "average": variant.average,
    }


def _descriptions(variants: Mapping[str, Variant | VariantError]) -> dict[str, str]:
    texts = {}
    for name, variant in variants.items():
        if isinstance(variant, Variant):
            keys = [
                f"{key}: {as_yaml(value)}"
                for key, value in variant.to_dict().items()
                if key not in DESCRIPTIVE_KEYS and value not in ({}, [])
            ]
            about = {"what it is": variant.description, "used by": variant.used_by, "source": variant.source}
            about["names"] = ", ".join(names_of(name))
            about["variant"] = ", ".join(key.replace(" ", UNBROKEN) for key in keys)
        else:
            about = {"broken": str(variant)}
        known = {title: text for title, text in about.items() if text}
        texts[name] = "\n".join([f"  {_marked(name)}", *entries(known, terminal_width(), indent=4)])
    return texts


def _marked(name: str) -> str:
    return f"{name} (default)" if name == loader.DEFAULT else name


def _data(name: str, variant: Variant | VariantError) -> dict[str, Any]:
    plugin = _plugin_of(name)
    known = variant.to_dict() if isinstance(variant, Variant) else {"name": name, "problem": str(variant)}
    return {
        **known,
        "names": names_of(name),
        "plugin": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
    }


@click.command("plugins")
@options.plugin_option
@options.format_option("text", "json")
def plugins(form: str) -> None:
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


@click.group("config", no_args_is_help=True)
def config() -> None:
    """Show or check a variant file, or print the JSON Schema."""


@config.command("show")
@variant_options
@options.grouped(chosen=MetricOptions)
@options.excluding(*VARIANT_EXCLUSIONS)
def show_variant(chosen: MetricOptions) -> None:
    """Print the variant that the options describe as a variant file."""
    click.echo(chosen.variant().variant.to_yaml(), nl=False)


@config.command("check")
@options.plugin_option
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
def check_files(files: tuple[str, ...]) -> None:
    """Check variant files; the first mistake is reported with file, line and key."""
    checked = [(file, ProcedureOptions(configs=(file,)).variant()) for file in files]
    for file, bleu in checked:
        click.echo(f"{file}: ok, {bleu.signature}")


@config.command("schema")
@options.plugin_option
def print_schema() -> None:
    """Print the JSON Schema of variant files, for editors."""
    schema = variant_schema(registry.installed())
    schema["properties"][KEY] = procedure_schema()
    click.echo(as_json(schema))
