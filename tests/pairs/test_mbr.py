"""Minimum-Bayes-risk decoding, in Python and as a command."""

import json
import math
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from strategies import tokens

import bleukit
from bleukit.reading import samples as read_samples

bleu = bleukit.load()
WORDS = "the a cat dog sat on mat under quick brown fox jumps over , .".split()  # noqa: SIM905


def generated(seed, number=12):
    """Return variations of a sentence, as a model would sample them."""
    chance = random.Random(seed)
    words = [chance.choice(WORDS) for _ in range(chance.randint(3, 15))]
    return [" ".join(chance.choice(WORDS) if chance.random() < 0.3 else word for word in words) for _ in range(number)]


def test_the_choice_is_that_of_sacrebleu_pair_by_pair():
    """As mbrs makes it, which calls ``sentence_score`` with ``effective_order`` for every pair."""
    peer = BLEU(effective_order=True)
    groups = [generated(seed) for seed in range(12)]
    for group, choice in zip(groups, bleukit.mbr(bleu, groups), strict=True):
        expected = [np.mean([peer.sentence_score(one, [other]).score for other in group]) for one in group]
        assert choice.scores == pytest.approx(expected)
        assert choice.index == np.argmax(np.round(expected, 9))
        assert (choice.text, choice.score) == (group[choice.index], choice.scores[choice.index])


@settings(max_examples=30)
@given(st.lists(tokens, min_size=1, max_size=6), st.data())
def test_expected_scores_are_means_of_the_matrix(samples, data):
    references = data.draw(st.none() | st.lists(tokens, min_size=1, max_size=4))
    weights = data.draw(st.none() | st.lists(st.integers(1, 9), min_size=len(references or samples), max_size=9))
    weights = weights and weights[: len(references or samples)]
    [choice] = bleukit.mbr(bleu, [samples], references=references and [references], weights=weights and [weights])
    expected = np.average(bleukit.matrix(bleu, samples, references or samples), axis=1, weights=weights)
    assert choice.scores == pytest.approx(expected.tolist())
    assert choice.index == choice.scores.index(max(choice.scores))


def test_weights_are_how_often_a_sample_counts():
    samples = generated(1)
    weights = [place % 3 + 1 for place in range(len(samples))]
    repeated = [text for text, weight in zip(samples, weights, strict=True) for _ in range(weight)]
    [weighed], [counted] = (
        bleukit.mbr(bleu, [samples], weights=[weights]),
        bleukit.mbr(bleu, [samples], references=[repeated]),
    )
    assert weighed.scores == pytest.approx(counted.scores)


def test_aggregation_scores_against_the_mean_of_the_references():
    bleu = bleukit.load("wikipedia", weights=2)
    [choice] = bleukit.mbr(
        bleu, [["a b", "a b a", "c"]], references=[["a b", "a c c c"]], weights=[[3, 1]], aggregate=True
    )
    # In the mean the references have 1 a, 3/4 b, 3/4 c and 3/4 "a b", and 2.5 words.
    penalty = math.exp(1 - 2.5 / 2)
    assert choice.scores == pytest.approx([penalty * math.sqrt(1.75 / 2 * 0.75), math.sqrt(1.75 / 3 * 0.75 / 2), 0])


@pytest.mark.parametrize("smoothing", ["none", "floor", "add-k", "exp", *(f"nltk-method{n}" for n in range(1, 6))])
@pytest.mark.parametrize("counter", ["clipped", "nltk"])
def test_aggregation_of_one_reference_is_exact(smoothing, counter):
    bleu = bleukit.load("sacrebleu", smoothing=smoothing, counter=counter)
    samples = [*generated(2), "", "a black cat"]
    for reference in (samples[0], "a black cat sat", ""):
        [exact], [aggregated] = (
            bleukit.mbr(bleu, [samples], references=[[reference]], aggregate=each) for each in (False, True)
        )
        assert aggregated.scores == exact.scores


def test_weights_of_aggregated_references():
    samples = generated(4)
    weights = [place % 3 + 1 for place in range(len(samples))]
    repeated = [text for text, weight in zip(samples, weights, strict=True) for _ in range(weight)]
    [weighed] = bleukit.mbr(bleu, [samples], weights=[weights], aggregate=True)
    [counted] = bleukit.mbr(bleu, [samples], references=[repeated], aggregate=True)
    assert weighed.scores == pytest.approx(counted.scores)


def own_counter(hypothesis, references, max_order):
    return [0] * max_order, [1] * max_order


@pytest.mark.parametrize("counter", ["unclipped", "fairseq", "fairseq-exact", own_counter])
def test_a_counter_that_does_not_promise_clipped_counts_cannot_be_aggregated(counter):
    bleu = bleukit.load("wikipedia", counter=counter)
    message = f"samples[0]: the counter '{bleu.components['counter'].name}' does not promise `clipped`"
    with pytest.raises(bleukit.InputError, match=f"^{re.escape(message)}"):
        bleukit.mbr(bleu, [["a"]], aggregate=True)


def test_after_each_segment_a_function_is_called():
    done = []
    bleukit.mbr(bleu, [["a"], ["b", "c"]], on_done=done.append)
    assert done == [1, 1]


def test_of_equally_good_samples_the_first_is_chosen():
    assert [choice.index for choice in bleukit.mbr(bleu, [["b", "a", "a", "b"], ["", "x y"], ["x"]])] == [0, 1, 0]


def test_threads_do_not_show():
    groups = [generated(seed, number) for seed, number in enumerate([1, 3, 20, 2, 7])]
    assert bleukit.mbr(bleu, groups, threads=3) == bleukit.mbr(bleu, groups, threads=1)


@pytest.mark.parametrize(
    ("samples", "options", "message"),
    [
        ("a", {}, "samples: expected a sequence with the samples of each segment, got str 'a'"),
        (
            ["a", "b"],
            {},
            "samples[0]: expected a sequence of texts, got str 'a'; the texts of a single segment are given as [texts]",
        ),
        ([["a"], []], {}, "samples[1]: is empty; at least one text is needed"),
        ([["a"], ["b", 1]], {}, "samples[1]: hypotheses[1]: expected a str, got int 1"),
        ([["a"]], {"references": [["a"], ["b"]]}, "1 segments in samples but 2 in references"),
        ([["a"]], {"references": [[]]}, "references[0]: is empty"),
        ([["a"]], {"weights": [[1, 2]]}, "samples[0]: weights: expected a number for each of 1 references"),
        ([["a"]], {"weights": [["x"]]}, "samples[0]: weights: expected a number for each reference"),
        ([["a"]], {"weights": [[-1]]}, "samples[0]: weights: expected finite numbers of at least 0"),
        ([["a"]], {"weights": [[0]]}, "samples[0]: weights: expected at least one above 0"),
    ],
)
def test_wrong_arguments(samples, options, message):
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.mbr(bleu, samples, **options)
    assert str(raised.value).startswith(message)


def test_a_score_that_is_nan_is_refused():
    expected = r"^samples\[0\]: sample 1 has no expected score, because the score of a pair is NaN$"
    with pytest.raises(bleukit.InputError, match=expected):
        bleukit.mbr(bleukit.load("matlab"), [["a", ""]])


# The command


@pytest.fixture
def files(tmp_path):
    """The same samples in several files, in one, and as JSON."""
    groups = [generated(seed, 3) for seed in range(70)]
    for place in range(3):
        (tmp_path / f"s{place}.txt").write_text("".join(f"{group[place]}\n" for group in groups))
    (tmp_path / "all.txt").write_text("".join(f"{text}\n" for group in groups for text in group))
    (tmp_path / "all.jsonl").write_text("".join(f"{json.dumps(group)}\n" for group in groups))
    return groups


LAYOUTS = [["s0.txt", "s1.txt", "s2.txt"], ["-n", "3", "all.txt"], ["all.jsonl"]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(run, files, layout):
    expected = [choice.text for choice in bleukit.mbr(bleu, files)]
    assert run("mbr", *layout) == (0, "".join(f"{text}\n" for text in expected), "")


def test_json_and_the_best(run, files):
    choices = bleukit.mbr(bleu, files)
    found = json.loads(run("mbr", "all.jsonl", "--n-best", "2", "--format", "json")[1])
    assert [each["score"] for each in found["segments"]] == [choice.score for choice in choices]
    assert [[one["index"] for one in each["n_best"]] for each in found["segments"]] == [
        each.best(2) for each in choices
    ]
    assert found["signature"].startswith("variant:sacrebleu|")
    lines = run("mbr", "all.jsonl", "--n-best", "2", "-w", "3")[1].splitlines()
    assert lines[0] == f"1\t{choices[0].score:.3f}\t{choices[0].text}"
    assert len(lines) == 140


def test_references_and_weights(run, tmp_path):
    lines = [
        {"samples": ["a b c d", "x y"], "references": ["x y", "x"]},
        ["a b", "a b c d", "a b c e"],
        {"samples": ["a b", "a b c d", "a b c e"], "weights": [9, 1, 1]},
    ]
    (tmp_path / "mixed.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert run("mbr", "mixed.jsonl")[1] == "x y\na b c d\na b\n"
    for name, text in (("a", "a b c d"), ("b", "x y"), ("r", "x")):
        (tmp_path / name).write_text(f"{text}\n")
    assert run("mbr", "a", "b", "-r", "r")[1] == "x y\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", "x.jsonl:1: expected a list of texts, or {"),
        ('["a"]\n{"sample": ["a"]}', "x.jsonl:2: expected a list of texts, or {"),
        ("[]", "x.jsonl:1: no text to choose from, or none to score against"),
        ('{"samples": ["a"], "weights": [1, 2]}', "x.jsonl:1: 2 weights for 1 text"),
        ('["a\\nb"]', "segment 1: the text has several lines: print it by --format json"),
    ],
)
def test_wrong_lines_of_json(run, tmp_path, content, message):
    (tmp_path / "x.jsonl").write_text(content)
    status, _, err = run("mbr", "x.jsonl")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(f"bleukit: error: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["all.txt"], "all.txt: how many lines are the samples of a segment? Several files hold one each"),
        (["-n", "4", "all.txt"], "all.txt: has 210 lines, which are no groups of 4"),
        (["-n", "3", "s0.txt", "s1.txt"], "samples are lines of one file, so many a segment, or line N of several"),
        (["all.jsonl", "s0.txt"], "all.jsonl: JSON lines hold all there is: give one file alone"),
        (["s0.txt", "all.txt"], "all.txt has 210 lines, s0.txt has 70 lines: line N of every file must belong to"),
    ],
)
@pytest.mark.usefixtures("files")
def test_files_that_do_not_fit(run, arguments, message):
    status, _, err = run("mbr", *arguments)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(f"bleukit: error: {message}")


def test_aggregation_reports_how_often_its_choice_differs(run, files):
    exact, aggregated = (bleukit.mbr(bleu, files, aggregate=each) for each in (False, True))
    compared = [0, 50]
    differ = sum(exact[place].text != aggregated[place].text for place in compared)
    loss = sum(exact[place].score - exact[place].scores[aggregated[place].index] for place in compared)
    status, out, err = run("mbr", "all.jsonl", "--aggregate")
    assert (status, out) == (0, "".join(f"{choice.text}\n" for choice in aggregated))
    assert err == (
        f"bleukit: aggregated: of 2 segments, every 50th, {differ} choices differ from the exact ones, with expected "
        f"scores lower by {loss / 2:.2f} in the mean\n"
    )
    found = json.loads(run("mbr", "all.jsonl", "--aggregate", "--format", "json")[1])
    assert found["aggregated"] == {"segments": 2, "differ": differ, "loss": pytest.approx(loss)}


@pytest.fixture
def tables(files, tmp_path):
    """The same samples in tables: a column each, a row each, and as lists."""
    rows = ["sample 1\tsample 2\tsample 3", *map("\t".join, files)]
    (tmp_path / "columns.tsv").write_text("".join(f"{row}\n" for row in rows))
    quoted = ["text,n", *(f'"{text}",{place}' for group in files for place, text in enumerate(group))]
    (tmp_path / "rows.csv").write_text("".join(f"{row}\n" for row in quoted))
    lines = [json.dumps({"outputs": group, "ref": ["a cat"]}) for group in files]
    (tmp_path / "lists.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return files


@pytest.mark.parametrize(
    "layout",
    [
        ["columns.tsv"],
        ["columns.tsv#sample 1", "--sample-column", "sample 2", "--sample-column", "sample 3", "columns.tsv"],
        ["columns.tsv#sample 1", "s1.txt", "columns.tsv#sample 3"],
        ["-n", "3", "rows.csv", "--sample-column", "text"],
        ["--sample-column", "outputs", "lists.jsonl"],
    ],
)
def test_tables(run, tables, layout):
    expected = "".join(f"{choice.text}\n" for choice in bleukit.mbr(bleu, tables))
    assert run("mbr", *layout) == (0, expected, "")


def test_references_in_tables(run, tables):
    choices = bleukit.mbr(bleu, tables, references=[["a cat"]] * len(tables))
    expected = "".join(f"{choice.text}\n" for choice in choices)
    assert run("mbr", "--sample-column", "outputs", "--reference-column", "ref", "lists.jsonl")[1] == expected
    assert run("mbr", "columns.tsv", "-r", "lists.jsonl", "--reference-column", "ref")[1] == expected


def test_an_empty_list_of_references_in_a_table_is_refused(run, tables, tmp_path):
    (tmp_path / "lists.jsonl").write_text(json.dumps({"outputs": tables[0], "ref": []}) + "\n")
    status, out, err = run("mbr", "--sample-column", "outputs", "--reference-column", "ref", "lists.jsonl")
    assert (status, out) == (2, "")
    assert "row 1, column 'ref': an empty list; at least one reference is needed" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rows.csv"], "rows.csv: which column is the sample? Choose by --sample-column; the columns are 'text', 'n'"),
        (["rows.csv#text"], "rows.csv#text: how many rows are the samples of a segment? Several columns hold one each"),
        (["-n", "2", "columns.tsv"], "columns.tsv: a row holds several samples, so that it is a segment: leave the"),
        (
            ["-n", "2", "rows.csv#text", "-r", "s0.txt"],
            "references go with samples in several files or columns, in lists",
        ),
        (["columns.tsv", "--reference-column", "ref"], "--reference-column: no table has 'ref'"),
        (["columns.tsv", "rows.csv#text"], "rows.csv has "),
    ],
)
@pytest.mark.usefixtures("tables")
def test_tables_that_do_not_fit(run, arguments, message):
    status, _, err = run("mbr", *arguments)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(f"bleukit: error: {message}")


@pytest.mark.parametrize("aggregate", [False, True])
@pytest.mark.parametrize("wrong", [None, 1, b"x", "a"])
def test_a_wrong_sample_is_named_by_its_own_place(wrong, aggregate):
    """Equal samples are counted once, which changes the places of those behind them."""
    good = ["a"] if wrong == "a" else "a"
    with pytest.raises(bleukit.InputError, match=r"^samples\[0\]: hypotheses\[2\]: expected a (str|token list), got "):
        bleukit.mbr(bleu, [[good, good, wrong]], aggregate=aggregate)
    with pytest.raises(bleukit.InputError, match=r"^samples\[0\]: references\[2\]: expected a (str|token list), got "):
        bleukit.mbr(bleu, [[good]], references=[[good, good, wrong]], aggregate=aggregate)


@pytest.mark.parametrize(
    ("wrong", "options", "kind", "message"),
    [
        ([], {}, bleukit.InputError, "samples[{}]: is empty"),
        ("a b", {}, bleukit.InputTypeError, "samples[{}]: expected a sequence of texts"),
        ([5], {}, bleukit.InputTypeError, "samples[{}]: hypotheses[0]: expected a str"),
        (["a"], {"weights": [[1]] * 2 + [["x"]]}, bleukit.InputTypeError, "samples[{}]: weights: expected a number"),
        (["a"], {"references": [["a"], ["b"], []]}, bleukit.InputError, "references[{}]: is empty"),
        (["a"], {"references": [["a"], ["b"], "c d"]}, bleukit.InputTypeError, "references[{}]: expected a sequence"),
    ],
)
def test_what_is_wrong_is_named_by_its_place_in_the_whole_text(wrong, options, kind, message):
    """The command decodes some segments at a time, of which the text has others before: ``first``."""
    for first in (0, 7):
        with pytest.raises(bleukit.InputError) as raised:
            bleukit.mbr(bleu, [["a"], ["b"], wrong], first=first, **options)
        assert type(raised.value) is kind
        assert str(raised.value).startswith(message.format(first + 2))


def test_a_choice_reads_well():
    [choice] = bleukit.mbr(bleu, [["a b c d", "a b c d", "x" * 80]])
    assert str(choice) == repr(choice) == "<Choice 0 of 3: 66.67, 'a b c d'>"
    [choice] = bleukit.mbr(bleukit.load("nltk"), [["x " * 60, "x " * 60]])
    assert repr(choice) == f"<Choice 0 of 2: 1, {'x ' * 60!r:.60}>"


def test_the_best_are_as_many_as_are_asked_for_and_in_order():
    [choice] = bleukit.mbr(bleu, [generated(3, 9)])
    for number in range(11):
        scores = [choice.scores[place] for place in choice.best(number)]
        assert scores == sorted(choice.scores, reverse=True)[:number]


@pytest.mark.parametrize("reference", ["", "a b"])
def test_aggregation_gives_empty_texts_the_score_of_the_variant(reference):
    own = bleukit.load("sacrebleu", empty_score=50)
    [exact], [aggregated] = (
        bleukit.mbr(own, [["", "a"]], references=[[reference]], aggregate=each) for each in (False, True)
    )
    assert aggregated.scores == exact.scores
    assert (exact.scores[0] == 50) == (not reference)


@pytest.mark.parametrize("options", [["--aggregate"], ["--n-best", "2"], ["--aggregate", "--format", "json"]])
@pytest.mark.usefixtures("files")
def test_some_segments_are_decoded_at_a_time(run, monkeypatch, options):
    whole = run("mbr", "all.jsonl", *options)
    for number in (3, 7, 50):
        monkeypatch.setattr(read_samples, "SEGMENTS", number)
        assert run("mbr", "all.jsonl", *options) == whole


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\r\nb", "b\n"])
def test_a_text_of_several_lines_is_printed_as_json_alone(run, tmp_path, text):
    (tmp_path / "lines.jsonl").write_text(f'["a"]\n{json.dumps([text])}\n')
    status, _, err = run("mbr", "lines.jsonl")
    assert (status, err) == (
        2,
        "bleukit: error: segment 2: the text has several lines: print it by --format json\n",
    )
    assert json.loads(run("mbr", "lines.jsonl", "--format", "json")[1])["segments"][1]["text"] == text
