# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""From texts, or lists of tokens, to the columns of statistics in one call, if all three components are compiled.

Nothing on this way is a Python object but the texts and the columns. The functions in C are those that the batch
methods of the components call, so that it counts what they count.
"""

from array import array
from importlib import import_module

from cpython cimport array as c_array
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from bleukit.bleu.ngrams_compiled cimport Tokens, count_texts_into
from bleukit.framework.packed import PackedTokens, grouped
from bleukit.framework.packed_compiled cimport Buffers, TextTokenizer, buffers_of_texts, buffers_of_tokens, last_of
from bleukit.framework.packed_compiled import hold_only_str

cdef c_array.array NUMBERS = array("q")
cdef c_array.array FLOATS = array("d")


def _named(str module, str name):
    return getattr(import_module(module), name)


cdef class LengthPolicy:
    """The batch method of a reference-length policy."""

    def __reduce__(self):
        return _named, (self.module, self.name)

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
        require_lengths(targets)
        require_lengths(lengths)
        cdef c_array.array chosen = c_array.clone(FLOATS, segments, False)
        cdef int64_t start = 0
        for i in range(segments):
            if ends[i] == start:
                raise ValueError("a segment without a reference")
            chosen.data.as_doubles[i] = self.function(targets[i], &lengths[start], ends[i] - start)
            start = ends[i]
        return chosen


cdef int require_lengths(const int64_t[::1] lengths) except -1:
    """Raise ValueError for a number that is not a length, or that no float holds."""
    cdef Py_ssize_t i
    for i in range(lengths.shape[0]):
        if not 0 <= lengths[i] < 1 << 53:
            raise ValueError(f"the length {lengths[i]}")
    return 0


cdef LengthPolicy length_policy(str module, str name, ReferenceLength function):
    """Return the batch method that has this name in a module."""
    cdef LengthPolicy made = LengthPolicy()
    made.module, made.name, made.function = module, name, function
    return made


cdef class SegmentCounts:
    """The counts of one segment; made by :meth:`Direct.segment`."""

    def columns(self):
        """Return them as :meth:`Direct.columns` does."""
        cdef c_array.array matches = c_array.clone(NUMBERS, self.orders, False)
        cdef c_array.array totals = c_array.clone(NUMBERS, self.orders, False)
        memcpy(matches.data.as_voidptr, self.matches, self.orders * sizeof(int64_t))
        memcpy(totals.data.as_voidptr, self.totals, self.orders * sizeof(int64_t))
        return (
            array("q", [self.hypothesis_length]), array("d", [self.reference_length]),
            array("q", [self.reference_tokens]), array("q", [self.references]), matches, totals,
        )

    def listed(self):
        """Return the lengths of the hypothesis and the reference, a whole number, matches and totals, in one list."""
        cdef list numbers = [self.hypothesis_length, <int64_t> self.reference_length]
        cdef Py_ssize_t order
        for order in range(self.orders):
            numbers.append(self.matches[order])
        for order in range(self.orders):
            numbers.append(self.totals[order])
        return numbers


cdef enum:
    FEW = 8


cdef struct Columns:
    int64_t *hypothesis_length
    double *reference_length
    int64_t *reference_tokens
    int64_t *references
    int64_t *matches
    int64_t *totals


cdef class Side:
    """The tokens of some texts, in buffers that live as long as this."""

    cdef object kept
    cdef Tokens tokens
    cdef const int64_t *text_end
    cdef Py_ssize_t number


cdef class Direct:
    """Counts segments; made of the batch methods of the components by :func:`bleukit.bleu.segment_columns.direct_way`."""

    cdef TextTokenizer tokenizer  # None if there are only tokens to count
    cdef LengthPolicy policy
    cdef object lower
    cdef bint clip
    cdef int64_t least_total
    cdef int max_order
    cdef Py_ssize_t few

    def __init__(
        self, TextTokenizer tokenizer, LengthPolicy policy not None, max_order, *, few, lower, clip, least_total
    ):
        if max_order < 1 or few > FEW:
            raise ValueError(f"max_order: expected at least 1, got {max_order}; few: at most {FEW}, got {few}")
        self.few = few
        self.tokenizer, self.policy, self.lower, self.max_order = tokenizer, policy, lower, max_order
        self.clip, self.least_total = clip, least_total

    def segment(self, hypothesis, references):
        """Return the counts of one segment; None if it has to be checked, or counted otherwise.

        It has a few references. All texts are str, or lists of str; a single reference may be alone, or in a sequence.
        """
        cdef bint tokenized = type(hypothesis) is list
        cdef list texts = [hypothesis]
        if not (tokenized or type(hypothesis) is str and self.tokenizer is not None):
            return None
        if type(references) is str or type(references) is list and references and type(references[0]) is str and tokenized:
            texts.append(references)
        elif type(references) is list or type(references) is tuple:
            texts += references
        if not 1 < len(texts) <= self.few + 1 or self.max_order > MOST_ORDERS:
            return None
        for text in texts:
            if type(text) is not type(hypothesis):
                return None
        try:
            return self.counted(texts, tokenized)
        except (OverflowError, TypeError, ValueError):
            return None  # the general way says what is wrong

    cdef SegmentCounts counted(self, list texts, bint tokenized):
        cdef tuple buffers
        if self.lower is not None:
            texts = self.lower(texts, tokenized=tokenized)
        if tokenized and not hold_only_str(texts):
            raise TypeError("tokens that are no str")
        buffers = buffers_of_tokens(texts) if tokenized else self.buffers_of(texts)
        cdef Tokens tokens = Tokens(
            (<c_array.array> buffers[0]).data.as_uchars, <int64_t *> (<c_array.array> buffers[1]).data.as_voidptr
        )
        cdef const int64_t *text_end = <int64_t *> (<c_array.array> buffers[2]).data.as_voidptr
        cdef int64_t[FEW + 1] lengths
        cdef int64_t group_end = len(texts) - 1
        cdef SegmentCounts counts = SegmentCounts.__new__(SegmentCounts)
        counts.orders = self.max_order
        self.put(
            &tokens, text_end, 1, &tokens, text_end, &group_end, 1, &lengths[0],
            Columns(
                &counts.hypothesis_length, &counts.reference_length, &counts.reference_tokens, &counts.references,
                &counts.matches[0], &counts.totals[0],
            ),
        )
        return counts

    def columns(self, segments):
        """Return the columns that :func:`bleukit.bleu.segment_columns.statistics_columns` returns, in its order.

        It returns None for Segments that have to be counted otherwise.
        """
        tokenized, hypotheses, references = segments.tokenized, segments.hypotheses, segments.references.items
        if not (tokenized or self.tokenizer is not None):
            return None
        if self.lower is not None:
            hypotheses = self.lower(hypotheses, tokenized=tokenized)
            references = self.lower(references, tokenized=tokenized)
        try:
            return self.columns_of(hypotheses, references, segments.references.ends, tokenized)
        except (OverflowError, TypeError, ValueError):
            return None  # the general way says what is wrong

    cdef tuple columns_of(self, object hypotheses, object references, c_array.array ends, bint tokenized):
        cdef Side ours = self.side(hypotheses, tokenized), theirs = self.side(references, tokenized)
        cdef Py_ssize_t segments = ours.number, orders = self.max_order
        if len(ends) != segments or last_of(ends) != theirs.number:
            raise ValueError(f"{segments} hypotheses but {len(ends)} groups up to {last_of(ends)} of {theirs.number}")
        cdef c_array.array group_ends = c_array.copy(ends)  # whatever happens to the caller's
        cdef c_array.array lengths = c_array.clone(NUMBERS, theirs.number, False)
        cdef c_array.array hypothesis_length = c_array.clone(NUMBERS, segments, False)
        cdef c_array.array reference_length = c_array.clone(FLOATS, segments, False)
        cdef c_array.array tokens_of_references = c_array.clone(NUMBERS, segments, False)
        cdef c_array.array number = c_array.clone(NUMBERS, segments, False)
        cdef c_array.array matches = c_array.clone(NUMBERS, segments * orders, False)
        cdef c_array.array totals = c_array.clone(NUMBERS, segments * orders, False)
        self.put(
            &ours.tokens, ours.text_end, segments, &theirs.tokens, theirs.text_end,
            <int64_t *> group_ends.data.as_voidptr, 0, <int64_t *> lengths.data.as_voidptr,
            Columns(
                <int64_t *> hypothesis_length.data.as_voidptr, reference_length.data.as_doubles,
                <int64_t *> tokens_of_references.data.as_voidptr, <int64_t *> number.data.as_voidptr,
                <int64_t *> matches.data.as_voidptr, <int64_t *> totals.data.as_voidptr,
            ),
        )
        return hypothesis_length, reference_length, tokens_of_references, number, matches, totals

    cdef Side side(self, object texts, bint tokenized):
        """Return the tokens of the hypotheses, or of the references."""
        cdef Side side = Side.__new__(Side)
        cdef Buffers packed
        cdef c_array.array characters, token_ends, text_ends
        if type(texts) is PackedTokens:
            side.kept = packed = Buffers(texts)
            side.tokens = Tokens(&packed.characters[0], &packed.token_ends[0])
            side.text_end, side.number = &packed.text_ends[0], packed.text_ends.shape[0]
        else:
            side.kept = buffers_of_tokens(texts) if tokenized else self.buffers_of(texts)
            characters, token_ends, text_ends = side.kept
            side.tokens = Tokens(characters.data.as_uchars, <int64_t *> token_ends.data.as_voidptr)
            side.text_end, side.number = <int64_t *> text_ends.data.as_voidptr, len(text_ends)
        return side

    cdef tuple buffers_of(self, object texts):
        cdef TextTokenizer tokenizer = self.tokenizer
        return buffers_of_texts(texts, tokenizer.tokenizer, tokenizer.prepare, tokenizer.own)

    cdef int put(
        self, const Tokens *tokens, const int64_t *text_end, Py_ssize_t segments, const Tokens *reference_tokens,
        const int64_t *reference_end, int64_t *group_end, Py_ssize_t first, int64_t *lengths, Columns columns,
    ) except -1:
        """Count segments into columns.

        The references of the first segment begin at the ``first`` of ``reference_end``; of ``group_end``, which counts
        from there, each is raised by it. ``lengths`` has room for all references, and those before the first.
        """
        cdef Py_ssize_t i, j, start = first
        for i in range(segments):
            group_end[i] += first
            columns.hypothesis_length[i] = text_end[i] - (text_end[i - 1] if i else 0)
            columns.references[i] = group_end[i] - start
            columns.reference_tokens[i] = 0
            for j in range(start, group_end[i]):
                lengths[j] = reference_end[j] - (reference_end[j - 1] if j else 0)
                columns.reference_tokens[i] += lengths[j]
            columns.reference_length[i] = self.policy.function(
                columns.hypothesis_length[i], lengths + start, columns.references[i]
            )
            start = group_end[i]
        return count_texts_into(
            tokens, text_end, segments, reference_tokens, reference_end, group_end, first,
            self.max_order, self.clip, self.least_total, columns.matches, columns.totals,
        )
