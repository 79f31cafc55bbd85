# cython: language_level=3, boundscheck=False, wraparound=False
"""13a and zh in one pass over the characters, by a table of their classes; their functions in Python give the rules.

What the regular expressions do in their order comes to this. ASCII punctuation but ' , - . is a token of its own. So is
a full stop or comma, except before a digit where a digit stands before it, or a stop that the first of the expressions
took as the second of its pair. So is a dash after a digit. All else goes on until the next whitespace. zh makes each
Chinese character a token besides, and knows no space around the text: a stop that begins it counts as one after a
taken stop, and one that ends it as one before a digit.
"""

from libc.stdint cimport int64_t, uint32_t

from bleukit._packing cimport Character, Output, Text, is_space, pack_texts, put

cdef enum:
    OTHER, SPACE, SYMBOL, STOP, DASH, DIGIT, LESS_THAN, AMPERSAND, LINE_END

cdef unsigned char[128] CLASSES
cdef unsigned char[0x10000] IS_CHINESE


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


def learn_chinese(ranges):
    """Learn which characters are Chinese, from ranges as in a regular expression, of characters up to U+FFFF."""
    cdef uint32_t code, last
    for i in range(0, len(ranges), 3):
        code, last = ord(ranges[i]), ord(ranges[i + 2])
        while code <= last:
            IS_CHINESE[code] = True
            code += 1


cdef bint as_13a(const Text *text, Output *output) noexcept nogil:
    return tokenize(text, False, output)


cdef bint as_zh(const Text *text, Output *output) noexcept nogil:
    return tokenize(text, True, output)


cdef inline bint tokenize(const Text *text, bint chinese, Output *output) noexcept nogil:
    if text.kind == 1:
        return tokenize_characters(<const unsigned char *> text.characters, text, chinese, output)
    if text.kind == 2:
        return tokenize_characters(<const unsigned short *> text.characters, text, chinese, output)
    return tokenize_characters(<const unsigned int *> text.characters, text, chinese, output)


cdef inline bint tokenize_characters(
    Character *characters, const Text *text, bint chinese, Output *output
) noexcept nogil:
    cdef Py_ssize_t i, start_of_text = 0, end_of_text = text.length
    cdef unsigned char *first = output.first
    cdef unsigned char *start = output.character  # of the token that is being written
    cdef unsigned char *out = start
    cdef int64_t *end = output.token_end
    cdef bint after_digit = False, after_taken_stop = chinese, stays, taken
    cdef unsigned int character
    cdef int kind
    if chinese:
        while end_of_text > 0 and is_space(characters[end_of_text - 1]):
            end_of_text -= 1
        while start_of_text < end_of_text and is_space(characters[start_of_text]):
            start_of_text += 1
    for i in range(start_of_text, end_of_text):
        character = characters[i]
        if character >= 128:
            kind = SPACE if is_space(character) else OTHER
            if chinese and kind == OTHER and character < 0x10000 and IS_CHINESE[character]:
                kind = SYMBOL
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
            stays = c"0" <= characters[i + 1] <= c"9" if i + 1 < end_of_text else chinese
            if stays and not taken:
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
            if kind != LESS_THAN or (i + 1 < end_of_text and characters[i + 1] == c"s"):
                return False
        if out != start:
            end[0] = out - first
            end += 1
        if kind != SPACE and kind != LINE_END:
            out = put(out, character)
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
    return pack_texts(texts, as_13a, prepare)


def tokenize_zh(texts):
    """Return the tokens of all texts."""
    return pack_texts(texts, as_zh, None)
