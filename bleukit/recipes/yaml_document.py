"""Reads YAML safely, and remembers the line of every value.

No object is constructed, keys are unique, and size, depth and the expansion of aliases are bounded.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from bleukit.errors import Key, VariantError

if TYPE_CHECKING:
    from collections.abc import Callable

    import yaml

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
MAX_NODES = 100_000


_SCALARS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
    ("float", r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", list("-+.")),
    ("merge", r"<<", ["<"]),
)
"""The plain scalars of YAML 1.2, with what each begins with: ``on`` is text, as in every other language."""


@cache
def _loader_and_dumper() -> tuple[Any, Any]:
    """Return the safe loader, and the safe dumper, which quotes text that the loader would read as something else."""
    import yaml

    resolvers: dict[str, Any] = {}
    for tag, pattern, first in _SCALARS:
        for character in first:
            resolvers.setdefault(character, []).append((f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{pattern})$")))

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers = resolvers

    class Dumper(yaml.SafeDumper):
        yaml_implicit_resolvers = resolvers

        def text(self, text: str) -> yaml.ScalarNode:
            """Escape the line separators of Unicode, which YAML folds into spaces."""
            style = '"' if {*"\x85\u2028\u2029"} & {*text} else None
            return self.represent_scalar("tag:yaml.org,2002:str", text, style)

    Dumper.add_representer(str, Dumper.text)
    return Loader, Dumper


@dataclass(frozen=True)
class Document:
    """The data of a YAML text, and the line at which each value stands."""

    source: str
    data: Any
    lines: dict[Key, int]

    def where(self, key: Key) -> str:
        """Return ``file:line`` of the value at ``key``, or of the nearest thing around it."""
        while key and key not in self.lines:
            key = key[:-1]
        return f"{self.source}:{self.lines.get(key, 1)}"


class KnownDocument:
    """A YAML file whose data are known; ``path`` returns it, and it is read when the line of a value is asked for."""

    def __init__(self, path: Callable[[], str], data: dict[str, Any]) -> None:
        self._path = path
        self.data = data

    def where(self, key: Key) -> str:
        """Return ``file:line`` of the value at ``key``, or of the nearest thing around it."""
        return read(self._path()).where(key)


def read(path: str | PathLike[str]) -> Document:
    """Read a YAML file. Raises VariantError if it cannot be read, or is not YAML that is accepted here."""
    source = fspath(path)
    try:
        with open(source, "rb") as file:  # noqa: PTH123 - any path-like, package resources included
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise VariantError(f"cannot be read: {error.strerror or error}", where=source) from error
    if len(content) > MAX_BYTES:
        raise VariantError(f"is larger than {MAX_BYTES} bytes, too large for a recipe", where=source)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise VariantError(f"is not UTF-8 at byte {error.start + 1}", where=f"{source}:{line}") from error
    return parse(text, source)


def parse(text: str, source: str) -> Document:
    """Read a YAML text; ``source`` names it in errors."""
    import yaml

    try:
        _check_depth(text, source)
        loader = _loader_and_dumper()[0](text)
        try:
            root = loader.get_single_node()
            if root is None:
                return Document(source, None, {})
            lines: dict[Key, int] = {}
            _walk(root, (), lines, (), source)
            data = _construct(loader, root, source)
        finally:
            loader.dispose()
    except UnicodeEncodeError as error:
        raise VariantError(f"holds bytes that are not UTF-8: {text[error.start]!r}", where=source) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{source}:{mark.line + 1}" if mark else source
        raise VariantError(f"is not valid YAML: {error.problem or error.context}", where=where) from error
    except yaml.YAMLError as error:
        raise VariantError(f"is not valid YAML: {' '.join(str(error).split())}", where=source) from error
    return Document(source, data, lines)


def dump(data: Any) -> str:
    """Write plain data as YAML that reads back the same."""
    import yaml

    return yaml.dump(
        data, Dumper=_loader_and_dumper()[1], sort_keys=False, default_flow_style=None, allow_unicode=True, width=1000
    )


def dump_inline(data: Any) -> str:
    """Return plain data as YAML on one line."""
    import yaml

    text: str = yaml.safe_dump(data, default_flow_style=True, sort_keys=False, allow_unicode=True, width=math.inf)
    return text.removesuffix("\n").removesuffix("\n...")


def _construct(loader: Any, root: yaml.Node, source: str) -> Any:
    import yaml

    try:
        return loader.construct_document(root)
    except yaml.YAMLError:
        raise
    except Exception as error:  # `!!int x` and its like: PyYAML trusts a tag that is written out
        raise VariantError("holds a value that is not what its tag says", where=source) from error


def _check_depth(text: str, source: str) -> None:
    """Refuse deep nesting in the flat stream of events, because composing it would recurse."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=_loader_and_dumper()[0]):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            where = f"{source}:{event.start_mark.line + 1}" if event.start_mark else source
            raise VariantError(f"is nested deeper than {MAX_DEPTH} levels", where=where)


def _walk(node: yaml.Node, key: Key, lines: dict[Key, int], above: tuple[int, ...], source: str) -> None:
    """Record the line of every value, aliases expanded; refuse duplicate keys and unbounded expansion."""
    import yaml

    line = node.start_mark.line + 1
    if id(node) in above:
        raise VariantError("alias refers to itself", key, f"{source}:{line}")
    if len(lines) >= MAX_NODES:
        raise VariantError(f"holds more than {MAX_NODES} values, aliases expanded", key, f"{source}:{line}")
    lines[key] = line
    above = (*above, id(node))
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _walk(item, (*key, index), lines, above, source)
    elif isinstance(node, yaml.MappingNode):
        seen = set()
        for name, value in node.value:
            name_line = name.start_mark.line + 1
            inside = (*key, str(name.value))
            if inside in seen:
                raise VariantError("is given twice", inside, f"{source}:{name_line}")
            seen.add(inside)
            _walk(value, inside, lines, above, source)
            lines[inside] = name_line
