"""The compiled parts give what the Python components give, which are their specification, bit for bit."""

import math
import pickle
import random
from array import array
from itertools import accumulate, chain

import pytest
from bleukit.built_in.sacrebleu import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile_texts, token_lists
from uncompiled import uncompiled

import bleukit
from bleukit.bleu import ngrams
from bleukit.bleu.scoring import compiled_formula
from bleukit.framework import creating, registry
from bleukit.framework import loops as columns
from bleukit.framework.compiled import Compiled
from bleukit.framework.lowercasing import all_lowered, lowered
from bleukit.framework.options import Component
from bleukit.framework.packed import (
    Grouped,
    PackedTexts,
    PackedTokens,
    are,
    concatenate_texts,
    ends_of,
    hold_only_str,
    interleaved,
    packed,
)

pytest.importorskip("bleukit.framework.packed_compiled", reason="built without a compiler")
PLAIN = uncompiled("bleukit.framework.packed")
COLUMNS = pytest.mark.parametrize(
    "columns", [columns, uncompiled("bleukit.framework.loops")], ids=["compiled", "plain"]
)


def component(kind, name):
    return creating.create(registry.installed(), kind, Component(name)).call


def as_buffers(some_texts, before=b"\xff"):
    """Return texts as PackedTexts, each behind a byte that belongs to none."""
    encoded = [text.encode() for text in some_texts]
    starts = accumulate((1 + len(text) for text in encoded[:-1]), initial=1)
    packed = PackedTexts(b"".join(before + text for text in encoded), array("q", starts if encoded else []), array("q"))
    packed.ends.extend(start + len(text) for start, text in zip(packed.starts, encoded, strict=True))
    return packed


@pytest.mark.parametrize("name", ["13a", "zh", "intl", "none", "whitespace", "char"])
@given(st.lists(hostile_texts.map(tokenizers.without_surrogates), max_size=5))
@example(
    ["", " ", "\x85", "\xa0é", "a" * 99 + "中", "😀 &amp; é", "&amp;中.5", "<skipped>\u3000é", "ÿĀ", "\uffff\U00010000"]
)
def test_tokens_of_packed_texts(name, some_texts):
    tokenizer = component("tokenizer", name)
    packed = as_buffers(some_texts)
    assert list(packed) == some_texts
    expected = tokenizer.batch(some_texts)
    assert vars(tokenizer.batch(packed)) == vars(expected)
    assert vars(tokenizer.batch(packed[1:])) == vars(tokenizer.batch(some_texts[1:]))


NOT_UTF8 = "ff 80 61c3 c080 c1bf e08080 e09fbf eda080 edbfbf e4b8 f0808080 f09f98 f4908080 f888808080"


@pytest.mark.parametrize("content", NOT_UTF8.split())
@pytest.mark.parametrize("after", [b"", b"a" * 9], ids=len)
def test_packed_texts_that_are_not_utf8_are_refused(content, after):
    content = bytes.fromhex(content) + after
    texts = PackedTexts(b"x" + content, array("q", [0, 1]), array("q", [1, 1 + len(content)]))
    for function in (*(component("tokenizer", name).batch for name in ("13a", "zh", "intl", "char")), list):
        with pytest.raises(UnicodeDecodeError):
            function(texts)


@pytest.mark.parametrize("places", [([0], [3]), ([-1], [1]), ([2], [1]), ([0, 1], [1]), ([2**62], [-(2**62)])], ids=str)
def test_packed_texts_that_do_not_fit_are_refused(places):
    starts, ends = (array("q", each) for each in places)
    for function in (component("tokenizer", "13a").batch, list, lambda texts: concatenate_texts([texts])):
        with pytest.raises(ValueError, match="texts that begin or end where there are none"):
            function(PackedTexts(b"ab", starts, ends))


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8"))), min_size=1))
def test_packed_texts_are_joined_and_interleaved(columns):
    packed = list(map(as_buffers, columns))
    assert list(concatenate_texts(packed)) == list(chain.from_iterable(columns))
    assert list(PLAIN.concatenate_texts(packed)) == list(chain.from_iterable(columns))
    shortest = min(map(len, columns))
    groups = interleaved([column[:shortest] for column in packed])
    assert list(map(list, groups)) == list(map(list, zip(*columns, strict=False)))
    assert list(map(list, groups[1:3])) == list(map(list, zip(*columns, strict=False)))[1:3]


@pytest.mark.parametrize("lowercase", [True, "ascii"])
@given(st.lists(st.text(st.characters(codec="utf-8") | st.sampled_from("AZİΣ")), min_size=1))
def test_packed_texts_are_lowered_as_texts(lowercase, some_texts):
    assert list(all_lowered(as_buffers(some_texts), lowercase)) == [lowered(text, lowercase) for text in some_texts]


@given(st.lists(token_lists, max_size=5))
def test_packing_keeps_all_tokens(lists):
    assert list(packed(lists)) == lists
    assert vars(PLAIN.pack_tokens(lists)) == vars(packed(lists))


@pytest.mark.parametrize("of", [list, tuple])
@given(st.lists(st.sampled_from(["a", "é", 1, True, ["b"], ("c",), []]), max_size=3))
def test_types_are_told_exactly(of, values):
    for types in [(str,), (list, tuple), (str, list, int)]:
        expected = all(type(value) in types for value in values)
        assert are(of(values), *types) == PLAIN.are(of(values), *types) == expected
    expected = all(isinstance(value, str) for value in values)
    assert hold_only_str([of(values)]) == PLAIN.hold_only_str([of(values)]) == expected


def test_packed_tokens_are_pickled_after_they_were_counted():
    tokens = packed([["a", "b"]])
    component("counter", "clipped").batch(tokens, [[["a"]]], 2)
    assert list(pickle.loads(pickle.dumps(tokens))) == [["a", "b"]]


@pytest.mark.parametrize("words", [2, 16, 62, 63, 64, 65, 200])
@pytest.mark.parametrize("length", [64, 255, 256, 257, 258, 600])
def test_counts_of_more_ngrams_than_words(words, length):
    """Tables of pairs have one form if there are few, and another if there are many."""
    chance = random.Random(words * length)
    text, *references = (list(map(str, chance.choices(range(words), k=length))) for _ in range(3))
    references.append(text[: length // 2] + text[length // 3 :])
    counter = component("counter", "clipped")
    matches, totals = counter.batch([text], [references], 6)
    assert (matches.tolist(), totals.tolist()) == tuple([side] for side in counter(text, references, 6))


LENGTHS = st.integers(0, 2**40)


@pytest.mark.parametrize("name", ["closest", "shortest", "average", "longest"])
@given(st.lists(st.tuples(LENGTHS, st.lists(LENGTHS, min_size=1)), min_size=1))
def test_reference_lengths(name, segments):
    policy = component("reference_length", name)
    hypothesis_lengths, lengths = map(list, zip(*segments, strict=True))
    assert policy.batch(hypothesis_lengths, lengths).tolist() == [float(policy(*segment)) for segment in segments]


@pytest.mark.parametrize("words", [["the"], ["a", "b"], [f"word{i}" for i in range(50_000)]], ids=len)
def test_a_segment_of_a_million_tokens(words):
    tokens = words * (1_000_000 // len(words))
    matches, totals = component("counter", "clipped").batch([tokens], [[tokens[:-1], tokens[1:]]], 4)
    assert totals.tolist() == [[1_000_000 - order for order in range(4)]]
    assert matches.tolist()[0][0] >= 999_999


def test_tokens_that_are_made_up_to_have_equal_hashes_stay_apart():
    """Tokens that agree in all but one part of eight bytes, and in length."""
    tokens = [f"{i:08}{j:08}{i ^ j:08}" for i in range(60) for j in range(60)]
    matches, _ = component("counter", "clipped").batch([tokens], [[tokens[::-1]]], 2)
    assert matches.tolist() == [[3600, 0]]


@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40, 64, 65, 100, 255, 256, 300])
def test_tokens_that_differ_in_one_byte_at_any_place_stay_apart(length):
    tokens = ["a" * i + other + "a" * (length - 1 - i) for i in range(length) for other in "\x00bcdefgh\x7f"]
    shorter = ["a" * i for i in range(1, length + 1)]
    matches, totals = component("counter", "clipped").batch([tokens + shorter] * 2, [[tokens], [shorter]], 1)
    assert matches.tolist() == [[len(tokens)], [length]]
    assert totals.tolist() == [[len(tokens) + length]] * 2


def buffers(characters=b"ab", token_ends=(1, 2), text_ends=(1, 2), padding=16):
    return PackedTokens(array("B", characters + bytes(padding)), array("q", token_ends), array("q", text_ends))


def of_type(tokens, part, typecode):
    setattr(tokens, part, array(typecode, getattr(tokens, part)))
    return tokens


INCONSISTENT = {
    "text ends beyond": buffers(text_ends=(1, 3)),
    "text ends before": buffers(text_ends=(1, 1)),
    "text ends decrease": buffers(text_ends=(3, 2)),
    "text ends below 0": buffers(text_ends=(-1, 2)),
    "token ends beyond": buffers(token_ends=(1, 3)),
    "token ends far beyond": buffers(token_ends=(1, 2**62)),
    "token ends decrease": buffers(token_ends=(3, 2)),
    "token ends below 0": buffers(token_ends=(-1, 2)),
    "a difference beyond int64": buffers(token_ends=(-(2**63), 2**63 - 1)),
    "no padding": buffers(padding=15),
    "nothing at all": buffers(b"", (), (0, 0), padding=0),
    "not UTF-8": buffers(b"a\xff"),
    "ends of 4 bytes": of_type(buffers(), "token_ends", "i"),
    "texts' ends of floats": of_type(buffers(), "text_ends", "d"),
    "characters of 4 bytes": of_type(buffers(), "characters", "I"),
}


@pytest.mark.parametrize("tokens", INCONSISTENT.values(), ids=INCONSISTENT)
def test_buffers_that_do_not_fit_together_are_refused(tokens):
    right = buffers()
    with pytest.raises((ValueError, TypeError)):
        ngrams.count_batch(tokens, [right, right], 2)
    with pytest.raises((ValueError, TypeError)):
        ngrams.count_batch(right, Grouped(tokens, array("q", [1, 2])), 2)
    bleu = bleukit.load(tokenizer=Compiled(str.split, lambda _: tokens))
    with pytest.raises(bleukit.PluginError, match="tokenizer .*returns packed tokens"):
        bleu.tokenize_all(["a", "b"])
    if [buffer.typecode for buffer in vars(tokens).values()] == ["B", "q", "q"]:
        with pytest.raises(ValueError, match="byte|token|decrease|UTF-8"):
            PLAIN.require_consistent(tokens)


def test_buffers_that_are_changed_after_they_were_counted_are_refused():
    tokens = buffers()
    ngrams.count_batch(tokens, [tokens, tokens], 2)
    tokens.characters[0] = 0xFF
    with pytest.raises(ValueError, match="UTF-8"):
        ngrams.count_batch(tokens, [buffers(), buffers()], 2)


@pytest.mark.parametrize("ends", [[1, 3], [1, 1], [3, 2], [-1, 2], [2], [1, 2, 2], []])
def test_groups_that_do_not_fit_their_items_are_refused(ends):
    tokens, lengths = (Grouped(items, array("q", ends)) for items in (buffers(), array("q", [1, 1])))
    with pytest.raises(ValueError, match="end|hypotheses|groups"):
        ngrams.count_batch(buffers(), tokens, 2)
    for name in ("closest", "shortest", "average", "longest"):
        with pytest.raises(ValueError, match="end|groups|without a reference"):
            component("reference_length", name).batch([1, 1], lengths)


def test_an_order_below_1_is_refused():
    with pytest.raises(ValueError, match="max_order: expected at least 1, got 0"):
        ngrams.count_batch(buffers(), [buffers()] * 2, 0)


def test_tokens_of_a_plugin_in_python_are_counted_compiled():
    tokens = Grouped([["a", "b"], ["b"]], array("q", [1, 2]))
    matches, _ = component("counter", "clipped").batch([["a", "b"], ["a"]], tokens, 2)
    assert matches.tolist() == [[2, 1], [0, 0]]


def test_a_counter_in_python_reads_packed_tokens():
    packed = component("tokenizer", "13a").batch(["a b.", "", "é"])
    assert isinstance(packed, PackedTokens)
    assert (packed[0], packed[-1], packed[1:], len(packed)) == (["a", "b", "."], ["é"], [[], ["é"]], 3)
    assert Grouped(packed, ends_of(["a", "bc"]))[1] == [[], ["é"]]


@pytest.mark.parametrize("tokens", [["a", None], ["a", b"b"], ["a", 1]])
def test_what_is_no_text_is_refused(tokens):
    with pytest.raises(TypeError, match="expected a str"):
        packed([tokens])
    with pytest.raises(TypeError, match="expected a str"):
        component("tokenizer", "whitespace").batch(tokens)
    with pytest.raises(bleukit.InputTypeError, match=r"hypotheses\[0\]\[1\]: expected a str"):
        bleukit.load().corpus([tokens], [[["a"]]])


def test_str_of_a_subclass_is_text():
    class Text(str):
        __slots__ = ()

    assert list(packed([[Text("a")]])) == [["a"]]
    assert list(component("tokenizer", "13a").batch([Text("a.")])) == [["a", "."]]


@COLUMNS
def test_columns_that_do_not_fit_are_refused(columns):
    for width in (0, -1, 2):
        with pytest.raises(ValueError, match="3 values are no table of"):
            columns.sums(array("q", [1, 2, 3]), width)
    with pytest.raises(ValueError, match="1 values but 2 limits"):
        columns.bounded(array("q", [1]), array("q", [1, 2]))
    for ends in ([2, 1], [-1], [-(2**63), 2**63 - 1], [0, 2, 1]):
        with pytest.raises(ValueError, match="ends that decrease"):
            columns.lengths_from_ends(array("q", ends))
    assert list(columns.up_to(-1)) == []


def test_columns_of_other_types_are_not_read():
    for function in (columns.sums, columns.lengths_from_ends):
        with pytest.raises((ValueError, TypeError)):
            function(array("i", [1]), *[1] * (function is columns.sums))


@COLUMNS
@given(st.lists(st.sampled_from([2**63 - 1, -(2**63), 2**62, -(2**62), 1, 0, -1])))
def test_sums_are_right_or_refused(columns, numbers):
    if -(2**63) <= sum(numbers) < 2**63:
        assert columns.sums(array("q", numbers), 1) == [sum(numbers)]
    else:
        with pytest.raises(bleukit.InputError, match="64 bits"):
            columns.sums(array("q", numbers), 1)


@COLUMNS
@given(st.lists(st.integers(-(2**40), 2**40)), st.integers(1, 5))
def test_arrays(columns, numbers, width):
    table = array("q", numbers[: len(numbers) // width * width])
    assert columns.sums(table, width) == [sum(table[column::width]) for column in range(width)]
    ends = [*accumulate(map(abs, numbers))]
    assert list(accumulate(columns.lengths_from_ends(array("q", ends)))) == ends
    limits = array("q", [3] * len(numbers))
    assert columns.bounded(array("q", numbers), limits) == all(0 <= number <= 3 for number in numbers)
    assert columns.bounded(array("q", [number % 5 for number in numbers]), limits) == all(n % 5 < 4 for n in numbers)
    assert list(columns.up_to(width)) == list(range(1, width + 1))


@given(st.lists(st.floats(-1, 99) | st.sampled_from([math.nan, math.inf, -0.0])))
def test_lengths_are_finite_and_not_negative(numbers):
    assert columns.are_lengths(array("d", numbers)) == all(0 <= number < math.inf for number in numbers)


@given(st.lists(st.floats(-700, 700)))
def test_exponentials_are_those_of_math(numbers):
    assert list(columns.exponentials(array("d", numbers))) == list(map(math.exp, numbers))


def test_an_exponential_beyond_all_floats_is_an_error():
    with pytest.raises(OverflowError):
        columns.exponentials(array("d", [1.0, 710.0]))


@pytest.mark.parametrize(
    ("changed", "is_left"),
    [
        ({}, False),
        ({"totals": [5, 4, 3, 2**53 - 1]}, False),
        ({"totals": [5, 4, 3, 2**53]}, True),
        ({"matches": [3, 2, 1, 3]}, True),
        ({"hypothesis_length": [2**53 - 1]}, False),
        ({"hypothesis_length": [2**53]}, True),
    ],
)
def test_what_floats_cannot_hold_and_impossible_counts_are_left_to_python(changed, is_left):
    bleu = bleukit.load("wikipedia")
    given = {"hypothesis_length": [5], "reference_length": [6.0], "reference_tokens": [6]}
    given |= {"matches": [3, 2, 1, 1], "totals": [5, 4, 3, 2]} | changed
    columns = [array("d" if name == "reference_length" else "q", values) for name, values in given.items()]
    values = compiled_formula(bleu.scorer().loaded).values(*columns, 4)
    assert (values is None) == is_left
    if not changed:
        assert values[0] == pytest.approx(math.exp(1 - 6 / 5) * (3 / 5 * 2 / 4 * 1 / 3 * 1 / 2) ** (1 / 4), rel=1e-14)
