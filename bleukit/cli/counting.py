"""What a command has read, counted part by part, while it reads on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bleukit.counting.threads import while_reading
from bleukit.text.arguments import cores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics
    from bleukit.text.corpora import Corpus
    from bleukit.text.parts import Part


def counted(
    bleu: Bleu, corpus: Corpus, threads: int | None, *, summed: bool = False
) -> Iterator[tuple[Part, list[Statistics]]]:
    """Yield the parts of a corpus without their texts, each with the statistics of each system.

    They have a row per segment or, which takes less memory, one row for all of a part.
    """
    return while_reading(partial(_of_part, bleu, summed), corpus.parts(bleu.tokenize), threads or cores())


def _of_part(bleu: Bleu, summed: bool, part: Part, threads: int) -> tuple[Part, list[Statistics]]:
    """Count a part; for several systems the references are tokenized once."""
    count = (
        partial(bleu.statistics, references=part.references, references_by="segment")
        if len(part.systems) == 1
        else bleu.prepare(part.references, threads=threads).statistics
    )
    of_systems = (count(texts, threads=threads, first=part.first) for texts in part.systems)
    return part._replace(systems=(), references=()), [rows.sum() if summed else rows for rows in of_systems]
