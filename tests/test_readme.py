"""Every example of the README is run: commands and Python print what it shows, files are what it says."""

import doctest
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sybil.document import Document
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

ROOT = Path(__file__).parent.parent


def save(example):
    """A block whose first line names a file is that file."""
    first, _, _ = example.parsed.partition("\n")
    Path(first.removeprefix("# ")).write_text(example.parsed, encoding="utf-8")


def run_commands(example):
    """A line after `$ ` is a command; what follows is what it prints."""
    for session in example.parsed.removeprefix("$ ").split("\n$ "):
        command, _, shown = session.partition("\n")
        program, *arguments = command.split()
        program = Path(sys.executable).with_name(program)
        done = subprocess.run([program, *arguments], capture_output=True, text=True, encoding="utf-8", check=True)
        assert done.stdout == shown


class PythonParser(PythonCodeBlockParser):
    """Python is run at the prompt, or saved."""

    def evaluate(self, example):
        return save(example) if example.parsed.startswith("# ") else super().evaluate(example)


PARSERS = [
    PythonParser(doctest_optionflags=doctest.ELLIPSIS),
    CodeBlockParser(language="console", evaluator=run_commands),
    CodeBlockParser(language="yaml", evaluator=save),
]


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="not in a checkout")
def test_readme(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    examples = list(Document.parse(str(ROOT / "README.md"), *PARSERS).examples())
    for example in examples:
        example.evaluate()
    assert len(examples) >= 10


def test_the_recipe_and_tokenizer_shipped_as_examples_work(run):
    shutil.copytree(ROOT / "examples", "examples")
    status, out, err = run("config", "check", "examples/recipe.yaml")
    assert (status, err) == (0, "")
    recipe = "plugins: [normalized]\ntokenizer: {name: normalized, form: NFX}"
    Path("examples/own.yaml").write_text(recipe, encoding="utf-8")
    status, out, err = run("config", "check", "examples/own.yaml")
    assert (status, out) == (2, "")
    assert "examples/own.yaml:2: tokenizer.form: invalid enum value 'NFX'" in err
