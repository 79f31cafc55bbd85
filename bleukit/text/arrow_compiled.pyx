# cython: language_level=3, boundscheck=False, wraparound=False
"""Takes UTF-8 in Arrow's buffers for texts, without the GIL, once it is checked."""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from bleukit.counting.packed import PackedTexts
from bleukit.counting.utf8 cimport valid_bytes

DEF WITHIN = 12  # the bytes of a text that stand in its view

cdef c_array.array BYTES = array("B")
cdef c_array.array PLACES = array("q")


cdef struct View:
    int32_t length
    char start[4]
    int32_t buffer
    int32_t offset


cdef int require_utf8(const unsigned char *characters, const int64_t *starts, const int64_t *ends, Py_ssize_t number) except -1:
    """Raise UnicodeDecodeError for the first text that is not UTF-8."""
    cdef Py_ssize_t i, length, counted
    cdef bint are_right = True
    with nogil:
        for i in range(number):
            length = ends[i] - starts[i]
            if valid_bytes(characters + starts[i], length, &counted) < length:
                are_right = False
                break
    if not are_right:
        (characters + starts[i])[:length].decode("utf-8")
    return 0


def texts_between(characters, offsets):
    """Compiled counterpart of bleukit.text.arrow.texts_between."""
    cdef const unsigned char[::1] content = characters
    cdef const int64_t[::1] places = offsets
    cdef Py_ssize_t number = max(places.shape[0] - 1, 0), i
    cdef int64_t before = 0
    for i in range(places.shape[0]):
        if places[i] < before:
            raise ValueError("offsets that decrease, or begin below 0")
        before = places[i]
    if before > content.shape[0]:
        raise ValueError(f"texts up to byte {before} of {content.shape[0]}")
    if number and before:
        require_utf8(&content[0], &places[0], &places[1], number)
    return PackedTexts(characters, offsets[:number], offsets[1 : number + 1])


def texts_of_views(const unsigned char[::1] views, buffers):
    """Compiled counterpart of bleukit.text.arrow.texts_of_views."""
    cdef Py_ssize_t number = views.shape[0] // sizeof(View), i, size = 0
    cdef c_array.array starts = c_array.clone(PLACES, number, False), ends = c_array.clone(PLACES, number, False)
    cdef c_array.array characters
    cdef View view
    cdef const unsigned char *text
    cdef const unsigned char[::1] buffer
    cdef int64_t of_buffer = 1 << 40  # none
    for i in range(number):
        memcpy(&view, &views[i * sizeof(View)], sizeof(View))
        if view.length < 0:
            raise ValueError(f"a text of {view.length} bytes")
        starts.data.as_longlongs[i] = size
        size += view.length
        ends.data.as_longlongs[i] = size
    characters = c_array.clone(BYTES, size, False)
    for i in range(number):
        memcpy(&view, &views[i * sizeof(View)], sizeof(View))
        if view.length <= WITHIN:
            text = &views[i * sizeof(View) + sizeof(int32_t)]
        else:
            if view.buffer != of_buffer:
                if not 0 <= view.buffer < len(buffers):
                    raise ValueError(f"a text in buffer {view.buffer} of {len(buffers)}")
                buffer = buffers[view.buffer]
                of_buffer = view.buffer
            if view.offset < 0 or view.offset + <int64_t> view.length > buffer.shape[0]:
                raise ValueError(f"a text of {view.length} bytes at byte {view.offset} of {buffer.shape[0]}")
            text = &buffer[view.offset]
        if view.length:  # else there may be no buffer
            memcpy(characters.data.as_uchars + starts.data.as_longlongs[i], text, view.length)
    require_utf8(
        characters.data.as_uchars, <const int64_t *> starts.data.as_longlongs, <const int64_t *> ends.data.as_longlongs, number
    )
    return PackedTexts(characters, starts, ends)
