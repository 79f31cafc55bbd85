# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Matches of n-grams, clipped or not, exact, segment by segment, in tables no larger than the segment needs.

Order 1: each token of the hypothesis gets a number, equal tokens the same, by a table of their characters; each token
of a reference is looked up there. Order n: an n-gram is known by its first and its last (n-1)-gram, so it gets its
number by a table of pairs of numbers. Only n-grams that match, in the hypothesis and in each reference, are looked at
again one order up, so the work shrinks with the matches, and ends with them. What to keep cannot be predicted:
everything is written, and the next place advances only past tokens that are kept.

No result rests on a hash: tokens are compared by all their characters, pairs by both numbers. Hashing multiplies by
random odd numbers, drawn by each process, so that no input can be made up to collide.
"""

import os
from array import array

from cpython cimport array as c_array
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bleukit.framework.packed import Grouped, grouped, packed
from bleukit.framework.packed_compiled cimport FIRST_IN_NO_TEXT, Buffers, last_of

cdef c_array.array NUMBERS = array("q")
cdef c_array.array SMALL_NUMBERS = array("i")
cdef c_array.array BYTES = array("B")
cdef uint64_t FIRST_FACTOR = int.from_bytes(os.urandom(8), "little") | 1
cdef uint64_t SECOND_FACTOR = int.from_bytes(os.urandom(8), "little") | 1

cdef enum:
    # Bytes that are in no UTF-8, so that a key never is that of another token:
    LONG = FIRST_IN_NO_TEXT       # in the key of a token of more than 16 bytes
    SHORT = FIRST_IN_NO_TEXT + 1  # in place of what follows a token of less

cdef unsigned char[32] COVER
memset(COVER, 0, 16)
memset(COVER + 16, SHORT, 16)

cdef struct Key:
    uint64_t first
    uint64_t second


cdef struct Table:
    # Open addressing; a slot is free if its number is 0.
    int shift              # 64 minus the binary logarithm of the number of slots
    uint64_t last          # slot
    Key *keys              # of tokens, or
    uint64_t *pairs        # of n-grams
    int32_t *numbers       # from 1
    int32_t known          # numbers given so far


cdef struct Ngrams:
    # Those of a text that can still match, in their order.
    int64_t length
    int32_t *positions
    int32_t *numbers


cdef struct Segment:
    # Scratch space, for the longest segment of a batch.
    Table table
    Ngrams hypothesis
    Ngrams *references
    int64_t *token_of       # number to the first token that got it
    uint64_t *pairs
    int32_t *count          # by number, how often: in the hypothesis,
    int32_t *here           # in the reference at hand,
    int32_t *most           # in any reference so far


cdef inline void clear(Table *table, int64_t entries) noexcept nogil:
    """Empty a table, and make it large enough to stay three quarters empty."""
    cdef int bits = 4
    while (<int64_t> 1 << bits) < 4 * entries:
        bits += 1
    table.shift = 64 - bits
    table.last = (<uint64_t> 1 << bits) - 1
    table.known = 0
    memset(table.numbers, 0, sizeof(int32_t) << bits)


cdef inline Key key_of(const unsigned char *characters, int64_t length) noexcept nogil:
    """Return all bytes of a token if they are at most 16; else the first of them, and a hash of the others."""
    cdef const unsigned char *cover = COVER + 16 - min(length, 16)
    cdef Key key = Key(word(characters) | word(cover), word(characters + 8) | word(cover + 8))
    cdef int64_t i
    if length > 16:
        i = 16
        while i < length:
            key.second = mixed(key.second) ^ word(characters + min(i, length - 8))
            i += 8
        key.second = mixed(key.second) & ~<uint64_t> 0xFF | LONG
    return key


cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    """Return another number for each value; the high half depends on all of its bits."""
    value *= FIRST_FACTOR
    return (value ^ value >> 32) * SECOND_FACTOR


cdef inline uint64_t word(const unsigned char *characters) noexcept nogil:
    """Return eight bytes as a number; PADDING follows the last token."""
    cdef uint64_t value
    memcpy(&value, characters, 8)
    return value


cdef inline int32_t number_of_token(
    Segment *segment, const Tokens *tokens, int64_t token, const Tokens *hypotheses, bint add
) noexcept nogil:
    """Return the number of a token, 0 if it is not known and not to be added."""
    cdef Table *table = &segment.table
    cdef int64_t start = tokens.ends[token - 1] if token else 0
    cdef int64_t length = tokens.ends[token] - start
    cdef const unsigned char *characters = tokens.characters + start
    cdef Key key = key_of(characters, length)
    cdef uint64_t mixed = key.first * FIRST_FACTOR
    cdef uint64_t slot = ((mixed ^ mixed >> 32) + key.second) * SECOND_FACTOR >> table.shift
    while table.numbers[slot]:
        if (
            table.keys[slot].first == key.first
            and table.keys[slot].second == key.second
            and (length <= 16 or is_token(hypotheses, segment.token_of[table.numbers[slot]], characters, length))
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


cdef inline bint is_token(
    const Tokens *tokens, int64_t token, const unsigned char *characters, int64_t length
) noexcept nogil:
    """Return whether a token has these characters."""
    cdef int64_t start = tokens.ends[token - 1] if token else 0
    return tokens.ends[token] - start == length and memcmp(tokens.characters + start, characters, length) == 0


cdef inline int32_t number_of_pair(Table *table, uint64_t pair, bint add) noexcept nogil:
    """Return the number of a pair of numbers, 0 if it is not known and not to be added."""
    cdef uint64_t slot = pair * SECOND_FACTOR >> table.shift
    while table.numbers[slot]:
        if table.pairs[slot] == pair:
            return table.numbers[slot]
        slot = (slot + 1) & table.last
    if not add:
        return 0
    table.known += 1
    table.pairs[slot] = pair
    table.numbers[slot] = table.known
    return table.known


cdef inline void number_tokens(
    Segment *segment, Ngrams *ngrams,
    const Tokens *tokens, int64_t start, int64_t stop, const Tokens *hypotheses, bint add,
) noexcept nogil:
    """Number the tokens of a text; leave out those that are not known and not to be added."""
    cdef int64_t token, kept = 0
    cdef int32_t number
    for token in range(start, stop):
        number = number_of_token(segment, tokens, token, hypotheses, add)
        ngrams.positions[kept] = token - start
        ngrams.numbers[kept] = number
        kept += number != 0
    ngrams.length = kept


cdef inline void number_pairs(Segment *segment, Ngrams *ngrams, bint add) noexcept nogil:
    """Make n-grams of neighbours one order below; leave out those that are not known and not to be added."""
    cdef int64_t i, pairs = 0, kept = 0
    cdef int32_t number
    for i in range(ngrams.length - 1):
        segment.pairs[pairs] = <uint64_t> ngrams.numbers[i] << 32 | ngrams.numbers[i + 1]
        ngrams.positions[pairs] = ngrams.positions[i]
        pairs += ngrams.positions[i + 1] == ngrams.positions[i] + 1
    for i in range(pairs):
        number = number_of_pair(&segment.table, segment.pairs[i], add)
        ngrams.positions[kept] = ngrams.positions[i]
        ngrams.numbers[kept] = number
        kept += number != 0
    ngrams.length = kept


cdef inline void keep_matched(Segment *segment, Ngrams *ngrams) noexcept nogil:
    """Leave out n-grams of a hypothesis that no reference has."""
    cdef int64_t i, kept = 0
    for i in range(ngrams.length):
        ngrams.positions[kept] = ngrams.positions[i]
        ngrams.numbers[kept] = ngrams.numbers[i]
        kept += segment.most[ngrams.numbers[i]] != 0
    ngrams.length = kept


cdef inline int64_t count_matches(Segment *segment, int64_t references, bint clip) noexcept nogil:
    """Return how many n-grams of the hypothesis match; fill ``most``."""
    cdef size_t numbers = (segment.table.known + 1) * sizeof(int32_t)
    cdef int64_t matches = 0, i, j
    cdef int32_t number, more
    memset(segment.count, 0, numbers)
    memset(segment.most, 0, numbers)
    for i in range(segment.hypothesis.length):
        segment.count[segment.hypothesis.numbers[i]] += 1
    for j in range(references):
        memset(segment.here, 0, numbers)
        for i in range(segment.references[j].length):
            number = segment.references[j].numbers[i]
            more = segment.here[number] == segment.most[number]
            segment.here[number] += 1
            segment.most[number] += more
            if clip:
                matches += more & (segment.most[number] <= segment.count[number])
            elif more and segment.most[number] == 1:
                matches += segment.count[number]
    return matches


cdef void count_segment(
    Segment *segment,
    const Tokens *hypotheses, int64_t hypothesis, int64_t hypothesis_end,
    const Tokens *references, const int64_t *reference_ends, int64_t reference, int64_t reference_end,
    int max_order, bint clip, int64_t *matches,
) noexcept nogil:
    """Count one segment: its hypothesis' tokens, and its references, each with the tokens up to its end."""
    cdef int64_t i, start, first = tokens_before(reference, reference_ends), number = reference_end - reference
    cdef int order
    memset(matches, 0, max_order * sizeof(int64_t))
    clear(&segment.table, hypothesis_end - hypothesis)
    number_tokens(segment, &segment.hypothesis, hypotheses, hypothesis, hypothesis_end, hypotheses, True)
    for i in range(number):
        start = tokens_before(reference + i, reference_ends)
        segment.references[i].positions = segment.references[0].positions + (start - first)
        segment.references[i].numbers = segment.references[0].numbers + (start - first)
        number_tokens(
            segment, &segment.references[i], references, start, reference_ends[reference + i], hypotheses, False
        )
    for order in range(max_order):
        if order > 0:
            keep_matched(segment, &segment.hypothesis)
            clear(&segment.table, segment.hypothesis.length)
            number_pairs(segment, &segment.hypothesis, True)
            for i in range(number):
                number_pairs(segment, &segment.references[i], False)
        matches[order] = count_matches(segment, number, clip)
        if matches[order] == 0:
            return


cdef inline int64_t tokens_before(int64_t reference, const int64_t *reference_ends) noexcept nogil:
    return reference_ends[reference - 1] if reference else 0


def count_batch(hypotheses, references, int max_order, *, bint clip=True, int64_t least_total=0):
    """Compiled counterpart of bleukit.bleu.ngrams.count_batch. The GIL is released while counting."""
    references = grouped(references)
    cdef Buffers hypothesis_buffers = Buffers(packed(hypotheses)), reference_buffers = Buffers(packed(references.items))
    cdef const int64_t[::1] group_ends = references.ends
    cdef int64_t segments = hypothesis_buffers.text_ends.shape[0]
    if group_ends.shape[0] != segments:
        raise ValueError(f"{segments} hypotheses but {group_ends.shape[0]} groups of references")
    if last_of(group_ends) != reference_buffers.text_ends.shape[0]:
        raise ValueError(f"groups up to reference {last_of(group_ends)} of {reference_buffers.text_ends.shape[0]}")
    if max_order < 1:
        raise ValueError(f"max_order: expected at least 1, got {max_order}")
    if segments == 0:
        return [], []
    cdef Tokens hypothesis_tokens = Tokens(&hypothesis_buffers.characters[0], &hypothesis_buffers.token_ends[0])
    cdef Tokens reference_tokens = Tokens(&reference_buffers.characters[0], &reference_buffers.token_ends[0])
    cdef c_array.array matches = c_array.clone(NUMBERS, segments * max_order, False)
    cdef c_array.array totals = c_array.clone(NUMBERS, segments * max_order, False)
    count_texts_into(
        &hypothesis_tokens, &hypothesis_buffers.text_ends[0], segments,
        &reference_tokens, &reference_buffers.text_ends[0], &group_ends[0], 0,
        max_order, clip, least_total, <int64_t *> matches.data.as_voidptr, <int64_t *> totals.data.as_voidptr,
    )
    return tuple(memoryview(side).cast("B").cast("q", (segments, max_order)) for side in (matches, totals))


cdef int count_texts_into(
    const Tokens *hypotheses, const int64_t *hypothesis_ends, int64_t segments,
    const Tokens *references, const int64_t *reference_ends, const int64_t *group_ends, int64_t first_reference,
    int max_order, bint clip, int64_t least_total, int64_t *matches, int64_t *totals,
) except -1:
    """Count the segments of some texts, whose ends fit together; references begin with the text ``first_reference``."""
    cdef int64_t longest = 0, most_in_references = 0, most_references = 1, i, order, length
    cdef int64_t start = 0, group = first_reference, end
    cdef Segment segment
    with nogil:
        for i in range(segments):
            longest = max(longest, hypothesis_ends[i] - start)
            length = tokens_before(group_ends[i], reference_ends) - tokens_before(group, reference_ends)
            most_in_references = max(most_in_references, length)
            most_references = max(most_references, group_ends[i] - group)
            start = hypothesis_ends[i]
            group = group_ends[i]
    if max(longest, most_in_references) >= 2**31 - 1:
        raise OverflowError("a segment has more than two thousand million tokens")
    memory = room_of(&segment, longest, most_in_references, most_references)
    start = 0
    group = first_reference
    with nogil:
        for i in range(segments):
            end = hypothesis_ends[i]
            count_segment(
                &segment, hypotheses, start, end,
                references, reference_ends, group, group_ends[i], max_order, clip, matches + i * max_order,
            )
            for order in range(max_order):
                totals[i * max_order + order] = max(end - start - order, least_total)
            start = end
            group = group_ends[i]
    return 0


cdef c_array.array room_of(Segment *segment, int64_t longest, int64_t most_in_references, int64_t most_references):
    """Return the memory of the scratch space, whose parts are laid out one after the other."""
    cdef int64_t slots = 16, numbers = longest + 1
    while slots < 4 * longest:
        slots *= 2
    cdef c_array.array memory = c_array.clone(
        BYTES,
        slots * (sizeof(Key) + 4)
        + numbers * (8 + 5 * 4)
        + max(longest, most_in_references) * 8
        + most_in_references * 2 * 4
        + most_references * sizeof(Ngrams),
        False,
    )
    segment.table.keys = <Key *> memory.data.as_voidptr
    segment.table.pairs = <uint64_t *> segment.table.keys
    segment.references = <Ngrams *> (segment.table.keys + slots)
    segment.token_of = <int64_t *> (segment.references + most_references)
    segment.pairs = <uint64_t *> (segment.token_of + numbers)
    segment.table.numbers = <int32_t *> (segment.pairs + max(longest, most_in_references))
    segment.count = segment.table.numbers + slots
    segment.here = segment.count + numbers
    segment.most = segment.here + numbers
    segment.hypothesis.positions = segment.most + numbers
    segment.hypothesis.numbers = segment.hypothesis.positions + numbers
    segment.references[0].positions = segment.hypothesis.numbers + numbers
    segment.references[0].numbers = segment.references[0].positions + most_in_references
    return memory


cdef struct Postings:
    # Which references have the k-th occurrence of an n-gram: the id of the first is `ids`, others follow it.
    int32_t *ids            # by number of the n-gram
    int32_t *reference_ids   # by place in the references: the id of what stands there, -1 if no hypothesis has it
    int32_t *begins         # by id, where its references begin,
    int32_t *ends           # and where they end
    int32_t *references


def count_pairs(hypotheses, references, int max_order, *, bint clip=True, int64_t least_total=0):
    """Compiled counterpart of bleukit.bleu.ngrams.count_pairs. The GIL is released while counting.

    For each n-gram of a hypothesis the references that have it as often are listed, so that the work is the number of
    matches. A text compared with itself matches everywhere.
    """
    cdef bint same = references is hypotheses
    hypotheses = packed(hypotheses)
    cdef Buffers hypothesis_buffers = Buffers(hypotheses)
    cdef Buffers reference_buffers = hypothesis_buffers if same else Buffers(packed(references))
    cdef int64_t rows = hypothesis_buffers.text_ends.shape[0], columns = reference_buffers.text_ends.shape[0]
    if max_order < 1:
        raise ValueError(f"max_order: expected at least 1, got {max_order}")
    if rows == 0 or columns == 0:
        lengths = hypotheses.lengths()
        return [[[]] * rows] * max_order, [[max(n - i, least_total) for n in lengths] for i in range(max_order)]
    cdef const int64_t *row_ends = &hypothesis_buffers.text_ends[0]
    cdef const int64_t *column_ends = &reference_buffers.text_ends[0]
    cdef int64_t tokens = row_ends[rows - 1], others = column_ends[columns - 1]
    if max(tokens, others) >= 2**31 - 1:
        raise OverflowError("the texts have more than two thousand million tokens")
    cdef Tokens hypothesis_tokens = Tokens(&hypothesis_buffers.characters[0], &hypothesis_buffers.token_ends[0])
    cdef Tokens reference_tokens = Tokens(&reference_buffers.characters[0], &reference_buffers.token_ends[0])
    cdef c_array.array matches = c_array.clone(SMALL_NUMBERS, max_order * rows * columns, True)  # half of the memory
    cdef c_array.array totals = c_array.clone(NUMBERS, max_order * rows, False)
    cdef int32_t *match = <int32_t *> matches.data.as_voidptr
    cdef int64_t *total = <int64_t *> totals.data.as_voidptr
    cdef Segment segment
    cdef Postings postings
    cdef Ngrams *of_rows
    cdef Ngrams *column_ngrams
    cdef int64_t i, order, length, left
    memory = room_of(&segment, tokens, others, rows + columns), room_of_postings(&postings, tokens, others)
    with nogil:
        column_ngrams, of_rows = segment.references, segment.references + columns
        clear(&segment.table, tokens)
        lay_out(of_rows, rows, row_ends, &segment.hypothesis)
        for i in range(rows):
            number_tokens(
                &segment, &of_rows[i], &hypothesis_tokens, tokens_before(i, row_ends), row_ends[i], &hypothesis_tokens,
                True,
            )
        if same:
            column_ngrams = of_rows
        else:
            lay_out(column_ngrams, columns, column_ends, &segment.references[0])
            for i in range(columns):
                number_tokens(
                    &segment, &column_ngrams[i], &reference_tokens, tokens_before(i, column_ends), column_ends[i],
                    &hypothesis_tokens, False,
                )
        for order in range(max_order):
            if order > 0:
                left = 0
                for i in range(rows):
                    keep_matched(&segment, &of_rows[i])
                    left += of_rows[i].length
                clear(&segment.table, left)
                for i in range(rows):
                    number_pairs(&segment, &of_rows[i], True)
                if not same:
                    for i in range(columns):
                        number_pairs(&segment, &column_ngrams[i], False)
            if segment.table.known == 0:
                break
            list_references(&segment, &postings, of_rows, rows, column_ngrams, columns, clip, 2 if same else 1)
            add_matches(&segment, &postings, of_rows, rows, columns, clip, same, match + order * rows * columns)
        for order in range(max_order):
            for i in range(rows):
                length = row_ends[i] - tokens_before(i, row_ends)
                total[order * rows + i] = max(length - order, least_total)
                if same:
                    match[(order * rows + i) * columns + i] = max(length - order, 0)
    return (
        memoryview(matches).cast("B").cast("i", (max_order, rows, columns)),
        memoryview(totals).cast("B").cast("q", (max_order, rows)),
    )


cdef c_array.array room_of_postings(Postings *postings, int64_t tokens, int64_t others):
    """Return the memory of the postings of any order: of so many tokens of hypotheses, and of references."""
    cdef int64_t most = max(tokens, others)
    cdef c_array.array memory = c_array.clone(SMALL_NUMBERS, 3 * (tokens + 1) + 2 * (most + 1), False)
    postings.ids = <int32_t *> memory.data.as_voidptr
    postings.begins = postings.ids + tokens + 1
    postings.ends = postings.begins + tokens + 1
    postings.reference_ids = postings.ends + tokens + 1
    postings.references = postings.reference_ids + most + 1
    return memory


cdef inline void lay_out(Ngrams *texts, int64_t number, const int64_t *ends, Ngrams *whole) noexcept nogil:
    """Give each text its part of the room for all."""
    cdef int64_t i
    cdef int32_t *positions = whole.positions
    cdef int32_t *numbers = whole.numbers
    for i in range(number):
        texts[i].positions = positions + tokens_before(i, ends)
        texts[i].numbers = numbers + tokens_before(i, ends)


cdef inline void list_references(
    Segment *segment, Postings *postings,
    const Ngrams *hypotheses, int64_t rows, const Ngrams *references, int64_t columns, bint clip, int32_t fewest,
) noexcept nogil:
    """List which references have the k-th occurrence of each n-gram, and set ``most`` where so many have the first."""
    cdef int32_t known = segment.table.known, number, k, ids = 0, entries = 0, size
    cdef int64_t i, j, place = 0
    cdef int32_t *here = segment.here
    cdef int32_t *most = segment.count  # how often a hypothesis has each n-gram at most
    memset(here, 0, (known + 1) * sizeof(int32_t))
    memset(most, 0, (known + 1) * sizeof(int32_t))
    for i in range(rows):
        for j in range(hypotheses[i].length):
            number = hypotheses[i].numbers[j]
            here[number] += 1
            most[number] = max(most[number], here[number])
        for j in range(hypotheses[i].length):
            here[hypotheses[i].numbers[j]] = 0
    for number in range(1, known + 1):
        postings.ids[number] = ids
        if not clip:
            most[number] = 1
        ids += most[number]
    memset(postings.ends, 0, ids * sizeof(int32_t))
    for i in range(columns):
        for j in range(references[i].length):
            number = references[i].numbers[j]
            k = here[number]
            here[number] += 1
            postings.reference_ids[place] = postings.ids[number] + k if k < most[number] else -1
            if k < most[number]:
                postings.ends[postings.ids[number] + k] += 1
            place += 1
        for j in range(references[i].length):
            here[references[i].numbers[j]] = 0
    for number in range(1, known + 1):
        segment.most[number] = postings.ends[postings.ids[number]] >= fewest
    for k in range(ids):
        size = postings.ends[k]
        postings.begins[k] = postings.ends[k] = entries
        entries += size
    place = 0
    for i in range(columns):
        for j in range(references[i].length):
            k = postings.reference_ids[place]
            if k >= 0:
                postings.references[postings.ends[k]] = i
                postings.ends[k] += 1
            place += 1


cdef inline void add_matches(
    Segment *segment, Postings *postings, const Ngrams *hypotheses, int64_t rows, int64_t columns,
    bint clip, bint same, int32_t *matches,
) noexcept nogil:
    """Add one to the matches of each hypothesis with each reference on the lists of its n-grams."""
    cdef int32_t number, k, p
    cdef int64_t i, j
    cdef int32_t *row
    cdef bint once = same and clip  # each text leaves the lists when it is done, so that only later ones are on them
    for i in range(rows):
        row = matches + i * columns
        for j in range(hypotheses[i].length):
            number = hypotheses[i].numbers[j]
            k = postings.ids[number]
            if clip:
                k += segment.here[number]
                segment.here[number] += 1
            postings.begins[k] += once
            for p in range(postings.begins[k], postings.ends[k]):
                row[postings.references[p]] += 1
        for j in range(hypotheses[i].length):
            segment.here[hypotheses[i].numbers[j]] = 0
    if once:
        for i in range(rows):
            for j in range(i + 1, rows):
                matches[j * columns + i] = matches[i * columns + j]


def count_others(texts, int max_order, *, bint clip=True, int64_t least_total=0):
    """Compiled counterpart of bleukit.bleu.ngrams.count_others. The GIL is released while counting.

    An n-gram matches as often as it occurs in that one of the others which has most of it.
    """
    texts = packed(texts)
    cdef Buffers text_buffers = Buffers(texts)
    cdef int64_t number = text_buffers.text_ends.shape[0]
    if max_order < 1:
        raise ValueError(f"max_order: expected at least 1, got {max_order}")
    if number == 0:
        return [], []
    cdef const int64_t *ends = &text_buffers.text_ends[0]
    cdef int64_t tokens = ends[number - 1], left = tokens, i, order, length
    if max(tokens, number) >= 2**30:
        raise OverflowError("the texts have more than a thousand million tokens")
    cdef Tokens characters = Tokens(&text_buffers.characters[0], &text_buffers.token_ends[0])
    cdef c_array.array matches = c_array.clone(NUMBERS, number * max_order, True)
    cdef c_array.array totals = c_array.clone(NUMBERS, number * max_order, False)
    cdef int64_t *match = <int64_t *> matches.data.as_voidptr
    cdef int64_t *total = <int64_t *> totals.data.as_voidptr
    cdef c_array.array holders = c_array.clone(SMALL_NUMBERS, tokens + 1, False)
    cdef int32_t *holder = <int32_t *> holders.data.as_voidptr
    cdef Segment segment
    cdef Ngrams *each
    memory = room_of(&segment, tokens, 1, number)
    with nogil:
        each = segment.references
        lay_out(each, number, ends, &segment.hypothesis)
        for order in range(max_order):
            clear(&segment.table, (left + 1) // 2)
            for i in range(number):
                if order == 0:
                    number_tokens(&segment, &each[i], &characters, tokens_before(i, ends), ends[i], &characters, True)
                else:
                    number_pairs(&segment, &each[i], True)
            find_most(&segment, each, number, holder)
            for i in range(number):
                match[i * max_order + order] = matches_of_others(&segment, &each[i], i, clip, holder)
            left = keep_shared(&segment, each, number)
            if left == 0:
                break
        for i in range(number):
            length = ends[i] - tokens_before(i, ends)
            for order in range(max_order):
                total[i * max_order + order] = max(length - order, least_total)
    return tuple(memoryview(side).cast("B").cast("q", (number, max_order)) for side in (matches, totals))


cdef inline void find_most(Segment *segment, const Ngrams *texts, int64_t number, int32_t *holder) noexcept nogil:
    """Find how often each n-gram is in the text, its holder, that has most of it, and in any other, in ``count``."""
    cdef size_t numbers = (segment.table.known + 1) * sizeof(int32_t)
    cdef int64_t i, j
    cdef int32_t ngram, times
    memset(segment.here, 0, numbers)
    memset(segment.most, 0, numbers)
    memset(segment.count, 0, numbers)
    memset(holder, 0xFF, numbers)
    for i in range(number):
        for j in range(texts[i].length):
            ngram = texts[i].numbers[j]
            segment.here[ngram] += 1
            times = segment.here[ngram]
            if times > segment.most[ngram]:
                if holder[ngram] != i:
                    segment.count[ngram] = segment.most[ngram]
                    holder[ngram] = i
                segment.most[ngram] = times
            elif times > segment.count[ngram] and holder[ngram] != i:
                segment.count[ngram] = times
        forget(segment, &texts[i])


cdef inline int64_t matches_of_others(
    Segment *segment, const Ngrams *text, int32_t number, bint clip, const int32_t *holder
) noexcept nogil:
    """Return how many n-grams of a text match those of the others."""
    cdef int64_t j, matches = 0
    cdef int32_t ngram, most_of_others
    for j in range(text.length):
        ngram = text.numbers[j]
        most_of_others = segment.count[ngram] if holder[ngram] == number else segment.most[ngram]
        matches += segment.here[ngram] < most_of_others
        segment.here[ngram] += clip
    forget(segment, text)
    return matches


cdef inline void forget(Segment *segment, const Ngrams *text) noexcept nogil:
    """Set to 0 how often a text has its n-grams."""
    cdef int64_t j
    for j in range(text.length):
        segment.here[text.numbers[j]] = 0


cdef inline int64_t keep_shared(Segment *segment, Ngrams *texts, int64_t number) noexcept nogil:
    """Leave out n-grams that only one text has, and return how many are left in all texts."""
    cdef int64_t i, left = 0
    memcpy(segment.most, segment.count, (segment.table.known + 1) * sizeof(int32_t))
    for i in range(number):
        keep_matched(segment, &texts[i])
        left += texts[i].length
    return left
