# What a compiled tokenizer needs: one function on one text, which runs without the GIL, handed to pack_texts.

from libc.stdint cimport int64_t, uint32_t

from bleukit.framework.utf8 cimport next_character

cdef extern from "Python.h":
    bint is_space "Py_UNICODE_ISSPACE" (uint32_t character) noexcept nogil

cdef enum:
    PADDING = 16             # bytes that follow the last token, so that compiled code can read whole words
    FIRST_IN_NO_TEXT = 0xFE  # it and 0xFF are no bytes of UTF-8

ctypedef fused Character:
    const unsigned char
    const unsigned short
    const unsigned int


cdef enum:
    UTF8 = 0

cdef struct Text:
    const void *characters
    Py_ssize_t length
    int kind          # bytes a character: 1, 2 or 4; or UTF8: then length is in bytes
    bint is_prepared  # what the tokenizer replaces beforehand is replaced


cdef inline uint32_t read_character(const Text *text, Py_ssize_t *place) noexcept nogil:
    """Return the character at a place before the end, NOT_UTF8 if there is none, and move on."""
    cdef Py_ssize_t here = place[0]
    cdef const unsigned char *first = <const unsigned char *> text.characters
    cdef const unsigned char *next = first + here
    cdef uint32_t character
    if text.kind == UTF8:
        character = next_character(&next, first + text.length)
        place[0] = next - first
        return character
    place[0] += 1
    if text.kind == 1:
        return first[here]
    if text.kind == 2:
        return (<const unsigned short *> text.characters)[here]
    return (<const unsigned int *> text.characters)[here]


cdef struct Output:
    unsigned char *first      # of all characters, as UTF-8
    unsigned char *character  # where the next one goes
    int64_t *token_end        # where the end of the next token goes


ctypedef bint (*Tokenizer)(const void *own, const Text *text, Output *output) noexcept nogil
"""Appends the tokens of a text; returns False, and appends nothing, if the text must be prepared first.

For UTF8 that means that it must be decoded, and maybe prepared: so does a tokenizer that does not read UTF-8. ``own`` is
what pack_texts is given for it.
"""

cdef object pack_texts(object texts, Tokenizer tokenizer, object prepare, const void *own=*)

cdef tuple buffers_of_texts(object texts, Tokenizer tokenizer, object prepare, const void *own)
cdef tuple buffers_of_tokens(object token_lists)


cdef class TextTokenizer:
    # The batch method of a tokenizer: pack_texts with these arguments.
    cdef Tokenizer tokenizer
    cdef object prepare
    cdef const void *own


cdef class Buffers:
    # Those of PackedTokens: they fit together, and are not resized while this lives.
    cdef const unsigned char[::1] characters
    cdef const int64_t[::1] token_ends
    cdef const int64_t[::1] text_ends


cdef int64_t last_of(const int64_t[::1] ends) except -1 nogil


cdef inline unsigned char *put(unsigned char *character, uint32_t value) noexcept nogil:
    """Write one character as UTF-8, lone surrogates too, and return where the next one goes."""
    if value < 0x80:
        character[0] = value
        return character + 1
    if value < 0x800:
        character[0] = 0xC0 | (value >> 6)
        character[1] = 0x80 | (value & 0x3F)
        return character + 2
    if value < 0x10000:
        character[0] = 0xE0 | (value >> 12)
        character[1] = 0x80 | (value >> 6 & 0x3F)
        character[2] = 0x80 | (value & 0x3F)
        return character + 3
    character[0] = 0xF0 | (value >> 18)
    character[1] = 0x80 | (value >> 12 & 0x3F)
    character[2] = 0x80 | (value >> 6 & 0x3F)
    character[3] = 0x80 | (value & 0x3F)
    return character + 4
