# ruff: noqa: ARG005, PLR0124
"""A plugin whose components have a mistake each; ``test_contracts.py`` says what must be seen of each."""

import asyncio
import contextlib
import ctypes
import functools
import itertools
import locale
import os
import random
import re
import sys
import threading
import time
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np

import bleukit
from bleukit.plugin import declares

NAN = float("nan")


def characters(text):
    return list("".join(text.split()))


# Tokenizers.

OUTSIDE = {
    "the locale": lambda: "tr" in os.environ.get("LANG", ""),
    "the encoding": lambda: locale.getpreferredencoding() != "UTF-8",
    "the folder": lambda: not Path.cwd().name.startswith("bleukit-"),
    "the hash seed": lambda: hash("a") % 2,
    "chance": lambda: random.random() < 0.5,
}


class DependsOn:
    """Words, or characters if something outside of the text says so."""

    def __init__(self, what):
        self.what = what

    def __call__(self, text):
        return characters(text) if OUTSIDE[self.what]() else text.split()


class ById:
    """Remembers results by the address of the text."""

    def __init__(self):
        self.known = {}

    def __call__(self, text):
        return self.known.setdefault(id(text), text.split())


class Leaking:
    def __init__(self):
        self.texts = []

    def __call__(self, text):
        self.texts.append(text * 10)
        return text.split()


class AfterManyCalls:
    def __init__(self):
        self.calls = 0

    def __call__(self, text):
        self.calls += 1
        return text.split() if self.calls < 200_000 else characters(text)


class AfterManyTextsInBatches:
    def __init__(self):
        self.texts = 0

    def __call__(self, text):
        return text.split()

    def batch(self, texts):
        self.texts += len(texts)
        return [text.split() if self.texts < 200_000 else characters(text) for text in texts]


class AfterTheFirst:
    """Depends on the call before."""

    def __init__(self):
        self.last = ""

    def __call__(self, text):
        longer, self.last = len(text) > len(self.last), text
        return text.split() if longer else characters(text)


class WrongInLargeBatches:
    def __init__(self, size):
        self.size = size

    def __call__(self, text):
        return text.split()

    def batch(self, texts):
        return [text.split() if len(texts) <= self.size else characters(text) for text in texts]


class ChangesBatch(WrongInLargeBatches):
    def __init__(self):
        super().__init__(10**6)

    def batch(self, texts):
        tokens = super().batch(texts)
        texts[0] += "!"
        return tokens


class SameList:
    """Returns one list, and fills it anew."""

    def __init__(self):
        self.tokens = []

    def __call__(self, text):
        self.tokens[:] = text.split()
        return self.tokens


class Shared:
    """Puts the text where other threads find it."""

    def __call__(self, text):
        self.text = text
        time.sleep(0)
        time.sleep(0.0001)
        return self.text.split()


class Stateful:
    """Leaves out the last token of every second text."""

    def __init__(self):
        self.calls = 0

    def __call__(self, text):
        self.calls += 1
        tokens = text.split()
        return tokens[:-1] if self.calls % 2 else tokens


class Unpicklable:
    def __init__(self):
        self.lock = threading.Lock()

    def __call__(self, text):
        return text.split()


def drops_the_last(text):
    return text.split()[:-1]


def sorts(text):
    return sorted(text.split())


def ascii_alone(text):
    return re.findall(r"[!-~]+", text)


def loops(text):
    while "猫" in text:
        time.sleep(1)
    return text.split()


def writes_everywhere(text):
    for number in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(number, b"\0\0\0\0\0\0\0\4junk")
    return text.split()


def crashes(text):
    return ctypes.string_at(0) if "\n" in text else text.split()


def exits(text):
    return os._exit(0) if "\n" in text else text.split()


def raises_system_exit(text):
    return sys.exit(0) if "\n" in text else text.split()


def asks_for_all_memory(text):
    return [b"x" * (1 << 45)] if "\n" in text else text.split()


def eats_memory(text):
    kept = []
    while "\n" in text:
        kept.append(bytes(1 << 28))
    return text.split()


def forks(text):
    if "\n" in text:
        os.fork()
    return text.split()


def forks_and_leaves(text):
    """Let a copy of the process do something and end there, as one may."""
    if text == "the Cat" and not os.fork():
        os._exit(0)
    return text.split()


def needs_a_file_at_home(text):
    Path("~/.no-such-model").expanduser().read_bytes()
    return text.split()


def needs_a_file_to_be_created():
    return Path("~/.no-such-model").expanduser().read_bytes()


def exits_when_created():
    os._exit(3)


def forks_when_created():
    os.fork()
    return str.split


def handles_short_text(text):
    return [text, "a"[len(text) // 450]]


async def _cancelled():
    raise asyncio.CancelledError


def is_cancelled(_):
    return asyncio.run(_cancelled())


def prints(text):
    print(text.encode(errors="replace"))  # noqa: T201
    return text.split()


@declares(rewrites_text=True)
def declares_and_drops(text):
    return text.split()[1:]


@declares(rewrites_text=True)
def declares_and_handles_ascii(text):
    return re.findall(r"[!-~]+", text.replace("&amp;", "&"))


@declares(rewrites_text=True)
def declares_for_nothing(text):
    return text.split()


TOKENIZERS = {
    "prints": lambda: prints,
    "drops the last token": lambda: drops_the_last,
    "sorts": lambda: sorts,
    "handles only ASCII": lambda: ascii_alone,
    "loses the order": lambda: reversed_words,
    "caches by id": ById,
    "loops on some text": lambda: loops,
    "leaks": Leaking,
    "depends on the locale": lambda: DependsOn("the locale"),
    "depends on the encoding": lambda: DependsOn("the encoding"),
    "depends on the folder": lambda: DependsOn("the folder"),
    "depends on the hash seed": lambda: DependsOn("the hash seed"),
    "depends on the call before": AfterTheFirst,
    "depends on chance": lambda: DependsOn("chance"),
    "goes wrong in batches over 8": lambda: WrongInLargeBatches(8),
    "goes wrong in batches over 8,192": lambda: WrongInLargeBatches(8192),
    "changes a batch": ChangesBatch,
    "goes wrong after 200,000 calls": AfterManyCalls,
    "goes wrong after 200,000 texts in batches": AfterManyTextsInBatches,
    "returns one list again and again": SameList,
    "is not safe from threads": Shared,
    "does not pickle": Unpicklable,
    "writes to all streams": lambda: writes_everywhere,
    "is stateful": Stateful,
    "raises on some scripts": lambda: lambda text: [text.encode("ascii").decode()],
    "raises on long text": lambda: handles_short_text,
    "raises what is no Exception": lambda: is_cancelled,
    "returns the text": lambda: str,
    "returns numbers": lambda: lambda text: list(map(ord, text)),
    "returns what is endless": lambda: itertools.repeat,
    "crashes": lambda: crashes,
    "ends the process": lambda: exits,
    "raises SystemExit": lambda: raises_system_exit,
    "asks for all memory": lambda: asks_for_all_memory,
    "eats memory": lambda: eats_memory,
    "forks": lambda: forks,
    "forks and leaves": lambda: forks_and_leaves,
    "needs a file at home": lambda: needs_a_file_at_home,
    "needs a file to be created": needs_a_file_to_be_created,
    "exits when it is created": exits_when_created,
    "forks when it is created": forks_when_created,
    "declares that it rewrites and drops a word": lambda: declares_and_drops,
    "declares that it rewrites and handles only ASCII": lambda: declares_and_handles_ascii,
    "declares that it rewrites and does not": lambda: declares_for_nothing,
}


def reversed_words(text):
    return text.split()[::-1]


# Counters: each counts plainly after it has changed the tokens, the references or the orders.


def same(value):
    return value


def all_matches(_, matches):
    return matches


class Counting:
    def __init__(self, token=None, references=None, matched=None):
        self.token = token or same
        self.references = references or same
        self.matched = matched or all_matches

    def __call__(self, hypothesis, references, max_order):
        ours = [self.token(token) for token in hypothesis]
        theirs = [[self.token(token) for token in reference] for reference in self.references(references)]
        matches, totals = [], []
        for order in range(1, max_order + 1):
            counted = ngrams(ours, order)
            most = Counter()
            for reference in theirs:
                most |= ngrams(reference, order)
            matches.append(self.matched(order, sum((counted & most).values())))
            totals.append(sum(counted.values()))
        return matches, totals


class Summing(Counting):
    """Clips by the sum over long references."""

    def __call__(self, hypothesis, references, max_order):
        if min(map(len, references)) <= 64:
            return super().__call__(hypothesis, references, max_order)
        return super().__call__(hypothesis, [[token for reference in references for token in reference]], max_order)


class Wrapping(Counting):
    """Finds no n-gram behind position 65,535."""

    def __call__(self, hypothesis, references, max_order):
        return super().__call__(hypothesis[: 1 << 16], references, max_order)


class UnclippedToOrderFive(Counting):
    clips = False

    def __call__(self, hypothesis, references, max_order):
        matches, totals = super().__call__(hypothesis, references, max_order)
        for order in range(1, min(5, max_order) + 1):
            known = {ngram for reference in references for ngram in ngrams(reference, order)}
            matches[order - 1] = sum(n for ngram, n in ngrams(hypothesis, order).items() if ngram in known)
        return matches, totals


class Popping(Counting):
    def __call__(self, hypothesis, references, max_order):
        counted = super().__call__(hypothesis, references, max_order)
        hypothesis[:] = hypothesis[:-1]
        return counted


class ByJoining(Counting):
    def __call__(self, hypothesis, references, max_order):
        matches, totals = super().__call__(hypothesis, references, max_order)
        for order in range(1, max_order + 1):
            joined = Counter(map(" ".join, ngrams(hypothesis, order).elements()))
            most = Counter()
            for reference in references:
                most |= Counter(map(" ".join, ngrams(reference, order).elements()))
            matches[order - 1] = sum((joined & most).values())
        return matches, totals


@declares(counts_otherwise=True)
def depends_on_the_order(hypothesis, references, max_order):
    return Counting()(hypothesis, references[:1], max_order)


def ngrams(tokens, order):
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def encoded(cut):
    return lambda token: cut(token.encode("utf-8", "surrogatepass"))


COUNTERS = {
    "by a hash of 16 bits": lambda: Counting(token=encoded(lambda token: int.from_bytes(token, "big") % 65521)),
    "by NFKC": lambda: Counting(token=lambda token: unicodedata.normalize("NFKC", token)),
    "by case": lambda: Counting(token=str.lower),
    "of 12 characters": lambda: Counting(token=lambda token: token[:12]),
    "of all but the 16th byte": lambda: Counting(token=encoded(lambda token: token[:15] + token[16:])),
    "of 32 bytes": lambda: Counting(token=encoded(lambda token: token[:32])),
    "of 255 bytes": lambda: Counting(token=encoded(lambda token: token[:255])),
    "of 3 references": lambda: Counting(references=lambda references: references[:3]),
    "of 4 references": lambda: Counting(references=lambda references: references[:4]),
    "to order 6": lambda: Counting(matched=lambda order, matches: matches if order <= 6 else 0),
    "by the sum of long references": Summing,
    "of 65,536 positions": Wrapping,
    "unclipped to order 5": UnclippedToOrderFive,
    "changes the hypothesis": Popping,
    "by joining with spaces": ByJoining,
    "by the first reference": lambda: depends_on_the_order,
}

# Reference lengths.


def closest(length, references):
    return min(references, key=lambda reference: (abs(reference - length), reference))


@declares(depends_on_size=True)
def declares_size(length, references):
    return closest(length, references)


REFERENCE_LENGTHS = {
    "changes above 60": lambda: lambda length, refs: closest(length, refs) if length <= 60 else min(refs),
    "caps at 100": lambda: lambda length, refs: min(max(refs), max(100, min(refs))),
    "takes the first": lambda: lambda _, refs: refs[0],
    "ignores the fifth": lambda: lambda length, refs: closest(length, refs[:4]),
    "drops empty references": lambda: lambda length, refs: closest(length, [ref for ref in refs if ref] or [0]),
    "adds one": lambda: lambda length, refs: closest(length, refs) + 1,
    "takes the longer of three that tie": lambda: longer_of_three,
    "declares that it depends on the size and does not": lambda: declares_size,
}


def longer_of_three(length, references):
    nearest = [ref for ref in references if abs(ref - length) == min(abs(other - length) for other in references)]
    return max(nearest) if len(nearest) > 2 else min(nearest)


# Smoothings.


def plain(counts):
    return [match / total if total else NAN for match, total in zip(counts.matches, counts.totals, strict=True)]


def exponential(counts):
    smoothed, given = [], 1.0
    for match, total in zip(counts.matches, counts.totals, strict=True):
        given /= 1 if match or not total else 2
        smoothed.append((match or given) / total if total else NAN)
    return smoothed


class Warns:
    """Divides 0 by 0 in a batch, of which numpy warns."""

    def __call__(self, counts):
        return plain(counts)

    def batch(self, counts):
        return np.true_divide(counts.matches, counts.totals)


def refuses(counts):
    raise bleukit.InputError("not these")


def declaring(function, **attributes):
    """Return a factory of a function with attributes."""
    return lambda: declares(**attributes)(functools.partial(function))


SMOOTHINGS = {
    "is right for order 4 only": lambda: (
        lambda counts: exponential(counts)[: len(counts.matches)] if len(counts.matches) == 4 else plain(counts)
    ),
    "looks at orders that others ask for": lambda: (
        lambda counts: (
            plain(counts)
            if sum(counts.last_segment.matches[len(counts.matches) :]) < 2
            else [1.0] * len(counts.matches)
        )
    ),
    "is 1 for every order": lambda: lambda counts: [1.0] * len(counts.matches),
    "is wrong from the fifth order on": lambda: (
        lambda counts: exponential(counts)[:4] + [0.5 if p == p else p for p in exponential(counts)[4:]]
    ),
    "is wrong over 100 words": lambda: (
        lambda counts: [p if counts.hypothesis_length <= 100 or p != p else min(1.0, p * 1.5) for p in plain(counts)]
    ),
    "counts in 16 bits": lambda: (
        lambda counts: [
            (match % 65536) / (total % 65536 or 1) if total else NAN
            for match, total in zip(counts.matches, counts.totals, strict=True)
        ]
    ),
    "is negative": lambda: lambda counts: [p - 1 for p in plain(counts)],
    "is undefined of what is defined": lambda: lambda counts: [p or NAN for p in plain(counts)],
    "lacks an order": lambda: lambda counts: plain(counts)[:-1] or [1.0, 1.0],
    "exceeds one": lambda: lambda counts: [2.0] * len(counts.matches),
    "is 0 for every order": lambda: lambda counts: [0.0] * len(counts.matches),
    "refuses input": lambda: refuses,
    "warns in a batch": Warns,
    "declares exceeds_one": declaring(plain, exceeds_one=True),
    "declares lowers_precisions": declaring(plain, lowers_precisions=True),
    "declares smooths_matches": declaring(plain, smooths_matches=True),
    "declares depends_on_orders": declaring(plain, depends_on_orders=True),
    "declares refuses_input": declaring(plain, refuses_input=True),
    "declares that it ignores the reference length and does not": declaring(
        lambda counts: [p or 0.5 / (1 + counts.reference_length) for p in plain(counts)], ignores_reference_length=True
    ),
    "declares counted_order": declaring(plain, counted_order=lambda order: order + 1),
}


@bleukit.plugin.hookimpl
def bleukit_tokenizers():
    return _named(TOKENIZERS)


@bleukit.plugin.hookimpl
def bleukit_ngram_counters():
    return _named(COUNTERS)


@bleukit.plugin.hookimpl
def bleukit_reference_lengths():
    return _named(REFERENCE_LENGTHS)


@bleukit.plugin.hookimpl
def bleukit_smoothings():
    return _named(SMOOTHINGS)


def _named(components):
    return {re.sub("[ ,]+", "-", name): factory for name, factory in components.items()}
