"""Texts and references as a procedure has them counted: some segments, other texts, or other pairs of both."""

from __future__ import annotations

import string
import unicodedata
from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any

from bleukit.framework.errors import InputError
from bleukit.framework.loops import up_to
from bleukit.framework.lowercasing import all_lowered
from bleukit.framework.packed import PADDING, Grouped, PackedTokens, ends_of, grouped, packed, select_texts
from bleukit.framework.segments import Segments
from bleukit.reading.aligned_segments import CorpusOfOthers
from bleukit.reading.corpora import in_memory
from bleukit.reading.files import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.corpus.procedure import ProcedureKeys
    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.reading.evaluation_sets import TokenizeFunction
    from bleukit.reading.files import Limits


class _WithoutPunctuation(dict[int, "int | None"]):
    """Maps the characters of text to themselves, and punctuation to nothing, as :meth:`str.translate` wants it."""

    def __missing__(self, code: int) -> int | None:
        character = chr(code)
        is_punctuation = character in string.punctuation or unicodedata.category(character).startswith("P")
        return self.setdefault(code, None if is_punctuation else code)


_WITHOUT_PUNCTUATION = _WithoutPunctuation()


def _without_punctuation(text: str) -> str:
    """Return a text without what Unicode calls punctuation (category P), and without ``string.punctuation``."""
    return text.translate(_WITHOUT_PUNCTUATION)


def _without_subwords(text: str) -> str:
    """Return a text whose subwords are joined: ``@@ `` goes, or blanks do if ``\u2581`` stands for them."""
    if "@@ " in text or "\u2581" not in text:
        return text.replace("@@ ", "")
    return text.replace(" ", "").replace("\u2581", " ").strip()


_REMOVED: Mapping[str, Callable[[str], str]] = {
    "punctuation": _without_punctuation,
    "subwords": _without_subwords,
}
"""What can be removed from texts."""


class Arrangement:
    """What a procedure does to one text.

    ``lowercase`` is that of the variant, if it is the only one: texts are lowercased before their characters are
    tokens. ``together`` is how many segments in a row were one, if each reference makes a segment whose score is joined
    with those by the others; it is known when the first part has been arranged.
    """

    def __init__(self, keys: ProcedureKeys, lowercase: bool | str = False) -> None:
        self.keys = keys
        self.lowercase = lowercase if keys.text else False  # else the tokenizer gets it, which may do that itself
        self.together = 1

    def parts(self, parts: Iterable[AlignedSegments]) -> Iterator[AlignedSegments]:
        """Yield the parts of a text as they are counted; the whole text is one part if the keys need that.

        Raises InputError for what cannot be arranged so, or if no segment is left.
        """
        keys = self.keys
        read = made = 0
        for given in parts:
            part = _other_texts(given, keys, self.lowercase)
            if keys.shift:
                part = _in_pairs(part, shift=keys.shift)
            read = part.first + len(part.references)
            first, last = keys.first_and_last or (1, read)
            start, stop = max(0, first - 1 - part.first), min(len(part.references), last - part.first)
            if start >= stop:
                continue
            part = part.part(start, stop)._replace(first=made)
            if keys.by_reference:
                numbers = part.references.lengths()
                self.together = self.together if made else numbers[0]
                if {*numbers} != {self.together}:
                    raise InputError("procedure.over_references: segments differ in the number of references")
            if keys.apart:
                part = _in_pairs(part, reference=keys.reference, apart=True)
            if keys.swap:
                part = _swapped(part)
            made += len(part.references)
            yield part
        if read and not made:
            raise InputError(f"procedure.segments: the text has {read} segments")


class ArrangedCorpus(CorpusOfOthers):
    """A corpus of which a procedure has something else counted: a Corpus."""

    def __init__(self, corpus: Any, arrangement: Arrangement, limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__([corpus])
        self._arrangement = arrangement
        self._limits = limits
        keys = arrangement.keys
        self.has_documents = self.has_documents and keys.text not in _OF_WHOLE
        self.has_entities = self.has_entities and not keys.needs_texts

    @property
    def references(self) -> int | None:
        """How many references a segment has; None if that varies, or is not known yet."""
        keys = self._arrangement.keys
        if keys.text in {"first hypothesis", "words as references"}:
            return None
        return 1 if keys.apart or keys.swap else super().references

    def parts(self, *tokenizers: TokenizeFunction) -> Iterator[AlignedSegments]:
        """Yield the segments; all are read. Raises InputError for what cannot be arranged so, or if none is left."""
        [corpus] = self._corpora
        keys = self._arrangement.keys
        tokenizers = () if keys.needs_texts else tokenizers
        if keys.needs_whole:
            yield from self._arrangement.parts([in_memory(corpus, *tokenizers, limits=self._limits)])
        else:
            yield from self._arrangement.parts(corpus.parts(*tokenizers))


def _other_texts(part: AlignedSegments, keys: ProcedureKeys, lowercase: bool | str) -> AlignedSegments:
    """Return the segments without what is removed, and with other texts."""
    if not keys.needs_texts:
        return part
    if part.tokenized:
        key = "remove" if keys.remove else "text"
        raise InputError(f"procedure.{key} is done to texts, and tokens are given")
    changed = [
        changed_texts(removed_from(part.of_system(system), keys.remove, lowercase), keys.text)
        for system in range(len(part.systems))
    ]
    if keys.text in _OF_WHOLE:
        part = part._replace(documents=None, names=None, sources=None, test_sets=None)
    return part._replace(
        systems=[each.hypotheses for each in changed],
        references=changed[0].references,
        tokenized=changed[0].tokenized,
    )


def removed_from(segments: Segments, what: str | None, lowercase: bool | str = False) -> Segments:
    """Return texts lowercased, and without what is removed."""
    sides: list[Any] = [segments.hypotheses, segments.references.items]
    if lowercase:
        sides = [all_lowered(side, lowercase) for side in sides]
    if what:
        sides = [list(map(_REMOVED[what], side)) for side in sides]
    return Segments(sides[0], Grouped(sides[1], segments.references.ends), tokenized=False)


_OF_WHOLE = {"joined", "first hypothesis"}
"""The changes of texts that make one segment of all."""


def changed_texts(segments: Segments, change: str | None) -> Segments:
    """Return a text changed as the key ``text`` says, if it does."""
    if not change:
        return segments
    texts: Any = segments.hypotheses
    references: Any = segments.references
    if change == "joined":
        of_each = [" ".join(column) for column in zip(*references, strict=False)]
        return Segments([" ".join(texts)], grouped([of_each]), tokenized=False)
    if change == "first hypothesis":
        return Segments(texts[:1], grouped([[group[0] for group in references]]), tokenized=False)
    hypotheses = _characters(texts) if change == "characters" else packed(list(map(str.split, texts)))
    if change == "words as references":
        words = [group[0].split() or [""] for group in references]
        return Segments(hypotheses, Grouped(_characters(list(chain(*words))), ends_of(words)), tokenized=True)
    return Segments(hypotheses, Grouped(_characters(references.items), references.ends), tokenized=True)


def _characters(texts: Sequence[str]) -> PackedTokens:
    """Return each character of each text as a token."""
    import numpy as np

    content = "".join(texts).encode("utf-8", "surrogatepass")
    ends = np.flatnonzero((np.frombuffer(content + b"a", np.uint8)[1:] & 0xC0) != 0x80) + 1  # where another begins
    return PackedTokens(array("B", content + bytes(PADDING)), array("q", ends.tobytes()), ends_of(texts))


def pairs_of(
    numbers: Sequence[int], shift: int | None = None, reference: int | None = None, apart: bool = False
) -> tuple[list[int], list[int], array[int]]:
    """Return which hypotheses are scored by which references, and where the references of each end.

    ``numbers`` says how many references each segment has. ``shift`` lets those of the line that is so many lines below
    a hypothesis be its own, and leaves out what has none; only the ``reference`` of this number is kept; each makes a
    segment of its own if ``apart``. Raises InputError if there is no such reference, or no pair.
    """
    hypotheses: list[int] = []
    kept: list[int] = []
    ends = array("q")
    place, shift = 0, shift or 0
    for segment, number in enumerate(numbers):
        if reference and number < reference:
            raise InputError(f"a segment has no reference {reference}")
        own = range(place + reference - 1, place + reference) if reference else range(place, place + number)
        place += number
        if not 0 <= segment - shift < len(numbers):
            continue
        for group in [[each] for each in own] if apart else [own]:
            hypotheses.append(segment - shift)
            kept += group
            ends.append(len(kept))
    if not kept:
        raise InputError("no segment to score")
    return hypotheses, kept, ends


def _in_pairs(part: AlignedSegments, **how: Any) -> AlignedSegments:
    """Return segments with what they are scored by, as :func:`pairs_of` says."""
    hypotheses, references, ends = pairs_of(part.references.lengths(), **how)
    paired = part.but_references(lambda values: selected(values, hypotheses))
    return paired._replace(references=Grouped(selected(part.references.items, references), ends))


def selected(values: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """Return some values, by their places."""
    if isinstance(values, PackedTokens):
        import numpy as np

        return select_texts(values, np.asarray(places, np.int64))
    return [values[place] for place in places]


def _swapped(part: AlignedSegments) -> AlignedSegments:
    if len(part.systems) > 1:
        raise InputError("procedure.swap needs one system")
    segments = exchanged(part.of_system(0))
    return part._replace(systems=[segments.hypotheses], references=segments.references)


def exchanged(segments: Segments) -> Segments:
    """Return hypotheses as references. Raises InputError if there are several references."""
    if len(segments.references.items) > len(segments):
        raise InputError("procedure.swap: hypotheses and references can be exchanged only if each has one reference")
    references: Any = segments.hypotheses
    return Segments(segments.references.items, Grouped(references, up_to(len(segments))), tokenized=segments.tokenized)
