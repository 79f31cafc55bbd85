"""What two variants usually differ by, of the systems of WMT22, without any text."""

import json
import statistics

import numpy as np
import pytest

import bleukit
from bleukit.tables import typical


def points(variant):
    """Return the scores of the systems that translate into each language."""
    found = {}
    for row in typical._table():
        found.setdefault(row["direction"].split("-")[1], []).append(float(row[variant]))
    return found


@pytest.mark.parametrize(("first", "second"), [("sacrebleu", "mteval-v14"), ("nltk", "sacrebleu")])
def test_quantiles_are_those_of_numpy(first, second):
    ours, theirs = points(first), points(second)
    for one in bleukit.typical_differences(first, second).languages:
        differences = np.subtract(theirs[one.language], ours[one.language])
        assert one.systems == len(differences)
        assert one.median == pytest.approx(statistics.median(differences), abs=0.006)
        assert [one.low, one.high] == pytest.approx(np.quantile(differences, [0.05, 0.95]), abs=0.006)


def test_the_other_way_round_the_signs_change():
    ours, theirs = (
        bleukit.typical_differences(*names, language="de").languages[0]
        for names in (("sacrebleu", "matlab"), ("matlab", "sacrebleu"))
    )
    assert (ours.median, ours.low, ours.high) == pytest.approx((-theirs.median, -theirs.high, -theirs.low), abs=0.011)


def test_a_variant_for_tokens_is_named():
    assert bleukit.typical_differences("sacrebleu", "nltk").made_for_tokens == ("nltk",)
    assert bleukit.typical_differences("sacrebleu", "mteval-v14").made_for_tokens == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sacrebleu", "nosuch"), "'nosuch' is not in the scores of WMT22"),
        (("d-bleu", "sacrebleu"), "'d-bleu' is not in the scores"),
        (("sacrebleu", "nltk", "xx"), "no systems translate into 'xx'; known: cs, de"),
    ],
)
def test_what_is_not_in_the_data(arguments, message):
    with pytest.raises(bleukit.InputError, match=message):
        bleukit.typical_differences(*arguments[:2], language=arguments[2] if arguments[2:] else None)


def test_the_command_prints_it_without_files(run):
    options = ["explain", "-V", "sacrebleu", "-V", "nltk"]
    status, out, err = run(*options)
    assert (status, err) == (0, "")
    assert out == f"{bleukit.typical_differences('sacrebleu', 'nltk')}\n"
    printed = json.loads(run(*options, "--language", "ja", "--format", "json")[1])
    assert printed == json.loads(bleukit.typical_differences("sacrebleu", "nltk", language="ja").to_json())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-V", "sacrebleu"], "Missing argument 'HYP'"),
        (["-V", "sacrebleu", "-V", "nltk", "-r", "ref"], "Missing argument 'HYP'"),
        (["-V", "sacrebleu", "-V", "nltk", "--format", "html"], "without files it prints text or json"),
        (["-V", "sacrebleu", "-V", "nltk", "--language", "de", "-r", "ref", "hyp"], "--language is for two variants"),
    ],
)
def test_options_that_do_not_go_together(run, options, message):
    status, out, err = run("explain", *options)
    assert (status, out, message in err) == (2, "", True)
