# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What :mod:`bleukit.metrics.chrf` defines, without the GIL.

Of a hypothesis and a reference, the windows of as many characters as the highest order are sorted, by one character
after the other from the last. N-grams of all orders that are equal then stand together: neighbours that have n
characters in common are of one n-gram of order n. Words are sorted in the same way, by their numbers.

If an n-gram is a times in the hypothesis and b times in the reference, twice its matches are a + b - abs(a - b).
"""

import os
from array import array

from cpython cimport array as c_array
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memcpy, memset

from bleukit.counting.packed import packed
from bleukit.counting.packed_compiled cimport Buffers, Output, Text, is_space, pack_texts, put, read_character
from bleukit.counting.utf8 cimport NOT_UTF8
from bleukit.metrics.words cimport bits_for, longest, room_for, slot_of, start_of

cdef c_array.array NUMBERS = array("q")
cdef c_array.array SCORES = array("d")
cdef uint64_t FACTOR = int.from_bytes(os.urandom(8), "little") | 1
cdef double EPSILON = 1e-16

cdef enum:
    LANES = 8             # orders that are matched at once
    CHARACTERS = 1 << 21  # all numbers that UTF-8 can hold in four bytes


cdef inline bint is_punctuation(uint32_t character) noexcept nogil:
    return (
        33 <= character <= 47 or 58 <= character <= 64 or 91 <= character <= 96 or 123 <= character <= 126
    )


cdef bint split(const void *own, const Text *text, Output *output) noexcept nogil:
    cdef bint whitespace = own != NULL
    cdef unsigned char *out = output.character
    cdef unsigned char *first = output.first
    cdef int64_t *end = output.token_end
    cdef int64_t begun = out - first
    cdef Py_ssize_t i = 0, length = 0  # of the word so far, in characters
    cdef uint32_t character = 0, opening = 0, last = 0
    cdef bint is_end = False, in_space = False, space
    while not is_end:
        is_end = i == text.length
        if not is_end:
            character = read_character(text, &i)
            if character == NOT_UTF8:
                return False
        space = is_end or is_space(character)
        if space and length:
            if length > 1 and is_punctuation(last):
                end[0] = out - first - 1
                end += 1
            elif length > 1 and is_punctuation(opening):
                end[0] = begun + 1
                end += 1
            end[0] = out - first
            end += 1
            length = 0
        if in_space and (is_end or not space):
            end[0] = out - first
            end += 1
            in_space = False
        if is_end or (space and not whitespace):
            continue
        if space:
            in_space = True
        else:
            if not length:
                opening, begun = character, out - first
            length += 1
            last = character
        out = put(out, character)
    output.character, output.token_end = out, end
    return True


def words_of_texts(texts, *, bint whitespace):
    """Compiled counterpart of bleukit.metrics.chrf.words_of_texts."""
    return pack_texts(list(texts) if isinstance(texts, tuple) else texts, split, None, &FACTOR if whitespace else NULL)


cdef struct Sides:
    # The items of a hypothesis and of a reference, characters or words: their numbers, from 1 for those of the
    # hypothesis, 0 for all others. A number of its own ends each of the two; the first numbers, as many as the highest
    # order, follow once more.
    int32_t *numbers
    int64_t own         # how many the hypothesis has
    int64_t other       # how many the reference has
    int64_t distinct    # in the hypothesis
    int order


cdef struct Room:
    int32_t *windows    # by their places in the numbers
    int32_t *sorted
    int32_t *starts     # where the windows go that begin with a number
    int32_t *places     # where the next of them goes


cdef inline void sort_windows(const Sides *sides, Room *room) noexcept nogil:
    """Sort the windows by one item after the other from the last: each sort keeps the order of equal ones.

    It moves each window back by one item, so that the next item to sort by is the first.
    """
    cdef int32_t number = sides.own + sides.other + 2, i, place, goes, sum_ = 0
    cdef int64_t kinds = sides.distinct + 3
    cdef const int32_t *numbers = sides.numbers
    cdef int32_t *windows = room.windows
    cdef int32_t *sorted_ = room.sorted
    cdef int32_t *places = room.places
    memset(room.starts, 0, kinds * sizeof(int32_t))
    for i in range(number):
        windows[i] = i
        room.starts[numbers[i]] += 1
    for i in range(kinds):
        sum_ += room.starts[i]
        room.starts[i] = sum_ - room.starts[i]
    for _ in range(sides.order):
        memcpy(places, room.starts, kinds * sizeof(int32_t))
        for i in range(number):
            place = windows[i] - 1
            place += number if place < 0 else 0
            goes = places[numbers[place]]
            places[numbers[place]] = goes + 1
            sorted_[goes] = place
        windows, sorted_ = sorted_, windows
    room.windows, room.sorted = windows, sorted_


cdef inline void match_orders(const Sides *sides, Room *room, int first, int64_t *matches) noexcept nogil:
    """Put the matches of LANES orders. No branch depends on the windows, because one that is guessed wrong takes long."""
    cdef int32_t number = sides.own + sides.other + 2, i, difference = 0, common, same, change
    cdef int offset, lane
    cdef const int32_t *before
    cdef const int32_t *here = sides.numbers + room.windows[0]
    cdef int32_t begun[LANES]  # the difference before the n-gram
    cdef int32_t differences[LANES]
    memset(begun, 0, sizeof(begun))
    memset(differences, 0, sizeof(differences))
    for i in range(1, number + 1):
        difference += 1 if here - sides.numbers <= sides.own else -1
        before, common = here, -first
        if i < number:
            here = sides.numbers + room.windows[i]
            same = 1
            for offset in range(sides.order):
                same &= before[offset] == here[offset]
                common += same
        for lane in range(LANES):
            change = (difference - begun[lane]) & ((common - lane - 1) >> 31)  # 0 if so many are in common
            begun[lane] += change
            differences[lane] += abs(change)
    for lane in range(min(LANES, sides.order - first)):
        matches[first + lane] = (number - differences[lane]) / 2


cdef void match_items(const Sides *sides, Room *room, int64_t *own, int64_t *other, int64_t *matches) noexcept nogil:
    """Put the n-grams of each order in the hypothesis and in the reference, and the matches."""
    cdef int order
    if sides.order == 0:
        return
    sort_windows(sides, room)
    for order in range((sides.order + LANES - 1) / LANES):
        match_orders(sides, room, order * LANES, matches)
    for order in range(sides.order):
        other[order] = max(sides.other - order, 0)
        own[order] = max(sides.own - order, 0) if other[order] else 0


cdef double f_score(
    const double *own, const double *other, const double *matches, int orders, double beta, bint smooths
) noexcept nogil:
    cdef double factor = beta * beta, precisions = 0, recalls = 0, of_orders = 0, precision, recall, denominator
    cdef int order, effective = 0
    for order in range(orders):
        precision = matches[order] / own[order] if own[order] > 0 else EPSILON
        recall = matches[order] / other[order] if other[order] > 0 else EPSILON
        denominator = factor * precision + recall
        of_orders += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
        if own[order] > 0 and other[order] > 0:
            precisions += precision
            recalls += recall
            effective += 1
    if smooths:
        return 100 * of_orders / orders
    if effective:
        precisions /= effective
        recalls /= effective
    if precisions + recalls == 0:
        return 0
    return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls))


def f_scores(const double[:, :] sums, double beta, *, bint eps_smoothing):
    """Return bleukit.metrics.chrf.f_score of each row."""
    cdef Py_ssize_t number = sums.shape[0], orders = sums.shape[1] // 3, row, i
    cdef c_array.array scores = c_array.clone(SCORES, number, False), numbers = c_array.clone(SCORES, 3 * orders, False)
    cdef double *values = numbers.data.as_doubles
    with nogil:
        for row in range(number):
            for i in range(3 * orders):
                values[i] = sums[row, i]
            scores.data.as_doubles[row] = f_score(
                values, values + orders, values + 2 * orders, orders, beta, eps_smoothing
            )
    return scores


cdef inline uint32_t decoded(const unsigned char **place) noexcept nogil:
    """Return a character of checked UTF-8, or a lone surrogate as UTF-8 would have it, and move on."""
    cdef const unsigned char *here = place[0]
    if here[0] < 0x80:
        place[0] += 1
        return here[0]
    if here[0] < 0xE0:
        place[0] += 2
        return (here[0] & 0x1F) << 6 | here[1] & 0x3F
    if here[0] < 0xF0:
        place[0] += 3
        return (here[0] & 0xF) << 12 | (here[1] & 0x3F) << 6 | here[2] & 0x3F
    place[0] += 4
    return (here[0] & 0x7) << 18 | (here[1] & 0x3F) << 12 | (here[2] & 0x3F) << 6 | here[3] & 0x3F


cdef class Matcher:
    """Matches hypotheses with references; it has memory for the longest ones."""

    cdef Buffers texts
    cdef Buffers others
    cdef list kept           # the memory of what follows, but for the known characters
    cdef Sides characters
    cdef Sides words
    cdef Room room
    cdef uint32_t *known     # the number of each character that is in the hypothesis, 0 of all others
    cdef uint32_t *found     # the characters in the hypothesis
    cdef int32_t *table      # of the words
    cdef int bits

    def __cinit__(self, Buffers texts, Buffers others, int char_order, int word_order):
        cdef int64_t own = longest_text(texts), windows = own + longest_text(others) + 2
        cdef int64_t words = longest(texts.text_ends) + longest(others.text_ends) + 2
        self.texts, self.others, self.bits = texts, others, bits_for(longest(texts.text_ends))
        self.characters.order, self.words.order = char_order, word_order
        self.kept = []
        self.characters.numbers = <int32_t *> room_for(self.kept, windows + char_order, sizeof(int32_t))
        self.words.numbers = <int32_t *> room_for(self.kept, words + word_order, sizeof(int32_t))
        self.room.windows = <int32_t *> room_for(self.kept, windows, sizeof(int32_t))
        self.room.sorted = <int32_t *> room_for(self.kept, windows, sizeof(int32_t))
        self.room.places = <int32_t *> room_for(self.kept, own + 3, sizeof(int32_t))
        self.room.starts = <int32_t *> room_for(self.kept, own + 3, sizeof(int32_t))
        self.found = <uint32_t *> room_for(self.kept, own, sizeof(uint32_t))
        self.table = <int32_t *> room_for(self.kept, <int64_t> 1 << self.bits, sizeof(int32_t))
        self.known = <uint32_t *> calloc(CHARACTERS, sizeof(uint32_t))
        if self.known == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.known)

    cdef void read_hypothesis(self, int64_t text) noexcept nogil:
        """Number the characters and the words of a hypothesis."""
        cdef int64_t first = start_of(self.texts.text_ends, text), last = self.texts.text_ends[text], i
        cdef const unsigned char *place = &self.texts.characters[start_of(self.texts.token_ends, first)]
        cdef const unsigned char *stop = &self.texts.characters[start_of(self.texts.token_ends, last)]
        cdef int32_t *number = self.characters.numbers
        cdef uint32_t character
        cdef int32_t *slot
        for i in range(self.characters.distinct):
            self.known[self.found[i]] = 0
        self.characters.distinct = 0
        while place < stop:
            character = decoded(&place)
            if self.known[character] == 0:
                self.found[self.characters.distinct] = character
                self.characters.distinct += 1
                self.known[character] = self.characters.distinct
            number[0] = self.known[character]
            number += 1
        self.characters.own = number - self.characters.numbers
        number[0] = self.characters.distinct + 1
        if not self.words.order:
            return
        memset(self.table, 0, sizeof(int32_t) << self.bits)
        number = self.words.numbers
        for i in range(first, last):
            if is_word(self.texts, i):
                slot = slot_of(self.texts, i, self.texts, first, self.table, self.bits, FACTOR)
                if slot[0] == 0:
                    slot[0] = i - first + 1
                number[0] = slot[0]
                number += 1
        self.words.own, self.words.distinct = number - self.words.numbers, last - first
        number[0] = self.words.distinct + 1

    cdef void read_reference(self, int64_t text, int64_t hypothesis) noexcept nogil:
        """Number the characters and the words of a reference as the hypothesis does."""
        cdef int64_t first = start_of(self.others.text_ends, text), last = self.others.text_ends[text], i
        cdef const unsigned char *place = &self.others.characters[start_of(self.others.token_ends, first)]
        cdef const unsigned char *stop = &self.others.characters[start_of(self.others.token_ends, last)]
        cdef int32_t *number = self.characters.numbers + self.characters.own + 1
        while place < stop:
            number[0] = self.known[decoded(&place)]
            number += 1
        end(&self.characters, number)
        if not self.words.order:
            return
        number = self.words.numbers + self.words.own + 1
        for i in range(first, last):
            if is_word(self.others, i):
                number[0] = slot_of(
                    self.others, i, self.texts, start_of(self.texts.text_ends, hypothesis), self.table, self.bits, FACTOR
                )[0]
                number += 1
        end(&self.words, number)


cdef inline void end(Sides *sides, int32_t *number) noexcept nogil:
    """End the reference, at the place behind its last number."""
    cdef int64_t i
    sides.other = number - sides.numbers - sides.own - 1
    number[0] = sides.distinct + 2
    for i in range(sides.order):
        number[1 + i] = sides.numbers[i]


cdef inline bint is_word(Buffers tokens, int64_t token) noexcept nogil:
    cdef const unsigned char *place = &tokens.characters[start_of(tokens.token_ends, token)]
    cdef uint32_t first = decoded(&place)  # a macro reads it more than once
    return not is_space(first)


cdef int64_t longest_text(Buffers tokens) noexcept nogil:
    """Return how many bytes the text has that has most."""
    cdef int64_t found = 0, text, first, last
    for text in range(tokens.text_ends.shape[0]):
        first, last = start_of(tokens.text_ends, text), tokens.text_ends[text]
        found = max(found, start_of(tokens.token_ends, last) - start_of(tokens.token_ends, first))
    return found


def match_ngrams(hypotheses, references, orders, double beta, *, bint eps_smoothing):
    """Compiled counterpart of bleukit.metrics.chrf.match_ngrams."""
    cdef Buffers texts = Buffers(packed(hypotheses)), others = Buffers(packed(references.items))
    cdef const int64_t[::1] groups = references.ends
    cdef int64_t segments = texts.text_ends.shape[0], segment, reference = 0, i
    if groups.shape[0] != segments or (segments and groups[segments - 1] != others.text_ends.shape[0]):
        raise ValueError(f"{groups.shape[0]} groups of references for {segments} hypotheses")
    cdef int char_order = orders[0], word_order = orders[1], width = char_order + word_order
    cdef Matcher matcher = Matcher(texts, others, char_order, word_order)
    cdef c_array.array lengths = c_array.clone(NUMBERS, segments, True)
    cdef c_array.array own = c_array.clone(NUMBERS, segments * width, True)
    cdef c_array.array other = c_array.clone(NUMBERS, segments * width, True)
    cdef c_array.array matches = c_array.clone(NUMBERS, segments * width, True)
    cdef c_array.array row = c_array.clone(NUMBERS, 3 * width, True), values = c_array.clone(SCORES, 3 * width, True)
    cdef int64_t *counted = <int64_t *> row.data.as_voidptr
    cdef double *numbers = values.data.as_doubles
    cdef int64_t *length = <int64_t *> lengths.data.as_voidptr
    cdef int64_t *columns[3]
    cdef double best, score
    cdef int column
    columns[0], columns[1] = <int64_t *> own.data.as_voidptr, <int64_t *> other.data.as_voidptr
    columns[2] = <int64_t *> matches.data.as_voidptr
    with nogil:
        for segment in range(segments):
            matcher.read_hypothesis(segment)
            best = -1
            while reference < groups[segment]:
                matcher.read_reference(reference, segment)
                match_items(&matcher.characters, &matcher.room, counted, counted + width, counted + 2 * width)
                match_items(
                    &matcher.words, &matcher.room,
                    counted + char_order, counted + width + char_order, counted + 2 * width + char_order,
                )
                length[segment] += matcher.characters.other
                for i in range(3 * width):
                    numbers[i] = counted[i]
                score = f_score(numbers, numbers + width, numbers + 2 * width, width, beta, eps_smoothing)
                if score > best:
                    best = score
                    for column in range(3):
                        for i in range(width):
                            columns[column][segment * width + i] = counted[column * width + i]
                reference += 1
    return lengths, own, other, matches
