# cython: language_level=3, boundscheck=False, wraparound=False
"""Checks UTF-8, and finds its lines, without the GIL."""

import codecs
from array import array

from cpython cimport array as c_array
from libc.stdint cimport int64_t
from libc.string cimport memchr

from bleukit.framework.packed import PackedTexts
from bleukit.framework.utf8 cimport valid_bytes

cdef c_array.array PLACES = array("q")


def complete(bytes content, bint final):
    """Compiled counterpart of bleukit.reading.files.complete."""
    cdef const unsigned char *first = content
    cdef Py_ssize_t length = len(content), end, characters
    with nogil:
        end = valid_bytes(first, length, &characters)
    if end < length:
        try:
            codecs.utf_8_decode(content[end:], "strict", final)
        except UnicodeDecodeError as error:
            raise UnicodeDecodeError("utf-8", content, end + error.start, end + error.end, error.reason) from None
    return end, characters


def split_lines(bytes content):
    """Compiled counterpart of bleukit.reading.files.split_lines."""
    cdef const unsigned char *first = content
    cdef const unsigned char *line = first
    cdef const unsigned char *end = first + len(content)
    cdef const unsigned char *found
    cdef Py_ssize_t number = not content.endswith(b"\n"), i
    cdef c_array.array starts, ends
    with nogil:
        for i in range(end - line):
            number += line[i] == c"\n"
    starts = c_array.clone(PLACES, number, False)
    ends = c_array.clone(PLACES, number, False)
    with nogil:
        for i in range(number):
            found = <const unsigned char *> memchr(line, c"\n", end - line)
            if found == NULL:
                found = end
            starts.data.as_longlongs[i] = line - first
            ends.data.as_longlongs[i] = found - first - (found < end and found > line and (found - 1)[0] == c"\r")
            line = found + 1
    return PackedTexts(content, starts, ends)
