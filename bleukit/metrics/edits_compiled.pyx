# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What :mod:`bleukit.metrics.edits` defines, without the GIL: words are numbers, and rows of edits hold the beam alone.

A shift changes no row before the first word that it moves, so that the edits after a shift are counted from there; they
are given up as soon as they cannot become fewer than those after the best shift so far. Both are exact.
"""

import os
from array import array

from cpython cimport array as c_array
from libc.math cimport ceil, floor
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from bleukit.counting.packed import packed
from bleukit.counting.packed_compiled cimport Buffers
from bleukit.metrics.words cimport bits_for, longest, room_for, slot_of, start_of

cdef c_array.array NUMBERS = array("q")
cdef uint64_t FACTOR = int.from_bytes(os.urandom(8), "little") | 1

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
    int64_t first  # The words from here to the middle change places with those from there to the last.
    int64_t middle
    int64_t last


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
    int64_t room               # for these
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
    cdef int bits = bits_for(most)
    cdef list kept = []
    cdef int32_t *table = <int32_t *> room_for(kept, <int64_t> 1 << bits, sizeof(int32_t))
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
    pair.edits, pair.room = NULL, 0
    cdef c_array.array fewest = c_array.clone(NUMBERS, segments, False)
    cdef int64_t *found = <int64_t *> fewest.data.as_voidptr
    try:
        with nogil:
            for segment in range(segments):
                found[segment] = -1
                pair.words = number_words(&pair, texts, segment, table, bits)
                while reference < groups[segment]:
                    pair.reference_words = look_up_words(&pair, texts, segment, others, reference, table, bits)
                    edits = edits_of(&pair)
                    if edits < 0:
                        raise MemoryError
                    if edits < found[segment] or found[segment] < 0:
                        found[segment] = edits
                    reference += 1
    finally:
        free(pair.edits)
    return fewest


cdef int64_t number_words(Pair *pair, Buffers texts, int64_t text, int32_t *table, int bits) noexcept nogil:
    """Number the words of a hypothesis from 1, by where they first are in it, and return how many there are."""
    cdef int64_t first = start_of(texts.text_ends, text), words = texts.text_ends[text] - first, word
    cdef int32_t *slot
    memset(table, 0, sizeof(int32_t) << bits)
    for word in range(words):
        slot = slot_of(texts, first + word, texts, first, table, bits, FACTOR)
        if slot[0] == 0:
            slot[0] = word + 1
        pair.given[word] = slot[0]
    return words


cdef int64_t look_up_words(
    Pair *pair, Buffers texts, int64_t text, Buffers others, int64_t other, int32_t *table, int bits
) noexcept nogil:
    """Number the words of a reference as the hypothesis does, 0 if it has them not, and return how many there are."""
    cdef int64_t first = start_of(others.text_ends, other), words = others.text_ends[other] - first, word
    for word in range(words):
        pair.reference[word] = slot_of(others, first + word, texts, start_of(texts.text_ends, text), table, bits, FACTOR)[0]
    return words


cdef int64_t edits_of(Pair *pair) noexcept nogil:
    """Return the edits of a pair; -1 if there is no memory."""
    cdef int64_t shifts = 0, row
    cdef int64_t words = pair.words, reference_words = pair.reference_words
    cdef int32_t *other
    if words == 0 or reference_words == 0:
        return words + reference_words
    if not place_rows(pair):
        return -1
    memcpy(pair.hypothesis, pair.given, words * sizeof(int32_t))
    for row in range(1, words + 1):
        fill_row(pair, pair.hypothesis, row, pair.rows[row - 1], pair.rows[row])
    pair.tried = 0
    while pair.rows[words][reference_words] and find_shift(pair) and pair.best.saved > 0:
        shifts += 1
        shift_words(pair, &pair.best)
        other = pair.hypothesis
        pair.hypothesis, pair.shifted = pair.shifted, other
        for row in range(pair.best.first + 1, words + 1):
            fill_row(pair, pair.hypothesis, row, pair.rows[row - 1], pair.rows[row])
    return shifts + pair.rows[words][reference_words]


cdef bint place_rows(Pair *pair) noexcept nogil:
    """Place the rows around the diagonal, and fill row 0; return False if there is no memory."""
    cdef double ratio = <double> pair.reference_words / pair.words
    cdef int64_t beam = <int64_t> ceil(ratio / 2 + BEAM) if BEAM < ratio / 2 else BEAM
    cdef int64_t words = pair.words, after = pair.reference_words + 1, row, diagonal, needed
    cdef int32_t *place
    needed = 2 * (after + 1)  # of the first row and the last, at most
    for row in range(words + 1):
        diagonal = <int64_t> floor(row * ratio)
        pair.low[row] = max(0, diagonal - beam)
        pair.high[row] = min(after, diagonal + beam) if 0 < row < words else after
        needed += pair.high[row] - pair.low[row - 1] + 1 if row > 1 else 0
    if needed > pair.room:
        place = <int32_t *> realloc(pair.edits, needed * sizeof(int32_t))
        if place == NULL:
            return False
        pair.edits, pair.room = place, needed
    place = pair.edits
    for row in range(words + 1):
        pair.rows[row] = place + 1 - pair.low[row]
        place = pair.rows[row] + (pair.high[row + 1] if 0 < row < words else after)
    for row in range(after):
        pair.rows[0][row] = row
    return True


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
    cdef int64_t start, other, words, aligned
    cdef int64_t most, last = pair.words, last_other = pair.reference_words
    align(pair)
    pair.best.saved = 0
    for start in range(last):
        for other in range(max(0, start - FARTHEST_SHIFT), min(last_other, start + FARTHEST_SHIFT + 1)):
            aligned = pair.aligned[other]
            most = min(LONGEST_SHIFT, min(last - start, last_other - other))
            for words in range(1, most + 1):
                if pair.hypothesis[start + words - 1] != pair.reference[other + words - 1]:
                    break
                if (
                    pair.errors[start + words] == pair.errors[start]
                    or pair.reference_errors[other + words] == pair.reference_errors[other]
                    or start <= aligned < start + words
                ):
                    continue
                try_targets(pair, start, other, words)
                if pair.tried >= MOST_SHIFTS:
                    return False
    return True


cdef void try_targets(Pair *pair, int64_t start, int64_t other, int64_t words) noexcept nogil:
    """Try to shift some words of the hypothesis to where the same words of the reference are, or beside."""
    cdef int64_t offset, target, before = -1
    for offset in range(other - 1, other + words):
        target = pair.aligned[offset] + 1 if offset >= 0 else 0
        if target == before:
            continue
        before = target
        pair.tried += 1
        if target < start:
            try_shift(pair, Shift(0, words, start, target, target, start, start + words))
        elif target > start + words:
            try_shift(pair, Shift(0, words, start, target, start, start + words, target))
        else:
            try_shift(pair, Shift(0, words, start, target, start, start + words, min(words + target, pair.words)))


cdef void try_shift(Pair *pair, Shift shift) noexcept nogil:
    """Count the edits after a shift, and keep it if it is better than the best: it saves more, ..."""
    cdef int64_t row, edits_before = pair.rows[pair.words][pair.reference_words]
    cdef int64_t most = edits_before - max(pair.best.saved, 1)
    cdef const int32_t *above = pair.rows[shift.first]
    shift_words(pair, &shift)
    for row in range(shift.first + 1, pair.words + 1):
        if fill_row(pair, pair.shifted, row, above, pair.below) > most:
            return
        above = pair.below
        pair.below, pair.above = pair.above, pair.below
    shift.saved = edits_before - above[pair.reference_words]
    if is_better(&shift, &pair.best):
        pair.best = shift


cdef inline bint is_better(const Shift *shift, const Shift *best) noexcept nogil:
    """Return whether a shift saves more; or as much, and moves more words; or as many, from farther left, to there."""
    if shift.saved != best.saved or shift.saved <= 0:
        return shift.saved > best.saved
    if shift.words != best.words:
        return shift.words > best.words
    if shift.start != best.start:
        return shift.start < best.start
    return shift.target < best.target


cdef void shift_words(Pair *pair, const Shift *shift) noexcept nogil:
    cdef int64_t size = sizeof(int32_t), moved = shift.last - shift.middle
    memcpy(pair.shifted, pair.hypothesis, pair.words * size)
    memcpy(pair.shifted + shift.first, pair.hypothesis + shift.middle, moved * size)
    memcpy(pair.shifted + shift.first + moved, pair.hypothesis + shift.first, (shift.middle - shift.first) * size)
