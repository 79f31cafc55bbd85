"""The signature of a score: everything needed to reproduce the number, on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit import __version__
from bleukit.errors import PluginError
from bleukit.hookspecs import PROJECT
from bleukit.loading.registry import version_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.loading.loader import Loaded
    from bleukit.loading.registry import LoadedComponent, Plugin

TOKENS_GIVEN = "(tokens given)"
"""Stands for the tokenizer where the caller brought tokens."""

_WITH = "|with:"


def of_counting(loaded: Loaded, *, tokens_given: bool) -> str:
    """Return what determines the statistics."""
    components = [loaded.components[kind] for kind in ("tokenizer", "counter", "reference_length")]
    fields = {component.kind: _described(component) for component in components}
    if tokens_given:
        fields["tokenizer"] = TOKENS_GIVEN
    fields["case"] = "lower" if loaded.variant.lowercase else "mixed"
    return _joined(fields, _versions(components[tokens_given:]))


def of_scoring(loaded: Loaded, weights: Sequence[float]) -> str:
    """Return what determines the score of given statistics."""
    recipe, smoothing = loaded.variant, loaded.components["smoothing"]
    fields = {
        "smoothing": _described(smoothing),
        "weights": ",".join(map(repr, weights)),
        "effective_order": "yes" if recipe.effective_order else "no",
        "empty_score": f"{recipe.empty_score!r}".removesuffix(".0"),
        "scale": str(recipe.scale),
        PROJECT: __version__,
    }
    origin = _version(loaded.origin) if loaded.origin else {}
    return _joined(fields, _versions([smoothing]) | origin)


def of_score(label: str, references: tuple[int, int] | None, counting: str, scoring: str) -> str:
    """Return the whole signature; ``references`` are the fewest and the most of a segment, None where it is for any."""
    fewest, most = references or ("any", "any")
    counted, _, counted_with = counting.partition(_WITH)
    scored, _, scored_with = scoring.partition(_WITH)
    versions = dict.fromkeys(filter(None, [*counted_with.split(","), *scored_with.split(",")]))
    with_ = f"{_WITH}{','.join(versions)}" if versions else ""
    return f"variant:{label}|references:{fewest if fewest == most else f'{fewest}-{most}'}|{counted}{with_}|{scored}"


def _described(component: LoadedComponent) -> str:
    options = ",".join(f"{key}={_written(value)}" for key, value in component.options.items())
    return f"{component.name}({options})" if options else component.name


def _written(value: Any) -> str:
    import msgspec

    plain = msgspec.to_builtins(value, str_keys=True, order="deterministic", enc_hook=str)
    return msgspec.json.encode(plain).decode()


def _versions(components: Sequence[LoadedComponent]) -> dict[str, str]:
    """Return name and version of all, beside bleukit, that can change what the components return."""
    versions: dict[str, str] = {}
    for component in components:
        versions |= _version(component.plugin)
        versions |= {name: _installed(name, component) for name in getattr(component.call, "distributions", ())}
        versions |= getattr(component.call, "fingerprints", {})
    return versions


def _installed(distribution: str, component: LoadedComponent) -> str:
    version = version_of(distribution)
    if not version:
        raise PluginError(f"{component} rests on {distribution!r}, which is not installed")
    return version


def _version(plugin: Plugin) -> dict[str, str]:
    if plugin.distribution == PROJECT:
        return {}
    return {plugin.distribution or plugin.module: plugin.version or "unknown"}


def _joined(fields: Mapping[str, str], versions: Mapping[str, str]) -> str:
    if versions:
        return f"{_joined(fields, {})}{_WITH}{','.join(f'{name} {version}' for name, version in versions.items())}"
    return "|".join(f"{key}:{value}" for key, value in fields.items())
