"""Texts tokenized by their pieces between spaces: words recur, and are split once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bleukit.framework.threads import while_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WORD_AND_MARK = re.compile("([A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\xff]+)([.,:;?!]?)")
"""A word of Latin letters, and one mark behind it or none, as most pieces are: two groups."""

REMEMBERED = 65_536
"""The number of pieces to remember: ``functools.lru_cache(REMEMBERED)``."""


def tokenize_by_pieces(
    texts: Iterable[str],
    of_piece: Callable[[str], Sequence[str] | None],
    of_text: Callable[[str], Sequence[str]],
) -> list[Sequence[str]]:
    """Return the tokens of each text: those of its pieces between spaces (U+0020), one after the other.

    ``of_piece`` remembers the pieces that it has split. It returns None for a piece that depends on the space before;
    ``of_text`` splits a text that has one.
    """
    found: list[Sequence[str]] = []
    for text in while_wanted(texts):
        tokens: list[str] = []
        for piece in text.split(" "):
            some = of_piece(piece)
            if some is None:
                found.append(of_text(text))
                break
            tokens += some
        else:
            found.append(tokens)
    return found
