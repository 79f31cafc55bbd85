# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What :mod:`bleukit.metrics.chrf` defines, without the GIL.

Of a hypothesis and a reference, the windows of as many characters as the highest order are sorted, by one character
after the other from the last. N-grams of all orders that are equal then stand together: neighbours that have n
characters in common are of one n-gram of order n. Words are sorted in the same way, by their numbers.

If an n-gram is a times in the hypothesis and b times in the reference, twice its matches are a + b - abs(a - b).
"""

from array import array

from cpython cimport array as c_array
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memcpy, memset

from bleukit.framework.packed import packed
from bleukit.framework.packed_compiled cimport Buffers, Output, Text, is_space, pack_texts, put, read_character
from bleukit.framework.utf8 cimport NOT_UTF8
from bleukit.metrics.words cimport WordTable, decoded, number_words, room_for, start_of, table_for

cdef c_array.array NUMBERS = array("q")
cdef c_array.array SCORES = array("d")
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
    cdef const void *own = <const void *> <size_t> whitespace
    return pack_texts(list(texts) if isinstance(texts, tuple) else texts, split, None, own)


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


cdef inline void match_orders(const Sides *sides, Room *room, int first, double *matches) noexcept nogil:
    """Put the matches of LANES orders. No branch depends on windows, because one that is guessed wrong takes long."""
    cdef int32_t number = sides.own + sides.other + 2, i, difference = 0, common, same, change
    cdef int orders = min(first + LANES, sides.order), offset, lane
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
            for offset in range(orders):
                same &= before[offset] == here[offset]
                common += same
        for lane in range(LANES):
            change = (difference - begun[lane]) & ((common - lane - 1) >> 31)  # 0 if so many are in common
            begun[lane] += change
            differences[lane] += abs(change)
    for lane in range(orders - first):
        matches[first + lane] = (number - differences[lane]) // 2


cdef void match_items(const Sides *sides, Room *room, double *own, double *other, double *matches) noexcept nogil:
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


cdef double f_score(const double *own, int orders, double beta, bint smooths) noexcept nogil:
    """Return bleukit.metrics.chrf.f_score of what follows each other in memory, as it takes it."""
    cdef const double *other = own + orders
    cdef const double *matches = other + orders
    cdef double factor = beta * beta, precisions = 0, recalls = 0, f_sum = 0, precision, recall, denominator
    cdef int order, effective = 0
    for order in range(orders):
        precision = matches[order] / own[order] if own[order] > 0 else EPSILON
        recall = matches[order] / other[order] if other[order] > 0 else EPSILON
        denominator = factor * precision + recall
        f_sum += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
        if own[order] > 0 and other[order] > 0:
            precisions += precision
            recalls += recall
            effective += 1
    if smooths:
        return 100 * f_sum / orders
    if effective:
        precisions /= effective
        recalls /= effective
    if precisions + recalls == 0:
        return 0
    return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls))


def f_scores(const double[:, ::1] sums, double beta, *, bint eps_smoothing):
    """Return bleukit.metrics.chrf.f_score of each row."""
    cdef Py_ssize_t number = sums.shape[0], row
    cdef c_array.array scores = c_array.clone(SCORES, number, False)
    with nogil:
        for row in range(number):
            scores.data.as_doubles[row] = f_score(&sums[row, 0], sums.shape[1] // 3, beta, eps_smoothing)
    return scores


cdef class Matcher:
    """Matches hypotheses with references.

    It has memory for characters as many as the bytes of all, and uses as much as the longest need.
    """

    cdef Buffers texts
    cdef list kept           # the memory of what follows, but for the known characters
    cdef Sides characters
    cdef Sides words
    cdef Room room
    cdef WordTable table
    cdef uint32_t *found     # the characters in the hypothesis
    cdef int32_t *known      # the number of each character that is in the hypothesis, 0 of all others

    def __cinit__(self, Buffers texts, Buffers others, int char_order, int word_order):
        cdef int64_t own = start_of(texts.token_ends, texts.token_ends.shape[0]), words, windows
        windows = own + start_of(others.token_ends, others.token_ends.shape[0]) + 2
        words = texts.token_ends.shape[0] + others.token_ends.shape[0] + 2
        self.texts, self.kept = texts, []
        self.characters.order, self.words.order = char_order, word_order
        self.characters.numbers = <int32_t *> room_for(self.kept, windows + char_order, sizeof(int32_t))
        self.words.numbers = <int32_t *> room_for(self.kept, words + word_order, sizeof(int32_t))
        self.room.windows = <int32_t *> room_for(self.kept, windows, sizeof(int32_t))
        self.room.sorted = <int32_t *> room_for(self.kept, windows, sizeof(int32_t))
        self.room.places = <int32_t *> room_for(self.kept, own + 3, sizeof(int32_t))
        self.room.starts = <int32_t *> room_for(self.kept, own + 3, sizeof(int32_t))
        self.found = <uint32_t *> room_for(self.kept, own, sizeof(uint32_t))
        self.table = table_for(self.kept, texts)
        self.known = <int32_t *> calloc(CHARACTERS, sizeof(int32_t))
        if self.known == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.known)

    cdef void read(self, int64_t hypothesis, Buffers texts, int64_t text) noexcept nogil:
        """Number the characters and the words of a hypothesis, or then of its references."""
        cdef bint adds = texts is self.texts
        cdef int64_t first = start_of(texts.text_ends, text), last = texts.text_ends[text], i
        cdef const unsigned char *place = &texts.characters[start_of(texts.token_ends, first)]
        cdef const unsigned char *stop = &texts.characters[start_of(texts.token_ends, last)]
        cdef uint32_t character
        cdef int32_t *number
        if adds:
            for i in range(self.characters.distinct):
                self.known[self.found[i]] = 0
            self.characters.distinct, self.words.distinct = 0, last - first
        number = self.characters.numbers if adds else self.characters.numbers + self.characters.own + 1
        while place < stop:
            character = decoded(&place)
            if adds and self.known[character] == 0:
                self.found[self.characters.distinct] = character
                self.characters.distinct += 1
                self.known[character] = self.characters.distinct
            number[0] = self.known[character]
            number += 1
        end(&self.characters, number, adds)
        if self.words.order:
            number = self.words.numbers if adds else self.words.numbers + self.words.own + 1
            end(&self.words, number + number_words(&self.table, self.texts, hypothesis, texts, text, number), adds)


cdef inline void end(Sides *sides, int32_t *number, bint is_own) noexcept nogil:
    """End the hypothesis or the reference, at the place behind its last number."""
    cdef int64_t i
    if is_own:
        sides.own = number - sides.numbers
        number[0] = sides.distinct + 1
        return
    sides.other = number - sides.numbers - sides.own - 1
    number[0] = sides.distinct + 2
    for i in range(sides.order):
        number[1 + i] = sides.numbers[i]


def match_ngrams(hypotheses, references, orders, double beta, *, bint eps_smoothing):
    """Compiled counterpart of bleukit.metrics.chrf.match_ngrams."""
    cdef Buffers texts = Buffers(packed(hypotheses)), others = Buffers(packed(references.items))
    cdef const int64_t[::1] groups = references.ends
    cdef int64_t segments = texts.text_ends.shape[0], segment, reference = 0, i
    if groups.shape[0] != segments or (segments and groups[segments - 1] != others.text_ends.shape[0]):
        raise ValueError(f"{groups.shape[0]} groups of references for {segments} hypotheses")
    cdef int char_order = orders[0], word_order = orders[1], width = char_order + word_order, column
    cdef Matcher matcher = Matcher(texts, others, char_order, word_order)
    cdef list counted = [c_array.clone(NUMBERS, segments * size, True) for size in (1, width, width, width)]
    cdef int64_t *columns[4]
    for column in range(4):
        columns[column] = <int64_t *> (<c_array.array> counted[column]).data.as_voidptr
    cdef c_array.array sums = c_array.clone(SCORES, 3 * width, False)
    cdef double *row = sums.data.as_doubles
    cdef double best, score
    with nogil:
        for segment in range(segments):
            matcher.read(segment, texts, segment)
            best = -1
            while reference < groups[segment]:
                matcher.read(segment, others, reference)
                match_items(&matcher.characters, &matcher.room, row, row + width, row + 2 * width)
                match_items(
                    &matcher.words, &matcher.room,
                    row + char_order, row + width + char_order, row + 2 * width + char_order,
                )
                columns[0][segment] += matcher.characters.other
                score = f_score(row, width, beta, eps_smoothing)
                if score > best:
                    best = score
                    for column in range(3):
                        for i in range(width):
                            columns[column + 1][segment * width + i] = <int64_t> row[column * width + i]
                reference += 1
    return tuple(counted)
