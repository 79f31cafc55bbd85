"""What plugins provide for BLEU: the protocols of its components and of all else, what they are given and return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from bleukit.framework.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.bleu.variant import Variant
    from bleukit.framework.protocols import Text

CountsT = TypeVar("CountsT", "Counts", "CountsTable")


class NgramCounter(Protocol):
    """Tokens to the matches and totals of each n-gram order.

    Batch: ``batch(hypotheses, references, max_order) -> (matches, totals)``, two integer arrays of shape (segments,
    max_order); ``references[i]`` holds the references of hypothesis i. Both arguments may be the compact sequences of
    :class:`bleukit.plugin.PackedTokens` and :class:`bleukit.plugin.Grouped`.

    Promise ``clipped``: matches are clipped counts, as the paper defines them, and the total of order n is
    max(``least_total``, length - n + 1). Promise ``least_total``, 0 if it is absent: no total of a segment is below
    this number.
    """

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int, /
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Return (matches, totals), each of max_order ints, order 1 first; 0 <= matches[n] <= totals[n].

        They do not depend on the order of the references.
        """
        ...


class ReferenceLength(Protocol):
    """The lengths of one segment to its effective reference length, in tokens.

    Batch: ``batch(hypothesis_lengths, reference_lengths) -> float array of shape (segments,)``;
    ``reference_lengths[i]`` holds the lengths of the references of hypothesis i, and may be
    :class:`bleukit.plugin.Grouped`, whose ``items`` and ``ends`` numpy can take as they are.
    """

    def __call__(self, hypothesis_length: int, reference_lengths: Sequence[int], /) -> float:
        """Return the effective reference length, finite and at least 0; reference_lengths is never empty."""
        ...


@dataclass(frozen=True)
class Counts:
    """What a smoothing sees: the sums over the unit that is scored (a sentence, a document, a corpus).

    ``matches`` and ``totals`` hold one number per order, order 1 first; lengths are in tokens. ``segments``
    says how many the unit has; ``last`` is read as ``last_segment``.
    """

    matches: Sequence[int]
    totals: Sequence[int]
    hypothesis_length: int
    reference_length: float
    last: Counts | None = None
    segments: int = 1

    @property
    def last_segment(self) -> Counts:
        """The counts of the unit's last segment alone, up to the order that the ``counted_order`` asks for.

        Raises PluginError unless the smoothing promises ``needs_last_segment``.
        """
        return _promised(self.last)


@dataclass(frozen=True)
class CountsTable:
    """The :class:`Counts` of many units, one row each, as the batch method of a smoothing sees them.

    ``matches`` and ``totals`` are of shape (units, orders), the lengths of shape (units,); none may be changed.
    """

    matches: NDArray[np.int64]
    totals: NDArray[np.int64]
    hypothesis_length: NDArray[np.int64]
    reference_length: NDArray[np.float64]
    last: CountsTable | None = None
    segments: NDArray[np.int64] | int = 1

    @property
    def last_segment(self) -> CountsTable:
        """The last segment of each unit, as :attr:`Counts.last_segment`."""
        return _promised(self.last)

    def rows(self) -> list[Counts]:
        """Return the counts of each unit."""
        lasts: Sequence[Counts | None] = self.last.rows() if self.last else [None] * len(self.matches)
        import numpy as np

        segments = np.broadcast_to(self.segments, len(self.matches))
        columns = (self.matches, self.totals, self.hypothesis_length, self.reference_length)
        units = zip(*(column.tolist() for column in columns), lasts, segments.tolist(), strict=True)
        return [Counts(*unit) for unit in units]


def _promised(last: CountsT | None) -> CountsT:
    if last is None:
        raise PluginError("its last_segment, which is read without the promise `needs_last_segment`")
    return last


class Smoothing(Protocol):
    """Counts to precisions.

    A smoothing that needs n-grams of a higher order than the variant weighs may offer
    ``counted_order(max_order: int) -> int``; ``Counts.last_segment`` then reaches up to that order.

    Promise ``needs_last_segment``: it reads ``Counts.last_segment``. Statistics then keep the last segment of each sum,
    and what has none, such as a resample, is refused. Without the promise, to read it is an error.

    Batch: ``batch(counts: CountsTable) -> float array of shape (units, orders)``.

    Steps: ``steps(counts: Counts) -> Sequence[str]`` says how each precision is computed, as the documentation writes
    it: ``(1/2^1)/3``, or in words, ``1, because there is no n-gram``; empty for the matches by the totals. ``bleukit
    explain`` prints it.
    """

    def __call__(self, counts: Counts, /) -> Sequence[float]:
        """Return the precisions, one per order, finite and at least 0; NaN if the order has no n-gram at all (0/0).

        Plain ones are at most 1; a documented method that exceeds this (NLTK's methods 5 to 7) or defines 0/0
        (sacreBLEU's add-k) is followed, and says so. Raises :class:`bleukit.plugin.InputError` for counts that the
        method cannot smooth.
        """
        ...


class BrevityPenalty(Protocol):
    """The lengths of a unit (a sentence, a document, a corpus), summed over its segments, to the factor of its score.

    Batch: ``batch(hypothesis_lengths, reference_lengths) -> float array of shape (units,)``, from an int64 and a
    float64 array of that shape.

    Steps: ``steps(hypothesis_length, reference_length) -> str`` says how the factor is computed, as the documentation
    writes it: ``exp(1 - r/c) = exp(1 - 5/4)``, or ``1, because c = 5 ≥ r = 4``. ``bleukit explain`` prints it.
    """

    def __call__(self, hypothesis_length: int, reference_length: float, /) -> float:
        """Return the factor, finite and at least 0; both lengths, in tokens, may be 0."""
        ...


@dataclass(frozen=True)
class ReadSignature:
    """What a signature says: the variant, and how many references each segment has, None if that varies.

    ``any_references`` is True if it holds for any number of them. ``caveat`` says how the score may still differ, in a
    case so rare that it is no reason to refuse. ``comparison`` holds what it says of intervals and tests, as keyword
    arguments of :func:`bleukit.compare`.
    """

    variant: Variant
    references: int | None
    caveat: str = ""
    any_references: bool = False
    comparison: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reported:
    """What another library itself says of the segments it scored: None for every stage that it does not report.

    ``tokens`` are those of the hypothesis, if there is one; ``matches``, ``totals`` and ``precisions`` hold one
    number per order, order 1 first; lengths are in tokens. Precisions, brevity penalty and score are 0 to 1, whatever
    the library's own scale.
    """

    tokens: Sequence[str] | None = None
    matches: Sequence[float] | None = None
    totals: Sequence[float] | None = None
    precisions: Sequence[float] | None = None
    hypothesis_length: float | None = None
    reference_length: float | None = None
    brevity_penalty: float | None = None
    score: float | None = None


AmongTexts: TypeAlias = Literal["others", "all", "later"]
"""Which texts are the references of one of them: the others, all, or those that come later, each alone."""


@dataclass(frozen=True)
class SelfBleuDefinition:
    """A published definition of self-BLEU: a variant, and which texts are references of which.

    ``keys`` are those of a variant file; ``source`` says where the definition comes from. The other
    fields are arguments of :func:`bleukit.self_bleu`.
    """

    source: str
    keys: Mapping[str, Any]
    references: AmongTexts = "others"
    first: int | None = None

    @property
    def policy(self) -> dict[str, Any]:
        """The arguments."""
        return {"references": self.references, "first": self.first}


class Implementation(Protocol):
    """Another library's BLEU, asked for the score that a variant describes.

    It maps the variant to the library's own parameters, hands over the segments in the library's layout, and computes
    nothing of BLEU itself. If the variant departs from the plain definition (clipped counts, the closest reference
    length, no smoothing) in a way that the library has no parameter for, it raises
    :class:`bleukit.CannotExpressError`, with the key and the value at fault. It does not raise it because the library
    departs from the plain definition: that is what the comparison shows. Whatever the library raises passes through.

    Its factory takes no options, imports the library, and names in ``distributions`` what must be installed for that,
    the library itself first; a class is the natural form. An implementation may offer ``from_counts(variant, counts:
    Counts) -> Reported``, for libraries that take counts in place of segments; and its factory ``code(variant) ->
    str``: Python to copy, without bleukit, that sets ``score`` to the score of ``hypotheses``, a list of texts, against
    ``references``, a list of texts for each. It raises the same, also if the library departs from the variant, and must
    not need the library.
    """

    def __call__(
        self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], /
    ) -> Reported:
        """Return what the library reports of the segments together.

        Segments are texts, or lists of tokens, to which no tokenizer is applied; ``references[i]``, never empty, holds
        the references of hypothesis i.
        """
        ...


class SignatureFormat(Protocol):
    """How another tool writes down which BLEU a score is. Its factory takes no options; a class is the natural form."""

    def __call__(self, signature: str, /) -> ReadSignature | None:
        """Read a signature; return None if it is not of this tool.

        Raises VariantError, with "signature" as ``where``, if it is of this tool but wrong, or if its score would be
        another.
        """
        ...

    def write(self, variant: Variant, references: int | None, /) -> str:
        """Return the signature that the tool would give the scores of a variant.

        Raises :class:`bleukit.CannotExpressError`, with the key and the value at fault, if it cannot.
        """
        ...
