# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""sacreBLEU's smoothings, compiled; the classes in Python give the rules."""

from libc.math cimport NAN

from bleukit.bleu.scoring_compiled cimport divide, smoothing_of


cdef void by_exp(
    const double *matches, const double *totals, Py_ssize_t orders, double option, double *precisions
) noexcept nogil:
    cdef double halved = 1
    cdef Py_ssize_t order
    if divide(matches, totals, orders, precisions):
        for order in range(orders):
            if precisions[order] == 0:
                halved /= 2
                precisions[order] = halved / totals[order]


cdef void by_floor(
    const double *matches, const double *totals, Py_ssize_t orders, double value, double *precisions
) noexcept nogil:
    cdef Py_ssize_t order
    if divide(matches, totals, orders, precisions):
        for order in range(orders):
            if precisions[order] == 0:
                precisions[order] = value / totals[order]


cdef void by_add_k(
    const double *matches, const double *totals, Py_ssize_t orders, double k, double *precisions
) noexcept nogil:
    cdef Py_ssize_t order
    if divide(matches, totals, orders, precisions):
        for order in range(1, orders):
            precisions[order] = (matches[order] + k) / (totals[order] + k) if totals[order] + k else NAN


EXPONENTIAL = smoothing_of(by_exp, 0)


def floor(value):
    """Return the batch method of a smoothing with this option."""
    return smoothing_of(by_floor, value)


def add_k(k):
    """Return the batch method of a smoothing with this option."""
    return smoothing_of(by_add_k, k)
