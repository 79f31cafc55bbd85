"""The signature of a score of BLEU: what it states of a variant, and back from a signature to a variant.

Plugins bring the formats of other tools. A component with options is ``name(option=JSON,…)``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote

import msgspec

from bleukit.bleu import loader
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, SIGNATURE, VARIANT
from bleukit.bleu.loader import MODIFIED, OF_SCORING
from bleukit.bleu.protocols import ReadSignature
from bleukit.bleu.variant import from_keys
from bleukit.framework import registry
from bleukit.framework.creating import create, version_of
from bleukit.framework.errors import NAME, CannotExpressError, PluginError, VariantError, near_misses
from bleukit.framework.hookspecs import PROJECT
from bleukit.framework.options import Component
from bleukit.framework.signature import SignaturePart, signature_fields, unbroken, version_of_plugin, versions_of
from bleukit.framework.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bleukit.bleu.loader import Loaded
    from bleukit.bleu.variant import Variant
    from bleukit.framework.creating import LoadedComponent

JOINED = "joined"
"""Says that the segments are documents."""

TOKENS_GIVEN = "(tokens given)"
"""Stands for the tokenizer if the caller passes tokens."""

_CASES: Mapping[str, bool | str] = {"mixed": False, "lower": True, "lower-ascii": "ascii"}
_KEYS = ("variant", "references", *COMPONENT_HOOKS, "case", "weights", "effective_order", "empty_score", "scale")
"""The fields that every signature of a variant has."""
_OF_TEXT = (
    *("segments", "remove", "text", "shift", "reference", "over_references", "swap"),
    *("units", "over_units", "mean", "penalty"),
)
"""The fields that say what a procedure did to a text and its scores."""


def counting_part(loaded: Loaded, *, tokens_given: bool) -> SignaturePart:
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
        fields |= {key: value for key, value in scoring_part(loaded).fields if key != PROJECT}
        used += [loaded.components[kind] for kind in OF_SCORING]
    python_objects = tuple(component.choice for component in used if component.choice.python_object is not None)
    return SignaturePart(tuple(fields.items()), tuple(versions_of(used).items()), python_objects)


def scoring_part(loaded: Loaded) -> SignaturePart:
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
    origin = version_of_plugin(loaded.origin) if loaded.origin else {}
    return SignaturePart(tuple(fields.items()), tuple((versions_of(components) | origin).items()))


def _read_own(signature: str, chosen: Collection[str]) -> ReadSignature | None:
    """Read what :func:`score_signature` writes.

    Returns None if the signature is not bleukit's. Raises VariantError if it is, but wrong.
    """
    fields = signature_fields(signature)
    if PROJECT not in fields or "variant" not in fields:
        return None
    check_fields(signature, (*_KEYS, "documents", "average"))
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
    return ReadSignature(variant, fixed, caveat(fields, chosen), any_references=numbers[1] is None)


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


def check_fields(signature: str, own: Iterable[str]) -> None:
    """Raise VariantError if a signature of bleukit has a field twice, or one that is not in ``own`` or of all."""
    known, seen = [*dict.fromkeys([*own, "references", "called", "with", PROJECT, *_OF_TEXT])], set()
    for field in unbroken(signature).split("|"):
        key = field.partition(":")[0]
        if key not in known:
            _refuse("", f"unknown field {key!r:.60}; {near_misses(key, known)}")
        if key in seen:
            _refuse(key, "is given twice")
        seen.add(key)


def caveat(fields: Mapping[str, str], chosen: Collection[str]) -> str:
    """Say which versions are other ones than those that the signature names, and which options it names.

    ``chosen`` are the fields that the options of the caller write, and which are therefore obeyed.
    """
    others = [f"bleukit {__version__}, not {fields[PROJECT]}"] if fields[PROJECT] != __version__ else []
    for named in filter(None, fields.get("with", "").split(",")):
        name, _, version = map(unquote, named.partition(" "))
        found = version_of(name)
        if found and found != version:
            others.append(f"{name} {found}, not {version}")
    text_fields = [f"{key}:{fields[key]}" for key in _OF_TEXT if key in fields]
    ignored = [field for field in text_fields if field not in chosen]
    notes = [f"here is {'; '.join(others)}"] if others else []
    notes += [f"{', '.join(ignored)} is of the text, and chosen by --set procedure.KEY"] if ignored else []
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
            value, end = decoder.raw_decode(rest)
        except ValueError:
            _refuse(kind, f"the option {option!r:.60} has no value in JSON: {written!r:.60}")
        if option in options:
            _refuse(kind, f"the option {option!r:.60} is given twice: {written!r:.60}")
        options[option] = value
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


def read_signature(signature: str, chosen: Collection[str] = ()) -> ReadSignature:
    """Return the variant that a signature describes, and how many references it is for.

    The line that a command prints, ``signature …``, is read, too. ``chosen`` are fields that are obeyed, and no caveat.
    Raises VariantError if no known tool writes such signatures, or its format cannot read this one.
    """
    signature = unbroken(signature)
    own = _read_own(signature, chosen)
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
