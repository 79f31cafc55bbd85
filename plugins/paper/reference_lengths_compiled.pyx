# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reference-length policies, compiled: the functions of these names in Python give the rules."""

from libc.stdint cimport INT64_MAX, int64_t
from libc.stdlib cimport llabs

from bleukit.bleu.direct_compiled cimport length_policy


cdef double closest_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    """Return the closest length; of two equally close, the shorter."""
    cdef int64_t best = lengths[0], least = llabs(best - hypothesis_length), here
    cdef Py_ssize_t i
    for i in range(1, number):
        here = llabs(lengths[i] - hypothesis_length)
        if here < least or (here == least and lengths[i] < best):
            best = lengths[i]
            least = here
    return best


cdef double shortest_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    return closest_length(0, lengths, number)


cdef double longest_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    return closest_length(INT64_MAX, lengths, number)


cdef double average_length(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil:
    cdef int64_t total = 0
    cdef Py_ssize_t i
    for i in range(number):
        total += lengths[i]
    return <double> total / <double> number


closest = length_policy(__name__, "closest", closest_length)
shortest = length_policy(__name__, "shortest", shortest_length)
longest = length_policy(__name__, "longest", longest_length)
average = length_policy(__name__, "average", average_length)
