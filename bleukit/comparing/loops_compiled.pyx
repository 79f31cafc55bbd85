# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The functions of bleukit.comparing.loops, compiled."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    ABREAST = 8  # columns that are added together
    HELD = 32  # bytes of a sample whose tables are in the cache together

ctypedef int32_t[256][ABREAST] Table


def sums_of_chosen(const uint8_t[:, ::1] chosen, const int32_t[:, ::1] rows, int64_t[:, ::1] sums):
    # For each eight rows, which share a byte, a table of the sums of all 256 choices; then a look-up per sample.
    cdef Py_ssize_t number = rows.shape[0], bytes_ = (number + 7) // 8
    cdef Py_ssize_t first, held, start, columns, place, sample, column
    cdef int32_t total[ABREAST]
    cdef const int32_t *sum_of_eight
    cdef Table *tables = <Table *> malloc(HELD * sizeof(Table))
    if tables == NULL:
        raise MemoryError
    for start in range(0, rows.shape[1], 8):
        columns = min(8, rows.shape[1] - start)
        for first in range(0, bytes_, 32):
            held = min(32, bytes_ - first)
            for place in range(held):
                _fill(tables[place], rows, 8 * (first + place), start, columns)
            for sample in range(chosen.shape[0]):
                memset(total, 0, sizeof(total))
                for place in range(held):
                    sum_of_eight = tables[place][chosen[sample, first + place]]
                    for column in range(ABREAST):
                        total[column] += sum_of_eight[column]
                for column in range(columns):
                    sums[start + column, sample] += total[column]
    free(tables)


cdef void _fill(
    Table table, const int32_t[:, ::1] rows, Py_ssize_t first, Py_ssize_t start, Py_ssize_t columns
) noexcept:
    cdef Py_ssize_t bit, row, choice, column
    cdef int32_t value[ABREAST]
    memset(table[0], 0, sizeof(value))
    for bit in range(8):
        row = first + 7 - bit  # the first row is the highest bit
        memset(value, 0, sizeof(value))
        if row < rows.shape[0]:
            for column in range(columns):
                value[column] = rows[row, start + column]
        for choice in range(1 << bit):
            for column in range(ABREAST):
                table[(1 << bit) + choice][column] = table[choice][column] + value[column]


def tally(const int64_t[:, ::1] indices, float[:, ::1] weights):
    cdef Py_ssize_t sample, place
    for sample in range(indices.shape[0]):
        memset(&weights[sample, 0], 0, weights.shape[1] * sizeof(float))
        for place in range(indices.shape[1]):
            weights[sample, indices[sample, place]] += 1
