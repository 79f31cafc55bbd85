# cython: language_level=3, boundscheck=False, wraparound=False
"""The functions of bleukit.arrays, compiled."""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport int64_t

cdef c_array.array NUMBERS = array("q")


def sums(const int64_t[:] values, Py_ssize_t width):
    cdef c_array.array total = c_array.clone(NUMBERS, width, True)
    cdef int64_t *column = <int64_t *> total.data.as_voidptr
    cdef Py_ssize_t i, j
    for i in range(0, values.shape[0], width):
        for j in range(width):
            column[j] += values[i + j]
    return total.tolist()


def differences(const int64_t[:] ends):
    cdef c_array.array found = c_array.clone(NUMBERS, ends.shape[0], False)
    cdef int64_t *difference = <int64_t *> found.data.as_voidptr
    cdef int64_t start = 0
    cdef Py_ssize_t i
    for i in range(ends.shape[0]):
        difference[i] = ends[i] - start
        start = ends[i]
    return found


def bounded(const int64_t[:] values, const int64_t[:] limits):
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        if values[i] < 0 or values[i] > limits[i]:
            return False
    return True
