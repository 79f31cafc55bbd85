"""Columns of texts in Arrow's memory, as any library exports them: Polars, pandas, DuckDB, pyarrow.

No such library is imported: what has ``__arrow_c_stream__`` or ``__arrow_c_array__`` hands over pointers to buffers, as
Arrow's C data interface and C stream interface define them. Texts are read where they are, as PackedTexts; those of
several arrays are copied, one after the other.
"""

from __future__ import annotations

import ctypes
from array import array as of_numbers
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.compiled import CompiledModule
from bleukit.counting.packed import Grouped, PackedTexts, concatenate_texts
from bleukit.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_compiled = CompiledModule("bleukit.text.arrow_compiled")

_INTEGERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"}
"""Arrow's formats of whole numbers, and NumPy's."""

_VIEW = np.dtype([("length", "i4"), ("start", "V4"), ("buffer", "i4"), ("offset", "i4")])
"""A text of string_view: if it has _WITHIN bytes at most, they follow the length, else they are in a buffer."""
_WITHIN = 12


class _Schema(ctypes.Structure):
    """``struct ArrowSchema``."""


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class _Array(ctypes.Structure):
    """``struct ArrowArray``."""


_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    """``struct ArrowArrayStream``."""


_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Owned:
    """A structure that was handed over, and is released with this."""

    def __init__(self, kind: type[ctypes.Structure]) -> None:
        self.content: Any = kind()

    def __del__(self) -> None:
        if self.content.release:
            release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.content.release)
            release(ctypes.addressof(self.content))


def exported_values(exported: Any, where: str) -> Sequence[Any] | None:
    """Return the values of a column that an object exports: texts as PackedTexts, lists of texts as groups of these.

    All others are lists: of whole numbers, and of texts or lists of them if there is a null, which is None. It is None
    if pandas, which needs pyarrow for it, cannot export its own. The column of a table is its only one. Raises
    InputError or InputTypeError, which name ``where`` and, for a text that is not UTF-8, the row, if there are several
    columns, if they are neither texts nor whole numbers, or if the object fails to export them.
    """
    try:
        if hasattr(exported, "__arrow_c_stream__"):
            arrays, schema, owner = _read_stream(exported.__arrow_c_stream__(), where)
        else:
            owner = of_schema, of_array = exported.__arrow_c_array__()
            schema, array = _content(of_schema, b"arrow_schema", _Schema), _content(of_array, b"arrow_array", _Array)
            arrays = [array]
        return _joined(_arrays_of_column(arrays, schema, where, owner), where)
    except (InputError, MemoryError):
        raise
    except Exception as error:
        if any(hasattr(exported, method) for method in ("to_pylist", "tolist", "to_list")):
            return None
        raise InputError(f"{where}: cannot be exported to Arrow: {error}") from error


def _joined(arrays: Sequence[_Values], where: str) -> Sequence[Any]:
    """Return the values of some arrays, one after the other."""
    parts: list[Sequence[Any]] = []
    row = 0
    for values in arrays:
        try:
            parts.append(values.values(0, len(values)))
        except UnicodeDecodeError as error:
            wrong = next(filter(partial(_is_wrong, values), range(len(values))))
            raise InputError(f"{where}[{row + wrong}]: is not UTF-8 text: {error.reason}") from error
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{where}: Arrow's buffers do not fit together: {error}") from error
        row += len(values)
    if len(parts) == 1:
        return parts[0]
    if parts and all(isinstance(values, PackedTexts) for values in parts):
        return concatenate_texts(parts)  # type: ignore[arg-type]
    return list(chain.from_iterable(map(_as_list, parts)))


def _is_wrong(values: _Values, row: int) -> bool:
    try:
        values.values(row, row + 1)
    except UnicodeDecodeError:
        return True
    return False


def _as_list(values: Sequence[Any]) -> list[Any]:
    return list(map(list, values)) if isinstance(values, Grouped) else list(values)


def _content(capsule: Any, name: bytes, kind: Any) -> Any:
    """Return the structure that a capsule holds."""
    return kind.from_address(_pointer_of(capsule, name))


def _read_stream(capsule: Any, where: str) -> tuple[Sequence[Any], Any, object]:
    """Return the arrays of a stream, their schema, and what owns both."""
    stream = _content(capsule, b"arrow_array_stream", _Stream)

    def got(function: Any, kind: type[ctypes.Structure]) -> _Owned:
        owned = _Owned(kind)
        if function(ctypes.byref(stream), ctypes.byref(owned.content)):
            problem = (stream.get_last_error(ctypes.byref(stream)) or b"").decode(errors="replace")
            raise InputError(f"{where}: cannot be read: {' '.join(problem.split()) or 'its stream fails'}")
        return owned

    schema = got(stream.get_schema, _Schema)
    arrays = []
    while (array := got(stream.get_next, _Array)).content.release:
        arrays.append(array)
    return [array.content for array in arrays], schema.content, (schema, arrays)


def _arrays_of_column(arrays: Sequence[Any], schema: Any, where: str, owner: object) -> list[_Values]:
    arrays = [array for array in arrays if array.length]  # the buffers of others may be missing
    if schema.format == b"+s":
        if schema.n_children != 1:
            names = [schema.children[number].contents.name or b"" for number in range(schema.n_children)]
            listed = ", ".join(repr(name.decode(errors="replace")) for name in names)
            raise InputTypeError(f"{where}: expected one column, got a table of {listed or 'none'}; pass one of these")
        kind = schema.children[0].contents
        return [_values(array.children[0].contents, kind, where, owner).within(array) for array in arrays]
    return [_values(array, schema, where, owner) for array in arrays]


class _Values:
    """The values of an array, which begin at ``offset`` of its buffers; ``owner`` keeps these."""

    def __init__(self, array: Any, owner: object) -> None:
        self._length = array.length
        self.offset = array.offset
        self._valid: NDArray[np.uint8] | None = None
        if array.null_count and array.n_buffers and array.buffers[0]:
            bits = _buffer(array, 0, "u1", (self.offset + self._length + 7) // 8, owner)
            valid = np.unpackbits(bits, bitorder="little")[self.offset : self.offset + self._length]
            self._valid = None if valid.all() else valid

    def __len__(self) -> int:
        return self._length  # type: ignore[no-any-return]

    def within(self, struct: Any) -> _Values:
        """Return the values that a struct holds, if this is the array of its only field."""
        self.offset, self._length = self.offset + struct.offset, struct.length
        if self._valid is not None:
            self._valid = self._valid[struct.offset : struct.offset + struct.length]
        return self

    def values(self, start: int, stop: int) -> Sequence[Any]:
        """Return consecutive values, None for null."""
        stored = self._stored(self.offset + start, self.offset + stop)
        if self._valid is None or self._valid[start:stop].all():
            return stored
        values = zip(_as_list(stored), self._valid[start:stop].tolist(), strict=True)
        return [value if is_valid else None for value, is_valid in values]

    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        """Return the values between two places of the buffers, anything for null."""
        raise NotImplementedError


class _Nulls(_Values):
    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        return [None] * (stop - start)


class _Integers(_Values):
    def __init__(self, array: Any, kind: str, owner: object) -> None:
        super().__init__(array, owner)
        self._numbers = _buffer(array, 1, kind, self.offset + len(self), owner)

    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        numbers: list[Any] = self._numbers[start:stop].tolist()
        return numbers


class _Strings(_Values):
    """Texts one after the other."""

    def __init__(self, array: Any, kind: str, owner: object) -> None:
        super().__init__(array, owner)
        self._offsets = _buffer(array, 1, kind, self.offset + len(self) + 1, owner)
        self._characters = _buffer(array, 2, "u1", int(self._offsets[-1]), owner)

    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        return texts_between(self._characters, np.ascontiguousarray(self._offsets[start : stop + 1], "i8"))


class _StringViews(_Values):
    """Texts that stand in any order, in several buffers or, short ones, beside their length."""

    def __init__(self, array: Any, owner: object) -> None:
        super().__init__(array, owner)
        self._views = _buffer(array, 1, _VIEW, self.offset + len(self), owner)
        sizes = _buffer(array, array.n_buffers - 1, "i8", array.n_buffers - 3, owner)
        self._buffers = [_buffer(array, 2 + number, "u1", size, owner) for number, size in enumerate(sizes.tolist())]

    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        return texts_of_views(self._views[start:stop].view("u1"), self._buffers)


class _Dictionary(_Values):
    """The places of values in a dictionary."""

    def __init__(self, array: Any, kind: str, dictionary: _Values, owner: object) -> None:
        super().__init__(array, owner)
        self._places = _buffer(array, 1, kind, self.offset + len(self), owner)
        self._dictionary = _as_list(dictionary.values(0, len(dictionary)))

    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        last = len(self._dictionary) - 1
        places = self._places[start:stop].tolist()
        return [self._dictionary[place] if 0 <= place <= last else None for place in places]  # null has any place


class _Lists(_Values):
    """Lists of values, which begin and end anywhere among those of another array."""

    def __init__(self, array: Any, starts: NDArray[Any], ends: NDArray[Any], items: _Values, owner: object) -> None:
        super().__init__(array, owner)
        self._starts, self._ends, self._items = starts, ends, items

    def _stored(self, start: int, stop: int) -> Sequence[Any]:
        starts, ends = self._starts[start:stop], self._ends[start:stop]
        if len(starts) and (starts[1:] == ends[:-1]).all():
            first = int(starts[0])
            items = self._items.values(first, int(ends[-1]))
            up_to = of_numbers("q", (ends.astype("i8") - first).tobytes())
            return Grouped(items, up_to) if isinstance(items, PackedTexts) else _as_list(Grouped(items, up_to))
        return [
            _as_list(self._items.values(s, e)) if s < e else []
            for s, e in zip(starts.tolist(), ends.tolist(), strict=True)
        ]


def _values(array: Any, schema: Any, where: str, owner: object) -> _Values:
    """Return the values of an array."""
    kind = schema.format.decode()
    if schema.dictionary:
        dictionary = _values(array.dictionary.contents, schema.dictionary.contents, where, owner)
        return _Dictionary(array, _INTEGERS[kind], dictionary, owner)
    if kind in {"u", "U"}:
        return _Strings(array, "i4" if kind == "u" else "i8", owner)
    if kind == "vu":
        return _StringViews(array, owner)
    if kind in _INTEGERS:
        return _Integers(array, _INTEGERS[kind], owner)
    if kind == "n":
        return _Nulls(array, owner)
    rows = array.offset + array.length
    if kind in {"+l", "+L"}:
        ends = _buffer(array, 1, "i4" if kind == "+l" else "i8", rows + 1, owner)
        starts, ends = ends[:-1], ends[1:]
    elif kind in {"+vl", "+vL"}:
        width = "i4" if kind == "+vl" else "i8"
        starts = _buffer(array, 1, width, rows, owner)
        ends = starts + _buffer(array, 2, width, rows, owner)
    elif kind.startswith("+w:"):
        size = int(kind.removeprefix("+w:"))
        starts = np.arange(rows) * size
        ends = starts + size
    else:
        raise InputTypeError(f"{where}: expected texts, got a column of Arrow's type {kind!r}")
    items = _values(array.children[0].contents, schema.children[0].contents, where, owner)
    return _Lists(array, starts, ends, items, owner)


def _buffer(array: Any, number: int, kind: Any, length: int, owner: object) -> NDArray[Any]:
    """Return a buffer of an array as so many items; it is read where it is, and keeps its owner."""
    kind = np.dtype(kind)
    address = array.buffers[number]
    if not address or not length:
        return np.zeros(length, kind)
    content: Any = (ctypes.c_char * (length * kind.itemsize)).from_address(address)
    content.owner = owner
    return np.frombuffer(content, kind)


@_compiled.replaces
def texts_between(characters: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Sequence[str]:
    """Return the texts that begin and end at consecutive offsets; compiled, as PackedTexts of the same buffers.

    Raises UnicodeDecodeError if one is not UTF-8.
    """
    if not len(offsets):
        return []
    first = int(offsets[0])
    content = characters[first : int(offsets[-1])].tobytes()
    places = pairwise((offsets - first).tolist())
    if content.isascii():
        text = content.decode()
        return [text[start:end] for start, end in places]
    return [content[start:end].decode() for start, end in places]


@_compiled.replaces
def texts_of_views(views: NDArray[np.uint8], buffers: Sequence[NDArray[np.uint8]]) -> Sequence[str]:
    """Return the texts of views, of 16 bytes each; compiled, as PackedTexts of a copy.

    Raises UnicodeDecodeError if one is not UTF-8.
    """
    inside = views.reshape(-1, _VIEW.itemsize)[:, 4:].tobytes()
    read = views.view(_VIEW)
    places = zip(*(read[name].tolist() for name in ("length", "buffer", "offset")), strict=True)
    return [
        (inside[at : at + length] if length <= _WITHIN else buffers[buffer][start : start + length].tobytes()).decode()
        for at, (length, buffer, start) in zip(range(0, len(inside), _WITHIN), places, strict=True)
    ]
