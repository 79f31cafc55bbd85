# What a compiled smoothing and a compiled brevity penalty need: one function on one unit.

from libc.math cimport NAN

ctypedef void (*Smoothing)(
    const double *matches, const double *totals, Py_ssize_t orders, double option, double *precisions
) noexcept nogil
"""Writes a precision for each order, NaN for 0/0, of counts that may be fractions; no total is below its matches."""

ctypedef double (*BrevityPenalty)(
    double hypothesis_length, double reference_length, double first_option, double second_option
) noexcept nogil
"""Returns the factor of the score."""


cdef class CompiledSmoothing:
    # The batch method of a smoothing.
    cdef Smoothing function
    cdef double option


cdef class CompiledPenalty:
    # The batch method of a brevity penalty.
    cdef BrevityPenalty function
    cdef double first_option
    cdef double second_option


cdef CompiledSmoothing smoothing_of(Smoothing function, double option)
cdef CompiledPenalty penalty_of(BrevityPenalty function, double first_option, double second_option)


cdef inline bint divide(
    const double *matches, const double *totals, Py_ssize_t orders, double *precisions
) noexcept nogil:
    """Write the matches by the totals, and return whether there is any match."""
    cdef bint any_match = False
    cdef Py_ssize_t order
    for order in range(orders):
        precisions[order] = matches[order] / totals[order] if totals[order] else NAN
        any_match |= matches[order] != 0
    return any_match
