"""The options that commands share, and what they choose.

First how options are made and kept; then the options, in the order in which a command obeys them: which text is read,
which variant or metric scores it, how the output is written; at the end, what the options for a variant or metric
choose. An option of one command stands beside that command.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from bleukit.bleu.bleu import bleu_of, load
from bleukit.bleu.loader import DEFAULT
from bleukit.bleu.signature import read_signature
from bleukit.cli.file_names import FileName, OutputName, Setting, VariantName
from bleukit.cli.output import destination
from bleukit.cli.printing import warn
from bleukit.corpus.arranging import REMOVED, Arrangement
from bleukit.framework import registry, yaml_document
from bleukit.framework.errors import InputError, UnknownNameError, VariantError
from bleukit.reading.column_names import ColumnNames
from bleukit.reading.files import Limits
from bleukit.reading.paths import as_text

if TYPE_CHECKING:
    from bleukit.bleu.bleu import Bleu
    from bleukit.bleu.protocols import ReadSignature
    from bleukit.framework.metric import AnyMetric
    from bleukit.metrics.loading import ReadMetric

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


def kept_option(
    *names: str, callback: Callable[..., Any] | None = None, **settings: Any
) -> Callable[[Function], Function]:
    """Return an option that the command does not receive: what obeys it asks for :func:`option_value`."""

    def keep(context: click.Context, option: click.Parameter, value: Any) -> None:
        words = context.meta.setdefault(__name__, [])
        for each in value if isinstance(value, tuple) else filter(None, [value]):
            words += [option.opts[0]] if each is True else [option.opts[0], each]
        context.meta[f"{__name__}.{option.name}"] = callback(context, option, value) if callback else value

    return option(*names, expose_value=False, callback=keep, **settings)


def option_value(name: str) -> Any:
    """Return the value of an option that is kept, None if the current command does not have it."""
    return click.get_current_context().meta.get(f"{__name__}.{name}")


def kept_words() -> list[str]:
    """Return the options of the current command that are kept, as they were given."""
    return [*map(str, click.get_current_context().meta.get(__name__, ()))]


class FiniteRange(click.FloatRange):
    """Numbers in a range; nan, which compares with no end of it, is in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a number. Raises BadParameter if it is not finite, or not in the range."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number in the range {self._describe_range()}.", param, ctx)
        return number


def refuse(options: Mapping[str, object], why: str) -> None:
    """Raise UsageError if one of these options was given: ``why`` is the message, with {} for its name."""
    given = next((name for name, value in options.items() if value is not None), None)
    if given:
        raise click.UsageError(why.format(given))


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
    return kept_option(
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


def chosen_columns() -> ColumnNames:
    """Return the columns of tables that the options of this command ask for."""
    chosen = {role: option_value(f"{role}_column") for role in ColumnNames._fields}
    return ColumnNames(**{role: names for role, names in chosen.items() if names})


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
    kept_option(
        "--limit",
        "limits",
        metavar="NAME=NUMBER",
        multiple=True,
        callback=_limits,
        help="Change a limit: line, text, segments, values.",
    ),
    kept_option(
        "--as-text",
        is_flag=True,
        is_eager=True,
        hidden=True,  # the refusals that it overrules name it
        callback=_as_text,
        help="Read all files as lines of text.",
    ),
)
"""Adds the options --limit and --as-text, which everything obeys that reads text."""


def chosen_limits() -> Limits:
    """Return the limits of input that the options of this command ask for."""
    limits: Limits = option_value("limits")
    return limits


def _first_and_last(value: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9][0-9]{0,14})-([1-9][0-9]{0,14})", value, re.ASCII)
    if not found or int(found[1]) > int(found[2]):
        raise click.BadParameter(f"{value!r}: expected the first and the last number, counted from 1, as 1-50")
    return int(found[1]), int(found[2])


arrangement_options = options(
    kept_option("--swap", is_flag=True, help="Exchange hypotheses and references."),
    kept_option("--segments", metavar="FIRST-LAST", type=_first_and_last, help="Score some segments: 1-50."),
    kept_option(
        "--over-references",
        type=click.Choice(["mean", "max", "first", "pooled"]),
        metavar="HOW",
        help="mean or max of the scores; first; or pooled.",
    ),
    kept_option("--remove", type=click.Choice(sorted(REMOVED)), metavar="WHAT", help="punctuation or subwords."),
)
"""Adds the options that choose what of a text is scored; :func:`chosen_arrangement` obeys them."""


def chosen_arrangement() -> Arrangement:
    """Return what of a text the options of this command choose."""
    values = {name: option_value(name) for name in Arrangement._fields}
    return Arrangement(**{name: value for name, value in values.items() if value})


def arrangement_fields() -> list[str]:
    """Return what of a text the options of this command choose, as fields of a signature."""
    chosen = chosen_arrangement()._asdict()
    if chosen["segments"]:
        chosen["segments"] = "{}-{}".format(*chosen["segments"])
    return [f"{key}:{'yes' if value is True else value}" for key, value in chosen.items() if value]


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

plugin_option = kept_option("--plugin", is_eager=True, callback=_use_plugins, **_PLUGINS)

unloaded_plugin_option = option("--plugin", "plugins", **_PLUGINS)
"""Adds --plugin to a command that receives the modules as ``plugins``, to load them in another process."""


def _only_one(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.UsageError(f"{option.opts[0]} is given {len(values)} times, and one is taken", context)
    return values[0] if values else None


def _one_or_several(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Any:  # noqa: ARG001
    """Return the name of a variant, a tuple of several, "all" being several, or None."""
    return values[0] if len(values) == 1 and values != ("all",) else values or None


variant_names_option = partial(option, "-V", "--variant", "variants", metavar="NAME", type=VariantName(), multiple=True)
"""Returns -V, whose names the command receives as ``variants``."""


def _variant_options(callback: Callable[..., Any], text: str) -> Callable[[Function], Function]:
    return options(
        kept_option("-V", "--variant", metavar="NAME", multiple=True, type=VariantName(), callback=callback, help=text),
        kept_option(
            "-c",
            "--config",
            metavar="FILE",
            type=FileName(),
            multiple=True,
            callback=_only_one,
            help="A variant file (YAML).",
        ),
        kept_option(
            "--set",
            "settings",
            metavar="KEY=VALUE",
            multiple=True,
            type=Setting(),
            help="Override a key: smoothing=floor; may be repeated.",
        ),
        plugin_option,
    )


variant_options = _variant_options(_only_one, "A variant file, or a name in 'bleukit variants'.")
"""Adds -V, -c, --set and --plugin to a command; :func:`chosen_variant` obeys them."""

variants_options = _variant_options(_one_or_several, "A variant: name, file, or all; may be repeated.")
"""Adds the same options, of which -V may be repeated: :func:`several_variants` returns several."""


BLEU = "bleu"
"""The metric that is chosen by default."""


class ChosenMetric(NamedTuple):
    """A metric as -m names it, in ``text``, and the name and the options in it."""

    text: str
    name: str
    options: Mapping[str, Any]


def _metrics(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[ChosenMetric]:  # noqa: ARG001
    """Return the metrics that -m names, with their options. Raises BadParameter for what is neither."""
    chosen = []
    for value in values:
        name: Any = value
        options: Any = {}
        if ":" in value or value.startswith("{"):
            data = yaml_document.parse(value, "-m").data
            [(name, options)] = data.items() if isinstance(data, Mapping) and len(data) == 1 else [(value, None)]
        if not isinstance(name, str) or not isinstance(options, Mapping):
            raise click.BadParameter(
                f"{value!r}: expected a name, or a name with options: '{{chrf: {{word_order: 2}}}}'"
            )
        if name == BLEU and options:
            raise click.BadParameter(f"{value!r}: bleu takes no options here: -V, -c and --set choose it")
        chosen.append(ChosenMetric(value, name, options))
    return chosen


metrics_option = kept_option(
    "-m",
    "--metric",
    "metrics",
    metavar="NAME",
    multiple=True,
    callback=_metrics,
    help="bleu, chrf, chrf++ or ter; may be repeated.",
)


signature_option = kept_option("--signature", metavar="TEXT", help="The metric of a signature, also of other tools.")


def _redirect(context: click.Context, option: click.Parameter, path: str | None) -> None:  # noqa: ARG001
    if path is not None and path != "-":
        context.obj.redirect(path)


output_option = option(
    "-o",
    "--output",
    "destination",
    metavar="FILE",
    type=OutputName(),
    expose_value=False,
    callback=_redirect,
    help="Write to FILE; replaced only on success.",
)


def format_option(*formats: str, text: str = "") -> Callable[[Function], Function]:
    """Return the option --format; the first format is the default, unless ``text`` explains another."""
    return option(
        "--format",
        "form",
        type=click.Choice(formats),
        metavar="FORMAT",
        default=None if text else formats[0],
        help=text or f"{formats[0]} (default){''.join(f', {form}' for form in formats[1:-1])} or {formats[-1]}.",
    )


def chosen_format(form: str | None) -> str:
    """Return the format to print: as chosen, or html for a file of that suffix, or text."""
    return form or ("html" if destination().path.lower().endswith((".html", ".htm")) else "text")


width_option = kept_option(
    "-w", "--width", type=click.IntRange(0, 17), metavar="N", help="Decimals; default 2, or 4 for scale 1."
)


def decimals(bleu: AnyMetric) -> int:
    """Return the number of decimals of scores in tables."""
    width: int | None = option_value("width")
    if width is not None:
        return width
    return 2 if bleu.scale == 100 else 4


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


def several_variants() -> tuple[str, ...]:
    """Return what -V names if it is more than one variant, or "all"; empty otherwise.

    Raises UsageError if another option names a variant, too.
    """
    chosen = option_value("variant")
    if not isinstance(chosen, tuple):
        return ()
    for name, option in (("config", "-c: name the file by -V"), ("signature", "--signature")):
        if option_value(name) is not None:
            raise click.UsageError(f"several variants cannot be combined with {option}")
    return chosen


def chosen_metrics() -> Sequence[ChosenMetric]:
    """Return the metrics that -m names, with their options; none if they are only BLEU, as without -m.

    Raises UsageError if there is no BLEU, but an option that chooses one.
    """
    chosen: Sequence[ChosenMetric] = option_value("metrics") or ()
    if all(one.name == BLEU for one in chosen):
        return ()
    if all(one.name != BLEU for one in chosen) and any(map(option_value, ("variant", "config", "settings"))):
        raise click.UsageError("-V, -c and --set choose a BLEU, and -m has none: add -m bleu")
    if option_value("signature") is not None:
        raise click.UsageError("--signature says which metric: it cannot be combined with -m")
    return chosen


def chosen_metric(references: int | None) -> tuple[AnyMetric, Mapping[str, Any]]:
    """Return the one metric that the options choose, and the settings of a comparison that a signature contains.

    ``references`` is the number of references per segment, None if it is not known or varies. Raises InputError if the
    signature is of another number.
    """
    chosen, described = _metric_and_signature()
    if described is None:
        return chosen, {}
    if not described.any_references and described.references != references:
        plural = "" if described.references == 1 else "s"
        wanted = f"{described.references or 'a varying number of'} reference{plural}"
        here = "lists may hold any number" if references is None else f"each has {references}"
        raise InputError(f"the signature is for {wanted} a segment, here {here}")
    if described.caveat:
        warn(described.caveat)
    return chosen, described.comparison


def chosen_bleu(references: int | None) -> Bleu:
    """Return the BLEU that the options choose. Raises InputError if they choose another metric."""
    return bleu_of(chosen_metric(references)[0])


def joins_documents() -> bool:
    """Return whether the variant that the options choose scores documents, each as one segment."""
    return _metric_and_signature()[0].joins_documents


def _metric_and_signature() -> tuple[AnyMetric, ReadSignature | ReadMetric | None]:
    """Return the metric that the options choose, and what their signature says, both loaded once a command."""
    meta, key = click.get_current_context().meta, f"{__name__}.chosen metric"
    if key not in meta:
        signature, metrics = option_value("signature"), chosen_metrics()
        if metrics:
            from bleukit.metrics.loading import load_metric

            [one] = metrics
            meta[key] = load_metric(one.name, **one.options), None
        elif signature is None:
            meta[key] = chosen_variant(), None
        elif (option_value("variant"), option_value("config"), option_value("settings")) == (None, None, ()):
            meta[key] = _of_signature(signature)
        else:
            raise click.UsageError("--signature cannot be combined with -V, -c or --set")
    found: tuple[AnyMetric, ReadSignature | ReadMetric | None] = meta[key]
    return found


def _of_signature(signature: str) -> tuple[AnyMetric, ReadSignature | ReadMetric]:
    from bleukit.metrics.loading import read_metric

    chosen = arrangement_fields()
    if read := read_metric(signature, chosen):
        return read.metric, read
    described = read_signature(signature, chosen)
    return load(described.variant), described


def chosen_variant(keys: Mapping[str, Any] | None = None) -> Bleu:
    """Return the BLEU that the options choose.

    The settings of --set override ``keys``, and these override the keys of the variant; ``variant`` among them is the
    name or the path of another one than that of the options.
    """
    keys = dict(keys or {})
    name, config = option_value("variant"), option_value("config")
    if name is not None and config is not None:
        raise click.UsageError("give -V or -c, not both; a file names the variant it starts from with 'variant: NAME'")
    # A path is one, lest a file be taken for the name of a variant.
    variant = keys.pop("variant", name if config is None else Path(config))
    overrides = {}
    for setting in option_value("settings") or ():
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise click.UsageError(f"--set takes KEY=VALUE, got {setting!r}")
        if key in overrides:
            raise click.UsageError(f"--set gives {key!r} twice")
        overrides[key] = yaml_document.parse(value, f"--set {key}").data
    if variant is None and (pair := option_value("language_pair")):
        of_language = f"{DEFAULT}-{pair.partition('-')[2]}"  # for which sacreBLEU has a tokenizer of its own
        variant = of_language if registry.installed().get("variant", of_language) else None
    try:
        bleu = load(variant, **{**keys, **overrides})
    except UnknownNameError as error:
        from bleukit.metrics.loading import METRICS

        if variant in METRICS:
            raise click.UsageError(f"{variant!r} is a metric, not a variant of BLEU: use -m {variant}") from error
        raise
    if note := bleu.variant.note_of_weights:
        where = f"{variant}: " if isinstance(variant, Path) and "weights" not in overrides else ""
        warn(f"{where}{note}")
    return bleu
