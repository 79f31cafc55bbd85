"""Generated input for components, by kind; each is plain data, the arguments of one call."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Arguments: TypeAlias = "tuple[Any, ...]"
"""The arguments of one call; those of a smoothing are the fields of its Counts, the last segment's the last of them."""

LONGEST = 70_000
"""The number of tokens of the longest segment: more than 16 bits count."""

ORDERS = 12
"""The highest n-gram order."""

COUNT = 10**6
"""The highest length, in tokens."""

_SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"
_MARKS = [*".,-'$&<>@#/:_%!?()\"", "、", "&amp;", "&lt;", "&quot;", "&apos;", "<skipped>", "-\n", "\u200b", "\ufeff"]
_LETTERS = [*"Z019", *"ÉßİΣςéﬁ", "e\u0301", "猫", "が", "가", "٣", "½", "𠮷", "👍🏽", "\udc80", "\x00"]
PARTS = ["a", "b", " ", *_MARKS, *_LETTERS, *_SPACES[1:], "the cat", "3.5", "@@ ", "</s>"]
"""What rules of tokenizers are about; the simplest first."""

_VOCABULARIES: Sequence[Sequence[str]] = (
    [*"abcde"],
    ["a", "A", "ａ", "á", "a\u0301"],  # noqa: RUF001
    ["ﬁ", "fi", "", "²", "<unk>"],
    ["a", "a a", "a a a", "", " "],
    ["a", "a\x00", "\udc80", "猫", "𠮷"],
    [f"{'x' * place}{letter}{'x' * (299 - place)}" for place in (0, 150, 299) for letter in "ab"],
)
"""Tokens that are equal to who normalizes them, joins them by spaces, encodes them, or looks at a part of them."""

_parts = st.sampled_from(PARTS) | st.characters(exclude_categories=())
texts: st.SearchStrategy[str] = st.builds(
    lambda parts, joint, times: (joint.join(parts) + joint) * times,
    st.lists(_parts, min_size=1, max_size=8),
    st.sampled_from(["", "", " "]),
    st.sampled_from([1, 1, 1, 1, 0, 40]),
)
"""Short texts, and some that repeat one many times."""


def _token_lists(vocabulary: Sequence[str]) -> st.SearchStrategy[list[str]]:
    """Return lists of few tokens, some of them cycles, so that long n-grams repeat and match."""
    short = st.lists(st.sampled_from(vocabulary), max_size=8)
    return short | st.builds(lambda cycle, times: cycle * times, short, st.sampled_from([2, 3, 40]))


segments: st.SearchStrategy[Arguments] = st.sampled_from(_VOCABULARIES).flatmap(
    lambda vocabulary: st.tuples(
        _token_lists(vocabulary),
        st.lists(_token_lists(vocabulary), min_size=1, max_size=4),
        st.integers(1, 5) | st.integers(1, ORDERS),
    )
)
"""A hypothesis, its references, and a highest order."""

_number = st.integers(0, 9) | st.integers(0, COUNT)
lengths: st.SearchStrategy[Arguments] = st.builds(
    lambda length, offsets: (length, [max(0, length + offset) for offset in offsets]),
    _number,
    st.lists(st.integers(-5, 5) | st.integers(-COUNT, COUNT), min_size=1, max_size=6),
)
"""The length of a hypothesis, and of references of which several are equally close."""

summed_lengths: st.SearchStrategy[Arguments] = st.tuples(
    _number, st.builds(float, _number) | st.builds(lambda number, part: number + part, _number, st.floats(0, 1))
)
"""The length of a hypothesis, and an effective reference length, whole or not."""


def _counts_of(length: int, shares: Sequence[float], least: int, reference_length: int) -> tuple[Any, ...]:
    """Return counts of a segment: n-grams become fewer by one per order, and matches no more."""
    totals = [max(0, length - order) for order in range(len(shares))]
    matches: list[int] = []
    for total, share in zip(totals, shares, strict=True):
        matches.append(int(min([total, *matches[-1:]]) * share))
    return matches, [max(least, total) for total in totals], length, float(reference_length)


_shares = st.sampled_from([1.0, 1.0, 0.5, 0.0])


@st.composite
def counts(draw: st.DrawFn, *, further: int = 0) -> Arguments:
    """Return counts as they occur: of a last segment, with ``further`` orders, and of what may be before it.

    A counter may count one n-gram if there is none, as NLTK does.
    """
    orders = draw(st.integers(1, 5) | st.integers(1, ORDERS))
    least = draw(st.sampled_from([0, 0, 1]))
    size = orders + further
    parts = [
        _counts_of(draw(_number), draw(st.lists(_shares, min_size=size, max_size=size)), least, draw(_number))
        for _ in range(draw(st.sampled_from([1, 1, 2])))
    ]
    matches, totals = ([sum(part[side][order] for part in parts) for order in range(orders)] for side in (0, 1))
    return matches, totals, sum(part[2] for part in parts), sum(part[3] for part in parts), (*parts[-1], None)


ARGUMENTS: Mapping[str, st.SearchStrategy[Arguments]] = {
    "tokenizer": st.tuples(texts),
    "counter": segments,
    "reference_length": lengths,
    "smoothing": counts(),
    "brevity_penalty": summed_lengths,
}
"""By the kind of component."""

NEAR: Mapping[str, Sequence[Arguments]] = {
    "tokenizer": (),
    "counter": [
        (hypothesis, references, max_order)
        for hypothesis in ([*"aba"], [*"abb"])
        for references in ([[*"ab"]], [[*"ba"], [*"aa"]])
        for max_order in (2, 3)
    ],
    "reference_length": [(length, references) for length in (4, 7) for references in ([3, 6], [6, 9])],
    "smoothing": [
        (matches, totals, totals[0], length, (matches, totals, totals[0], length, None))
        for matches in ([2, 0], [1, 0])
        for totals in ([4, 3], [3, 2])
        for length in (5.0, 6.0)
    ],
    "brevity_penalty": [(length, reference_length) for length in (4, 5) for reference_length in (6.0, 7.0)],
}
"""Input of which every two differ in one argument, by kind: a component may look at some of them alone."""

SEVERAL: Mapping[str, st.SearchStrategy[list[Arguments]]] = {
    kind: st.lists(own, min_size=1, max_size=3 if kind == "counter" else 6) for kind, own in ARGUMENTS.items()
}
"""Batches of them."""

MORE_ORDERS = counts(further=4)
"""Arguments of smoothings that ask for further orders of the last segment."""


def every_character() -> Iterator[str]:
    """Yield texts with each character below U+30000 in a word of its own, and between letters and digits."""
    for start in range(0, 0x30000, 256):
        characters = list(map(chr, range(start, start + 256)))
        yield " ".join(characters)
        yield " ".join(f"a{character}b 1{character}2" for character in characters)


@cache
def _long_texts() -> Sequence[str]:
    """Return a long text, and some with each character below U+30000 in a word of its own, some in longer words, too.

    These are all but the most: other letters, as of Chinese, and what has no meaning.
    """
    characters = list(map(chr, range(0x30000)))
    rare = [character for character in characters if unicodedata.category(character) not in {"Lo", "Cn", "Co", "Cs"}]
    words = [*characters, *(f"a{character}b1{character}2" for character in rare)]
    return "the cat. " * 9_500, *(" ".join(words[start : start + 4096]) for start in range(0, len(words), 4096))


def every_pair() -> Iterator[str]:
    """Yield texts with every two parts that rules of tokenizers are about in a word, and at both ends."""
    for first in PARTS:
        yield " ".join(f"a{first}{second}1 9{first}{second}0" for second in PARTS)
        yield from (f"{first}1{first}", f" {first}x{first} ")


def _special_segments() -> Iterator[Arguments]:
    """Yield segments of tokens that look alike, of many references, and of many tokens, around powers of two."""
    for vocabulary in _VOCABULARIES:
        yield from (([one, other], [[other, one], [one]], 2) for one, other in combinations(vocabulary, 2))
    yield [*"abcdefghij"], [[letter] for letter in "abcdefghijklmnopqrst"], 2
    yield [f"x{number}" for number in range(300)], [[f"x{number}"] for number in range(300)], 2
    words = [str(number * number % 8191 % 97) for number in range(LONGEST)]
    for size in (15, 16, 17, 63, 64, 65, 255, 256, 257, 511, 512, 513, 5000):
        yield words[:size], [words[1:size] + words[:1], words[2 : size // 2]], 4
    yield ["a"] * 300, [["b"] * 9, ["a"] * 20, ["a"] * 290], ORDERS
    yield [f"x{number}" for number in range(3000)], [[f"y{number}" for number in range(3000)]], 1
    yield words, [words[::-1]], 2


def _large_counts() -> Iterator[Arguments]:
    """Yield counts of a size at which a narrower number holds no more."""
    for bits in (15, 16, 31, 32, 52):
        size = 2**bits
        unit = [size // 2, size // 3, 3, 1], [size, size - 1, size - 2, size - 3], size, float(size - 1)
        yield (*unit, (*unit, None))


def special(kind: str) -> Iterator[Arguments]:
    """Yield input that goes wrong by its size, or by what is rare, for a kind of component; the shortest first."""
    bits = (15, 16, 31, 32, 52)
    if kind == "tokenizer":
        yield from ((text,) for text in (*PARTS, *_long_texts()))
    elif kind == "counter":
        yield from _special_segments()
    elif kind == "reference_length":
        yield from ((2**size, [2**size + 1, 2**size - 1]) for size in bits)
    elif kind == "smoothing":
        yield from _large_counts()
    else:
        yield from ((2**size, float(2**size + more)) for size in bits for more in (-1, 1))


RACING: Mapping[str, Sequence[Arguments]] = {
    "tokenizer": [("the cat. " * 2_000,), ("a mat, " * 3_000,)],
    "counter": [([*letters] * 1_000, [[*letters[::-1]] * 1_000], 4) for letters in ("ab", "bac")],
}
"""Input on which a component works so long that threads are seen to disturb each other, by kind."""
