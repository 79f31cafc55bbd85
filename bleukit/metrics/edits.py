"""The edits of translation edit rate: words inserted, deleted or replaced, and runs of words shifted.

Snover et al. (2006), "A Study of Translation Edit Rate with Targeted Human Annotation", define the measure. Because to
find the fewest shifts takes too long, their program, tercom, searches for good ones. This is the search of sacreBLEU's
``lib_ter``, a rewrite of tercom, with all of its limits.
"""

from __future__ import annotations

import math
from array import array
from itertools import accumulate
from typing import TYPE_CHECKING

from bleukit.framework.compiled import CompiledModule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.framework.packed import Grouped

_compiled = CompiledModule("bleukit.metrics.edits_compiled")

LONGEST_SHIFT = 10
"""At most so many words are shifted at a time."""

FARTHEST_SHIFT = 50
"""A run of words and the same run in the reference begin at most so many words apart."""

BEAM = 25
"""Only so many words before and after the diagonal of the edit matrix are looked at."""

MOST_SHIFTS = 1000
"""At most so many shifts are tried for a hypothesis and a reference; those that were made before this one stay."""


@_compiled.replaces
def fewest_edits(hypotheses: Sequence[Sequence[str]], references: Grouped[Sequence[str]]) -> array[int]:
    """Return the edits between each hypothesis, a list of words, and the reference of its group that needs fewest."""
    pairs = zip(hypotheses, references, strict=True)
    return array("q", (min(_edits(list(words), list(reference)) for reference in group) for words, group in pairs))


def _edits(words: list[str], reference: list[str]) -> int:
    if not words or not reference:
        return len(words) + len(reference)
    made = tried = 0
    while True:
        matrix = _edit_matrix(words, reference)
        edits = int(matrix[-1][-1])
        best = (0, 0, 0, 0, words)
        for start, length, target in _shifts(words, reference, _alignment(words, reference, matrix)):
            tried += 1
            if tried == MOST_SHIFTS:
                return made + edits
            shifted = _shifted(words, start, length, target)
            edits_left = _edit_matrix(shifted, reference, matrix[: min(start, target) + 1])[-1][-1]
            best = max(best, (edits - int(edits_left), length, -start, -target, shifted))
        if best[0] <= 0:
            return made + edits
        words = best[-1]
        made += 1


def _edit_matrix(words: list[str], reference: list[str], first_rows: Sequence[list[float]] = ()) -> list[list[float]]:
    """Return the edits, but for shifts, that turn the first i words into the first j of the reference: row i, column j.

    ``first_rows`` are those that are known: they depend only on the words before.
    """
    ratio = len(reference) / len(words)
    beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    columns = len(reference) + 1
    rows = list(first_rows) or [list(map(float, range(columns)))]
    for i in range(len(rows), len(words) + 1):
        diagonal = math.floor(i * ratio)
        first, last = max(0, diagonal - beam), min(columns, diagonal + beam) if i < len(words) else columns
        above, row = rows[-1], [math.inf] * columns
        if first == 0:
            row[0] = above[0] + 1
        for j in range(max(first, 1), last):
            row[j] = min(above[j - 1] + (words[i - 1] != reference[j - 1]), above[j] + 1, row[j - 1] + 1)
        rows.append(row)
    return rows


def _alignment(words: list[str], reference: list[str], matrix: list[list[float]]) -> tuple[list[int], ...]:
    """Trace the edits back from the last words. Of equally many, a word is kept or replaced, else deleted.

    Return the last word of the hypothesis that is used up to each word of the reference, -1 if none is; and how many of
    the first words of the hypothesis, and of the reference, are edited.
    """
    i, j = len(words), len(reference)
    aligned, errors, reference_errors = [-1] * j, [1] * i, [1] * j
    while i or j:
        differ = not (i and j and words[i - 1] == reference[j - 1])
        if i and j and matrix[i][j] == matrix[i - 1][j - 1] + differ:
            i, j = i - 1, j - 1
            aligned[j] = i
            errors[i] = reference_errors[j] = int(differ)
        elif i and (not j or matrix[i][j] == matrix[i - 1][j] + 1):
            i -= 1
        else:
            j -= 1
            aligned[j] = i - 1
    return aligned, *([0, *accumulate(flags)] for flags in (errors, reference_errors))


def _shifts(words: list[str], reference: list[str], alignment: tuple[list[int], ...]) -> Iterator[tuple[int, int, int]]:
    """Yield shifts to try: the first word, the number of words, and the word before which they go.

    They are runs of words that are also in the reference, elsewhere, with an error in both. They are shifted to behind
    the word that is aligned with the one before the run, or with one in it.
    """
    aligned, errors, reference_errors = alignment
    for start in range(len(words)):
        for other in range(max(0, start - FARTHEST_SHIFT), min(len(reference), start + FARTHEST_SHIFT + 1)):
            runs = zip(words[start : start + LONGEST_SHIFT], reference[other : other + LONGEST_SHIFT], strict=False)
            for length, (word, same) in enumerate(runs, 1):
                if word != same:
                    break
                stop, other_stop = start + length, other + length
                is_right = errors[stop] == errors[start]
                is_right_there = reference_errors[other_stop] == reference_errors[other]
                if is_right or is_right_there or start <= aligned[other] < stop:
                    continue
                before = [aligned[place] if place >= 0 else -1 for place in range(other - 1, other_stop)]
                for target in dict.fromkeys(before):
                    yield start, length, target + 1


def _shifted(words: list[str], start: int, length: int, target: int) -> list[str]:
    """Return the words after a shift; to a place in the run itself, the run goes so many words to the right."""
    stop = start + length
    if target < start:
        return words[:target] + words[start:stop] + words[target:start] + words[stop:]
    if target <= stop:
        target += length
    return words[:start] + words[stop:target] + words[start:stop] + words[target:]
