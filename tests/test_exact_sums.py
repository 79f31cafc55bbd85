"""Sums of groups are those of exact arithmetic, rounded once."""

from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.exact_sums import sums_of_groups

LENGTHS = st.integers(0, 10**6).flatmap(lambda number: st.integers(1, 9).map(lambda count: number / count))


@given(st.lists(st.lists(st.tuples(LENGTHS, st.integers(-(2**20), 2**20)), min_size=1), min_size=1))
def test_sums_and_what_they_were_rounded_by_are_exact(groups):
    rows = [(length, rest / 2**60) for group in groups for length, rest in group]
    ends = [0, *accumulate(map(len, groups))]
    lengths, rests = sums_of_groups(*np.array(rows).T, np.array(ends[:-1]))
    for (start, end), length, rest in zip(pairwise(ends), lengths.tolist(), rests.tolist(), strict=True):
        exact = sum(Fraction(number) for row in rows[start:end] for number in row)
        assert length == float(exact)
        assert Fraction(length) + Fraction(rest) == exact


@pytest.mark.parametrize(("value", "rest"), [(2.0**-61, 0.0), (2.0**46, 0.0), (1.0, 2.0**-62), (1.0, 2.0**-20)])
def test_what_has_too_many_digits_is_left_to_others(value, rest):
    assert sums_of_groups(np.array([1.0, value]), np.array([0.0, rest]), np.array([0, 1])) is None


def test_documents_with_average_lengths_sum_up_as_each_alone():
    bleu = bleukit.load("nltk", reference_length="average")
    references = [["a b", "a b c d e", "a"], ["x y z"], ["one two", "three"]] * 7
    rows = bleu.statistics(["a b c"] * 21, references)
    documents = [number**2 % 5 for number in range(21)]
    found = rows.by_document(documents)
    again = found.by_document([key == 4 for key, _ in found.items()])
    for sums, ids in ((found, documents), (again, [document == 4 for document in documents])):
        for key, row in sums.items():
            alone = rows[[place for place, document in enumerate(ids) if document == key]].sum()
            for name in ("reference_length", "reference_length_rest"):
                assert row.column(name) == alone.column(name), name
