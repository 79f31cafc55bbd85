"""The options that choose a metric: variants of BLEU, other metrics, or what a signature is of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from bleukit.bleu.bleu import bleu_from, bleu_of, load
from bleukit.bleu.loader import DEFAULT
from bleukit.bleu.signature import read_signature
from bleukit.cli.file_names import FileName, Setting, VariantName
from bleukit.cli.options import Exclusion, option, options, plugin_option
from bleukit.cli.printing import warn
from bleukit.corpus.arranging import AS_IT_IS, Arrangement
from bleukit.framework import registry, yaml_document
from bleukit.framework.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from bleukit.bleu.bleu import Bleu
    from bleukit.bleu.protocols import ReadSignature
    from bleukit.framework.metric import AnyMetric
    from bleukit.metrics.loading import ReadMetric

Function = TypeVar("Function", bound=Callable[..., Any])

BLEU = "bleu"
"""The metric that is chosen by default."""


def _only_one(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if len(values) > 1:
        raise click.UsageError(f"{option.opts[0]} is given {len(values)} times, and one is taken", context)
    return values


variant_names_option = partial(option, "-V", "--variant", "variants", metavar="NAME", type=VariantName(), multiple=True)
"""Returns -V, whose names the command receives as ``variants``."""


def _variant_options(**settings: Any) -> Callable[[Function], Function]:
    return options(
        variant_names_option(**settings),
        option(
            "-c",
            "--config",
            "configs",
            metavar="FILE",
            type=FileName(),
            multiple=True,
            callback=_only_one,
            help="A variant file (YAML).",
        ),
        option(
            "--set",
            "settings",
            metavar="KEY=VALUE",
            multiple=True,
            type=Setting(),
            help="Override a key: smoothing=floor; may be repeated.",
        ),
        plugin_option,
    )


variant_options = _variant_options(callback=_only_one, help="A variant file, or a name in 'bleukit variants'.")
"""Adds -V, -c, --set and --plugin to a command."""

variants_options = _variant_options(help="A variant: name, file, or all; may be repeated.")
"""Adds the same options, of which -V may be repeated."""

VARIANT_EXCLUSIONS = (
    Exclusion(
        "--variant", "--config", "give -V or -c, not both; a file names the variant it starts from with 'variant: NAME'"
    ),
)
"""What these options exclude."""


class ChosenMetric(NamedTuple):
    """A metric as -m names it, in ``text``, and the name and the options in it."""

    text: str
    name: str
    options: Mapping[str, Any]


def _metrics(
    context: click.Context,  # noqa: ARG001
    option: click.Parameter,  # noqa: ARG001
    values: tuple[str, ...],
) -> tuple[ChosenMetric, ...]:
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
    return tuple(chosen)


metrics_option = option(
    "-m",
    "--metric",
    "metrics",
    metavar="NAME",
    multiple=True,
    callback=_metrics,
    help="bleu, chrf, chrf++ or ter; may be repeated.",
)

signature_option = option("--signature", metavar="TEXT", help="The metric of a signature, also of other tools.")

METRIC_EXCLUSIONS = (
    Exclusion(
        "chosen.several_variants", "--config", "several variants cannot be combined with -c: name the file by -V"
    ),
    Exclusion("chosen.several_variants", "--signature", "several variants cannot be combined with {other}"),
    Exclusion(
        "chosen.is_without_bleu",
        "--variant, --config, --set",
        "-V, -c and --set choose a BLEU, and -m has none: add -m bleu",
    ),
    Exclusion(
        "chosen.metrics_with_others", "--signature", "--signature says which metric: it cannot be combined with -m"
    ),
    Exclusion("--signature", "--variant, --config, --set", "--signature cannot be combined with -V, -c or --set"),
    *VARIANT_EXCLUSIONS,
)
"""What -m, --signature and several variants exclude."""


@dataclass(frozen=True)
class MetricOptions:
    """Which metrics score a text: a variant by default, that of the language of a test set if there is one."""

    variants: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    metrics: tuple[ChosenMetric, ...] = ()
    signature: str | None = None
    language_pair: str | None = None
    arrangement: Arrangement = AS_IT_IS

    @property
    def several_variants(self) -> tuple[str, ...]:
        """What -V names if it is more than one variant, or "all"; empty otherwise."""
        return self.variants if len(self.variants) > 1 or self.variants == ("all",) else ()

    @property
    def metrics_with_others(self) -> tuple[ChosenMetric, ...]:
        """What -m names; empty if that is only BLEU, as without -m."""
        return self.metrics if any(one.name != BLEU for one in self.metrics) else ()

    @property
    def is_without_bleu(self) -> bool:
        """Whether -m names metrics, none of which is BLEU."""
        return bool(self.metrics) and all(one.name != BLEU for one in self.metrics)

    @property
    def several_metrics(self) -> bool:
        """Whether -m names several metrics, which are not only BLEU."""
        return len(self.metrics_with_others) > 1

    @property
    def are_several(self) -> bool:
        """Whether several variants or metrics are chosen, each for a column."""
        return bool(self.several_variants) or self.several_metrics

    @cached_property
    def _read(self) -> tuple[AnyMetric, ReadSignature | ReadMetric | None]:
        """The only metric that is chosen, and what its signature says."""
        if self.metrics_with_others:
            from bleukit.metrics.loading import load_metric

            [one] = self.metrics_with_others
            return load_metric(one.name, **one.options), None
        if self.signature is None:
            return self.variant(), None
        from bleukit.metrics.loading import read_metric

        obeyed = self.arrangement.fields
        if read := read_metric(self.signature, obeyed):
            return read.metric, read
        described = read_signature(self.signature, obeyed)
        return load(described.variant), described

    @property
    def joins_documents(self) -> bool:
        """Whether one variant is chosen, and scores documents, each as one segment."""
        return not self.are_several and self._read[0].joins_documents

    @property
    def comparison(self) -> Mapping[str, Any]:
        """The settings of a comparison that a signature contains."""
        described = None if self.are_several else self._read[1]
        return described.comparison if described else {}

    @property
    def interval_samples(self) -> int | None:
        """How many resamples the intervals have that a signature is of; None if it is of no intervals."""
        return self.comparison.get("samples" if self.comparison.get("test") == "sacrebleu-bs" else "interval_samples")

    def metric(self, references: int | None) -> AnyMetric:
        """Return the only metric that is chosen.

        ``references`` is the number of references per segment, None if it is not known or varies. Raises InputError if
        the signature is of another number.
        """
        metric, described = self._read
        if described is None:
            return metric
        if not described.any_references and described.references != references:
            plural = "" if described.references == 1 else "s"
            wanted = f"{described.references or 'a varying number of'} reference{plural}"
            here = "lists may hold any number" if references is None else f"each has {references}"
            raise InputError(f"the signature is for {wanted} a segment, here {here}")
        if described.caveat:
            warn(described.caveat)
        return metric

    def bleu(self, references: int | None) -> Bleu:
        """Return the only BLEU that is chosen. Raises InputError if it is another metric."""
        return bleu_of(self.metric(references))

    def variant(self, keys: Mapping[str, Any] | None = None) -> Bleu:
        """Return the BLEU that -V or -c chooses.

        The settings of --set override ``keys``, and these override the keys of the variant; ``variant`` among them is
        the name or the path of another one than that of the options.
        """
        keys = dict(keys or {})
        # A path is one, lest a file be taken for the name of a variant.
        [variant] = [*map(Path, self.configs), *self.variants[:1]] or [None]
        variant = keys.pop("variant", variant)
        overrides = {}
        for setting in self.settings:
            key, equals, value = setting.partition("=")
            if not equals or not key:
                raise click.UsageError(f"--set takes KEY=VALUE, got {setting!r}")
            if key in overrides:
                raise click.UsageError(f"--set gives {key!r} twice")
            overrides[key] = yaml_document.parse(value, f"--set {key}").data
        if variant is None and self.language_pair:
            of_language = f"{DEFAULT}-{self.language_pair.partition('-')[2]}"  # for which sacreBLEU has a tokenizer
            variant = of_language if registry.installed().get("variant", of_language) else None
        try:
            bleu = bleu_from(variant, {**keys, **overrides})
        except UnknownNameError as error:
            from bleukit.metrics.loading import METRICS

            if variant in METRICS:
                raise click.UsageError(f"{variant!r} is a metric, not a variant of BLEU: use -m {variant}") from error
            raise
        if note := bleu.variant.note_of_weights:
            where = f"{variant}: " if isinstance(variant, Path) and "weights" not in overrides else ""
            warn(f"{where}{note}")
        return bleu
