# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Runs the automaton of a tokenizer by rules: one pass over the characters of a text, in UTF-8 or as its str holds them.

:class:`bleukit.framework.rule_tokenizer.Transitions` makes it when characters are first met, for a block of them at a
time. What has been copied from there never changes, so that other threads may read it meanwhile.
"""

from threading import Lock

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from bleukit.framework.packed_compiled cimport UTF8, Character, Output, Text, TextTokenizer, is_space, put, read_character
from bleukit.framework.utf8 cimport NOT_UTF8, follows, next_character

cdef enum:
    CHARACTERS = 0x110000
    BLOCK = 256
    MOST_KINDS = 64  # what has these names in rule_tokenizer.py
    MOST_STATES = 1024
    ENDS = 1
    KEEPS = 2
    STATE = 4


cdef struct Transition:
    const Transition *row  # of the next state: its transitions by the kinds of characters
    unsigned char ends     # 1 if a token ends before the character before this one
    unsigned char keeps    # 1 if this one is part of a token


cdef struct Tables:
    unsigned char *kinds        # of all characters, 0 if it is not known
    Transition *transitions     # the rows of all states; all of those of state 0 lead to it
    unsigned char *finish       # of each state
    unsigned char[128] written  # for the characters of ASCII
    bint prepares               # whether texts must be prepared that begin or end with white space


cdef inline bint tokenize_characters(
    Character *characters, const Text *text, bint utf8, const Tables *tables, Output *output
) noexcept nogil:
    cdef const unsigned char *kinds = tables.kinds
    cdef const Transition *row = tables.transitions + (2 if text.is_prepared else 1) * MOST_KINDS
    cdef const Transition *transition
    cdef const unsigned char *place = <const unsigned char *> characters  # of UTF-8
    cdef const unsigned char *stop = place + text.length
    cdef unsigned char *first = output.first
    cdef int64_t out = output.character - first, last = out  # where this character goes, and where the one before went
    cdef int64_t *end = output.token_end
    cdef uint32_t character
    cdef Py_ssize_t i = 0, size
    cdef unsigned char ends
    while (place < stop) if utf8 else (i < text.length):
        if not utf8:
            character = characters[i]
            i += 1
        elif place[0] < 0x80:
            character = place[0]
            place += 1
        else:
            character = next_character(&place, stop)
            if character == NOT_UTF8:
                return False
        transition = row + kinds[character]
        row = transition.row
        end[0] = last  # where words end cannot be predicted, so that sums are quicker than conditions
        end += transition.ends
        last = out
        if character < 0x80:
            first[out] = tables.written[character]
            out += transition.keeps
        else:
            out += (put(first + out, character) - first - out) * transition.keeps
    if row == tables.transitions:
        return False
    ends = tables.finish[(row - tables.transitions) / MOST_KINDS]
    if ends & 1:
        end[0] = last
        end += 1
    if ends & 2:
        end[0] = out
        end += 1
    output.character = first + out
    output.token_end = end
    return True


cdef bint tokenize(const void *own, const Text *text, Output *output) noexcept nogil:
    cdef const Tables *tables = <const Tables *> own
    if tables.prepares and not text.is_prepared and has_space_at_an_edge(text):
        return False
    if text.kind == UTF8:
        return tokenize_characters(<const unsigned char *> text.characters, text, True, tables, output)
    if text.kind == 1:
        return tokenize_characters(<const unsigned char *> text.characters, text, False, tables, output)
    if text.kind == 2:
        return tokenize_characters(<const unsigned short *> text.characters, text, False, tables, output)
    return tokenize_characters(<const unsigned int *> text.characters, text, False, tables, output)


cdef bint has_space_at_an_edge(const Text *text) noexcept nogil:
    cdef Py_ssize_t first = 0, last = text.length - 1
    cdef uint32_t one, other
    if text.length == 0:  # there may be no character to point to
        return False
    while text.kind == UTF8 and last > 0 and follows((<const unsigned char *> text.characters)[last]):
        last -= 1
    one, other = read_character(text, &first), read_character(text, &last)
    return is_space(one) or is_space(other)  # macros, which take no calls


cdef class Automaton(TextTokenizer):
    """The batch method of a tokenizer by rules."""

    cdef Tables tables
    cdef object rules
    cdef object made
    cdef object lock

    def __cinit__(self, rules):
        cdef Py_ssize_t i
        self.tables.kinds = <unsigned char *> calloc(CHARACTERS, 1)
        self.tables.transitions = <Transition *> calloc(MOST_STATES * MOST_KINDS, sizeof(Transition))
        self.tables.finish = <unsigned char *> calloc(MOST_STATES, 1)
        if self.tables.kinds == NULL or self.tables.transitions == NULL or self.tables.finish == NULL:
            raise MemoryError
        for i in range(3 * MOST_KINDS):
            self.tables.transitions[i].row = self.tables.transitions
        for i in range(128):
            self.tables.written[i] = i + 32 if rules.lowercase and c"A" <= i <= c"Z" else i
        self.tables.prepares = rules.prepare is not None
        self.rules, self.lock = rules, Lock()
        self.tokenizer, self.own, self.prepare = tokenize, &self.tables, self._prepared

    def __dealloc__(self):
        free(self.tables.kinds)
        free(self.tables.transitions)
        free(self.tables.finish)

    def __reduce__(self):
        return getattr, (self.rules, "batch")

    def __call__(self, texts):
        """Return the tokens of all texts; by the rules themselves if these are too many for an automaton."""
        try:
            return TextTokenizer.__call__(self, texts)
        except OverflowError:
            return list(map(self.rules, texts))

    def _prepared(self, text):
        """Return a text that the automaton did not take, prepared, when all its characters are known."""
        found = self.rules.prepared(text)
        for block in {ord(character) // BLOCK for character in set(found)}:
            self._learn(block * BLOCK)
        return found

    cdef _learn(self, Py_ssize_t start):
        """Learn the kinds of a block of characters.

        Other threads read without a lock, but find a transition only by a kind: these are written behind a second one,
        when all transitions are there.
        """
        cdef bytes kinds
        if self.tables.kinds[start]:
            return
        with self.lock:
            kinds = self._transitions("".join(map(chr, range(start, start + BLOCK))))
        with self.lock:
            memcpy(&self.tables.kinds[start], <const char *> kinds, BLOCK)

    cdef bytes _transitions(self, str characters):
        """Write the transitions by some characters, and return the kinds of these."""
        self.made = self.made or self.rules.transitions()
        cdef bytes kinds = self.made.kinds(characters)
        cdef bytes finish = bytes(self.made.finish)
        cdef const unsigned int[::1] table = self.made.table
        cdef Py_ssize_t i
        memcpy(self.tables.finish, <const char *> finish, len(finish))
        for i in range(table.shape[0]):
            self.tables.transitions[i] = Transition(
                self.tables.transitions + table[i] / STATE * MOST_KINDS, table[i] / ENDS & 1, table[i] / KEEPS & 1
            )
        return kinds
