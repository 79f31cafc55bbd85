# cython: language_level=3, boundscheck=False, wraparound=False
"""Finds the fields of CSV in UTF-8, without the GIL; what is unusual is left to Python's module ``csv``."""

from array import array

from cpython cimport array as c_array
from libc.string cimport memchr, memmove

from bleukit.framework.packed import PackedTexts

cdef c_array.array PLACES = array("q")

cdef enum:
    CUT_OFF = -1  # in a quoted field
    UNUSUAL = -2


cdef struct Field:
    Py_ssize_t start
    Py_ssize_t end
    bint is_last  # of its row


def fields(bytes content, unsigned char delimiter, Py_ssize_t width):
    """Return the fields of the whole rows at the beginning of CSV, row by row, and how many bytes these rows have.

    Returns None for what may not be proper CSV of ``width`` columns.
    """
    cdef Py_ssize_t length = len(content), most = 1, place = 0, number = 0, rows = 0, read = 0, i
    cdef c_array.array characters = array("B", content), starts, ends
    cdef unsigned char *text = characters.data.as_uchars
    cdef Field found
    with nogil:
        for i in range(length):
            most += text[i] == delimiter or text[i] == c"\n"
    starts, ends = c_array.clone(PLACES, most, False), c_array.clone(PLACES, most, False)
    if memchr(text, 0, length) != NULL:
        return None
    with nogil:
        while 0 <= place < length:
            place = next_field(text, place, length, delimiter, &found)
            if place < 0:
                break
            starts.data.as_longlongs[number] = found.start
            ends.data.as_longlongs[number] = found.end
            number += 1
            if found.is_last:
                rows += 1
                read = place
            if found.is_last and number != rows * width or number > (rows + 1) * width:
                place = UNUSUAL
            if width == 1 and found.start == found.end:  # an empty line has no field, or one that is quoted
                place = UNUSUAL
    if place == UNUSUAL:
        return None
    return PackedTexts(characters, starts[: rows * width], ends[: rows * width]), read


cdef Py_ssize_t next_field(
    unsigned char *text, Py_ssize_t place, Py_ssize_t length, unsigned char delimiter, Field *found
) noexcept nogil:
    """Find the field that begins at a place, and return where the next one does; no quotation mark stays doubled."""
    cdef const unsigned char *mark
    cdef Py_ssize_t end
    found.start = found.end = place
    if text[place] == c'"':
        found.start = found.end = place = place + 1
        while True:
            mark = <const unsigned char *> memchr(text + place, c'"', length - place)
            if mark == NULL:
                return CUT_OFF
            end = mark - text
            if found.end < place:
                memmove(text + found.end, text + place, end - place)
            found.end += end - place
            place = end + 1
            if place == length or text[place] != c'"':
                break
            text[found.end] = c'"'
            found.end += 1
            place += 1
    else:
        while place < length and text[place] != delimiter and text[place] != c"\n" and text[place] != c"\r":
            place += 1
        found.end = place
    found.is_last = place == length or text[place] != delimiter
    if place < length and text[place] == c"\r":
        place += 1
        if place == length or text[place] != c"\n":
            return UNUSUAL
    if place < length and text[place] != delimiter and text[place] != c"\n":
        return UNUSUAL
    return place + (place < length)
