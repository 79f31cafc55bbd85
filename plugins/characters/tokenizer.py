"""The tokenizer that keeps blanks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AllCharacters:
    """Every character is a token, also a blank."""

    def __call__(self, text: str) -> list[str]:
        return list(text)
