"""Many texts in a few buffers, and their tokens: what compiled readers, tokenizers and counters pass on.

There are two: PackedTexts, which is what files and Arrow columns become, and PackedTokens. Both read as sequences, of
str and of token lists, so that a component that knows nothing of buffers works on them too. Grouped holds the
references of each segment, of either kind or in a list.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from bleukit.framework.compiled import CompiledModule
from bleukit.framework.loops import lengths_from_ends, up_to

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_compiled = CompiledModule("bleukit.framework.packed_compiled")

ItemT = TypeVar("ItemT")

PADDING = 16
"""Number of bytes after the last token, so that compiled code can read whole words."""

FIRST_IN_NO_TEXT = 0xFE
"""0xFE and 0xFF never occur in UTF-8: compiled code uses them as marks."""


DECODED = 1024
"""Number of texts decoded at a time when all are read."""


class Grouped(Sequence[Sequence[ItemT]], Generic[ItemT]):
    """Consecutive ``items`` in groups; ``ends`` (int64) holds the index at which each group ends."""

    def __init__(self, items: Sequence[ItemT], ends: array[int]) -> None:
        self.items = items
        self.ends = ends

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> Sequence[ItemT]: ...
    @overload
    def __getitem__(self, index: slice) -> Grouped[ItemT]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if not isinstance(index, slice):
            index = range(len(self))[index]
            return self.items[self.ends[index - 1] if index else 0 : self.ends[index]]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return grouped([self[group] for group in range(start, stop, step)])
        if len(self.items) == len(self):  # one each
            return Grouped(self.items[start:stop], up_to(max(stop - start, 0)))
        before = self.ends[start - 1] if start else 0
        ends = array("q", [end - before for end in self.ends[start:stop]])
        return Grouped(self.items[before : before + ends[-1] if ends else before], ends)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grouped) and self.ends == other.ends and self.items == other.items

    __hash__ = None  # type: ignore[assignment]

    def lengths(self) -> array[int]:
        """Return how many items each group has."""
        return lengths_from_ends(self.ends)

    def sums(self: Grouped[int]) -> array[int]:
        """Return the sum of each group of numbers, none of which is empty."""
        if len(self.items) == len(self.ends):  # one each
            return array("q", self.items)
        sums = array("q", accumulate(self.items, initial=0))
        return lengths_from_ends(array("q", map(sums.__getitem__, self.ends)))


class PackedTexts(Sequence[str]):
    """Texts in ``characters``: UTF-8, each from the byte in ``starts`` to the one in ``ends`` (both int64).

    Slices share the buffers. A str is made of a text when it is asked for. Whoever makes them has checked the UTF-8.
    """

    def __init__(self, characters: Any, starts: Any, ends: Any) -> None:
        self.characters = characters
        self.starts = starts
        self.ends = ends

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> PackedTexts: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return PackedTexts(self.characters, self.starts[index], self.ends[index])
        index = range(len(self))[index]
        return strings(self[index : index + 1])[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), DECODED):
            yield from strings(self[start : start + DECODED])

    def utf8(self) -> list[bytes]:
        """Return the bytes of each text."""
        content = bytes(self.characters)
        return [content[start:end] for start, end in zip(self.starts, self.ends, strict=True)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and strings(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: PackedTexts) -> PackedTexts:
        return concatenate_texts([self, other])


class PackedTokens(Sequence[Sequence[str]]):
    """The tokens of many texts in ``characters``: UTF-8, lone surrogates too, with PADDING bytes behind the last.

    ``token_ends`` holds the byte at which each token ends, ``text_ends`` the number of tokens up to the end of each
    text (both int64).
    """

    def __init__(self, characters: array[int], token_ends: array[int], text_ends: array[int]) -> None:
        self.characters = characters
        self.token_ends = token_ends
        self.text_ends = text_ends

    def __len__(self) -> int:
        return len(self.text_ends)

    @overload
    def __getitem__(self, index: int) -> list[str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[list[str]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[text] for text in range(len(self))[index]]
        index = range(len(self))[index]
        characters, ends = memoryview(self.characters), self.token_ends
        return [
            str(characters[ends[token - 1] if token else 0 : ends[token]], "utf-8", "surrogatepass")
            for token in range(self.text_ends[index - 1] if index else 0, self.text_ends[index])
        ]

    def lengths(self) -> array[int]:
        """Return how many tokens each text has."""
        return lengths_from_ends(self.text_ends)


@_compiled.replaces
def ends_of(groups: Sequence[Sized]) -> array[int]:
    """Return where each group ends if they are put one after the other."""
    return array("q", accumulate(map(len, groups)))


def lengths_of(sequences: Sequence[Sequence[Any]]) -> array[int]:
    """Return how long each of some sequences is."""
    return sequences.lengths() if isinstance(sequences, PackedTokens) else array("q", map(len, sequences))


def grouped(groups: Sequence[Sequence[ItemT]]) -> Grouped[ItemT]:
    """Return groups as Grouped, unless they are that already."""
    if isinstance(groups, Grouped):
        return groups
    return Grouped(list(chain.from_iterable(groups)), ends_of(groups))


def packed(token_lists: Sequence[Sequence[str]]) -> PackedTokens:
    """Return token lists as PackedTokens, unless they are that already."""
    return token_lists if isinstance(token_lists, PackedTokens) else pack_tokens(token_lists)


@_compiled.replaces
def strings(texts: PackedTexts) -> list[str]:
    """Return each text as a str. Raises UnicodeDecodeError for one that is not UTF-8."""
    characters = memoryview(texts.characters)
    return [bytes(characters[start:end]).decode() for start, end in zip(texts.starts, texts.ends, strict=True)]


@_compiled.replaces
def concatenate_texts(parts: Iterable[PackedTexts]) -> PackedTexts:
    """Return the texts of several PackedTexts, copied, one after the other."""
    encoded = [text.encode() for part in parts for text in part]
    ends = ends_of(encoded)
    return PackedTexts(b"".join(encoded), array("q", [0, *ends])[:-1], ends)


def interleaved(columns: Sequence[PackedTexts]) -> Grouped[str]:
    """Return groups of texts, one of each column, given columns of the same length."""
    together, number, length = concatenate_texts(columns), len(columns), len(columns[0])
    starts, ends = array("q", together.starts), array("q", together.ends)
    for column in range(number):
        column_places = slice(column * length, (column + 1) * length)
        starts[column::number], ends[column::number] = together.starts[column_places], together.ends[column_places]
    texts = PackedTexts(together.characters, starts, ends)
    return Grouped(texts, array("q", range(number, number * length + 1, number)))


@_compiled.replaces
def pack_tokens(token_lists: Sequence[Sequence[str]]) -> PackedTokens:
    """Copy the tokens of some texts into buffers. Raises TypeError for a token that is not a str."""
    lists = list(map(list, token_lists))
    encoded = [str.encode(token, "utf-8", "surrogatepass") for token in chain.from_iterable(lists)]
    characters = array("B", b"".join(encoded) + bytes(PADDING))
    return PackedTokens(characters, ends_of(encoded), ends_of(lists))


def select_texts(tokens: PackedTokens, texts: NDArray[np.int64]) -> PackedTokens:
    """Return the tokens of some of the texts, by their numbers."""
    import numpy as np

    characters, token_ends, text_ends = map(np.asarray, (tokens.characters, tokens.token_ends, tokens.text_ends))
    kept, kept_ends = _ranges(text_ends, texts)
    bytes_kept, bytes_ends = _ranges(token_ends, kept)
    buffers = array("B"), array("q"), array("q")
    for buffer, values in zip(buffers, (characters[bytes_kept], bytes_ends, kept_ends), strict=True):
        buffer.frombytes(values.tobytes())
    buffers[0].frombytes(bytes(PADDING))
    return PackedTokens(*buffers)


def _ranges(ends: NDArray[np.int64], groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of what is in some groups, one group after the other, and where each of these ends there."""
    import numpy as np

    starts = np.where(groups > 0, ends[groups - 1], 0)
    lengths = ends[groups] - starts
    stops = lengths.cumsum()
    return np.repeat(starts - (stops - lengths), lengths) + np.arange(lengths.sum()), stops


@_compiled.replaces
def require_consistent(tokens: PackedTokens) -> None:
    """Raise ValueError or TypeError unless the buffers fit together, so that compiled code can read them."""
    characters, token_ends = tokens.characters, tokens.token_ends
    last = _last_of(token_ends)
    if last > len(characters) - PADDING:
        raise ValueError(f"tokens up to byte {last} of {len(characters) - PADDING}")
    if _last_of(tokens.text_ends) != len(token_ends):
        raise ValueError(f"texts up to token {_last_of(tokens.text_ends)} of {len(token_ends)}")
    if max(characters[:last], default=0) >= FIRST_IN_NO_TEXT:
        raise ValueError("bytes that are not UTF-8")


def _last_of(ends: array[int]) -> int:
    """Return the last of some ends, 0 if there is none. Raises ValueError if they decrease, or begin below 0."""
    return sum(lengths_from_ends(ends))


@_compiled.replaces
def are(values: Sequence[object], *types: type) -> bool:
    """Return whether all values are of one of some types, exactly."""
    return set(map(type, values)) <= {*types}


@_compiled.replaces
def hold_only_str(token_lists: Sequence[Sequence[object]]) -> bool:
    """Return whether every token is a str."""
    return all(isinstance(token, str) for token in chain.from_iterable(token_lists))
