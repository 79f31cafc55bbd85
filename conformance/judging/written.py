"""What a score is written as, the line that is printed and the signature, held to the score and the variant.

Signatures, bleukit's own and those of other tools, are read back, too.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cache, wraps
from importlib import metadata
from itertools import combinations
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Any
from zlib import crc32

from bleukit.conformance.definitions import DEFAULT_VARIANT, PLAIN_VARIANT

import bleukit
from bleukit import yaml_document
from bleukit.loading.creating import version_of
from bleukit.loading.signature import read_signature, written_signatures
from bleukit.variant import from_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.conformance.judging.cases import Case

    from bleukit import Bleu, Score, Variant

_LINE = re.compile(
    r"BLEU (?P<value>\S+) \((?P<mean>mean of the sentence scores; of the sums: )?"
    r"precisions (?P<precisions>\S+) %, brevity penalty (?P<penalty>\S+), "
    r"hypothesis length (?P<hypothesis>\d+), reference length (?P<reference>\S+), "
    r"(?P<segments>[\d,]+) (?P<unit>segments?), (?P<variant>.*)\)"
)
_CASES = {False: "mixed", True: "lower", "ascii": "lower-ascii"}
TOKENS_GIVEN = "(tokens given)"
MODIFIED = " (modified)"

_version = cache(metadata.version)


def written_differences(case: Case, bleu: Bleu, score: Score, level: str) -> Iterator[str]:
    """Yield what a score of a case is written as that it is not."""
    yield from wrong_lines([score])
    yield from (f"signature: {wrong}, in {score.signature!r}" for wrong in _in_signature(case, bleu, score, level))


def wrong_lines(scores: Iterable[Score]) -> Iterator[str]:
    """Yield what of a score's printed line is not that of the score."""
    for score in scores:
        yield from (f"printed: {wrong}, in {str(score)!r}" for wrong in _in_line(score))
        like, number = (_uses_of(of) for of in (score, score.value))
        if f"{score}" != str(score) or like != number or repr(score.value) not in repr(score):
            yield f"as a number: {like}, expected {number}"


def _uses_of(number: Any) -> list[Any]:
    """Return what can be made of a score, or of its value; 0.03125 is one of the hard scores."""
    uses: list[Any] = [f"{number:.3f}", *(order(number, 0.03125) for order in (eq, lt, le, gt, ge))]
    if not math.isnan(number):  # which is no whole number, and equal to nothing
        uses += float(number), round(number), round(number, 3), hash(number)
    return uses


def hard_scores(score: Score) -> Iterator[Score]:
    """Yield scores like one whose figures are hard to print: ties, zero, tiny ones, and very many segments."""
    ties, tiny = (0.03125, 0.15625, 2.125, 2.375, 0.09375), (0.0, 1e-232, -2e-232, 0.00004, 0.00005)
    for value in (*ties, *tiny, -0.25, 1.0, 1.004, 99.995, 100.0, math.nan):
        for segments in (1, 2, 999, 1000, 10_000, 1_234_567):
            yield replace(score, value=value, segments=segments, precisions=(0.0625, value / 100, math.nan, 0.00125))
    for penalty in (0.03125, 0.99995, 1.0, 0.15625):
        yield replace(score, brevity_penalty=penalty, hypothesis_length=12_345, reference_length=1_234_567.25)


def _in_line(score: Score) -> Iterator[str]:
    """Yield the parts of the printed line that are not the score's, rounded to the digits that are printed.

    A score is printed to two decimals, of 1 and below to four, or to two digits if these would be zeros; the brevity
    penalty to four, precisions in percent to one, a dash for those that are undefined; lengths are exact.
    """
    line = _LINE.fullmatch(str(score))
    if line is None:
        yield "another form"
        return
    if bool(line["mean"]) != ("|average:" in score.signature):
        yield "whether it is a mean"
    decimals = 2 if score.value > 1 else 4
    tiny = 0 < abs(score.value) < 0.5 * 10**-decimals
    if not (
        _is_rounded(line["value"], score.value, 2, digits=True) if tiny else _is(line["value"], score.value, decimals)
    ):
        yield f"the score {score.value}"
    precisions = line["precisions"].split("/")
    if len(precisions) != len(score.precisions) or not all(
        text == "–" if math.isnan(p) else _is(text, 100 * p, 1)
        for text, p in zip(precisions, score.precisions, strict=False)
    ):
        yield f"the precisions {score.precisions}"
    if not _is(line["penalty"], score.brevity_penalty, 4):
        yield f"the brevity penalty {score.brevity_penalty}"
    if int(line["hypothesis"]) != score.hypothesis_length:
        yield f"the hypothesis length {score.hypothesis_length}"
    if not math.isclose(float(line["reference"]), score.reference_length, rel_tol=1e-9):
        yield f"the reference length {score.reference_length}"
    if line["segments"] != f"{score.segments:,}" or (line["unit"] == "segment") != (score.segments == 1):
        yield f"the number of segments {score.segments}"
    if line["variant"] != score.variant:
        yield f"the variant {score.variant}"


def _is(text: str, number: float, decimals: int) -> bool:
    """Return whether a text is a number, rounded to so many decimals."""
    if math.isnan(number):
        return text == "nan"
    return _is_rounded(text, number, decimals, digits=False)


def _is_rounded(text: str, number: float, places: int, *, digits: bool) -> bool:
    """Return whether a text is a number rounded to so many decimals or digits, half to even; zero has no sign."""
    exact = Decimal(number)
    if digits:
        exponent = exact.adjusted() - places + 1
        rounded = exact.quantize(Decimal(1).scaleb(exponent))
        return Decimal(text) == rounded and len(Decimal(text).as_tuple().digits) == places
    return text == f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN):f}".removeprefix(
        "-" if not number else ""
    )


def _in_signature(case: Case, bleu: Bleu, score: Score, level: str) -> Iterator[str]:
    """Yield the fields of the signature that are not those of the variant, the input and what is installed."""
    fields = dict(field.split(":", 1) for field in score.signature.split("|"))
    variant = bleu.variant.at_sentence_level() if level == "sentence" else bleu.variant
    right = {
        "variant": fields.get("variant") == score.variant and score.variant.startswith(case.variant),
        "weights": _numbers(fields.get("weights", "")) == _weights(variant),
        "effective_order": fields.get("effective_order") == ("yes" if variant.effective_order else "no"),
        "empty_score": repr(_numbers(fields.get("empty_score", ""))) == repr([float(variant.empty_score)]),
        "scale": fields.get("scale") == str(variant.scale),
        "bleukit": fields.get("bleukit") == _version("bleukit"),
    }
    chosen: dict[str, Any] = {"smoothing": variant.smoothing}
    if not case.counts:
        numbers = [len(pair.references) for pair in case.pairs]
        references = str(min(numbers)) if min(numbers) == max(numbers) else f"{min(numbers)}-{max(numbers)}"
        right["references"] = fields.get("references") == references
        right["documents"] = fields.get("documents", "") == ("joined" if variant.join_documents else "")
        right["case"] = fields.get("case") == _CASES[variant.lowercase]
        chosen |= {kind: bleu.components[kind] for kind in ("tokenizer", "counter", "reference_length")}
        if not isinstance(case.pairs[0].hypothesis, str):
            del chosen["tokenizer"]
            right["tokenizer"] = fields.get("tokenizer") == TOKENS_GIVEN
    for kind, component in chosen.items():
        name, _, options = fields.get(kind, "").partition("(")
        right[kind] = name == component.name and all(f"{option}=" in options for option in component.options)
    versions = fields.get("with", "").split(",")
    used = [
        name for component in chosen.values() for name in getattr(getattr(component, "call", None), "distributions", ())
    ]
    right["with"] = all(f"{name} {_version(name)}" in versions for name in used)
    yield from (f"{name} is {fields.get(name)}" for name, is_right in right.items() if not is_right)


def _weights(variant: Variant) -> list[float]:
    if not variant.normalize_weights:
        return list(variant.weights)
    return [weight / math.fsum(variant.weights) for weight in variant.weights]


def _numbers(written: str) -> list[float]:
    try:
        return list(map(float, written.split(",")))
    except ValueError:
        return []


HARD_TEXTS = ("5e3", ".5", "0x1", "yes", "~", "", " ", "|", '",(', "\\u007c", "&\x85<", "\u2028", ": #", "é\n'", "👍\0")
"""Texts that YAML, or a signature, might take for something else."""

SCALARS: Mapping[str, Any] = {
    **{text: float(text) for text in ("1e+3", "1e3", "-1E-3", ".5", "5.", "-0.0", "1.5e2", "+2.", "5e-324", "1.0e+16")},
    **{text: int(text) for text in ("0", "-1", "+2", "12345678901234567890")},
    **{text: text.lower() == "true" for text in ("true", "True", "TRUE", "false", "False", "FALSE")},
    **{text: text for text in ("yes", "on", "n", "1_000", "1:30", "2001-01-01", "tRUE", "1e", "e5", "1.2.3")},
    **dict.fromkeys(("~", "null", "Null", "NULL", ""), None),
    ".inf": math.inf,
}
"""Plain scalars, and what they are in the core schema of YAML 1.2."""

OVERRIDES: Sequence[Mapping[str, Any]] = (
    {},
    {"lowercase": True},
    {"lowercase": "ascii"},
    {"weights": 2},
    {"weights": [1 / 6, 1 / 7, 2 / 3]},
    {"weights": [0.123456789, 0.3, 0.0, 0.2]},
    {"smoothing": {"name": "add-k", "k": 123.456}},
    {"smoothing": {"name": "add-k", "k": 112.5}},
    {"smoothing": {"name": "floor", "value": 0.25}},
    {"smoothing": {"name": "floor", "value": 0.025}},
    {"smoothing": {"name": "floor", "value": 0.0}},
    {"smoothing": "none"},
    {"tokenizer": "intl"},
    {"effective_order": True},
    {"effective_order": False},
    {"empty_score": 1 / 3},
    {"sentence": {}},
    {"sentence": {"empty_score": 0.25, "brevity_penalty": "none"}},
    {"brevity_penalty": "none"},
    {"reference_length": "shortest"},
    {"counter": "unclipped"},
    {"scale": 1},
    {"scale": 100},
    {"average": "macro"},
    {"average": "micro"},
    {"join_documents": True},
    {"weights": [0.5, 0.25], "normalize_weights": False},
    {"weights": [2, 1], "normalize_weights": True},
    {"weights": [0.1] * 10, "normalize_weights": True},
)
"""Keys of a variant, some of which sacreBLEU's signature can state."""

PAIRS = 100
"""Of so many pairs of them, one is tried with a variant."""


@dataclass(frozen=True)
class Separator:
    """A tokenizer that is given in Python: it splits at a character."""

    at: str = ";"

    def __call__(self, text: str) -> list[str]:
        """Return the parts."""
        return text.split(self.at)


PYTHON_OBJECTS: Mapping[Callable[..., Any], str] = {
    Separator("|"): f'{__name__}.Separator(at="\\u007c")',
    Separator: f"{__name__}.Separator",
    str.split: "builtins.str.split",
    lambda text: [text]: "given-in-Python",
    wraps(math.fsum)(lambda text: [text]): "given-in-Python",
}
"""Tokenizers that are given in Python, and how signatures name them: if Python finds them there, by their place."""


def wrong_signatures(source: str) -> Iterator[str]:
    """Yield what is wrong with the signatures of a variant, given by name or file, and of others that start from it."""
    named = bleukit.load(source)
    yield from _yaml_differences(named.variant)
    yield from _other_fields_differences(named.signature)
    for tokenizer, name in PYTHON_OBJECTS.items():
        signature = bleukit.load(named.variant, tokenizer=tokenizer).signature
        if f"|tokenizer:{name}|" not in signature:
            yield f"the tokenizer {name} is signed {signature!r}"
    if not named.variant.plugins:  # which a signature does not name
        texts = HARD_TEXTS if source == DEFAULT_VARIANT else ()
        of_texts = ({"tokenizer": {"name": "mteval", "blanks": text}} for text in texts)
        for keys in (*_overrides(source), *_together(named), *of_texts):
            changed = named
            with suppress(bleukit.VariantError):
                changed = bleukit.load(source, **keys)
            if source == DEFAULT_VARIANT:
                yield from _yaml_differences(changed.variant)
            yield from signature_differences(changed, named)
    if source == DEFAULT_VARIANT:
        yield from _yaml_misread()
        yield from _wrongly_stated()
        yield from _signatures_misread(named)


def _yaml_misread() -> Iterator[str]:
    for text, value in SCALARS.items():
        read = yaml_document.parse(f"key: {text}", "a variant").data["key"]
        if repr(read) != repr(value):
            yield f"{text} in YAML is read as {read!r}, expected {value!r}"


def _wrongly_stated() -> Iterator[str]:
    """Yield what sacreBLEU's signature of the default variant with other keys does not say of them."""
    for keys, field in STATED:
        signature = written_signatures(bleukit.load(DEFAULT_VARIANT, **keys).variant, 1).get("sacrebleu", "")
        if f"|{field}|" not in signature:
            yield f"with {keys} the signature of sacrebleu is {signature!r}, expected {field!r} in it"


def _signatures_misread(named: Bleu) -> Iterator[str]:
    """Yield what other forms of signatures are read as that they are not: of other versions, and of printed lines."""
    own = named.signature
    lines = (f"signature {own}", f"# signature {own}\n", f"signature: {own}", own.replace("|", "|\n  "))
    for signature, keys, references, says in (*READ, *((line, {}, None, "") for line in lines)):
        read = read_signature(signature)
        wanted = bleukit.load(DEFAULT_VARIANT, **keys).variant
        has_caveat = says in read.caveat and bool(says) == bool(read.caveat)
        if (read.variant, read.references, has_caveat) != (wanted, references, True):
            yield f"{signature!r} is read as {read}, expected {wanted}, {references} references and {says!r}"


READ: Sequence[tuple[str, Mapping[str, Any], int | None, str]] = (
    ("BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.4.14", {}, 1, "sacreBLEU 1.4.14"),
    (
        "BLEU+case.lc+numrefs.12+smooth.floor[0.25]+tok.none+version.1.3.0",
        {"lowercase": True, "smoothing": {"name": "floor", "value": 0.25}, "tokenizer": "none"},
        12,
        "sacreBLEU 1.3.0 scores above 0 without any match",
    ),
    ("BLEU|nrefs:var|case:lc|eff:no|tok:13a|smooth:exp|version:2.0.0", {"lowercase": True}, None, ""),
    (
        "test:wmt17|lang:en-de|origlang:en|subset:x|nrefs:1|case:mixed|eff:yes|tok:zh|smooth:none|version:2.6.1",
        {"effective_order": True, "tokenizer": "zh", "smoothing": "none"},
        1,
        "",
    ),
    (
        "t:wmt17|l:en-de|o:en|S:x|#:4|c:mixed|e:no|tok:char|s:add-k[2.50]|v:2.3.1",
        {"tokenizer": "char", "smoothing": {"name": "add-k", "k": 2.5}},
        4,
        "",
    ),
    ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.7.0", {}, 1, "up to version 2.6.0, not 2.7.0"),
    ("nrefs:1|bs:9|seed:none|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", {}, 1, "had no seed"),
)
"""Signatures of several versions of sacreBLEU, the keys and the number of references that they state, and a caveat."""

STATED: Sequence[tuple[Mapping[str, Any], str]] = (
    ({"lowercase": True}, "case:lc"),
    ({"effective_order": True}, "eff:yes"),
    *(({"tokenizer": name}, f"tok:{name}") for name in ("13a", "intl", "zh", "char", "none")),
    *(({"smoothing": name}, f"smooth:{name}") for name in ("exp", "none")),
    *(
        ({"smoothing": {"name": name, option: value}}, f"smooth:{name}[{value:.2f}]")
        for name, option in (("floor", "value"), ("add-k", "k"))
        for value in (0.0, 0.01, 0.1, 1.0, 112.5, 1234.56, 1e6)
    ),
)
"""Keys of the default variant, and what sacreBLEU's signature says of them."""


def _overrides(source: str) -> Sequence[Mapping[str, Any]]:
    """Return the overrides that are tried with a variant: all with two, a third of them with others."""
    return OVERRIDES if source in {DEFAULT_VARIANT, PLAIN_VARIANT} else OVERRIDES[crc32(source.encode()) % 3 :: 3]


def _together(named: Bleu) -> Iterator[Mapping[str, Any]]:
    """Yield overrides of several keys: some pairs, which differ from variant to variant, and what goes with a scale.

    With the default variant all others go with what differs at sentence level.
    """
    pairs = [{**one, **other} for one, other in combinations(OVERRIDES, 2)]
    yield from pairs[crc32(named.label.encode()) % PAIRS :: PAIRS]
    if named.label == DEFAULT_VARIANT:
        yield from (pair for pair in pairs if pair.keys() & {"average", "sentence"})
    yield from ({"scale": scale, "empty_score": named.variant.empty_score} for scale in (1, 100))


def _yaml_differences(variant: Variant) -> Iterator[str]:
    written = variant.to_yaml()
    if from_keys(yaml_document.parse(written, "a variant").data) != variant:
        yield f"it is written as {written!r}, which is another variant"


def signature_differences(bleu: Bleu, named: Bleu) -> Iterator[str]:
    """Yield what is wrong with a variant that started from a named one, loaded again, and with its signatures."""
    again, own = ([(c.name, c.options) for c in of.components.values()] for of in (bleukit.load(bleu.variant), bleu))
    if again != own:
        yield f"{bleu.variant} has the components {again}, expected {own}"
    is_modified = bleu.variant not in {named.variant, named.sentence_variant}
    label = named.label if not is_modified else named.label.removesuffix(MODIFIED) + MODIFIED
    if bleu.label != label or f"variant:{label}|references:any|" not in bleu.signature:
        yield f"{bleu.label!r}, signed {bleu.signature!r}, is {label!r}"
    weights = f"|weights:{','.join(map(repr, _weights(bleu.variant)))}|"
    if weights not in bleu.signature:
        yield f"{bleu.signature!r} lacks {weights!r}"
    wanted = _as_signed(bleu.variant)
    ours = bleu.signature, bleu.signature.replace("|brevity_penalty:standard", "")  # as it was before it was written
    for signature in (*ours, *written_signatures(bleu.variant, 1).values()):
        read = read_signature(signature)
        is_named = signature not in ours or read.variant.name == bleu.variant.name
        if not _is_of(read.variant, wanted) or read.caveat or not is_named:
            yield f"the signature {signature!r} is read as {read}"
    yield from _sacrebleu_differences(bleu, wanted)


def _other_fields_differences(signature: str) -> Iterator[str]:
    """Yield what is wrong with a signature of other numbers of references, or other versions."""
    for references, number in NUMBERS.items():
        read = read_signature(signature.replace("references:any", f"references:{references}"))
        if (read.references, read.any_references) != (number, references == "any"):
            yield f"a signature of {references} references is read as {read}"
    for other in _of_other_versions(signature):
        if not read_signature(other).caveat:
            yield f"of the signature of another version, {other!r}, nothing is said"


def _sacrebleu_differences(bleu: Bleu, wanted: Variant) -> Iterator[str]:
    for references, number in ((1, "1"), (3, "3"), (None, "var")):
        own = written_signatures(bleu.variant, references).get("sacrebleu", "")
        if own and (wrong := _not_as_sacrebleu(own, number, bleu)):
            yield f"the signature of sacrebleu, {own!r}, lacks {wrong}"
        for written, comparison in _other_forms(own):
            read = read_signature(written)
            if not _is_of(read.variant, wanted) or read.references != references or read.comparison != comparison:
                yield f"{written!r} is read as {read}"


NUMBERS = {"1": 1, "3": 3, "12": 12, "1-2": None, "any": None}
"""Numbers of references in a signature, and what is read; None if they vary."""


def _other_forms(signature: str) -> Iterator[tuple[str, Mapping[str, str | int]]]:
    """Yield what else sacreBLEU writes instead of one of its signatures: in short, and of comparisons, which follow."""
    if signature:
        pairs = (field.split(":", 1) for field in signature.split("|"))
        yield "|".join(f"{SHORT[key]}:{value}" for key, value in pairs), {}
        intervals: dict[str, str | int] = {"test": "sacrebleu-bs", "samples": 1000, "seed": 0}
        yield f"{signature}|bs:1000|seed:0", intervals
        yield f"{signature}|bs:1000", {**intervals, "seed": 12345}
        yield f"{signature}|bs:1000|seed:None", {}
        test: dict[str, str | int] = {"test": "sacrebleu-ar", "samples": 10000, "interval_samples": 1000, "seed": 7}
        yield f"{signature}|ar:10000|bs:1000|rs:7", {**intervals, **test}


SHORT = {"nrefs": "#", "case": "c", "eff": "e", "tok": "tok", "smooth": "s", "version": "v"}
"""The keys of sacreBLEU's signatures, and what they are with ``--short``."""


def _of_other_versions(signature: str) -> Iterator[str]:
    """Yield the signature of another version of bleukit, and of another one of the first distribution that it names."""
    yield f"{signature}.1"
    named = re.search(r"\|with:([^ |]+) ", signature)
    if named and version_of(named[1]):
        yield signature.replace(named[0], f"{named[0]}0.")


def _is_of(read: Variant, wanted: Variant) -> bool:
    """Return whether a variant that was read is the wanted one; sacreBLEU calls the tokenizer "whitespace" "none"."""
    is_none = (read.tokenizer.name, wanted.tokenizer.name) == ("none", "whitespace")
    return _as_signed(bleukit.load(read, tokenizer=wanted.tokenizer).variant if is_none else read) == wanted


def _as_signed(variant: Variant) -> Variant:
    """Return the variant as a signature states it: with the weights that it uses, for one level."""
    return bleukit.load(variant, sentence={}, weights=list(variant.weights_used), normalize_weights=False).variant


def _not_as_sacrebleu(signature: str, references: str, bleu: Bleu) -> str:
    """Return the first field that is not as ``sacrebleu/metrics/bleu.py``, class BLEUSignature, writes it."""
    variant, values = bleu.variant, bleu.components["smoothing"].options.values()
    fields = (
        f"nrefs:{references}",
        f"case:{'lc' if variant.lowercase else 'mixed'}",
        f"eff:{'yes' if variant.effective_order else 'no'}",
        f"tok:{'none' if variant.tokenizer.name == 'whitespace' else variant.tokenizer.name}",
        f"smooth:{variant.smoothing.name}" + "".join(f"[{value:.2f}]" for value in values),
    )
    written = signature.split("|")
    pairs = zip(fields, written, strict=False)
    return next((field for field, own in pairs if own != field and not own.startswith(f"{field}-")), "")
