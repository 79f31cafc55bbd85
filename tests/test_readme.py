"""Every example of the README is run: commands and Python print what it shows, files are what it says."""

import doctest
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sybil.document import Document
from sybil.parsers.markdown import CodeBlockParser

ROOT = Path(__file__).parent.parent


def save(example):
    """A block whose first line names a file is that file."""
    first, _, _ = example.parsed.partition("\n")
    Path(first.removeprefix("# ")).write_text(example.parsed, encoding="utf-8")


def run_commands(example):
    """A line after `$ ` is a command; what follows is what it prints: `...` for anything, no blanks at line ends."""
    for session in example.parsed.removeprefix("$ ").split("\n$ "):
        command, _, shown = session.partition("\n")
        program, *arguments = shlex.split(command)
        program = Path(sys.executable).with_name(program)
        done = subprocess.run([program, *arguments], capture_output=True, text=True, encoding="utf-8", check=True)
        printed = "".join(line.rstrip() + "\n" for line in done.stdout.split("\n")[:-1])
        assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS), printed


def run_python(example):
    """Python is run at the prompt and prints what follows, or is a file."""
    if example.parsed.startswith("# "):
        return save(example)
    session = doctest.DocTestParser().get_doctest(example.parsed, example.namespace, "README.md", None, example.line)
    assert session.examples
    assert doctest.DocTestRunner().run(session, clear_globs=False).failed == 0
    example.namespace.update(session.globs)
    return None


PARSERS = [
    CodeBlockParser(language="python", evaluator=run_python),
    CodeBlockParser(language="console", evaluator=run_commands),
    CodeBlockParser(language="yaml", evaluator=save),
]


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="not in a checkout")
def test_readme(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    examples = list(Document.parse(str(ROOT / "README.md"), *PARSERS).examples())
    assert len(examples) >= 9
    for example in examples:
        example.evaluate()


def test_the_recipe_and_tokenizer_shipped_as_examples_work(run):
    shutil.copytree(ROOT / "examples", "examples")
    status, out, err = run("config", "check", "examples/recipe.yaml")
    assert (status, err) == (0, "")
    recipe = "plugins: [normalized]\ntokenizer: {name: normalized, form: NFX}"
    Path("examples/own.yaml").write_text(recipe, encoding="utf-8")
    status, out, err = run("config", "check", "examples/own.yaml")
    assert (status, out) == (2, "")
    assert "examples/own.yaml:2: tokenizer.form: expected 'NFC' or 'NFKC' or 'NFD' or 'NFKD', got str 'NFX'" in err
