"""``python -m bleukit.compat.check PATH...``: which uses of other libraries' BLEU can be switched to bleukit.

Reads Python source without running it. Prints one line for each name that is used: what it becomes, or why it stays.
The status is 0 if all can be switched, 1 if something stays, 2 if a file cannot be read.
"""

from __future__ import annotations

import ast
import importlib
import sys
import tokenize
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NLTK = "nltk.translate.bleu_score"
MODULES = {NLTK: "bleukit.compat.nltk", "sacrebleu": "bleukit.compat.sacrebleu"}
"""Modules, with all below them, and those that stand in for them."""

ALIASES = {f"nltk.{name}": f"{NLTK}.sentence_bleu" for name in ("translate.bleu", "bleu")} | {
    f"nltk.translate.{name}": f"{NLTK}.{name}" for name in ("sentence_bleu", "corpus_bleu", "modified_precision")
}
"""Names under which a package offers what another module holds."""

TORCHMETRICS = {
    f"{module}.{name}": f"bleukit.compat.torchmetrics.{name}"
    for name in ("BLEUScore", "SacreBLEUScore")
    for module in ("torchmetrics", "torchmetrics.text", "torchmetrics.text.bleu", "torchmetrics.text.sacre_bleu")
} | {
    f"torchmetrics.functional.{module}{name}": f"bleukit.compat.torchmetrics.{name}"
    for name in ("bleu_score", "sacre_bleu_score")
    for module in ("", "text.", "text.bleu.", "text.sacre_bleu.")
}
EVALUATE = ("bleu", "sacrebleu")


@dataclass(frozen=True)
class Use:
    """A name that a file uses, in which line, and what it becomes; None if it stays, and why."""

    path: str
    line: int
    name: str
    switched: str | None
    why: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}: {self.name}"
        return f"{where} -> {self.switched}" if self.switched else f"{where} stays: {self.why}"


def uses(path: Path) -> list[Use]:
    """Return what a file uses of other libraries' BLEU. Raises SyntaxError or OSError if it cannot be read."""
    with tokenize.open(path) as file:
        tree = ast.parse(file.read(), str(path))
    found = {}
    for line, name in _names(tree):
        judged = _judged(name)
        if judged:
            found[line, name] = Use(str(path), line, name, *judged)
    return [found[key] for key in sorted(found)]


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the full names of what is imported or reached through an import, with their lines."""
    nodes = list(ast.walk(tree))
    bound: dict[str, str] = {}
    for line, name, full in _imports(nodes):
        bound[name] = full
        if not _is_module(full):
            yield line, full
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            reached = _reached(node, bound)
            if reached:
                yield node.lineno, _to_a_member(reached)
        elif isinstance(node, ast.Call) and _reached(node.func, bound) == "evaluate.load":
            names = [given.value for given in node.args[:1] if isinstance(given, ast.Constant)]
            yield from ((node.lineno, f"evaluate.load({name!r})") for name in names if name in EVALUATE)


def _imports(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each import, the name that it binds, and the full name of what is bound."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                full = alias.name if alias.asname else alias.name.partition(".")[0]
                yield node.lineno, alias.asname or full, full
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield node.lineno, alias.asname or alias.name, f"{node.module}.{alias.name}"


def _reached(node: ast.expr, bound: Mapping[str, str]) -> str:
    """Return the full name of ``a.b.c``; an empty one if it does not begin with an import."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in bound:
        return ""
    return ".".join([bound[node.id], *parts])


def _ours(name: str) -> str | None:
    """Return what a module, or a name in it, is called in bleukit; None if its library has no counterpart."""
    for module, ours in MODULES.items():
        if name == module or name.startswith(f"{module}."):
            return ours + name.removeprefix(module)
    return None


def _is_module(name: str) -> bool:
    ours = _ours(name)
    if ours is None:
        return any(module.startswith(f"{name}.") for module in MODULES)
    return _spec(ours)


def _spec(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is no package
        return False


def _to_a_member(name: str) -> str:
    """Cut off attributes of what a module holds: ``sacrebleu.BLEU.TOKENIZERS`` is a use of ``sacrebleu.BLEU``."""
    known = {*ALIASES, *TORCHMETRICS}
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        start = ".".join(parts[:end])
        if start in known or (_ours(start) is not None and not _is_module(start)):
            return start
    return name


def _judged(name: str) -> tuple[str | None, str] | None:
    """Return what a name becomes, or None and why it stays; None alone if it is not about BLEU."""
    if name.startswith("evaluate.load("):
        return f"evaluate.load(bleukit.compat.evaluate.folder{name.removeprefix('evaluate.load')})", ""
    if name in TORCHMETRICS:
        return TORCHMETRICS[name], ""
    ours = _ours(ALIASES.get(name, name))
    return None if ours is None or _is_module(name) else _offered(ours)


def _offered(name: str) -> tuple[str | None, str]:
    """Return the name if bleukit has it; else None, and why not."""
    module, _, attribute = name.rpartition(".")
    if attribute == "*":
        return None, "name what is imported, so that it can be checked"
    while not _spec(module):
        module, _, attribute = module.rpartition(".")
    try:
        getattr(importlib.import_module(module), attribute)
    except AttributeError as error:
        return None, str(error)
    return name, ""


def files(paths: Sequence[str]) -> Iterator[Path]:
    """Yield the files, and the Python files in the folders, in order."""
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def main(paths: Sequence[str]) -> int:
    """Print the uses in files and folders; return the exit status."""
    if not paths:
        click.echo("usage: python -m bleukit.compat.check FILE_OR_FOLDER...", err=True)
        return 2
    found: list[Use] = []
    unread = False
    for path in files(paths):
        try:
            found += uses(path)
        except (OSError, SyntaxError, ValueError) as error:  # noqa: PERF203 - each file for itself
            click.echo(f"{path}: cannot be read: {' '.join(str(error).split())}", err=True)
            unread = True
    for use in found:
        click.echo(use)
    staying = sum(use.switched is None for use in found)
    click.echo(f"{len(found) - staying} of {len(found)} can be switched")
    return 2 if unread else int(staying > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
