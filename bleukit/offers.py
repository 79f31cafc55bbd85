"""What plugins offer beside components: signatures they read, what other libraries report, definitions of self-BLEU."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.variant import Variant


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
    fields are arguments of :meth:`bleukit.Bleu.self_bleu`.
    """

    source: str
    keys: Mapping[str, Any]
    references: AmongTexts = "others"
    first: int | None = None

    @property
    def policy(self) -> dict[str, Any]:
        """The arguments."""
        return {"references": self.references, "first": self.first}
