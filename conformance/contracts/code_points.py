"""Holds tokenizers, and what lowercases a text, to their definitions on every code point.

This runs in the process of the component: to send so many texts would take long.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest import mock

from bleukit.conformance.contracts import calls, inputs
from bleukit.conformance.tokenizers import PYTHON_SPACES, TOKENIZERS, by_rules, category_runs, words

import bleukit
from bleukit.counting.packed import PackedTexts
from bleukit.counting.segment_columns import tokenize_texts
from bleukit.plugin import Apart, RuleTokenizer

if TYPE_CHECKING:
    from bleukit.loading.creating import LoadedComponent

TokenizeAll: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[str]]]

CONTEXTS = ("a{}a", "1{}1", " {} ")
"""What is around a code point: letters, digits, spaces."""

AT_THE_END = "Ab{}"
"""What is before a code point whose lower case may depend on that."""

BESIDE_SPACES = ("{}a.", "1.{}", "a-{}", "-{}1", "{}")
"""Texts of their own with each space, at an end or after what rules of tokenizers are about."""

IN_ONE_TEXT = 128
"""How many code points share a text, apart from the texts that hold one alone."""

COMMON = {"Lo", "Cn", "Co"}
"""The categories of most code points: letters without case, unassigned and private ones."""

SAMPLED = 64
"""Of these, one of so many is tried if not all of them are."""


def tokenized_otherwise(component: LoadedComponent, quick: bool) -> str:
    """Return a text that a documented tokenizer splits otherwise than its definition, and how; empty if it splits none.

    Code points are tried alone and in CONTEXTS, in texts one by one and together, of str and of UTF-8. Lower case is
    tried of a tokenizer that has a place of its own for it, and of ``whitespace``, which stands for all others.
    """
    lowercases = hasattr(component.call, "lowercasing") or component.name == "whitespace"
    for lowercase in (False, True, "ascii") if lowercases else (False,):
        alone, everywhere, between_letters = _code_points(quick)
        if lowercase:
            alone, everywhere, between_letters = map(_with_case, (alone, everywhere, between_letters))
        tried = dict.fromkeys((*CONTEXTS, AT_THE_END) if lowercase else CONTEXTS, everywhere)
        tried[CONTEXTS[0]] = between_letters
        texts = [
            " ".join(map(context.format, points[start : start + IN_ONE_TEXT]))
            for context, points in tried.items()
            for start in range(0, len(points), IN_ONE_TEXT)
        ]
        texts += [context.format(space) for context in BESIDE_SPACES for space in PYTHON_SPACES]
        define = partial(TOKENIZERS[component.name], lowercase=lowercase, **component.options)
        wanted = list(map(define, texts))
        for way, tokenize in _ways(component, lowercase):
            for text, tokens, got in zip(texts, wanted, tokenize(texts), strict=True):
                if tokens is not None and tokens != list(got):
                    return _message([*text.split(" "), text], define, tokenize, way)
        way, tokenize = next(_ways(component, lowercase))
        for text, got in zip(alone, tokenize(alone), strict=True):
            if define(text) not in (None, list(got)):
                return _message([text], define, tokenize, way)
    others = {"whitespace": _split_otherwise_by_rules, "none": _split_otherwise_by_pieces}
    return others[component.name]() if component.name in others else ""


OTHER_RULES: Sequence[Mapping[str, Any]] = (
    {"rules": [Apart("-"), Apart(r"\.", after="[a-z.]"), Apart("[.,]", before="[.,]")], "blank": "[ _]"},
    {"rules": [Apart("[.,]", before="[ .a]"), Apart(",", after="[ ,]"), Apart("a")], "surrounded": True},
    {"rules": [Apart("[a-z]", after="[ é]"), Apart("[^a-z]")], "lowercase": True, "surrounded": True},
    {"rules": [Apart("[b-zé]", before="[0-9]")], "lowercase": "ascii", "blank": r"[^\S\x85]"},
    *({"rules": [Apart(re.escape(chr(code))) for code in range(0x21, 0x21 + kinds)]} for kinds in (61, 62)),
    {"rules": [Apart("-"), Apart("[ a]", before="[ .a]")], "blank": "[ 猫]"},
)
"""Rules that no tokenizer here has, which are tried with what rules are about; of the last, one is too many."""

REFUSED_RULES: Sequence[Mapping[str, Any]] = (
    {"blank": r"\S"},
    {"blank": "[\t\n]"},
    {"rules": (Apart("a", after="b", before="c"),)},
    {"rules": (Apart("a", before="b"), Apart("a"), Apart("b", before="a"))},
)
"""What a tokenizer by rules refuses."""


def _split_otherwise_by_rules() -> str:
    """Return a text that other rules split otherwise than they are defined, and how; empty if they split none."""
    for keys in REFUSED_RULES:
        with suppress(ValueError):
            return f"{RuleTokenizer(**keys)} is accepted"
    texts = [text for (text,) in inputs.every_pair()[:-1:6] if inputs.is_utf_8(text)] + list(inputs.SCRIPTS)
    for keys in OTHER_RULES:
        tokenizer = RuleTokenizer(**{**keys, "rules": tuple(keys.get("rules", ()))})
        define = partial(by_rules, **keys)
        ways: dict[str, TokenizeAll] = {"by itself": partial(_each, tokenizer)}
        if tokenizer.batch:
            ways |= {"as text": tokenizer.batch, "as UTF-8": partial(_batch_of_packed, tokenizer.batch)}
        for way, tokenize in ways.items():
            if list(map(list, tokenize(texts))) != list(map(define, texts)):
                return f"by {keys}, {_message(texts, define, tokenize, way)}"
    return ""


def _message(texts: Sequence[str], define: Callable[[str], list[str] | None], tokenize: TokenizeAll, way: str) -> str:
    """Say what is wrong with the first of some texts of which something is."""
    for text in texts:
        wanted, got = define(text), list(tokenize([text])[0])
        if wanted is not None and wanted != got:
            return f"{text!r}, {way}: its tokens are {got}, its document defines {wanted}"
    return f"{texts[-1]!r}, {way}: not always the same"


@cache
def _code_points(quick: bool) -> tuple[list[str], list[str], list[str]]:
    """Return code points to try alone, those to try in every context, and those between letters.

    Between letters stands every code point below U+10000, and some of every category above; in every context those of
    COMMON only below U+3100. A quick run tries some of what is above U+3100. Surrogates are left out: UTF-8 has none.
    """
    alone: list[str] = []
    everywhere: list[str] = []
    between_letters: set[str] = set()
    for category, run in category_runs():
        if category != "Cs":
            first, is_whole = ord(run[0]), category not in COMMON and not quick
            alone += run[: max(0, (0x250 if quick else 0x3100) - first)]
            everywhere += run if is_whole else run[: max(0, 0x3100 - first)]
            between_letters |= {*run[: max(0, 0x10000 - first)], *run[::SAMPLED]} if not quick else {*run[::SAMPLED]}
    return alone, everywhere, sorted(between_letters.union(everywhere))


def _with_case(points: Sequence[str]) -> list[str]:
    return [c for c in points if c.lower() != c or c.casefold() != c]


def _ways(component: LoadedComponent, lowercase: bool | str) -> Iterator[tuple[str, TokenizeAll]]:
    """Yield each way from texts to tokens, and what to call it."""

    def from_utf8(texts: Sequence[str]) -> Sequence[Sequence[str]]:
        return tokenize_texts(_packed(texts), component, lowercase)

    case = {True: " in lower case", "ascii": ' in lower case, "ascii"'}.get(lowercase, "")
    if component.batch and not lowercase:  # without, it is called for text in the same way
        yield "by itself", lambda texts: list(map(component.call, texts))
    yield f"as text{case}", lambda texts: tokenize_texts(texts, component, lowercase)
    yield f"as UTF-8{case}", from_utf8


MODELS = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
"""The tokenizers whose models sacreBLEU downloads, and the files in which it keeps these, in its folder ``models``."""


def _split_otherwise_by_pieces() -> str:
    """Return what is wrong with tokenizers by SentencePiece models, given one that is trained here.

    sacreBLEU strips the end of a text, joins pieces by spaces, and splits at white space; it fails on surrogates, for
    which stands U+FFFD.
    """
    try:
        from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
    except ImportError:
        return ""
    trained = io.BytesIO()
    lines = [line for text in inputs.SCRIPTS[:3] for line in (text, "the cat sat on the mat.")]
    SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=trained, vocab_size=200, hard_vocab_limit=False, minloglevel=2
    )
    model = trained.getvalue()
    processor = SentencePieceProcessor(model_proto=model)
    texts = ["", "  the cat\t sat. ", "x \u2028", "a\0b \x1f", "\ud800 mat\udc80", *inputs.SCRIPTS]
    readable = [re.sub("[\ud800-\udfff]", "\ufffd", text.rstrip(PYTHON_SPACES)) for text in texts]
    wanted = [words(" ".join(processor.encode(text, out_type=str))) for text in readable]
    with tempfile.TemporaryDirectory(prefix="bleukit-") as folder, mock.patch.dict(os.environ, SACREBLEU=folder):
        kept = Path(folder, "models")
        kept.mkdir()
        given = Path(folder, "one.model")
        given.write_bytes(model)
        Path(folder, "bad.model").write_bytes(b"no model")
        refused = [{"name": "spm", "model": str(Path(folder, name))} for name in ("bad.model", "none.model")]
        without: list[Any] = [*MODELS, *refused]
        for tokenizer in without:
            with suppress(bleukit.VariantError):
                return f"{tokenizer}, of which there is no model: {bleukit.load(tokenizer=tokenizer)}"
        for name, file in MODELS.items():
            (kept / file).write_bytes(model)
            options = {"name": "spm" if name == "flores101" else name, "model": str(given)}
            for tokenizer, path in ((name, kept / file), (options, given)):
                bleu = bleukit.load(tokenizer=tokenizer)
                tokens = list(map(bleu.tokenize, texts))
                signed = f"{path.name} sha256:{hashlib.sha256(model).hexdigest()[:16]}|"
                if list(map(list, tokens)) != wanted or signed not in bleu.signature:
                    return f"{bleu.signature}, with {signed}: {texts} are {tokens}, by the model they are {wanted}"
            (kept / file).unlink()
    return ""


def _each(split: Callable[[str], list[str]], texts: Sequence[str]) -> list[list[str]]:
    return list(map(split, texts))


def _batch_of_packed(batch: TokenizeAll, texts: Sequence[str]) -> Sequence[Sequence[str]]:
    return batch(_packed(texts))


def _packed(texts: Sequence[str]) -> PackedTexts:
    encoded = [text.encode() for text in texts]
    ends = array("q", accumulate(map(len, encoded)))
    packed = PackedTexts(b"".join(encoded), array("q", [0, *ends])[:-1], ends)
    calls.require_alike(packed[:4], list(texts[:4]))
    calls.require_alike(packed[:2] + packed[-2:], [*texts[:2], *texts[-2:]])
    return packed
