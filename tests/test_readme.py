"""The examples of README.md and docs/ are run: commands and Python print what the pages show.

The language of a block says what it is:

- ``console``: commands after ``$ ``, and what they print; ``...`` stands for anything.
- ``python`` with prompts: all of a page are run in one session, and print what is shown.
- ``python`` or ``yaml`` whose first line is a comment with the name of a file: that file, for the other examples.
- other ``python``: code that needs other libraries or data; its syntax, and what it imports from bleukit, are checked.
- ``sh``: commands on files that are not there: their subcommands and options must exist.
"""

import ast
import doctest
import importlib.util
import re
import shlex
import shutil
import sys
from pathlib import Path

import click
import pytest
from sybil.document import Document
from sybil.parsers.markdown import CodeBlockParser

from bleukit.cli.running import cli

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
MADE = {DOCS / name for name in ("cases.md", "components", "documents", "variants")}
"""What sphinx-build makes in docs, and whose links it checks."""
WRITTEN = ("*.md", "tutorials/*.md", "explanation/*.md")
PAGES = [
    page for page in (README, *(page for of in WRITTEN for page in sorted((ROOT / "docs").glob(of)))) if page.exists()
]

pytestmark = [pytest.mark.docs, pytest.mark.skipif(not README.exists(), reason="not in a checkout")]


def blocks(page, language):
    """Return the code blocks in one language: (line, text)."""
    document = Document.parse(str(page), CodeBlockParser(language=language, evaluator=lambda _: None))
    return [(example.line, str(example.parsed)) for example in document.examples()]


def is_file(text):
    return re.match(r"# \S+\.\w+\n", text) is not None


def is_session(text):
    return text.startswith(">>> ")


def parameters(language, choose=lambda _: True):
    """Return the blocks of all pages that ``choose`` is true of, as parameters (page, text)."""
    return [
        pytest.param(page, text, id=f"{page.name}:{line}")
        for page in PAGES
        for line, text in blocks(page, language)
        if choose(text)
    ]


CONSOLE = parameters("console")
SESSIONS = [
    pytest.param(page, id=page.name, marks=pytest.mark.engines if page.name == "engines.md" else ())
    for page in PAGES
    if any(is_session(text) for _, text in blocks(page, "python"))
]
CODE = parameters("python", lambda text: not is_session(text) and not is_file(text))
SHELL = parameters("sh", lambda text: "bleukit " in text)


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """Return a function that changes to a folder with the examples, and with the files that a page shows."""
    sys.modules.pop("normalized", None)  # the plugin of several pages, as another of these folders has it

    def change(page):
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
        for language in ("python", "yaml"):
            for _, text in blocks(page, language):
                if is_file(text):
                    name = text.partition("\n")[0].removeprefix("# ")
                    (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)

    return change


def test_the_pages_have_examples():
    assert len(CONSOLE) >= 20
    assert len(SESSIONS) >= 7
    assert len(SHELL) >= 8
    assert sum(len(blocks(page, "console")) for page in [README]) >= 6


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 170


@pytest.mark.parametrize(("page", "session"), CONSOLE)
def test_command(page, session, in_folder, run, monkeypatch):
    """A line after `$ ` is a command; what follows is what it prints: `...` for anything, no blanks at line ends."""
    in_folder(page)
    for step in session.removeprefix("$ ").split("\n$ "):
        command, _, shown = step.partition("\n")
        if command == "bleukit conform --quick":  # of everything, without contracts: tox -e conformance runs these
            monkeypatch.setitem(sys.modules, "hypothesis", None)
        program, *arguments = shlex.split(command)
        assert program == "bleukit"
        status, out, err = run(*arguments)
        assert status in {0, 1}, err  # 1: a check said no, as the page shows
        printed = "".join(line.rstrip() + "\n" for line in out.split("\n")[:-1])
        assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS), printed


@pytest.mark.parametrize("page", SESSIONS)
def test_python(page, in_folder):
    """All sessions of a page are run at one prompt, and print what the page shows."""
    in_folder(page)
    names = {}
    for line, text in blocks(page, "python"):
        if is_session(text):
            for module in re.findall(r"^>>> import (\w+)$", text, re.MULTILINE):
                pytest.importorskip(module, reason=f"{module} is not installed")
            session = doctest.DocTestParser().get_doctest(text, names, f"{page.name}:{line}", None, 0)
            assert not doctest.DocTestRunner(verbose=False).run(session, clear_globs=False).failed, f"line {line}"
            names = session.globs


@pytest.mark.parametrize(("page", "code"), CODE)
def test_code_that_needs_other_libraries(page, code):
    for statement in ast.walk(ast.parse(code, page.name)):
        if isinstance(statement, ast.ImportFrom) and statement.module.startswith("bleukit"):
            module = importlib.util.find_spec(statement.module)  # without importing it, or what it needs
            defined = {getattr(node, "name", "") for node in ast.parse(Path(module.origin).read_text("utf-8")).body}
            for alias in statement.names:
                assert alias.name in defined or importlib.util.find_spec(f"{statement.module}.{alias.name}"), alias.name


def commands(text):
    """Yield the words of each command of bleukit in a block, without comments."""
    for line in text.splitlines():
        words = shlex.split(line.strip(), comments=True)
        if words[:1] == ["bleukit"]:
            yield words[1:]
        for nested in re.findall(r"'(bleukit [^']+)'", line):
            yield nested.split()[1:]


@pytest.mark.parametrize(("page", "text"), SHELL)
def test_commands_on_files_that_are_not_there(page, text):
    for words in commands(text):
        command, context = cli, click.Context(cli)
        while isinstance(command, click.Group) and words and command.get_command(context, words[0]):
            command = command.get_command(context, words.pop(0))
        assert command is not cli, words
        options = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        assert {word for word in words if word.startswith("-") and word != "-"} <= options, words


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        if "://" in path:
            continue
        linked = (page.parent / path).resolve() if path else page
        if {linked, linked.parent} & MADE:
            continue
        assert linked.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}, target


def test_the_variant_and_tokenizer_shipped_as_examples_work(run):
    shutil.copytree(ROOT / "examples", "examples")
    status, out, err = run("config", "check", "examples/variant.yaml")
    assert (status, err) == (0, "")
    variant = "plugins: [normalized]\ntokenizer: {name: normalized, form: NFX}"
    Path("examples/own.yaml").write_text(variant, encoding="utf-8")
    status, out, err = run("config", "check", "examples/own.yaml")
    assert (status, out) == (2, "")
    assert "examples/own.yaml:2: tokenizer.form: expected 'NFC' or 'NFKC' or 'NFD' or 'NFKD', got str 'NFX'" in err
