# cython: language_level=3, boundscheck=False, wraparound=False
"""``WordTokenizer``, compiled; the expressions of that class in Python give the rules.

A text is read character by character. Where an expression puts a space, there is a gap before a character here. The
expressions that read spaces see them, so that the order of the passes is that of the expressions.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free

from bleukit.framework.packed_compiled cimport Output, Text, TextTokenizer, is_space, put, read_character
from bleukit.framework.utf8 cimport NOT_UTF8

cdef extern from "Python.h":
    bint is_alphanumeric "Py_UNICODE_ISALNUM" (uint32_t character) noexcept nogil
    bint is_decimal "Py_UNICODE_ISDECIMAL" (uint32_t character) noexcept nogil

cdef enum:
    EDGE = 2  # characters before and behind a text that can be read, all 0
    OPENING = NOT_UTF8 + 1  # a double quotation mark that becomes two backticks
    CLOSING = NOT_UTF8 + 2  # one that becomes two apostrophes

cdef enum:  # what is in ``gap``
    EARLY = 1  # put before the double quotation marks are read
    LATE = 2

cdef (const char *)[8] ENDINGS = [b"re", b"ve", b"ll", b"m", b"t", b"s", b"d", b"n"]


cdef struct Line:
    uint32_t *character
    unsigned char *gap  # before each character, and at the end
    Py_ssize_t length


cdef bint tokenize(const void *own, const Text *text, Output *output) noexcept nogil:
    cdef Py_ssize_t room = text.length + 2 * EDGE, place = 0
    cdef uint32_t *memory = <uint32_t *> calloc(room, sizeof(uint32_t) + 1)
    cdef Line line = Line(memory + EDGE, <unsigned char *> (memory + room), 0)
    cdef uint32_t character
    cdef bint is_read = memory != NULL
    while is_read and place < text.length:
        character = read_character(text, &place)
        line.character[line.length] = character
        line.length += 1
        if character == c'"' and text.is_prepared:
            place += 1  # the character that makes room for the second of two
        else:
            is_read = character != c'"' and character != NOT_UTF8
    if is_read:
        open_quotations(&line)
        end_sentence(&line)
        set_punctuation_apart(&line)
        set_pairs_apart(&line)
        line.gap[0] = line.gap[line.length] = LATE
        set_endings_apart(&line)
        split_words(&line)
        write(&line, output)
    free(memory)
    return is_read


cdef inline void put_gaps(Line *line, Py_ssize_t first, Py_ssize_t end) noexcept nogil:
    line.gap[first] = line.gap[end] = LATE


cdef inline bint is_word(uint32_t character) noexcept nogil:
    return is_alphanumeric(character) or character == c"_"


cdef inline bint is_blank(const Line *line, Py_ssize_t place) noexcept nogil:
    """Return whether there is white space, a gap or the end of the text at a place."""
    return line.gap[place] or is_space(line.character[place])


cdef inline uint32_t lower(uint32_t character) noexcept nogil:
    """Return what a character is to an expression that ignores case."""
    if c"A" <= character <= c"Z":
        return character + 32
    if character in (0x130, 0x131):  # İ, ı
        return c"i"
    return c"s" if character == 0x17F else character  # ſ


cdef Py_ssize_t matches(const Line *line, Py_ssize_t place, const char *word) noexcept nogil:
    """Return where a word ends that begins at a place, without a gap in it; 0 if it does not begin there."""
    cdef Py_ssize_t i = 0
    while word[i]:
        if lower(line.character[place + i]) != <uint32_t> word[i] or i and line.gap[place + i]:
            return 0
        i += 1
    return place + i


cdef void open_quotations(Line *line) noexcept nogil:
    """Find quotation marks that open: NLTK's STARTING_QUOTES."""
    cdef Py_ssize_t i = 0, end
    cdef uint32_t character
    cdef bint opens
    while i < line.length:
        character = line.character[i]
        end = i + 1
        if character == c"`":
            while line.character[end] == c"`":
                end += 1
            while i < end:
                line.gap[i] = EARLY
                i += 2
            line.gap[end] = EARLY
        elif character in (0xAB, 0x201C, 0x2018, 0x201E):  # «“‘„
            line.gap[i] = line.gap[end] = EARLY
        elif character == c'"' and i == 0:
            line.character[i] = OPENING
            line.gap[end] = EARLY
        elif character == c'"' or character == c"'":
            opens = line.gap[i] == EARLY or line.character[i - 1] in (c" ", c"(", c"[", c"{", c"<")
            if opens and character == c'"':
                line.character[i] = OPENING
                put_gaps(line, i, end)
            elif opens and line.character[end] == c"'":
                line.character[i] = line.character[end] = c"`"
                end += 1
                put_gaps(line, i, end)
            elif character == c"'" and is_word(line.character[end]) and not is_word(line.character[i - 1]):
                if not is_ending(line, end):
                    line.gap[end] = LATE
        i = end


cdef bint is_ending(const Line *line, Py_ssize_t place) noexcept nogil:
    """Return whether a word is one of the endings that follow an apostrophe."""
    cdef Py_ssize_t end = 0
    cdef const char *ending
    for ending in ENDINGS:
        end = matches(line, place, ending)
        if end and not is_word(line.character[end]):
            return True
    return False


cdef void end_sentence(Line *line) noexcept nogil:
    """Set the period apart that ends a text, before marks that close: the first of NLTK's PUNCTUATION."""
    cdef Py_ssize_t i = line.length - 1
    while i > 0 and is_space(line.character[i]):
        i -= 1
    while i > 0 and line.character[i] in (
        c"]", c")", c"}", c">", c'"', c"'", 0xBB, 0x201D, 0x2019, c" "  # »”’
    ):
        i -= 1
    if i > 0 and line.character[i] == c"." and line.character[i - 1] != c".":
        put_gaps(line, i, i + 1)


cdef void set_punctuation_apart(Line *line) noexcept nogil:
    """Set marks apart, and apostrophes before spaces: the rest of PUNCTUATION but for the asterisk."""
    cdef Py_ssize_t i = 0, end, last = line.length - 1
    cdef Py_ssize_t taken = -1  # a comma or colon that an expression has read behind another
    cdef uint32_t character
    while i < line.length:
        character = line.character[i]
        end = i + 1
        if character == c"," or character == c":":
            if i != taken and not is_decimal(line.character[end]):
                put_gaps(line, i, end)
                taken = end
            elif i == last or end == last and line.character[last] == c"\n":
                put_gaps(line, i, end)
        elif character == c".":
            while line.character[end] == c".":
                end += 1
            if end > i + 1:
                put_gaps(line, i, end)
        elif character in (c";", c"@", c"#", c"$", c"%", c"&", c"?", c"!") or 0x2012 <= character <= 0x2015:  # dashes
            put_gaps(line, i, end)
        i = end
    for i in range(1, line.length):
        if line.character[i] == c"'" and (line.gap[i + 1] or line.character[i + 1] == c" "):
            if line.character[i - 1] != c"'":
                line.gap[i] = LATE


cdef void set_pairs_apart(Line *line) noexcept nogil:
    """Set apart what encloses, and double hyphens: the asterisk, PARENS_BRACKETS, DOUBLE_DASHES, some ENDING_QUOTES."""
    cdef Py_ssize_t i = 0, end
    cdef uint32_t character
    while i < line.length:
        character = line.character[i]
        end = i + 1
        if character == c"-" or character == c"'":
            if line.character[end] == character:
                end += 1
                put_gaps(line, i, end)
        elif character == c'"':
            line.character[i] = CLOSING
            put_gaps(line, i, end)
        elif character in (
            c"*", c"]", c"[", c"(", c")", c"{", c"}", c"<", c">", 0xBB, 0x201D, 0x2019  # »”’
        ):
            put_gaps(line, i, end)
        i = end


cdef void set_endings_apart(Line *line) noexcept nogil:
    """Set apart what follows a word from its apostrophe on: the rest of ENDING_QUOTES."""
    cdef Py_ssize_t i, start
    cdef uint32_t first, second
    for i in range(1, line.length):
        first = line.character[i + 1]
        if line.character[i] == c"'" and follows_word(line, i) and (
            is_blank(line, i + 1) or first in (c"s", c"S", c"m", c"M", c"d", c"D") and is_blank(line, i + 2)
        ):
            line.gap[i] = LATE
    for i in range(1, line.length):
        if line.character[i] != c"'" or line.gap[i] or line.gap[i + 1]:
            continue
        first, second = line.character[i + 1], line.character[i + 2]
        start = i
        if line.character[i - 1] == c"n" and first == c"t" or line.character[i - 1] == c"N" and first == c"T":
            start = i - 1
            if not is_blank(line, i + 2):
                continue
        elif not (
            (first == second and first in (c"l", c"L") or second == c"e" and first in (c"r", c"v")
             or second == c"E" and first in (c"R", c"V")) and is_blank(line, i + 3)
        ):
            continue
        if follows_word(line, start):
            line.gap[start] = LATE


cdef inline bint follows_word(const Line *line, Py_ssize_t place) noexcept nogil:
    """Return whether a character follows another, which is no apostrophe, without white space."""
    return place > 0 and not line.gap[place] and not (
        is_space(line.character[place - 1]) or line.character[place - 1] == c"'"
    )


cdef void split_words(Line *line) noexcept nogil:
    """Split the words of NLTK's CONTRACTIONS2 and CONTRACTIONS3."""
    cdef Py_ssize_t i
    for i in range(line.length):
        if line.gap[i] or not is_word(line.character[i - 1]):
            split_word(line, i, b"cannot", 3)
            split_word(line, i, b"d'ye", 1)
            split_word(line, i, b"gimme", 3)
            split_word(line, i, b"gonna", 3)
            split_word(line, i, b"gotta", 3)
            split_word(line, i, b"lemme", 3)
            split_word(line, i, b"more'n", 4)
            if matches(line, i, b"wanna") and is_blank(line, i + 5):
                split_word(line, i, b"wanna", 3)
    split_behind_blanks(line, b"'tis")
    split_behind_blanks(line, b"'twas")


cdef void split_behind_blanks(Line *line, const char *word) noexcept nogil:
    """Split a word after two characters if there is a blank before, but none that comes of the same word before."""
    cdef Py_ssize_t i
    for i in reversed(range(line.length)):
        if line.gap[i] or is_space(line.character[i - 1]):
            split_word(line, i, word, 2)


cdef inline void split_word(Line *line, Py_ssize_t place, const char *word, Py_ssize_t first) noexcept nogil:
    """Split a word that begins at a place after its first characters, if it ends where another one cannot go on."""
    cdef Py_ssize_t end = matches(line, place, word)
    if end and (line.gap[end] or not is_word(line.character[end])):
        put_gaps(line, place, end)
        line.gap[place + first] = LATE


cdef void write(const Line *line, Output *output) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint32_t character
    for i in range(line.length):
        character = line.character[i]
        if is_space(character):
            continue
        if character == OPENING or character == CLOSING:
            character = c"`" if character == OPENING else c"'"
            output.character = put(output.character, character)
        output.character = put(output.character, character)
        if is_blank(line, i + 1):
            output.token_end[0] = output.character - output.first
            output.token_end += 1


def _prepared(text):
    """Return a text with room for two characters in place of each double quotation mark."""
    return text.replace('"', '""')


cdef class Words(TextTokenizer):
    """The batch method of ``WordTokenizer``."""

    def __cinit__(self):
        self.tokenizer, self.prepare = tokenize, _prepared

    def __reduce__(self):
        return Words, ()
