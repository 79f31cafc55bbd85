# What a compiled reference-length policy needs: one function on one segment; and the counts of one segment.

from libc.stdint cimport int64_t

ctypedef double (*ReferenceLength)(int64_t hypothesis_length, const int64_t *lengths, Py_ssize_t number) noexcept nogil
"""Returns the effective length, given at least one."""


cdef class LengthPolicy:
    # The batch method of a reference-length policy, with a name in its module, by which it is pickled.
    cdef str module
    cdef str name
    cdef ReferenceLength function


cdef LengthPolicy length_policy(str module, str name, ReferenceLength function)


cdef enum:
    MOST_ORDERS = 16  # that the formula takes


cdef class SegmentCounts:
    # A row of statistics, of one segment.
    cdef int64_t hypothesis_length
    cdef double reference_length
    cdef int64_t reference_tokens
    cdef int64_t references
    cdef Py_ssize_t orders
    cdef int64_t[MOST_ORDERS] matches
    cdef int64_t[MOST_ORDERS] totals
