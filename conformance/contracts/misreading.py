"""Reads small files of every form, and holds what is read of them to the texts that they hold."""

from __future__ import annotations

import gzip
import json
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING, Any

from bleukit.conformance.contracts.held_files import (
    COMMANDS,
    HELD,
    OF_COMMANDS,
    OF_DOCUMENTS,
    OF_ONE,
    SAMPLES,
    Held,
)
from bleukit.conformance.contracts.ways_of_commands import printed
from bleukit.conformance.contracts.ways_of_files import write_files

import bleukit
from bleukit.errors import InputError, one_line, shown
from bleukit.text.corpora import in_memory, open_corpus, read_segments
from bleukit.text.samples import SampleFiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

MANY = 1000
"""Files of fewer bytes are read in small blocks, too."""

SIZES = (1, 7, 11)
"""The sizes of these."""


def misread(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield which files are read, and what is wrong with what is read of them."""
    for number, held in enumerate(HELD):
        yield held.says, _wrong(held, folder / f"held {number}")
        if all(isinstance(content, str) and len(content) < MANY for content in held.files.values()) and not held.paths:
            for size in SIZES:
                cut = {f"{name}.gz": _cut(content, size) for name, content in held.files.items()}
                of_blocks = held._replace(files=cut)
                yield f"{held.says}, in blocks of {size}", _wrong(of_blocks, folder / f"held {number} by {size}")
    for name, content, how, wanted in SAMPLES:
        yield f"the samples of {name}, {how}", _wrong_samples(folder / name, content, how, wanted)
    for name, content, texts, notes in OF_ONE:
        yield f"the segments of {name}, {texts}", _wrong_segments(folder / name, content, texts, notes)
    for documents, labels in OF_DOCUMENTS:
        got = bleukit.join_documents(["a", "b", "c"], ["a"] * 3, documents)
        is_right = got == (["a c", "b"], [["a a"], ["a"]], labels)
        yield f"documents in Arrow's {documents.type}", "" if is_right else f"they are {shown(got)}"
    write_files(folder / "commands", OF_COMMANDS)
    for words, names in COMMANDS:
        yield f"the systems of {words}", _wrong_systems(folder / "commands", words, names)


def _wrong_segments(path: Path, content: str, texts: Sequence[str], notes: Sequence[str]) -> str:
    write_files(path.parent, {path.name.partition("#")[0]: content})
    noted: list[str] = []
    try:
        got = [*chain.from_iterable(read_segments(str(path), notes=noted))]
    except Exception as error:  # noqa: BLE001 - whatever is raised is wrong
        return one_line(error)
    noted = [_below(path.parent, note) for note in noted]
    return "" if (got, noted) == (texts, notes) else f"they are {shown(got)}, noted {noted}, expected {shown(texts)}"


def _wrong_systems(folder: Path, words: Sequence[str], names: Sequence[str]) -> str:
    """Return what is wrong with the names of the systems that a command writes; {} in words stands for a folder."""
    try:
        data = json.loads(printed(*(word.format(folder) for word in words), "--format", "json"))
    except InputError as error:
        return one_line(error)
    got = [_below(folder, system["system"]) for system in data["systems"]]
    return "" if got == names else f"they are {shown(got)}, expected {shown(names)}"


def _wrong_samples(path: Path, content: str, how: Mapping[str, Any], wanted: Sequence[Sequence[Any]]) -> str:
    write_files(path.parent, {path.name: content})
    try:
        with closing(SampleFiles([str(path)], **how)) as files:
            got = [[*map(_listed, group)] for part in files.groups() for group in part]
    except Exception as error:  # noqa: BLE001 - whatever is raised is wrong
        return one_line(error)
    return "" if got == wanted else f"they are read as {shown(got)}, expected {shown(wanted)}"


def _listed(values: Sequence[Any] | None) -> list[Any] | None:
    return None if values is None else list(values)


def _cut(content: str | bytes, size: int) -> bytes:
    """Return gzip with members of so many bytes, which are read one by one."""
    whole = content.encode() if isinstance(content, str) else content
    return b"".join(gzip.compress(whole[start : start + size]) for start in range(0, len(whole), size))


def _wrong(held: Held, folder: Path) -> str:
    write_files(folder, held.files)
    names = held.paths or dict.fromkeys(name.partition("/")[0] for name in held.files)
    references = [str(folder / name) for name in names if name.startswith("r")]
    hypotheses = [str(folder / name) for name in names if not name.startswith("r")]
    of_segments = {"document": held.documents, "source": held.sources, "test_set": held.test_sets}
    roles: list[Any] = [role for role, values in of_segments.items() if values]
    how: Any = {"columns": held.columns, "wanted": roles, "limits": held.limits}
    try:
        with closing(open_corpus(hypotheses, references, **how)) as corpus:
            whole = in_memory(corpus, limits=held.limits)
            number = corpus.references
            alone = [_of_one(path, references, how) for path in corpus.system_paths if len(corpus.systems) > 1]
            systems, notes = ([_below(folder, one) for one in some] for some in (corpus.systems, corpus.notes))
    except Exception as error:  # noqa: BLE001 - whatever is raised is wrong
        return one_line(error)
    if alone != [[list(texts)] for texts in whole.systems if len(whole.systems) > 1]:
        return f"what chooses each system alone is read as {shown(alone)}, expected {shown(held.systems)}"
    numbers = {len(own) for own in held.references}
    if number != (numbers.pop() if len(numbers) == 1 else None):
        return f"a segment has {number} references"
    got: list[Any] = [list(map(_plain, side)) for side in (whole.systems, whole.references)]
    wanted: list[Any] = [list(map(list, side)) for side in (held.systems, held.references)]
    if held.names:
        got.append(systems)
        wanted.append(list(held.names))
    for role in roles:
        got.append(list(getattr(whole, f"{role}s") or ()))
        wanted.append(list(of_segments[role]))
    got.append(notes)
    wanted.append(list(held.notes))
    return "" if got == wanted else f"it is read as {shown(got)}, expected {shown(wanted)}"


def _of_one(path: str, references: Sequence[str], how: Any) -> list[list[str]]:
    """Return the systems that a path chooses."""
    with closing(open_corpus([path], references, **{**how, "wanted": ()})) as corpus:
        return list(map(list, in_memory(corpus).systems))


def _below(folder: Path, text: str) -> str:
    """Return a text with paths below the folder, without the suffix of files that are read in blocks."""
    return text.replace(f"{folder}/", "").replace(".gz", "")


def _plain(texts: Any) -> list[str]:
    return [texts] if isinstance(texts, str) else list(map(str, texts))
