"""What users of other tools type first gets an error that names what does it here."""

import io
import sys

import pytest

import bleukit


@pytest.fixture
def files(tmp_path):
    (tmp_path / "hyp").write_text("the cat sat on a mat\n")
    (tmp_path / "ref1").write_text("the cat sat on the mat\n")
    return tmp_path


@pytest.mark.parametrize(
    "command", ["score", "merge", "mbr", "self-bleu", "compare", "report", "power", "identify", "explain", "config"]
)
def test_a_command_that_needs_arguments_prints_its_help_without_them(run, command):
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert err.startswith(f"Usage: bleukit {command} ")
    assert "Options:" in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("ref1 -i hyp", "bleukit score -r REF HYP"),
        ("reference.txt", "bleukit score -r REF HYP"),
        ("variant", "did you mean 'variants'"),
        ("tokenise hyp", "did you mean 'tokenize'"),
        ("score -r ref1 -i hyp", "hypotheses need no option"),
        ("score -tok zh -r ref1 hyp", "--set tokenizer=NAME"),
        ("score --tokenize zh -r ref1 hyp", "--set tokenizer=NAME"),
        ("score --tokenize=zh -r ref1 hyp", "--set tokenizer=NAME"),
        ("score -lc -r ref1 hyp", "--set lowercase=true"),
        ("score -r ref1 hyp hyp --paired-bs", "bleukit compare --test sacrebleu-bs"),
        ("score -V spbleu -r ref1 hyp", "'sacrebleu-flores200'"),
        ("tokenize -V nltk -V coco hyp", "-V is given 2 times"),
        ("score --set n_gram=2 -r ref1 hyp", "`weights`"),
        ("score --set k=2 -r ref1 hyp", "`smoothing`"),
    ],
)
def test_an_error_names_what_does_it(run, files, arguments, expected):
    status, out, err = run(*arguments.split())
    assert (status, out) == (2, "")
    assert err.startswith("bleukit: error: ")
    assert expected in err


def test_what_is_suggested_is_accepted(run, files):
    assert run("score", "-q", "--set", "lowercase=true", "--set", "tokenizer=intl", "-r", "ref1", "hyp")[0] == 0
    assert run("compare", "--test", "sacrebleu-bs", "-r", "ref1", "hyp", "ref1")[0] == 0


def test_keys_by_the_names_of_other_libraries():
    with pytest.raises(bleukit.VariantError, match="n_gram: unknown key; it is `weights`"):
        bleukit.load("nltk", n_gram=2)


def test_without_hypotheses_standard_input_is_read(run, files, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((files / "hyp").read_bytes())))
    piped = run("score", "-q", "-r", "ref1")
    assert (piped[0], piped[2]) == (0, "")
    assert piped == run("score", "-q", "-r", "ref1", "hyp")


def test_a_terminal_is_not_waited_for(run, files, monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    for stdin in (terminal, None):
        monkeypatch.setattr(sys, "stdin", stdin)
        status, _, err = run("score", "-r", "ref1")
        assert (status, "Missing argument 'HYP...'" in err) == (2, True)
