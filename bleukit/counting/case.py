"""Lowercase text: by Unicode, or A to Z alone."""

from __future__ import annotations

_ENCODING = ("utf-8", "surrogatepass")  # of any str, to bytes: bytes know ASCII's case alone


def lowered(text: str, lowercase: bool | str) -> str:
    """Return a text as the key ``lowercase`` of a recipe wants it: True is ``str.lower``, "ascii" A to Z alone."""
    if not lowercase:
        return text
    if lowercase == "ascii" and not text.isascii():
        return text.encode(*_ENCODING).lower().decode(*_ENCODING)
    return text.lower()
