"""No command writes a file that it reads, or one file twice."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.types import StringParamType

from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.running import cli

VALUES = {
    "NAME=FILE,FILE": "runs=other,{}",
    "KEY=VALUE": "tokenizer={{name: spm, model: {}}}",
    "DIR": "{folder}",
    "NAME=FOLDER": "news={folder}",
}
"""How values of some metavars name a file."""

PLUGIN = "from bleukit.plugin import hookimpl\n\n\n@hookimpl\ndef bleukit_variants():\n    return {}\n"

NO_FILES = {
    *("NAME", "TEXT", "PAIR", "FIELD", "NUMBER", "CODE", "COMMAND", "SYSTEM", "NAME=NUMBER", "CASE", "[NAME]..."),
    *("FIRST-LAST", "HOW", "WHAT"),
}
"""Metavars of values that name no file."""


def commands(command=cli, context=None, words=()):
    """All commands, each with its words."""
    context = context or click.Context(cli)
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        yield from commands(command.get_command(context, name), context, (*words, name))
    yield words, command


WRITING = {
    words: command
    for words, command in commands()
    if any(isinstance(option.type, OutputName) and option.opts[0].startswith("-") for option in command.params)
}
PAIRS = [
    pytest.param(words, output, named, id=" ".join((*words, output.opts[-1], named.opts[-1])))
    for words, command in WRITING.items()
    for output in command.params
    for named in command.params
    if isinstance(output.type, OutputName) and isinstance(named.type, FileName) and named is not output
]


def test_all_parameters_that_name_files_say_so():
    for words, command in commands():
        for parameter in command.params:
            if "-o" in parameter.opts:
                assert isinstance(parameter.type, OutputName), words
            elif words in WRITING and isinstance(parameter.type, StringParamType):
                said = isinstance(parameter.type, FileName)
                assert said or parameter.make_metavar(click.Context(command)) in NO_FILES, (words, parameter)
    assert {words[0] for words in WRITING} >= {
        "score",
        "compare",
        "report",
        "identify",
        "explain",
        "self-bleu",
        "merge",
    }
    assert len(PAIRS) > 70


@pytest.mark.parametrize(("words", "output", "named"), PAIRS)
def test_no_output_is_an_input(tmp_path, run, words, output, named):
    file = tmp_path / "files" / f"{tmp_path.name}{'.py' if named.metavar == 'MODULE' else '.yaml'}"
    file.parent.mkdir()
    file.write_text(PLUGIN)
    given = [VALUES.get(named.metavar, "{}").format(file, folder=file.parent)]
    if named.opts[0].startswith("-"):
        given.insert(0, named.opts[0])
    if named.metavar == "NAME=FOLDER":
        given.append(file.name)
    for options in ([*given, output.opts[0], str(file)], [output.opts[0], str(file), *given]):
        status, out, error = run(*words, *options)
        assert (status, out, file.read_text()) == (2, "", PLUGIN)
        assert f"{file}: is read, and written to as well" in error or f"{file}: is written to twice, by -" in error


@pytest.mark.parametrize("option", ["-r", "-c", "--documents", "--statistics"])
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_links_are_the_file(tmp_path, run, option, link):
    (tmp_path / "file").write_text("a\n")
    link(tmp_path / "file", tmp_path / "link")
    for read, written in (("file", "link"), ("link", "file")):
        status, out, error = run("score", option, read, "-o", written)
        assert (status, out, (tmp_path / "file").read_text()) == (2, "", "a\n")
        assert f"error: {written}: is read as {read}, and" in error or f"error: {written}: is written to twice" in error


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "hyp").write_text("the cat sat here\n")
    (tmp_path / "ref").write_text("the cat sat there\n")
    (tmp_path / "lake").mkdir()
    for name in ("lake/1.tsv", "table.tsv"):
        (tmp_path / name).write_text("reference\tone\ttwo\na b c d e\ta b c d e\ta b c d\n")
    return tmp_path


@pytest.mark.parametrize(
    ("named", "written"),
    [
        (["table.tsv#one"], "table.tsv"),
        (["lake"], "lake/1.tsv"),
        (["lake#one"], "lake/1.tsv"),
        (["la*/*.tsv"], "lake/1.tsv"),
        (["./lake/../hyp", "-r", "ref"], "hyp"),
        (["hyp", "-r", "./ref"], "lake/../ref"),
        (["-", "-r", "ref"], "hyp"),
        (["-r", "ref"], "hyp"),
        (["/dev/stdin", "-r", "ref"], "hyp"),
    ],
)
def test_no_output_is_a_part_or_a_member_of_an_input(texts, named, written):
    before = (texts / written).read_bytes()
    with (texts / "hyp").open() as given:
        command = [sys.executable, "-m", "bleukit", "score", *named, "-o", written]
        ran = subprocess.run(command, cwd=texts, stdin=given, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, (texts / written).read_bytes()) == (2, "", before)
    assert f"bleukit: error: {written}: is read" in ran.stderr


def test_other_files_are_written(texts, run):
    (texts / "lake/_old.txt").write_text("old")
    for words in (
        ["score", "hyp", "-r", "ref", "-o", "new"],
        ["score", "hyp", "-r", "ref", "-o", "new"],
        ["score", "lake#one", "-o", "lake/_old.txt"],
        ["score", "hyp", "-r", "ref", "-o", "-"],
        ["score", "hyp", "-r", "ref", "--statistics", "kept.jsonl", "-o", "new"],
        ["score", "hyp", "-r", "ref", "--statistics", "kept.jsonl", "-o", "new"],
        ["merge", "kept.jsonl", "--statistics", "sum.jsonl", "-o", os.devnull],
    ):
        status, _, error = run(*words)
        assert (status, error) == (0, ""), words
    assert "old" not in (texts / "lake/_old.txt").read_text()


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_its_name(texts, target):
    if not Path(target).exists():
        pytest.skip(f"no {target}")
    command = [sys.executable, "-m", "bleukit", "score", "hyp", "-r", "ref", "-o", target]
    piped = subprocess.run(command, cwd=texts, capture_output=True, text=True, check=False)
    with (texts / "scores").open("w") as scores:
        subprocess.run(command, cwd=texts, stdout=scores, check=True)
    assert (piped.returncode, piped.stderr) == (0, "")
    assert (texts / "scores").read_text() == piped.stdout != ""


@pytest.mark.parametrize("output", ["hyp", "ref"])
def test_standard_output_that_is_appended_to_an_input(texts, output):
    command = [sys.executable, "-m", "bleukit", "score", "hyp", "-r", "ref"]
    before = (texts / output).read_text()
    with (texts / output).open("a") as file:
        ran = subprocess.run(command, cwd=texts, stdout=file, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, (texts / output).read_text()) == (2, before)
    assert ran.stderr == f"bleukit: error: {output}: is read, and written to as well\n"


def test_two_outputs_are_two_files(texts, run):
    words = ["score", "hyp", "-r", "ref", "-o", "new.jsonl", "--statistics"]
    (texts / "link.jsonl").symlink_to("new.jsonl")
    for kept in ("new.jsonl", "./lake/../new.jsonl", "link.jsonl"):
        assert run(*words, kept) == (2, "", f"bleukit: error: {kept}: is written to twice, by --statistics and -o\n")
        assert not (texts / "new.jsonl").exists()
    command = [sys.executable, "-m", "bleukit", *words[:4], "--statistics", "new.jsonl"]
    with (texts / "new.jsonl").open("w") as file:
        ran = subprocess.run(command, cwd=texts, stdout=file, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "bleukit: error: new.jsonl: is written to twice, by --statistics and standard output\n"
