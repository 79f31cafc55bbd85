# Memory for numbers; and numbers of words, equal ones with equal numbers.

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset

from bleukit.framework.packed_compiled cimport Buffers, is_space


cdef inline void *room_for(list kept, int64_t number, size_t size):
    """Return memory for numbers of a size in bytes; it lives as long as the list, in which it is kept."""
    kept.append(PyByteArray_FromStringAndSize(NULL, number * size))
    return PyByteArray_AS_STRING(kept[-1])


cdef inline int64_t start_of(const int64_t[::1] ends, int64_t place) noexcept nogil:
    return ends[place - 1] if place else 0


cdef inline int64_t longest(const int64_t[::1] text_ends) noexcept nogil:
    """Return how many words the text has that has most."""
    cdef int64_t found = 0, text
    for text in range(text_ends.shape[0]):
        found = max(found, text_ends[text] - start_of(text_ends, text))
    return found


cdef inline uint32_t decoded(const unsigned char **place) noexcept nogil:
    """Return a character of checked UTF-8, or a lone surrogate as UTF-8 would have it, and move on."""
    cdef uint32_t character = place[0][0]
    place[0] += 1
    if character >= 0xC0:
        character &= 0x1F
        while place[0][0] & 0xC0 == 0x80:
            character = (character << 6 | place[0][0] & 0x3F) & 0x1FFFFF  # of four bytes, the first has three bits
            place[0] += 1
    return character


cdef struct WordTable:
    # A hash table of the words of a hypothesis.
    int32_t *numbers  # more than words, 0 if empty
    int bits          # of how many there are
    uint64_t factor   # odd, and random so that no input can be made up to collide


cdef inline WordTable table_for(list kept, Buffers hypotheses):
    """Return a table for the longest hypothesis."""
    from os import urandom

    cdef WordTable table = WordTable(NULL, 1, int.from_bytes(urandom(8), "little") | 1)
    while (<int64_t> 1 << table.bits) < 2 * longest(hypotheses.text_ends):
        table.bits += 1
    table.numbers = <int32_t *> room_for(kept, <int64_t> 1 << table.bits, sizeof(int32_t))
    return table


cdef inline int64_t number_words(
    WordTable *table, Buffers hypotheses, int64_t hypothesis, Buffers texts, int64_t text, int32_t *numbers
) noexcept nogil:
    """Number the words of a hypothesis, or then of its references, and return how many there are.

    The number is where the word is first in the hypothesis, from 1, or 0 if it is not there. White space is no word.
    """
    cdef bint adds = texts is hypotheses
    cdef int64_t first = start_of(hypotheses.text_ends, hypothesis), words = 0, word, start, length, other, i
    cdef uint64_t last = (<uint64_t> 1 << table.bits) - 1, slot
    cdef const unsigned char *characters
    cdef const unsigned char *place
    cdef uint32_t opening
    if adds:
        memset(table.numbers, 0, sizeof(int32_t) << table.bits)
    for word in range(start_of(texts.text_ends, text), texts.text_ends[text]):
        start = start_of(texts.token_ends, word)
        length = texts.token_ends[word] - start
        place = characters = &texts.characters[start]
        opening = decoded(&place)
        if is_space(opening):
            continue
        slot = 0
        for i in range(length):
            slot = (slot ^ characters[i]) * table.factor
        slot >>= 64 - table.bits
        while table.numbers[slot]:
            i = first + table.numbers[slot] - 1
            other = start_of(hypotheses.token_ends, i)
            if hypotheses.token_ends[i] - other == length and not memcmp(
                &hypotheses.characters[other], characters, length
            ):
                break
            slot = (slot + 1) & last
        if adds and table.numbers[slot] == 0:
            table.numbers[slot] = word - first + 1
        numbers[words] = table.numbers[slot]
        words += 1
    return words
