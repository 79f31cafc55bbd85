"""sacreBLEU's signatures, read and written: ``BLEUSignature``, in full and short, and the form of version 1."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from bleukit.built_in.sacrebleu.morphemes import Japanese, Korean, Morphemes
from bleukit.built_in.sacrebleu.smoothings import AddK, Floor

import bleukit
from bleukit.plugin import CannotExpressError, Component, ReadSignature, Variant, VariantError, near_misses

VARIANT = "sacrebleu"
SEED = "12345"
"""What it draws with unless SACREBLEU_SEED says otherwise."""
VERSION = "2.6.0"
"""The version of sacreBLEU whose scores the variant gives, and with it the one that signatures name."""

KEYS = {"nrefs": "#", "case": "c", "eff": "e", "tok": "tok", "smooth": "s", "version": "v"}
"""The keys that determine a score, in order, and what they are called in short."""
ABOUT_THE_FILES = {"test": "t", "lang": "l", "origlang": "o", "subset": "S"}
ABOUT_SIGNIFICANCE = {"bs": "bs", "ar": "ar", "seed": "rs"}
FULL = {short: full for full, short in {**KEYS, **ABOUT_THE_FILES, **ABOUT_SIGNIFICANCE}.items()} | {"numrefs": "nrefs"}

TOKENIZERS = {name: name for name in ("13a", "none", "zh", "intl", "char", "flores101", "flores200", "spBLEU-1K")}
OLD_TOKENIZERS = {"spm": "flores101", "spm-flores": "flores101"}
MECAB: dict[str, tuple[type[Morphemes], str]] = {"ja-mecab": (Japanese, "IPA"), "ko-mecab": (Korean, "KO")}
VALUES = {"floor": Floor, "add-k": AddK}


class SacrebleuSignature:
    """What sacreBLEU writes with a score, such as ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``."""

    def __call__(self, signature: str) -> ReadSignature | None:
        old = "|" not in signature
        parts = re.split(r"\+" if old else r"\|", re.sub(r"^BLEU[+|]", "", signature.strip()))
        pairs = [field.partition("." if old else ":") for field in parts]
        if not {"tok", "nrefs", "numrefs", "#"} & {key for key, _, _ in pairs}:
            return None
        fields = _fields(pairs)
        caveat = _caveat(fields["version"], old)
        if old and fields["tok"] == "intl":
            _refuse("tok", "before version 2 'intl' took other characters for digits, which bleukit does not")
        overrides: dict[str, Any] = {
            "tokenizer": _tokenizer(fields["tok"]),
            "smoothing": _smoothing(fields["smooth"]),
            "lowercase": _one_of("case", fields["case"], {"mixed": False, "lc": True}),
        }
        if _one_of("eff", fields["eff"], {"no": False, "yes": True}):  # if not, sentence_bleu turns it on all the same
            overrides["effective_order"] = True
        variant = bleukit.load(VARIANT, **overrides).variant
        if fields["tok"].count("-") > 1:  # it names a version of MeCab
            written = _written_tokenizer(variant.tokenizer)
            if written != fields["tok"]:
                _refuse("tok", f"expected {written}, by the MeCab that is installed, got {fields['tok']!r}")
        comparison = _comparison(fields)
        if fields.get("seed", "").lower() == "none":
            caveat = "; ".join(filter(None, [caveat, "its intervals and tests had no seed, and cannot be repeated"]))
        return ReadSignature(variant, _references(fields["nrefs"]), caveat, comparison=comparison)

    def write(self, variant: Variant, references: int | None) -> str:
        plain = bleukit.load(VARIANT).variant
        if variant.join_documents:
            raise CannotExpressError("join_documents: true")
        for key in (
            "counter",
            "reference_length",
            "brevity_penalty",
            "average",
            "weights",
            "normalize_weights",
            "empty_score",
            "scale",
        ):
            if getattr(variant, key) != getattr(plain, key):
                raise CannotExpressError(f"{key}: {getattr(variant, key)}")
        if variant.lowercase == "ascii":
            raise CannotExpressError("lowercase: ascii")
        values = {
            "nrefs": references or "var",
            "case": "lc" if variant.lowercase else "mixed",
            "eff": "yes" if variant.effective_order else "no",
            "tok": _written_tokenizer(variant.tokenizer),
            "smooth": _written_smoothing(variant.smoothing),
            "version": VERSION,
        }
        return "|".join(f"{key}:{values[key]}" for key in KEYS)


def _fields(pairs: list[tuple[str, str, str]]) -> dict[str, str]:
    """Return the values by their full keys; all that determine a score are present."""
    fields: dict[str, str] = {}
    known = {**FULL, **{full: full for full in FULL.values()}}
    for key, separator, value in pairs:
        if not separator or not value:
            _refuse("", f"expected a key and a value, got {key + separator!r:.60}")
        if key not in known:
            _refuse("", f"unknown key {key!r:.60}; {near_misses(key, list(known))}")
        if known[key] in fields:
            _refuse(known[key], "is given twice")
        fields[known[key]] = value
    if fields.get("version", "").startswith("1."):
        fields.setdefault("eff", "no")  # version 1 did not write it
    missing = [key for key in KEYS if key not in fields]
    if missing:
        _refuse("", f"lacks {', '.join(missing)}")
    return fields


def _comparison(fields: dict[str, str]) -> dict[str, str | int]:
    """Return how ``--confidence``, ``--paired-bs`` or ``--paired-ar`` resampled; nothing if that had no seed."""
    if not {"bs", "ar"} & fields.keys() or fields.get("seed", SEED).lower() == "none":
        return {}
    numbers = {}
    for key in ("bs", "ar", "seed"):
        value = fields.get(key, SEED if key == "seed" else "")
        if value and not re.fullmatch(r"[0-9]{1,18}" if key == "seed" else r"[1-9][0-9]{0,8}", value):
            _refuse(key, f"expected a whole number, got {value!r:.60}")
        numbers[key] = int(value or 0)
    test: dict[str, str | int] = {"test": "sacrebleu-bs", "samples": numbers["bs"]}
    if numbers["ar"]:
        test = {"test": "sacrebleu-ar", "samples": numbers["ar"], "interval_samples": numbers["bs"]}
    return {**test, "seed": numbers["seed"]}


def _caveat(version: str, old: bool) -> str:
    numbers = re.match(r"([12])\.(\d+)", version)
    if not numbers or old != (numbers[1] == "1"):
        form = "'.' are of version 1" if old else "':' are of version 2"
        _refuse("version", f"expected 1.x or 2.x, and keys and values joined by {form}; got {version!r:.60}")
    if old:
        return (
            f"sacreBLEU {version} scores above 0 without any match, and leaves out empty references; version 2 does not"
        )
    if int(numbers[2]) > int(VERSION.split(".")[1]):
        return f"bleukit knows sacreBLEU up to version {VERSION}, not {version}"
    return ""


def _references(value: str) -> int | None:
    if value == "var":
        return None
    if not re.fullmatch(r"[1-9][0-9]*", value):
        _refuse("nrefs", f"expected a number of references or 'var', got {value!r:.60}")
    return int(value)


def _tokenizer(value: str) -> str:
    mecab = re.fullmatch(r"(ja-mecab|ko-mecab)(-.+)?", value)
    if mecab:
        return mecab[1]
    known = {**TOKENIZERS, **OLD_TOKENIZERS}
    if value not in known:
        _refuse("tok", f"unknown tokenizer {value!r:.60}; {near_misses(value, [*known, *MECAB])}")
    return known[value]


def _written_tokenizer(tokenizer: Component) -> str:
    name = {"whitespace": "none"}.get(tokenizer.name, tokenizer.name)
    if name in MECAB:
        morphemes, dictionary = MECAB[name]
        return f"{name}-{morphemes.version()}-{dictionary}"
    if name not in TOKENIZERS or tokenizer.options:
        raise CannotExpressError(f"tokenizer: {tokenizer.to_yaml()}")
    return TOKENIZERS[name]


def _smoothing(value: str) -> str | dict[str, str | float]:
    parts = re.fullmatch(r"(exp|none|floor|add-k)(?:\[([0-9]+\.[0-9]+)\])?", value)
    if not parts:
        _refuse("smooth", f"expected exp, none, floor[0.10] or add-k[1.00], got {value!r:.60}")
    method, number = parts.groups()
    if (method in VALUES) != (number is not None):
        needs = "needs a value, as in floor[0.10]" if method in VALUES else "has no value"
        _refuse("smooth", f"{method} {needs}, got {value!r:.60}")
    if method not in VALUES:
        return str(method)
    (option,) = vars(VALUES[method]())
    return {"name": method, option: float(number)}


def _written_smoothing(smoothing: Component) -> str:
    if smoothing.name in ("exp", "none"):
        return smoothing.name
    if smoothing.name in VALUES:
        (value,) = vars(VALUES[smoothing.name](**smoothing.options)).values()
        if float(f"{value:.2f}") == value:
            return f"{smoothing.name}[{value:.2f}]"
    raise CannotExpressError(f"smoothing: {smoothing.to_yaml()}")


def _one_of(key: str, value: str, known: dict[str, bool]) -> bool:
    if value not in known:
        _refuse(key, f"expected {' or '.join(known)}, got {value!r:.60}")
    return known[value]


def _refuse(key: str, problem: str) -> NoReturn:
    raise VariantError(problem, (key,) if key else (), "signature")
