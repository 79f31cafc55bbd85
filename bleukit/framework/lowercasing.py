"""Lowercase text: by Unicode, or A to Z alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from bleukit.framework.packed import PackedTexts, PackedTokens, concatenate_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleukit.framework.protocols import Text

_ENCODING = ("utf-8", "surrogatepass")  # of any str, to bytes: bytes know ASCII's case alone


def lowered(text: str, lowercase: bool | str) -> str:
    """Return a text as the key ``lowercase`` of a variant wants it: True is ``str.lower``, "ascii" A to Z alone."""
    if not lowercase:
        return text
    if lowercase == "ascii" and not text.isascii():
        return text.encode(*_ENCODING).lower().decode(*_ENCODING)
    return text.lower()


def all_lowered(texts: Sequence[str], lowercase: bool | str) -> Sequence[str]:
    """Return texts as the key ``lowercase`` wants them; packed ones stay packed if only A to Z have to change."""
    if isinstance(texts, PackedTexts):
        copied = concatenate_texts([texts])
        content = bytes(copied.characters)
        if lowercase == "ascii" or content.isascii():
            return PackedTexts(content.lower(), copied.starts, copied.ends)
    return [lowered(text, lowercase) for text in texts]


class LowercasingTokenizer(ABC):
    """The base of tokenizers that lowercase by themselves, say after they have replaced entities.

    A subclass defines :meth:`tokens`; it may be a frozen dataclass, whose fields are the options.
    """

    @abstractmethod
    def tokens(self, text: str, lowercase: bool | str) -> Sequence[str]:
        """Return the tokens of one text; ``lowercase`` is the variant's key, as :func:`lowered` takes it."""

    def __call__(self, text: str) -> Sequence[str]:
        """Return the tokens of one text, whose case is kept."""
        return self.tokens(text, lowercase=False)

    def lowercasing(self, lowercase: bool | str) -> Callable[[str], Sequence[str]]:
        """Return the tokenizer of a variant that lowercases."""
        return partial(self.tokens, lowercase=lowercase)


Lowercasing: TypeAlias = bool | str
"""The value of a variant's key ``lowercase``."""


def lowercased(texts: Sequence[Text], lowercase: Lowercasing, *, tokenized: bool) -> Sequence[Text]:
    """Return texts, or lists of tokens, as the key ``lowercase`` wants them; PackedTokens are so already."""
    if isinstance(texts, PackedTokens):
        return texts
    if tokenized:
        return [[lowered(token, lowercase) for token in text] for text in texts]
    return all_lowered(texts, lowercase)  # type: ignore[arg-type]
