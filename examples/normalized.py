"""A plugin in one file: a tokenizer that splits at white space, after Unicode normalisation."""

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
