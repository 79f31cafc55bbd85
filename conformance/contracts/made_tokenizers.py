"""Tokenizers that are made here, held to their definitions: by rules that none has, and by a model that is trained."""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from bleukit.conformance.contracts import inputs
from bleukit.conformance.contracts.code_points import TokenizeAll, message, packed
from bleukit.conformance.tokenizers import PYTHON_SPACES, by_rules, words

import bleukit
from bleukit.plugin import Apart, RuleTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def split_otherwise_by_rules() -> str:
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
                return f"by {keys}, {message(texts, define, tokenize, way)}"
    return ""


MODELS = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
"""The tokenizers whose models sacreBLEU downloads, and the files in which it keeps these, in its folder ``models``."""


def split_otherwise_by_pieces() -> str:
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
    return batch(packed(texts))


MADE: Mapping[str, Callable[[], str]] = {"whitespace": split_otherwise_by_rules, "none": split_otherwise_by_pieces}
"""What is tried beside a tokenizer, because no tokenizer that is installed has such rules, or such a model."""
