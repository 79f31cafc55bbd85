"""``python -m bleukit.compat.check PATH...``: which uses of other libraries' BLEU can be switched to bleukit.

Reads Python source without running it. Prints one line for each name that is used: what it becomes, or why it stays;
and one for each call whose arguments are probably wrong, for bleukit and for the other library alike. The status is 0
if all can be switched, 1 if something stays or is probably wrong, 2 if a file cannot be read.
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

from bleukit.errors import quantity

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

BY_SET = {"corpus_bleu": 1, "raw_corpus_bleu": 1, "corpus_score": 1, "BLEU": 8}
"""The names of sacreBLEU whose references are by set, and the position of the references in a call."""

OF_TOKENS = {
    f"{NLTK}.sentence_bleu": {"references": 2, "hypothesis": 1},
    f"{NLTK}.corpus_bleu": {"list_of_references": 3, "hypotheses": 2},
}
"""The arguments that NLTK wants to be lists of tokens, and how deeply the tokens are nested in them."""

METHODS_OF_TEXT = ("join", "strip", "rstrip", "lstrip", "lower", "upper", "replace", "format")


@dataclass(frozen=True)
class Use:
    """A name that a file uses, in which line, and what it becomes, None if it stays; ``why``, or another note."""

    path: str
    line: int
    name: str
    switched: str | None
    why: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}: {self.name}"
        if self.switched is None:
            return f"{where} stays: {self.why}"
        return f"{where} -> {self.switched}{f' ({self.why})' if self.why else ''}"


def uses(path: Path) -> list[Use]:
    """Return what a file uses of other libraries' BLEU. Raises SyntaxError or OSError if it cannot be read."""
    names = sorted(set(_names(_nodes(path))))
    return [Use(str(path), line, name, *judged) for line, name in names if (judged := _judged(name))]


def mistakes(path: Path) -> list[str]:
    """Return one line for each call whose arguments are probably wrong. Raises what :func:`uses` raises."""
    nodes = _nodes(path)
    bound = {name: full for _, name, full in _imports(nodes)}
    uses_sacrebleu = any(full.partition(".")[0] == "sacrebleu" for full in bound.values())
    wrong = []
    for call in [node for node in nodes if isinstance(node, ast.Call)]:
        reached = _reached(call.func, bound)
        name = ALIASES.get(reached, reached)
        called = name.rpartition(".")[2] or getattr(call.func, "attr", "")
        if name in OF_TOKENS:
            for position, (argument, depth) in enumerate(OF_TOKENS[name].items()):
                nested = _depth_of_text(_argument(call, position, argument, nodes), nodes)
                if nested is not None and nested < depth:
                    wrong.append((call.lineno, f"{called}: {argument}: text, which NLTK takes for characters"))
        elif uses_sacrebleu and called in BY_SET:
            hypotheses = _argument(call, 0, "hypotheses", nodes)
            references = _argument(call, BY_SET[called], "references", nodes)
            if _is_by_segment(references) and len(getattr(hypotheses, "elts", [])) != 1:
                wrong.append((call.lineno, f"{called}: references: by segment; sacreBLEU wants sets of them, [refs]"))
    return [f"{path}:{line}: {mistake}" for line, mistake in sorted(wrong)]


def _nodes(path: Path) -> list[ast.AST]:
    with tokenize.open(path) as file:
        return list(ast.walk(ast.parse(file.read(), str(path))))


def _argument(call: ast.Call, position: int, name: str, nodes: Sequence[ast.AST]) -> ast.AST | None:
    named = [keyword.value for keyword in call.keywords if keyword.arg == name]
    return next((_value(node, nodes) for node in [*named, *call.args[position : position + 1]]), None)


def _value(node: ast.AST, nodes: Sequence[ast.AST]) -> ast.AST:
    """Return what a file assigns to a variable if it does so once; else the node itself."""
    if not isinstance(node, ast.Name):
        return node
    assignments = [other for other in nodes if isinstance(other, ast.Assign)]
    values = [assignment.value for assignment in assignments if getattr(assignment.targets[0], "id", "") == node.id]
    return values[0] if len(values) == 1 else node


def _depth_of_text(node: ast.AST | None, nodes: Sequence[ast.AST]) -> int | None:
    """Return in how many lists a text is nested, 0 for a text alone; None for what may be something else."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return 0
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in METHODS_OF_TEXT:
        return 0
    items = [node.elt] if isinstance(node, ast.ListComp) else getattr(node, "elts", [])
    depths = [_depth_of_text(_value(item, nodes), nodes) for item in items]
    return min((1 + depth for depth in depths if depth is not None), default=None)


def _is_by_segment(node: ast.AST | None) -> bool:
    """Return whether a node is ``[[r] for r in refs]``."""
    return isinstance(node, ast.ListComp) and isinstance(node.elt, ast.List) and len(node.elt.elts) == 1


def _names(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the full names of what is imported or reached through an import, with their lines."""
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
            names = [argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)]
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
    """Return the name if bleukit has it, with a note if it is sacreBLEU's own; else None, and why not."""
    module, _, attribute = name.rpartition(".")
    if attribute == "*":
        return None, "name what is imported, so that it can be checked"
    if not _spec(module):
        return None, f"there is no module {module}"
    imported = importlib.import_module(module)
    try:
        getattr(imported, attribute)
    except AttributeError as error:
        return None, str(error)
    return name, "" if attribute in vars(imported) else "sacreBLEU's own"


def files(paths: Sequence[str]) -> Iterator[Path]:
    """Yield the files, and the Python files in the folders, in order."""
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def main(paths: Sequence[str]) -> int:
    """Print the uses in files and folders; return the exit status."""
    if not paths:
        click.echo("usage: python -m bleukit.compat.check FILE_OR_FOLDER...", err=True)
        return 2
    used: list[Use] = []
    wrong: list[str] = []
    unread = False
    for path in files(paths):
        try:
            used += uses(path)
            wrong += mistakes(path)
        except (OSError, SyntaxError, ValueError) as error:  # noqa: PERF203 - each file for itself
            click.echo(f"{path}: cannot be read: {' '.join(str(error).split())}", err=True)
            unread = True
    for line in [*used, *wrong]:
        click.echo(line)
    staying = sum(use.switched is None for use in used)
    suspicious = f"; {quantity(len(wrong), 'call')} probably wrong" if wrong else ""
    click.echo(f"{len(used) - staying} of {len(used)} can be switched{suspicious}")
    return 2 if unread else int(bool(staying or wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
