# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The functions of bleukit.pairs.loops, compiled."""

import os

import numpy as np

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

cdef uint64_t FIRST_FACTOR = int.from_bytes(os.urandom(8), "little") | 1
cdef uint64_t SECOND_FACTOR = int.from_bytes(os.urandom(8), "little") | 1

ctypedef fused Count:
    int32_t
    int64_t


cdef struct Kind:
    uint64_t matches
    uint64_t place  # the values of row and column


def distinct(const Count[:, :, ::1] matches, const int64_t[::1] rows, const int64_t[::1] columns):
    # The matches of all orders are packed into one number; if they are too large for that, every pair is of its own.
    cdef int64_t orders = matches.shape[0], height = matches.shape[1], width = matches.shape[2]
    cdef int64_t pairs = height * width, known = 0, i, j, order, pair
    if pairs >= 2**31 - 1:
        raise OverflowError("more than two thousand million pairs")
    if rows.shape[0] != height or columns.shape[0] != width:
        raise ValueError(f"{rows.shape[0]} rows and {columns.shape[0]} columns for matches of {height} and {width}")
    cdef int bits = 64 // max(orders, 1), slots = 4
    cdef uint64_t largest = 0
    for order in range(orders):
        for i in range(height):
            for j in range(width):
                largest |= <uint64_t> matches[order, i, j]
    if bits < 64 and largest >> bits:
        every = np.arange(pairs)
        return every, every
    firsts, numbers = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    cdef int64_t[::1] first = firsts, number = numbers
    while (<int64_t> 1 << slots) < 2 * pairs:
        slots += 1
    cdef uint64_t packed, place, slot, last = (<uint64_t> 1 << slots) - 1
    cdef Kind *kinds = <Kind *> PyMem_Malloc((pairs + 1) * sizeof(Kind) + (sizeof(int32_t) << slots))
    if kinds == NULL:
        raise MemoryError
    cdef int32_t *table = <int32_t *> (kinds + pairs + 1)  # the number of a kind, from 1; 0 in a free slot
    with nogil:
        memset(table, 0, sizeof(int32_t) << slots)
        pair = 0
        for i in range(height):
            for j in range(width):
                packed = 0
                for order in range(orders):
                    packed = packed << (bits if orders > 1 else 0) | <uint64_t> matches[order, i, j]
                place = <uint64_t> rows[i] << 32 | <uint64_t> columns[j]
                slot = packed * FIRST_FACTOR
                slot = ((slot ^ slot >> 32) + place) * SECOND_FACTOR >> (64 - slots)
                while table[slot] and not (kinds[table[slot]].matches == packed and kinds[table[slot]].place == place):
                    slot = (slot + 1) & last
                if not table[slot]:
                    first[known] = pair
                    known += 1
                    table[slot] = known
                    kinds[known] = Kind(packed, place)
                number[pair] = table[slot] - 1
                pair += 1
    PyMem_Free(kinds)
    return firsts[:known], numbers


cdef struct Found:
    int64_t *pairs  # one text after the other
    int64_t number
    int64_t room


def overlapping(
    const int64_t[::1] rows, const int64_t[::1] starts, const int64_t[::1] stops, const int32_t[::1] having,
    const int32_t[::1] numbers, const int64_t[::1] ends, const int64_t[::1] kinds, const int64_t[:, ::1] needed,
):
    cdef int64_t texts = ends.shape[0], i, place, row, other, need
    cdef bint fits = (
        starts.shape[0] == stops.shape[0] == rows.shape[0] and kinds.shape[0] == texts
        and needed.shape[0] == needed.shape[1] and are_ends(ends, numbers.shape[0])
    )
    with nogil:
        for i in range(texts if fits else 0):
            fits = fits and 0 <= kinds[i] < needed.shape[0]
        for i in range(having.shape[0]):
            fits = fits and 0 <= having[i] < texts
        for i in range(rows.shape[0] if fits else 0):
            fits = fits and (rows[i - 1] if i else 0) <= rows[i] < texts and 0 <= starts[i] <= stops[i] <= having.shape[0]
    if not fits:
        raise ValueError("texts, what they have and which are looked up do not fit together")
    cdef Found found = Found(NULL, 0, 0)
    cdef int64_t *last = <int64_t *> PyMem_Malloc((texts + 1) * sizeof(int64_t))  # with which each was paired
    if last == NULL:
        raise MemoryError
    cdef bint enough = True
    with nogil:
        for i in range(texts):
            last[i] = -1
        for i in range(rows.shape[0]):
            row = rows[i]
            for place in range(starts[i], stops[i]):
                other = having[place]
                if last[other] == row:
                    continue
                last[other] = row
                need = needed[kinds[row], kinds[other]]
                if need > 0 and overlap(numbers, ends, row, other, need) >= need:
                    enough = enough and add(&found, row, other)
    PyMem_Free(last)
    pairs = np.empty((found.number, 2), np.int64)
    cdef int64_t[:, ::1] pair = pairs
    for i in range(found.number):
        pair[i, 0], pair[i, 1] = found.pairs[2 * i], found.pairs[2 * i + 1]
    free(found.pairs)
    if not enough:
        raise MemoryError
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


def overlaps(
    const int64_t[::1] ones, const int64_t[::1] others, const int32_t[::1] numbers, const int64_t[::1] ends
):
    cdef int64_t texts = ends.shape[0], i
    cdef bint fits = ones.shape[0] == others.shape[0] and are_ends(ends, numbers.shape[0])
    with nogil:
        for i in range(ones.shape[0] if fits else 0):
            fits = fits and 0 <= ones[i] < texts and 0 <= others[i] < texts
    if not fits:
        raise ValueError("pairs and texts do not fit together")
    found = np.empty(ones.shape[0], np.int64)
    cdef int64_t[::1] number = found
    with nogil:
        for i in range(ones.shape[0]):
            number[i] = overlap(numbers, ends, ones[i], others[i], 0)
    return found


cdef bint are_ends(const int64_t[::1] ends, int64_t last) noexcept nogil:
    """Return whether texts that end there, one after the other, are so long together."""
    cdef int64_t i, before = 0
    for i in range(ends.shape[0]):
        if ends[i] < before:
            return False
        before = ends[i]
    return before == last


cdef inline int64_t overlap(
    const int32_t[::1] numbers, const int64_t[::1] ends, int64_t one, int64_t other, int64_t need
) noexcept nogil:
    """Return how many numbers two texts share; less if that is less than they need."""
    cdef int64_t i = ends[one - 1] if one else 0, j = ends[other - 1] if other else 0, found = 0
    cdef int64_t stop = ends[one], other_stop = ends[other]
    cdef int32_t number, other_number
    while i < stop and j < other_stop and found + min(stop - i, other_stop - j) >= need:
        number, other_number = numbers[i], numbers[j]
        found += number == other_number
        i += number <= other_number
        j += other_number <= number
    return found


cdef inline bint add(Found *found, int64_t one, int64_t other) noexcept nogil:
    """Add a pair; return False if there is no memory for it."""
    cdef int64_t *pairs
    if found.number == found.room:
        pairs = <int64_t *> realloc(found.pairs, (2 * found.room + 64) * 2 * sizeof(int64_t))
        if pairs == NULL:
            return False
        found.pairs = pairs
        found.room = 2 * found.room + 64
    found.pairs[2 * found.number] = one
    found.pairs[2 * found.number + 1] = other
    found.number += 1
    return True
