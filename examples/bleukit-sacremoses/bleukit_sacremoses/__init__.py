"""The Moses tokenizer, by sacremoses, and multi-bleu.perl's BLEU of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bleukit.plugin import hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

    from sacremoses import MosesTokenizer


@dataclass(frozen=True)
class Moses:
    """The Moses tokenizer. Its options are -l and -a of tokenizer.perl; -a turns "well-known" into "well @-@ known".

    XML escapes (&apos; for ') are left out: they rename tokens one to one, which changes no score. Raises ValueError
    for a language that sacremoses has no rules for.
    """

    language: str = "en"
    aggressive_dash_splits: bool = False

    distributions = ("sacremoses",)  # its version belongs in every signature

    def __post_init__(self) -> None:
        _tokenizer(self.language)

    def __call__(self, text: str) -> list[str]:
        moses = _tokenizer(self.language)
        tokens: list[str] = moses.tokenize(text, self.aggressive_dash_splits, escape=False)
        return tokens


@cache
def _tokenizer(language: str) -> MosesTokenizer:
    """Return the tokenizer of a language. It keeps no state between texts, so that threads can share it."""
    from sacremoses import MosesTokenizer  # only if it is used: importing it takes long
    from sacremoses.corpus import NonbreakingPrefixes

    known = {*NonbreakingPrefixes().available_langs.values(), "ja", "ko"}
    if language not in known:
        raise ValueError(f"language: expected one of {', '.join(sorted(known))}, got {language!r}")
    return MosesTokenizer(language)


@hookimpl
def bleukit_tokenizers() -> dict[str, type[Moses]]:
    """Offer the tokenizer under a name."""
    return {"moses": Moses}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    """Offer the variants beside this module, under the names of their files."""
    return variant_files(__file__)
