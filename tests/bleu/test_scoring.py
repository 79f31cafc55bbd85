"""The formula at its edges, and what a Score shows."""

import dataclasses
import json
import math
import pickle
import warnings
from decimal import ROUND_HALF_EVEN, Decimal
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.scoring import geometric_mean, rounded
from bleukit.bleu.signature import read_signature

precisions = st.lists(st.floats(1e-6, 1), min_size=1, max_size=6)


@pytest.mark.parametrize(("c", "r", "expected"), [(0, 0, 0), (0, 5, 0), (5, 5, 1), (6, 5, 1), (5, 10, math.exp(-1))])
def test_the_standard_brevity_penalty(c, r, expected):
    penalty = bleukit.load("wikipedia").components["brevity_penalty"].call
    assert penalty(c, r) == expected


@given(precisions)
def test_mean_lies_between_its_precisions(precisions):
    mean = geometric_mean(precisions, [1 / len(precisions)] * len(precisions))
    assert min(precisions) * (1 - 1e-9) <= mean <= max(precisions) * (1 + 1e-9)


@given(precisions, st.sampled_from([1, 100]), st.floats(0.1, 3))
def test_scale_multiplies_whatever_the_weights_sum_to(precisions, scale, weight):
    weights = [weight] * len(precisions)
    expected = scale * geometric_mean(precisions, weights)
    assert geometric_mean(precisions, weights, scale=scale) == pytest.approx(expected)


@pytest.mark.parametrize("missing", [0.0, math.nan])
def test_a_missing_order_makes_the_score_zero_unless_its_weight_is(missing):
    assert geometric_mean([0.5, missing], [0.5, 0.5]) == 0
    assert geometric_mean([0.5, missing], [1, 0]) == 0.5


def test_effective_order_drops_undefined_orders_only():
    assert geometric_mean([0.25, math.nan], [0.5, 0.5], effective_order=True) == 0.25
    assert geometric_mean([0.25, 0.0], [0.5, 0.5], effective_order=True) == 0
    assert geometric_mean([math.nan], [1], effective_order=True) == 0


@given(precisions)
def test_a_perfect_match_never_scores_above_the_scale(weights):
    total = sum(weights)
    weights = [weight / total for weight in weights]
    assert geometric_mean([1.0] * len(weights), weights, scale=100) == pytest.approx(100)
    assert geometric_mean([1.0] * 4, [0.25] * 4, scale=100) == 100


def test_weights_below_one_in_sum_do_lift_the_mean():
    assert geometric_mean([0.25], [0.5]) == 0.5


def test_a_mean_beyond_all_floats_is_an_error():
    with pytest.raises(bleukit.InputError, match="too large"):
        geometric_mean([4 / 3], [1e9])


def score(*source, **settings):
    return bleukit.load(*source, **settings).corpus(["the cat sat on a mat"], [["the cat sat on the mat", "a cat"]])


def test_score_is_an_immutable_number_of_one_line():
    one = score()
    assert float(one) == one.value
    assert f"{one:.2f}" == f"{one.value:.2f}"
    assert f"{one}" == str(one)
    assert "\n" not in str(one)
    assert str(one).startswith(f"BLEU {one.value:.2f} (precisions 100.0/60.0/")
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.value = 1
    again = pickle.loads(pickle.dumps(one))
    assert (again.to_dict(), repr(again)) == (one.to_dict(), repr(one))


def test_a_score_compares_as_its_value_does():
    worse, better = score("nltk"), score(scale=1, smoothing="add-k")
    assert worse.value < better.value < 1
    assert worse < better <= better.value
    assert better > worse.value >= worse
    assert worse == worse.value == score("nltk", lowercase=True)
    assert worse != better != 0
    assert worse == pytest.approx(worse.value)
    assert sorted([better, 0.5, worse, 2]) == sorted([better.value, 0.5, worse.value, 2])
    assert {worse: 1}[worse.value] == 1
    assert worse != "0"
    assert not worse > worse.value
    assert not worse < worse.value
    with pytest.raises(TypeError):
        assert worse < "0"


def test_a_score_that_is_nan_equals_nothing():
    nothing = bleukit.load("matlab").sentence("", "")
    assert nothing != bleukit.load("matlab").sentence("", "")
    assert not nothing < 1
    assert not nothing >= 1


def test_a_score_rounds_as_its_value_does():
    one = score()
    assert (round(one), round(one, 1), f"{one:.1f}") == (round(one.value), round(one.value, 1), f"{one.value:.1f}")


def test_a_score_calculates_as_its_value_does():
    one, value = score(), score().value
    results = [one / 100, 100 / one, one * 2, 2 * one, one - 1, 1 - one, one + one, sum([one, one]), mean([one, one])]
    assert results == [value / 100, 100 / value, *[2 * value] * 2, value - 1, 1 - value, *[2 * value] * 2, value]
    assert set(map(type, results)) == {float}
    assert math.isnan(mean([bleukit.load("matlab").sentence("", "")]))
    with pytest.raises(TypeError):
        one + "0"


def test_weights_that_do_not_sum_to_1_warn():
    with pytest.warns(UserWarning, match=r"the weights sum to 0\.9, not 1, .* normalize_weights=true") as found:
        bleu = bleukit.load("wikipedia", weights=[0.3, 0.3, 0.3])
    assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bleukit.load(bleu.variant)
        bleukit.load("wikipedia", weights=[0.3, 0.3, 0.3], normalize_weights=True)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_completion_finds_every_field(metric):
    metric = bleukit.load_metric(metric)
    one, rows = metric.sentence("a b", "a b"), metric.statistics(["a b"], ["a b"])
    assert {field.name for field in dataclasses.fields(one)} <= {*dir(one)}
    assert {*rows.columns} <= {*dir(rows)}


def test_a_result_becomes_json_by_one_call():
    assert json.loads(score().to_json()) == score().to_dict()
    short = bleukit.load("wikipedia").sentence("a \ud800", "a b")
    assert json.loads(short.to_json())["precisions"] == [0.5, 0, None, None]
    comparison = bleukit.compare("nltk", {"one": ["a b"] * 3, "two": ["a \ud800"] * 3}, ["a b"] * 3, samples=9)
    assert json.loads(comparison.to_json())["systems"][0]["system"] == "one"


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        (63.931, 2, "63.93"),
        (0.0, 2, "0.00"),
        (1.17e-232, 4, "1.2e-232"),
        (0.00004, 4, "4.0e-05"),
        (0.00005, 4, "0.0001"),
        (-0.001, 2, "-1.0e-03"),
        (float("nan"), 2, "nan"),
        (12.5, 0, "12"),
    ],
)
def test_rounding_leaves_no_tiny_number_as_zero(value, decimals, shown):
    assert rounded(value, decimals) == shown


HARD = [0.03125, 0.15625, 2.125, 2.375, 0.09375, 0.0, 1e-232, 0.00004, 0.00005, 1.0, 1.004, 99.995, 100.0, math.nan]
SHARES = st.sampled_from([0.0625, 0.00125, 0.99995, 0.5, 1.0, 0.0, math.nan]) | st.floats(0, 2)


def printed(number, places):
    """Return a number rounded to so many decimals, half to even, from its exact value."""
    if math.isnan(number):
        return "nan"
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN):f}"


@given(
    st.sampled_from(HARD) | st.floats(0, 100),
    st.lists(SHARES, min_size=1, max_size=5),
    st.floats(0, 1),
    st.integers(0, 10**9),
    st.sampled_from([1, 2, 999, 1000, 1_234_567]),
)
def test_the_printed_line_has_the_figures_of_the_score(value, precisions, penalty, length, segments):
    reference_length = length + 0.25
    one = dataclasses.replace(
        score("nltk"),
        value=value,
        precisions=tuple(precisions),
        brevity_penalty=penalty,
        hypothesis_length=length,
        reference_length=reference_length,
        segments=segments,
    )
    decimals = 2 if value > 1 else 4
    shown = f"{value:.1e}" if value > 0 and not float(printed(value, decimals)) else printed(value, decimals)
    shares = "/".join("–" if math.isnan(p) else printed(100 * p, 1) for p in precisions)
    assert str(one) == (
        f"BLEU {shown} (precisions {shares} %, brevity penalty {printed(penalty, 4)}, hypothesis length {length}, "
        f"reference length {reference_length:.10g}, {segments:,} segment{'s' if segments > 1 else ''}, nltk)"
    )
    assert repr(value) in repr(one)


def test_signature_names_everything_that_matters():
    signature = score(smoothing={"name": "add-k", "k": 2}, lowercase=True).signature
    assert signature == (
        "variant:sacrebleu (modified)|references:2|tokenizer:13a|counter:clipped|reference_length:closest|case:lower|"
        "smoothing:add-k(k=2.0)|brevity_penalty:standard|weights:0.25,0.25,0.25,0.25|effective_order:no|empty_score:0|scale:100|"
        f"bleukit:{bleukit.__version__}"
    )


def test_signature_tells_a_range_of_references():
    bleu = bleukit.load()
    assert "|references:1-3|" in bleu.corpus(["a", "b"], ["a", ["b", "c", "d"]]).signature


def test_signature_names_the_libraries_a_tokenizer_rests_on():
    from importlib.metadata import version

    rests_on = f"|with:regex {version('regex')},linkify-it-py {version('linkify-it-py')}|"
    assert rests_on in score("matlab").signature


def test_signature_option_values_are_json():
    fields = dict(part.split(":", 1) for part in score(smoothing={"name": "floor", "value": 0.5}).signature.split("|"))
    assert json.loads(fields["smoothing"].removeprefix("floor(value=").removesuffix(")")) == 0.5


@pytest.mark.parametrize(("name", "scale", "score"), [("moses-sentence-bleu", 100, 100), ("b-norm", 1, 1)])
def test_the_score_of_empty_texts_is_the_same_share_of_another_scale(name, scale, score):
    bleu = bleukit.load(name, scale=scale)
    assert bleu.corpus([""], [""]).value == score
    assert bleukit.load(name, scale=scale, empty_score=0.5).corpus([""], [""]).value == 0.5
    assert bleukit.load(read_signature(bleu.signature).variant).corpus([""], [""]).value == score


def test_empty_score_is_for_empty_hypotheses_against_empty_references_only():
    bleu = bleukit.load("matlab")
    assert math.isnan(bleu.sentence("", ["", " "]).value)
    assert bleu.sentence("", ["", "a"]).value == 0
    assert bleu.sentence("a", "").value == 0


def test_signature_says_what_was_really_counted():
    """Tokens that were given, and statistics that another variant counted."""
    given = bleukit.load("matlab").sentence(["a", "b"], ["a", "b"]).signature
    assert "|tokenizer:(tokens given)|" in given
    assert "|with:" not in given
    statistics = bleukit.load("matlab", lowercase=True).statistics(["a b"], ["a b"])
    score = bleukit.load("nltk").score(statistics)
    assert score.variant == "nltk (modified)"
    assert "|tokenizer:matlab|counter:clipped|reference_length:closest|case:lower|" in score.signature
    assert "|smoothing:nltk-method0|" in score.signature


def test_the_label_says_modified_only_for_what_makes_a_difference():
    assert score(smoothing={"name": "exp"}).variant == "sacrebleu"
    assert score("nltk", weights=[0.25, 0.25, 0.25, 0.25]).variant == "nltk"
    assert (
        score(smoothing={"name": "add-k", "k": 1}).signature == score(smoothing={"name": "add-k", "k": 1.0}).signature
    )
    assert score(smoothing="floor").variant == "sacrebleu (modified)"


SHORT = "the score is 0: no 3-gram in a text of 2 tokens; see --level sentence, or a smoothing"


@pytest.mark.parametrize(
    ("keys", "hypothesis", "reference", "why"),
    [
        ({}, "a cat", "a cat", SHORT),
        (
            {},
            "a cat sat on a mat",
            "the cat was on a mat",
            "the score is 0: no 4-gram matches; see --level sentence, or a smoothing",
        ),
        ({}, "a b c d", "x y z w", "the score is 0: no token matches"),
        ({}, "", "a cat", "the score is 0: the hypotheses have no tokens"),
        ({}, "a cat sat on a mat", "a cat sat on a mat", None),
        ({}, "a b c d", "a b c d " + "x " * 4000, "the score is 0: the brevity penalty is 0"),
        ({"effective_order": True}, "a", "a " + "x " * 300, "the score is 5.1e-129: the brevity penalty is 5.1e-131"),
        ({"smoothing": "exp"}, "a cat", "a dog sat there", SHORT),  # no 2-gram matches, but its precision is smoothed
        ({"weights": [0, 0, 1]}, "a cat", "a dog", SHORT),  # neither does a 2-gram match, but it has no weight
    ],
)
def test_a_score_of_0_says_why(keys, hypothesis, reference, why):
    bleu = bleukit.load("sacrebleu", **{"smoothing": "none", **keys})
    assert bleu.corpus([hypothesis], [reference]).note == why


def test_a_score_above_its_scale_says_so(tmp_path):
    plugin = tmp_path / "bonus.py"
    plugin.write_text(
        "from bleukit.plugin import hookimpl\n"
        "class Bonus:\n    def __call__(self, hypothesis, reference):\n        return 1.5\n"
        "@hookimpl\ndef bleukit_brevity_penalties():\n    return {'bonus': Bonus}\n"
    )
    bleu = bleukit.load("nltk", plugins=[str(plugin)], brevity_penalty="bonus")
    hypothesis = "a cat sat here now and then again"
    same, other = (
        bleu.corpus([hypothesis], [text]).note for text in (hypothesis, "a cat sat here now but never again")
    )
    assert same == "the score is above 1, the most that BLEU can be"
    assert other == "the brevity penalty is 1.5, above 1"
