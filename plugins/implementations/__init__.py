"""Other libraries' BLEU, asked for what a variant describes: one module a library, each imported when it is asked.

A module maps a variant to the library's parameters and reports what the library says; it computes nothing of BLEU.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from bleukit.plugin import hookimpl


@dataclass(frozen=True)
class Adapter:
    """Makes an adapter, of the module and the class; ``distributions`` is what must be installed for it."""

    module: str
    name: str
    distributions: tuple[str, ...]

    def __call__(self) -> Any:
        """Import the module, and the library with it."""
        return getattr(import_module(f"bleukit.built_in.implementations.{self.module}"), self.name)()


@hookimpl
def bleukit_implementations() -> dict[str, Any]:
    return {
        "bleukit": Adapter("bleukit_adapter", "Bleukit", ("bleukit",)),
        "nltk": Adapter("nltk_adapter", "Nltk", ("nltk",)),
        "sacrebleu": Adapter("sacrebleu_adapter", "Sacrebleu", ("sacrebleu",)),
        "torchmetrics": Adapter("torchmetrics_adapter", "Torchmetrics", ("torchmetrics", "torch")),
        "bleuscore": Adapter("bleuscore_adapter", "Bleuscore", ("bleuscore",)),
        "fast-bleu": Adapter("fast_bleu_adapter", "FastBleu", ("fast-bleu",)),
    }
