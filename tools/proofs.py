"""Proofs about the documents, which take long and depend on nothing that may change: pytest tools/proofs.py"""

import itertools

from bleukit.built_in.paper.counters import Clipped
from bleukit.conformance.judging import cases


def test_no_single_reference_of_seven_tokens_gives_the_printed_counts_of_l2():
    """The erratum's claim, by trying them all: every sequence over the candidate's words and one foreign word."""
    (case,) = (case for document in cases.suite_documents() for case in document.cases if case.id == "L2")
    candidate = case.expect.tokens
    words = [*dict.fromkeys(candidate), "foreign"]
    wanted = ([6, 4, 3, 1], [7, 6, 5, 4])
    # Six unigram matches: the reference holds all words of the candidate but one, whatever their order.
    for missing in candidate:
        kept = [word for word in candidate if word != missing]
        for other in words:
            if other == missing:
                continue
            for reference in set(itertools.permutations([*kept, other])):
                assert Clipped()(candidate, [reference], 4) != wanted
