"""Some of the segments of a corpus, or its texts in other roles, to be scored in place of the whole."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.errors import InputError
from bleukit.framework.loops import up_to
from bleukit.framework.packed import Grouped, grouped
from bleukit.reading.aligned_segments import CorpusOfOthers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.reading.evaluation_sets import TokenizeFunction

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
"""ASCII's punctuation, as Python's module string has it."""


def _without_subwords(text: str) -> str:
    """Return a text whose subwords are joined: ``@@ `` goes, or blanks do if ``\u2581`` stands for them."""
    if "@@ " in text or "\u2581" not in text:
        return text.replace("@@ ", "")
    return text.replace(" ", "").replace("\u2581", " ").strip()


REMOVED: Mapping[str, Callable[[str], str]] = {
    "punctuation": partial(_PUNCTUATION.sub, ""),
    "subwords": _without_subwords,
}
"""What can be removed from texts."""


class Arrangement(NamedTuple):
    """What of a text to score; what is not given changes nothing, and all is done in this order.

    ``segments`` are the numbers of the first and the last one. ``remove`` is a key of REMOVED. ``over_references`` is
    "first", or else each reference makes a segment: "pooled", or "mean" or "max" of the scores by each. ``swap``
    exchanges hypotheses and references.
    """

    segments: tuple[int, int] | None = None
    remove: str | None = None
    over_references: str | None = None
    swap: bool = False

    @property
    def fields(self) -> list[str]:
        """What is given, as fields of a signature."""
        given = self._asdict()
        if self.segments:
            given["segments"] = "{}-{}".format(*self.segments)
        return [f"{key}:{'yes' if value is True else value}" for key, value in given.items() if value]


AS_IT_IS = Arrangement()


class ArrangedCorpus(CorpusOfOthers):
    """A corpus of which an arrangement is scored: a Corpus."""

    def __init__(self, corpus: Any, arrangement: Arrangement) -> None:
        super().__init__([corpus])
        self.arrangement = arrangement
        self.together = 0
        """How many segments in a row were one, if each reference makes a segment; known when the first part is read."""

    @property
    def references(self) -> int | None:
        """How many references a segment has; None if that varies, or is not known yet."""
        return 1 if self.arrangement.over_references or self.arrangement.swap else super().references

    def parts(self, *tokenizers: TokenizeFunction) -> Iterator[AlignedSegments]:
        """Yield the segments; all are read. Raises InputError for what cannot be arranged so, or if none is left."""
        read = made = 0
        for part in self._corpora[0].parts(*tokenizers):
            read = part.first + len(part.references)
            first, last = self.arrangement.segments or (1, read)
            start, stop = max(0, first - 1 - part.first), min(len(part.references), last - part.first)
            if start < stop:
                arranged = self._arranged(part.part(start, stop))._replace(first=made)
                made += len(arranged.references)
                yield arranged
        if read and not made:
            raise InputError(f"--segments: the text has {read} segments")

    def _arranged(self, part: AlignedSegments) -> AlignedSegments:
        _, remove, over_references, swap = self.arrangement
        references = part.references
        if remove:
            part = part._replace(systems=[list(map(REMOVED[remove], texts)) for texts in part.systems])
            references = Grouped(list(map(REMOVED[remove], references.items)), references.ends)
        if over_references == "first":
            references = grouped([group[:1] for group in references])
        elif over_references:
            sizes = references.lengths()
            self.together = self.together or sizes[0]
            if over_references != "pooled" and {*sizes} != {self.together}:
                raise InputError(f"--over-references {over_references}: segments differ in the number of references")
            part = part.but_references(lambda values: list(chain.from_iterable(map(repeat, values, sizes))))
            references = Grouped(references.items, up_to(len(references.items)))
        if swap:
            if len(part.systems) > 1 or len(references.items) > len(references):
                raise InputError("--swap needs one system and one reference")
            [system] = part.systems
            part, references = part._replace(systems=[references.items]), Grouped(system, references.ends)
        return part._replace(references=references)
