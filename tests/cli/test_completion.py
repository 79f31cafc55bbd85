"""What the shell completes."""

import pytest
from click.shell_completion import BashComplete

import bleukit
from bleukit.cli.running import cli

pytestmark = pytest.mark.oldest


def completed(*words):
    """Return what completes the last of the words, and the kinds of it."""
    *before, incomplete = words
    found = BashComplete(cli, {}, "bleukit", "_BLEUKIT_COMPLETE").get_completions(before, incomplete)
    return {(item.type, item.value) for item in found}


def names(*words):
    return {value for _, value in completed(*words)}


def test_commands_and_options():
    assert {"score", "self-bleu"} <= names("s")
    assert "--variant" in names("score", "--va")


@pytest.mark.parametrize("command", [["score"], ["explain"], ["conform"], ["tokenize"]])
def test_variants(command):
    assert names(*command, "-V", "ignite-") == {n for n in bleukit.variants() if n.startswith("ignite-")}


def test_names_of_programs():
    assert names("score", "-V", "lm-") == {"lm-evaluation-harness", "lm-eval", "lm-eval-harness"}


def test_what_is_no_name_of_a_variant_may_be_a_file():
    assert completed("score", "-V", "./own") == {("file", "./own")}


@pytest.mark.parametrize(
    "words",
    [["score", "-r", "ref"], ["score", "hyp"], ["compare", "-o", "x"], ["tokenize", "x"], ["config", "check", "x"]],
    ids=" ".join,
)
def test_files(words):
    assert completed(*words) == {("file", words[-1])}


def test_components():
    assert names("conform", "--smoothing", "nltk-method") == {f"nltk-method{number}" for number in range(8)}
    assert names("score", "--set", "reference_l") == {"reference_length="}
    assert {"tokenizer=13a", "tokenizer=intl"} <= names("score", "--set", "tokenizer=")
