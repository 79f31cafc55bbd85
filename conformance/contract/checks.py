"""The contract of components, tried rule by rule; a finding shows the smallest input that was found.

What breaks a rule of its kind, or a promise that the component makes, fails. What the component does otherwise than the
documents is observed.
"""

from __future__ import annotations

import pickle
import sys
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from bleukit.conformance.contract import inputs
from bleukit.conformance.contract.calls import (
    BrokenError,
    Caller,
    Note,
    Refusal,
    Surroundings,
    Watch,
    given_to,
    in_short,
    is_utf_8,
)
from bleukit.conformance.contract.repeating import Finding, differences, outcome
from bleukit.conformance.formula import alike, plain_lower, plain_precisions
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning

from bleukit.framework import creating, registry
from bleukit.framework.errors import one_line
from bleukit.framework.options import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bleukit.conformance.contract.inputs import Arguments
    from bleukit.conformance.judging.combinations import Choice

SEARCHING, SHRINKING = 8.0, 2.0
"""For how many seconds at most an example is looked for, and is made smaller: slow components get fewer inputs."""

TWICE = 13
"""Of how many inputs it is first seen whether they give the same again: a prime, so that every second call is seen."""

SAMPLES = 80
"""On how many inputs it is seen whether threads, copies and other surroundings change the result."""

MANY = 4_100
"""The size of a large batch."""

THREADS = 4


class Samples(NamedTuple):
    """Inputs of a component, and what it returned for them."""

    pairs: Sequence[tuple[Arguments, Any]]


class _Rule(NamedTuple):
    """``wrong`` returns what is wrong with a value ``of`` a strategy, or raises BrokenError.

    Without a strategy the rule is about single calls: ``wrong`` is given the arguments, and the result.
    """

    says: str
    wrong: Callable[..., str]
    of: st.SearchStrategy[Any] | None = None
    fails: bool = True


def findings(kind: str, choice: Choice, watch: Watch, examples: int, *, observes: bool) -> Iterator[Finding | Samples]:
    """Yield what a component does otherwise than it must or, if it ``observes``, than the documents; last, the samples.

    Raises BleukitError if the component cannot be created.
    """
    call, new_call = (
        Caller(creating.create(registry.installed(), kind, Component.from_yaml(choice)), watch) for _ in range(2)
    )
    trial = _Trial(call, examples, watch.note)
    if printed := watch.printed():
        yield Finding("prints nothing to standard output", f"its creation prints {in_short(printed)}")
    broken = list(trial.repeatable()) or list(trial.called())
    if broken:  # all that follows rests on these
        yield from broken
        return
    yield from trial.tried(_RULES[kind](trial))
    methods = list(trial.tried(trial.optional_methods()))
    yield from methods or trial.in_large_batches()
    yield from trial.together()
    yield from differences("gives the same whatever was called before", new_call, trial.samples[::-1])
    if observes:
        yield from trial.observed()
    yield Samples(trial.samples)


class _TimeIsUpError(BaseException):
    """Ends a search: Hypothesis lets what is no Exception through."""


def counterexample(
    strategy: st.SearchStrategy[Any], wrong: Callable[[Any], str], examples: int, note: Note
) -> tuple[Any, str] | None:
    """Return the smallest value found with which something is wrong, and what; None if there is none."""
    values = _generated(strategy, examples, note)
    end = monotonic() + SEARCHING
    found = []
    for value in values:
        if problem := _problem(wrong, value):
            found.append((value, problem))
        if monotonic() > end:
            break
    if found:
        found += _searched(strategy, wrong, examples)
    return _smallest(found)


def _smallest(found: Sequence[tuple[Any, str]]) -> tuple[Any, str] | None:
    return min(found, key=lambda one: len(repr(one[0])), default=None)


_known: dict[tuple[st.SearchStrategy[Any], int], Sequence[Any]] = {}


def _generated(strategy: st.SearchStrategy[Any], examples: int, note: Note) -> Sequence[Any]:
    """Return so many values, the same for all components: to generate them takes longer than most calls."""
    if (strategy, examples) not in _known:
        values: list[Any] = []

        def keep(value: Any) -> str:
            note("the generation of input")
            values.append(value)
            return ""

        _searched(strategy, keep, examples)
        _known[strategy, examples] = values
    return _known[strategy, examples]


def _searched(
    strategy: st.SearchStrategy[Any], wrong: Callable[[Any], str], examples: int
) -> Sequence[tuple[Any, str]]:
    """Return values with which something is wrong, and what, each smaller than the one before."""
    found: list[tuple[Any, str]] = []
    end = monotonic() + SEARCHING

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=examples,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(strategy)
    def search(value: Any) -> None:
        nonlocal end
        if monotonic() > end:
            raise _TimeIsUpError
        if problem := _problem(wrong, value):
            end = monotonic() + SHRINKING if not found else end
            found.append((value, problem))
            raise AssertionError

    # Hypothesis may raise, too, that the input is flaky: what was found is found.
    with warnings.catch_warnings(), suppress(BaseException):
        warnings.simplefilter("ignore", HypothesisWarning)  # that an input is large
        search()
    return found


class _Trial:
    """A component under its contract.

    ``results`` are the arguments of single calls, generated and special, each with the result.
    """

    def __init__(self, call: Caller, examples: int, note: Note) -> None:
        self.call = call
        self.note = note
        self.kind = call.kind
        self.component: Any = call.component.call
        self.inputs = inputs.ARGUMENTS[call.kind]
        self.examples = examples
        self.results: list[tuple[Arguments, Any]] = []

    @property
    def samples(self) -> list[tuple[Arguments, Any]]:
        """The first results."""
        return self.results[:SAMPLES]

    def generated(self) -> Sequence[Arguments]:
        """Return the arguments of single calls, but for special ones."""
        return _generated(self.inputs, self.examples, self.note)

    def promises(self, name: str) -> Any:
        """Return the value of a promise, or None."""
        return getattr(self.component, name, None)

    def tried(self, rules: Iterable[_Rule]) -> Iterator[Finding]:
        """Yield a finding for each rule that does not hold; rules about the same values are tried together first."""
        for of, own in groupby(rules, key=lambda rule: rule.of):
            together = list(own)

            def wrong(*given: Any, together: Sequence[_Rule] = together) -> str:
                return next(filter(None, (rule.wrong(*given) for rule in together)), "")

            if self._counterexample(of, wrong) is None:
                continue
            for rule in together:
                if found := self._counterexample(of, rule.wrong):
                    yield self._finding(rule.says, *found, rule.fails)

    def _finding(self, says: str, value: Any, problem: str, fails: bool = True) -> Finding:
        arguments = value[0] if isinstance(value, tuple) and len(value) == 1 else value
        return Finding(says, f"{in_short(arguments)}: {problem}", fails)

    def _counterexample(self, of: st.SearchStrategy[Any] | None, wrong: Callable[..., str]) -> tuple[Any, str] | None:
        """Return a value, or the arguments of a single call, with which something is wrong, and what."""
        if of is not None:
            return counterexample(of, wrong, self.examples, self.note)
        problems = ((arguments, _problem(wrong, arguments, result)) for arguments, result in self.results)
        found = [own for own in problems if own[1]]
        if found:
            found += _searched(self.inputs, lambda own: wrong(own, self.call(own)), self.examples)
        return _smallest(found)

    def repeatable(self) -> Iterator[Finding]:
        """Yield a finding if a call gives another result the second time, before anything else is tried."""
        generated = {repr(arguments): arguments for arguments in self.generated()}
        ordered = sorted(generated.values(), key=lambda arguments: len(repr(arguments)))
        chosen = ordered[len(ordered) // 4 :][:TWICE]  # short, but not empty
        before = Surroundings()
        with suppress(BrokenError):  # which is said later, with the smallest input
            first = [(arguments, self.call(arguments)) for arguments in chosen]
            for _ in range(3):
                found = list(differences("is deterministic", self.call, first))
                if found:
                    yield found[0]
                    break
        before.restore()

    def called(self) -> Iterator[Finding]:
        """Yield a finding if a single call breaks the contract; keep the results."""
        several = [*inputs.NEAR[self.kind], *self.generated(), *inputs.special(self.kind)]
        end = monotonic() + SEARCHING
        for arguments in {repr(arguments): arguments for arguments in several}.values():
            if problem := _problem(self._called, arguments):
                smaller = counterexample(self.inputs, self._called, self.examples, self.note)
                yield self._finding("accepts its input, and returns what it should", *(smaller or (arguments, problem)))
                return
            if monotonic() > end:
                break

    def _called(self, arguments: Arguments) -> str:
        """Return what is wrong with a single call; keep its result."""
        try:
            first = self.call.watched(arguments)
            second = self.call(arguments) if len(self.results) < SAMPLES else first
        except BrokenError:
            if self.kind == "tokenizer" and not is_utf_8(arguments):
                return ""  # which is observed
            raise
        if first != second:
            return f"{in_short(first)}, then {in_short(second)}"
        self.results.append((arguments, first))
        return ""

    def optional_methods(self) -> Iterator[_Rule]:
        """Yield the rules about the methods that a component need not have: each agrees with single calls."""
        for says, compact in self._ways_of_batches():
            yield _Rule(says, self._in_batch(compact=compact), inputs.SEVERAL[self.kind])
        if hasattr(self.component, "lowercasing"):
            yield _Rule("lowercases as `lowercase` says", self._lowercases, _texts_and_switches)
            yield _Rule("lowercases words", self._lowercases_words, _ways_to_lowercase)
        if hasattr(self.component, "pairs"):
            yield _Rule("counts pairs as it counts one by one", self._pairs, _texts_and_others)
        if hasattr(self.component, "others"):
            yield _Rule("counts a text against all others as against several references", self._others, _several_texts)
        if hasattr(self.component, "counted_order"):
            yield _Rule("asks for at least the orders that are weighed", self._counted_order, _orders)
        if hasattr(self.component, "steps"):
            yield _Rule("explains by steps in words", self._steps)

    def _ways_of_batches(self) -> Iterator[tuple[str, bool]]:
        """Yield what is said of each way to call the batch method, and whether it is given buffers."""
        if self.call.component.batch is not None:
            yield "gives in a batch what it gives one by one", False
            if self.kind in {"counter", "reference_length"} or self.promises("reads_packed"):
                yield "gives in a batch of buffers what it gives one by one", True

    def _in_batch(self, *, compact: bool) -> Callable[[Sequence[Arguments]], str]:
        def wrong(several: Sequence[Arguments]) -> str:
            return self._otherwise_in_batch(self._alone(several), compact)

        return wrong

    def _alone(self, several: Sequence[Arguments]) -> list[tuple[Arguments, Any]]:
        """Return the largest part of some inputs that can be in one batch, with their results; counters count alike."""
        own = [(*one[:2], several[0][2]) for one in several] if self.kind == "counter" else several
        _, most = max(_by_shape(self.kind, own).items(), key=lambda part: len(part[1]), default=((), []))
        return [(arguments, self.call(arguments)) for arguments in most]

    def _otherwise_in_batch(self, results: Sequence[tuple[Arguments, Any]], compact: bool) -> str:
        """Return what comes out otherwise in a batch; buffers hold what UTF-8 can hold."""
        alone = [(own, single) for own, single in results if not isinstance(single, Refusal)]
        if compact and not all(is_utf_8(own) for own, _ in alone):
            return ""
        batch = self.call.batch([own for own, _ in alone], compact=compact)
        for (arguments, single), result in zip(alone, batch, strict=True):
            if not same(result, single):
                return f"{in_short(arguments)}: {in_short(result)}, {in_short(single)} alone"
        return ""

    def _lowercases(self, given: tuple[Arguments, bool]) -> str:
        arguments, ascii_alone = given
        if not is_utf_8(arguments):
            return ""
        lowercase = "ascii" if ascii_alone else True
        text = plain_lower(arguments[0], lowercase)
        if plain_lower(text, lowercase) != text or any("A" <= letter <= "Z" for letter in arguments[0]):
            return ""  # what a tokenizer does to letters that change is its own definition
        got, wanted = self.call((text,), self.component.lowercasing(lowercase)), self.call((text,))
        wanted = [plain_lower(token, lowercase) for token in wanted]
        return "" if got == wanted else f"{in_short(got)}, expected {in_short(wanted)}"

    def _lowercases_words(self, lowercase: Any) -> str:
        got = self.call(("The CAT",), self.component.lowercasing(lowercase))
        return "" if "".join(got).islower() else f"'The CAT' becomes {in_short(got)}"

    def _pairs(self, arguments: tuple[list[list[str]], list[list[str]], int]) -> str:
        texts, others, max_order = arguments
        counted = self.component.pairs(texts, others, max_order)
        matches, totals = (np.asarray(side).tolist() for side in counted)
        for row, text in enumerate(texts):
            for column, other in enumerate(others):
                wanted = self.call((text, [other], max_order))
                got = [order[row][column] for order in matches], [order[row] for order in totals]
                if got != wanted:
                    return f"{in_short(got)} for the pair {row}, {column}, expected {in_short(wanted)}"
        return ""

    def _others(self, arguments: tuple[list[list[str]], int]) -> str:
        texts, max_order = arguments
        counted = self.component.others(texts, max_order)
        matches, totals = (np.asarray(side).tolist() for side in counted)
        for place, text in enumerate(texts):
            wanted = self.call((text, texts[:place] + texts[place + 1 :], max_order))
            got = matches[place], totals[place]
            if got != wanted:
                return f"{in_short(got)} for the text {place}, expected {in_short(wanted)}"
        return ""

    def _counted_order(self, max_order: int) -> str:
        order = self.component.counted_order(max_order)
        return "" if isinstance(order, int) and order >= max_order else f"it asks for {order!r}"

    def _steps(self, arguments: Arguments, result: Any) -> str:
        if isinstance(result, Refusal):
            return ""
        steps = self.component.steps(*given_to(self.call.component, arguments))
        texts, number = ([steps], 1) if self.kind == "brevity_penalty" else (list(steps), len(arguments[0]))
        is_right = all(isinstance(text, str) for text in texts) and len(texts) == number
        return "" if is_right else f"its steps are {in_short(steps)}, expected a text for each number"

    def in_large_batches(self) -> Iterator[Finding]:
        """Yield what comes out otherwise in batches of all inputs, of very many, and of none."""
        samples = self._alone([arguments for arguments, _ in self.samples])
        alike = _by_shape(self.kind, self.results, of=lambda result: result[0]).values()
        # Several long texts at once are enough: a slow component is not to seem to hang.
        batches = [part[start : start + SAMPLES] for part in alike for start in range(0, len(part), SAMPLES)]
        batches += [[samples[number % len(samples)] for number in range(MANY)], []]
        for says, compact in self._ways_of_batches():
            for results in batches:
                if problem := _problem(self._otherwise_in_batch, results, compact):
                    yield Finding(says, f"{len(results)} inputs: {problem}")
                    break

    def together(self) -> Iterator[Finding]:
        """Yield what comes out otherwise for the samples from several threads, and of a copy."""
        samples = self.samples
        racing = [(arguments, outcome(self.call, arguments)) for arguments in inputs.RACING.get(self.kind, ())]
        runs = samples * 2 + racing * THREADS
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            with ThreadPoolExecutor(THREADS) as pool:
                results = iter(list(pool.map(lambda run: outcome(self.call, run[0]), runs)))
        finally:
            sys.setswitchinterval(interval)
        yield from differences("gives the same from several threads", lambda _: _raised(next(results)), runs)
        try:
            copied = pickle.loads(pickle.dumps(self.component))  # noqa: S301 - it was pickled here
        except Exception as error:  # noqa: BLE001 - pickle raises all kinds
            yield Finding("can be pickled", one_line(error), fails=False)
            return
        yield from differences("gives the same after it was pickled", lambda one: self.call(one, copied), samples)

    def observed(self) -> Iterator[Finding]:
        """Yield what the component does otherwise than the documents."""
        yield from self.tried(rule._replace(fails=False) for rule in _OBSERVED[self.kind](self))


def _problem(wrong: Callable[..., str], *given: Any) -> str:
    try:
        return wrong(*given)
    except BrokenError as error:
        return f"it {error}"
    except Exception as error:  # noqa: BLE001 - an optional method may raise anything
        return f"it raises {one_line(error)}"


def _by_shape(
    kind: str, several: Iterable[Any], of: Callable[[Any], Arguments] = lambda one: one
) -> dict[Any, list[Any]]:
    """Return what can be in one batch together: ``of`` gives the arguments."""
    parts: dict[Any, list[Any]] = {}
    for one in several:
        arguments = of(one)
        if kind == "counter":
            shape: Any = arguments[2]
        elif kind == "smoothing":
            shape = len(arguments[0]), len(arguments[4][0])
        else:
            shape = is_utf_8(arguments)
        if shape is not False:
            parts.setdefault(shape, []).append(one)
    return parts


def _raised(outcome: Any) -> Any:
    if isinstance(outcome, BrokenError):
        raise outcome
    return outcome


def same(one: Any, other: Any) -> bool:
    """Return whether results are the same; numbers may differ by what rounding changes."""
    return alike(one, other, 1e-12)


_tokens = st.lists(st.sampled_from([*"abc"]), max_size=6)
_several_texts = st.tuples(st.lists(_tokens, min_size=2, max_size=5), st.integers(1, 4))
_texts_and_others = st.tuples(
    st.lists(_tokens, min_size=1, max_size=4), st.lists(_tokens, min_size=1, max_size=4), st.integers(1, 4)
)


_texts_and_switches = st.tuples(inputs.ARGUMENTS["tokenizer"], st.booleans())
_ways_to_lowercase = st.sampled_from([True, "ascii"])
_orders = st.integers(1, 20)
_surrogate = st.just("\udc80")


def plain_counts(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int, *, least_total: int = 0
) -> tuple[list[int], list[int]]:
    """Return clipped matches and totals of each order (Papineni et al. 2002, section 2.1).

    Each n-gram of the hypothesis matches as often as it occurs, but at most as often as in any single reference.
    """
    matches, totals = [], []
    for order in range(1, max_order + 1):
        ours, *theirs = (_ngrams(text, order) for text in (hypothesis, *references))
        matches.append(sum(min(n, max(other[ngram] for other in theirs)) for ngram, n in ours.items()))
        totals.append(max(least_total, len(hypothesis) - order + 1))
    return matches, totals


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def _rules_of_tokenizers(_: _Trial) -> Iterator[_Rule]:
    yield from ()


def _rules_of_counters(trial: _Trial) -> Iterator[_Rule]:
    call, least = trial.call, trial.promises("least_total")

    def ordered(arguments: Arguments, one: Any) -> str:
        hypothesis, references, max_order = arguments
        other = call((hypothesis, references[::-1], max_order))
        return "" if one == other else f"{in_short(one)}, but {in_short(other)} with the references in another order"

    def least_totals(_: Arguments, counted: Any) -> str:
        lowest = min(counted[1])
        return f"a total of {lowest}" if lowest < least else ""

    def swapped(arguments: Arguments, _: Any) -> str:
        hypothesis, (reference, *_), max_order = arguments
        one, other = call((hypothesis, [reference], max_order))[0], call((reference, [hypothesis], max_order))[0]
        return "" if one == other else f"{one} matches, but {other} if they change places"

    def clipped(arguments: Arguments, got: Any) -> str:
        wanted = plain_counts(*arguments, least_total=least or 0)
        return "" if got == wanted else f"it counts {in_short(got)}, clipped they are {in_short(wanted)}"

    yield _Rule("does not depend on the order of the references", ordered)
    if least:
        yield _Rule(f"gives no total below {least}, as it promises", least_totals)
    if trial.promises("symmetric"):
        yield _Rule("finds the same matches if the texts change places, as it promises", swapped)
    if trial.promises("clipped"):
        yield _Rule("counts clipped matches, as it promises", clipped)


def _rules_of_reference_lengths(trial: _Trial) -> Iterator[_Rule]:
    if trial.promises("order_independent"):
        yield _Rule("does not depend on the order of the references, as it promises", _ordered(trial))


def _ordered(trial: _Trial) -> Callable[..., str]:
    def ordered(arguments: Arguments, one: Any) -> str:
        length, references = arguments
        for others in (references[::-1], sorted(references)):
            other = trial.call((length, others))
            if other != one:
                return f"{one:g}, but {other:g} with {in_short(others)}"
        return ""

    return ordered


def _rules_of_smoothings(trial: _Trial) -> Iterator[_Rule]:
    call = trial.call

    def other_lengths(arguments: Arguments, one: Any) -> str:
        matches, totals, length, _, last = arguments
        for other in (0.0, length + 1.5):
            got = call((matches, totals, length, other, (*last[:3], other, None)))
            if repr(got) != repr(one):
                return f"{in_short(one)}, but {in_short(got)} with the reference length {other:g}"
        return ""

    if trial.promises("ignores_reference_length"):
        yield _Rule("does not read the reference length, as it promises", other_lengths)
    if trial.promises("needs_last_segment") and hasattr(trial.component, "counted_order"):
        yield _Rule("takes a last segment with more orders", lambda own: call(own) and "", inputs.MORE_ORDERS)


def _rules_of_brevity_penalties(_: _Trial) -> Iterator[_Rule]:
    yield from ()


_RULES: dict[str, Callable[[_Trial], Iterator[_Rule]]] = {
    "tokenizer": _rules_of_tokenizers,
    "counter": _rules_of_counters,
    "reference_length": _rules_of_reference_lengths,
    "smoothing": _rules_of_smoothings,
    "brevity_penalty": _rules_of_brevity_penalties,
}
"""What must hold of the results of each kind, and what promises say of them."""


def _observed_of_tokenizers(trial: _Trial) -> Iterator[_Rule]:
    def rewritten(arguments: Arguments, tokens: Any) -> str:
        if not is_utf_8(arguments):
            return ""
        kept, whole = ("".join("".join(text).split()) for text in (tokens, arguments[0]))
        return "" if kept == whole else f"it becomes {in_short(kept)}"

    def surrogates(text: str) -> str:
        trial.call((text,))
        return ""

    yield _Rule("rewrites text", rewritten)
    yield _Rule("refuses text that UTF-8 cannot hold", surrogates, _surrogate)


def _observed_of_counters(trial: _Trial) -> Iterator[_Rule]:
    def otherwise(arguments: Arguments, got: Any) -> str:
        wanted = plain_counts(*arguments)
        return "" if got == wanted else f"{in_short(got)}, clipped they are {in_short(wanted)}"

    if not trial.promises("clipped"):
        yield _Rule("counts otherwise than the paper", otherwise)


def _observed_of_reference_lengths(trial: _Trial) -> Iterator[_Rule]:
    def outside(arguments: Arguments, length: Any) -> str:
        is_within = min(arguments[1]) <= length <= max(arguments[1])
        return "" if is_within else f"{length:g}, which is outside of the references' lengths"

    yield _Rule("depends on the order of references", _ordered(trial))
    yield _Rule("gives a length that no reference has near it", outside)


def _observed_of_smoothings(_: _Trial) -> Iterator[_Rule]:
    def of_precisions(is_wrong: Callable[[float, float], bool]) -> Callable[..., str]:
        def wrong(arguments: Arguments, got: Any) -> str:
            plain = plain_precisions(*arguments[:2])
            if isinstance(got, Refusal) or not any(map(is_wrong, got, plain)):
                return ""
            return f"{in_short(got)}, matches by totals are {in_short(plain)}"

        return wrong

    def refuses(_: Arguments, got: Any) -> str:
        return f"{got.problem}" if isinstance(got, Refusal) else ""

    yield _Rule("gives a precision above 1", of_precisions(lambda got, _: got > 1 + 1e-12))
    yield _Rule("gives less than the matches by the totals", of_precisions(lambda got, p: got < p - 1e-12))
    more = of_precisions(lambda got, p: 0 < p < got - 1e-12)
    yield _Rule("gives more than the matches by the totals to an order with matches", more)
    yield _Rule("refuses counts", refuses)


def _observed_of_brevity_penalties(trial: _Trial) -> Iterator[_Rule]:
    def above(_: Arguments, factor: Any) -> str:
        return f"{factor:g}" if factor > 1 else ""

    def longer(arguments: Arguments, factor: Any) -> str:
        length, reference_length = arguments
        return f"{factor:g}" if 0 < length >= reference_length and factor != 1 else ""

    def grows(arguments: Arguments, factor: Any) -> str:
        length, reference_length = arguments
        shorter = trial.call((length // 2, reference_length))
        return f"{factor:g}, but {shorter:g} for {length // 2} tokens" if shorter > factor * (1 + 1e-12) else ""

    yield _Rule("gives a factor above 1", above)
    yield _Rule("penalizes a hypothesis that is long enough", longer)
    yield _Rule("gives a larger factor to a shorter hypothesis", grows)


_OBSERVED: dict[str, Callable[[_Trial], Iterator[_Rule]]] = {
    "tokenizer": _observed_of_tokenizers,
    "counter": _observed_of_counters,
    "reference_length": _observed_of_reference_lengths,
    "smoothing": _observed_of_smoothings,
    "brevity_penalty": _observed_of_brevity_penalties,
}
"""What the documents say of results, and a component may do otherwise."""
