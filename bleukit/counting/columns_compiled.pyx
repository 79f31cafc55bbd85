# cython: language_level=3, boundscheck=False, wraparound=False
"""The functions of bleukit.counting.columns, compiled."""

import math
from array import array

from cpython cimport array as c_array
from libc.math cimport HUGE_VAL, exp, floor, log
from libc.stdint cimport int64_t

cdef c_array.array NUMBERS = array("q")
cdef c_array.array FLOATS = array("d")


def sums(const int64_t[:] values, Py_ssize_t width):
    cdef c_array.array total = c_array.clone(NUMBERS, width, True)
    cdef int64_t *column = <int64_t *> total.data.as_voidptr
    cdef Py_ssize_t i, j = 0
    for i in range(values.shape[0]):
        column[j] += values[i]
        j += 1
        if j == width:
            j = 0
    return total.tolist()


def least(const int64_t[:] values):
    cdef int64_t found = values[0]
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        found = min(found, values[i])
    return found


def greatest(const int64_t[:] values):
    cdef int64_t found = values[0]
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        found = max(found, values[i])
    return found


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


def up_to(Py_ssize_t number):
    cdef c_array.array found = c_array.clone(NUMBERS, number, False)
    cdef int64_t *value = <int64_t *> found.data.as_voidptr
    cdef Py_ssize_t i
    for i in range(number):
        value[i] = i + 1
    return found


def are_lengths(const double[:] values):
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        if not 0 <= values[i] < HUGE_VAL:
            return False
    return True


def total(const double[:] values):
    cdef double whole = 0
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        whole += values[i]
        if values[i] != floor(values[i]) or not -(2.0**53) < whole < 2.0**53:
            return math.fsum(values)
    return whole  # whole numbers of this size add up exactly


def logarithms(const double[:] values):
    cdef c_array.array found = c_array.clone(FLOATS, values.shape[0], False)
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        found.data.as_doubles[i] = log(values[i])
    return found


def exponentials(const double[:] values):
    cdef c_array.array found = c_array.clone(FLOATS, values.shape[0], False)
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        found.data.as_doubles[i] = exp(values[i])
        if found.data.as_doubles[i] == HUGE_VAL and values[i] < HUGE_VAL:
            raise OverflowError("math range error")
    return found
