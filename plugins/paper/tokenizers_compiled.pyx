# cython: language_level=3, boundscheck=False, wraparound=False
"""``whitespace`` and ``characters``, compiled: a token ends at whitespace, or after each character."""

from libc.stdint cimport int64_t

from bleukit.counting.packed_compiled cimport UTF8, Character, Output, Text, is_space, put, text_tokenizer
from bleukit.counting.utf8 cimport begins_space


cdef inline bint split(
    Character *characters, Py_ssize_t length, bint after_each, Output *output
) noexcept nogil:
    cdef unsigned char *start = output.character  # of the token that is being written
    cdef unsigned char *out = start
    cdef int64_t *end = output.token_end
    cdef Py_ssize_t i
    cdef bint space
    for i in range(length):
        space = is_space(characters[i])
        if not space:
            out = put(out, characters[i])
        if (space or after_each) and out != start:
            end[0] = out - output.first
            end += 1
            start = out
    if out != start:
        end[0] = out - output.first
        end += 1
    output.character = out
    output.token_end = end
    return True


cdef inline bint split_utf8(const unsigned char *characters, Py_ssize_t length, Output *output) noexcept nogil:
    """Split at whitespace; return False, and append nothing, if some is not ASCII."""
    cdef unsigned char *start = output.character
    cdef unsigned char *out = start
    cdef int64_t *end = output.token_end
    cdef Py_ssize_t i
    for i in range(length):
        if characters[i] < 128 and is_space(characters[i]):
            if out != start:
                end[0] = out - output.first
                end += 1
                start = out
        elif characters[i] >= 0xC2 and begins_space(&characters[i], &characters[length]):
            return False
        else:
            out[0] = characters[i]
            out += 1
    if out != start:
        end[0] = out - output.first
        end += 1
    output.character = out
    output.token_end = end
    return True


cdef inline bint split_text(const Text *text, bint after_each, Output *output) noexcept nogil:
    if text.kind == 1:
        return split(<const unsigned char *> text.characters, text.length, after_each, output)
    if text.kind == 2:
        return split(<const unsigned short *> text.characters, text.length, after_each, output)
    return split(<const unsigned int *> text.characters, text.length, after_each, output)


cdef bint split_at_whitespace(const Text *text, Output *output) noexcept nogil:
    if text.kind == UTF8:
        return split_utf8(<const unsigned char *> text.characters, text.length, output)
    return split_text(text, False, output)


cdef bint split_into_characters(const Text *text, Output *output) noexcept nogil:
    return split_text(text, True, output)


whitespace = text_tokenizer(__name__, "whitespace", split_at_whitespace, None, True)
characters = text_tokenizer(__name__, "characters", split_into_characters, None, False)
