"""A tokenizer of one file: words separated by spaces, after Unicode normalisation. See the README for its use."""

import unicodedata
from dataclasses import dataclass
from typing import Literal

from bleukit.plugin import hookimpl


@dataclass(frozen=True)
class Normalized:
    """Makes "é" one character however it was typed; the fields are the options of a variant."""

    form: Literal["NFC", "NFKC", "NFD", "NFKD"] = "NFC"

    def __call__(self, text: str) -> list[str]:
        return unicodedata.normalize(self.form, text).split()


@hookimpl
def bleukit_tokenizers() -> dict[str, type[Normalized]]:
    """Offer the tokenizer under a name."""
    return {"normalized": Normalized}
