# cython: language_level=3, boundscheck=False, wraparound=False
"""13a in one pass over the characters, by a table of their classes; ``tokenize_13a`` gives the rules.

What its regular expressions do in their order comes to this. ASCII punctuation but ' , - . is a token of its own. So is
a full stop or comma, except before a digit where a digit stands before it, or a stop that the first of the expressions
took as the second of its pair. So is a dash after a digit. All else goes on until the next whitespace.
"""

from libc.stdint cimport int64_t

from bleukit._packing cimport Character, Output, Text, is_space, pack_texts, put

cdef enum:
    OTHER, SPACE, SYMBOL, STOP, DASH, DIGIT, LESS_THAN, AMPERSAND, LINE_END

cdef unsigned char[128] CLASSES


def _fill_classes():
    for code in range(128):
        character = chr(code)
        CLASSES[code] = (
            {"<": LESS_THAN, "&": AMPERSAND, "\n": LINE_END, "'": OTHER, "-": DASH, ".": STOP, ",": STOP}.get(character)
            or (SPACE if character.isspace() else DIGIT if character.isdigit() else OTHER)
            if character in "<&\n'-.," or character.isalnum() or not character.isprintable() or character == " "
            else SYMBOL
        )


_fill_classes()


cdef bint tokenize(const Text *text, Output *output) noexcept nogil:
    if text.kind == 1:
        return tokenize_characters(<const unsigned char *> text.characters, text, output)
    if text.kind == 2:
        return tokenize_characters(<const unsigned short *> text.characters, text, output)
    return tokenize_characters(<const unsigned int *> text.characters, text, output)


cdef bint tokenize_characters(Character *characters, const Text *text, Output *output) noexcept nogil:
    cdef Py_ssize_t i, length = text.length
    cdef unsigned char *first = output.first
    cdef unsigned char *start = output.character  # of the token that is being written
    cdef unsigned char *out = start
    cdef int64_t *end = output.token_end
    cdef bint after_digit = False, after_taken_stop = False, digit_follows, taken
    cdef unsigned int character
    cdef int kind
    for i in range(length):
        character = characters[i]
        if character >= 128:
            kind = SPACE if is_space(character) else OTHER
        else:
            kind = CLASSES[character]
        if kind == OTHER:
            out = put(out, character)
            after_digit = after_taken_stop = False
            continue
        if kind == DIGIT:
            out[0] = character
            out += 1
            after_digit = True
            after_taken_stop = False
            continue
        taken = False
        if kind == STOP:
            taken = not (after_digit or after_taken_stop)
            digit_follows = i + 1 < length and c"0" <= characters[i + 1] <= c"9"
            if digit_follows and not taken:
                out[0] = character
                out += 1
                after_digit = after_taken_stop = False
                continue
        elif kind == DASH:
            if not after_digit:
                out[0] = character
                out += 1
                after_taken_stop = False
                continue
        elif kind >= LESS_THAN and not text.is_prepared:
            if kind != LESS_THAN or (i + 1 < length and characters[i + 1] == c"s"):
                return False
        if out != start:
            end[0] = out - first
            end += 1
        if kind != SPACE:
            out[0] = character
            out += 1
            end[0] = out - first
            end += 1
        start = out
        after_digit = False
        after_taken_stop = taken
    if out != start:
        end[0] = out - first
        end += 1
    output.character = out
    output.token_end = end
    return True


def tokenize_13a(texts, prepare):
    """Return the tokens of all texts; ``prepare`` does what 13a replaces beforehand, in a text that may need it."""
    return pack_texts(texts, tokenize, prepare)
