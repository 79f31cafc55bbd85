"""How names, texts, signatures and tables are written, for all of them; what a terminal or a spreadsheet would obey."""

import io
import math
import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleukit
from bleukit.cli import printing, tables

pytestmark = pytest.mark.oldest

CHARACTERS = [*map(chr, range(0x180)), "\u2028", "\u200b", "\u202e", "猫", "\ud800"]


def test_control_characters_are_shown_and_obeyed_by_no_terminal():
    for character in CHARACTERS:
        is_control = unicodedata.category(character) == "Cc" and character not in "\t\n"
        shown = f"\\x{ord(character):02x}" if is_control else character
        assert printing.visible(f"a{character}b") == f"a{shown}b"


def test_a_name_is_one_printable_cell():
    for character in CHARACTERS:
        is_plain = character.isprintable() and character != "\\"
        shown = character if is_plain else character.encode("unicode_escape").decode()
        assert printing.escaped(f"a{character}b") == f"a{shown}b"


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        ("compare -r ref =1 @2 --by labels --samples 1 --format csv", ["=1", "@2", "+a", "-b"]),
        ("compare -r ref =1 @2 -V nltk -V sacrebleu --samples 1 --format csv", ["=1", "@2"]),
        ("score -r ref =1 @2 --documents labels -o scores.csv", ["=1", "@2", "+a", "-b"]),
        ("score -r ref =1 @2 --documents labels", ["=1", "@2", "+a", "-b"]),
        ("self-bleu --level sentence =1 @2", ["=1", "@2"]),
    ],
)
def test_no_command_writes_a_name_that_is_a_formula(run, tmp_path, words, cells):
    for name, text in {"=1": "a b\nc d\n", "@2": "a b\na d\n", "ref": "a b\nc d\n", "labels": "+a\n-b\n"}.items():
        (tmp_path / name).write_text(text)
    status, out, _ = run(*words.split())
    written = re.split(r"[,\t\n]", out or (tmp_path / "scores.csv").read_text())
    assert status == 0
    assert {f"'{cell}" for cell in cells} <= {*written}
    assert not {*cells} & {*written}


@given(st.floats(0, 100), st.none() | st.integers(0, 9))
@example(1 / 3, None)
@example(0.1 + 0.2, None)
def test_a_value_has_all_its_digits_or_those_asked_for(score, places):
    shown = tables._value(score, places)
    assert float(shown) == score if places is None else math.isclose(float(shown), score, abs_tol=10.0**-places)


@pytest.mark.parametrize(("terminal", "width"), [(None, 80), (60, 60), (119, 119), (120, 120), (121, 120), (300, 120)])
def test_text_is_as_wide_as_can_be_read(monkeypatch, terminal, width):
    monkeypatch.setattr(printing, "terminal_width", lambda: terminal)
    assert printing.text_width() == width


@given(st.lists(st.text("ab./-", min_size=1, max_size=8), min_size=1, max_size=4, unique=True))
def test_names_that_are_shown_tell_systems_apart(names):
    shown = printing.names_shown(names, ())
    assert list(shown) == names
    assert len(set(shown.values())) == len(names)
    assert all(shown.values())


def test_runs_keep_the_names_that_they_are_given():
    names = ["out/en-de.first.txt", "out/en-de.second.txt", "baseline.txt"]
    assert printing.names_shown(names, {"baseline.txt"}) == dict(zip(names, ["first", "second", "baseline.txt"]))  # noqa: B905
    assert printing.names_shown(["a.first.b", "a.second.b", "first"], {"first"})["a.first.b"] == "a.first.b"


@given(st.lists(st.sampled_from("abc"), max_size=6))
def test_a_system_is_given_once(systems):
    if len(set(systems)) == len(systems):
        assert printing.distinct(systems) == systems
        return
    twice = next(name for place, name in enumerate(systems) if name in systems[:place])
    with pytest.raises(bleukit.InputError, match=f"^the system '{twice}' is given twice$"):
        printing.distinct(systems)


def terminal_as_standard_error(monkeypatch):
    stream = io.StringIO()
    stream.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return stream


def test_a_message_is_wrapped_on_a_terminal_alone(monkeypatch, capsys):
    text = "adjusted p < 0.05 in 12 % of cases; " * 9
    printing.warn(text)
    stderr = terminal_as_standard_error(monkeypatch)
    printing.warn(text)
    lines = stderr.getvalue().splitlines()
    assert capsys.readouterr().err == f"bleukit: warning: {text.rstrip()}\n" == " ".join(lines) + "\n"
    assert len(lines) > 1
    assert max(map(len, lines)) <= 100
    assert not any(line.startswith(("<", "0", "%")) for line in lines)


ERASED = "\x1b[2K"
"""What a terminal erases a line by."""


@pytest.mark.parametrize("after", [0, 2, 9])
def test_progress_is_shown_after_some_seconds_and_erased(monkeypatch, after):
    stderr = terminal_as_standard_error(monkeypatch)
    clock = iter(range(100, 200))
    monkeypatch.setattr(printing, "monotonic", lambda: next(clock))
    steps = printing.with_progress("abcde", 5, "Sampling", after=after)
    shown = [(number, "Sampling" in stderr.getvalue()) for number in steps]
    assert shown == [(item, second >= after) for second, item in enumerate("abcde", 1)]
    if after < 9:
        assert " 80%" in stderr.getvalue()  # of which the last is still being worked on
        assert stderr.getvalue().endswith(ERASED)


def test_progress_that_is_given_up_is_erased(monkeypatch):
    stderr = terminal_as_standard_error(monkeypatch)
    for _ in printing.with_progress("abc", 3, "Sampling"):
        break
    assert stderr.getvalue().endswith(ERASED)


@pytest.mark.parametrize(
    ("total", "shown"), [(0, ""), (4000, "1.5/4.0 kB"), (None, "1.5/? kB")], ids=["nothing", "known", "unknown"]
)
def test_progress_of_reading_is_in_bytes(monkeypatch, total, shown):
    stderr = terminal_as_standard_error(monkeypatch)
    with printing.progress_of_reading("Reading", total) as advance:
        advance(1000)
        advance(500)
    assert shown in stderr.getvalue()
    assert ("Reading" in stderr.getvalue()) == bool(shown)
    assert stderr.getvalue().endswith(ERASED if shown else "")


def test_without_a_terminal_no_progress_is_shown(capsys):
    assert [*printing.with_progress("abc", 3, "Sampling")] == ["a", "b", "c"]
    with printing.progress_of_reading("Reading", 4000) as advance:
        advance(1500)
    assert capsys.readouterr() == ("", "")
