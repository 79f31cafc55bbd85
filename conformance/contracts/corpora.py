"""Corpora on which every way to a score is tried: each has what a wrong width, border or chunk would change."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache, cached_property
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.conformance.contracts import inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.protocols import Text

Segment: TypeAlias = "tuple[Text, Sequence[Text]]"

BATCH = 2048
"""How many segments bleukit counts at a time, if it counts many."""
SLOW_BATCH = 256
"""The same, if a component has no batch method."""
TEXT_BATCH = 4096
"""The same, if a counter counts whole texts."""
THREADS = 17
BLOCK = 1 << 20
"""How many bytes of a file bleukit reads at a time."""
LINES = 8192
"""How many lines of a file bleukit takes at a time."""
FEW = 100
"""Up to this many segments a corpus is taken apart segment by segment, too."""
MANY_TOKENS = 100_000
"""Lists with so many tokens are not brief."""
MANY_ROWS = 70_000
"""More rows than are written to a file together."""
HUNDREDS = 300
"""Up to this many segments a corpus is read from files of rare forms, too."""
LARGE = 1 << 40
"""The largest count of a segment of which counts alone are known."""
LARGEST = (1 << 50) - 1
"""The first of them: floats hold the sum of all, but not that of as many of it. Whole lengths are larger."""


class Row(NamedTuple):
    """The statistics of a segment, or of several, of which ``last`` is the last; sentence scores for macro variants."""

    segments: int
    hypothesis_length: int
    reference_length: Fraction
    reference_tokens: int
    fewest_references: int
    most_references: int
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    sentence_scores: int | None = None
    sentence_scores_rest: int | None = None
    last: Row | None = None


class Corpus:
    """Segments, which are ``distinct`` ones at ``places``, in order; or, if these are not known, their ``rows``.

    The segments of a ``grid`` are each of its hypotheses with each of its references. If a corpus is for ways alone
    that need one thing, which others are not tried on, ``only`` names that. If it ``is_counted``, it is of interest how
    its segments are counted, and not how they are scored.
    """

    def __init__(  # noqa: PLR0913
        self,
        name: str,
        distinct: Sequence[Segment] = (),
        places: Sequence[int] = (),
        rows: Sequence[Row] = (),
        grid: Sequence[Sequence[Any]] = (),
        only: str = "",
        *,
        is_counted: bool = False,
    ) -> None:
        self.name = name
        self.only = only
        self.is_counted = is_counted
        self.distinct = distinct
        self.places = places or range(len(distinct) or len(rows))
        self.rows = rows
        self.grid = grid
        self.hypotheses = [distinct[place][0] for place in self.places] if distinct else []
        self.references = [distinct[place][1] for place in self.places] if distinct else []

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def offers(self) -> frozenset[str]:
        """What ways may need: "UTF-8" has no surrogates, "sets" are as many references each, "lines" fit into files.

        "marked" are lines that evaluation sets can hold: these know no control characters, and strip white space.
        If "single", each has one reference, which is no empty list.
        "blocks" are more lines than are taken at a time, and fewer than twice as many.
        "CSV" is what Python's module can read: before Python 3.11 no U+0000. "once" is for what has texts of its own.
        """
        texts = [text for hypothesis, references in self.distinct for text in (hypothesis, *references)]
        is_text = bool(texts) and all(isinstance(text, str) for text in texts)
        whole = "".join(map(str, texts)) if is_text else ""
        is_utf_8 = is_text and inputs.is_utf_8(whole)
        in_sets = len({len(references) for _, references in self.distinct}) == 1
        are_lines = is_utf_8 and in_sets and not set("\r\n\t") & set(whole)
        offered = {
            "layout": self.only == "layout",
            "long": self.only == "long",
            "once": self.only == "once",
            "grid": bool(self.grid),
            "themselves": bool(self.grid) and self.grid[0] is self.grid[1],
            "segments": bool(texts),
            "text": is_text,
            "tokens": bool(texts) and not is_text,
            "UTF-8": is_utf_8,
            "sets": in_sets,
            "single": bool(texts) and all(len(own) == 1 and own[0] != [] for _, own in self.distinct),
            "lines": are_lines,
            "marked": are_lines and whole.isprintable() and all(text == text.strip() for text in map(str, texts)),
            "CSV": sys.version_info >= (3, 11) or "\0" not in whole,
            "few": len(self) <= FEW,
            "brief": sum(map(len, texts)) < (BLOCK if is_text else MANY_TOKENS),
            "hundreds": len(self) <= HUNDREDS,
            "blocks": LINES < len(self) < 2 * LINES,
        }
        return frozenset(name for name, is_offered in offered.items() if is_offered)


def _again(name: str, distinct: Sequence[Segment], number: int, only: str = "") -> Corpus:
    """Return a corpus of so many segments: the first of these again and again, the last one at the end."""
    *others, _ = range(len(distinct))
    places = [*islice(cycle(others), number - 1), len(distinct) - 1]
    return Corpus(f"{name}, {number:,}", distinct, places, only=only, is_counted=True)


def _grid(hypotheses: Sequence[Text], references: Sequence[Text]) -> Corpus:
    """Return every pair of some hypotheses and references."""
    pairs = [((repr(own), repr(other)), (own, [other])) for own in hypotheses for other in references]
    distinct = dict(pairs)
    numbers = {kind: number for number, kind in enumerate(distinct)}
    name, places = f"{len(hypotheses)} hypotheses by {len(references)} references", [numbers[kind] for kind, _ in pairs]
    return Corpus(name, [*distinct.values()], places, grid=(hypotheses, references), only="grid")


def _wide_counts(orders: int) -> Corpus:
    """Return two hypotheses whose matches are the same if each order has its share of 64 bits, which is too few.

    All words of the first match, and only those of the second that are left without the highest bit of their number.
    """
    most = 1 << 64 // orders
    words = list(map(str, range(most + 5)))
    return _grid([words[::-1], [*words[:10:2], *["x"] * most]], [words])


def _among(texts: Sequence[Any]) -> Corpus:
    """Return texts, each of which has all others as references."""
    distinct = [(text, [*texts[:place], *texts[place + 1 :]]) for place, text in enumerate(texts)]
    return Corpus(f"{len(texts)} among themselves", distinct, grid=(texts, texts), only="themselves")


def _texts() -> list[Segment]:
    """Return segments of text, the shortest first."""
    *texts, last, longest = [
        text for make in (inputs.SMALL, inputs.LARGE) for (text,) in inputs.examples(make["tokenizer"], 30)
    ]
    random = Random(0)  # noqa: S311 - no secret, but the same texts each time
    return [
        *((text, random.choices(texts, k=random.randint(1, inputs.REFERENCES))) for text in texts),
        ("a cat, a dog, a cat.", ["a cat. a bird.", "a dog. a cat", "a cat"]),
        ("The Cat sat on a MAT today", ["the cat sat on a mat", "The cat sat on a mat now"]),
        ("👍🏽 a cat of 20. ", [" 👍🏽 a cat of 20.", "👍🏽 a cat of 20."]),
        (last, [longest]),
    ]


def _long_texts() -> list[Segment]:
    """Return segments of text whose words together pass 16 bits."""
    long = [chr(ord("a") + word % 26) * 200 for word in range(330)]
    return [("a b", ["a b"]), (" ".join(long), [" ".join([*long[:9], *long[10:]]), " ".join(long[::-1])])]


def _lines() -> list[Segment]:
    """Return segments of text that lines of files can hold, of two references each."""
    clean = str.maketrans(dict.fromkeys("\t\n\r\x1a", " ") | dict.fromkeys(range(0xD800, 0xE000), "x"))
    texts = [text.translate(clean) for (text,) in inputs.examples(inputs.SMALL["tokenizer"], 140)]
    texts += [*inputs.SCRIPTS, "a", "", *inputs.SCRIPTS[::-1], '"quoted", "x"', "1 &amp; <b>"]
    of_words = [f"{words} {text.upper()} {text}" for words, text in zip(cycle(["the cat", "The Cat sat on"]), texts)]
    of_sizes = [
        ("a" * size, ["a" * size, "é" * (size // 2)]) for size in (11, 12, 13)
    ]  # 12 bytes stand in Arrow's views
    pairs = zip(of_words, [*of_words[1:], "the cat"], strict=True)
    return [*of_sizes, *((text, [other, text.swapcase()]) for text, other in pairs)]


def _marked_up() -> list[Segment]:
    """Return segments with marks that files of evaluation sets hold in another form."""
    return [
        ("Tom & Jerry > 2", ["Tom & Jerry < 2"]),
        ('a <b> "c"', ["a <b> 'c' &"]),
        ("the <hl>cat</hl> sat", ["the <hl>cat</hl> sits"]),
        ("on a mat", ["on the mat"]),
        ("a dog", ["the dog"]),
    ]


def _long_lines() -> list[Segment]:
    """Return segments of which one is read from a file in more than two blocks, which begin with U+FEFF."""
    words = ["é" * (place % 7) + "\ufeff" * 40 for place in range(BLOCK * 2 // 100)]
    return [("猫 a", ["猫 bb"]), (" ".join(words), [" ".join(words)]), ("a b", ["a b"])]


def _long_marked() -> list[Segment]:
    """Return segments of which one is read from an evaluation set in more than two blocks, which begin in words."""
    text = " ".join(f"{number}" + "x" * 3_000 for number in range(BLOCK * 2 // 3_000))
    return [("a b", ["a b"]), (text, [text]), ("a b", ["a c"])]


def _tokens() -> list[Segment]:
    made = [*inputs.examples(inputs.SMALL["counter"], 40), *inputs.examples(inputs.LARGE["counter"], 8)]
    in_two_cases = (["The", "Cat", "É", "a"], [["the", "cat", "é", "a"], ["The", "CAT"]])
    return [*((hypothesis, references) for hypothesis, references, _ in made), in_two_cases]


def _many_references(number: int) -> list[Segment]:
    """Return segments in which the last of so many references alone has n-grams, or a length, of its own."""
    others = [["z"] * (12 + place) for place in range(number - 1)]
    return [
        (["a", "b", "c", "d", "e"], [*others, ["a", "b", "c", "d", "f"]]),
        (["a", "a", "b"], [*others[:-1], ["a", "a"], ["b", "a", "a", "a"]]),
        (["z"] * 9, [*([["x"]] * (number - 1)), ["z"] * 8]),
    ]


def _large() -> list[Segment]:
    """Return segments of which one thing is large: tokens, n-grams that differ, a count, or a token."""
    random = Random(2)  # noqa: S311 - as above
    long = random.choices("abcdefg", k=100_000)
    numbers = [f"{number:x}" for number in range(70_000)]
    far = [numbers[0], numbers[65_537], "x", numbers[1], "y", numbers[4], numbers[65_541], "z", numbers[5]]
    often = ["a", "b"] * 16_390
    return [
        (long, [[*long[50_000:], *long[:49_000]]]),
        (numbers, [[*numbers[1:], "0"], numbers[::2]]),
        (numbers, [far]),
        (often, [["a", "b"] * 16_385]),
        (["x" * 70_000 + "a", "b"], [["x" * 70_000 + "b", "b"], ["b", "x" * 70_000 + "a"]]),
        *((numbers[:size], [numbers[1:size] + numbers[:1]]) for size in inputs.SIZES),
        *((tokens, [tokens]) for tokens in inputs.with_every_pair()),
    ]


def _rows(orders: int, averaged: Sequence[int], longest: int) -> list[Row]:
    """Return rows of large counts, whose reference lengths are averages of so many."""
    random = Random(1)  # noqa: S311 - as above
    made = []
    for number in range(30):
        totals = tuple(random.randint(1, LARGE) if number else LARGEST for _ in range(orders))
        length = Fraction(random.randint(1, longest) / random.choice(averaged))
        matches = tuple(random.randint(1, total) if number else total - 2 for total in totals)
        tokens, references = random.randint(1, LARGE), random.randint(1, 12)
        made.append(Row(1, random.randint(1, LARGE), length, tokens, references, references, matches, totals))
    return made


def _rows_below_zero(orders: int) -> list[Row]:
    """Return rows of short segments as a counter has them that takes a total for the length, less the order, plus 1."""
    made = []
    for length in (1, 2, 3, 1, orders + 3):
        totals = tuple(length - order for order in range(orders))
        matches = tuple(max(0, total - 1) for total in totals)
        made.append(Row(1, length, Fraction(length + 1), length + 1, 1, 1, matches, totals))
    return made


SHORT: list[Segment] = [
    ("a b c d", ["a b c d e"]),
    ("a", ["a"]),
    ("a b", ["b"]),
    ("b b b b", ["a b c d e f g"]),
    ("b c d e f", ["b c d e"]),
    ("", ["a"]),
    ("", [""]),
    ("ç 猫", ["ç"]),
    ("l a s t a b", ["l a s t a"]),
]
"""Segments that many are made of; the last of them, which alone matches in an n-gram of order 5, is to come last."""


GREEK: list[Segment] = [
    ("ΜΕΓΑΛΟΣ ΔΡΟΜΟΣ", ["μεγαλος δρομος", "ΑΛΛΟΣ"]),
    ("ΑΛΛΟΣ ΔΡΟΜΟΣ", ["αλλος ΜΕΓΑΛΟΣ δρομος"]),
    ("ΔΕΝ ΑΛΛΟΙ", ["δεν αλλοι"]),
]
"""Lines of capitals alone, of which some end in a sigma, which is another small letter there than before others."""


ALIKE_IF_JOINED: list[list[str]] = [
    ["a b", "c,d"],
    ["a", "b", "c,d"],
    ["a", "b", "c,d", "<unk>"],
    ["a b", "c,d", "e", "f", "g"],
    ["a b", "<unk>"],
]
"""Lists of tokens of which some are the same texts, if a space is between tokens."""


LAYOUTS: list[list[Segment]] = [
    [("a b c", ["a", "b", "c", "d"])],
    [("a b c d", ["a", "b", "c"])],
    [("a b c d e", ["a", "b", "x", "y"])],
    [("a b c d", ["a", "b", "c", "d e"])],
    [("a b", ["x y", "z"]), ("c d", ["v w", "u"])],
    [("a b", ["a c", "b d"]), ("c d", ["c", "c d"])],
    [("a b", ["c d", "c d"]), ("c d", ["a b", "a b"])],
    [(["a", "b"], [["a"], ["b"]]), (["c"], [["c"], ["c", "b"]])],
]
"""References by segment that nearly look like the words of one, or like as many sets of references as segments."""


@cache
def of_variants(orders: int, batch: int, *, everything: bool) -> tuple[Corpus, ...]:
    """Return the corpora on which a variant is tried that counts up to an order, so many segments at a time.

    Those that take long are left out unless ``everything`` is asked for.
    """
    split: list[Segment] = [(str(text).split(), [str(other).split() for other in own]) for text, own in SHORT]
    few = (
        Corpus("texts", _texts()),
        Corpus("lines", _lines(), is_counted=True),
        Corpus("marked-up texts", _marked_up()),
        Corpus("Greek", GREEK, only="UTF-8"),
        Corpus("tokens", _tokens()),
        Corpus("single references", [segment for segment in split if segment[1][0]], is_counted=True),
        Corpus("nine references", _many_references(9), is_counted=True),
        Corpus("ten references", _many_references(10), is_counted=True),
        Corpus("large counts", rows=_rows(orders, [3, 7, 11], LARGE)),
        Corpus("large counts and whole lengths", rows=_rows(orders, [1], 8 * LARGEST)),
        Corpus("totals below 0", rows=_rows_below_zero(orders)),
        _again("texts", SHORT, SLOW_BATCH + 21),
        *([_again("lines", _lines(), TEXT_BATCH + 21, only="long")] if batch == TEXT_BATCH else []),
        _grid([text for text, _ in islice(cycle(SHORT), 261)], [text for _, [text] in islice(cycle(SHORT), 12)]),
        _grid([text for text, _ in _tokens()[::4]], [texts[0] for _, texts in _tokens()[1::4]]),
        _among([*(text for text, _ in SHORT), *(" ".join("abcdefghijklmnopqrstu"[:size]) for size in (12, 16, 21))]),
        _among(ALIKE_IF_JOINED),
        _among([text for text, _ in _tokens()[::5]]),
        *([_wide_counts(orders)] if orders > 4 and 64 % orders == 0 else []),
    )
    if not everything:
        return few
    return (
        *few,
        *(Corpus(f"{segments}", segments, only="layout") for segments in LAYOUTS),
        Corpus("large segments", _large()),
        _grid([["a", "x"], ["b", "c", "x"], ["x"]], [["x"] * length for length in (3, 65_536 + 3, 100_000)]),
        _among([["x"] * 300, ["x", "y"] * 140, ["y"] * 270, ["x"] * 20]),
        Corpus("one segment", SHORT[:1], only="once"),
        Corpus("long texts", _long_texts()),
        Corpus("long marked texts", _long_marked(), only="marked"),
        Corpus("long lines, and many between", _long_lines(), [0, 1, *[2] * (LINES + 99), 1, 2], only="lines"),
        _again("lines", [segment for segment in _lines() if '"' not in str(segment)], batch + 1, only="lines"),
        _again("texts", SHORT, 777),
        _again("token lists", split, batch),
        _again("texts", SHORT, batch),
        _again("texts", SHORT, max(THREADS * batch + 1, 10_241)),
    )
