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


def counted(bleu: Bleu, corpus: Corpus, threads: int | None) -> Iterator[tuple[Part, list[Statistics]]]:
    """Yield the parts of a corpus, each with the statistics of its segments for each system."""
    return while_reading(partial(_of_part, bleu), corpus.parts(bleu.tokenize), threads or cores())


def _of_part(bleu: Bleu, part: Part, threads: int) -> tuple[Part, list[Statistics]]:
    """Return a part, and the statistics of each system; for several of them the references are tokenized once."""
    if len(part.systems) == 1:
        [texts] = part.systems
        rows = bleu.statistics(texts, part.references, references_by="segment", threads=threads, first=part.first)
        return part, [rows]
    prepared = bleu.prepare(part.references, threads=threads)
    return part, [prepared.statistics(texts, threads=threads, first=part.first) for texts in part.systems]
