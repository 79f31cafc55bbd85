"""The signature of a score: everything needed to reproduce the number, on one line; written, and read back.

bleukit's own is ``variant:NAME|references:2|tokenizer:13a|…|bleukit:0.1.0``; plugins bring the formats of other tools.
A component with options is ``name(option=JSON,…)``. ``with:`` lists name and version of what else can change the
number. ``%``, ``|``, ``,`` and spaces in those names are percent-encoded, so that the fields remain separate.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from urllib.parse import quote, unquote

import msgspec

from bleukit.bleu import loader
from bleukit.bleu.loader import MODIFIED, OF_SCORING
from bleukit.bleu.variant import Component, from_keys
from bleukit.framework import registry
from bleukit.framework.creating import create, version_of
from bleukit.framework.errors import NAME, CannotExpressError, PluginError, VariantError
from bleukit.framework.hookspecs import COMPONENT_HOOKS, PROJECT, SIGNATURE, VARIANT
from bleukit.framework.protocols import ReadSignature
from bleukit.framework.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.bleu.loader import Loaded
    from bleukit.bleu.variant import Variant
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.registry import Plugin

JOINED = "joined"
"""Says that the segments are documents."""

TOKENS_GIVEN = "(tokens given)"
"""Stands for the tokenizer if the caller passes tokens."""

_CASES: Mapping[str, bool | str] = {"mixed": False, "lower": True, "lower-ascii": "ascii"}
_KEYS = ("variant", "references", *COMPONENT_HOOKS, "case", "weights", "effective_order", "empty_score", "scale")
"""The fields that every signature has."""


class SignaturePart(NamedTuple):
    """A part of a signature: what determines the statistics, or the score of given statistics.

    ``versions`` are of what else than bleukit can change that. ``python_objects`` are the components that were passed
    in Python: only parts with equal ones are equal, because two objects may have one name.
    """

    fields: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...] = ()
    python_objects: tuple[Component, ...] = ()

    def __str__(self) -> str:
        return "|".join([*_written_fields(self.fields), *_written_versions(self.versions)])


def of_counting(loaded: Loaded, *, tokens_given: bool) -> SignaturePart:
    """Return what determines the statistics."""
    components = [loaded.components[kind] for kind in ("tokenizer", "counter", "reference_length")]
    fields = {component.kind: _described(component) for component in components}
    if tokens_given:
        fields["tokenizer"] = TOKENS_GIVEN
    fields["case"] = next(case for case, lowercase in _CASES.items() if lowercase == loaded.variant.lowercase)
    if loaded.variant.join_documents:
        fields["documents"] = JOINED
    used = components[tokens_given:]
    if loaded.variant.is_macro:  # statistics hold sentence scores, which depend on all that determines a score
        fields |= {key: value for key, value in of_scoring(loaded).fields if key != PROJECT}
        used += [loaded.components[kind] for kind in OF_SCORING]
    python_objects = tuple(component.choice for component in used if component.choice.python_object is not None)
    return SignaturePart(tuple(fields.items()), tuple(_versions(used).items()), python_objects)


def of_scoring(loaded: Loaded) -> SignaturePart:
    """Return what determines the score of given statistics."""
    variant = loaded.variant
    components = [loaded.components[kind] for kind in OF_SCORING]
    fields = {
        **{component.kind: _described(component) for component in components},
        "weights": ",".join(map(repr, variant.weights_used)),
        "effective_order": "yes" if variant.effective_order else "no",
        "empty_score": f"{variant.empty_score!r}".removesuffix(".0"),
        "scale": str(variant.scale),
        **({"average": variant.average} if variant.is_macro else {}),
        PROJECT: __version__,
    }
    origin = _version(loaded.origin) if loaded.origin else {}
    return SignaturePart(tuple(fields.items()), tuple((_versions(components) | origin).items()))


@lru_cache(256)
def of_score(  # noqa: PLR0913
    label: str,
    references: tuple[int, int] | None,
    counting: SignaturePart | str,
    scoring: SignaturePart,
    called: str = "",
    kind: str = "variant",
) -> str:
    """Return the whole signature; ``references`` are the fewest and the most of a segment, None for any number.

    ``counting`` is a str for statistics that were not counted by a variant. ``called`` is the name of a program by
    which the variant was chosen. ``kind`` says what the label is: that of a variant, or of a metric beside BLEU.
    """
    fewest, most = references or ("any", "any")
    counted = (
        counting if isinstance(counting, SignaturePart) else SignaturePart((("counts", counting.partition(":")[2]),))
    )
    name = (("called", _escaped(called)),) if called else ()
    head = (kind, label), *name, ("references", str(fewest) if fewest == most else f"{fewest}-{most}")
    versions = dict(counted.versions + scoring.versions).items()
    scored = dict(scoring.fields)
    of_counts = (field for field in counted.fields if field[0] not in scored and field[0] != kind)
    written = *_written_fields(head), *_written_fields(of_counts), *_written_versions(versions)
    return "|".join([*written, *_written_fields(scoring.fields)])


def with_versions(signature: str, versions: Mapping[str, str]) -> str:
    """Return a signature that names, by name and version, what else the score was computed with."""
    fields = signature.split("|")
    index = next(i for i, field in enumerate(fields) if field.startswith(("with:", "smoothing:", f"{PROJECT}:")))
    before = [fields.pop(index)] if fields[index].startswith("with:") else []
    written = ",".join(field.removeprefix("with:") for field in (*before, *_written_versions(versions.items())))
    return "|".join([*fields[:index], *filter(None, [written and f"with:{written}"]), *fields[index:]])


def _read_own(signature: str) -> ReadSignature | None:
    """Read what :func:`of_score` writes.

    Returns None if the signature is not bleukit's. Raises VariantError if it is, but wrong.
    """
    fields = signature_fields(signature)
    if PROJECT not in fields or "variant" not in fields:
        return None
    missing = [key for key in _KEYS if key not in fields]
    if missing:
        _refuse("", f"lacks {', '.join(missing)}")
    if fields["tokenizer"] == TOKENS_GIVEN:
        _refuse("tokenizer", "is of tokens that were given, not of text that a tokenizer has split")
    keys: dict[str, Any] = {kind: _component(fields[kind], kind) for kind in COMPONENT_HOOKS}
    keys |= {
        "name": fields["variant"].removesuffix(MODIFIED),
        "weights": [_number(weight, "weights") for weight in fields["weights"].split(",")],
        "lowercase": _one_of(fields, "case", _CASES),
        "join_documents": "documents" in fields and _one_of(fields, "documents", {JOINED: True}),
        "effective_order": _one_of(fields, "effective_order", {"yes": True, "no": False}),
        "empty_score": _number(fields["empty_score"], "empty_score"),
        "scale": _one_of(fields, "scale", {"1": 1, "100": 100}),
        "average": fields.get("average", "micro"),
    }
    try:
        variant = _variant_of(keys, modified=fields["variant"].endswith(MODIFIED))
    except VariantError as error:
        raise VariantError(error.problem, error.key, "signature") from error
    numbers = re.fullmatch(r"any|([0-9]+)(?:-[0-9]+)?", fields["references"])
    if not numbers:
        _refuse("references", f"expected a number, a range or 'any', got {fields['references']!r:.60}")
    fixed = int(fields["references"]) if fields["references"].isdecimal() else None
    return ReadSignature(variant, fixed, caveat(fields), any_references=numbers[1] is None)


def _variant_of(keys: Mapping[str, Any], *, modified: bool) -> Variant:
    """Return the variant that has the keys of a signature.

    What a signature does not say, such as the rules for single segments, is that of the variant that it names, unless
    a key says otherwise.
    """
    written, installed = from_keys(keys), registry.installed()
    if not installed.get(VARIANT, written.name):
        return written
    start = loader.named(written.name, installed)
    ours, theirs = (loader.without_defaults(variant, installed) for variant in (start, written))
    changed = {key: keys[key] for key in keys if repr(getattr(ours, key)) != repr(getattr(theirs, key))}
    if not modified:
        return written if changed else start
    if "weights" in changed:
        changed["normalize_weights"] = False
    if "scale" in changed:
        changed["empty_score"] = keys["empty_score"]
    if "average" in changed:  # a macro variant has its keys for single segments in all others
        changed["sentence"] = {}
    return from_keys(loader.laid_over(start.fields(), changed or {"sentence": {}}))


def caveat(fields: Mapping[str, str]) -> str:
    """Say which versions are other ones than those that the signature names, and which options it names."""
    others = [f"bleukit {__version__}, not {fields[PROJECT]}"] if fields[PROJECT] != __version__ else []
    for named in filter(None, fields.get("with", "").split(",")):
        name, _, version = map(unquote, named.partition(" "))
        found = version_of(name)
        if found and found != version:
            others.append(f"{name} {found}, not {version}")
    chosen = [f"{key}:{fields[key]}" for key in ("segments", "remove", "over_references", "swap") if key in fields]
    notes = [f"here is {'; '.join(others)}"] if others else []
    notes += [f"{', '.join(chosen)} is of the text, and chosen by options of these names"] if chosen else []
    return f"the score may differ: {'; '.join(notes)}" if notes else ""


def _component(written: str, kind: str) -> Component:
    """Read ``name`` or ``name(option=JSON,…)``."""
    matched = re.fullmatch(rf"({NAME.pattern})(?:\((.*)\))?", written, re.DOTALL)
    if not matched:
        _refuse(kind, f"expected a name, with options in brackets, got {written!r:.60}")
    name, rest = matched[1], matched[2] or ""
    options: dict[str, Any] = {}
    import json  # not needed to print a signature

    decoder = json.JSONDecoder()
    while rest:
        option, _, rest = rest.partition("=")
        try:
            options[option], end = decoder.raw_decode(rest)
        except ValueError:
            _refuse(kind, f"the option {option!r:.60} has no value in JSON: {written!r:.60}")
        if rest[end : end + 1] not in {"", ","}:
            _refuse(kind, f"expected a comma after the option {option!r:.60}: {written!r:.60}")
        rest = rest[end + 1 :]
    return Component(name, options)


def _number(written: str, key: str) -> float:
    try:
        return float(written)
    except ValueError:
        _refuse(key, f"expected a number, got {written!r:.60}")


def _one_of(fields: Mapping[str, str], key: str, known: Mapping[str, Any]) -> Any:
    if fields[key] not in known:
        _refuse(key, f"expected {' or '.join(known)}, got {fields[key]!r:.60}")
    return known[fields[key]]


def _refuse(key: str, problem: str) -> NoReturn:
    raise VariantError(problem, (key,) if key else (), "signature")


def _described(component: LoadedComponent) -> str:
    options = ",".join(f"{key}={_as_json(value)}" for key, value in component.options.items())
    return f"{component.name}({options})" if options else component.name


def _as_json(value: Any) -> str:
    plain = msgspec.to_builtins(value, str_keys=True, order="deterministic", enc_hook=str)
    return msgspec.json.encode(plain).decode().replace("|", "\\u007c")


def _versions(components: Iterable[LoadedComponent]) -> dict[str, str]:
    """Return name and version of everything, apart from bleukit, that can change what the components return."""
    versions: dict[str, str] = {}
    for component in components:
        versions |= _version(component.plugin)
        for name in component.promise("distributions") or ():
            versions[name] = version_of(name)
            if not versions[name]:
                raise PluginError(f"{component} needs {name!r}, which is not installed")
        versions |= component.promise("fingerprints") or {}
    return versions


def versions_written(component: LoadedComponent) -> str:
    """Return the versions that a component brings into a signature, as they are written there; empty for none."""
    return next(_written_versions(_versions([component]).items()), "").removeprefix("with:")


def _version(plugin: Plugin) -> dict[str, str]:
    if plugin.is_built_in or not plugin.module:
        return {}
    return {plugin.distribution or plugin.module: plugin.version or "unknown"}


def _written_fields(fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{key}:{value}" for key, value in fields)


def _written_versions(versions: Iterable[tuple[str, str]]) -> Iterator[str]:
    written = ",".join(f"{_escaped(name)} {_escaped(version)}" for name, version in versions)
    if written:
        yield f"with:{written}"


def _escaped(text: str) -> str:
    """Percent-encode what separates fields, versions and their names, and what is not printable."""
    return "".join(quote(c, safe="", errors="surrogatepass") if c in "%|, " or not c.isprintable() else c for c in text)


def read_signature(signature: str) -> ReadSignature:
    """Return the variant that a signature describes, and how many references it is for.

    The line that a command prints, ``signature …``, is read, too. Raises VariantError if no known tool writes such
    signatures, or its format cannot read this one.
    """
    signature = _unbroken(signature)
    own = _read_own(signature)
    if own:
        return own
    for loaded in _formats():
        found = loaded.call(signature)
        if isinstance(found, ReadSignature):
            return found
        if found is not None:
            raise PluginError(f"{loaded} returns {found!r:.60}, not bleukit.plugin.ReadSignature")
    known = ", ".join(["bleukit", *registry.installed().of_kind(SIGNATURE)])
    raise VariantError(f"is of no known tool: {signature!r:.60}; known: {known}", where="signature")


def _unbroken(signature: str) -> str:
    signature = re.sub(r"^#?\s*signature:?\s+", "", signature.strip())
    return re.sub(r"\|\s+", "|", signature)  # as a terminal may have broken it


def signature_fields(signature: str) -> dict[str, str]:
    """Return the fields of a signature of bleukit; the line that a command prints, ``signature …``, is read, too."""
    return dict(field.partition(":")[::2] for field in _unbroken(signature).split("|"))


def written_signatures(variant: Variant, references: int | None) -> dict[str, str]:
    """Return the signature that each tool would write which can express the variant, by the name of the tool.

    ``references`` is how many each segment has, None if that varies.
    """
    signatures = {}
    for loaded in _formats():
        try:
            signatures[loaded.name] = loaded.call.write(variant, references)  # type: ignore[attr-defined]
        except CannotExpressError:  # noqa: PERF203
            continue
    return signatures


def _formats() -> Iterator[LoadedComponent]:
    installed = registry.installed()
    return (create(installed, SIGNATURE, Component(name)) for name in installed.of_kind(SIGNATURE))
