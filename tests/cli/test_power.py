"""``bleukit power``: what `bleukit.segments_needed` says, and files that hold no scores."""

import json

import pytest

import bleukit

FIRST, SECOND = [31.2, 40.5, 28.0, 55.1, 20.3] * 4, [30.1, 42.0, 25.2, 51.0, 21.1] * 4
OPTIONS = ["--detect", "1", "--power", "0.9", "--pairs", "3", "--confidence-level", "0.9"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns = {"first": FIRST, "second": SECOND, "both": [f"{a}\t{b}" for a, b in zip(FIRST, SECOND, strict=True)]}
    columns |= {"short": FIRST[:-1], "words": ["1.5", "high"], "infinite": ["1", "inf"]}
    for name, lines in columns.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("paths", [["both"], ["first", "second"]])
def test_the_number_is_that_of_python(run, files, paths):
    needed = bleukit.segments_needed(FIRST, SECOND, 1, power=0.9, pairs=3, confidence_level=0.9)
    sentence = "segments like these are needed to find a difference of 1 significant in 90 % of cases"
    assert run("power", *paths, *OPTIONS) == (0, f"{needed} {sentence} (p < 0.1, adjusted for 3 pairs)\n", "")
    found = json.loads(run("power", *paths, *OPTIONS, "--format", "json")[1])
    settings = {"detect": 1, "power": 0.9, "confidence_level": 0.9, "pairs": 3}
    assert found == {"segments_needed": needed, "segments": 20, **settings}


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["first"], "first, line 1: expected 2 finite scores, got '31.2'"),
        (["both", "both"], "both, line 1: expected 1 finite score, got "),
        (["first", "short"], "first has 20 lines, short has 19 lines: each segment needs a score of both systems"),
        (["words", "words"], "words, line 2: expected 1 finite score, got 'high'"),
        (["infinite", "infinite"], "infinite, line 2: expected 1 finite score, got 'inf'"),
        (["first", "first"], "scores of two or more segments must differ"),
        (["first"] * 3, "give one file with two scores on each line, or two with one, not 3 files"),
    ],
)
def test_files_that_hold_no_scores_are_refused(run, files, paths, message):
    status, printed, error = run("power", "--detect", "1", *paths)
    assert (status, printed) == (2, "")
    assert message in error


def test_scores_that_look_like_ids_are_scores(run, files, tmp_path):
    (tmp_path / "ids").write_text("".join(f"{number}\t{number % 3}\n" for number in range(30)))
    assert run("power", "--detect", "1", "ids")[::2] == (0, "")
