# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The formula, compiled: :func:`bleukit.bleu.scoring.geometric_mean` of many units, and the whole way from counts to score.

Both compute step by step what Python computes, so that no bit differs.
"""

from array import array

from cpython cimport array as c_array
from libc.math cimport HUGE_VAL, NAN, exp, isnan, log
from libc.stdint cimport int64_t

from bleukit.bleu.direct_compiled cimport MOST_ORDERS, SegmentCounts

cdef c_array.array FLOATS = array("d")

cdef int64_t EXACT = 2**53  # from here on floats do not hold all integers

cdef double NEEDS_PYTHON = -1  # which is no score

MOST = MOST_ORDERS

cdef class CompiledSmoothing:
    """The batch method of a smoothing, in C."""

    def __call__(self, counts):
        """Return the precisions of each unit."""
        import numpy as np

        cdef const double[:, ::1] matches = np.ascontiguousarray(counts.matches, np.float64)
        cdef const double[:, ::1] totals = np.ascontiguousarray(counts.totals, np.float64)
        cdef Py_ssize_t units = matches.shape[0], orders = matches.shape[1], i
        if totals.shape[0] != units or totals.shape[1] != orders:
            raise ValueError(f"matches of shape {counts.matches.shape}, totals of shape {counts.totals.shape}")
        found = np.empty((units, orders))
        cdef double[:, ::1] precisions = found
        if orders:
            with nogil:
                for i in range(units):
                    self.function(&matches[i, 0], &totals[i, 0], orders, self.option, &precisions[i, 0])
        return found


cdef class CompiledPenalty:
    """The batch method of a brevity penalty, in C."""

    def __call__(self, hypothesis_lengths, reference_lengths):
        """Return the factor of each unit."""
        import numpy as np

        cdef const double[::1] ours = np.ascontiguousarray(hypothesis_lengths, np.float64)
        cdef const double[::1] theirs = np.ascontiguousarray(reference_lengths, np.float64)
        if ours.shape[0] != theirs.shape[0]:
            raise ValueError(f"{ours.shape[0]} hypotheses of {theirs.shape[0]} reference lengths")
        found = np.empty(ours.shape[0])
        cdef double[::1] factors = found
        cdef Py_ssize_t i
        with nogil:
            for i in range(ours.shape[0]):
                factors[i] = self.function(ours[i], theirs[i], self.first_option, self.second_option)
        return found


cdef CompiledSmoothing smoothing_of(Smoothing function, double option):
    """Return a batch method that calls a function, with an option."""
    cdef CompiledSmoothing made = CompiledSmoothing()
    made.function, made.option = function, option
    return made


cdef CompiledPenalty penalty_of(BrevityPenalty function, double first_option, double second_option):
    """Return a batch method that calls a function, with its options."""
    cdef CompiledPenalty made = CompiledPenalty()
    made.function, made.first_option, made.second_option = function, first_option, second_option
    return made


cdef struct Weights:
    double[MOST_ORDERS] by_order
    bint are_of_mean  # they sum to 1


cdef class Mean:
    """The weighted geometric mean of precisions, times the scale.

    ``weigh`` returns the weights and whether they sum to 1, given which orders are undefined.
    """

    cdef Weights all_defined
    cdef Py_ssize_t orders
    cdef bint effective_order
    cdef double scale
    cdef object weigh
    cdef dict known  # the weights by which orders are undefined, a bit of an order; they never change

    def __init__(self, orders, weigh, *, effective_order, scale):
        if not 0 < orders <= MOST_ORDERS:
            raise ValueError(f"expected up to {MOST_ORDERS} orders, got {orders}")
        self.orders, self.weigh, self.effective_order, self.scale = orders, weigh, effective_order, scale
        self.known = {}
        self.put_weights(0, &self.all_defined)

    def of_rows(self, precisions):
        """Return the mean of each row of precisions. Raises OverflowError if one is too large for a float."""
        cdef const double[:, :] rows = precisions
        if rows.shape[1] != self.orders:
            raise ValueError(f"{rows.shape[1]} precisions of {self.orders} orders")
        cdef c_array.array means = c_array.clone(FLOATS, rows.shape[0], False)
        cdef double[MOST_ORDERS] row
        cdef Py_ssize_t i, order
        for i in range(rows.shape[0]):
            for order in range(self.orders):
                row[order] = rows[i, order]
            means.data.as_doubles[i] = self.of(row)
            if isnan(means.data.as_doubles[i]):
                raise OverflowError("math range error")
        return means

    cdef int put_weights(self, int undefined, Weights *weights) except -1:
        """Write the weights, given which orders are undefined."""
        if undefined not in self.known:
            self.known[undefined] = self.weigh([undefined >> order & 1 for order in range(self.orders)])
        by_order, are_of_mean = self.known[undefined]
        for order in range(self.orders):
            weights.by_order[order] = by_order[order]
        weights.are_of_mean = are_of_mean
        return 0

    cdef double of(self, const double *precisions) except? -1:
        """Return the mean of the precisions of a unit; NaN if it is too large for a float."""
        cdef Weights *weights = &self.all_defined
        cdef Weights own
        cdef int undefined = 0
        cdef Py_ssize_t order
        cdef double exponent = 0, largest = 0, weight, value
        cdef bint is_weighed = False
        if self.effective_order:
            for order in range(self.orders):
                undefined |= isnan(precisions[order]) << order
            if undefined:
                weights = &own
                self.put_weights(undefined, weights)
        for order in range(self.orders):
            weight = weights.by_order[order]
            if weight > 0:
                if not precisions[order] > 0:  # which NaN is not
                    return 0
                value = log(self.scale * precisions[order] if weights.are_of_mean else precisions[order])
                exponent += weight * value
                largest = max(largest, precisions[order])
                is_weighed = True
        if not is_weighed:
            return 0
        value = exp(exponent)
        if value == HUGE_VAL and exponent < HUGE_VAL:
            return NAN
        return min(value, self.scale * largest) if weights.are_of_mean else self.scale * value


cdef class Formula:
    """From statistics to scores, of components that are compiled; made by :mod:`bleukit.bleu.bleu`."""

    cdef CompiledSmoothing smoothing
    cdef CompiledPenalty penalty
    cdef Mean mean
    cdef double empty_score

    def __init__(
        self, CompiledSmoothing smoothing not None, CompiledPenalty penalty not None, Mean mean not None, empty_score
    ):
        self.smoothing, self.penalty, self.mean, self.empty_score = smoothing, penalty, mean, empty_score

    def values(
        self, c_array.array hypothesis_length, c_array.array reference_length, c_array.array reference_tokens,
        c_array.array matches, c_array.array totals, Py_ssize_t width,
    ):
        """Return the score of each row; matches and totals have ``width`` numbers a row.

        Returns None if a row needs Python: to refuse it, or because floats do not hold its numbers.
        """
        cdef Py_ssize_t rows = len(hypothesis_length), i
        cdef bint fit = len(reference_length) == len(reference_tokens) == rows and self.mean.orders <= width
        if not fit or not len(matches) == len(totals) == rows * width:
            raise ValueError(f"{len(matches)} matches and {len(totals)} totals of {rows} rows of {width}")
        for counts in (hypothesis_length, reference_tokens, matches, totals):
            if (<c_array.array> counts).ob_descr.typecode != c"q":
                raise ValueError("counts that are not of 64 bits")
        if reference_length.ob_descr.typecode != c"d":
            raise ValueError("lengths that are not floats")
        cdef c_array.array found = c_array.clone(FLOATS, rows, False)
        for i in range(rows):
            found.data.as_doubles[i] = self.value(
                <int64_t> hypothesis_length.data.as_longlongs[i], reference_length.data.as_doubles[i],
                <int64_t> reference_tokens.data.as_longlongs[i],
                <int64_t *> matches.data.as_voidptr + i * width, <int64_t *> totals.data.as_voidptr + i * width,
            )
            if found.data.as_doubles[i] == NEEDS_PYTHON:
                return None
        return found

    def of_segment(self, SegmentCounts counts not None):
        """Return the score of a segment, or None as :meth:`values` does."""
        if self.mean.orders > counts.orders:
            raise ValueError(f"counts of {counts.orders} orders for a score of {self.mean.orders}")
        cdef double score = self.value(
            counts.hypothesis_length, counts.reference_length, counts.reference_tokens, counts.matches, counts.totals
        )
        return None if score == NEEDS_PYTHON else score

    cdef double value(
        self, int64_t hypothesis_length, double reference_length, int64_t reference_tokens,
        const int64_t *matches, const int64_t *totals,
    ) except? -2:
        """Return the score of a row, NEEDS_PYTHON if it needs that."""
        cdef double[MOST_ORDERS] match, total, precisions
        cdef Py_ssize_t order
        cdef double penalty, mean
        for order in range(self.mean.orders):
            if not matches[order] <= totals[order] < EXACT:
                return NEEDS_PYTHON
            match[order] = matches[order]
            total[order] = totals[order]
        if hypothesis_length >= EXACT:
            return NEEDS_PYTHON
        self.smoothing.function(match, total, self.mean.orders, self.smoothing.option, precisions)
        for order in range(self.mean.orders):
            if precisions[order] < 0 or precisions[order] == HUGE_VAL:
                return NEEDS_PYTHON
        penalty = self.penalty.function(
            hypothesis_length, reference_length, self.penalty.first_option, self.penalty.second_option
        )
        mean = self.mean.of(precisions)
        if isnan(mean) or not 0 <= penalty < HUGE_VAL:
            return NEEDS_PYTHON
        return penalty * mean if hypothesis_length or reference_tokens else self.empty_score
