"""A score is traced to the variants that give it."""

import json
import math
import pickle
import shlex
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

import bleukit
from bleukit.inspecting.published_score import PublishedScore
from bleukit.inspecting.search_space import SearchSpace
from bleukit.inspecting.summed_statistics import Axes, summed_statistics
from bleukit.loading import creating
from bleukit.loading.registry import installed
from bleukit.text.arguments import check_segments
from bleukit.variant import Component

HYPOTHESES = [
    "The cat (it) sat on the mat.",
    "It was late, too late to go home.",
    "Dogs bark at cats, and cats at dogs",
    "Nobody knows, or says, what happened on the way to the town hall.",
]
REFERENCES = [
    ["The cat sat on the mat .", "A cat was sitting on the mat."],
    ["It was too late, far too late to go home.", "It was late, too late to go"],
    ["Dogs bark at all cats, and cats at dogs", "A dog barks at cats and at dogs"],
    [
        "Nobody knows what happened on the way to the Town Hall.",
        "No one says, or knows, what happened at the town hall.",
    ],
]


@pytest.fixture(scope="module")
def identify():
    """Identify scores of the text above, which is counted once."""
    kept = {}

    def counted(read, axes, *others):
        text = repr(read(axes.texts[0][0]).references)
        if text not in kept:
            kept[text] = summed_statistics(read, axes, *others)
        return kept[text]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bleukit.inspecting.identifying.summed_statistics", counted)
        yield lambda score, references=REFERENCES, **further: bleukit.identify(score, HYPOTHESES, references, **further)


def component(kind, name):
    return creating.create(installed(), kind, Component(name))


TEXTS = [("whitespace", False), ("13a", True), ("fairseq", False)]
POLICIES = ["average", "first-closest"]
AXES = Axes(
    [(component("tokenizer", name), case) for name, case in TEXTS],
    [(), (0,), (1, 2)],
    [component("counter", "clipped"), component("counter", "nltk")],
    [component("reference_length", name) for name in POLICIES],
)
BLEUS = [
    (choice, bleukit.load("nltk", tokenizer=tokenizer, lowercase=case, counter=counter, reference_length=policy))
    for (tokenizer, case), choice, counter, policy in product(TEXTS, AXES.choices, ["clipped", "nltk"], POLICIES)
]


@settings(max_examples=30)
@given(st.lists(st.tuples(texts, st.tuples(texts, texts, texts)), min_size=1, max_size=4))
def test_sums_of_all_combinations_are_those_of_the_statistics(corpus):
    hypotheses, references = (list(column) for column in zip(*corpus, strict=True))
    segments = check_segments(hypotheses, references, references_by="segment")
    found = summed_statistics(lambda _: segments, AXES, 4)
    for row, (choice, bleu) in zip(found, BLEUS, strict=True):
        chosen = [[group[number] for number in choice] or group for group in references]
        expected = bleu.statistics(hypotheses, chosen, references_by="segment").sum()
        assert row.reference_length == pytest.approx(expected.reference_length, rel=1e-13)
        assert all(row.column(name) == expected.column(name) for name in set(row.COLUMNS) - {"reference_length"})
        assert row.counts(4)[0].last_segment == expected.counts(4)[0].last_segment


def test_sums_do_not_depend_on_the_size_of_chunks(monkeypatch):
    references = [[*group, "a b c"] for group in REFERENCES]
    segments = check_segments(HYPOTHESES, references)
    whole = summed_statistics(lambda _: segments, AXES, 4)
    monkeypatch.setattr("bleukit.inspecting.summed_statistics.CHUNK", 1)
    assert summed_statistics(lambda _: segments, AXES, 4) == whole


@pytest.mark.parametrize("variant", ["matlab", "nltk", "sacrebleu", "wikipedia"])
@pytest.mark.parametrize("chosen", [(), (2,)])
def test_a_named_variant_is_found_by_its_score(identify, variant, chosen):
    references = [[group[i - 1] for i in chosen] or group for group in REFERENCES]
    score = bleukit.load(variant).corpus(HYPOTHESES, references).value
    found = identify(repr(score))
    assert len(found.groups) == 1
    assert (variant, chosen) in {(candidate.nearest, candidate.references) for candidate in found.groups[0].named}


def test_named_variants_that_cannot_be_told_apart_are_one_row_with_their_names(identify):
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    found = identify(repr(score))
    (group,) = found.groups
    names = [candidate.nearest for candidate in group.named]
    assert names[0] == "sacrebleu"
    expected = {
        name
        for name in installed().variants
        if f"variant {name}" not in found.left_out
        and bleukit.load(name, scale=100).corpus(HYPOTHESES, REFERENCES).value == pytest.approx(score, rel=1e-13)
    }
    assert {*names} == expected
    assert group.number == found.found > len(names)


def test_variants_with_several_names_have_all_of_them(identify):
    found = identify(repr(bleukit.load("torchtext").corpus(HYPOTHESES, REFERENCES).value))
    names = {candidate.nearest for candidate in found.groups[0].named}
    assert {"torchmetrics", "torchtext"} <= names
    assert 0 < found.groups[0].number - found.groups[0].unnamed < len(names)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("tokenizer", ["13a", "char", "matlab"])
def test_equal_weights_of_every_order_are_tried_for_every_tokenizer(identify, order, tokenizer):
    bleu = bleukit.load("sacrebleu", tokenizer=tokenizer, weights=order, lowercase=True)
    found = identify(repr(bleu.corpus(HYPOTHESES, REFERENCES).value))
    assert found.found
    assert order in [
        len(weights) for weights in found.possible.get("weights", [(0,) * 1, (0,) * 2, (0,) * 3, (0,) * 4])
    ]


def test_a_mixture_is_found_and_reproduced_from_the_digits_that_are_printed(identify):
    bleu = bleukit.load("nltk", tokenizer="13a", lowercase=True, reference_length="average", scale=100)
    score = bleu.corpus(HYPOTHESES, REFERENCES).value
    found = identify(f"{score:.2f}")
    candidates = [each for group in found.groups for each in (*group.named, *group.mixtures)]
    assert score in [pytest.approx(candidate.value) for candidate in candidates]
    for candidate in candidates:
        chosen = [[group[i - 1] for i in candidate.references] or group for group in REFERENCES]
        value = bleukit.load(candidate.variant).corpus(HYPOTHESES, chosen).value
        assert (value, f"{value:.2f}") == (candidate.value, f"{score:.2f}")
        assert bleukit.load(candidate.nearest, **candidate.departs).variant == candidate.variant


@pytest.fixture
def unregistered(tmp_path):
    """A variant that no mixture of registered components is, and the path of its file."""
    path = tmp_path / "ours.yaml"
    path.write_text("variant: nltk\nweights: [0.4, 0.3, 0.2, 0.1]\nscale: 100\n")
    return bleukit.load(path), path


def test_a_variant_of_ones_own_is_tried_and_its_file_starts_from_no_path(identify, unregistered, tmp_path):
    bleu, path = unregistered
    score = repr(bleu.corpus(HYPOTHESES, REFERENCES).value)
    assert not identify(score).found
    for variant, name in ((path, str(path)), (bleu, "nltk (modified)"), (bleu.variant, "nltk (modified)")):
        (candidate,) = identify(score, variants=[variant]).groups[0].named
        assert (candidate.nearest, candidate.variant) == (name, bleu.variant)
        copy = tmp_path / "copy.yaml"
        copy.write_text(candidate.to_dict()["file"])
        assert bleukit.load(copy).variant == bleu.variant


def test_a_mean_of_ones_own_is_tried(identify):
    bleu = bleukit.load("nltk", average="macro", weights=[0.4, 0.3, 0.2, 0.1], name="ours")
    score = repr(bleu.corpus(HYPOTHESES, REFERENCES).value)
    assert not any("ours" in other.variants for other in identify(score).otherwise)
    assert any("ours" in other.variants for other in identify(score, variants=[bleu]).otherwise)


def test_variants_of_ones_own_must_have_names_and_score_segments(identify):
    first, second = (bleukit.load("nltk", lowercase=lowercase, name="ours") for lowercase in (True, "ascii"))
    assert identify("0.5", variants=[first, first]).tried
    with pytest.raises(bleukit.InputError, match="two variants are called 'ours'"):
        identify("0.5", variants=[first, second])
    with pytest.raises(bleukit.InputError, match="^d-bleu joins the segments"):
        identify("0.5", variants=["d-bleu"])


def test_the_command_tries_a_variant_file(run, files, unregistered):
    bleu, path = unregistered
    score = f"{bleu.corpus(HYPOTHESES, REFERENCES).value:.9f}"
    status, out, _ = run("identify", "--score", score, "-V", str(path), *files)
    assert (status, str(path) in out) == (0, True)
    _, reproduced, _ = run(*shlex.split(out.splitlines()[-1])[1:], "--format", "json")
    assert f"{value_in(reproduced):.9f}" == score
    status, _, err = run("identify", "--score", score, "-V", "absent.yaml", *files)
    assert (status, "absent.yaml" in err) == (2, True)


def test_what_is_possible_is_what_occurs_among_all_that_give_the_score(identify):
    score = bleukit.load("wikipedia", lowercase=True).corpus(HYPOTHESES, [group[1] for group in REFERENCES]).value
    found = identify(repr(score))
    assert found.possible["references"] == ((2,),)
    assert Component("whitespace") in found.possible["tokenizer"]
    assert Component("13a") not in found.possible["tokenizer"]
    assert found.groups[0].possible == found.possible


def test_more_digits_leave_fewer_variants_and_the_number_that_decides_is_known(identify):
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    rough = identify(f"{score:.0f}")
    assert rough.scores > 1
    first = rough.groups[0].value
    exact = identify(f"{first:.{rough.decimals}f}")
    assert [group.value for group in exact.groups] == [first]


def test_last_digits_of_arithmetic_make_no_other_score(identify):
    scores = [group.value for group in identify("50%").groups]
    scores += [group.value for group in identify("60").groups]
    assert all(not math.isclose(a, b, rel_tol=1e-13) for a, b in combinations(scores, 2))


def test_a_score_of_0_counts_each_variant_once():
    hypotheses, references = ["a b c"], ["d e f"]
    found = bleukit.identify("0", hypotheses, references)
    assert found.found < found.tried  # smoothings give more than 0.5
    assert found.groups[0].value == 0
    assert "wikipedia" in {candidate.nearest for candidate in found.groups[0].named}
    assert all(not candidate.departs for candidate in found.groups[0].named)


def test_a_smoothing_that_refuses_a_text_does_not_give_it_0():
    with pytest.raises(bleukit.InputError, match="trigram"):
        bleukit.load("nltk", smoothing="nltk-method6").corpus(["a b c"], ["a c b"])
    found = bleukit.identify("0", ["a b c"], ["a c b"])
    assert Component("nltk-method6") not in found.possible["smoothing"]


def test_a_perfect_score():
    found = bleukit.identify("1", ["a b c d e"], ["a b c d e"])
    assert {"sacrebleu", "nltk"} <= {candidate.nearest for candidate in found.groups[0].named}


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        ("39.9", 39.85, 39.95),
        ("39,9", 39.85, 39.95),
        (" 39.9 % ", 39.85, 39.95),
        ("0", 0, 0.5),
        ("100", 99.5, 100.5),
        ("3.99e1", 39.85, 39.95),
        (Decimal("39.90"), 39.895, 39.905),
        (np.float32(39.9), 39.85, 39.95),
        (np.int64(40), 39.5, 40.5),
        (40, 39.5, 40.5),
    ],
)
def test_a_figure_stands_for_what_rounds_to_it(given, low, high):
    figure = PublishedScore.parse(given)
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=1e-12)


def test_a_percentage_or_more_than_1_is_no_fraction():
    assert [PublishedScore.parse(text).scales for text in ("0.4%", "1.2", "0.4")] == [(100,), (100,), (100, 1)]


def test_a_figure_without_decimals_is_a_fraction_only_if_it_is_exact():
    assert PublishedScore.parse("1").holds(np.array([0.99, 1.0]), 1).tolist() == [False, True]
    assert PublishedScore.parse("1.0").holds(np.array([0.99, 1.0]), 1).tolist() == [True, True]


@pytest.mark.parametrize(
    "score",
    ["-1", "101", "nan", "", "1_0", "٣", "1e999", "39.9 BLEU", "1,234.5", "3 9", math.inf, None, True, Fraction(1, 3)],
)
def test_a_figure_that_is_no_score_is_refused(score):
    expected = r"score: expected a number from 0 to 100, such as 39.9, 0.399 or 39.9%"
    with pytest.raises(bleukit.InputError, match=expected):
        bleukit.identify(score, HYPOTHESES, REFERENCES)


def test_references_that_differ_in_number_are_taken_as_they_are(identify):
    references = [group[: 1 + i % 2] for i, group in enumerate(REFERENCES)]
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, references).value
    assert identify(repr(score), references).groups[0].first.nearest == "sacrebleu"


def test_references_by_set():
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    sets = [list(texts) for texts in zip(*REFERENCES, strict=True)]
    found = bleukit.identify(repr(score), HYPOTHESES, sets, references_by="set")
    assert found.groups[0].first.nearest == "sacrebleu"


def test_tokens_need_no_tokenizer():
    tokens = [[text.split() for text in HYPOTHESES], [[text.split() for text in group] for group in REFERENCES]]
    score = bleukit.load("nltk").corpus(*tokens).value
    assert "nltk" in {candidate.nearest for candidate in bleukit.identify(repr(score), *tokens).groups[0].named}


def test_text_without_any_token_is_refused():
    with pytest.raises(bleukit.InputError, match="no variant can score this text"):
        bleukit.identify("0", [[]], [[[]]])


def test_what_could_not_be_tried_has_its_reason():
    space = SearchSpace(installed(), None, {}, tokenized=False)
    assert "option 'model'" in space.left_out["tokenizer spm"]


def test_the_result_is_a_value(identify):
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    first, again = identify(f"{score:.1f}"), identify(f"{score:.1f}")
    assert first == again
    assert hash(first) == hash(again)
    assert pickle.loads(pickle.dumps(first)) == first
    assert first != identify(repr(score))
    assert json.loads(json.dumps(first.to_dict()))["groups"][0]["number"] == first.groups[0].number
    assert len(repr(first)) < 120
    assert "<th>variants</th>" in first._repr_html_()


def test_the_text_fits_its_width_and_names_the_likely_variants(identify):
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    for width in (80, 120):
        text = identify(f"{score:.1f}").as_text(width)
        assert max(map(len, text.splitlines())) <= width
        assert f"{score:.4f}" in text
        assert "sacrebleu" in text


@pytest.fixture
def files(tmp_path):
    (tmp_path / "hyp").write_text("\n".join(HYPOTHESES))
    for number in (0, 1):
        (tmp_path / f"ref{number}").write_text("\n".join(group[number] for group in REFERENCES))
    return ["-r", "ref0", "-r", "ref1", "hyp"]


def test_the_command_prints_a_command_that_gives_the_score(run, files):
    bleu = bleukit.load("wikipedia", lowercase=True, weights=3)
    score = bleu.corpus(HYPOTHESES, [group[1] for group in REFERENCES]).value
    status, out, _ = run("identify", "--score", f"{score:.6f}", *files)
    assert status == 0
    _, reproduced, _ = run(*shlex.split(out.splitlines()[-1])[1:], "--format", "json")
    assert f"{value_in(reproduced):.6f}" == f"{score:.6f}"
    _, out, _ = run("identify", "--score", f"{score:.6f}", *files, "--format", "json")
    for candidate in json.loads(out)["groups"][0]["mixtures"][:3]:
        _, reproduced, _ = run(*shlex.split(candidate["command"])[1:], "--format", "json")
        assert value_in(reproduced) == candidate["value"]


def value_in(printed):
    return json.loads(printed)["systems"][0]["score"]


def test_a_score_that_nothing_gives_ends_with_status_1(run, files):
    status, out, _ = run("identify", "--score", "3.14159", *files)
    assert status == 1
    assert out.startswith("None of ")
    assert "The closest:" in out.splitlines()[0]
    assert "bleukit score" not in out  # what does not fit is not suggested
    status, _, err = run("identify", "--score", "many", *files)
    assert (status, "expected a number from 0 to 100" in err) == (2, True)


ONE_REFERENCE = [group[0] for group in REFERENCES]


def nltk_scores():
    """Return what people have printed in place of NLTK's score, calculated by NLTK itself."""
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    ours, theirs = [text.split() for text in HYPOTHESES], [text.split() for text in ONE_REFERENCE]
    sentences = [
        nltk.sentence_bleu([reference], hypothesis) for hypothesis, reference in zip(ours, theirs, strict=True)
    ]
    return {
        "mean": sum(sentences) / len(sentences),
        "swapped": nltk.corpus_bleu([[text] for text in ours], theirs),
        "characters": nltk.corpus_bleu([[text] for text in ONE_REFERENCE], HYPOTHESES),
        "one segment": nltk.corpus_bleu([["\n".join(ONE_REFERENCE).split()]], ["\n".join(HYPOTHESES).split()]),
        "single segment": sentences[1],
    }


IN_WORDS = {
    "mean": "the mean of the sentence scores of ",
    "swapped": " with hypotheses and references swapped",
    "characters": "with each character as a token",
    "one segment": "with the whole text as one segment",
    "single segment": "for segment 2 alone",
}


@pytest.mark.filterwarnings("ignore:[\\s\\S]*The hypothesis contains 0 counts")
@pytest.mark.parametrize("calculation", [*IN_WORDS])
def test_another_calculation_is_tried_if_no_variant_fits(calculation, identify):
    score = nltk_scores()[calculation]
    found = identify(repr(score), ONE_REFERENCE)
    assert (found.found, found.groups) == (0, ())
    (other,) = (other for other in found.otherwise if "nltk" in other.variants)
    assert (other.calculation, other.value, other.scale) == (calculation, pytest.approx(score), 1)
    assert other.segment == (2 if calculation == "single segment" else None)
    assert f"{score!r} is " in str(other)
    assert IN_WORDS[calculation] in str(other)
    assert json.loads(found.to_json())["otherwise"][0]["variants"] == list(found.otherwise[0].variants)
    assert str(found.otherwise[0]) in " ".join(found.as_text().split())
    assert str(found.otherwise[0]) in bleukit.page(found).html


def test_no_other_calculation_is_tried_if_a_variant_fits(identify):
    assert identify(repr(bleukit.load().corpus(HYPOTHESES, REFERENCES).value)).otherwise == ()


def test_another_calculation_may_use_some_references(identify):
    bleu = bleukit.load("sacrebleu")
    swapped = bleu.corpus([group[1] for group in REFERENCES], HYPOTHESES).value
    (other,) = identify(repr(swapped)).otherwise
    assert (other.references, str(other).rpartition(", ")[2]) == ((2,), "reference 2 only")


def test_tokens_are_tried_otherwise_too():
    tokens = [text.split() for text in HYPOTHESES], [text.split() for text in ONE_REFERENCE]
    score = bleukit.load("nltk").corpus([" ".join(HYPOTHESES).split()], [" ".join(ONE_REFERENCE).split()]).value
    (other,) = bleukit.identify(repr(score), *tokens).otherwise
    assert (other.calculation, "nltk" in other.variants) == ("one segment", True)


def test_the_command_says_which_calculation_gives_the_score(run, files):
    score = bleukit.load("sacrebleu").sentences(HYPOTHESES, REFERENCES).mean()
    status, out, _ = run("identify", "--score", f"{score:.10f}", *files)
    assert (status, "is the mean of the sentence scores of" in " ".join(out.split())) == (0, True)
    assert "bleukit score" not in out
    _, out, _ = run("identify", "--score", f"{score:.10f}", *files, "--format", "json")
    (other,) = json.loads(out)["otherwise"]
    assert (other["calculation"], other["value"]) == ("mean", pytest.approx(score))
