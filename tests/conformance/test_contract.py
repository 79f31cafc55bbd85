# ruff: noqa: ARG005, PLW0108, RUF017
"""Components with a mistake fail by the rule that they break, with a small example; honest, unusual ones do not."""

import asyncio
import math
import random
import re
import sys
import time
import unicodedata
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, islice

import numpy as np
import pytest
from bleukit.conformance.contract import checks, inputs
from bleukit.conformance.contract.calls import Watch
from bleukit.conformance.contract.checks import plain_counts
from bleukit.conformance.contract.repeating import Finding

import bleukit

ACCEPTS = "accepts its input, and returns what it should"
REPEATS = "is deterministic"
BATCH = "gives in a batch what it gives one by one"
BUFFERS = "gives in a batch of buffers what it gives one by one"
BEFORE = "gives the same whatever was called before"
THREADS = "gives the same from several threads"
PICKLED = "gives the same after it was pickled"
ORDERED = "does not depend on the order of the references"


SHORT_SEGMENTS = 67
"""So many of the special segments are short; the others take counters in Python some time."""


def findings_about(kind, component, *, observes=False, most=SHORT_SEGMENTS):
    """Try a component in a hurry; a counter with so many special segments, at ``most``."""
    watch = Watch(lambda *_: None, lambda: "")
    special = list(islice(inputs.special(kind), most if kind == "counter" else None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "SHRINKING", 0.2)
        patch.setattr(checks, "MANY", 200 if kind == "counter" else 4100)
        patch.setattr(inputs, "special", lambda _: special)
        patch.setattr(inputs, "RACING", {"tokenizer": inputs.RACING["tokenizer"]})
        found = list(checks.findings(kind, component, watch, 20 if kind == "counter" else 40, observes=observes))
    return [finding for finding in found if isinstance(finding, Finding)]


def failures_of(kind, component, **options):
    return {finding.rule: finding.shown for finding in findings_about(kind, component, **options) if finding.fails}


def made(call, **attributes):
    """Return a class of components that call a function, with attributes, such as promises and methods."""
    return type("Made", (), {"__call__": lambda _, *arguments: call(*arguments), **attributes})


def splitting(batch, **attributes):
    """Return a tokenizer that splits at white space, and has another batch method."""
    return made(str.split, batch=lambda _, texts: batch(texts), **attributes)


def characters(text):
    return list("".join(text.split()))


# Tokenizers.


class Remembering:
    """Remembers the result by a part of the input, or by its address."""

    def __init__(self, key):
        self.key, self.known = key, {}

    def __call__(self, text):
        return self.known.setdefault(self.key(text), text.split())


def remembering(key):
    return type("Made", (Remembering,), {"__init__": lambda self: Remembering.__init__(self, key)})


class AfterCalls:
    """Words, but characters after so many calls."""

    calls, most = 0, 300

    def __call__(self, text):
        self.calls += 1
        return text.split() if self.calls < self.most else characters(text)


class Alternating:
    calls = 0

    def __call__(self, text):
        self.calls += 1
        return text.split()[: -1 if self.calls % 2 else None]


class AfterTheFirst:
    last = ""

    def __call__(self, text):
        is_longer, self.last = len(text) > len(self.last), text
        return text.split() if is_longer else characters(text)


class SameList:
    def __init__(self):
        self.tokens = []

    def __call__(self, text):
        self.tokens[:] = text.split()
        return self.tokens


class Shared:
    """Puts the text where other threads find it."""

    def __call__(self, text):
        self.text = text
        time.sleep(0.0005)
        return self.text.split()


class LosesItsState:
    def __init__(self):
        self.split = characters

    def __call__(self, text):
        return getattr(self, "split", str.split)(text)

    def __getstate__(self):
        return {"unpicklable": None}


async def _cancelled():
    raise asyncio.CancelledError


def raising(error, part):
    def tokenize(text):
        if part in text:
            raise error
        return text.split()

    return tokenize


TOKENIZERS = {
    "raises on some scripts": (lambda text: text.encode("latin-1").decode("latin-1").split(), ACCEPTS, "EncodeError"),
    "raises on long text": (lambda text: [text, "a"[len(text) // 450]], ACCEPTS, "IndexError"),
    "raises on no word": (lambda text: [*text.split()[:-1], text.split()[-1]], ACCEPTS, "'': it raises IndexError"),
    "handles 16 bits alone": (raising(ValueError(), "𠮷"), ACCEPTS, "𠮷"),
    "refuses text": (raising(bleukit.InputError("no cats"), "猫"), ACCEPTS, "'猫': it raises no cats"),
    "interrupts": (raising(KeyboardInterrupt(), "\n"), ACCEPTS, "KeyboardInterrupt"),
    "raises what is no Exception": (lambda text: asyncio.run(_cancelled()), ACCEPTS, "CancelledError"),
    "returns the text": (lambda text: text, ACCEPTS, "which is no sequence"),
    "returns None for nothing": (lambda text: text.split() or None, ACCEPTS, "returns NoneType None"),
    "returns a generator": (lambda text: (word for word in text.split()), ACCEPTS, "generator"),
    "returns an array": (lambda text: np.array(text.split(), dtype=str), ACCEPTS, "which is no sequence"),
    "returns numbers": (lambda text: list(map(ord, text)), ACCEPTS, "a token that is no str but int"),
    "leaves out the last token of every second text": (Alternating, REPEATS, "then"),
    "depends on chance": (lambda text: text.split() if random.random() < 0.9 else characters(text), "", ""),
    "depends on the call before": (AfterTheFirst, "", "then"),
    "changes after 300 calls": (AfterCalls, "", "then"),
    "caches by address": (remembering(id), "", "then"),
    "returns one list again and again": (SameList, ACCEPTS, "it changes what the call before returned, from ["),
    "is not safe from threads": (Shared, THREADS, "then"),
    "loses its state": (LosesItsState, PICKLED, "then"),
    "seeds chance": (lambda text: (random.seed(1), text.split())[1], ACCEPTS, "changes the state of random"),
    "changes the recursion limit": (
        lambda text: (sys.setrecursionlimit(sys.getrecursionlimit() + 1), text.split())[1],
        ACCEPTS,
        "changes the recursion limit",
    ),
    "splits the last text otherwise": (
        splitting(lambda texts: [*map(str.split, texts[:-1]), characters(texts[-1])]),
        BATCH,
        "alone",
    ),
    "goes wrong in batches over 1,000": (
        splitting(lambda texts: [text.split() if len(texts) < 1000 else characters(text) for text in texts]),
        BATCH,
        "4100 inputs: ",
    ),
    "raises in batches over 1,000": (
        splitting(lambda texts: [text.split() for text in texts if 1 // (len(texts) < 1000)]),
        BATCH,
        "4100 inputs: it raises ZeroDivisionError",
    ),
    "goes wrong in batches over 4,096": (
        splitting(lambda texts: [text.split() if len(texts) <= 4096 else characters(text) for text in texts]),
        BATCH,
        "4100 inputs: ",
    ),
    "drops texts that occur twice": (
        splitting(lambda texts: [text.split() for text in dict.fromkeys(texts)]),
        BATCH,
        "results for",
    ),
    "returns generators in a batch": (
        splitting(lambda texts: [iter(text.split()) for text in texts]),
        BATCH,
        "which is no sequence",
    ),
    "does not read buffers": (
        splitting(
            lambda texts: list(map(str.split if isinstance(texts, list) else characters, texts)), reads_packed=True
        ),
        BUFFERS,
        "alone",
    ),
    "does not lowercase": (
        made(str.split, lowercasing=lambda self, lowercase: self),
        "lowercases words",
        "'The CAT' becomes ['The', 'CAT']",
    ),
}


# Counters.


def changed(change):
    """Return a counter whose plain (matches, totals) are changed, given its arguments, too."""
    return lambda *arguments: change(*plain_counts(*arguments), *arguments)


def clipping(call=plain_counts, **attributes):
    return made(call, clipped=True, **attributes)


def by_token(change):
    """Return a counter that changes each token first."""
    return clipping(
        lambda hypothesis, references, max_order: plain_counts(
            list(map(change, hypothesis)), [list(map(change, reference)) for reference in references], max_order
        )
    )


def to_order(most):
    return lambda matches, totals, *_: ([m if order < most else 0 for order, m in enumerate(matches)], totals)


def unclipped(hypothesis, references, max_order):
    matches, totals = plain_counts(hypothesis, references, max_order)
    for order in range(1, max_order + 1):
        known = {tuple(text[at : at + order]) for text in references for at in range(len(text) - order + 1)}
        grams = (tuple(hypothesis[at : at + order]) for at in range(len(hypothesis) - order + 1))
        matches[order - 1] = sum(gram in known for gram in grams)
    return matches, totals


def joined(hypothesis, references, max_order):
    """Count n-grams as texts, their tokens joined by spaces."""

    def grams(text, order):
        return [" ".join(text[at : at + order]) for at in range(len(text) - order + 1)]

    counted = [
        plain_counts(grams(hypothesis, order), [grams(text, order) for text in references], 1)
        for order in range(1, max_order + 1)
    ]
    return [matches for (matches,), _ in counted], [total for _, (total,) in counted]


def counting(hypotheses, references, max_order):
    """Count in a batch, plainly."""
    counted = [
        plain_counts([*text], [[*reference] for reference in own], max_order)
        for text, own in zip(hypotheses, references, strict=True)
    ]
    return tuple(np.array([side[part] for side in counted], int).reshape(-1, max_order) for part in (0, 1))


def counting_otherwise(change):
    return made(plain_counts, batch=lambda _, *arguments: change(*arguments))


def with_matches_in_batch(change):
    def batch(*arguments):
        matches, totals = counting(*arguments)
        return change(matches, *arguments), totals

    return counting_otherwise(batch)


def pairs_with_wrong_totals(_, texts, others, max_order):
    counted = [[plain_counts(text, [other], max_order) for other in others] for text in texts]
    matches = np.array([[pair[0] for pair in row] for row in counted]).transpose(2, 0, 1)
    return matches, np.ones_like(matches[:, :, 0])


def others_with_itself(_, texts, max_order):
    counted = [plain_counts(text, texts, max_order) for text in texts]
    return [one[0] for one in counted], [one[1] for one in counted]


COUNTERS = {
    "takes the first reference": (lambda h, refs, n: plain_counts(h, refs[:1], n), ORDERED, "in another order"),
    "knows four orders": (
        changed(lambda matches, totals, *_: (matches[:4], totals[:4])),
        ACCEPTS,
        "matches and totals",
    ),
    "raises for an empty hypothesis": (
        changed(lambda m, t, h, *_: h[0] and (m, t)),
        ACCEPTS,
        "([], [[]], 1): it raises",
    ),
    "raises for an empty reference": (
        changed(lambda m, t, h, refs, _: [r[0] for r in refs] and (m, t)),
        ACCEPTS,
        "IndexError",
    ),
    "returns None for nothing": (changed(lambda m, t, h, *_: (m, t) if h else None), ACCEPTS, "None, not matches and"),
    "has more matches than totals": (
        changed(lambda m, t, *_: ([one + 1 for one in t], t)),
        ACCEPTS,
        "at most the totals",
    ),
    "is negative": (changed(lambda m, t, *_: ([one - 1 for one in m], t)), ACCEPTS, "matches are at least 0"),
    "has totals below 0": (
        changed(lambda m, t, h, _, n: (m, [len(h) - i for i in range(n)])),
        ACCEPTS,
        "at most the totals",
    ),
    "returns floats": (changed(lambda m, t, *_: (list(map(float, m)), t)), ACCEPTS, "float"),
    "returns pairs": (changed(lambda m, t, *_: list(zip(m, t, strict=True))), ACCEPTS, "not matches and totals"),
    "changes the hypothesis": (
        changed(lambda m, t, h, *_: (h.append("x"), (m, t))[1]),
        ACCEPTS,
        "changes its arguments",
    ),
    "takes the first reference in a batch": (
        counting_otherwise(lambda h, refs, n: counting(h, [[*own][:1] for own in refs], n)),
        BATCH,
        "alone",
    ),
    "takes the first reference in buffers": (
        counting_otherwise(
            lambda h, refs, n: counting(h, refs if isinstance(h, list) else [[*own][:1] for own in refs], n)
        ),
        BUFFERS,
        "alone",
    ),
    "goes wrong for the last segment": (
        with_matches_in_batch(lambda m, *_: m * (np.arange(len(m)) < len(m) - 1)[:, None]),
        BATCH,
        "alone",
    ),
    "goes wrong from the third order on in a batch": (
        with_matches_in_batch(lambda m, *_: m * (np.arange(m.shape[1]) < 2)),
        BATCH,
        "alone",
    ),
    "says that it is symmetric": (
        made(changed(lambda m, t, h, refs, _: ([one * (len(h) <= len(refs[0])) for one in m], t)), symmetric=True),
        "finds the same matches if the texts change places, as it promises",
        "if they change places",
    ),
    "says that totals are at least 1": (
        made(plain_counts, least_total=1),
        "gives no total below 1, as it promises",
        "a total of 0",
    ),
    "counts pairs wrong": (
        made(plain_counts, pairs=pairs_with_wrong_totals),
        "counts pairs as it counts one by one",
        "for the pair",
    ),
    "cannot count pairs": (
        made(plain_counts, pairs=lambda *_: 1 // 0),
        "counts pairs as it counts one by one",
        "it raises ZeroDivisionError",
    ),
    "counts others wrong": (
        made(plain_counts, others=others_with_itself),
        "counts a text against all others as against several references",
        "for the text",
    ),
}

CLIPPED = {
    "unclipped": clipping(unclipped),
    "the sum of references": clipping(lambda h, refs, n: plain_counts(h, [sum(refs, [])], n)),
    "the sum of long references": clipping(
        lambda h, refs, n: plain_counts(h, refs if min(map(len, refs)) <= 64 else [sum(refs, [])], n)
    ),
    "200 references": clipping(lambda h, refs, n: plain_counts(h, refs[:200], n)),
    "four references": clipping(lambda h, refs, n: plain_counts(h, refs[:4], n)),
    "six orders": clipping(changed(to_order(6))),
    "ten orders": clipping(changed(to_order(10))),
    "a total of 1": clipping(lambda h, refs, n: plain_counts(h, refs, n, least_total=1)),
    "600 tokens": clipping(lambda h, refs, n: plain_counts(h[:600], refs, n)),
    "255 bytes": by_token(lambda token: token.encode("utf-8", "surrogatepass")[:255]),
    "a hash of 16 bits": by_token(lambda token: int.from_bytes(token.encode("utf-8", "surrogatepass"), "big") % 65521),
    "NFKC": by_token(lambda token: unicodedata.normalize("NFKC", token)),
    "joined by spaces": clipping(joined),
}
OF_SIZE = {"the sum of long references", "six orders", "ten orders", "600 tokens", "a hash of 16 bits"}

# Reference lengths.


def closest(length, references):
    return min(references, key=lambda other: (abs(other - length), other))


def first_closest(length, references):
    return min(references, key=lambda other: abs(other - length))


def lengths_otherwise(change):
    def batch(_, lengths, references):
        alone = [closest(int(one), list(map(int, own))) for one, own in zip(lengths, references, strict=True)]
        return change(np.array(alone, float))

    return made(closest, batch=batch)


ONE_BY_ONE = "does not depend on the order of the references, as it promises"

REFERENCE_LENGTHS = {
    "is negative": (lambda _, refs: min(refs) - 1, ACCEPTS, "a length is finite and at least 0"),
    "is nothing": (lambda length, refs: closest(length, refs) or None, ACCEPTS, "which is no number"),
    "is a Decimal": (lambda length, refs: Decimal(closest(length, refs)), ACCEPTS, "which is no number"),
    "divides by the hypothesis length": (
        lambda length, refs: min(refs, key=lambda r: r / length),
        ACCEPTS,
        "ZeroDivision",
    ),
    "sorts the references": (lambda _, refs: (refs.sort(), refs[0])[1], ACCEPTS, "changes its arguments"),
    "is of 32 bits": (lambda length, refs: 2**32 // (length < 2**32) and min(refs), ACCEPTS, "ZeroDivision"),
    "says that order does not matter, and takes the first": (
        made(lambda _, refs: refs[0], order_independent=True),
        ONE_BY_ONE,
        "but",
    ),
    "says that order does not matter, and takes the first of a tie": (
        made(first_closest, order_independent=True),
        ONE_BY_ONE,
        "but",
    ),
    "takes the largest of a batch": (lengths_otherwise(lambda own: own * 0 + max(own)), BATCH, "alone"),
    "goes wrong for the last segment": (
        lengths_otherwise(lambda own: own - (np.arange(len(own)) == len(own) - 1) * (own > 0)),
        BATCH,
        "alone",
    ),
    "is of 32 bits in a batch": (lengths_otherwise(np.float32), BATCH, " inputs: (2147483648, "),
}

# Smoothings.


def plain(counts):
    return [match / total if total else math.nan for match, total in zip(counts.matches, counts.totals, strict=True)]


def smoothed(change):
    return lambda counts: change(plain(counts), counts)


def smoothing_otherwise(change):
    def batch(_, table):
        own = np.array(list(map(plain, table.rows())), np.float64).reshape(table.matches.shape)
        return change(own, table)

    return made(plain, batch=batch)


def filled(table, precisions):
    table.totals[table.totals == 0] = 1
    return precisions


class RememberingMatches:
    def __init__(self):
        self.known = {}

    def __call__(self, counts):
        return self.known.setdefault(tuple(counts.matches), plain(counts))


SMOOTHINGS = {
    "divides by 0": (
        lambda counts: [m / t for m, t in zip(counts.matches, counts.totals, strict=True)],
        ACCEPTS,
        "ZeroDivision",
    ),
    "knows four orders": (smoothed(lambda own, _: own[:4]), ACCEPTS, "precisions"),
    "is negative": (smoothed(lambda own, _: [one - 1 for one in own]), ACCEPTS, "of at least 0, or NaN"),
    "takes the logarithm of 0": (
        smoothed(lambda own, _: [math.exp(math.log(one)) for one in own]),
        ACCEPTS,
        "ValueError",
    ),
    "is None for 0/0": (
        smoothed(lambda own, _: [None if math.isnan(one) else one for one in own]),
        ACCEPTS,
        "no number",
    ),
    "returns a generator": (lambda counts: (one for one in plain(counts)), ACCEPTS, "which is no sequence"),
    "returns an array": (lambda counts: np.array(plain(counts)), ACCEPTS, "which is no sequence"),
    "changes the last segment": (
        made(smoothed(lambda own, counts: (counts.last_segment.totals.clear(), own)[1]), needs_last_segment=True),
        ACCEPTS,
        "changes its arguments",
    ),
    "reads the last segment without the promise": (
        smoothed(lambda own, counts: own[: len(counts.last_segment.matches)]),
        ACCEPTS,
        "without the promise `needs_last_segment`",
    ),
    "remembers by matches": (RememberingMatches, "", "then"),
    "says that it ignores the reference length": (
        made(
            smoothed(lambda own, counts: [one or 0.5 / (1 + counts.reference_length) for one in own]),
            ignores_reference_length=True,
        ),
        "does not read the reference length, as it promises",
        "with the reference length",
    ),
    "asks for fewer orders": (
        made(plain, counted_order=lambda _, order: 4),
        "asks for at least the orders that are weighed",
        ": it asks for 4",
    ),
    "fails if it gets the orders that it asks for": (
        made(
            smoothed(lambda own, counts: own if len(counts.last_segment.matches) == len(own) else 1 / 0),
            counted_order=lambda _, order: order + 1,
            needs_last_segment=True,
        ),
        "takes a last segment with more orders",
        "ZeroDivision",
    ),
    "raises if it is asked for an order": (
        made(plain, counted_order=lambda _, order: 1 // (order < 18) and order),
        "asks for at least the orders that are weighed",
        "it raises ZeroDivisionError",
    ),
    "has no batch of none": (
        smoothing_otherwise(lambda own, table: own / (len(table.totals) > 0 or 1 // 0)),
        BATCH,
        "0 inputs: it raises",
    ),
    "has four steps": (
        made(plain, steps=lambda *_: ["x"] * 4),
        "explains by steps in words",
        "expected a text for each number",
    ),
    "defines 0/0 in a batch": (smoothing_otherwise(lambda own, _: np.nan_to_num(own)), BATCH, "alone"),
    "changes the table": (smoothing_otherwise(lambda own, table: filled(table, own)), BATCH, "read-only"),
    "goes wrong in batches over 500": (
        smoothing_otherwise(lambda own, _: own * (len(own) < 500)),
        BATCH,
        "4100 inputs",
    ),
}

# Brevity penalties.


def standard(length, reference_length):
    return math.exp(min(0.0, 1 - reference_length / length)) if length else float(not reference_length)


def penalties_otherwise(change, **attributes):
    return made(standard, batch=lambda _, *columns: np.array(list(map(standard, *change(*columns)))), **attributes)


BREVITY_PENALTIES = {
    "divides by 0": (lambda c, r: math.exp(min(0, 1 - r / c)), ACCEPTS, "ZeroDivision"),
    "overflows": (lambda c, r: math.exp(c - r), ACCEPTS, "OverflowError"),
    "is negative": (lambda c, r: 1 - r, ACCEPTS, "a factor is finite and at least 0"),
    "is a text": (lambda c, r: "1", ACCEPTS, "which is no number"),
    "takes whole lengths alone": (lambda c, r: standard(c, int(r)) / (r == int(r)), ACCEPTS, "ZeroDivision"),
    "depends on chance": (lambda c, r: random.random(), REPEATS, "then"),
    "rounds in a batch": (penalties_otherwise(lambda c, r: (c, r.astype(int))), BATCH, "alone"),
    "penalizes the sum of a batch": (
        penalties_otherwise(lambda c, r: (c * 0 + sum(c), r * 0 + sum(r))),
        BATCH,
        "alone",
    ),
    "changes the lengths": (penalties_otherwise(lambda c, r: (np.add(c, 1, out=c) - 1, r)), BATCH, "read-only"),
    "has a number as its step": (made(standard, steps=lambda *_: 1), "explains by steps in words", "expected a text"),
}

FAULTY = [
    pytest.param(kind, *row, id=f"{kind} that {name}")
    for kind, rows in (
        ("tokenizer", TOKENIZERS),
        ("counter", COUNTERS),
        ("reference_length", REFERENCE_LENGTHS),
        ("smoothing", SMOOTHINGS),
        ("brevity_penalty", BREVITY_PENALTIES),
    )
    for name, row in rows.items()
]


@pytest.mark.parametrize(("kind", "component", "rule", "shown"), FAULTY)
def test_a_component_with_a_mistake_fails_with_a_small_example(kind, component, rule, shown):
    """Without a rule, it is left open which one notices the mistake first."""
    failures = failures_of(kind, component)
    assert failures.keys() >= ({rule} if rule else set())
    said = failures[rule] if rule else next(iter(failures.values()))
    assert shown in said
    assert len(said) < 600


@pytest.mark.parametrize("counts", CLIPPED)
def test_a_counter_that_promises_to_clip_is_held_to_it(counts):
    failures = failures_of("counter", CLIPPED[counts], most=None if counts in OF_SIZE else SHORT_SEGMENTS)
    assert "clipped they are" in failures["counts clipped matches, as it promises"]


# Honest components, none of which ours are like.


def skip_grams(hypothesis, references, max_order):
    """Count n-grams with gaps of one token."""

    def grams(text, order):
        return Counter(
            (start, *rest) for at, start in enumerate(text) for rest in combinations(text[at + 1 : at + 3], order - 1)
        )

    matches, totals = [], []
    for order in range(1, max_order + 1):
        ours, *theirs = (grams(text, order) for text in (hypothesis, *references))
        matches.append(sum(min(n, max(other[gram] for other in theirs)) for gram, n in ours.items()))
        totals.append(sum(ours.values()))
    return matches, totals


def words_alone(hypothesis, references, max_order):
    matches = max(sum((Counter(hypothesis) & Counter(reference)).values()) for reference in references)
    return (matches,) * max_order, (len(hypothesis),) * max_order


class Cached:
    def __init__(self):
        self.known = {}

    def __call__(self, text):
        if text not in self.known:
            self.known[text] = text.split()
        return self.known[text]


class Unpicklable:
    def __init__(self):
        self.split = lambda text: text.split()

    def __call__(self, text):
        return self.split(text)


def refusing(counts):
    if not counts.matches[0]:
        raise bleukit.InputError("it needs a match")
    return plain(counts)


HONEST = {
    "tokenizer": {
        "needs UTF-8": (lambda text: text.encode().decode().split(), "refuses text that UTF-8 cannot hold"),
        "lowercases": (lambda text: text.lower().split(), "rewrites text"),
        "normalizes": (lambda text: unicodedata.normalize("NFKC", text).split(), "rewrites text"),
        "gives nothing": (lambda text: (), "rewrites text"),
        "gives characters": (lambda text: list(text), ""),
        "gives strings of numpy": (lambda text: list(map(np.str_, text.split())), ""),
        "caches": (Cached, ""),
        "cannot be pickled": (Unpicklable, "can be pickled"),
        "has a batch of tuples": (splitting(lambda texts: tuple(tuple(text.split()) for text in texts)), ""),
    },
    "counter": {
        "skips": (skip_grams, "counts otherwise than the paper"),
        "counts words alone": (words_alone, "counts otherwise than the paper"),
        "does not clip": (unclipped, "counts otherwise than the paper"),
        "returns arrays": (lambda *arguments: tuple(map(np.array, plain_counts(*arguments))), ""),
        "promises what it does": (clipping(symmetric=True), ""),
        "has totals of at least 1": (
            clipping(lambda *arguments: plain_counts(*arguments, least_total=1), least_total=1),
            "",
        ),
        "has a batch": (counting_otherwise(counting), ""),
    },
    "reference_length": {
        "takes the first of a tie": (first_closest, "depends on the order of references"),
        "takes the mean": (lambda _, refs: Fraction(sum(refs), len(refs)), ""),
        "returns a number of numpy": (lambda _, refs: np.mean(refs), ""),
        "is longer than all": (lambda _, refs: max(refs) + 1, "gives a length that no reference has near it"),
        "has a batch": (lengths_otherwise(np.asarray), ""),
    },
    "smoothing": {
        "gives all or nothing": (
            lambda counts: plain(counts) if all(counts.matches) else [one * 0 for one in plain(counts)],
            "gives less than the matches by the totals",
        ),
        "gives 2": (lambda counts: (2,) * len(counts.matches), "gives a precision above 1"),
        "refuses": (refusing, "refuses counts"),
        "has a batch": (smoothing_otherwise(lambda own, _: own), ""),
    },
    "brevity_penalty": {
        "is a ratio": (lambda c, r: min(1.0, c / r) if r else 1.0, ""),
        "is all or nothing": (lambda c, r: int(c >= r), ""),
        "rewards": (lambda c, r: np.float64(1 + c), "gives a factor above 1"),
    },
}


@pytest.mark.parametrize(
    ("kind", "component", "observed"),
    [pytest.param(kind, *row, id=f"{kind} that {name}") for kind, rows in HONEST.items() for name, row in rows.items()],
)
def test_an_honest_component_fails_nothing_whatever_it_computes(kind, component, observed):
    findings = findings_about(kind, component, observes=True)
    assert [finding for finding in findings if finding.fails] == []
    assert {finding.rule for finding in findings} >= ({observed} if observed else set())


def test_an_observation_is_shown_by_the_smallest_example():
    normalized = HONEST["tokenizer"]["normalizes"][0]
    shown = {finding.rule: finding.shown for finding in findings_about("tokenizer", normalized, observes=True)}
    assert re.fullmatch("'.': it becomes '.{1,5}'", shown["rewrites text"])
