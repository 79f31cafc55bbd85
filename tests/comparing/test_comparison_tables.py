"""Tables of a comparison: every cell is printed."""

import pytest

import bleukit
from bleukit.comparing.tables import LONGEST, tables
from bleukit.framework.results import Interval

GROUPS = LONGEST + 5
REFERENCES = [f"a cat number {number} sat on the mat number {number}" for number in range(2 * GROUPS)]
SYSTEMS = {
    "even": [text if number % 4 else "a cat sat" for number, text in enumerate(REFERENCES)],
    "odd": [text if number % 3 else "on the mat" for number, text in enumerate(REFERENCES)],
}


def test_groups_are_shown_by_their_influence_and_all_others_are_summed_up():
    documents = [number // 2 for number in range(2 * GROUPS)]
    compared = bleukit.compare("nltk", SYSTEMS, REFERENCES, by="document", documents=documents, test="delta")
    *_, table = tables(compared, 6)
    rows = [dict(zip([head.name for head in table.heads], row, strict=True)) for row in table.rows]
    assert [len(rows), rows[-1]["document"]] == [LONGEST + 1, "5 others"]
    assert sum(int(row["segments"]) for row in rows) == 2 * GROUPS
    influences = [float(row["influence"]) for row in rows]
    assert sum(influences) == pytest.approx(compared.pairs[0].difference, abs=1e-4)
    sizes = list(map(abs, influences[:LONGEST]))
    assert sizes == sorted(sizes, reverse=True)
    assert {number > 0 for number in influences[:LONGEST]} == {True, False}


def test_all_test_sets_are_shown_in_their_order():
    test_sets = [f"set {number // 2}" for number in range(2 * GROUPS)]
    *_, table = tables(bleukit.compare("nltk", SYSTEMS, REFERENCES, test_sets=test_sets, test="delta"))
    assert [row[0] for row in table.rows] == list(dict.fromkeys(test_sets))


def test_the_ranks_that_are_possible_are_a_range():
    worse = {"worse": ["a cat"] * len(REFERENCES)}
    compared = bleukit.compare("nltk", {**SYSTEMS, **worse}, REFERENCES, test="delta")
    systems, *_ = tables(compared)
    ranges = [row[[head.name for head in systems.heads].index("range")] for row in systems.rows]
    assert ranges == [
        str(one.best_rank) if one.best_rank == one.worst_rank else f"{one.best_rank}–{one.worst_rank}"
        for one in compared.systems
    ]
    assert ranges[-1] == "3"
    assert ranges[0] == "1–2"


def test_an_interval_is_written_by_its_ends():
    assert Interval(61.2, 64.35, 0.95).ends(2) == "61.20\u201364.35"
    assert Interval(-0.25, 1.309, 0.95).ends(2, "+") == "-0.25 to +1.31"
