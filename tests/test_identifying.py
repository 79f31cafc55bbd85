"""A score is traced to the recipes that give it."""

import json
import shlex

import pytest

import bleukit

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


@pytest.mark.parametrize("variant", ["matlab", "nltk", "sacrebleu", "wikipedia"])
@pytest.mark.parametrize("chosen", [(), (2,)])
def test_a_named_recipe_is_found_by_its_score(variant, chosen):
    references = [[group[i - 1] for i in chosen] or group for group in REFERENCES]
    score = bleukit.load(variant).corpus(HYPOTHESES, references).value
    found = bleukit.identify(repr(score), HYPOTHESES, REFERENCES)
    same = [candidate for candidate in found.groups[0] if not candidate.departs and candidate.references == chosen]
    assert len(found.groups) == 1
    assert variant in {candidate.nearest for candidate in same}
    assert found.groups[0][0].distance == min(candidate.distance for candidate in found.groups[0])


def test_a_mixture_is_found_and_reproduced_from_the_digits_that_are_printed():
    bleu = bleukit.load("nltk", tokenizer="13a", lowercase=True, reference_length="average", scale=100)
    score = bleu.corpus(HYPOTHESES, REFERENCES).value
    found = bleukit.identify(f"{score:.2f}", HYPOTHESES, REFERENCES)
    assert all(f"{c.value:.2f}" == f"{score:.2f}" for group in found.groups for c in group)
    ours = {"tokenizer": "13a", "lowercase": True, "reference_length": "average", "scale": 100, "counter": "nltk"}
    candidates = [
        c
        for group in found.groups
        for c in group
        if all(
            getattr(getattr(c.variant, key), "name", getattr(c.variant, key)) == value for key, value in ours.items()
        )
    ]
    assert bleu.variant in {candidate.variant for candidate in candidates}
    for candidate in candidates:
        assert bleukit.load(candidate.variant).corpus(HYPOTHESES, REFERENCES).value == pytest.approx(candidate.value)


def test_more_digits_leave_fewer_recipes_and_how_many_decide_is_told():
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, REFERENCES).value
    rough = bleukit.identify(f"{score:.0f}", HYPOTHESES, REFERENCES)
    assert len(rough.groups) > 1
    first = rough.groups[0][0].value
    exact = bleukit.identify(f"{first:.{rough.decimals}f}", HYPOTHESES, REFERENCES)
    assert [group[0].value for group in exact.groups] == [first]


@pytest.mark.parametrize("score", ["-1", "101", "nan", "many", "", "1_0", "٣", "1e999", float("inf"), None])
def test_a_figure_that_is_no_score_is_refused(score):
    with pytest.raises(bleukit.InputError, match="score: expected a number of 0 to 100, got"):
        bleukit.identify(score, HYPOTHESES, REFERENCES)


def test_references_that_differ_in_number_are_taken_as_they_are():
    references = [group[: 1 + i % 2] for i, group in enumerate(REFERENCES)]
    score = bleukit.load("sacrebleu").corpus(HYPOTHESES, references).value
    assert bleukit.identify(repr(score), HYPOTHESES, references).groups[0][0].nearest == "sacrebleu"


def test_tokens_need_no_tokenizer():
    tokens = [[text.split() for text in HYPOTHESES], [[text.split() for text in group] for group in REFERENCES]]
    score = bleukit.load("nltk").corpus(*tokens).value
    assert "nltk" in {candidate.nearest for candidate in bleukit.identify(repr(score), *tokens).groups[0]}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "hyp").write_text("\n".join(HYPOTHESES))
    for number in (0, 1):
        (tmp_path / f"ref{number}").write_text("\n".join(group[number] for group in REFERENCES))
    return ["-r", "ref0", "-r", "ref1", "hyp"]


def test_the_command_prints_a_command_that_gives_the_score(run, files):
    score = bleukit.load("wikipedia", lowercase=True).corpus(HYPOTHESES, [group[1] for group in REFERENCES]).value
    status, out, _ = run("identify", "--score", f"{score:.6f}", *files)
    assert status == 0
    _, reproduced, _ = run(*shlex.split(out.splitlines()[-1])[1:], "--format", "json")
    assert f"{json.loads(reproduced)['score']:.6f}" == f"{score:.6f}"
    _, out, _ = run("identify", "--score", f"{score:.6f}", *files, "--format", "json")
    for candidate in json.loads(out)["groups"][0][:3]:
        _, reproduced, _ = run(*shlex.split(candidate["command"])[1:], "--format", "json")
        assert json.loads(reproduced)["score"] == pytest.approx(candidate["score"], rel=1e-12)


def test_a_score_that_nothing_gives_ends_with_status_1(run, files):
    status, out, _ = run("identify", "--score", "3.14159", *files)
    assert (status, out.splitlines()[1]) == (1, "the closest:")
    status, _, err = run("identify", "--score", "3,14", *files)
    assert (status, err) == (2, "bleukit: error: score: expected a number of 0 to 100, got str '3,14'\n")
