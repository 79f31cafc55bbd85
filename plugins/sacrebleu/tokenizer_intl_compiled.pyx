# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=False
"""intl in one pass over the characters, by a table of their classes; ``tokenize_intl`` gives the rules.

What its regular expressions do in their order comes to this. A symbol is a token of its own. So is punctuation, except
where it begins the text, or follows a number, or follows punctuation that the first of the expressions took as the
second of its pair, and a number or the end of the text comes next. All else goes on until the next whitespace.
"""

import re
import sys
from array import array

from libc.stdint cimport int64_t
from libc.string cimport memset

from bleukit.counting.packed_compiled cimport Character, Output, Text, is_space, put, text_tokenizer

cdef enum:
    OTHER, SPACE, SYMBOL, PUNCTUATION, NUMBER

cdef unsigned char[0x110000] CLASSES
cdef bint classes_are_filled = False  # read without the GIL, which orders it after what it says


cdef fill_classes():
    """Ask ``regex`` for the class of each character: some 50 ms, paid by those who use intl."""
    global classes_are_filled
    import regex

    codes = array("I", range(0x110000))
    characters = codes.tobytes().decode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass")
    for kind, pattern in (
        (SPACE, re.compile(r"\s+")),
        (SYMBOL, regex.compile(r"\p{S}+")),
        (PUNCTUATION, regex.compile(r"\p{P}+")),
        (NUMBER, regex.compile(r"\p{N}+")),
    ):
        for found in pattern.finditer(characters):
            memset(&CLASSES[<Py_ssize_t> found.start()], kind, found.end() - found.start())
    classes_are_filled = True


def _with_classes(text):
    """Return a text as it is, when the classes of its characters are there."""
    if not classes_are_filled:
        fill_classes()
    return text


cdef bint as_intl(const Text *text, Output *output) noexcept nogil:
    if not classes_are_filled:
        return False
    if text.kind == 1:
        return tokenize_characters(<const unsigned char *> text.characters, text, output)
    if text.kind == 2:
        return tokenize_characters(<const unsigned short *> text.characters, text, output)
    return tokenize_characters(<const unsigned int *> text.characters, text, output)


cdef inline bint tokenize_characters(Character *characters, const Text *text, Output *output) noexcept nogil:
    cdef Py_ssize_t i, length = text.length
    cdef unsigned char *first = output.first
    cdef unsigned char *start = output.character  # of the token that is being written
    cdef unsigned char *out = start
    cdef int64_t *end = output.token_end
    cdef bint after_number = False, after_taken = True, taken
    cdef int kind
    while length > 0 and is_space(characters[length - 1]):
        length -= 1
    for i in range(length):
        kind = CLASSES[characters[i]]
        taken = kind == PUNCTUATION and not (after_number or after_taken)
        if (
            kind == OTHER
            or kind == NUMBER
            or (
                kind == PUNCTUATION
                and not taken
                and (i + 1 == length or CLASSES[characters[i + 1]] == NUMBER)
            )
        ):
            out = put(out, characters[i])
        else:
            if out != start:
                end[0] = out - first
                end += 1
            if kind != SPACE:
                out = put(out, characters[i])
                end[0] = out - first
                end += 1
            start = out
        after_number = kind == NUMBER
        after_taken = taken
    if out != start:
        end[0] = out - first
        end += 1
    output.character = out
    output.token_end = end
    return True


tokenize_intl = text_tokenizer(__name__, "tokenize_intl", as_intl, _with_classes, False)
