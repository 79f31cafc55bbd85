"""The corpus of some evaluation sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.text import evaluation_sets
from bleukit.text.aligned_segments import AlignedSegments, group_references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.text.evaluation_sets import TokenizeFunction
    from bleukit.text.files import Limits

SEGMENTS = 8192
"""Segments of each part."""


class SetCorpus:
    """Evaluation sets: segments belong together by the ids of their documents and their own."""

    has_documents = True

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        limits: Limits,
        on_read: Callable[[int], object] | None,
    ) -> None:
        sets = evaluation_sets.align_sets(hypotheses, references, limits, on_read)
        self.systems: Sequence[str] = evaluation_sets.system_names(sets.systems)
        self.system_paths: Sequence[str] = sets.system_paths
        self.reference_paths: Sequence[str] = sets.reference_paths
        self.references: int | None = len(sets.references)
        self.notes = sets.notes
        self.has_entities = any(
            translation.has_entities and any("&" in text for text in translation.segments.values())
            for translation in (*sets.systems, *sets.references)
        )
        self._sets = sets

    def close(self) -> None:
        """Close nothing: all was read."""

    def parts(self, *tokenizers: TokenizeFunction) -> Iterator[AlignedSegments]:
        """Yield all segments, some at a time, for these tokenizers; see :class:`bleukit.text.corpora.Corpus`."""
        keep_entities = evaluation_sets.all_replace_entities(tokenizers)
        for first in range(0, len(self._sets.places), SEGMENTS):
            places = self._sets.places[first : first + SEGMENTS]
            systems, references = (
                [translation.texts(places, keep_entities=keep_entities) for translation in side]
                for side in (self._sets.systems, self._sets.references)
            )
            documents = [document for document, _ in places]
            names = [f"{document}:{segment}" for document, segment in places]
            yield AlignedSegments(first, systems, group_references(references), documents, names)
