# cython: language_level=3, boundscheck=False, wraparound=False
"""Packs texts, by a compiled tokenizer, or token lists into :class:`bleukit.framework.packed.PackedTokens`."""

import sys
from array import array
from itertools import accumulate

from cpython cimport array as c_array
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

from bleukit.framework.utf8 cimport highest

cdef extern from "Python.h":
    object PyUnicode_DecodeUTF8(const char *content, Py_ssize_t size, const char *errors)
    int PyUnicode_READY(object text) except -1
    int PyUnicode_KIND(object text)
    bint PyUnicode_IS_ASCII(object text)
    const void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

    # The same of a borrowed reference:
    bint is_str "PyUnicode_CheckExact" (PyObject *text)
    bint is_compact_ascii "PyUnicode_IS_COMPACT_ASCII" (PyObject *text)
    const void *data_of "PyUnicode_DATA" (PyObject *text)
    Py_ssize_t length_of "PyUnicode_GET_LENGTH" (PyObject *text)
    PyObject **PySequence_Fast_ITEMS(object items)

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    #define HAS_GIL 0
    #else
    #define HAS_GIL 1
    #endif
    """
    const bint HAS_GIL

cdef bint LITTLE_ENDIAN = sys.byteorder == "little"
cdef c_array.array BYTES = array("B")
cdef c_array.array ENDS = array("q")


cdef object packed_tokens(tuple buffers):
    from bleukit.framework.packed import PackedTokens  # which imports this module

    return PackedTokens(*buffers)


cdef inline Text read(object text, bint is_prepared):
    return Text(PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), is_prepared)


cdef inline Py_ssize_t most_bytes(object text) except -1:
    """Return how many bytes of UTF-8 a text has at most."""
    if not isinstance(text, str):
        raise TypeError(f"expected a str, got {type(text).__name__}")
    PyUnicode_READY(text)
    return PyUnicode_GET_LENGTH(text) * (1 if PyUnicode_IS_ASCII(text) else min(PyUnicode_KIND(text) + 1, 4))


cdef class Room:
    """Memory that is freed with this."""

    cdef void *memory

    def __cinit__(self, Py_ssize_t size):
        self.memory = PyMem_Malloc(max(size, 1))
        if self.memory == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.memory)


cdef class Places:
    """The buffers of PackedTexts. Raises ValueError or TypeError unless they fit together."""

    cdef const unsigned char[::1] characters
    cdef const int64_t[::1] starts
    cdef const int64_t[::1] ends
    cdef const unsigned char *first
    cdef Py_ssize_t number
    cdef Py_ssize_t size  # of all texts, in bytes

    def __cinit__(self, texts):
        self.characters, self.starts, self.ends = texts.characters, texts.starts, texts.ends
        self.number = self.starts.shape[0]
        if self.characters.shape[0]:
            self.first = &self.characters[0]
        cdef Py_ssize_t i
        cdef bint fit = self.ends.shape[0] == self.number
        if fit:
            with nogil:
                for i in range(self.number):
                    fit &= 0 <= self.starts[i] <= self.ends[i] <= self.characters.shape[0]
                    self.size += self.ends[i] - self.starts[i] if fit else 0
        if not fit:
            raise ValueError("texts that begin or end where there are none")

    cdef inline const unsigned char *text(self, Py_ssize_t place) noexcept nogil:
        return self.first + self.starts[place]

    cdef inline Py_ssize_t length(self, Py_ssize_t place) noexcept nogil:
        return self.ends[place] - self.starts[place]


cdef object pack_texts(object texts, Tokenizer tokenizer, object prepare, const void *own=NULL):
    """Return the tokens of all texts, a sequence of str; ``prepare`` makes a str of a text that must be prepared.

    The GIL is released while tokenizing. PackedTexts are read where they are; a str is made only of a text for which
    the tokenizer returns False.
    """
    return packed_tokens(buffers_of_texts(texts, tokenizer, prepare, own))


cdef tuple buffers_of_texts(object texts, Tokenizer tokenizer, object prepare, const void *own):
    """Return the buffers of the PackedTokens that pack_texts returns."""
    cdef Py_ssize_t number, i, length = 0, most = 0, done
    cdef Places places = None
    if type(texts) is not list:
        from bleukit.framework.packed import PackedTexts  # which imports this module

        places = Places(texts) if isinstance(texts, PackedTexts) else None
    cdef list kept = list(texts) if places is None else [None] * places.number  # whatever happens to the caller's
    number = len(kept)
    cdef Room memory = Room(number * sizeof(Text))
    cdef Text *read_texts = <Text *> memory.memory
    cdef c_array.array characters, token_ends, text_ends
    cdef Output output
    cdef int64_t *ends
    cdef int64_t *first_end
    cdef bint is_prepared = prepare is None
    if places is None:
        for i in range(number):
            most += most_bytes(kept[i])
            read_texts[i] = read(kept[i], is_prepared)
    else:
        most = places.size
        with nogil:
            for i in range(number):
                read_texts[i] = Text(places.text(i), places.length(i), UTF8, is_prepared)
    with nogil:
        for i in range(number):
            length += read_texts[i].length
    characters = c_array.clone(BYTES, most + PADDING, False)
    token_ends = c_array.clone(ENDS, length, False)
    text_ends = c_array.clone(ENDS, number, False)
    output.first = output.character = characters.data.as_uchars
    output.token_end = first_end = <int64_t *> token_ends.data.as_voidptr
    ends = <int64_t *> text_ends.data.as_voidptr
    with nogil:
        for i in range(number):
            while not tokenizer(own, &read_texts[i], &output):
                with gil:
                    if read_texts[i].is_prepared and read_texts[i].kind != UTF8:
                        raise ValueError("the tokenizer refuses a text that is prepared")
                    if places is None:
                        most = most_bytes(kept[i])
                    else:
                        most = places.length(i)
                        kept[i] = PyUnicode_DecodeUTF8(<const char *> places.text(i), most, NULL)
                    length = read_texts[i].length
                    if not is_prepared:
                        kept[i] = prepare(kept[i])
                        most = most_bytes(kept[i]) - most
                        if most > 0:
                            done = output.character - output.first
                            c_array.resize(characters, len(characters) + most)
                            output.first = characters.data.as_uchars
                            output.character = output.first + done
                    read_texts[i] = read(kept[i], True)
                    length = read_texts[i].length - length
                    if length > 0:
                        done = output.token_end - first_end
                        c_array.resize(token_ends, len(token_ends) + length)
                        first_end = <int64_t *> token_ends.data.as_voidptr
                        output.token_end = first_end + done
            ends[i] = output.token_end - first_end
    memset(output.character, 0, PADDING)
    c_array.resize(characters, output.character - output.first + PADDING)
    c_array.resize(token_ends, output.token_end - first_end)
    return characters, token_ends, text_ends


cdef class TextTokenizer:
    """The batch method of a compiled tokenizer; :mod:`bleukit.bleu.direct_compiled` calls its function in C."""

    def __call__(self, texts):
        """Return the tokens of all texts."""
        return pack_texts(texts, self.tokenizer, self.prepare, self.own)


def concatenate_texts(parts):
    """Compiled counterpart of bleukit.framework.packed.concatenate_texts."""
    from bleukit.framework.packed import PackedTexts  # which imports this module

    cdef list read = [Places(texts) for texts in parts]
    cdef Py_ssize_t number = 0, size = 0, i, length, done = 0
    cdef Places places
    cdef c_array.array characters, starts, ends
    cdef unsigned char *out
    for places in read:
        number += places.number
        size += places.size
    characters = c_array.clone(BYTES, size, False)
    starts = c_array.clone(ENDS, number, False)
    ends = c_array.clone(ENDS, number, False)
    out = characters.data.as_uchars
    for places in read:
        with nogil:
            for i in range(places.number):
                length = places.length(i)
                if length:  # else there may be no buffer
                    memcpy(out, places.text(i), length)
                starts.data.as_longlongs[done + i] = out - characters.data.as_uchars
                out += length
                ends.data.as_longlongs[done + i] = out - characters.data.as_uchars
            done += places.number
    return PackedTexts(characters, starts, ends)


def strings(texts):
    """Compiled counterpart of bleukit.framework.packed.strings."""
    cdef Places places = Places(texts)
    cdef list found = [None] * places.number
    cdef Py_ssize_t i
    for i in range(places.number):
        found[i] = PyUnicode_DecodeUTF8(<const char *> places.text(i), places.length(i), NULL)
    return found


cdef class Buffers:
    """The buffers of PackedTokens. Raises ValueError or TypeError unless they fit together."""

    def __cinit__(self, tokens):
        self.characters, self.token_ends, self.text_ends = tokens.characters, tokens.token_ends, tokens.text_ends
        cdef Py_ssize_t most = self.characters.shape[0] - PADDING, last, tokens_of_texts
        cdef unsigned char largest
        with nogil:
            last = last_of(self.token_ends)
            tokens_of_texts = last_of(self.text_ends)
            largest = highest(&self.characters[0], last) if last <= most else 0
        if last > most:
            raise ValueError(f"tokens up to byte {last} of {most}")
        if tokens_of_texts != self.token_ends.shape[0]:
            raise ValueError(f"texts up to token {tokens_of_texts} of {self.token_ends.shape[0]}")
        if largest >= FIRST_IN_NO_TEXT:
            raise ValueError("bytes that are not UTF-8")


cdef int64_t last_of(const int64_t[::1] ends) except -1 nogil:
    """Return the last of some ends, 0 if there is none. Raises ValueError if they decrease, or begin below 0."""
    cdef const int64_t *end = &ends[0]
    cdef Py_ssize_t number = ends.shape[0], i
    if number == 0:
        return 0
    cdef int64_t signs = end[0]  # negative if an end is, or a difference of two
    for i in range(1, number):
        signs |= end[i] | <int64_t> (<uint64_t> end[i] - <uint64_t> end[i - 1])
    if signs < 0:
        with gil:
            raise ValueError("ends that decrease")
    return end[number - 1]


def require_consistent(tokens):
    """Raise ValueError or TypeError unless the buffers of PackedTokens fit together."""
    Buffers(tokens)


def ends_of(groups):
    """Compiled counterpart of bleukit.framework.packed.ends_of."""
    if type(groups) is not list:
        return array("q", accumulate(map(len, groups)))
    cdef Py_ssize_t number = len(<list> groups), i = 0, end = 0
    cdef c_array.array ends = c_array.clone(ENDS, number, False)
    for group in <list> groups:
        if i == number:  # the length of another group has made the list longer
            break
        end += len(group)
        ends.data.as_longlongs[i] = end
        i += 1
    c_array.resize(ends, i)
    return ends


def are(values, *types):
    """Return whether all values are of one of some types, exactly."""
    if type(values) is not list or not 1 <= len(types) <= 2:
        return set(map(type, values)) <= {*types}
    cdef object first = types[0], last = types[len(types) - 1]
    for value in <list> values:
        if type(value) is not first and type(value) is not last:
            return False
    return True


def hold_only_str(token_lists):
    """Return whether every token of some lists or tuples is a str."""
    for tokens in token_lists:
        if type(tokens) is list:
            for token in <list> tokens:
                if not isinstance(token, str):
                    return False
        elif not all(isinstance(token, str) for token in tokens):
            return False
    return True


def pack_tokens(token_lists):
    """Compiled counterpart of bleukit.framework.packed.pack_tokens."""
    return packed_tokens(buffers_of_tokens(token_lists))


cdef tuple buffers_of_tokens(object token_lists):
    """Return the buffers of the PackedTokens that pack_tokens returns."""
    cdef list lists
    cdef PyObject **items
    cdef Py_ssize_t capacity, number = 0, i, j
    cdef c_array.array characters, token_ends, text_ends
    cdef Py_ssize_t most, used
    cdef unsigned char *out
    cdef unsigned char *last
    # Without the GIL another thread may change a list while its items are read.
    lists = [tokens if type(tokens) is list and HAS_GIL else list(tokens) for tokens in token_lists]
    for tokens in lists:
        number += len(<list> tokens)
    capacity = 8 * number + PADDING  # most tokens are short
    characters = c_array.clone(BYTES, capacity, False)
    token_ends = c_array.clone(ENDS, number, False)
    text_ends = c_array.clone(ENDS, len(lists), False)
    out = characters.data.as_uchars
    last = out + capacity - PADDING
    number = 0
    for i, tokens in enumerate(lists):
        items = PySequence_Fast_ITEMS(tokens)  # borrowed: no Python runs below, but to raise an error
        for j in range(len(<list> tokens)):
            if is_str(items[j]) and is_compact_ascii(items[j]) and last - out >= length_of(items[j]):
                out = put_ascii(items[j], out)
            else:
                token = <object> items[j]
                most = most_bytes(token)
                if last - out < most:
                    capacity = 2 * (capacity + most)
                    used = out - characters.data.as_uchars
                    c_array.resize(characters, capacity)
                    out = characters.data.as_uchars + used
                    last = characters.data.as_uchars + capacity - PADDING
                out = put_text(read(token, True), most, out)
            token_ends.data.as_longlongs[number] = out - characters.data.as_uchars
            number += 1
        text_ends.data.as_longlongs[i] = number
    memset(out, 0, PADDING)
    c_array.resize(characters, out - characters.data.as_uchars + PADDING)
    return characters, token_ends, text_ends


cdef inline unsigned char *put_ascii(PyObject *token, unsigned char *out) noexcept:
    """Write a token of ASCII, for which there is room, and PADDING."""
    cdef const char *characters = <const char *> data_of(token)
    cdef Py_ssize_t length = length_of(token)
    cdef uint64_t eight
    if LITTLE_ENDIAN and 0 < length <= 8:  # The eight bytes that end with the token begin, at worst, in its header.
        memcpy(&eight, characters + length - 8, 8)
        eight >>= 8 * (8 - length)
        memcpy(out, &eight, 8)
    else:
        memcpy(out, characters, length)
    return out + length


cdef inline unsigned char *put_text(Text text, Py_ssize_t most, unsigned char *out) noexcept:
    if most == text.length:  # ASCII
        memcpy(out, text.characters, text.length)
        return out + text.length
    if text.kind == 1:
        return put_all(<const unsigned char *> text.characters, text.length, out)
    if text.kind == 2:
        return put_all(<const unsigned short *> text.characters, text.length, out)
    return put_all(<const unsigned int *> text.characters, text.length, out)


cdef inline unsigned char *put_all(Character *characters, Py_ssize_t length, unsigned char *out) noexcept:
    cdef Py_ssize_t i
    for i in range(length):
        out = put(out, characters[i])
    return out
