"""The options that commands share, and the values into which they are grouped.

First how options are grouped, and which of them exclude others; then the options, in the order in which a command obeys
them: which text is read, and how the output is written. Those that choose a metric are in
:mod:`bleukit.cli.metric_options`. An option of one command stands beside that command.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial, wraps
from inspect import signature
from operator import attrgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click
from click.core import ParameterSource

from bleukit.cli.file_names import FileName, OutputName
from bleukit.framework import registry
from bleukit.framework.errors import VariantError
from bleukit.reading import paths
from bleukit.reading.column_names import ColumnNames
from bleukit.reading.files import DEFAULT_LIMITS, Limits
from bleukit.reading.paths import as_text

if TYPE_CHECKING:
    from bleukit.cli.output import Destination
    from bleukit.framework.metric import AnyMetric

Function = TypeVar("Function", bound=Callable[..., Any])


class Option(click.Option):
    """An option whose value is not empty: an empty one is that of a shell's variable that is not set."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the value, converted. Raises BadParameter for an empty one."""
        if "" in (value if isinstance(value, list | tuple) else [value]):
            raise click.BadParameter("expected a value, got an empty one", ctx, self)
        return super().type_cast_value(ctx, value)


option = partial(click.option, cls=Option)
"""Returns an option of any command."""


def options(*added: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return what adds several options to a command, in this order."""

    def add(command: Function) -> Function:
        for option in reversed(added):
            command = option(command)
        return command

    return add


def grouped(**groups: type) -> Callable[[Function], Function]:
    """Return what gives a command the values of options in groups: each of these parameters is one value.

    The fields of a group are the names of options, which stand anywhere above; two groups may have the same.
    """
    fields = {name: signature(group).parameters.keys() for name, group in groups.items()}

    def group(command: Function) -> Function:
        @wraps(command)
        def with_groups(**values: Any) -> Any:
            alone = values.keys() - set().union(*fields.values())
            of_groups = {
                name: groups[name](**{key: values[key] for key in keys & values.keys()})
                for name, keys in fields.items()
            }
            return command(**{key: values[key] for key in alone}, **of_groups)

        return cast("Function", with_groups)

    return group


class Exclusion(NamedTuple):
    """What a command refuses: each of ``ones`` with each of ``others``, unless one of ``unless`` is there, too.

    If there are no ``others``, each of ``ones`` needs one of ``unless``. These are names with commas between them: of
    options, as they are called or with a value (``--level sentence``), or of properties of groups of options
    (``chosen.joins_documents``). ``why`` is the message, with {one} and {other} for what is refused.
    """

    ones: str
    others: str
    why: str
    unless: str = ""


def excluding(*table: Exclusion) -> Callable[[Function], Function]:
    """Return what has a command raise UsageError for the first row of a table that applies.

    It stands below :func:`grouped`. What only leads to a subcommand refuses nothing.
    """

    def exclude(command: Function) -> Function:
        @wraps(command)
        def with_exclusions(**values: Any) -> Any:
            context = click.get_current_context()
            given, groups = _given(context), SimpleNamespace(**values)

            def found(names: str) -> str | None:
                holding = (name in given or ("." in name and attrgetter(name)(groups)) for name in names.split(", "))
                return next((name for name, holds in zip(names.split(", "), holding, strict=True) if holds), None)

            for row in table if context.invoked_subcommand is None else ():
                one, other = found(row.ones), found(row.others) if row.others else ""
                if one is not None and other is not None and found(row.unless) is None:
                    raise click.UsageError(row.why.format(one=one, other=other))
            return command(**values)

        return cast("Function", with_exclusions)

    return exclude


def _given(context: click.Context) -> set[str]:
    """Return the parameters that a command line has, as they are called and with their values."""
    names = set()
    for parameter in context.command.params:
        if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
            value = context.params.get(str(parameter.name))
            names |= {*parameter.opts, *(f"{name} {value}" for name in parameter.opts)}
    return names


class FiniteRange(click.FloatRange):
    """Numbers in a range; nan, which compares with no end of it, is in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a number. Raises BadParameter if it is not finite, or not in the range."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number in the range {self._describe_range()}.", param, ctx)
        return number


reference_option = option(
    "-r",
    "--reference",
    "references",
    metavar="REF",
    type=FileName(),
    multiple=True,
    help="A file of references; may be repeated.",
)

documents_option = option(
    "--documents", metavar="FILE", type=FileName(), help="The document of each segment, one name per line."
)


def column_option(role: str, text: str, *, multiple: bool = False) -> Callable[[Function], Function]:
    """Return the option that names the column of tables which has a part of the text."""
    return option(
        f"--{role.replace('_', '-')}-column",
        metavar="NAME",
        multiple=multiple,
        help=f"Table column with {text}{'; may be repeated.' if multiple else '.'}",
    )


hypothesis_column_option = column_option("hypothesis", "hypotheses", multiple=True)

document_column_option = column_option("document", "the document of each segment")

table_options = options(
    hypothesis_column_option,
    column_option("reference", "references", multiple=True),
    column_option("system", "the system of each row"),
)
"""Adds the options that choose the columns of hypotheses and references."""


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _limits(context: click.Context, option: click.Parameter, settings: tuple[str, ...]) -> Limits:  # noqa: ARG001
    numbers = {}
    for setting in settings:
        name, _, size = setting.partition("=")
        number = re.fullmatch(r"([0-9]{1,15})([KMG]?)", size, re.ASCII)
        if name not in Limits._fields or not number:
            raise click.BadParameter(
                f"{setting!r}: expected NAME=NUMBER, NAME one of {', '.join(Limits._fields)}, NUMBER as in 64M"
            )
        numbers[name] = int(number[1]) * _UNITS[number[2]]
    return Limits(**numbers)


def _as_text(context: click.Context, option: click.Parameter, is_given: bool) -> None:  # noqa: ARG001
    if is_given and not context.resilient_parsing:
        context.with_resource(as_text())


limit_option = options(
    option(
        "--limit",
        "limits",
        metavar="NAME=NUMBER",
        multiple=True,
        callback=_limits,
        help="Change a limit: line, text, segments, values.",
    ),
    option(
        "--as-text",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        hidden=True,  # the refusals that it overrules name it
        callback=_as_text,
        help="Read all files as lines of text.",
    ),
)
"""Adds the options --limit and --as-text, which everything obeys that reads text."""


@dataclass(frozen=True)
class TextOptions:
    """Which text is read beside that of a command's arguments, and how."""

    references: tuple[str, ...] = ()
    documents: str | None = None
    hypothesis_column: tuple[str, ...] = ()
    reference_column: tuple[str, ...] = ()
    sample_column: tuple[str, ...] = ()
    system_column: str | None = None
    document_column: str | None = None
    source_column: str | None = None
    test_set_column: str | None = None
    limits: Limits = DEFAULT_LIMITS

    @property
    def columns(self) -> ColumnNames:
        """The columns of tables that are asked for."""
        return ColumnNames(**{role: getattr(self, f"{role}_column") for role in ColumnNames._fields})


def _use_plugins(context: click.Context, option: click.Parameter, modules: tuple[str, ...]) -> None:  # noqa: ARG001
    try:
        context.with_resource(registry.also_installed(modules))
    except VariantError as error:
        raise click.BadParameter(error.problem) from error


_PLUGINS: dict[str, Any] = {
    "metavar": "MODULE",
    "type": FileName(),
    "multiple": True,
    "help": "Use a plugin: module or .py file; may be repeated.",
}

plugin_option = option("--plugin", is_eager=True, expose_value=False, callback=_use_plugins, **_PLUGINS)

unloaded_plugin_option = option("--plugin", "plugins", **_PLUGINS)
"""Adds --plugin to a command that receives the modules as ``plugins``, to load them in another process."""


def _destination(context: click.Context, option: click.Parameter, path: str | None) -> Destination:  # noqa: ARG001
    destination: Destination = context.obj
    if path is not None and path != "-":
        destination.redirect(path)
    return destination


_output_option = partial(
    option,
    "-o",
    "--output",
    "destination",
    metavar="FILE",
    type=OutputName(),
    callback=_destination,
    help="Write to FILE; replaced only on success.",
)

output_option = _output_option()

redirecting_option = _output_option(expose_value=False)
"""Adds -o to a command that prints, and does not ask where."""


def format_option(*formats: str, text: str = "") -> Callable[[Function], Function]:
    """Return the option --format; the first format is the default, or the empty one if ``text`` explains another."""
    return option(
        "--format",
        "form",
        type=click.Choice(formats),
        metavar="FORMAT",
        default=None if text else formats[0],
        callback=lambda _context, _option, form: form or "",
        help=text or f"{formats[0]} (default){''.join(f', {form}' for form in formats[1:-1])} or {formats[-1]}.",
    )


width_option = option(
    "-w", "--width", type=click.IntRange(0, 17), metavar="N", help="Decimals; default 2, or 4 for scale 1."
)


score_only_option = option("-q", "--score-only", is_flag=True, help="Print only scores, one line per system or unit.")


TABLES = ("csv", "jsonl", "ndjson", "parquet")
"""The suffixes of files that receive scores as a table."""


@dataclass(frozen=True)
class OutputOptions:
    """Where a command prints, and how."""

    destination: Destination
    form: str = ""
    """The format; empty if the file's name may choose one."""
    width: int | None = None
    score_only: bool = False

    @property
    def is_table(self) -> bool:
        """Whether the file's name asks for scores in a table."""
        path = self.destination.path
        return not self.form and paths.is_table(path) and not path.lower().endswith((".tsv", ".json"))

    def of_scores(self) -> OutputOptions:
        """Return the same with the format of scores: as chosen, or the suffix of a table, or text.

        Raises UsageError for a kind of table that is not written.
        """
        path = self.destination.path
        suffix = path.rpartition(".")[2].lower() if self.is_table else ""
        if suffix and suffix not in TABLES:
            raise click.UsageError(f"{path}: a table of scores ends in .{', .'.join(TABLES)}")
        return replace(self, form=suffix or self.form or "text")

    def form_of_page(self) -> str:
        """Return the format to print: as chosen, or html for a file of that suffix, or text."""
        return self.form or ("html" if self.destination.path.lower().endswith((".html", ".htm")) else "text")

    def decimals(self, metric: AnyMetric) -> int:
        """Return the number of decimals of scores in tables."""
        if self.width is not None:
            return self.width
        return 2 if metric.scale == 100 else 4


_ALL = "has all scores with all digits: leave out --score-only and --width"
OUTPUT_EXCLUSIONS = (
    Exclusion("output.is_table", "--score-only, --width", f"a table {_ALL}"),
    Exclusion("--format json", "--score-only, --width", f"JSON {_ALL}"),
)
"""What scores in a table and in JSON refuse."""


threads_option = option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="Number of threads; default: one per core."
)


resample_by_option = option(
    "--resample-by",
    type=click.Choice(["segment", "document"]),
    metavar="UNIT",
    help="Resample segment, or document (default if known).",
)


seed_option = option("--seed", type=click.IntRange(min=0), metavar="N", help="Random seed; default: 12345.")
