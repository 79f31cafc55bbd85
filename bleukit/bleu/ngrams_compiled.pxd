# The n-gram kernel for compiled code that has tokens in buffers of its own.

from libc.stdint cimport int64_t

cdef struct Tokens:
    const unsigned char *characters
    const int64_t *ends


cdef int count_texts_into(
    const Tokens *hypotheses, const int64_t *hypothesis_ends, int64_t segments,
    const Tokens *references, const int64_t *reference_ends, const int64_t *group_ends, int64_t first_reference,
    int max_order, bint clip, int64_t least_total, int64_t *matches, int64_t *totals,
) except -1
