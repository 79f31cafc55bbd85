"""What every component must keep, whatever it computes, tried on generated input; a breach shows the smallest found."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from bleukit.counting import components
from bleukit.errors import PluginError, one_line, shown
from bleukit.hookspecs import Counts
from bleukit.loading import registry
from bleukit.recipes import yaml_document
from bleukit.recipes.variant import Component
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bleukit.loading.registry import LoadedComponent

EXAMPLES = 60
SEARCHED = 1000
"""How many inputs are tried to find one that shows what a component declares of itself."""

_TOKENS = st.lists(st.sampled_from(["a", "b", "c", "é", "猫"]), max_size=8)
_REFERENCES = st.lists(_TOKENS, min_size=1, max_size=3)
_MARKS = ["a", "É", "猫", "1", "٣", ".", ",", "-", "'", "$", "、", " ", "\n", "\udc80", "&amp;", "&lt;"]
"""What rules of tokenizers are about."""
_TEXTS = st.one_of(
    st.text(max_size=20),
    st.text(st.characters(categories=["Cs", "Lo", "Mn", "Zs", "Po"]), max_size=8),
    st.lists(st.sampled_from(_MARKS), max_size=12).map("".join),
)
_LONG_TEXTS = st.text(min_size=1, max_size=4).map(lambda text: text * 500)


def _segment(draw: Any, orders: int, fewest: int) -> Counts:
    """Counts of a segment: n-grams fall by one an order, a higher order matches no more than a lower."""
    length = draw(st.integers(0, 12))
    ngrams = [max(0, length - order) for order in range(orders)]
    matches: list[int] = []
    for most in ngrams:
        matches.append(draw(st.integers(0, min([most, *matches[-1:]]))))
    return Counts(matches, [max(fewest, total) for total in ngrams], length, float(draw(st.integers(0, 12))))


@st.composite
def _counts(draw: Any, further: int = 0) -> Counts:
    """Counts as they occur: those of a last segment, which has so many orders further, and of what may be before it."""
    orders = draw(st.integers(1, 5))
    fewest = draw(st.integers(0, 1))  # a counter may count one n-gram where there is none, as NLTK does
    last = _segment(draw, orders + further, fewest)
    unit = [last, *([_segment(draw, orders, fewest)] if draw(st.booleans()) else [])]
    return Counts(
        [sum(part.matches[order] for part in unit) for order in range(orders)],
        [sum(part.totals[order] for part in unit) for order in range(orders)],
        sum(part.hypothesis_length for part in unit),
        sum(part.reference_length for part in unit),
        last,
    )


INPUTS: Mapping[str, st.SearchStrategy[tuple[Any, ...]]] = {
    "tokenizer": st.tuples(_TEXTS),
    "counter": st.tuples(_TOKENS, _REFERENCES, st.integers(1, 5)),
    "reference_length": st.tuples(st.integers(0, 30), st.lists(st.integers(0, 30), min_size=1, max_size=4)),
    "smoothing": st.tuples(_counts()),
}
"""The arguments of one call, by the kind of component."""

_ACCEPTED = {**INPUTS, "tokenizer": st.tuples(_TEXTS | _LONG_TEXTS)}


@dataclass(frozen=True)
class Breach:
    """A contract that a component does not keep, and the smallest input found that shows it."""

    kind: str
    name: str
    contract: str
    shown_by: str


def check(kind: str, name: str) -> Iterator[Breach]:
    """Try all contracts of one registered component; none after the first of them, on which the others rest.

    Raises VariantError where it cannot be created.
    """
    component = registry.installed().create(kind, Component(name))
    for contract, (strategy, keeps) in _contracts(kind).items():
        shown_by = _smallest_breach(component, strategy, keeps)
        if shown_by is not None:
            yield Breach(kind, name, contract, shown_by)
            if keeps is _returns_what_it_should:
                return
    for attribute, (strategy, never) in _DECLARED[kind].items():
        if getattr(component.call, attribute, False) and _never_shows(component, strategy, never):
            contract = f"does what its attribute {attribute} says"
            yield Breach(kind, name, contract, f"any of {SEARCHED} inputs")


def _never_shows(component: LoadedComponent, strategy: st.SearchStrategy[Any], never: Callable[..., bool]) -> bool:
    """Tell whether no input was found that shows what a component declares."""
    bare = [Phase.generate]  # the first one found will do
    return _smallest_breach(component, strategy, never, max_examples=SEARCHED, phases=bare) is None


def _smallest_breach(
    component: LoadedComponent, strategy: st.SearchStrategy[Any], keeps: Callable[..., bool], **limits: Any
) -> str | None:
    seen: list[str] = []

    @seed(0)
    @settings(
        **({"max_examples": EXAMPLES} | limits),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def tried(arguments: Any) -> None:
        try:
            kept = keeps(component, copy.deepcopy(arguments))
            reason = ""
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises is a breach
            kept, reason = False, f": {one_line(error)}"
        if not kept:
            seen.append(f"{_shown(arguments)}{reason}")
            raise AssertionError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # numpy's of 0/0 and the like
            tried()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or not seen:
            raise
        return seen[-1]  # the last failure that hypothesis replays is the smallest
    return None


def _contracts(kind: str) -> dict[str, tuple[st.SearchStrategy[Any], Callable[..., bool]]]:
    """Return the contracts of a kind: what it says, the input it is tried on, and the test."""
    inputs = INPUTS[kind]
    many = st.lists(inputs, min_size=1, max_size=4)
    common: dict[str, tuple[st.SearchStrategy[Any], Callable[..., bool]]] = {
        "accepts its input and returns what it should": (_ACCEPTED[kind], _returns_what_it_should),
        "gives the same result again": (inputs, _is_deterministic),
        "leaves its input as it was": (inputs, _keeps_input),
        "gives the same from several threads": (many, _is_thread_safe),
        "gives in a batch what it gives one by one": (many, _batch_agrees),
        "pickles": (inputs, _pickles),
        "has options that round-trip through YAML": (st.just(()), _options_round_trip),
    }
    return common | _OWN[kind]


def _result(component: LoadedComponent, arguments: tuple[Any, ...]) -> Any:
    """Return one result in a form that compares: lists for sequences, nan equal to nan."""
    result = _called(component, arguments)
    return "refused" if result is _REFUSED else repr(_plain(result))


_REFUSED = object()


def _called(component: LoadedComponent, arguments: tuple[Any, ...]) -> Any:
    """Return one result; _REFUSED where the component refuses its input, and says that it may."""
    try:
        return component.call(*arguments)
    except ValueError:
        if getattr(component.call, "refuses_input", False):
            return _REFUSED
        raise


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float):
        return value
    return [_plain(item) for item in value]


def _is_deterministic(component: LoadedComponent, arguments: tuple[Any, ...]) -> bool:
    again = registry.installed().create(component.kind, component.choice)
    first = _result(component, arguments)
    return bool(first == _result(component, arguments) == _result(again, arguments))


def _keeps_input(component: LoadedComponent, arguments: tuple[Any, ...]) -> bool:
    before = repr(arguments)
    _result(component, arguments)
    return repr(arguments) == before


def _is_thread_safe(component: LoadedComponent, calls: list[tuple[Any, ...]]) -> bool:
    expected = [_result(component, arguments) for arguments in calls] * 4
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda arguments: _result(component, arguments), calls * 4)) == expected


def _batch_agrees(component: LoadedComponent, calls: list[tuple[Any, ...]]) -> bool:
    one, batch = component.call, component.batch
    if batch is None:
        return True
    columns = [list(column) for column in zip(*calls, strict=True)]
    before = repr(columns)
    agrees = _agrees(component, one, batch, columns)
    if repr(columns) != before:
        raise PluginError("its batch method changes its input")
    return agrees


def _agrees(
    component: LoadedComponent, one: Callable[..., Any], batch: Callable[..., Any], columns: list[list[Any]]
) -> bool:
    if component.kind == "counter":
        return _counts_agree(one, batch, *columns)
    if component.kind == "smoothing":
        return _precisions_agree(one, batch, columns[0])
    one_by_one = list(map(one, *columns))
    if component.kind == "reference_length":
        return bool(_as_lists(batch(*columns)) == list(map(float, one_by_one)))
    return [list(tokens) for tokens in batch(*columns)] == [list(tokens) for tokens in one_by_one]


def _counts_agree(
    one: Callable[..., Any],
    batch: Callable[..., Any],
    hypotheses: list[Any],
    references: list[Any],
    orders: list[int],
) -> bool:
    order = max(orders)  # one for all: batches have no other
    matches, totals = map(_as_lists, batch(hypotheses, references, order))
    one_by_one = [one(*pair, order) for pair in zip(hypotheses, references, strict=True)]
    return repr(list(zip(matches, totals, strict=True))) == repr([(list(m), list(t)) for m, t in one_by_one])


def _pairs_agree(component: LoadedComponent, calls: list[tuple[Any, ...]]) -> bool:
    hypotheses, references, orders = map(list, zip(*calls, strict=True))
    order = max(orders)
    for others in ([group[0] for group in references], hypotheses):
        matches, totals = (side.tolist() for side in components.count_pairs(component, hypotheses, others, order))
        for row, hypothesis in enumerate(hypotheses):
            for column, other in enumerate(others):
                expected = [list(map(index, side)) for side in component.call(hypothesis, [other], order)]
                of_totals = [each[row][column] if isinstance(each[row], list) else each[row] for each in totals]
                if expected != [[each[row][column] for each in matches], of_totals]:
                    return False
                if components.is_symmetric(component):
                    turned, _ = component.call(other, [hypothesis], order)
                    if list(map(index, turned)) != expected[0]:
                        return False
    return True


def _precisions_agree(one: Callable[..., Any], batch: Callable[..., Any], units: list[Counts]) -> bool:
    orders = len(units[0].matches)  # one for all: batches have no other
    units = [unit for unit in units if len(unit.matches) == orders]
    whole, last = (_rows(orders, counts) for counts in (units, [unit.last_segment or unit for unit in units]))
    columns = {column: whole.column(column) for column in Statistics.COLUMNS}
    table = Statistics(orders, columns, last).table(orders)
    return repr(_as_lists(batch(table))) == repr([list(one(unit)) for unit in units])


def _rows(orders: int, units: list[Counts]) -> Statistics:
    return Statistics.of_segments(
        orders,
        hypothesis_length=[unit.hypothesis_length for unit in units],
        reference_length=[unit.reference_length for unit in units],
        reference_tokens=[0] * len(units),
        references=[1] * len(units),
        matches=[match for unit in units for match in unit.matches],
        totals=[total for unit in units for total in unit.totals],
    )


def _as_lists(values: Any) -> Any:
    return values.tolist() if hasattr(values, "tolist") else _plain(values)


def _pickles(component: LoadedComponent, arguments: tuple[Any, ...]) -> bool:
    again = replace(component, call=pickle.loads(pickle.dumps(component.call)))  # noqa: S301 - it was pickled here
    return bool(_result(again, arguments) == _result(component, arguments))


def _options_round_trip(component: LoadedComponent, _: tuple[()]) -> bool:
    choice = Component(component.name, component.options)
    read = Component.from_yaml(yaml_document.parse(yaml_document.dump(choice.to_yaml()), component.name).data)
    return dict(registry.installed().create(component.kind, read).options) == dict(component.options)


def _returns_what_it_should(component: LoadedComponent, arguments: tuple[Any, ...]) -> bool:
    """Raise PluginError that shows the result where it is not of the right form."""
    result = _called(component, arguments)
    try:
        right = result is _REFUSED or _WELL_FORMED[component.kind](component, arguments, result)
    except (TypeError, ValueError):  # it cannot even be compared
        right = False
    if not right:
        raise PluginError(f"it returns {shown(result)}")
    return True


def _are_tokens(_: LoadedComponent, __: tuple[str], tokens: Any) -> bool:
    is_sequence = isinstance(tokens, Sequence) and not isinstance(tokens, str | bytes)
    return is_sequence and all(isinstance(token, str) for token in tokens)


def _are_counts(_: LoadedComponent, arguments: tuple[Any, Any, int], counted: Any) -> bool:
    matches, totals = counted
    order = arguments[2]
    bounded = all(0 <= match <= total for match, total in zip(matches, totals, strict=True))
    return len(matches) == order and bounded and all(isinstance(n, int) for n in (*matches, *totals))


def _is_a_length(_: LoadedComponent, arguments: tuple[int, list[int]], length: Any) -> bool:
    return bool(min(arguments[1]) <= length <= max(arguments[1]))


def _are_precisions(smoothing: LoadedComponent, arguments: tuple[Counts], precisions: Any) -> bool:
    """Tell whether they are within 0 to 1; a method whose own definition leaves that says so."""
    (counts,) = arguments
    highest = math.inf if getattr(smoothing.call, "exceeds_one", False) else 1 + 1e-12
    return len(precisions) == len(counts.matches) and all(math.isnan(p) or 0 <= p <= highest for p in precisions)


_WELL_FORMED: Mapping[str, Callable[..., bool]] = {
    "tokenizer": _are_tokens,
    "counter": _are_counts,
    "reference_length": _is_a_length,
    "smoothing": _are_precisions,
}


def _never_exceeds_one(smoothing: LoadedComponent, arguments: tuple[Counts]) -> bool:
    precisions = _called(smoothing, arguments)
    return precisions is _REFUSED or not any(p > 1 + 1e-12 for p in precisions)


def _never_lowers(smoothing: LoadedComponent, arguments: tuple[Counts]) -> bool:
    """Smoothing gives to what has no match (Chen and Cherry 2014), or adds to both sides (Lin and Och 2004).

    An order without n-grams has no precision to compare with; there a definition may refuse the whole text.
    """
    (counts,) = arguments
    if not all(counts.totals):
        return True
    precisions = _called(smoothing, arguments)
    if precisions is _REFUSED:
        return True
    plain = (match / total for match, total in zip(counts.matches, counts.totals, strict=True))
    return all(p >= least - 1e-12 for p, least in zip(precisions, plain, strict=True))


def _never_refuses(smoothing: LoadedComponent, arguments: tuple[Counts]) -> bool:
    return _called(smoothing, arguments) is not _REFUSED


def _ignores_the_highest_order(smoothing: LoadedComponent, arguments: tuple[Counts]) -> bool:
    """Tell whether the highest order that the smoothing asks for makes no difference: then it asks for too much."""
    (counts,) = arguments
    call: Any = smoothing.call
    asked = call.counted_order(len(counts.matches))
    return bool(_result(smoothing, _last_up_to(asked, counts)) == _result(smoothing, _last_up_to(asked - 1, counts)))


def _last_up_to(order: int, counts: Counts) -> tuple[Counts]:
    last = counts.last_segment or counts
    return (replace(counts, last_segment=replace(last, matches=last.matches[:order], totals=last.totals[:order])),)


def _ignores_order_of_references(counter: LoadedComponent, arguments: tuple[Any, Any, int]) -> bool:
    hypothesis, references, order = arguments
    return bool(_result(counter, arguments) == _result(counter, (hypothesis, references[::-1], order)))


def _ignores_duplicate_references(counter: LoadedComponent, arguments: tuple[Any, Any, int]) -> bool:
    hypothesis, references, order = arguments
    return bool(_result(counter, arguments) == _result(counter, (hypothesis, references * 2, order)))


def _never_loses_by_a_reference(counter: LoadedComponent, arguments: tuple[Any, Any, int]) -> bool:
    hypothesis, references, order = arguments
    fewer, _ = counter.call(hypothesis, references[:-1] or references, order)
    more, _ = counter.call(*arguments)
    return all(a <= b for a, b in zip(fewer, more, strict=True))


def _is_exact_for_itself(counter: LoadedComponent, arguments: tuple[Any, Any, int]) -> bool:
    hypothesis, _, order = arguments
    matches, _ = counter.call(hypothesis, [list(hypothesis)], order)
    return list(matches) == [max(0, len(hypothesis) - n) for n in range(order)]


def _ignores_order_of_lengths(policy: LoadedComponent, arguments: tuple[int, list[int]]) -> bool:
    length, lengths = arguments
    return bool(policy.call(length, lengths) == policy.call(length, lengths[::-1]))


def _unless_declared(attribute: str, keeps: Callable[..., bool]) -> Callable[..., bool]:
    return lambda component, arguments: getattr(component.call, attribute, False) or keeps(component, arguments)


_OWN: Mapping[str, dict[str, tuple[st.SearchStrategy[Any], Callable[..., bool]]]] = {
    "tokenizer": {},
    "counter": {
        "is blind to the order of the references": (INPUTS["counter"], _ignores_order_of_references),
        "is blind to a reference given twice": (INPUTS["counter"], _ignores_duplicate_references),
        "never matches less for one reference more": (INPUTS["counter"], _never_loses_by_a_reference),
        "matches everything against the hypothesis itself": (INPUTS["counter"], _is_exact_for_itself),
        "counts all pairs as it counts each": (
            st.lists(INPUTS["counter"], min_size=1, max_size=4),
            _pairs_agree,
        ),
    },
    "reference_length": {
        "is blind to the order of the references": (
            INPUTS["reference_length"],
            _unless_declared("depends_on_order", _ignores_order_of_lengths),
        ),
    },
    "smoothing": {
        "never gives less than the matches by the totals": (
            INPUTS["smoothing"],
            _unless_declared("lowers_precisions", _never_lowers),
        ),
    },
}

_DECLARED: Mapping[str, dict[str, tuple[st.SearchStrategy[Any], Callable[..., bool]]]] = {
    "tokenizer": {},
    "counter": {},
    "reference_length": {"depends_on_order": (INPUTS["reference_length"], _ignores_order_of_lengths)},
    "smoothing": {
        "exceeds_one": (INPUTS["smoothing"], _never_exceeds_one),
        "lowers_precisions": (INPUTS["smoothing"], _never_lowers),
        "refuses_input": (INPUTS["smoothing"], _never_refuses),
        "counted_order": (st.tuples(_counts(further=4)), _ignores_the_highest_order),
    },
}
"""Attributes by which a component says that it departs from a rule, and the rule: some input must show that it does."""


def _shown(arguments: Any) -> str:
    text = repr(arguments)
    return text if len(text) <= 200 else f"{text[:197]}..."
