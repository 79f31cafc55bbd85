"""What a command has read, counted part by part, while it reads on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bleukit.counting.threads import map_while_reading
from bleukit.text.arguments import available_cores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics
    from bleukit.text.aligned_segments import AlignedSegments
    from bleukit.text.corpora import Corpus

KEPT = 16 << 20
"""Bytes of freed memory that glibc may keep for the next part of a corpus."""


def counted(
    bleu: Bleu, corpus: Corpus, threads: int | None, *, summed: bool = False
) -> Iterator[tuple[AlignedSegments, list[Statistics]]]:
    """Yield the parts of a corpus without their texts, each with the statistics of each system.

    They have a row per segment or, which takes less memory, one row for all of a part.
    """
    # glibc keeps twice the size of the largest block that was ever freed, and returns the rest to the system, which
    # hands it out again page by page for every part: 6 % of the CPU of a large corpus. No page of this block is used.
    bytes(KEPT // 2)
    return map_while_reading(partial(_of_part, bleu, summed), corpus.parts(bleu.tokenize), threads or available_cores())


def _of_part(bleu: Bleu, summed: bool, part: AlignedSegments, threads: int) -> tuple[AlignedSegments, list[Statistics]]:
    """Count a part; for several systems the references are tokenized once."""
    count = (
        partial(bleu.statistics, references=part.references, references_by="segment")
        if len(part.systems) == 1
        else bleu.prepare(part.references, threads=threads).statistics
    )
    of_systems = (count(texts, threads=threads, first=part.first) for texts in part.systems)
    return part._replace(systems=(), references=()), [rows.sum() if summed else rows for rows in of_systems]
