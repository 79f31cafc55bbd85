"""The files that a command names: none is read and written, and none is written twice.

Every parameter that names a file has a type of this module, which notes the name when the command line is parsed.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem
from click.types import StringParamType

from bleukit.bleu import names
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.variant import Variant
from bleukit.framework import registry, yaml_document
from bleukit.framework.errors import OutputError, VariantError
from bleukit.reading import paths
from bleukit.writing.replacing import is_device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    import click

    Identity: TypeAlias = "tuple[int, int] | str"
    """Device and inode of a regular file, or the path of one that is not there yet."""


class FileName(StringParamType):
    """Text that names a file that is read, or text in which ``find`` finds the names of such files.

    ``names`` returns what a shell completes instead of files, given the beginning.
    """

    def __init__(
        self,
        find: Callable[[str], Iterable[str]] = lambda value: [value],
        names: Callable[[str], Iterable[str]] = lambda _: (),
    ) -> None:
        self._find = find
        self._names = names

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Note the file. Raises OutputError if it is read and written, or written twice."""
        text: str = super().convert(value, param, ctx)
        if ctx is not None and not ctx.resilient_parsing:
            self.note(text, ctx.meta.setdefault(__name__, NamedFiles()), param.opts[0] if param else "")
        return text

    def note(self, value: str, named: NamedFiles, option: str) -> None:  # noqa: ARG002
        """Note the files that a value names."""
        for path in self._find(value):
            named.add_input(path)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Return the names that begin so; if there are none, let the shell complete a file."""
        names = sorted(name for name in self._names(incomplete) if name.startswith(incomplete))
        return list(map(CompletionItem, names)) or [CompletionItem(incomplete, type="file")]


class OutputName(FileName):
    """Text that names a file that is written."""

    def note(self, value: str, named: NamedFiles, option: str) -> None:
        """Note the file."""
        if value != "-":
            named.add_output(value, option)


class TestSetName(FileName):
    """Text of the form NAME=FOLDER; the other files are read in that folder."""

    def note(self, value: str, named: NamedFiles, option: str) -> None:  # noqa: ARG002
        """Note the folder."""
        named.add_folder(value.partition("=")[2])


def _files_in_setting(setting: str) -> Iterator[str]:
    """Yield the texts in the value of KEY=VALUE, which may be names of files, such as that of a model."""
    with suppress(VariantError):  # which is raised when the value is used
        values = [yaml_document.parse(setting.partition("=")[2], setting).data]
        for value in values:
            values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        yield from (value for value in values if isinstance(value, str))


def _settings(incomplete: str) -> Iterator[str]:
    """Yield the keys of variants or, after one of components, the names of these."""
    key, equals, _ = incomplete.partition("=")
    if not equals:
        yield from (f"{name}=" for name in Variant.__struct_fields__)
    elif key in COMPONENT_HOOKS:
        yield from (f"{key}={name}" for name in registry.installed().of_kind(key))


VariantName = partial(FileName, names=lambda _: [*registry.installed().of_kind("variant"), *names.known()])
"""Text that names a variant, a program that computes one, or a file."""

Setting = partial(FileName, _files_in_setting, _settings)
"""Text of the form KEY=VALUE."""


class NamedFiles:
    """The files that the parameters of one command name, beside the standard streams."""

    def __init__(self) -> None:
        self._inputs = ["-"]
        self._folders = [""]
        self._outputs: dict[Identity, tuple[str, str]] = {}
        """The path of each file that is written, and the option that names it."""
        self._standard_output = _identity(1)

    def add_input(self, path: str) -> None:
        """Note a file, a part of one, a folder or a pattern."""
        self._inputs.append(path)
        self._refuse_outputs(self._folders, [path])

    def add_folder(self, folder: str) -> None:
        """Note a folder in which all inputs are read."""
        self._folders.append(f"{folder.rstrip('/')}/")
        self._refuse_outputs(self._folders[-1:], self._inputs)

    def add_output(self, path: str, option: str) -> None:
        """Note a file that an option names to be written."""
        identity = _identity(path, absent=os.path.realpath(path))
        if identity is None:  # such as a pipe
            return
        _, other = self._outputs.setdefault(identity, (path, option))
        if identity == self._standard_output and not is_device(path):
            other = "standard output"
        if other != option:
            raise OutputError(f"{path}: is written to twice, by {option} and {other}")
        self._refuse_outputs(self._folders, self._inputs)

    def _refuse_outputs(self, folders: Iterable[str], inputs: Iterable[str]) -> None:
        """Raise OutputError if one of the inputs in these folders is written."""
        if not self._outputs and self._standard_output is None:
            return
        for folder, name in product(folders, inputs):
            for path, identity in _files(folder + name):
                if identity is not None and (identity in self._outputs or identity == self._standard_output):
                    written, _ = self._outputs.get(identity, (path, ""))
                    read_as = "" if path == written else f" as {path}"
                    raise OutputError(f"{written}: is read{read_as}, and written to as well")


def _files(path: str) -> Iterator[tuple[str, Identity | None]]:
    """Yield the files that the path of an input names, each with what identifies it."""
    if path == "-":
        yield "standard input", _identity(0)
        return
    with suppress(OSError, ValueError):  # which the command reports when it reads the file
        file, _ = paths.split_path(path)
        if paths.is_folder(file):
            from bleukit.reading import folders  # imported for folders alone

            yield from ((each, _identity(each)) for each in folders.files(file))
        else:
            yield file, _identity(file)


def _identity(file: str | int, absent: str | None = None) -> Identity | None:
    """Return what identifies a regular file, ``absent`` if there is no file, and None for any other."""
    try:
        state = os.stat(file)  # noqa: PTH116 - it may be a descriptor
    except (OSError, ValueError):
        return absent
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else None
