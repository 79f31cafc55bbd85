"""Reads YAML safely, and remembers the line of every value.

No object is constructed, keys are unique, and size, depth and the expansion of aliases are bounded.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, ClassVar

import yaml

from bleukit.framework.errors import Key, VariantError

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
MAX_NODES = 100_000


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The safe loader, with the plain scalars of YAML 1.2: ``on`` is text, as in every other language."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


class _Dumper(yaml.SafeDumper):
    """The safe dumper; it quotes text that the loader would read as something else."""

    yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers

    def text(self, text: str) -> yaml.ScalarNode:
        """Escape the line separators of Unicode, which YAML folds into spaces."""
        style = '"' if {*"\x85\u2028\u2029"} & {*text} else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _Dumper.text)

for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
    ("float", r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", list("-+.")),
    ("merge", r"<<", ["<"]),
):
    for _first_character in _first:
        _Loader.yaml_implicit_resolvers.setdefault(_first_character, []).append(
            (f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})$"))
        )


@dataclass(frozen=True)
class YamlDocument:
    """The data of a YAML text, and the line at which each value stands, if there are lines."""

    source: str
    data: Any
    lines: dict[Key, int]

    def where(self, key: Key) -> str:
        """Return ``file:line`` of the value at ``key``, or of the nearest thing around it."""
        while key and key not in self.lines:
            key = key[:-1]
        return f"{self.source}:{self.lines.get(key, 1)}" if self.lines else self.source

    def located(self, error: VariantError) -> VariantError:
        """Return an error about the data with file and line, unless it has them."""
        return error if error.where else type(error)(error.problem, error.key, self.where(error.key))


def read_yaml(path: str | PathLike[str]) -> YamlDocument:
    """Read a YAML file. Raises VariantError if it cannot be read, or is not YAML that is accepted here."""
    source = fspath(path)
    try:
        with open(source, "rb") as file:  # noqa: PTH123 - any path-like, package resources included
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # a path with U+0000 is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise VariantError(f"cannot be read: {reason}", where=repr(source) if "\0" in source else source) from error
    if len(content) > MAX_BYTES:
        raise VariantError(f"is larger than {MAX_BYTES} bytes, too large for a variant", where=source)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise VariantError(f"is not UTF-8 at byte {error.start + 1}", where=f"{source}:{line}") from error
    return parse(text, source)


def parse(text: str, source: str) -> YamlDocument:
    """Read a YAML text; ``source`` names it in errors."""
    try:
        _check_depth(text, source)
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                return YamlDocument(source, None, {})
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
    return YamlDocument(source, data, lines)


def dump(data: Any) -> str:
    """Write plain data as YAML that reads back the same."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, default_flow_style=None, allow_unicode=True, width=1000)


def dump_inline(data: Any) -> str:
    """Return plain data as YAML on one line."""
    text: str = yaml.safe_dump(data, default_flow_style=True, sort_keys=False, allow_unicode=True, width=math.inf)
    return text.removesuffix("\n").removesuffix("\n...")


def _construct(loader: Any, root: yaml.Node, source: str) -> Any:
    try:
        return loader.construct_document(root)
    except yaml.YAMLError:
        raise
    except Exception as error:  # `!!int x` and its like: PyYAML trusts a tag that is written out
        raise VariantError("holds a value that is not what its tag says", where=source) from error


def _check_depth(text: str, source: str) -> None:
    """Refuse deep nesting in the flat stream of events, because composing it would recurse."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            where = f"{source}:{event.start_mark.line + 1}" if event.start_mark else source
            raise VariantError(f"is nested deeper than {MAX_DEPTH} levels", where=where)


def _walk(node: yaml.Node, key: Key, lines: dict[Key, int], above: tuple[int, ...], source: str) -> None:
    """Record the line of every value, aliases expanded; refuse duplicate keys and unbounded expansion."""
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
