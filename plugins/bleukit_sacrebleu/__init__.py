"""BLEU as sacreBLEU 2 computes it: https://github.com/mjpost/sacrebleu, the functions named below."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit_wikipedia import Unsmoothed, compiled_too, whitespace

import bleukit

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit import Counts, CountsTable

try:
    from bleukit_sacrebleu import _tokenizer_13a  # type: ignore[attr-defined]
except ImportError:  # it was built without a compiler
    _tokenizer_13a = None

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# The language-dependent part of NIST's mteval-v13a.pl, sub tokenization, in its order.
_SYMBOL = re.compile(r"([!-&(-+/:-@\[-`{-~])")  # ASCII punctuation but ' , - .
_STOP_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
_STOP_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def tokenize_13a(text: str) -> list[str]:
    """Tokenize as mteval-v13a does, and sacreBLEU's ``Tokenizer13a`` after it."""
    return separate_13a(replace_marks(text)).split()


def separate_13a(text: str) -> str:
    """Put spaces around punctuation: the language-dependent part of 13a."""
    text = " ".join(_SYMBOL.split(f" {text} "))
    if "." in text or "," in text:
        text = _STOP_AFTER_NON_DIGIT.sub(r"\1 \2 ", text)
        text = _STOP_BEFORE_NON_DIGIT.sub(r" \1 \2", text)
    if "-" in text:
        text = _DASH_AFTER_DIGIT.sub(r"\1 \2 ", text)
    return text


def tokenize_13a_batch(texts: Sequence[str]) -> Sequence[Sequence[str]]:
    """Tokenize many texts, compiled."""
    tokens: Sequence[Sequence[str]] = _tokenizer_13a.tokenize_13a(texts, replace_marks)
    return tokens


def replace_marks(text: str) -> str:
    """Do what 13a does before it looks at single characters: marks of skipped segments, line ends, entities."""
    return replace_entities(text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " "))


def replace_entities(text: str) -> str:
    """Replace the entities that mteval knows, one after the other, as it does: ``&amp;lt;`` ends as ``<``."""
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text


@dataclass(frozen=True)
class Floor:
    """``smooth_method="floor"``: ``value`` matches where there is none (Chen and Cherry 2014, technique 1)."""

    value: float = 0.1

    def __post_init__(self) -> None:
        _require_not_negative(value=self.value)

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        if not any(counts.matches):
            return plain
        return [p if p != 0 else self.value / total for p, total in zip(plain, counts.totals, strict=True)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        plain, wanting = _plain_and_wanting(counts)
        return np.divide(self.value, counts.totals, out=plain, where=wanting)


@dataclass(frozen=True)
class AddK:
    """``smooth_method="add-k"``: k matches and k n-grams more from order 2 on (Lin and Och 2004).

    As in sacreBLEU an order that has no n-gram at all thereby gets k/k, not 0/0.
    """

    k: float = 1.0

    def __post_init__(self) -> None:
        _require_not_negative(k=self.k)

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        if not any(counts.matches):
            return plain
        pairs = list(zip(counts.matches, counts.totals, strict=True))[1:]
        return plain[:1] + [(m + self.k) / (t + self.k) if t + self.k else math.nan for m, t in pairs]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        plain, _ = _plain_and_wanting(counts)
        matching = counts.matches.any(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            added = (counts.matches + self.k) / (counts.totals + self.k)
        added[:, 0] = plain[:, 0]
        return np.where(matching, added, plain)


@dataclass(frozen=True)
class Exponential:
    """``smooth_method="exp"``: 1/2, 1/4, … matches at the first, second, … order that has none (mteval-v13a)."""

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        if not any(counts.matches):
            return plain
        smoothed = []
        matches = 1.0
        for p, total in zip(plain, counts.totals, strict=True):
            if p == 0:
                matches /= 2
            smoothed.append(matches / total if p == 0 else p)
        return smoothed

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        plain, wanting = _plain_and_wanting(counts)
        return np.divide(0.5 ** wanting.cumsum(axis=1), counts.totals, out=plain, where=wanting)


def _plain_and_wanting(counts: CountsTable) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the precisions of each unit, and which to smooth: those of 0, unless the unit has no match at all."""
    plain = Unsmoothed().batch(counts)
    return plain, (plain == 0) & counts.matches.any(axis=1, keepdims=True)


def _require_not_negative(**options: float) -> None:
    for name, value in options.items():
        if not 0 <= value < math.inf:
            raise ValueError(f"{name} must be a finite number of at least 0, got {value}")


@bleukit.hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    compiled = _tokenizer_13a and bleukit.Compiled(tokenize_13a, tokenize_13a_batch)
    return {"none": compiled_too(whitespace), "13a": lambda: compiled or tokenize_13a}


@bleukit.hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"floor": Floor, "add-k": AddK, "exp": Exponential}


@bleukit.hookimpl
def bleukit_variants() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*.yaml"))
