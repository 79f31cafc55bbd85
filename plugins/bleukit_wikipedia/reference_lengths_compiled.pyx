# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reference-length policies, compiled: the lengths of all segments at once."""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport int64_t
from libc.stdlib cimport llabs

from bleukit.counting.packed import grouped

cdef c_array.array LENGTHS = array("d")


def closest(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name chooses them."""
    return closest_to(array("q", hypothesis_lengths), reference_lengths)


def shortest(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name chooses them."""
    return closest_to(array("q", [0]) * len(hypothesis_lengths), reference_lengths)


def longest(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name chooses them."""
    return closest_to(array("q", [2**62]) * len(hypothesis_lengths), reference_lengths)


def average(hypothesis_lengths, reference_lengths):
    """Return the effective reference lengths, as the function of that name takes them."""
    reference_lengths = grouped(reference_lengths)
    cdef const int64_t[:] lengths = array("q", reference_lengths.items)
    cdef const int64_t[:] ends = reference_lengths.ends
    cdef c_array.array means = c_array.clone(LENGTHS, len(ends), False)
    cdef double *mean = means.data.as_doubles
    cdef int64_t group, i = 0, start, total
    with nogil:
        for group in range(ends.shape[0]):
            start = i
            total = 0
            while i < ends[group]:
                total += lengths[i]
                i += 1
            mean[group] = <double> total / <double> (i - start)
    return means


cdef closest_to(const int64_t[:] targets, reference_lengths):
    """Return, for each group of lengths, the one closest to its target; of two equally close, the shorter."""
    reference_lengths = grouped(reference_lengths)
    cdef const int64_t[:] lengths = array("q", reference_lengths.items)
    cdef const int64_t[:] ends = reference_lengths.ends
    cdef c_array.array chosen = c_array.clone(LENGTHS, len(ends), False)
    cdef double *chosen_length = chosen.data.as_doubles
    cdef int64_t group, i = 0, distance, best, shortest_distance
    with nogil:
        for group in range(ends.shape[0]):
            best = lengths[i]
            shortest_distance = llabs(best - targets[group])
            while i < ends[group]:
                distance = llabs(lengths[i] - targets[group])
                if distance < shortest_distance or (distance == shortest_distance and lengths[i] < best):
                    best = lengths[i]
                    shortest_distance = distance
                i += 1
            chosen_length[group] = best
    return chosen
