# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reference-length policies, compiled: the functions of these names in Python give the rules."""

from libc.math cimport NAN
from libc.stdint cimport INT64_MAX, INT64_MIN, int64_t, uint64_t

from bleukit.counting.direct_compiled cimport length_policy

cdef int64_t EXACT = 2**53  # up to which floats hold all integers


cdef double closest_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    """Return the closest length; of two equally close, the shorter."""
    cdef int64_t best = lengths[0]
    cdef uint64_t least = distance(best, hypothesis_length), here
    cdef Py_ssize_t i
    for i in range(1, number):
        here = distance(lengths[i], hypothesis_length)
        if here < least or (here == least and lengths[i] < best):
            best = lengths[i]
            least = here
    return best


cdef inline uint64_t distance(int64_t one, int64_t other) noexcept nogil:
    """Return the distance of two numbers, which may be more than int64 holds."""
    return <uint64_t> one - <uint64_t> other if one > other else <uint64_t> other - <uint64_t> one


cdef double shortest_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    return closest_length(INT64_MIN, lengths, number)


cdef double longest_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    return closest_length(INT64_MAX, lengths, number)


cdef double average_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    cdef int64_t total = 0
    cdef Py_ssize_t i
    for i in range(number):
        if not -EXACT <= lengths[i] <= EXACT or not -EXACT <= total + lengths[i] <= EXACT:
            return NAN
        total += lengths[i]
    return <double> total / <double> number


def _average(hypothesis_length, lengths):
    return sum(lengths) / len(lengths)


closest = length_policy(__name__, "closest", closest_length, None)
shortest = length_policy(__name__, "shortest", shortest_length, None)
longest = length_policy(__name__, "longest", longest_length, None)
average = length_policy(__name__, "average", average_length, _average)
