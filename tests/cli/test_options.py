"""Options that several commands have: the numbers that they take, and the limits that every command obeys."""

import contextlib

import click
import pytest

from bleukit.cli import reading, running
from bleukit.framework import metric, threads

pytestmark = pytest.mark.oldest

LINES = {"hyp": ["a b c d", "e f g h", "a b"], "ref": ["a b c d", "e f g x", "a c"], "scores": ["1 2", "3 5", "2 2"]}
INPUT = {
    "score": "score -r ref hyp",
    "compare": "compare -r ref hyp ref",
    "report": "report -r ref hyp -o page.html",
    "mbr": "mbr hyp ref",
    "self-bleu": "self-bleu hyp",
    "identify": "identify --score 50 -r ref hyp",
    "explain": "explain -r ref hyp",
    "tokenize": "tokenize hyp",
    "power": "power --detect 1 scores",
}
NUMBERS = {
    "score --threads": "0 | 1",
    "score --width": "-1 18 | 0 17",
    "compare --threads": "0 | 1",
    "compare --width": "-1 18 | 0 17",
    "compare --samples": "0 | 1",
    "compare --interval-samples": "-1 | 0 39",
    "compare --seed": "-1 | 0",
    "compare --confidence-level": "0 1 nan | 0.001 0.998",
    "compare --detect": "0 nan inf | 0.01",
    "compare --power": "0 1 nan | 0.001 0.999",
    "report --threads": "0 | 1",
    "mbr --threads": "0 | 1",
    "mbr --n-best": "0 | 1",
    "mbr --samples": "0 | 1",
    "mbr --width": "-1 18 | 0 17",
    "self-bleu --first": "1 | 2",
    "self-bleu --sample": "1 | 2",
    "self-bleu --samples": "1 | 3",
    "self-bleu --seed": "-1 | 0",
    "self-bleu --width": "-1 18 | 0 17",
    "identify --number": "0 | 1",
    "explain --number": "-1 | 0",
    "power --detect": "0 nan inf | 0.01",
    "power --power": "0 1 nan | 0.001 0.999",
    "power --confidence-level": "0 1 nan | 0.001 0.999",
    "power --pairs": "0 | 1",
    "power --seed": "-1 | 0",
}
"""The options of each command that take numbers: what is refused, and what is accepted."""


@pytest.fixture(autouse=True)
def _files(tmp_path):
    for name, lines in LINES.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("option", NUMBERS)
def test_an_option_takes_numbers_up_to_its_bounds(run, option):
    command, _, name = option.rpartition(" ")
    refused, accepted = (numbers.split() for numbers in NUMBERS[option].split("|"))
    given = "mbr hyp" if option == "mbr --samples" else INPUT[command]
    for number in refused:
        status, out, err = run(*given.split(), name, number)
        assert (status, out) == (2, "")
        assert err.startswith("bleukit: error: Invalid value for ")
        assert " the range " in err
    for number in accepted:
        assert run(*given.split(), name, number)[0] == 0


def commands():
    context = click.Context(running.cli)
    return {name: running.cli.get_command(context, name) for name in INPUT}


def test_all_options_that_take_numbers_are_tested():
    ranges = click.IntRange, click.FloatRange
    found = {
        f"{name} {option.opts[-1]}"
        for name, command in commands().items()
        for option in command.params
        if isinstance(option.type, ranges)
    }
    assert found == NUMBERS.keys()


def with_values(command, words=()):
    """Yield the words of each command, and each of its options that takes a value."""
    context = click.Context(command)
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        yield from with_values(command.get_command(context, name), (*words, name))
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag:
            yield words, option.opts[-1]


def test_no_option_takes_an_empty_value(run):
    """As that of a variable of a shell that is not set."""
    found = [*with_values(running.cli)]
    assert (("conform",), "--as") in found
    for words, option in found:
        expected = f"{option!r}: expected a value, got an empty one"
        assert expected in run(*words, f"{option}=")[2]


OTHERS = {
    "score -r ref hyp --documents": "long",
    "compare -r ref hyp ref --by": "long",
    "report -r ref hyp -o page.html --by": "long",
    "report -r ref hyp -o page.html --source": "long",
    "identify --score 50 -r ref hyp --documents": "long",
    "mbr hyp ref -r": "long",
    "score -V nltk -V coco -r ref": "long",
    "compare -V nltk -V coco hyp ref -r": "long",
    "score --set procedure.over_references=mean hyp -r ref -r": "long",
    "score --documents ref -V d-bleu -r ref": "long",
    "self-bleu --level sentence": "long",
    "self-bleu -n 3": "long",
}
"""Input that is read in another way, and ends with a file whose lines are too long."""


@pytest.mark.parametrize("words", [*(words for name, words in INPUT.items() if name != "power"), *OTHERS])
def test_a_limit_holds_wherever_text_is_read(run, tmp_path, words):
    (tmp_path / "long").write_text("a b c d e\n" * 3)
    name, size = (OTHERS[words], 7) if words in OTHERS else ("", 6)
    given = [*words.split(), *([name] if name else [])]
    assert run(*given, "--limit", "line=9")[0] in {0, 1}
    status, out, err = run(*given, "--limit", f"line={size + bool(name)}")
    assert (status, out) == (2, "")
    assert "the limit 'line'" in err


@pytest.mark.parametrize("command", ["score", "score -m chrf", "score -V nltk -V coco", "compare", "report", "mbr"])
def test_so_many_threads_work(run, monkeypatch, command):
    pools = []

    def in_pool(function, items, number, ahead):
        pools.append(number)
        return map(function, items)

    monkeypatch.setattr(threads, "_in_pool", in_pool)
    monkeypatch.setattr(metric, "CHUNK", 1)
    monkeypatch.setattr("bleukit.bleu.bleu.CHUNK", 1)
    monkeypatch.setattr("bleukit.bleu.bleu.SLOW_CHUNK", 1)
    monkeypatch.setattr("bleukit.corpus.counting.CHUNK", 1)
    monkeypatch.setattr("bleukit.corpus.counting.LARGE", 1)
    name, _, options = command.partition(" ")
    for number in (1, 2):
        assert run(*INPUT[name].split(), *options.split(), "--threads", number)[0] == 0
        assert set(pools) == {number} - {1}


@pytest.mark.parametrize("smaller", [0, 1])
def test_progress_of_reading_is_shown_for_large_files(run, monkeypatch, tmp_path, smaller):
    size = sum((tmp_path / name).stat().st_size for name in ("hyp", "ref"))
    shown = []

    @contextlib.contextmanager
    def progress(what, total):
        shown.append((what, total))
        yield lambda _: None

    monkeypatch.setattr(reading, "progress_of_reading", progress)
    monkeypatch.setattr(reading, "LARGE", size - smaller)
    assert run("score", "-r", "ref", "hyp")[0] == 0
    assert shown == [("Reading", size * smaller)]
    assert run("score", "-r", "ref", "hyp", "ref")[0] == 0
    assert shown[1:] == [("Reading", size)] * smaller or not smaller
