# cython: language_level=3, boundscheck=False, wraparound=False
"""Makes texts of UTF-8 in Arrow's buffers."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    object PyUnicode_DecodeUTF8(const char *content, Py_ssize_t size, const char *errors)

DEF WITHIN = 12  # the bytes of a text that stand in its view


cdef struct View:
    int32_t length
    char start[4]
    int32_t buffer
    int32_t offset


def decoded(const unsigned char[::1] characters, const int64_t[::1] offsets):
    """Return the texts that begin and end at consecutive offsets. Raises UnicodeDecodeError if one is not UTF-8."""
    cdef Py_ssize_t number = max(offsets.shape[0] - 1, 0), i
    cdef int64_t before = 0
    cdef list texts = [None] * number
    cdef const unsigned char *first = NULL
    if characters.shape[0]:
        first = &characters[0]
    for i in range(offsets.shape[0]):
        if offsets[i] < before:
            raise ValueError("offsets that decrease, or begin below 0")
        before = offsets[i]
    if before > characters.shape[0]:
        raise ValueError(f"texts up to byte {before} of {characters.shape[0]}")
    for i in range(number):
        texts[i] = PyUnicode_DecodeUTF8(<const char *> first + offsets[i], offsets[i + 1] - offsets[i], NULL)
    return texts


def decoded_views(const unsigned char[::1] views, buffers):
    """Return the texts of views, of 16 bytes each. Raises UnicodeDecodeError if one is not UTF-8."""
    cdef Py_ssize_t number = views.shape[0] // sizeof(View), i
    cdef list texts = [None] * number
    cdef View view
    cdef const unsigned char[::1] buffer
    cdef int64_t of_buffer = 1 << 40  # none
    for i in range(number):
        memcpy(&view, &views[i * sizeof(View)], sizeof(View))
        if 0 <= view.length <= WITHIN:
            texts[i] = PyUnicode_DecodeUTF8(<const char *> &views[i * sizeof(View) + sizeof(int32_t)], view.length, NULL)
            continue
        if view.buffer != of_buffer:
            if not 0 <= view.buffer < len(buffers):
                raise ValueError(f"a text in buffer {view.buffer} of {len(buffers)}")
            buffer = buffers[view.buffer]
            of_buffer = view.buffer
        if view.length < 0 or view.offset < 0 or view.offset + <int64_t> view.length > buffer.shape[0]:
            raise ValueError(f"a text of {view.length} bytes at byte {view.offset} of {buffer.shape[0]}")
        texts[i] = PyUnicode_DecodeUTF8(<const char *> &buffer[view.offset], view.length, NULL)
    return texts
