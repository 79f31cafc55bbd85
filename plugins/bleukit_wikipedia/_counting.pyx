# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Matches of n-grams, clipped or not, exact, segment by segment, in tables no larger than the segment needs.

Order 1: each token of the hypothesis gets a number, equal tokens the same, by a table of their characters; each token
of a reference is looked up there. Order n: an n-gram is known by its first and its last (n-1)-gram, so it gets its
number by a table of pairs of numbers. Only where some reference holds both is a position looked at again, so the work
shrinks with the matches, and ends with them.

No result rests on a hash: tokens are compared by all their characters, pairs by both numbers. Hashing multiplies by
random odd numbers, drawn anew by each process, so that no input can be made up to collide.
"""

import os
from array import array

from cpython cimport array as c_array
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bleukit._packing import packed
from bleukit.packing import grouped

cdef c_array.array NUMBERS = array("q")
cdef uint64_t FIRST_FACTOR = int.from_bytes(os.urandom(8), "little") | 1
cdef uint64_t SECOND_FACTOR = int.from_bytes(os.urandom(8), "little") | 1

cdef struct Tokens:
    const unsigned char *characters
    const int64_t *ends


cdef struct Table:
    # Open addressing; a slot is free where its number is 0.
    int shift              # 64 minus the binary logarithm of the number of slots
    uint64_t last          # slot
    uint64_t *keys
    int32_t *numbers       # from 1
    int32_t known          # numbers given so far


cdef struct Segment:
    # Scratch space, for the longest segment of a batch.
    Table table
    int64_t *token_of       # number to the first token that got it
    int32_t *hypothesis     # the number of the n-gram at each position; 0 where it cannot match
    int32_t *references
    int32_t *count          # by number, how often: in the hypothesis,
    int32_t *here           # in the reference at hand,
    int32_t *most           # in any reference so far,
    int32_t *most_below     # and that at the order below
    void *memory            # that holds it all


cdef inline void clear(Table *table, int64_t entries) noexcept nogil:
    """Empty a table, and make it large enough to stay half empty."""
    cdef int bits = 4
    while (<int64_t> 1 << bits) < 2 * entries:
        bits += 1
    table.shift = 64 - bits
    table.last = (<uint64_t> 1 << bits) - 1
    table.known = 0
    memset(table.numbers, 0, sizeof(int32_t) << bits)


cdef inline uint64_t word(const unsigned char *characters, int64_t length) noexcept nogil:
    """Return up to eight characters as a number; what follows the last token is padded."""
    cdef uint64_t value
    memcpy(&value, characters, 8)
    return value if length >= 8 else value & ((<uint64_t> 1 << 8 * length) - 1)


cdef inline uint64_t key_of(const unsigned char *characters, int64_t length) noexcept nogil:
    """Return a number that is the same for equal tokens."""
    cdef uint64_t key = word(characters, length)
    cdef int64_t i = 8
    while i < length:
        key = (key ^ key >> 31) * FIRST_FACTOR ^ word(characters + i, length - i)
        i += 8
    return key


cdef inline int32_t number_of_token(
    Segment *segment, const Tokens *tokens, int64_t token, const Tokens *hypotheses, bint add
) noexcept nogil:
    """Return the number of a token, 0 where it is not known and not to be added."""
    cdef Table *table = &segment.table
    cdef int64_t start = tokens.ends[token - 1] if token else 0
    cdef int64_t length = tokens.ends[token] - start, other
    cdef const unsigned char *characters = tokens.characters + start
    cdef uint64_t key = key_of(characters, length)
    cdef uint64_t slot = (key ^ length) * SECOND_FACTOR >> table.shift
    while table.numbers[slot]:
        if table.keys[slot] == key:
            other = segment.token_of[table.numbers[slot]]
            start = hypotheses.ends[other - 1] if other else 0
            if hypotheses.ends[other] - start == length and (
                length <= 8 or memcmp(hypotheses.characters + start, characters, length) == 0
            ):
                return table.numbers[slot]
        slot = (slot + 1) & table.last
    if not add:
        return 0
    table.known += 1
    table.keys[slot] = key
    table.numbers[slot] = table.known
    segment.token_of[table.known] = token
    return table.known


cdef inline int32_t number_of_pair(Table *table, int32_t first, int32_t second, bint add) noexcept nogil:
    """Return the number of a pair of numbers, 0 where it is not known and not to be added."""
    cdef uint64_t key = <uint64_t> first << 32 | second
    cdef uint64_t slot = key * SECOND_FACTOR >> table.shift
    while table.numbers[slot]:
        if table.keys[slot] == key:
            return table.numbers[slot]
        slot = (slot + 1) & table.last
    if not add:
        return 0
    table.known += 1
    table.keys[slot] = key
    table.numbers[slot] = table.known
    return table.known


cdef inline void add_to_hypothesis(Segment *segment, int64_t position, int32_t number, int32_t *known) noexcept nogil:
    segment.hypothesis[position] = number
    if number > known[0]:
        known[0] = number
        segment.count[number] = segment.most[number] = segment.here[number] = 0
    segment.count[number] += 1


cdef inline int64_t matches_more(Segment *segment, int32_t number, bint clip) noexcept nogil:
    """Count an n-gram of a reference; return how many matches that adds."""
    segment.here[number] += 1
    if segment.here[number] <= segment.most[number]:
        return 0
    segment.most[number] += 1
    if not clip:
        return segment.count[number] if segment.most[number] == 1 else 0
    return segment.most[number] <= segment.count[number]


cdef inline int64_t tokens_before(int64_t reference, const int64_t *reference_ends) noexcept nogil:
    return reference_ends[reference - 1] if reference else 0


cdef void count_segment(
    Segment *segment,
    const Tokens *hypotheses, int64_t hypothesis, int64_t hypothesis_end,
    const Tokens *references, const int64_t *reference_ends, int64_t reference, int64_t reference_end,
    int max_order, bint clip, int64_t *matches,
) noexcept nogil:
    """Count one segment: its hypothesis' tokens, and its references, each with the tokens up to its end."""
    cdef int64_t length = hypothesis_end - hypothesis
    cdef int64_t first, i, j, start, stop
    cdef int order
    cdef int32_t number, known
    first = tokens_before(reference, reference_ends)
    for order in range(max_order):
        matches[order] = 0
    for order in range(max_order):
        if length <= order:
            return
        segment.most, segment.most_below = segment.most_below, segment.most
        clear(&segment.table, length)
        known = 0
        for i in range(length - order):
            if order == 0:
                number = number_of_token(segment, hypotheses, hypothesis + i, hypotheses, True)
            elif segment.most_below[segment.hypothesis[i]] and segment.most_below[segment.hypothesis[i + 1]]:
                number = number_of_pair(&segment.table, segment.hypothesis[i], segment.hypothesis[i + 1], True)
            else:
                segment.hypothesis[i] = 0
                continue
            add_to_hypothesis(segment, i, number, &known)
        if known == 0:
            return
        for j in range(reference, reference_end):
            start = tokens_before(j, reference_ends) - first
            stop = reference_ends[j] - first - order
            if j > reference:
                memset(segment.here, 0, (known + 1) * sizeof(int32_t))
            for i in range(start, stop):
                if order == 0:
                    number = number_of_token(segment, references, first + i, hypotheses, False)
                elif segment.references[i] and segment.references[i + 1]:
                    number = number_of_pair(&segment.table, segment.references[i], segment.references[i + 1], False)
                else:
                    number = 0
                segment.references[i] = number
                if number:
                    matches[order] += matches_more(segment, number, clip)
        if matches[order] == 0:
            return


cdef int64_t *end(object ends) except *:
    return <int64_t *> (<c_array.array?> ends).data.as_voidptr


cdef Tokens tokens_of(object tokens) except *:
    strings = tokens.items
    return Tokens((<c_array.array?> strings.characters).data.as_uchars, end(strings.ends))


def clipped(hypotheses, references, max_order):
    """Return (matches, totals) of all segments, as the function of that name counts them."""
    return count(hypotheses, references, max_order, True)


def unclipped(hypotheses, references, max_order):
    """Return (matches, totals) of all segments, as the function of that name counts them."""
    return count(hypotheses, references, max_order, False)


def count(hypotheses, references, int max_order, bint clip, int64_t fewest_total=0):
    """Return (matches, totals) of all segments, two int64 arrays of shape (segments, max_order).

    No total is less than ``fewest_total``. The GIL is released while counting.
    """
    hypotheses, references = packed(hypotheses), grouped(references)
    reference_tokens = packed(references.items)
    cdef int64_t segments = len(hypotheses), longest = 0, most_in_references = 0, i, order, length
    cdef Tokens of_hypotheses = tokens_of(hypotheses), of_references = tokens_of(reference_tokens)
    cdef int64_t *hypothesis_ends = end(hypotheses.ends)
    cdef int64_t *reference_ends = end(reference_tokens.ends)
    cdef int64_t *group_ends = end(references.ends)
    cdef c_array.array matches = c_array.clone(NUMBERS, segments * max_order, False)
    cdef c_array.array totals = c_array.clone(NUMBERS, segments * max_order, False)
    cdef int64_t *match = <int64_t *> matches.data.as_voidptr
    cdef int64_t *total = <int64_t *> totals.data.as_voidptr
    cdef int64_t start = 0, group = 0
    cdef Segment segment
    for i in range(segments):
        longest = max(longest, hypothesis_ends[i] - start)
        most_in_references = max(most_in_references, tokens_before(group_ends[i], reference_ends) - group)
        start = hypothesis_ends[i]
        group = tokens_before(group_ends[i], reference_ends)
    if max(longest, most_in_references) >= 2**31 - 1:
        raise OverflowError("a segment has more than two thousand million tokens")
    allocate(&segment, longest, most_in_references)
    start = group = 0
    with nogil:
        for i in range(segments):
            count_segment(
                &segment, &of_hypotheses, start, hypothesis_ends[i],
                &of_references, reference_ends, group, group_ends[i], max_order, clip, match + i * max_order,
            )
            length = hypothesis_ends[i] - start
            for order in range(max_order):
                total[i * max_order + order] = max(length - order, fewest_total)
            start = hypothesis_ends[i]
            group = group_ends[i]
    PyMem_Free(segment.memory)
    return tuple(memoryview(side).cast("B").cast("q", (segments, max_order)) for side in (matches, totals))


cdef int allocate(Segment *segment, int64_t longest, int64_t most_in_references) except -1:
    """Lay the parts of the scratch space out one after the other."""
    cdef int64_t slots = 16, numbers = longest + 1
    while slots < 2 * longest:
        slots *= 2
    segment.memory = PyMem_Malloc(12 * slots + 28 * numbers + 4 * most_in_references)
    if segment.memory == NULL:
        raise MemoryError
    segment.table.keys = <uint64_t *> segment.memory
    segment.token_of = <int64_t *> (segment.table.keys + slots)
    segment.table.numbers = <int32_t *> (segment.token_of + numbers)
    segment.hypothesis = segment.table.numbers + slots
    segment.count = segment.hypothesis + numbers
    segment.here = segment.count + numbers
    segment.most = segment.here + numbers
    segment.most_below = segment.most + numbers
    segment.references = segment.most_below + numbers
    segment.most[0] = segment.most_below[0] = 0
    return 0
