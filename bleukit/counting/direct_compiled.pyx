# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""From texts, or lists of tokens, to the columns of statistics in one call, if all three components are compiled.

Nothing on this way is a Python object but the texts and the columns. The functions in C are those that the batch
methods of the components call, so that it counts what they count.
"""

from array import array

from cpython cimport array as c_array
from libc.math cimport isnan
from libc.stdint cimport int64_t

from bleukit.counting.ngrams_compiled cimport Tokens, count_texts_into
from bleukit.counting.packed import grouped
from bleukit.counting.packed_compiled cimport Buffers, TextTokenizer, buffers_of_texts, buffers_of_tokens, last_of

cdef c_array.array NUMBERS = array("q")
cdef c_array.array FLOATS = array("d")


cdef class LengthPolicy(CompiledBatch):
    """The batch method of a reference-length policy."""

    def __call__(self, hypothesis_lengths, reference_lengths):
        """Return the effective reference length of each segment."""
        groups = grouped(reference_lengths)
        cdef const int64_t[::1] targets = array("q", hypothesis_lengths)
        cdef const int64_t[::1] lengths = array("q", groups.items)
        cdef const int64_t[::1] ends = groups.ends
        cdef Py_ssize_t segments = targets.shape[0], i
        if ends.shape[0] != segments or last_of(ends) != lengths.shape[0]:
            raise ValueError(
                f"{ends.shape[0]} groups up to {last_of(ends)}, for {lengths.shape[0]} lengths of {segments} segments"
            )
        cdef c_array.array chosen = c_array.clone(FLOATS, segments, False)
        cdef int64_t start = 0
        for i in range(segments):
            if ends[i] == start:
                raise ValueError("a segment without a reference")
            chosen.data.as_doubles[i] = self.function(targets[i], &lengths[start], ends[i] - start)
            if isnan(chosen.data.as_doubles[i]):
                chosen.data.as_doubles[i] = self.one(targets[i], groups[i])
            start = ends[i]
        return chosen


cdef LengthPolicy length_policy(str module, str name, ReferenceLength function, object one):
    """Return the batch method that has this name in a module."""
    cdef LengthPolicy made = LengthPolicy()
    made.module, made.name = module, name
    made.function, made.one = function, one
    return made


cdef class Direct:
    """Counts segments; made of the batch methods of the components by :func:`bleukit.counting.direct.of_components`."""

    cdef TextTokenizer tokenizer  # None if there are only tokens to count
    cdef LengthPolicy policy
    cdef bint clip
    cdef int64_t least_total
    cdef int max_order

    def __init__(self, TextTokenizer tokenizer, LengthPolicy policy not None, max_order, *, clip, least_total):
        if max_order < 1:
            raise ValueError(f"max_order: expected at least 1, got {max_order}")
        self.tokenizer, self.policy, self.max_order = tokenizer, policy, max_order
        self.clip, self.least_total = clip, least_total

    def columns(self, list hypotheses, references, c_array.array ends, bint tokenized):
        """Return the columns that :func:`bleukit.counting.segment_columns.statistics_columns` returns, in its order.

        ``references`` are a list, as the hypotheses are, or PackedTokens; ``ends`` (int64) holds the number of them up
        to each hypothesis.
        """
        cdef bint are_packed = type(references) is not list
        cdef list texts = hypotheses if are_packed else hypotheses + references
        cdef Py_ssize_t segments = len(hypotheses), orders = self.max_order, first = 0 if are_packed else segments
        cdef Buffers packed_references = Buffers(references) if are_packed else None
        cdef Py_ssize_t last = packed_references.text_ends.shape[0] if are_packed else len(texts)
        if len(ends) != segments or first + last_of(ends) != last:
            raise ValueError(f"{segments} hypotheses but {len(ends)} groups up to {last_of(ends)} of {last - first}")
        cdef c_array.array group_ends = c_array.copy(ends)  # whatever happens to the caller's
        cdef int64_t *group_end = <int64_t *> group_ends.data.as_voidptr
        cdef c_array.array characters, token_ends, text_ends
        if tokenized:
            characters, token_ends, text_ends = buffers_of_tokens(texts)
        else:
            characters, token_ends, text_ends = buffers_of_texts(
                texts, self.tokenizer.tokenizer, self.tokenizer.prepare, self.tokenizer.reads_utf8
            )
        cdef Tokens tokens = Tokens(characters.data.as_uchars, <int64_t *> token_ends.data.as_voidptr)
        cdef Tokens reference_tokens = tokens
        cdef const int64_t *text_end = <int64_t *> text_ends.data.as_voidptr
        cdef const int64_t *reference_end = text_end
        if are_packed:
            reference_tokens = Tokens(&packed_references.characters[0], &packed_references.token_ends[0])
            reference_end = &packed_references.text_ends[0]
        cdef c_array.array lengths = c_array.clone(NUMBERS, last, False)
        cdef c_array.array hypothesis_length = c_array.clone(NUMBERS, segments, False)
        cdef c_array.array reference_length = c_array.clone(FLOATS, segments, False)
        cdef c_array.array tokens_of_references = c_array.clone(NUMBERS, segments, True)
        cdef c_array.array number = c_array.clone(NUMBERS, segments, False)
        cdef c_array.array matches = c_array.clone(NUMBERS, segments * orders, False)
        cdef c_array.array totals = c_array.clone(NUMBERS, segments * orders, False)
        cdef int64_t *length = <int64_t *> lengths.data.as_voidptr
        cdef int64_t tokens_of_hypothesis
        cdef Py_ssize_t i, j, start = first
        for i in range(first, last):
            length[i] = reference_end[i] - (reference_end[i - 1] if i else 0)
        for i in range(segments):
            tokens_of_hypothesis = text_end[i] - (text_end[i - 1] if i else 0)
            group_end[i] += first
            hypothesis_length.data.as_longlongs[i] = tokens_of_hypothesis
            number.data.as_longlongs[i] = group_end[i] - start
            reference_length.data.as_doubles[i] = self.policy.function(
                tokens_of_hypothesis, length + start, group_end[i] - start
            )
            for j in range(start, group_end[i]):
                tokens_of_references.data.as_longlongs[i] += length[j]
            start = group_end[i]
        count_texts_into(
            &tokens, text_end, segments, &reference_tokens, reference_end, group_end, first,
            orders, self.clip, self.least_total,
            <int64_t *> matches.data.as_voidptr, <int64_t *> totals.data.as_voidptr,
        )
        return hypothesis_length, reference_length, tokens_of_references, number, matches, totals
