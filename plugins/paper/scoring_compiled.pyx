# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""``Unsmoothed`` and ``AddedLengths``, compiled; the classes of these names in Python give the rules."""

from libc.math cimport exp

from bleukit.bleu.scoring_compiled cimport divide, penalty_of, smoothing_of


cdef double factor(
    double hypothesis_length, double reference_length, double added_to_hypothesis, double added_to_reference
) noexcept nogil:
    cdef double c = hypothesis_length + added_to_hypothesis, r = reference_length + added_to_reference
    if c == 0:
        return 0
    return 1 if c >= r else exp(1 - r / c)


cdef void unsmoothed(
    const double *matches, const double *totals, Py_ssize_t orders, double option, double *precisions
) noexcept nogil:
    divide(matches, totals, orders, precisions)


UNSMOOTHED = smoothing_of(unsmoothed, 0)


def added_lengths(added_to_hypothesis, added_to_reference):
    """Return the batch method of a penalty with these options."""
    return penalty_of(factor, added_to_hypothesis, added_to_reference)
