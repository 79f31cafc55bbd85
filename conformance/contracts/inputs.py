"""Generated input for components, by kind: short and legible, and as large as it gets in use; and what is simpler.

Each input is plain data, the arguments of one call. It is the same in every run.
"""

from __future__ import annotations

import re
import time
from itertools import accumulate, chain, islice
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Arguments: TypeAlias = "tuple[Any, ...]"
"""The arguments of one call; those of a smoothing are the fields of its Counts, the last segment's the last of them."""

Maker: TypeAlias = "Callable[[Random], Arguments]"
"""Makes one input of random numbers."""

ORDERS = 18
REFERENCES = 10
TOKENS = 300
BYTES = 300
"""The highest order, the most references, the most tokens of each, the most bytes of a token."""

LONG = (BYTES, 511, 1023, 4095, 65_535)
"""How many bytes longer tokens have before the last, in which they differ."""

SIZES = (15, 16, 17, 63, 64, 65, 255, 256, 257, 258, 511, 512, 513)
"""How many different tokens texts have that are equal but for their order."""

COUNT = 10**6
"""The highest count of n-grams."""

_SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"
_MARKS = [
    "</s>",
    *_SPACES,
    *".,-'$&<>@#/:_%!()",
    "、",
    "&amp;",
    "&lt;",
    "&gt;",
    "&quot;",
    "quot;",
    "amp;",
    "lt;",
    "gt;",
    "&apos;",
    "<skipped>",
    "<pad>",
    "-\n",
    "\u200b",
    "\ufeff",
]
_LETTERS = [*"aBz019", *"ÉßİΣςé", "e\u0301", "猫", "が", "가", "٣", "½", "𠮷", "👍🏽", "\udc80", "\x00"]
"""What rules of tokenizers are about."""
SCRIPTS = (
    "ΟΔΟΣ Σ ΑΣ. İı ǅ ẞ ﬁ 𐐀𐐨 ᎠᎡꭰ ᲐაᲑ",
    "猫が\u3000座る。ｶﾞ　「テスト」・",
    "他说：“1.5％”２０２２ 𠮷𠀀 中.5中",  # noqa: RUF001
    "👩‍👩‍👧 👍🏽 Ⅷ ؟ ३।५ _^`~ ½ ",
    "e\u0301 ±\xa0x\u2003y\x85z\x1cq\u2028r\u200b",
    " ".join(map(chr, [0xA1, *range(0xC0, 0x800, 0x40), *range(0x805, 0xD000, 0x1000), 0xE000, 0xFF01])),
    " ".join(map(chr, range(0x10000, 0x110000, 0x10000))),
)
"""Texts of which each has characters of three or four bytes, other white space, or letters whose case is special.

The last two have all first bytes that UTF-8 has for characters of several.
"""
_WORDS = ["the", "Cat", "sat", "on", "A", "mat", "abcdefghijklmnopqrstuvwxyz"]
_ALIKE = (
    [*"abcde"],
    ["a", "A", "ａ", "á", "a\u0301"],  # noqa: RUF001
    ["ﬁ", "fi", "", "²", "<unk>"],
    ["a", "a a", "a a a", "", " "],
    ["a", "a\x00", "\udc80", "猫", "𠮷"],
)
"""Vocabularies of tokens that are equal to who normalizes them, joins them by spaces, or encodes them."""


def _number(random: Random, limit: int) -> int:
    """Return a number of 0 to a limit, most of them small, and the limit itself."""
    return random.choice(
        [random.randint(0, min(8, limit)), random.randint(0, min(8, limit)), random.randint(0, limit), limit]
    )


def _text(random: Random, most: int) -> Arguments:
    """Return a text of cycles of few parts, so that long ones can be shown in short."""
    parts = [_part(random) for _ in range(random.randint(0, 12 if most <= 12 else 4))]
    joint = random.choice(["", "", " "])
    times = 1 if most <= 12 else random.randint(1, most)
    return (joint.join(parts * times)[:4000],)


def _part(random: Random) -> str:
    character = chr(random.choice([random.randrange(0x250), random.randrange(0x3000), random.randrange(0x110000)]))
    drawn: list[str] = [*map(random.choice, (_MARKS, _LETTERS, _WORDS)), character]
    return random.choice(drawn)


def plain_words(random: Random) -> Arguments:
    """Return a text of words of ASCII letters with a space between."""
    return (" ".join(random.choices(_WORDS, k=random.randint(1, random.choice([6, TOKENS])))),)


def _vocabulary(random: Random) -> list[str]:
    """Return five tokens: short ones, or long ones that differ in a byte."""
    if random.random() < 0.7:
        return random.choice(_ALIKE)
    size = random.randint(1, BYTES)
    place = random.randrange(size)
    return ["x" * place + letter + "x" * (size - place - 1) for letter in "abcde"]


def _segment(random: Random, orders: int, references: int, most: int) -> Arguments:
    """Return token lists that are cycles of few tokens, so that long n-grams repeat, and match."""
    tokens = _vocabulary(random)
    shared = random.choices(tokens, k=random.randint(1, 4))
    most = random.choice([min(8, most), most])

    def one() -> list[str]:
        cycle = random.choice([shared, random.choices(tokens, k=random.randint(1, 4))])
        length = random.randint(0, most)
        return (cycle * (length // len(cycle) + 1))[:length]

    return one(), [one() for _ in range(random.randint(1, references))], random.randint(1, orders)


def _lengths(random: Random, limit: int) -> Arguments:
    """Return lengths of which several are equally close to that of the hypothesis, or equal, or 0."""
    hypothesis = _number(random, limit)
    apart = random.randint(1, 5)
    known = [hypothesis + apart, max(0, hypothesis - apart)]
    if random.random() < 0.5:
        known += [0, hypothesis, random.randint(0, limit)]
    return hypothesis, random.choices(known, k=random.randint(1, REFERENCES))


def _summed_lengths(random: Random, limit: int) -> Arguments:
    """Return the length of a hypothesis, and an effective reference length near it or far, whole or not."""
    length = _number(random, limit)
    near = max(0, length + random.randint(-3, 3))
    return length, random.choice([near, float(length), _number(random, limit)]) + random.choice([0.0, 0.0, 0.5, 1 / 3])


def _counts(random: Random, orders: int, limit: int, further: int = 0) -> Arguments:
    """Return counts as they occur: those of a last segment, with ``further`` orders, and of what may be before it."""
    orders = random.randint(1, orders)
    least = random.randint(0, 1)  # a counter may count one n-gram if there is none, as NLTK does
    last = _counts_of_segment(random, orders + further, least, limit)
    unit = [last] + [_counts_of_segment(random, orders, least, limit)] * random.randint(0, 1)
    matches, totals = ([sum(part[side][order] for part in unit) for order in range(orders)] for side in (0, 1))
    return matches, totals, sum(part[2] for part in unit), sum(part[3] for part in unit), (*last, None)


def _counts_of_segment(random: Random, orders: int, least: int, limit: int) -> tuple[Any, ...]:
    """Return counts of a segment: n-grams become fewer by one per order, and matches no more."""
    length = _number(random, limit)
    ngrams = [max(0, length - order) for order in range(orders)]
    matches: list[int] = []
    everything = random.random() < 0.5
    for most in ngrams:
        highest = min([most, *matches[-1:]])
        matches.append(highest if everything else _number(random, highest))
    return matches, [max(least, total) for total in ngrams], length, float(_number(random, limit))


SMALL: Mapping[str, Maker] = {
    "tokenizer": lambda random: _text(random, 12),
    "counter": lambda random: _segment(random, 5, 3, 8),
    "reference_length": lambda random: _lengths(random, 30),
    "smoothing": lambda random: _counts(random, 5, 12),
    "brevity_penalty": lambda random: _summed_lengths(random, 30),
}
"""By the kind of component: what people can read."""

LARGE: Mapping[str, Maker] = {
    "tokenizer": lambda random: _text(random, TOKENS),
    "counter": lambda random: _segment(random, ORDERS, REFERENCES, TOKENS),
    "reference_length": lambda random: _lengths(random, COUNT),
    "smoothing": lambda random: _counts(random, ORDERS, COUNT),
    "brevity_penalty": lambda random: _summed_lengths(random, COUNT),
}
"""The same, up to the sizes above."""


def with_further_orders(random: Random) -> Arguments:
    """Return counts whose last segment has four orders more."""
    return _counts(random, 5, 12, further=4)


def with_totals_below_zero(random: Random) -> Arguments:
    """Return counts of a counter that declares totals below 0: of segments of some tokens, and others of fewer."""
    matches, totals, length, reference_length, last = _counts(random, 5, 12)
    short = [_number(random, 3) for _ in range(random.randint(0, 5))]
    totals = [total + sum(length - order for length in short) for order, total in enumerate(totals)]
    return matches, totals, length + sum(short), reference_length, last


def every_character() -> list[Arguments]:
    """Return texts with each character below U+30000 in a word of its own; last comes U+0000, which ends some."""
    return [(" ".join(map(chr, range(start + 511, start - 1, -1))),) for start in range(0, 0x30000, 512)]


ADDRESSES = (
    "see example.com now",
    "x web2.com/index y1.example.org/a/1 z",
    "a.b1.com 2 me@a1.org",
    "1@b.com you2@sub.example2.org 3.5",
    *(f"b example.com/{'a' * more} c" for more in (500, 2035, 2036, 2037, 5000)),
)
"""Texts with addresses, which some tokenizers keep whole."""


def every_pair() -> list[Arguments]:
    """Return texts with every two parts that rules of tokenizers are about in a word, and with each at both ends.

    The last is beyond 16 bits.
    """
    parts = [*_MARKS, *_LETTERS, "-\r\n"]
    pairs = [" ".join(f"a{first}{second}1 9{first}{second}0" for second in parts) for first in parts]
    ends = [f"{before}{part}1{part}{after}" for before in ("", " ") for after in ("", " ") for part in parts]
    words = [f"{part} 1 {part}" for part in parts]
    return [(text,) for text in (*pairs, *ends, *words, *ADDRESSES, "é cat. " * 9_500)]


def with_every_pair() -> list[list[str]]:
    """Return texts of as many tokens as in SIZES, of which few differ, but no pair of neighbours comes twice."""
    number = 23  # a prime: steps of each size lead through all tokens
    walk = [0, *accumulate(step for step in range(1, number) for _ in range(number))]
    return [[f"{place % number:x}" for place in walk[:size]] for size in SIZES if size <= len(walk)]


def many_tokens() -> list[Arguments]:
    """Return segments that go wrong by chance or size alone.

    They have tokens that differ in any one byte, or in length alone, numbers of tokens around powers of two, tokens
    that are equal once they are joined, n-grams of every order that occur more often than in any reference, many
    tokens, and a length beyond 16 bits.
    """
    base = "x" * BYTES
    differing = [f"{base[:place]}y{base[place + 1 :]}" for place in range(BYTES)]
    words = [f"{number:x}" for number in range(TOKENS * (REFERENCES + 1))]
    long = [str(index * index % 8191 % 7) for index in range(70_000)]
    other = [str(index * index % 8179 % 7) for index in range(70_000)]
    lengths = [["x" * size for size in range(first, 80, 2)] for first in (1, 2)]
    return [
        (lengths[0], [lengths[1]], 2),
        *((words[:size], [words[1:size] + words[:1]], 2) for size in SIZES),
        *((tokens, [tokens], 4) for tokens in with_every_pair()),
        (["a", "a a"], [["a a", "a"]], 2),
        (["The", "Cat", "É", "the"], [["the", "cat", "é"], ["THE"]], 4),
        (["a"] * 40, [["b"] * 9, ["a"] * 20, ["a"] * 30], ORDERS),
        (["x" * size + "a" for size in LONG], [["x" * size + "b" for size in LONG]], 2),
        (differing, [[base] * BYTES], 2),
        (words[:TOKENS], [words[TOKENS * number : TOKENS * (number + 1)] for number in range(1, REFERENCES + 1)], 2),
        (long, [other], 2),
    ]


def text_of_hashes() -> list[tuple[list[str], list[list[str]]]]:
    """Return the segments of a text in which libbleu finds matches because of the numbers that words have.

    Words are named by these; those of the last bigrams have one hash, by a byte above 127.
    """
    words = ["<s>", "<pad>", "</s>", "<unk>", *map(str, range(4, 300))]
    return [
        (words[4:60], [words[60:128]]),
        (words[128:200], [words[200:254], words[254:]]),
        *(([words[126], words[254 - place]], [[words[128], words[place]]]) for place in (0, 2, 4, 6)),
    ]


WIDTHS = tuple(2**bits + more for bits in (15, 16, 31, 32, 52) for more in (-2, -1, 0))
"""Numbers at which a narrower type, or a float, holds no more; sums of two are beyond the next ones."""


def wide_lengths() -> list[Arguments]:
    """Return lengths of these sizes, among others that are as close, one apart or far away."""
    pairs = [(size, [size + 1, size - 1]) for size in WIDTHS]
    return [*pairs, *((1, [size, 2 * size, 3]) for size in WIDTHS), *((size, [0, size + 3, 1]) for size in WIDTHS)]


def wide_counts() -> list[Arguments]:
    """Return counts of these sizes, of which every order has a match, or one has none."""
    units = [
        ([size // 2, *others], [size, size - 1, size - 2, size - 3], size, float(size - 1))
        for size in WIDTHS
        for others in ([3, 2, 1], [size // 3, size // 4, 0])
    ]
    return [(*unit, (*unit, None)) for unit in units]


SPECIAL: Mapping[str, Callable[[], list[Arguments]]] = {
    "tokenizer": lambda: [*every_character(), *every_pair()],
    "documented tokenizer": lambda: [*every_character()[::16], *every_pair()],
    "counter": many_tokens,
    "reference_length": wide_lengths,
    "smoothing": wide_counts,
    "brevity_penalty": lambda: [(size, float(other)) for size in WIDTHS for other in (size - 1, size + 1, 3 * size)],
}
"""More of some kinds; a documented tokenizer is held to its definition on every character elsewhere."""


def is_utf_8(text: str) -> bool:
    """Return whether UTF-8 can hold a text: it has no surrogates."""
    return not re.search("[\ud800-\udfff]", text)


def examples(make: Maker, number: int) -> list[Arguments]:
    """Return so many inputs, but for those that come again; the shortest first."""
    random = Random(number)  # noqa: S311 - no secret, but the same inputs each time
    made = {repr(arguments): arguments for arguments in (make(random) for _ in range(number))}
    return [made[shown] for shown in sorted(made, key=lambda shown: (len(shown), shown))]


def simpler(kind: str, arguments: Arguments) -> Iterator[Arguments]:
    """Yield inputs that are made of one by leaving something out, the most first."""
    if kind == "smoothing":
        matches, totals, *lengths, last = arguments
        if last[:2] != (matches, totals):
            yield matches, totals, *lengths, (matches, totals, *lengths, None)
        for n in range(1, len(matches)):
            yield matches[:n], totals[:n], *lengths, (last[0][:n], last[1][:n], *last[2:])
        return
    for place, value in enumerate(arguments):
        for less in _less(value):
            changed = (*arguments[:place], less, *arguments[place + 1 :])
            if kind in {"tokenizer", "brevity_penalty"} or _is_called_for(kind, changed):
                yield changed


def _is_called_for(kind: str, arguments: Arguments) -> bool:
    """Return whether a component may be called with this: there is a reference, and an order."""
    return bool(arguments[1]) and (kind != "counter" or arguments[2] > 0)


def _less(value: Any, most: int = 64) -> Iterator[Any]:
    """Yield at most so many values with less in them: a part or an item of a sequence, a smaller number."""
    if isinstance(value, int | float):
        yield from sorted({type(value)(0), value // 2, value - 1} if value >= 1 else ())
    else:
        yield from islice(chain(_parts(value), _with_less_in_an_item(value, most // 2)), most)


def _parts(value: Any) -> Iterator[Any]:
    """Yield a sequence without a part of it, the largest parts first."""
    size = len(value)
    while size:
        for start in range(0, len(value), size):
            yield value[:start] + value[start + size :]
        size //= 2


def _with_less_in_an_item(value: Any, most: int) -> Iterator[Any]:
    for place, item in enumerate(value if isinstance(value, list) else ()):
        yield from ([*value[:place], less, *value[place + 1 :]] for less in _less(item, most))


def smaller(items: Sequence[Any], still: Callable[[Sequence[Any]], bool], seconds: float) -> list[Any]:
    """Leave out of a sequence what can be left out, in parts, while something is ``still`` so, for so long at most."""
    kept = list(items)
    size = len(kept) // 2
    end = time.monotonic() + seconds
    while size:
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            if time.monotonic() > end:
                return kept
            if rest and still(rest):
                kept = rest
                break
        else:
            size //= 2
    return kept
