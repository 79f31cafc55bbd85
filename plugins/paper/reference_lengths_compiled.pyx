# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reference-length policies, compiled: the lengths of all segments at once."""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport int64_t, uint64_t

from bleukit.counting.packed import grouped
from bleukit.counting.packed_compiled cimport last_of

cdef c_array.array LENGTHS = array("d")


def closest(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name chooses them."""
    return closest_to(array("q", hypothesis_lengths), grouped(reference_lengths))


def shortest(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name chooses them."""
    return closest_to(array("q", [-(2**63)]) * len(hypothesis_lengths), grouped(reference_lengths))


def longest(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name chooses them."""
    return closest_to(array("q", [2**63 - 1]) * len(hypothesis_lengths), grouped(reference_lengths))


def average(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name takes them."""
    groups = grouped(reference_lengths)
    cdef const int64_t[::1] lengths = array("q", groups.items)
    cdef const int64_t[::1] ends = groups.ends
    require_groups(len(hypothesis_lengths), ends, lengths.shape[0])
    cdef c_array.array means = c_array.clone(LENGTHS, ends.shape[0], False)
    cdef int64_t group, i = 0, start, total
    for group in range(ends.shape[0]):
        start = i
        total = 0
        while i < ends[group]:
            if not -EXACT <= lengths[i] <= EXACT or not -EXACT <= total + lengths[i] <= EXACT:
                return array("d", [sum(one) / len(one) for one in groups])
            total += lengths[i]
            i += 1
        means.data.as_doubles[group] = <double> total / <double> (i - start)
    return means


cdef int64_t EXACT = 2**53  # up to which floats hold all integers


cdef closest_to(const int64_t[::1] targets, groups):
    """Return, for each group of lengths, the one closest to its target; of two equally close, the shorter."""
    cdef const int64_t[::1] lengths = array("q", groups.items)
    cdef const int64_t[::1] ends = groups.ends
    require_groups(targets.shape[0], ends, lengths.shape[0])
    cdef c_array.array chosen = c_array.clone(LENGTHS, ends.shape[0], False)
    cdef int64_t group, i = 0, best
    cdef uint64_t least, here
    for group in range(ends.shape[0]):
        best = lengths[i]
        least = distance(best, targets[group])
        while i < ends[group]:
            here = distance(lengths[i], targets[group])
            if here < least or (here == least and lengths[i] < best):
                best = lengths[i]
                least = here
            i += 1
        chosen.data.as_doubles[group] = best
    return chosen


cdef inline uint64_t distance(int64_t one, int64_t other) noexcept:
    """Return the distance of two numbers, which may be more than int64 holds."""
    return <uint64_t> one - <uint64_t> other if one > other else <uint64_t> other - <uint64_t> one


cdef int require_groups(Py_ssize_t segments, const int64_t[::1] ends, Py_ssize_t lengths) except -1:
    """Raise ValueError unless each segment has a group of one or more lengths."""
    cdef bint are_filled = True
    cdef int64_t start = 0
    cdef Py_ssize_t i
    if ends.shape[0] != segments or last_of(ends) != lengths:
        raise ValueError(f"{ends.shape[0]} groups up to {last_of(ends)}, for {lengths} lengths of {segments} segments")
    for i in range(ends.shape[0]):
        are_filled &= start < ends[i]
        start = ends[i]
    if not are_filled:
        raise ValueError("a segment without a reference")
    return 0
