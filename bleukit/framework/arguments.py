"""Checks what Python callers pass, so that nothing is silently cut short or split into characters."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import chain
from operator import index
from typing import TYPE_CHECKING, Any

from bleukit.framework import layouts
from bleukit.framework.errors import InputError, InputTypeError, quantity, shown
from bleukit.framework.loops import up_to
from bleukit.framework.packed import Grouped, PackedTexts, are, ends_of, hold_only_str
from bleukit.framework.plain import TO_LIST
from bleukit.framework.segments import Segments

if TYPE_CHECKING:
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text


MOST_CHECKED = 100
"""The number of token lists that are checked for being groups of texts."""


def check_segments(
    hypotheses: Sequence[Text],
    references: Sequence[References],
    first: int = 0,
    references_by: Layout | None = None,
) -> Segments:
    """Return what a caller passes as segments, which do not change if the caller's lists do.

    ``first`` is the number of segments before these. Raises InputError or InputTypeError, with the argument and the
    index, for what is no segment, does not pair, or could mean something else.
    """
    hypotheses = check_sequence(hypotheses, "hypotheses", "a sequence of str, or of token lists")
    references = check_sequence(references, "references", "a sequence with the references of each hypothesis")
    if references_by == "set":
        sets = [check_sequence(texts, f"references[{i}]", "a set of references") for i, texts in enumerate(references)]
        references = layouts.references_by_segment(sets, len(hypotheses))
    elif references_by not in {None, "segment"}:
        raise InputError(f"references_by: expected 'segment' or 'set', got {shown(references_by)}")
    if len(hypotheses) != len(references):
        by_set = all(isinstance(texts, list | tuple) and len(texts) == len(hypotheses) for texts in references)
        hint = "; is this one list per set of references? Then pass references_by='set'" if by_set else ""
        raise _unpaired(hypotheses, len(references), hint)
    texts, tokenized = _checked(hypotheses, "hypotheses", first)
    groups = check_references(references, tokenized=tokenized, first=first)
    if references_by is None and len(groups.items) > len(texts):  # with one reference each there is no other layout
        layouts.refuse_another_layout(texts, groups, tokenized=tokenized)
    return Segments(texts, groups, tokenized=tokenized)


def check_hypotheses(hypotheses: Sequence[Text], number: int, *, tokenized: bool, first: int = 0) -> Sequence[Text]:
    """Return hypotheses of prepared references, which are so many. Raises as :func:`check_segments`."""
    hypotheses = check_sequence(hypotheses, "hypotheses", "a sequence of str, or of token lists")
    if len(hypotheses) != number:
        raise _unpaired(hypotheses, number)
    if hypotheses and _is_tokenized(hypotheses[0], f"hypotheses[{first}]") != tokenized:
        expected = "token lists" if tokenized else "texts"
        raise InputTypeError(f"hypotheses: expected {expected}, as the references are, got {shown(hypotheses[0])}")
    return _checked(hypotheses, "hypotheses", first, tokenized)[0]


def _unpaired(hypotheses: Sequence[Any], number: int, hint: str = "") -> InputError:
    return InputError(
        f"{quantity(len(hypotheses), 'hypothesis', 'hypotheses')}, but {quantity(number, 'item')} in `references`; "
        f"references[i] holds the references of hypothesis i{hint if number else ''}"
    )


def check_references(references: Sequence[References], *, tokenized: bool, first: int = 0) -> Grouped[Text]:
    """Return the references of each segment, token lists if ``tokenized``. Raises as :func:`check_segments`."""
    references = check_sequence(references, "references", "a sequence with the references of each segment")
    groups = _grouped(references, tokenized=tokenized)
    if groups is None:
        checked = [_references(group, f"references[{i}]", tokenized) for i, group in enumerate(references, first)]
        groups = Grouped(list(chain.from_iterable(checked)), ends_of(checked))
    if references and groups.ends[-1] != len(groups.items):
        raise InputError("`references` was changed while it was read")
    return groups


def _grouped(references: Sequence[Any], *, tokenized: bool) -> Grouped[Any] | None:
    """Return references that are texts, or token lists, if a quick check finds nothing wrong, else None."""
    are_lists = not isinstance(references, Grouped) and are(references, list, tuple) and all(references)
    if isinstance(references, Grouped):
        groups = references
    elif are([group[0] for group in references], str) if tokenized and are_lists else _are_str(references):
        groups = Grouped(references, up_to(len(references)))  # one each
    elif are_lists:
        groups = Grouped(list(chain.from_iterable(references)), ends_of(references))
    else:
        return None
    items = groups.items
    are_right = are(items, list, tuple) and hold_only_str(items) if tokenized else _are_str(items)
    return groups if are_right and all(groups.lengths()) else None


def _are_str(texts: Sequence[Any]) -> bool:
    return isinstance(texts, PackedTexts) or are(texts, str)


def check_texts(texts: Sequence[str], where: str) -> Sequence[str]:
    """Return texts. Raises InputTypeError, with the index, for an item that is not a str."""
    checked: Any = _checked(check_sequence(texts, where, "a sequence of str"), where, tokenized=False)[0]
    return checked  # type: ignore[no-any-return]


def check_texts_or_tokens(texts: Any, where: str, tokenized: bool | None = None) -> tuple[Sequence[Text], bool]:
    """Return texts, or token lists, and whether they are the latter: as ``tokenized`` says, or the first of them is.

    Raises InputTypeError, with the index, for an item that is something else, and for lists that hold only strings of
    several words, because these are texts and not tokens.
    """
    texts = check_sequence(texts, where, "a sequence of str, or of token lists")
    checked, are_tokens = _checked(texts, where, tokenized=tokenized)
    if are_tokens:
        _refuse_groups_of_texts(checked[:MOST_CHECKED], where)
    return checked, are_tokens


def _checked(
    values: Sequence[Any], where: str, first: int = 0, tokenized: bool | None = None
) -> tuple[Sequence[Text], bool]:
    """Return texts, or token lists, checked, and whether they are the latter: by default as the first of them is."""
    if tokenized is None:
        tokenized = bool(values) and _is_tokenized(values[0], f"{where}[{first}]")
    is_right = are(values, list) and hold_only_str(values) if tokenized else _are_str(values)
    return values if is_right else _checked_texts(values, where, tokenized, first), tokenized


def _refuse_groups_of_texts(lists: Sequence[Any], where: str) -> None:
    items = [item for items in lists if isinstance(items, list | tuple) for item in items]
    if items and all(isinstance(item, str) and len(item.split(None, 1)) > 1 for item in items):
        raise InputTypeError(
            f"{where}[0]: expected a str or a token list, got a list of texts, such as {items[0]!r:.60}; "
            "pass one group of texts at a time"
        )


def _in_arrow(value: Any, where: str) -> Sequence[Any] | None:
    """Return the values of the column that an object exports to Arrow, if it does, or is one.

    Without pyarrow it is none of Arrow's if it becomes a list by itself, as those of Polars and pandas do.
    """
    if not (hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")):
        return None
    try:
        from bleukit.framework.arrow import exported_values
    except ImportError as error:
        if any(hasattr(value, method) for method in TO_LIST):
            return None
        raise InputError(f"{where}: reading Arrow's columns needs pyarrow: pip install 'bleukit[arrow]'") from error
    return exported_values(value, where)


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
    places: list[int] = []
    try:
        for label in labels:
            places.append(numbers.setdefault(label, len(numbers)))  # noqa: PERF401 - so that an error knows its place
    except TypeError as error:
        place = len(places)
        raise InputTypeError(f"{where}[{place}]: expected a label, got {shown(labels[place])}") from error
    return places, list(numbers)


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


def check_sequence(value: Any, where: str, expected: str) -> Sequence[Any]:
    """Accept anything ordered that has a length: lists, tuples, arrays, columns of a data frame.

    What is returned does not change if a caller's list does.
    """
    if isinstance(value, list | tuple | PackedTexts | Grouped):
        return value[:] if isinstance(value, list) else value
    column = _in_arrow(value, where)
    if column is not None:
        return column
    if hasattr(value, "columns"):
        raise InputTypeError(f"{where}: expected {expected}, got a {type(value).__name__}; pass one of its columns")
    ordered = hasattr(value, "__len__") and hasattr(value, "__iter__") and getattr(value, "shape", True) != ()
    if not ordered or isinstance(value, (type, str | bytes | bytearray | memoryview | Mapping | AbstractSet)):
        raise InputTypeError(f"{where}: expected {expected}, got {shown(value)}")
    for method in TO_LIST:
        if callable(getattr(value, method, None)):
            return list(getattr(value, method)())
    return list(value)
