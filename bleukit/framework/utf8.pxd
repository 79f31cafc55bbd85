# UTF-8, checked: no overlong forms, no surrogates, nothing beyond U+10FFFF, nothing beyond the end of the text.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    NOT_UTF8 = 0x110000  # no character has this number


cdef inline unsigned char highest(const unsigned char *characters, Py_ssize_t number) noexcept nogil:
    """Return the highest byte."""
    cdef unsigned char found = 0
    cdef Py_ssize_t i
    for i in range(number):
        found = max(found, characters[i])
    return found


cdef inline bint follows(unsigned char character) noexcept nogil:
    """Return whether a byte is not the first of its character."""
    return character & 0xC0 == 0x80


cdef inline uint32_t next_character(const unsigned char **place, const unsigned char *end) noexcept nogil:
    """Return the character that begins at a place before the end, and move on; NOT_UTF8 if there is none."""
    cdef const unsigned char *here = place[0]
    cdef Py_ssize_t left = end - here
    cdef uint32_t first = here[0], character
    if first < 0x80:
        place[0] += 1
        return first
    if 0xC2 <= first < 0xE0:
        if left >= 2 and follows(here[1]):
            place[0] += 2
            return (first & 0x1F) << 6 | here[1] & 0x3F
    elif 0xE0 <= first < 0xF0:
        if left >= 3 and follows(here[1]) and follows(here[2]):
            character = (first & 0xF) << 12 | (here[1] & 0x3F) << 6 | here[2] & 0x3F
            if character >= 0x800 and not 0xD800 <= character < 0xE000:
                place[0] += 3
                return character
    elif 0xF0 <= first < 0xF5:
        if left >= 4 and follows(here[1]) and follows(here[2]) and follows(here[3]):
            character = (first & 0x7) << 18 | (here[1] & 0x3F) << 12 | (here[2] & 0x3F) << 6 | here[3] & 0x3F
            if 0x10000 <= character < 0x110000:
                place[0] += 4
                return character
    return NOT_UTF8


cdef inline Py_ssize_t valid_bytes(
    const unsigned char *characters, Py_ssize_t length, Py_ssize_t *number
) noexcept nogil:
    """Return how many bytes there are before the first that begins no whole character; put their characters' number."""
    cdef const unsigned char *place = characters
    cdef const unsigned char *end = characters + length
    cdef const unsigned char *before
    cdef uint64_t eight
    cdef Py_ssize_t others = 0  # bytes that are not the first of a character
    while True:
        while end - place >= 8:
            memcpy(&eight, place, 8)
            if eight & <uint64_t> 0x8080808080808080U:
                break
            place += 8
        while place < end and place[0] < 0x80:
            place += 1
        before = place
        if place == end or next_character(&place, end) == NOT_UTF8:
            number[0] = place - characters - others
            return place - characters
        others += place - before - 1
