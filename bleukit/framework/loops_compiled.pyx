# cython: language_level=3, boundscheck=False, wraparound=False
"""The functions of bleukit.framework.loops, compiled."""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport int64_t, uint64_t

cdef c_array.array NUMBERS = array("q")


def sums(const int64_t[::1] values, Py_ssize_t width):
    if width < 1 or values.shape[0] % width:
        raise ValueError(f"{values.shape[0]} values are no table of {width} columns")
    cdef const int64_t *value = &values[0]
    cdef int64_t one, other, overflow = 0  # negative if there was one: a sum without the sign of both its parts
    cdef Py_ssize_t column, i
    cdef list found = []
    for column in range(width):
        one = 0
        i = column
        while i < values.shape[0]:
            other = <int64_t> (<uint64_t> one + <uint64_t> value[i])
            overflow |= (one ^ other) & (value[i] ^ other)
            one = other
            i += width
        found.append(one)
    if overflow < 0:
        from bleukit.framework import loops as columns  # which imports this module

        return columns.exact_sums(values, width)
    return found


def lengths_from_ends(const int64_t[:] ends):
    cdef c_array.array found = c_array.clone(NUMBERS, ends.shape[0], False)
    cdef int64_t *difference = <int64_t *> found.data.as_voidptr
    cdef int64_t start = 0
    cdef Py_ssize_t i
    for i in range(ends.shape[0]):
        if ends[i] < start:
            raise ValueError(f"ends that decrease, from {start} to {ends[i]}")
        difference[i] = ends[i] - start
        start = ends[i]
    return found


def bounded(const int64_t[:] values, const int64_t[:] limits):
    if values.shape[0] != limits.shape[0]:
        raise ValueError(f"{values.shape[0]} values but {limits.shape[0]} limits")
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        if values[i] < 0 or values[i] > limits[i]:
            return False
    return True


def up_to(Py_ssize_t number):
    number = max(number, 0)
    cdef c_array.array found = c_array.clone(NUMBERS, number, False)
    cdef int64_t *value = <int64_t *> found.data.as_voidptr
    cdef Py_ssize_t i
    for i in range(number):
        value[i] = i + 1
    return found
