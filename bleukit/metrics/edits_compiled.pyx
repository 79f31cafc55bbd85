# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What :mod:`bleukit.metrics.edits` defines, without the GIL: words are numbers, and rows of edits hold the beam alone.

A shift changes no row before the first word that it moves, so that the edits after a shift are counted from there; they
are given up as soon as they cannot become fewer than those after the best shift so far. Both are exact.
"""

from array import array

from cpython cimport array as c_array
from libc.math cimport ceil, floor
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from bleukit.framework.packed import packed
from bleukit.framework.packed_compiled cimport Buffers
from bleukit.metrics.words cimport WordTable, longest, number_words, room_for, table_for

cdef c_array.array NUMBERS = array("q")

cdef enum:
    LONGEST_SHIFT = 10
    FARTHEST_SHIFT = 50
    BEAM = 25
    MOST_SHIFTS = 1000  # what has these names in edits.py
    NEVER = 1 << 29     # edits of what is beyond the beam


cdef struct Shift:
    int64_t saved  # edits
    int64_t words
    int64_t start
    int64_t target


cdef struct Pair:
    # A hypothesis and a reference, and room for all that is known of them.
    int32_t *given             # the words of the hypothesis, equal ones with equal numbers
    int32_t *hypothesis        # the same after the shifts that were made
    int32_t *shifted           # the same after another one
    int32_t *reference
    int64_t words
    int64_t reference_words
    # Row i of the edit matrix: the edits that make of the first i words of the hypothesis the first j of the reference,
    # with low[i] <= j < high[i]. Around them, as far as the next row looks, it holds NEVER.
    int32_t **rows
    int64_t *low
    int64_t *high
    int32_t *edits             # of all rows
    int32_t *above             # rows after a shift
    int32_t *below
    int64_t *aligned           # by the words of the reference: the last word of the hypothesis up to there, or -1
    int64_t *errors            # among the first words of the hypothesis
    int64_t *reference_errors
    Shift best
    int64_t tried              # shifts


def fewest_edits(hypotheses, references):
    """Compiled counterpart of bleukit.metrics.edits.fewest_edits."""
    cdef Buffers texts = Buffers(packed(hypotheses)), others = Buffers(packed(references.items))
    cdef const int64_t[::1] groups = references.ends
    cdef int64_t segments = texts.text_ends.shape[0], segment, reference = 0, edits
    if groups.shape[0] != segments or (segments and groups[segments - 1] != others.text_ends.shape[0]):
        raise ValueError(f"{groups.shape[0]} groups of references for {segments} hypotheses")
    cdef int64_t most = longest(texts.text_ends), most_of_others = longest(others.text_ends)
    cdef list kept = []
    cdef WordTable table = table_for(kept, texts)
    cdef Pair pair
    pair.given = <int32_t *> room_for(kept, most, sizeof(int32_t))
    pair.hypothesis = <int32_t *> room_for(kept, most, sizeof(int32_t))
    pair.shifted = <int32_t *> room_for(kept, most, sizeof(int32_t))
    pair.reference = <int32_t *> room_for(kept, most_of_others, sizeof(int32_t))
    pair.above = <int32_t *> room_for(kept, most_of_others + 2, sizeof(int32_t)) + 1
    pair.below = <int32_t *> room_for(kept, most_of_others + 2, sizeof(int32_t)) + 1
    pair.low = <int64_t *> room_for(kept, most + 1, sizeof(int64_t))
    pair.high = <int64_t *> room_for(kept, most + 1, sizeof(int64_t))
    pair.rows = <int32_t **> room_for(kept, most + 1, sizeof(int32_t *))
    pair.aligned = <int64_t *> room_for(kept, most_of_others, sizeof(int64_t))
    pair.errors = <int64_t *> room_for(kept, most + 1, sizeof(int64_t))
    pair.reference_errors = <int64_t *> room_for(kept, most_of_others + 1, sizeof(int64_t))
    # Rows are twice the beam wide, which half the ratio of the lengths may widen; the first and the last are whole.
    pair.edits = <int32_t *> room_for(kept, (2 * BEAM + 4) * most + 5 * most_of_others + 6, sizeof(int32_t))
    cdef c_array.array fewest = c_array.clone(NUMBERS, segments, False)
    cdef int64_t *found = <int64_t *> fewest.data.as_voidptr
    with nogil:
        for segment in range(segments):
            found[segment] = -1
            pair.words = number_words(&table, texts, segment, texts, segment, pair.given)
            while reference < groups[segment]:
                pair.reference_words = number_words(&table, texts, segment, others, reference, pair.reference)
                edits = edits_of(&pair)
                if edits < found[segment] or found[segment] < 0:
                    found[segment] = edits
                reference += 1
    return fewest


cdef int64_t edits_of(Pair *pair) noexcept nogil:
    """Return the edits of a pair."""
    cdef int64_t shifts = 0, row
    cdef int64_t words = pair.words, reference_words = pair.reference_words
    cdef int32_t *other
    if words == 0 or reference_words == 0:
        return words + reference_words
    place_rows(pair)
    memcpy(pair.hypothesis, pair.given, words * sizeof(int32_t))
    for row in range(1, words + 1):
        fill_row(pair, pair.hypothesis, row, pair.rows[row - 1], pair.rows[row])
    pair.tried = 0
    while pair.rows[words][reference_words] and find_shift(pair) and pair.best.saved > 0:
        shifts += 1
        shift_words(pair, &pair.best)
        other = pair.hypothesis
        pair.hypothesis, pair.shifted = pair.shifted, other
        for row in range(min(pair.best.start, pair.best.target) + 1, words + 1):
            fill_row(pair, pair.hypothesis, row, pair.rows[row - 1], pair.rows[row])
    return shifts + pair.rows[words][reference_words]


cdef void place_rows(Pair *pair) noexcept nogil:
    """Place the rows around the diagonal, and fill row 0."""
    cdef double ratio = <double> pair.reference_words / pair.words
    cdef int64_t beam = <int64_t> ceil(ratio / 2 + BEAM) if BEAM < ratio / 2 else BEAM
    cdef int64_t words = pair.words, after = pair.reference_words + 1, row, diagonal
    cdef int32_t *place = pair.edits
    for row in range(words + 1):
        diagonal = <int64_t> floor(row * ratio)
        pair.low[row] = max(0, diagonal - beam)
        pair.high[row] = min(after, diagonal + beam) if 0 < row < words else after
    for row in range(words + 1):
        pair.rows[row] = place + 1 - pair.low[row]
        place = pair.rows[row] + (pair.high[row + 1] if 0 < row < words else after)
    for row in range(after):
        pair.rows[0][row] = row


cdef inline int64_t fill_row(
    Pair *pair, const int32_t *words, int64_t row, const int32_t *above, int32_t *below
) noexcept nogil:
    """Fill a row, given the one above, and return the fewest edits that any path through it can take."""
    cdef int64_t low = pair.low[row], high = pair.high[row], j
    cdef int64_t next_high = pair.high[row + 1] if row < pair.words else high
    cdef int32_t word = words[row - 1], edits = NEVER, least = NEVER
    cdef int32_t *reference = pair.reference
    if low == 0:
        edits = below[0] = above[0] + 1
        least = edits
        low = 1
    else:
        below[low - 1] = NEVER
    for j in range(low, high):
        below[j] = min(above[j - 1] + (word != reference[j - 1]), above[j] + 1)
    for j in range(low, high):
        edits = min(below[j], edits + 1)
        below[j] = edits
        least = min(least, edits)
    for j in range(high, next_high):
        below[j] = NEVER
    return least


cdef void align(Pair *pair) noexcept nogil:
    """Trace the edits back, from the last words to the first, and sum up errors."""
    cdef int64_t i = pair.words, j = pair.reference_words
    cdef int32_t *row
    cdef int32_t *above
    cdef bint differ
    while i or j:
        row = pair.rows[i]
        above = pair.rows[i - 1] if i else NULL
        differ = i == 0 or j == 0 or pair.hypothesis[i - 1] != pair.reference[j - 1]
        if i and j and row[j] == above[j - 1] + differ:
            i -= 1
            j -= 1
            pair.aligned[j] = i
            pair.errors[i + 1] = pair.reference_errors[j + 1] = differ
        elif i and (j == 0 or row[j] == above[j] + 1):
            i -= 1
            pair.errors[i + 1] = 1
        else:
            j -= 1
            pair.aligned[j] = i - 1
            pair.reference_errors[j + 1] = 1
    pair.errors[0] = pair.reference_errors[0] = 0
    for i in range(pair.words):
        pair.errors[i + 1] += pair.errors[i]
    for j in range(pair.reference_words):
        pair.reference_errors[j + 1] += pair.reference_errors[j]


cdef bint find_shift(Pair *pair) noexcept nogil:
    """Put the best shift, which may save nothing; return False if as many as allowed were tried."""
    cdef int64_t start, other, words, offset, target, before
    cdef int64_t most, last = pair.words, last_other = pair.reference_words
    align(pair)
    pair.best = Shift(0, 0, 0, 0)
    for start in range(last):
        for other in range(max(0, start - FARTHEST_SHIFT), min(last_other, start + FARTHEST_SHIFT + 1)):
            most = min(LONGEST_SHIFT, min(last - start, last_other - other))
            for words in range(1, most + 1):
                if pair.hypothesis[start + words - 1] != pair.reference[other + words - 1]:
                    break
                if (
                    pair.errors[start + words] == pair.errors[start]
                    or pair.reference_errors[other + words] == pair.reference_errors[other]
                    or start <= pair.aligned[other] < start + words
                ):
                    continue
                before = -1
                for offset in range(other - 1, other + words):
                    target = pair.aligned[offset] + 1 if offset >= 0 else 0
                    if target != before:
                        try_shift(pair, start, words, target)
                    before = target
                if pair.tried >= MOST_SHIFTS:
                    return False
    return True


cdef void try_shift(Pair *pair, int64_t start, int64_t words, int64_t target) noexcept nogil:
    """Count the edits after a shift, and keep it if it is better than the best.

    It is if it saves more; or as much, and moves more words; or as many, from as far left, to farther left. No shift
    that is tried later starts farther left.
    """
    cdef int64_t first = min(start, target), row, edits_before = pair.rows[pair.words][pair.reference_words]
    cdef int64_t most = edits_before - max(pair.best.saved, 1)
    cdef const int32_t *above = pair.rows[first]
    cdef const Shift *best = &pair.best
    cdef Shift shift = Shift(0, words, start, target)
    pair.tried += 1
    shift_words(pair, &shift)
    for row in range(first + 1, pair.words + 1):
        if fill_row(pair, pair.shifted, row, above, pair.below) > most:
            return
        above = pair.below
        pair.below, pair.above = pair.above, pair.below
    shift.saved = edits_before - above[pair.reference_words]
    if shift.saved > best.saved or (
        shift.saved == best.saved
        and (words > best.words or (words == best.words and start == best.start and target < best.target))
    ):
        pair.best = shift


cdef void shift_words(Pair *pair, const Shift *shift) noexcept nogil:
    """Put the words after a shift; to a place in the run itself, the run goes so many words to the right."""
    cdef int64_t size = sizeof(int32_t), first = shift.start, middle = shift.start + shift.words, last = shift.target
    if last < first:
        first, middle, last = last, first, middle
    elif last <= middle:
        last = min(last + shift.words, pair.words)
    memcpy(pair.shifted, pair.hypothesis, pair.words * size)
    memcpy(pair.shifted + first, pair.hypothesis + middle, (last - middle) * size)
    memcpy(pair.shifted + first + last - middle, pair.hypothesis + first, (middle - first) * size)
