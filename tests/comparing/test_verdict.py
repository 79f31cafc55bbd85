"""The sentence that says what a comparison shows: every pair is told as its test found it, in words alone."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.comparing.verdict import Evidence, OrderedPair, verdict

ON = Evidence("on 2,037 segments", "adjusted p")
FOURTEEN = [chr(ord("A") + number) for number in range(14)]


def said(systems, different, p_value=0.0, evidence=ON, baseline=None, equal=0.4):
    """Return the verdict on systems, best first, of which those pairs differ, with this p-value."""
    pairs = [
        OrderedPair(*pair, p_value if "".join(pair) in different else equal, "".join(pair) in different)
        for pair in combinations(systems, 2)
        if baseline is None or baseline in pair
    ]
    return verdict(list(systems), pairs, evidence, baseline)


def every(systems):
    return {"".join(pair) for pair in combinations(systems, 2)}


@pytest.mark.parametrize(
    ("systems", "different", "expected"),
    [
        ("A", (), "A was scored alone on 2,037 segments: there is no other system to compare it with."),
        ("AB", {"AB"}, "A is better than B on 2,037 segments (adjusted p < 0.001)."),
        ("AB", (), "A and B cannot be told apart on 2,037 segments (adjusted p = 0.4000)."),
        ("ABC", (), "A, B and C cannot be told apart on 2,037 segments (adjusted p ≥ 0.4000)."),
        (
            "ABC",
            {"AB", "AC"},
            (
                "A is better than B and C (adjusted p < 0.001); B and C cannot be told apart on 2,037 segments "
                "(adjusted p = 0.4000)."
            ),
        ),
        (
            "ABC",
            {"AC", "BC"},
            (
                "A and B are better than C (adjusted p < 0.001); A and B cannot be told apart on 2,037 segments "
                "(adjusted p = 0.4000)."
            ),
        ),
        (
            "ABC",
            {"AC"},
            (
                "A is better than C (adjusted p < 0.001); A and B cannot be told apart (adjusted p = 0.4000); "
                "B and C cannot be told apart on 2,037 segments (adjusted p = 0.4000)."
            ),
        ),
        (
            "ABC",
            {"AB"},
            (
                "A is better than B (adjusted p < 0.001); B and C cannot be told apart (adjusted p = 0.4000); "
                "A and C cannot be told apart on 2,037 segments (adjusted p = 0.4000)."
            ),
        ),
        (
            "ABC",
            {"AB", "AC", "BC"},
            "A is better than B and C (adjusted p < 0.001); B is better than C on 2,037 segments (adjusted p < 0.001).",
        ),
        (
            "ABCDEF",
            {"AB", "AC", "AD", "AE", "AF"},
            (
                "A is better than all 5 others (adjusted p < 0.001); B, C, D, E and F cannot be told apart "
                "on 2,037 segments (adjusted p ≥ 0.4000)."
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
            (
                "A scores highest, but cannot be told apart from B and C (adjusted p ≥ 0.4000); it is better than the "
                "11 others on 2,037 segments (adjusted p < 0.001); of the other 78 pairs, 77 differ and 1 cannot "
                "be told apart."
            ),
        ),
        (
            FOURTEEN,
            {"AM", "AN", "BN", "CN", "DN", "EN", "CM", "FN"},
            (
                "A scores highest and is better than M and N (adjusted p < 0.001); it cannot be told apart from the 11 "
                "others on 2,037 segments (adjusted p ≥ 0.4000); of the other 78 pairs, 6 differ and 72 cannot be "
                "told apart."
            ),
        ),
        (
            FOURTEEN,
            {f"A{name}" for name in FOURTEEN[1:]},
            (
                "A is better than all 13 others (adjusted p < 0.001); 13 systems (from B down to N in score) cannot be "
                "told apart on 2,037 segments (adjusted p ≥ 0.4000)."
            ),
        ),
        (
            FOURTEEN,
            {"BD", "BE", "BG", "CF", "CH", "DM", "DN", "EN"},
            (
                "A scores highest, but cannot be told apart from any of the 13 others on 2,037 segments (adjusted p ≥ "
                "0.4000); of the other 78 pairs, 8 differ and 70 cannot be told apart."
            ),
        ),
        (FOURTEEN, (), "No two of the 14 systems can be told apart on 2,037 segments (adjusted p ≥ 0.4000)."),
    ],
)
def test_every_pair_is_told_as_it_was_found(systems, different, expected):
    assert said(systems, different) == expected


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        ({"AB", "BC"}, "A is better than B (p = 0.0123); C is worse than B on 9 segments (p = 0.0123)."),
        ({"AB"}, "A is better than B (p = 0.0123); C cannot be told apart from B on 9 segments (p = 0.4000)."),
        ((), "A and C cannot be told apart from B on 9 segments (p ≥ 0.4000)."),
    ],
)
def test_of_a_baseline_nothing_else_is_told(different, expected):
    assert said("ABC", different, 0.0123, Evidence("on 9 segments"), baseline="B") == expected


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        ((), "None of the 13 others can be told apart from M on 9 segments (p ≥ 0.4000)."),
        (every(FOURTEEN[:13]), "All 12 others are better than M on 9 segments (p < 0.001)."),
        (
            {"AM", "BM"},
            (
                "A and B are better than M (p < 0.001); the 11 others cannot be told apart from M on 9 segments "
                "(p ≥ 0.4000)."
            ),
        ),
        (
            every(FOURTEEN[:13]) | {"MN"},
            "N is worse than M (p < 0.001); the 12 others are better than M on 9 segments (p < 0.001).",
        ),
    ],
)
def test_many_systems_are_told_as_the_others_of_a_baseline(different, expected):
    systems = FOURTEEN[:13] if expected.startswith("All") else FOURTEEN
    assert said(systems, different, evidence=Evidence("on 9 segments"), baseline="M") == expected


def test_p_values_are_rounded_to_the_safe_side():
    assert "(adjusted p ≤ 0.0124)" in said("ABC", {"AB", "AC"}, 0.01231)
    assert "(adjusted p ≥ 0.4000)" in said("ABC", {}, equal=0.40009)


def test_the_limit_is_told_unless_it_is_usual():
    stricter = Evidence("on 9 segments", alpha=0.01)
    assert said("AB", {}, evidence=stricter, equal=0.03).endswith("(p = 0.0300; the limit is 0.01).")


@given(st.sets(st.sampled_from(sorted(every("ABCD")))))
def test_all_pairs_of_few_systems_are_told(different):
    told = said("ABCD", different).removesuffix(".")
    if "of the other" in told:
        return
    found = set()
    for clause in told.replace("all 3 others", "B, C and D").split("; "):
        better, than, worse = re.sub(r" \(.*| on .*", "", clause).partition(" better than ")
        if than:
            found |= {one + other for one in re.findall("[A-D]", better) for other in re.findall("[A-D]", worse)}
    assert found == different


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
