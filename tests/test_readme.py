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
README = ROOT / "README.md"


def examples(language):
    """The blocks of one language: (line, text)."""
    if not README.exists():
        return []
    document = Document.parse(str(README), CodeBlockParser(language=language, evaluator=lambda _: None))
    return [(example.line, str(example.parsed)) for example in document.examples()]


def is_file(text):
    """A block whose first line is a comment that names a file is that file."""
    return text.startswith("# ")


def by_line(blocks):
    return [pytest.param(text, id=f"line {line}") for line, text in blocks]


CONSOLE = examples("console")
PYTHON = [block for block in examples("python") if not is_file(block[1])]
FILES = [text for _, text in [*examples("python"), *examples("yaml")] if is_file(text)]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not README.exists(), reason="not in a checkout")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the examples, and the files that the README shows."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for text in FILES:
        (tmp_path / text.partition("\n")[0].removeprefix("# ")).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_readme_has_examples():
    assert len(CONSOLE) >= 7
    assert len(PYTHON) >= 2
    assert len(FILES) >= 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("session", by_line(CONSOLE))
def test_command(session):
    """A line after `$ ` is a command; what follows is what it prints: `...` for anything, no blanks at line ends."""
    for step in session.removeprefix("$ ").split("\n$ "):
        command, _, shown = step.partition("\n")
        program, *arguments = shlex.split(command)
        program = Path(sys.executable).with_name(program)
        done = subprocess.run([program, *arguments], capture_output=True, text=True, encoding="utf-8", check=True)
        printed = "".join(line.rstrip() + "\n" for line in done.stdout.split("\n")[:-1])
        assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS), printed


@pytest.mark.usefixtures("folder")
def test_python():
    """All Python is run at one prompt, and prints what the README shows."""
    globs = {}
    for line, text in PYTHON:
        session = doctest.DocTestParser().get_doctest(text, globs, f"README.md:{line}", None, 0)
        assert session.examples
        assert not doctest.DocTestRunner(verbose=False).run(session, clear_globs=False).failed, f"line {line}"
        globs = session.globs


def test_the_variant_and_tokenizer_shipped_as_examples_work(run):
    shutil.copytree(ROOT / "examples", "examples")
    status, out, err = run("config", "check", "examples/variant.yaml")
    assert (status, err) == (0, "")
    variant = "plugins: [normalized]\ntokenizer: {name: normalized, form: NFX}"
    Path("examples/own.yaml").write_text(variant, encoding="utf-8")
    status, out, err = run("config", "check", "examples/own.yaml")
    assert (status, out) == (2, "")
    assert "examples/own.yaml:2: tokenizer.form: expected 'NFC' or 'NFKC' or 'NFD' or 'NFKD', got str 'NFX'" in err
