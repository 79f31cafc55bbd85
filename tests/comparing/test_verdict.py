"""The sentence that says what a comparison shows: every pair is told as its test found it, in words alone."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.comparing.results import Comparison, PairResult, SystemResult

FOURTEEN = [chr(ord("A") + number) for number in range(14)]


def said(systems, different, p_value=0.0, *, equal=0.4, baseline=None, level=0.95, units=2037):
    """Return the verdict on systems, best first, of which those pairs differ, with this p-value."""
    pairs = []
    for first, second in combinations(systems, 2):
        if baseline is None or baseline in (first, second):
            p = p_value if first + second in different else equal
            pairs.append(PairResult(first, second, 1.0, None, p, p, False, 900, None, None))
    results = [SystemResult(name, 30.0, None, 1, 1, 1, 1, None, None, (30.0,)) for name in systems]
    comparison = Comparison(
        *(tuple(results), tuple(pairs), baseline, "permutation", 999, 0, 1, level, "holm", None, 0.8),
        *("segment", units, units, None, (), ""),
    )
    return comparison.verdict


def every(systems):
    return {"".join(pair) for pair in combinations(systems, 2)}


@pytest.mark.parametrize(
    ("systems", "different", "expected"),
    [
        ("A", (), "A was scored alone on 2,037 segments: there is no other system to compare it with."),
        ("AB", {"AB"}, "A is better than B on 2,037 segments (p < 0.001)."),
        ("AB", (), "A and B cannot be told apart on 2,037 segments (p = 0.4000)."),
        (
            "ABC",
            {"AB", "AC"},
            (
                "A is better than B (adjusted p < 0.001); A is better than C (adjusted p < 0.001); "
                "B and C cannot be told apart on 2,037 segments (adjusted p = 0.4000)."
            ),
        ),
        (
            FOURTEEN,
            every(FOURTEEN),
            (
                "In the order A, B, C, D, E, F, G, H, I, J, K, L, M and N, each system is better than all that follow "
                "on 2,037 segments (adjusted p < 0.001)."
            ),
        ),
        (
            FOURTEEN,
            every(FOURTEEN) - {"AB", "AC", "BC"},
            "A scores highest and is better than 11 of the 13 others on 2,037 segments; 88 of all 91 pairs differ.",
        ),
        (
            FOURTEEN,
            {"BD", "BE", "BG", "CF", "CH", "DM", "DN", "EN"},
            "A scores highest and cannot be told apart from any other on 2,037 segments; 8 of all 91 pairs differ.",
        ),
        (FOURTEEN, (), "None of the 91 pairs can be told apart on 2,037 segments (adjusted p ≥ 0.4000)."),
    ],
)
def test_every_pair_is_told_as_it_was_found(systems, different, expected):
    assert said(systems, different) == expected


@pytest.mark.parametrize(
    ("systems", "different", "expected"),
    [
        (
            "ABC",
            {"AB"},
            "A is better than B (adjusted p = 0.0123); B and C cannot be told apart on 9 segments (",
        ),
        (FOURTEEN, (), "None of the 13 pairs can be told apart on 9 segments (adjusted p ≥ 0.4000)."),
        (
            FOURTEEN,
            {"AB", "BC", "BD"},
            "Of 13 systems, 1 is better than B on 9 segments, 2 worse; 10 cannot be told apart from it.",
        ),
    ],
)
def test_of_a_baseline_nothing_else_is_told(systems, different, expected):
    assert said(systems, different, 0.0123, units=9, baseline="B").startswith(expected)


def test_p_values_are_rounded_to_the_safe_side():
    assert "(adjusted p ≤ 0.0124)" in said(FOURTEEN, every(FOURTEEN), 0.01231)
    assert "(adjusted p ≥ 0.4000)" in said(FOURTEEN, {}, equal=0.40009)


def test_the_limit_is_told_unless_it_is_usual():
    assert said("AB", {}, level=0.99, units=9, equal=0.03).endswith("(p = 0.0300; the limit is 0.01).")


@given(st.sets(st.sampled_from(sorted(every("ABCD")))))
def test_all_pairs_of_few_systems_are_told(different):
    told = said("ABCD", different)
    assert {"".join(pair) for pair in re.findall("([A-D]) is better than ([A-D])", told)} == different
    assert {"".join(pair) for pair in re.findall("([A-D]) and ([A-D]) cannot", told)} == every("ABCD") - different


def compared(first, second, references, **settings):
    return bleukit.compare("sacrebleu", {"first": first, "second": second}, references, **settings)


THREE = ["a quick brown fox jumps over the dog", "it was lazy and sat on the mat", "the cat was under a mat"]
CHANGED = ["a quick brown fox jumps over it", "it was not lazy and sat on it", "the cat sat under a mat"]


def test_too_few_segments_are_said_to_show_nothing():
    assert compared(THREE, CHANGED, THREE).verdict == (
        "first and second cannot be told apart on 3 segments (p = 0.2500). "
        "Only 3 segments differ: too few to show any difference."
    )
    assert (
        compared(THREE * 3, CHANGED * 3, THREE * 3).verdict == "first is better than second on 9 segments (p = 0.0039)."
    )


@pytest.mark.parametrize("test", ["permutation", "sacrebleu-bs", "sacrebleu-ar"])
def test_equal_outputs_are_never_said_to_differ(test):
    assert compared(THREE, THREE, THREE, test=test).verdict.startswith("first and second cannot be told apart on 3 ")


def test_the_verdict_comes_first():
    found = compared(THREE, CHANGED, THREE)
    assert str(found).splitlines()[0] == found.verdict
    assert found._repr_html_().startswith(f"<p><strong>{found.verdict}</strong></p>")
    assert next(iter(found.to_dict().items())) == ("verdict", found.verdict)
    assert found.renamed({"first": "ours", "second": "theirs"}).verdict.startswith(
        "ours and theirs cannot be told apart"
    )
