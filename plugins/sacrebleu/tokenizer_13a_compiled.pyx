# cython: language_level=3, boundscheck=False, wraparound=False
"""13a and zh in one pass over the characters, by a table of their classes; their functions in Python give the rules.

What the regular expressions do in their order comes to this. ASCII punctuation but ' , - . is a token of its own. So is
a full stop or comma, except before a digit where a digit stands before it, or a stop that the first of the expressions
took as the second of its pair. So is a dash after a digit. All else goes on until the next whitespace. zh makes each
Chinese character a token as well, and knows no space around the text: a stop that begins it counts as one after a
taken stop, and one that ends it as one before a digit.
"""

from libc.stdint cimport int64_t, uint32_t

from bleukit.counting.packed_compiled cimport UTF8, Character, Output, Text, is_space, put, text_tokenizer
from bleukit.counting.utf8 cimport begins_space

cdef enum:
    SPACE, WORD, SYMBOL, STOP, DASH, LESS_THAN, AMPERSAND, LINE_END

MARKS = {"'": WORD, ".": STOP, ",": STOP, "-": DASH, "<": LESS_THAN, "&": AMPERSAND, "\n": LINE_END}
cdef unsigned char[256] CLASSES  # of the bytes of UTF-8; SYMBOL if whitespace may begin with one that is not ASCII
cdef unsigned char[0x10000] IS_CHINESE
cdef object prepare_13a = None


def _fill_classes():
    for code in range(128):
        character = chr(code)
        if character in MARKS:
            CLASSES[code] = MARKS[character]
        elif character.isspace():
            CLASSES[code] = SPACE
        else:
            CLASSES[code] = WORD if character.isalnum() or not character.isprintable() else SYMBOL
    for code in range(128, 256):
        CLASSES[code] = WORD
    for code in b"\xc2\xe1\xe2\xe3":
        CLASSES[code] = SYMBOL


_fill_classes()


def learn(ranges, prepare):
    """Take over what the Python module knows.

    ``ranges`` are the characters taken for Chinese, as in a regular expression, up to U+FFFF; ``prepare`` replaces
    entities and marks in a text that may hold some, before 13a tokenizes it. Raises ValueError for a range beyond.
    """
    if any(character > "\uffff" for character in ranges):
        raise ValueError("a range beyond U+FFFF")
    global prepare_13a
    cdef uint32_t code, last
    prepare_13a = prepare
    for i in range(0, len(ranges), 3):
        code, last = ord(ranges[i]), ord(ranges[i + 2])
        while code <= last:
            IS_CHINESE[code] = True
            code += 1


def _prepared_for_13a(text):
    return prepare_13a(text)


cdef bint as_13a(const Text *text, Output *output) noexcept nogil:
    return tokenize(text, False, output)


cdef bint as_zh(const Text *text, Output *output) noexcept nogil:
    return tokenize(text, True, output)


cdef inline bint tokenize(const Text *text, bint chinese, Output *output) noexcept nogil:
    if text.kind == UTF8:
        return tokenize_characters(<const unsigned char *> text.characters, text, False, True, output)
    if text.kind == 1:
        return tokenize_characters(<const unsigned char *> text.characters, text, chinese, False, output)
    if text.kind == 2:
        return tokenize_characters(<const unsigned short *> text.characters, text, chinese, False, output)
    return tokenize_characters(<const unsigned int *> text.characters, text, chinese, False, output)


cdef inline bint is_digit(uint32_t character) noexcept nogil:
    return c"0" <= character <= c"9"


cdef inline bint tokenize_characters(
    Character *characters, const Text *text, bint chinese, bint utf8, Output *output
) noexcept nogil:
    cdef Py_ssize_t i, start_of_text = 0, end_of_text = text.length
    cdef unsigned char *first = output.first
    cdef unsigned char *out = output.character
    cdef int64_t *end = output.token_end
    cdef Py_ssize_t after_taken_stop = 0 if chinese else -1  # the position
    cdef unsigned int character, kind, in_word = False
    cdef bint after_digit, stays
    if chinese:
        while end_of_text > 0 and is_space(characters[end_of_text - 1]):
            end_of_text -= 1
        while start_of_text < end_of_text and is_space(characters[start_of_text]):
            start_of_text += 1
        after_taken_stop = start_of_text
    for i in range(start_of_text, end_of_text):
        character = characters[i]
        kind = CLASSES[character] if utf8 or character < 128 else SYMBOL
        if kind <= WORD:  # most; where words end cannot be predicted, so that sums are quicker than conditions
            end[0] = out - first
            end += in_word & ~kind
            out[0] = character
            out += kind
            in_word = kind
            continue
        if character >= 128 and utf8:
            if begins_space(<const unsigned char *> &characters[i], <const unsigned char *> &characters[end_of_text]):
                return False  # it is easier to find where it ends in characters
            kind = WORD
        elif character >= 128:
            if is_space(character):
                kind = SPACE
            elif not (chinese and character < 0x10000 and IS_CHINESE[character]):
                kind = WORD
        elif kind == STOP:
            after_digit = i > start_of_text and is_digit(characters[i - 1])
            stays = is_digit(characters[i + 1]) if i + 1 < end_of_text else chinese
            if after_digit or i == after_taken_stop:
                kind = WORD if stays else SYMBOL
            else:
                kind = SYMBOL
                after_taken_stop = i + 1
        elif kind == DASH:
            kind = SYMBOL if i > start_of_text and is_digit(characters[i - 1]) else WORD
        elif kind >= LESS_THAN:
            if not text.is_prepared and (kind != LESS_THAN or (i + 1 < end_of_text and characters[i + 1] == c"s")):
                return False
            kind = SPACE if kind == LINE_END else SYMBOL
        if in_word and kind != WORD:
            end[0] = out - first
            end += 1
        in_word = kind == WORD
        if kind != SPACE and utf8:
            out[0] = character
            out += 1
        elif kind != SPACE:
            out = put(out, character)
        if kind == SYMBOL:
            end[0] = out - first
            end += 1
    if in_word:
        end[0] = out - first
        end += 1
    output.character = out
    output.token_end = end
    return True


tokenize_13a = text_tokenizer(__name__, "tokenize_13a", as_13a, _prepared_for_13a, True)
tokenize_zh = text_tokenizer(__name__, "tokenize_zh", as_zh, None, False)
