"""Checks what Python callers pass, so that nothing is silently cut short or split into characters."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import chain
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.counting.columns import up_to
from bleukit.counting.packed import Grouped, PackedTexts, are, ends_of, hold_only_str
from bleukit.counting.segment_columns import Segments
from bleukit.errors import InputError, InputTypeError, quantity, shown
from bleukit.text import layouts

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.loading.creating import LoadedComponent
    from bleukit.protocols import References, Text
    from bleukit.text.arrow import ArrowColumn
    from bleukit.text.layouts import Layout


MOST_CHECKED = 100
"""The number of token lists that are checked for being groups of texts."""


class SegmentPairs:
    """Hypotheses and as many items of references, to be checked part by part, each while it is in the cache.

    ``first`` is the number of segments before these.
    """

    def __init__(self, hypotheses: Sequence[Any], references: Sequence[Any], *, tokenized: bool, first: int) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.segments = len(hypotheses)
        self.tokenized = tokenized
        self.first = first

    @classmethod
    def of(
        cls,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        first: int = 0,
        references_by: Layout | None = None,
    ) -> SegmentPairs:
        """Pair two sequences. Raises InputError or InputTypeError if they do not pair, or could mean something else."""
        hypotheses = check_sequence(hypotheses, "hypotheses", "a sequence of str, or of token lists", keep=True)
        references = check_sequence(
            references, "references", "a sequence with the references of each hypothesis", keep=True
        )
        tokenized = bool(hypotheses) and _is_tokenized(hypotheses[0], f"hypotheses[{first}]")
        if references_by == "set":
            references = [
                texts
                if isinstance(texts, str) or not hasattr(texts, "__len__")
                else check_sequence(texts, f"references[{i}]", "a set of references")
                for i, texts in enumerate(references)
            ]
            references = layouts.references_by_segment(references, len(hypotheses))
        elif references_by not in {None, "segment"}:
            raise InputError(f"references_by: expected 'segment' or 'set', got {shown(references_by)}")
        if len(hypotheses) != len(references):
            by_set = all(isinstance(texts, list | tuple) and len(texts) == len(hypotheses) for texts in references)
            hint = "; is this one list per set of references? Then pass references_by='set'" if by_set else ""
            raise InputError(
                f"{quantity(len(hypotheses), 'hypothesis', 'hypotheses')}, but "
                f"{quantity(len(references), 'item')} in `references`; "
                f"references[i] holds the references of hypothesis i{hint if references else ''}"
            )
        if references_by is None:
            layouts.refuse_another_layout(hypotheses, references, tokenized=tokenized)
        return cls(hypotheses, references, tokenized=tokenized, first=first)

    def __len__(self) -> int:
        return self.segments

    def part(self, start: int, stop: int) -> Segments:
        """Return some of the segments. Raises InputError or InputTypeError that names the argument and the index.

        Raises InputError, too, if another thread has changed the lengths of the caller's lists in the meantime.
        """
        number = len(range(self.segments)[start:stop])
        hypotheses, references = (consecutive(items, start, stop) for items in (self.hypotheses, self.references))
        for name, items in (("hypotheses", hypotheses), ("references", references)):
            if len(items) != number:
                missing = self.first + start + len(items)
                raise InputError(f"{name}[{missing}]: missing; `{name}` was changed while it was scored")
        quickly = _of_tokens if self.tokenized else _of_text
        segments = quickly(hypotheses, references) or self._one_by_one(hypotheses, references, self.first + start)
        if number and segments.references.ends[-1] != len(segments.references.items):
            raise InputError("`references` was changed while it was scored")
        return segments

    def _one_by_one(self, hypotheses: Sequence[Any], references: Sequence[Any], first: int) -> Segments:
        checked = _checked_texts(hypotheses, "hypotheses", self.tokenized, first)
        groups = [_references(group, f"references[{i}]", self.tokenized) for i, group in enumerate(references, first)]
        flat = list(chain.from_iterable(groups))
        return Segments(checked, Grouped(flat, ends_of(groups)), tokenized=self.tokenized)


PairsReader: TypeAlias = "Callable[[LoadedComponent], SegmentPairs]"
"""Returns the text that a tokenizer reads: one that replaces the entities of SGML itself may get them unreplaced."""


def part_reader(read: PairsReader, start: int = 0, stop: int | None = None) -> Callable[[LoadedComponent], Segments]:
    """Return a function that returns some segments as a tokenizer reads them, each reading of them checked once."""
    parts: dict[int, Segments] = {}

    def part(tokenizer: LoadedComponent) -> Segments:
        pairs = read(tokenizer)
        if id(pairs) not in parts:
            parts[id(pairs)] = pairs.part(start, len(pairs) if stop is None else stop)
        return parts[id(pairs)]

    return part


def consecutive(items: Sequence[Any], start: int, stop: int) -> Sequence[Any]:
    """Return consecutive items, of groups and of columns as they are stored."""
    chosen: Sequence[Any] = items.part(start, stop) if hasattr(items, "part") else items[start:stop]
    return chosen


def _of_text(hypotheses: Sequence[Any], references: Sequence[Any]) -> Segments | None:
    """Return segments of texts if a quick check finds nothing wrong, else None."""
    if not _are_str(hypotheses):
        return None
    if _are_str(references):
        return Segments(hypotheses, Grouped(references, up_to(len(references))), tokenized=False)
    if isinstance(references, Grouped) and isinstance(references.items, PackedTexts) and all(references.lengths()):
        return Segments(hypotheses, references, tokenized=False)
    if are(references, list, tuple) and all(references):
        flat = list(chain.from_iterable(references))
        if are(flat, str):
            return Segments(hypotheses, Grouped(flat, ends_of(references)), tokenized=False)
    return None


def _are_str(texts: Sequence[Any]) -> bool:
    return isinstance(texts, PackedTexts) or are(texts, str)


def _of_tokens(hypotheses: Sequence[Any], references: Sequence[Any]) -> Segments | None:
    """Return segments of token lists if a quick check finds nothing wrong, else None."""
    if are(hypotheses, list) and are(references, list, tuple) and all(references):
        if are([group[0] for group in references], str):
            grouped = Grouped(references, up_to(len(references)))
        else:
            grouped = Grouped(list(chain.from_iterable(references)), ends_of(references))
        if are(grouped.items, list, tuple) and hold_only_str(hypotheses) and hold_only_str(grouped.items):
            return Segments(hypotheses, grouped, tokenized=True)
    return None


def check_texts(texts: Sequence[str], where: str) -> Sequence[str]:
    """Return texts. Raises InputTypeError, with the index, for an item that is not a str."""
    texts = check_sequence(texts, where, "a sequence of str")
    return texts if _are_str(texts) else _checked_texts(texts, where, tokenized=False)


def check_texts_or_tokens(texts: Any, where: str, tokenized: bool | None = None) -> tuple[Sequence[Text], bool]:
    """Return texts, or token lists, and whether they are the latter: as ``tokenized`` says, or the first of them is.

    Raises InputTypeError, with the index, for an item that is something else, and for lists that hold only strings of
    several words, because these are texts and not tokens.
    """
    texts = check_sequence(texts, where, "a sequence of str, or of token lists")
    if tokenized is None:
        tokenized = bool(texts) and _is_tokenized(texts[0], f"{where}[0]")
    if tokenized:
        _refuse_groups_of_texts(texts[:MOST_CHECKED], where)
    if tokenized or not _are_str(texts):
        texts = _checked_texts(texts, where, tokenized)
    return texts, tokenized


def _refuse_groups_of_texts(lists: Sequence[Any], where: str) -> None:
    items = [item for items in lists if isinstance(items, list | tuple) for item in items]
    if items and all(isinstance(item, str) and len(item.split(None, 1)) > 1 for item in items):
        raise InputTypeError(
            f"{where}[0]: expected a str or a token list, got a list of texts, such as {items[0]!r:.60}; "
            "pass one group of texts at a time"
        )


def _in_arrow(value: Any, where: str) -> ArrowColumn | None:
    """Return the column that an object exports to Arrow, if it does, or is one."""
    if not (hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")):
        return None
    from bleukit.text.arrow import exported_column  # needs NumPy

    return exported_column(value, where)


def check_stream(values: Any, where: str) -> Iterator[Any]:
    """Accept any iterable but text and what has no order."""
    values = values if (column := _in_arrow(values, where)) is None else column
    if not isinstance(values, (str | bytes | bytearray | Mapping | AbstractSet)):
        with suppress(TypeError):
            return iter(values)
    raise InputTypeError(f"{where}: expected an iterable of segments, got {shown(values)}")


def check_segment(hypothesis: Text, references: References) -> Segments:
    """Return one segment. Raises InputError or InputTypeError that names the argument and the index."""
    tokenized = _is_tokenized(hypothesis, "hypothesis")
    group = _references(references, "references", tokenized)
    layouts.refuse_another_layout([hypothesis], [group], tokenized=tokenized)
    grouped = Grouped(group, array("q", [len(group)]))
    return Segments([_text(hypothesis, "hypothesis", tokenized)], grouped, tokenized=tokenized)


def _is_tokenized(hypothesis: Text, where: str) -> bool:
    """Return, judging by the first hypothesis, what all of them are."""
    if isinstance(hypothesis, str):
        return False
    check_sequence(hypothesis, where, "a str or a token list")
    return True


def check_threads(threads: int | None) -> None:
    """Raise InputError unless the number of threads is a whole number of at least 1, or None for the default."""
    if threads is not None:
        check_whole_number(threads, "threads", 1)


def check_whole_number(value: Any, where: str, least: int) -> int:
    """Return a whole number, one of NumPy's too. Raises InputError or InputTypeError if it is none, or less."""
    expected = f"{where}: expected a whole number of at least {least}, got {shown(value)}"
    try:
        number = least - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        raise InputTypeError(expected) from None
    if number < least:
        raise InputTypeError(expected) if isinstance(value, bool) else InputError(expected)
    return number


def number_labels(labels: Sequence[Any], where: str) -> tuple[list[int], list[Any]]:
    """Return the number of each label, and the labels by their numbers, in the order in which they first appear.

    Raises InputTypeError for what cannot be a label: lists, for instance, which may change.
    """
    numbers: dict[Any, int] = {}
    of_labels: list[int] = []
    try:
        for label in labels:
            of_labels.append(numbers.setdefault(label, len(numbers)))  # noqa: PERF401 - so that an error knows its place
    except TypeError as error:
        place = len(of_labels)
        raise InputTypeError(f"{where}[{place}]: expected a label, got {shown(labels[place])}") from error
    return of_labels, list(numbers)


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _references(group: Any, where: str, tokenized: bool) -> Sequence[Text]:
    if isinstance(group, str):
        if tokenized:
            raise InputTypeError(f"{where}: expected token lists, as the hypotheses are, got {shown(group)}")
        return (group,)
    kind = "token lists" if tokenized else "str"
    group = check_sequence(group, where, f"one reference or a sequence of them ({kind}, as the hypothesis is)")
    if not group:
        an_empty_one = "[[]]" if tokenized else "''"
        raise InputError(f"{where}: no reference; at least one is needed (an empty one is {an_empty_one})")
    if tokenized and all(isinstance(token, str) for token in group):
        return (group,)
    return _checked_texts(group, where, tokenized)


def _checked_texts(values: Sequence[Any], where: str, tokenized: bool, first: int = 0) -> list[Any]:
    return [_text(value, f"{where}[{index}]", tokenized) for index, value in enumerate(values, first)]


def _text(value: Any, where: str, tokenized: bool) -> Text:
    if isinstance(value, str) is tokenized:
        raise InputTypeError(f"{where}: expected {'a token list' if tokenized else 'a str'}, got {shown(value)}")
    if not tokenized:
        return value  # type: ignore[no-any-return]
    tokens = check_sequence(value, where, "a token list")
    if not set(map(type, tokens)) <= {str}:
        for index, token in enumerate(tokens):
            if not isinstance(token, str):
                raise InputTypeError(f"{where}[{index}]: expected a str, got {shown(token)}")
    return tokens


def check_sequence(value: Any, where: str, expected: str, *, keep: bool = False) -> Sequence[Any]:
    """Accept anything ordered that has a length: lists, tuples, arrays, columns of a data frame.

    With ``keep`` the result may be a Column in Arrow's memory, whose slices are lists.
    """
    if isinstance(value, list | tuple | PackedTexts | Grouped):
        return value
    column = _in_arrow(value, where)
    if column is not None:
        return column if keep else list(column)
    if hasattr(value, "columns"):
        raise InputTypeError(f"{where}: expected {expected}, got a {type(value).__name__}; pass one of its columns")
    ordered = hasattr(value, "__len__") and hasattr(value, "__iter__") and getattr(value, "shape", True) != ()
    if not ordered or isinstance(value, (type, str | bytes | bytearray | memoryview | Mapping | AbstractSet)):
        raise InputTypeError(f"{where}: expected {expected}, got {shown(value)}")
    for method in ("to_pylist", "tolist", "to_list"):  # Arrow, NumPy and pandas, Polars: their items become str
        if callable(getattr(value, method, None)):
            return list(getattr(value, method)())
    return list(value)
