"""Columns of Arrow that must be refused: those with what is no text."""

from __future__ import annotations

import ctypes
import io
from functools import partial
from typing import TYPE_CHECKING, Any

from bleukit.conformance.contracts.ways_of_files import LISTS

try:
    import pyarrow as pa
    from pyarrow import feather, parquet
except ImportError:  # an extra
    pa = None

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bleukit import Bleu

ROWS = 20
"""How many rows a column has."""

LEFT_OUT = 3
"""How many of them are before the part that is scored."""

TEXTS = [name for name in ("string", "large_string", "string_view") if hasattr(pa, name)]
"""Arrow's texts."""

NOT_UTF_8 = (
    *(b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3a", b"\xff", b"\xed\xa0\x80", b"\xed\xbf\xbf"),
    *(b"\xe0\x9f\xbf", b"\xe7a\x8c", b"\xe7\x8ca", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80"),
    *(b"\xf0a\x91\x8d", b"\xf0\x9fa\x8d", b"\xf0\x9f\x91a", b"\xe7\xff\x8c", b"\xe7\x8c\xc0", b"\xc3\xc3"),
)
"""Bytes that no UTF-8 has."""

WITH_NULLS = (
    *(*TEXTS, "dictionary", "values of dictionary", "struct"),
    *(f"{which}{name}" for name in (*LISTS, "fixed_size_list") for which in ("", "items of ")),
)
"""The types of columns in which a value can be null, and what in them can."""


class _Uncounted:
    """A column that does not say how many of its values are null, as Arrow's interface allows."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        """Return a schema and an array, whose second number of 64 bits is that of nulls: -1 if it is not known."""
        schema, array = self.column.__arrow_c_array__(requested_schema)
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        ctypes.c_int64.from_address(address(array, b"arrow_array") + 8).value = -1
        return schema, array


def _with_bytes(text: str, content: bytes, bleu: Bleu) -> object:
    """Score a column of texts that holds bytes."""
    binary = text.replace("string", "binary")
    column = pa.array([b"a", content], getattr(pa, binary)()).view(getattr(pa, text)())
    return bleu.corpus(column, ["a", "b"])


def _with_null(kind: str, place: int, is_counted: bool, bleu: Bleu) -> object:
    """Score a part of a column, of references if it has lists, else of hypotheses, in which one value is null."""
    has_lists = "list" in kind
    values: list[Any] = [["a"] if has_lists else "a"] * ROWS
    values[place] = [None] if kind.startswith("items of ") else None
    column = _column(kind.removeprefix("items of "), values)[LEFT_OUT:]
    if not is_counted:
        column = _Uncounted(column)
    others = ["a"] * (ROWS - LEFT_OUT)
    return bleu.corpus(others, column) if has_lists else bleu.corpus(column, others)


def _column(kind: str, values: list[Any]) -> Any:
    if kind == "values of dictionary":
        return pa.DictionaryArray.from_arrays([int(value is None) for value in values], ["a", None])
    if kind == "dictionary":
        return pa.array(values).dictionary_encode()
    if kind == "struct":
        return pa.StructArray.from_arrays([pa.array(values)], ["text"])
    if kind == "fixed_size_list":
        return pa.array(values, pa.list_(pa.string(), 1))
    return pa.array(values, getattr(pa, kind)(pa.string()) if kind in LISTS else getattr(pa, kind)())


def table(write: Callable[[Any, Any], object], columns: Mapping[str, Any]) -> bytes:
    """Return the bytes of a file with a table of Arrow's, as a function of pyarrow writes it."""
    sink = io.BytesIO()
    write(pa.table(columns), sink)
    return sink.getvalue()


FILES: dict[str, dict[str, bytes]] = {}
"""Tables with what is no text; none without pyarrow."""


def _at_row(text: str, row: int, value: bytes | None, bleu: Bleu) -> object:
    """Score two chunks of a column in which one row has a value that is no text."""
    binary = getattr(pa, text.replace("string", "binary"))()
    values = [*[b"a"] * row, value, *[b"a"] * (2599 - row)]
    chunks = (pa.array(part, binary).view(getattr(pa, text)()) for part in (values[:2200], values[2200:]))
    return bleu.corpus(pa.chunked_array(list(chunks)), ["a"] * 2600)


PAIRS: dict[str, tuple[Any, Any]] = {}
"""Hypotheses in columns, and references, that no way to statistics takes."""

COLUMNS: dict[str, Callable[[Bleu], object]] = {}
"""Attempts to score columns with what is no text; none without pyarrow."""

ITEMS: dict[str, Callable[[Bleu], object]] = {}
"""Attempts of which the message names the argument and the row, up to a comma; none without pyarrow."""

if pa is not None:
    FILES |= {
        f"{column.type} as {name} of .{suffix}, {number}": {
            f"1.{suffix}": table(write, {"hyp": ["a", "b"], "ref": ["a", "b"], name: column})
        }
        for suffix, write in (("parquet", parquet.write_table), ("arrow", feather.write_feather))
        for number, (name, column) in enumerate(
            (
                ("hyp", pa.array(["a", None])),
                ("hyp", pa.array([1, 2])),
                ("hyp", pa.array([b"a", b"b"])),
                ("hyp", pa.array([b"a", b"\xff"]).view(pa.string())),
                ("hyp", pa.array([["a"], ["b"]])),
                ("ref", pa.array([None, "b"])),
                ("ref", pa.array([["a"], None])),
                ("ref", pa.array([["a"], []])),
                ("ref", pa.array([["a", None], ["b"]])),
                ("ref", pa.array([[1], [2]])),
                ("doc", pa.array([1, None])),
                ("doc", pa.array([1.0, 2.0])),
                ("doc", pa.array([True, False])),
                ("sys", pa.array(["A", None])),
                ("src", pa.array([1, 2])),
            )
        )
    }
    PAIRS |= {
        "a table of two columns": (pa.table({"x": ["a", "b"], "y": ["a", "b"]}), ["a", "b"]),
        "bytes in Arrow": (pa.array([b"a", b"b"]), ["a", "b"]),
        "structs of two fields": (pa.array([{"x": "a", "y": "b"}] * 2), ["a", "b"]),
        "a list that is empty in Arrow": (["a", "b"], pa.array([["a"], []])),
        "numbers as references in Arrow": (["a", "b"], pa.array([[1], [2]])),
        "a text that is missing in Arrow": (pa.array(["x", "a", None])[1:], ["a", "b"]),
        "numbers in Arrow": (pa.array([1, 2]), ["a", "b"]),
    }
    COLUMNS |= {
        **{
            f"{content!r} in Arrow's {text}": partial(_with_bytes, text, content)
            for text in TEXTS
            for content in (
                b"b\xff",
                b"b" * 20 + b"\xff",
                *NOT_UTF_8,
                *(b"b" * 13 + bad + b"b" * 8 for bad in NOT_UTF_8),
            )
        },
        **{
            f"a null in row {place} of Arrow's {kind}{'' if is_counted else ', uncounted'}": partial(
                _with_null, kind, place, is_counted
            )
            for kind in WITH_NULLS
            for place in (LEFT_OUT, 8, 12, ROWS - 1)
            for is_counted in (True, False)
        },
    }
    ITEMS |= {
        f"hypotheses[{row}]:, {says} in {text}": partial(_at_row, text, row, value)
        for text in TEXTS
        for row in (0, 2500, 2599)
        for says, value in (("null", None), ("bytes", b"\xff" * 13))
    }
