# Memory for numbers; and numbers of words, by which equal ones are found: in a hash table of 2 ** bits slots, more than
# words, 0 if empty.

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp

from bleukit.counting.packed_compiled cimport Buffers


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


cdef inline int bits_for(int64_t words) noexcept nogil:
    cdef int bits = 1
    while (<int64_t> 1 << bits) < 2 * words:
        bits += 1
    return bits


cdef inline int32_t *slot_of(
    Buffers tokens, int64_t token, Buffers known, int64_t first, int32_t *table, int bits, uint64_t factor
) noexcept nogil:
    """Return where the number of a word is, or goes: it is that of the same word among the known ones after the first.

    The factor is odd, and random so that no input can be made up to collide.
    """
    cdef int64_t start = start_of(tokens.token_ends, token), length = tokens.token_ends[token] - start, i, other
    cdef const unsigned char *characters = &tokens.characters[start]
    cdef uint64_t hashed = 0, last = (<uint64_t> 1 << bits) - 1
    for i in range(length):
        hashed = (hashed ^ characters[i]) * factor
    hashed >>= 64 - bits
    while table[hashed]:
        token = first + table[hashed] - 1
        other = start_of(known.token_ends, token)
        if known.token_ends[token] - other == length and not memcmp(&known.characters[other], characters, length):
            break
        hashed = (hashed + 1) & last
    return table + hashed
