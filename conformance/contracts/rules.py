"""What must hold of the results of each kind of component, whatever it computes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.contracts import inputs
from bleukit.conformance.definitions import DEFINITIONS, REFUSED, alike, plain_counts, plain_precisions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bleukit.conformance.contracts.calls import SelfDescription
    from bleukit.conformance.contracts.inputs import Arguments, Maker

SHOWN = 200
"""How many characters of a value are shown."""


class ContractRule(NamedTuple):
    """What must hold of one result, and of those of ``others``, inputs that are made of this one.

    ``wrong`` takes what the component says of itself, the input, its result and those of the others, and returns what
    does not hold. The rule is not for a component that declares the attribute ``unless``, and if there is an attribute
    ``promised``, for those alone that declare it.
    """

    says: str
    wrong: Callable[..., str]
    unless: str = ""
    others: Callable[[Arguments], list[Arguments]] = lambda _: []
    tried_on: Maker | None = None
    promised: str = ""


def _are_tokens(_: Arguments, __: list[str]) -> bool:
    return True  # that they are strings was seen when they were copied


def _are_counts(arguments: Arguments, counted: tuple[list[int], list[int]]) -> bool:
    matches, totals = counted
    bounded = all(0 <= match <= max(0, total) for match, total in zip(matches, totals, strict=False))
    return len(matches) == len(totals) == arguments[2] and bounded


def _is_a_length(arguments: Arguments, length: float) -> bool:
    return bool(min(arguments[1]) <= length <= max(arguments[1]))


def _are_precisions(arguments: Arguments, precisions: list[float]) -> bool:
    """Return whether there is one per order, NaN only if the order has no n-gram."""
    totals = arguments[1]
    return len(precisions) == len(totals) and all(
        total == 0 if math.isnan(p) else 0 <= p < math.inf for p, total in zip(precisions, totals, strict=True)
    )


def _is_a_factor(_: Arguments, factor: float) -> bool:
    return 0 <= factor < math.inf


WELL_FORMED: Mapping[str, Callable[[Arguments, Any], bool]] = {
    "tokenizer": _are_tokens,
    "counter": _are_counts,
    "reference_length": _is_a_length,
    "smoothing": _are_precisions,
    "brevity_penalty": _is_a_factor,
}
"""Whether a result is what each kind of component must return."""
EXPECTED = {
    "tokenizer": "a sequence of str",
    "counter": "matches and totals, two lists of max_order whole numbers, no match above its total, or 0",
    "reference_length": "a number between the shortest and the longest reference length",
    "smoothing": "a number of at least 0 for each order, NaN only for an order without n-grams",
    "brevity_penalty": "a finite number of at least 0",
}
"""What that is, in words."""


def _keeps_characters(_: SelfDescription, arguments: Arguments, tokens: list[str]) -> str:
    kept, whole = ("".join("".join(text).split()) for text in (tokens, arguments[0]))
    return "" if kept == whole else f"its tokens are {in_short(tokens)}"


def _keeps_letters(_: SelfDescription, arguments: Arguments, tokens: list[str]) -> str:
    """Of words of ASCII letters no tokenizer loses any, whatever else it rewrites."""
    kept, whole = (re.sub("[^a-z]", "", "".join(text).lower()) for text in (tokens, arguments[0]))
    return "" if kept == whole else f"its tokens are {in_short(tokens)}"


def _leaves_something(_: SelfDescription, arguments: Arguments, tokens: list[str]) -> str:
    """Of words of one character each, in which no rule about several finds its place, none vanishes.

    U+0000 ends a text for what is written in C.
    """
    words = arguments[0].partition("\0")[0].split(" ")
    left, whole = (len("".join("".join(text).split())) for text in (tokens, words))
    alone = set(map(len, words)) <= {0, 1}
    return f"{left} of {whole} characters are left" if alone and left < whole else ""


def _counts_plainly(described: SelfDescription, arguments: Arguments, counted: Any) -> str:
    wanted = plain_counts(*arguments, **described.values)
    return "" if counted == wanted else f"it counts {in_short(counted)}, plainly they are {in_short(wanted)}"


def _equal(what: str) -> Callable[..., str]:
    def wrong(_: SelfDescription, __: Arguments, result: Any, *others: Any) -> str:
        other = next((other for other in others if repr(other) != repr(result)), result)
        return "" if repr(other) == repr(result) else f"{in_short(result)}, but {in_short(other)} {what}"

    return wrong


def _same_matches(_: SelfDescription, __: Arguments, ___: Any, one: Any, other: Any) -> str:
    return "" if one[0] == other[0] else f"{in_short(one[0])}, but {in_short(other[0])} if they change places"


def _grows_alike(_: SelfDescription, __: Arguments, length: float, *others: float) -> str:
    for more, other in zip(_MORE, others, strict=True):
        if not math.isclose(other, length + more, rel_tol=1e-12):
            return f"{length}, but {other} if all are longer by {more}"
    return ""


_MORE = (1, 97)


def _longer(arguments: Arguments) -> list[Arguments]:
    length, references = arguments
    return [(length + more, [reference + more for reference in references]) for more in _MORE]


def _within_one(_: SelfDescription, __: Arguments, precisions: list[float]) -> str:
    return f"it returns {precisions}" if any(p > 1 + 1e-12 for p in precisions) else ""


def _not_lower(_: SelfDescription, arguments: Arguments, precisions: list[float]) -> str:
    """Smoothing gives to what has no match (Chen and Cherry 2014), or adds to both sides (Lin and Och 2004).

    An order without n-grams has no precision to compare with; there a definition may give up the whole text.
    """
    least = plain_precisions(*arguments[:2])
    lower = all(arguments[1]) and any(p < q - 1e-12 for p, q in zip(precisions, least, strict=True))
    return f"it returns {precisions}, matches by totals are {least}" if lower else ""


def _as_they_are(_: SelfDescription, arguments: Arguments, precisions: list[float]) -> str:
    wanted = plain_precisions(*arguments[:2])
    same = all(math.isclose(p, q, rel_tol=1e-12) for p, q in zip(precisions, wanted, strict=True))
    return "" if same or not all(arguments[0]) else f"it returns {precisions}, matches by totals are {wanted}"


def _alike_below(_: SelfDescription, __: Arguments, precisions: list[float], *of_fewer: list[float]) -> str:
    for fewer in of_fewer:
        if repr(fewer) != repr(precisions[: len(fewer)]):
            return f"it returns {precisions}, but {fewer} of the first {len(fewer)} orders alone"
    return ""


def _fewer_orders(arguments: Arguments) -> list[Arguments]:
    matches, totals, length, reference_length, last = arguments
    return [
        (matches[:n], totals[:n], length, reference_length, (last[0][:n], last[1][:n], *last[2:]))
        for n in range(1, len(matches))
    ]


def _other_reference_lengths(arguments: Arguments) -> list[Arguments]:
    matches, totals, length, _, last = arguments
    return [(matches, totals, length, other, (*last[:3], other, *last[4:])) for other in (0.0, length + 1.5)]


def _one_from_equal_length(_: SelfDescription, arguments: Arguments, factor: float) -> str:
    length, reference_length = arguments
    return f"it returns {factor}" if 0 < length >= reference_length and factor != 1 else ""


def _no_gain(_: SelfDescription, __: Arguments, factor: float) -> str:
    return f"it returns {factor}" if factor > 1 else ""


def _not_above_longer(_: SelfDescription, __: Arguments, factor: float, *of_shorter: float) -> str:
    more = [shorter for shorter in of_shorter if shorter > factor * (1 + 1e-12)]
    return f"{factor}, but {more[0]} for a shorter hypothesis" if more else ""


def other_than_defined(described: SelfDescription, arguments: Arguments, result: Any) -> str:
    """Return how a result differs from what the component's document defines, empty if it does not."""
    wanted = DEFINITIONS[described.kind, described.name](*arguments, **described.options)
    if wanted is REFUSED:
        return f"{in_short(result)}, its document refuses this input"
    if wanted is None or alike(wanted, result, 1e-12):
        return ""
    return f"{in_short(result)}, its document defines {in_short(wanted)}"


RULES: Mapping[str, Sequence[ContractRule]] = {
    "tokenizer": (
        ContractRule("keeps every character that is no space, in order", _keeps_characters, "rewrites_text"),
        ContractRule("leaves something of every character", _leaves_something, "drops_characters"),
        ContractRule(
            "keeps the letters of plain words, in order", _keeps_letters, "drops_words", tried_on=inputs.plain_words
        ),
    ),
    "counter": (
        ContractRule("counts as the plain definition", _counts_plainly, "counts_otherwise"),
        ContractRule(
            "finds the same matches if hypothesis and reference change places, as it declares",
            _same_matches,
            others=lambda arguments: [
                (arguments[0], arguments[1][:1], arguments[2]),
                (arguments[1][0], [arguments[0]], arguments[2]),
            ],
            promised="symmetric",
        ),
    ),
    "reference_length": (
        ContractRule(
            "is blind to the order of the references",
            _equal("with the references in another order"),
            "depends_on_order",
            lambda arguments: [(arguments[0], arguments[1][::-1]), (arguments[0], sorted(arguments[1]))],
        ),
        ContractRule("grows by as much as all lengths grow", _grows_alike, "depends_on_size", _longer),
    ),
    "smoothing": (
        ContractRule("gives no precision above 1", _within_one, "exceeds_one"),
        ContractRule("never gives less than the matches by the totals", _not_lower, "lowers_precisions"),
        ContractRule("gives the matches by the totals if every order has a match", _as_they_are, "smooths_matches"),
        ContractRule(
            "gives an order the same however many orders there are", _alike_below, "depends_on_orders", _fewer_orders
        ),
        ContractRule(
            "does not read the reference length, as it declares",
            _equal("with another reference length"),
            others=_other_reference_lengths,
            promised="ignores_reference_length",
        ),
    ),
    "brevity_penalty": (
        ContractRule("gives 1 from equal length on", _one_from_equal_length, "penalizes_equal_length"),
        ContractRule("gives no factor above 1", _no_gain, "exceeds_one"),
        ContractRule(
            "gives no larger factor to a shorter hypothesis",
            _not_above_longer,
            others=lambda arguments: [(less, arguments[1]) for less in {arguments[0] // 2, max(0, arguments[0] - 1)}],
        ),
    ),
}


RULES_OF_OTHER_COUNTERS = (
    ContractRule(
        "is blind to the order of the references",
        _equal("with the references in another order"),
        others=lambda arguments: [(arguments[0], arguments[1][::-1], arguments[2])],
    ),
)
"""What must hold of a counter that does not count as the plain definition."""


def in_short(value: Any) -> str:
    """Show a value, what repeats a character many times in short."""
    text = re.sub(r"(.)\1{9,}", lambda run: f"{run[1]}…({len(run[0])} times)", repr(value))
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
