# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The functions of bleukit.pairs.loops, compiled."""

import os

import numpy as np

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint64_t
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
