"""What every component must keep, whatever it computes, tried on generated input; a breach shows the smallest found.

Components are called in processes of their own (:mod:`bleukit.conformance.processes`); what they return is judged
here, in a process that loads no plugin.
"""

from __future__ import annotations

import pickle
import time
from contextlib import suppress
from functools import cache, partial
from itertools import compress, cycle, islice, product, zip_longest
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.contracts import inputs
from bleukit.conformance.contracts.checked import Breach, Checked, go_all_ways
from bleukit.conformance.contracts.rules import (
    EXPECTED,
    RULES,
    RULES_OF_OTHER_COUNTERS,
    WELL_FORMED,
    ContractRule,
    in_short,
    other_than_defined,
)
from bleukit.conformance.definitions import (
    DEFINITIONS,
    DISTRIBUTIONS,
    HARD_VALUES,
    OF_TEXTS,
    OTHER_TEXTS,
    PLAIN_VARIANT,
    alike,
    plain_counts,
    takes,
)
from bleukit.conformance.processes import parent
from bleukit.conformance.processes.parent import DiedError, Reply, TooSlowError

from bleukit.errors import BleukitError, PluginError, VariantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.conformance.contracts.calls import SelfDescription
    from bleukit.conformance.contracts.inputs import Arguments
    from bleukit.conformance.processes.bench import Bench

EXAMPLES = 150
"""How many inputs are tried of each size."""
QUICK = 40
"""The same, in a quick run."""
SEARCHED = 1000
"""How many inputs are tried to find one that shows what a component declares of itself."""
CALLS = 220_000
"""How many inputs a component is given to see whether it still gives the same, and whether its memory grows."""
SOAKING = 4.0
"""For how many seconds at most."""
LEAK = 1 << 20
"""By how many bytes the memory may grow in each fifth of these calls."""
BATCHES = (1, 2, 1, 3, 1, 8, 1, 9, 17, 1, 50)
MANY = 8_300
"""The sizes of batches: small ones, and one that is longer than what bleukit holds at a time."""
DISTINCT = 40
"""Of how many different inputs that one is made: of the short ones, which come first."""
SHRINKING = 3.0
"""For how many seconds at most an example is made smaller."""
ROUNDED = 1e-3
"""By how much of its size what steps come to may differ: they are written with six digits."""
TOGETHER = 8
"""How many simpler inputs are tried in one go."""

BESIDE = {"smoothing": "add-one"}
"""Where the plain variant differs beside which a component goes all ways: few scores are 0, and so hide others."""

NONE = Reply.of("none", "nothing")
"""What stands for a reply that does not come."""

ACCEPTS = "accepts its input and returns what it should"
AGAIN = "gives the same result again"
THREADS = "gives the same from several threads"
BATCH = "gives in a batch what it gives one by one"
ELSEWHERE = "gives the same with another hash seed, locale, current folder and order of calls"
EXPLAINED = "explains each number by steps that come to it"
VALUES = "takes the values of options that its document allows, and no others"
OF_TEXT = "counts the segments of a text as its document defines"
SIGNED = "is signed with the versions of what its results depend on"
ROUND_TRIP = "has options that round-trip through YAML and signatures"
SCORES = "gives the scores that follow from what it returns"


def check_component(kind: str, name: str, bench: Bench, before: Sequence[str] | None = None) -> Iterator[Checked]:
    """Yield what comes of the contracts of a registered component: with its default options, and with others.

    One option at a time has another value: each switch is turned, each choice made, each number is larger or smaller.
    No contract is tried after one on which it rests. Beside the other components of the plain variant it goes all ways
    to a number but for those of variants that come ``before``; if that is None, it does not.
    Raises VariantError if there is no such component, or it lacks options or what it needs.
    """
    trial = _Trial(kind, name, {}, bench)
    trial.run()
    goes = before is not None and not trial.checked.breaches
    if goes and not go_all_ways(trial.checked, bench.child(), PLAIN_VARIANT, before or (), {**BESIDE, kind: name}):
        bench.drop()
    yield trial.checked
    others = [*trial.described.other_options, *OTHER_TEXTS.get((kind, name), ())] if trial.checked.usable else []
    for option, value in others:
        with suppress(VariantError):  # it does not accept this value
            changed = _Trial(kind, name, {option: value}, bench)
            changed.run()
            yield changed.checked


class _StopError(Exception):
    """The component breaks what all other contracts rest on."""


class _Counterexample(NamedTuple):
    """An input that shows a breach, and what is wrong with it."""

    arguments: Any
    wrong: str

    def __str__(self) -> str:
        return f"{in_short(self.arguments)}: {self.wrong}" if self.wrong else in_short(self.arguments)


class _Trial:
    """The contracts of one component."""

    def __init__(self, kind: str, name: str, options: Mapping[str, Any], bench: Bench) -> None:
        others = ", ".join(f"{option}: {str(value).lower()}" for option, value in options.items())
        self.kind, self.name, self.options, self.bench = kind, name, options, bench
        self.checked = Checked(kind, f"{name} ({others})" if others else name)

    def run(self) -> None:
        """Try them, stage by stage; those after a stage in which one is broken are not tried."""
        stages = [self._returns, self._rules, self._every_code_point, self._declarations, self._ways]
        if self.options:  # of other values a component can declare nothing, but its definition says what they do
            stages = [self._returns, self._rules, self._every_code_point, self._batch_and_options]
        elif not self.bench.quick:
            stages += [self._elsewhere, self._soak]
        stages.append(self._documented)
        try:
            self.described = self._create("here")
            for stage in stages:
                if not self.checked.breaches:
                    stage()
        except _StopError:
            return

    def _create(self, where: str) -> SelfDescription:
        """Create the component in a process. Raises VariantError if there is none, or it lacks what it needs."""
        try:
            described: SelfDescription = self.bench.child(where).ask("create", self.kind, self.name, dict(self.options))
        except (DiedError, PluginError) as error:
            self.bench.drop(where)
            self._breach(ACCEPTS, f"its creation: {error}", fatal=True)
            raise _StopError from error
        return described

    def _replies(self, tried: Sequence[Arguments], way: str = "as it is", where: str = "here") -> list[Reply]:
        """Return the reply to each input; the last is ``died`` if the process did at it, and there are no more."""
        replies: list[Reply] = []
        self._changed_later = -1
        died = ""
        for together in (parent.TOGETHER, 1):  # one by one, to see at which one the process dies
            left = list(map(pickle.dumps, tried[len(replies) :]))
            stream = self.bench.child(where).ask_for_each("call", "one_by_one", way, left, together=together)
            try:
                for _ in left:
                    replies.append(next(stream))  # noqa: PERF401 - so that those before an error are kept
                self._changed_later = next(stream).value
                break
            except DiedError as error:
                died = "" if together > 1 and isinstance(error, TooSlowError) else str(error)
                self.bench.drop(where)
                self._create(where)
        if died and len(replies) == len(tried):
            replies[-1] = Reply.of("died", f"{died}, after several calls")
        elif died:
            replies.append(Reply.of("died", died))
        return replies

    def _ask(self, says: str, name: str, *arguments: Any, seconds: float = 0) -> Any:
        """Return the reply to another request; that there is none breaks the contract at work."""
        try:
            return self.bench.child().ask(name, *arguments, seconds=seconds)
        except (DiedError, BleukitError) as error:
            self.bench.drop()
            self._breach(says, str(error), fatal=True)
            raise _StopError from error

    def _breach(self, says: str, shown_by: object, *, fatal: bool = False) -> None:
        self.checked.breaches.append(Breach(self.kind, self.checked.name, says, str(shown_by), fatal))

    def _hold(self, says: str, counterexample: object) -> None:
        """Count a contract as kept, unless something was found that breaks it."""
        if counterexample:
            self._breach(says, counterexample)
        else:
            self.checked.kept += 1
        of_options = f", {dict(self.options)}" if self.options else ""
        self.checked.ways.setdefault(says, []).append(f"{len(self.tried):,} inputs{of_options}")

    def _returns(self) -> None:
        """Call the component on all input. What it returns is what all else is compared with."""
        number = QUICK if self.bench.quick or self.options else EXAMPLES
        documented = "documented " if self.kind == "tokenizer" and (self.kind, self.name) in DEFINITIONS else ""
        tried = _tried(self.kind, number, "" if self.bench.quick else f"{documented}{self.kind}")
        if "takes_totals_below_zero" in self.described.promised:
            tried = [*tried, *inputs.examples(inputs.with_totals_below_zero, QUICK)]
        replies = self._replies(tried)
        changed_later = tried[self._changed_later] if self._changed_later >= 0 else None
        if self.kind == "tokenizer":
            tried, replies = self._without_surrogates(tried, replies)
        self.tried, self.replies = tried, replies
        for arguments, reply in zip(tried, replies, strict=False):
            wrong = self._malformed(arguments, reply)
            if wrong:
                counterexample = self._smallest(_Counterexample(arguments, wrong), self._first_malformed)
                says = "leaves its input as it was" if reply.tag == "changed" else ACCEPTS
                self._breach(says, counterexample, fatal=True)
                raise _StopError
        self.checked.kept += 2
        later = changed_later and _Counterexample(changed_later, "its result changes after later calls")
        self._hold("gives results that stay as they are", later)

    def _without_surrogates(self, tried: list[Arguments], replies: list[Reply]) -> tuple[list[Arguments], list[Reply]]:
        """Leave out the texts that a tokenizer may refuse, because UTF-8 cannot hold them, if it refuses any."""
        pairs = zip(tried, replies, strict=False)
        if not any(reply.tag == "raised" and not inputs.is_utf_8(text) for (text,), reply in pairs):
            return tried, replies
        self.checked.not_tried.append("text with a lone surrogate, which UTF-8 cannot hold: it raises an error")
        kept = [inputs.is_utf_8(text) for (text,) in tried]
        return list(compress(tried, kept)), list(compress(replies, kept))

    def _first_malformed(self, tried: Sequence[Arguments]) -> _Counterexample | None:
        wrong = (
            _Counterexample(pair[0], self._malformed(*pair)) for pair in zip(tried, self._replies(tried), strict=False)
        )
        return next((counterexample for counterexample in wrong if counterexample.wrong), None)

    def _malformed(self, arguments: Arguments, reply: Reply) -> str:
        """Return what is wrong with a reply by itself."""
        value = reply.value
        if reply.tag != "result":
            return "" if reply.tag == "refused" else str(value)
        is_well_formed = WELL_FORMED[self.kind](arguments, value)
        return "" if is_well_formed else f"it returns {in_short(value)}, expected {EXPECTED[self.kind]}"

    def _rules(self) -> None:
        """Hold results to what must hold of them, unless the component declares otherwise."""
        for rule in self._rules_of_this():
            if rule.unless not in self.described.declared:
                counterexample = self._violation(rule)
                smallest = counterexample and self._smallest(counterexample, partial(self._violation, rule))
                declares = f"; if its definition says so, it declares {rule.unless} = True" if rule.unless else ""
                self._hold(rule.says, smallest and f"{smallest}{declares}")

    def _rules_of_this(self) -> list[ContractRule]:
        rules = [rule for rule in RULES[self.kind] if rule.promised in {"", *self.described.promised}]
        if self.options:
            rules = [rule for rule in rules if rule.promised]
        elif self.kind == "counter" and "counts_otherwise" in self.described.declared:
            rules += RULES_OF_OTHER_COUNTERS
        if (self.kind, self.name) in DEFINITIONS:
            rules.append(ContractRule("gives what its document defines", other_than_defined))
        return rules

    def _violation(self, rule: ContractRule, tried: Sequence[Arguments] = ()) -> _Counterexample | None:
        """Return the first input that breaks a rule, of those given or of those that the rule is tried on."""
        replies = self.replies
        if rule.tried_on is not None and not tried:
            tried = inputs.examples(rule.tried_on, QUICK)
        if tried:
            replies = self._replies(tried)
        others = [rule.others(arguments) for arguments in tried or self.tried]
        more = iter(self._replies([other for own in others for other in own]) if any(others) else [])
        for arguments, reply, own in zip(tried or self.tried, replies, others, strict=False):
            wrong = self._wrong(rule, arguments, reply, *[next(more, NONE) for _ in own])
            if wrong:
                return _Counterexample(arguments, wrong)
        return None

    def _wrong(self, rule: ContractRule, arguments: Arguments, *replies: Reply) -> str:
        if {"result"} != {reply.tag for reply in replies}:
            return ""  # it refuses the input, or another contract says what is wrong
        return rule.wrong(self.described, arguments, *(reply.value for reply in replies))

    def _every_code_point(self) -> None:
        """Hold a tokenizer to its definition on every code point."""
        if self.kind == "tokenizer" and (self.kind, self.name) in DEFINITIONS:
            says = "splits at every code point as its document defines"
            self._hold(says, self._ask(says, "tokenized_otherwise", self.bench.quick or bool(self.options)))

    def _declarations(self) -> None:
        """See what the component declares of itself occur."""
        for attribute in self.described.declared:
            rules = [rule for rule in RULES[self.kind] if rule.unless == attribute]
            shown = attribute == "refuses_input" and any(reply.tag == "refused" for reply in self.replies)
            shown = shown or any(self._violation(rule) for rule in rules)
            more = _tried(self.kind, SEARCHED, self.kind) if rules and not shown else []
            self._occurs(attribute, shown or any(self._violation(rule, more) for rule in rules if more))
            if (self.kind, self.name) not in DEFINITIONS:
                self.checked.declared += [rule.says for rule in rules]
        for attribute in self.described.values:
            self._occurs(attribute, self._counts_otherwise_without(attribute))
        if self.described.counted_order:
            self._occurs("counted_order", self._looks_as_far_as_it_asks())
        if self.kind == "smoothing":
            self._hold("looks no further than the order that it asks for", self._looks_further())

    def _occurs(self, attribute: str, seen: bool) -> None:
        self._hold(f"does what its attribute {attribute} says", "" if seen else f"any of {SEARCHED:,} inputs")

    def _counts_otherwise_without(self, attribute: str) -> bool:
        """Return whether a value that a counter declares makes a difference."""
        values = {name: value for name, value in self.described.values.items() if name != attribute}
        unknown = [([token], [[token]], 1) for token in self.described.values.get("unknown_tokens", ())]
        replies = [*self._replies(unknown), *self.replies]
        return any(
            reply.tag == "result" and plain_counts(*arguments, **values) != reply.value
            for arguments, reply in zip([*unknown, *self.tried], replies, strict=True)
        )

    def _looks_as_far_as_it_asks(self) -> bool:
        """Return whether the highest order that a smoothing asks for makes a difference."""
        tried, asked = inputs.examples(inputs.with_further_orders, QUICK), self._orders_asked_for()
        pairs = [_last_up_to(asked[len(arguments[0])] - less, arguments) for arguments in tried for less in (0, 1)]
        replies = self._replies(pairs)
        return replies[::2] != replies[1::2]

    def _looks_further(self) -> _Counterexample | None:
        """Return an input for which higher orders of the last segment, which only others ask for, matter."""
        tried, asked = inputs.examples(inputs.with_further_orders, QUICK), self._orders_asked_for()
        up_to_these = [_last_up_to(asked[len(arguments[0])], arguments) for arguments in tried]
        return _difference(tried, self._replies(up_to_these), self._replies(tried))

    def _orders_asked_for(self) -> dict[int, int]:
        """Return up to which order a smoothing asks for counts of the last segment, by the number of orders."""
        says = "does what its attribute counted_order says"
        ask = self.described.counted_order
        return {orders: self._ask(says, "counted_order", orders) if ask else orders for orders in range(1, 6)}

    def _ways(self) -> None:
        """Compare what comes out in every way of calling the component."""
        few = slice(0, 2 * EXAMPLES, 4)
        self._same(AGAIN, self._replies, slice(0, EXAMPLES))
        self._same(AGAIN, lambda tried: self._replies(tried[::-1], "anew")[::-1], slice(0, 2 * EXAMPLES, 2))
        self._same("pickles", lambda tried: self._replies(tried, "pickled"), few)
        self._same(
            THREADS, lambda tried: self._ask(THREADS, "call", "from_threads", list(map(pickle.dumps, tried))), few
        )
        if self.described.lowercasing:
            lower = [arguments == (arguments[0].lower(),) for arguments in self.tried]
            says = "gives what is lowercase already the same if it lowercases"
            self._same(says, lambda tried: self._replies(tried, "lowercasing"), lower)
        self._batch_and_options()

    def _batch_and_options(self) -> None:
        if self.described.batch:
            groups = list(self._groups())
            self._batches(groups, compact=False)
            if self.kind in {"counter", "reference_length"}:
                self._batches(groups, compact=True)
        self._hold(ROUND_TRIP, self._ask(ROUND_TRIP, "round_trip"))
        if self.options:  # with those by default it goes all ways
            self._hold(SCORES, self._ask(SCORES, "scored_otherwise"))

    def _documented(self) -> None:
        """Hold a documented component to what else its document says: of its steps, its options and its versions."""
        if (self.kind, self.name) not in DEFINITIONS:
            return
        if self.kind in {"smoothing", "brevity_penalty"}:
            self._hold(EXPLAINED, self._explained_otherwise())
        if (self.kind, self.name) in OF_TEXTS:
            segments = inputs.text_of_hashes()
            counts = self._ask(OF_TEXT, "call", "of_text", segments, 4)
            defined = OF_TEXTS[self.kind, self.name](segments, 4)
            self._hold(OF_TEXT, "" if counts == defined else f"{in_short(counts)}, expected {in_short(defined)}")
        named, wanted = self._ask(SIGNED, "call", "named_with"), DISTRIBUTIONS.get((self.kind, self.name), [])
        self._hold(SIGNED, "" if sorted(named) == sorted(wanted) else f"{named}, expected {wanted}")
        if not self.options:
            self._hold(VALUES, self._wrongly_taken())

    def _explained_otherwise(self) -> _Counterexample | None:
        """Return a small input for which the steps come to another result; that of 0/0 is not compared."""
        small = _answered(self.tried[:EXAMPLES], self.replies)
        explained = self._replies([arguments for arguments, _ in small], "explained")
        for (arguments, reply), own in zip(small, explained, strict=False):
            one, other = (of.value if self.kind == "smoothing" else [of.value] for of in (reply, own))
            pairs = zip(one, other, strict=False)
            if own.tag != "result" or not all(isnan(p) or alike(p, q, ROUNDED) for p, q in pairs):
                return _Counterexample(arguments, _then(reply, own))
        return None

    def _same(
        self, says: str, ask: Callable[[Sequence[Arguments]], list[Reply]], part: slice | Sequence[bool] = slice(None)
    ) -> None:
        """Hold the replies that come in another way to those that came first."""
        if isinstance(part, slice):
            tried, replies = self.tried[part], self.replies[part]
        else:
            tried, replies = list(compress(self.tried, part)), list(compress(self.replies, part))
        counterexample = _difference(tried, replies, ask(tried))
        self._hold(
            says,
            counterexample
            and self._smallest(counterexample, lambda fewer: _difference(fewer, self._replies(fewer), ask(fewer))),
        )

    def _batches(self, groups: Sequence[Sequence[tuple[Arguments, Reply]]], *, compact: bool) -> None:
        ask = partial(self._of_batch, compact=compact)
        for pairs, size in self._sized(groups):
            wrong = ask(pairs, size)
            if wrong:
                all_pairs = list(islice(cycle(pairs), size))
                smaller = inputs.smaller(all_pairs, lambda part: bool(ask(part, len(part))), SHRINKING)
                self._hold(BATCH, ask(smaller, len(smaller)) or wrong)
                return
        self._hold(BATCH, "")
        self.checked.ways[BATCH] += [
            f"batches of {size:,}" for size in sorted({size for _, size in self._sized(groups)})
        ]

    def _of_batch(self, pairs: Sequence[tuple[Arguments, Reply]], size: int, *, compact: bool) -> str:
        """Return what is wrong with a batch of ``size`` inputs, which are those of ``pairs``, again and again."""
        tried, replies = zip(*pairs, strict=True)
        got = self._ask(BATCH, "call", "in_batch", list(map(pickle.dumps, tried)), size, compact)
        if len(got) != size or got[0].tag != "result":
            return f"a batch of {size:,}, {in_short(tried)}: {got[0].value}"
        place = next((n for n, (one, other) in enumerate(zip(cycle(replies), got)) if one != other), -1)
        if place < 0:
            return ""
        arguments, one = pairs[place % len(pairs)]
        return f"a batch of {size:,}, in which is {_Counterexample(arguments, _then(one, got[place]))}"

    def _sized(
        self, groups: Sequence[Sequence[tuple[Arguments, Reply]]]
    ) -> Iterator[tuple[Sequence[tuple[Arguments, Reply]], int]]:
        """Yield batches: inputs with the replies to them one by one, and how large the batch is made of them."""
        for number, pairs in enumerate(groups):
            start = 0
            for size in cycle(BATCHES):
                if start >= len(pairs):
                    break
                yield pairs[start : start + size], len(pairs[start : start + size])
                start += size
            if not number and pairs and not self.bench.quick:
                yield pairs[:DISTINCT], MANY

    def _groups(self) -> Iterator[list[tuple[Arguments, Reply]]]:
        """Yield inputs that can be in one batch, with the replies to them: counters and smoothings have one order."""
        if self.kind == "counter":
            for start, order in enumerate((4, 1, inputs.ORDERS)):
                tried = [(*arguments[:2], order) for arguments in self.tried[start : 2 * EXAMPLES : 3]]
                yield _answered(tried, self._replies(tried))
        elif self.kind == "smoothing":
            for orders in (4, 1, 2, 5, inputs.ORDERS):
                yield [pair for pair in _answered(self.tried, self.replies) if len(pair[0][0]) == orders]
        else:
            yield _answered(self.tried, self.replies)

    def _soak(self) -> None:
        """Call it very often, in the way in which bleukit does."""
        tried = [arguments for arguments, _ in _answered(self.tried, self.replies)][:16]
        seconds = SOAKING + parent.STARTING
        came = self._ask(AGAIN, "call", "soak", list(map(pickle.dumps, tried)), CALLS, SOAKING, seconds=seconds)
        if "input" in came:
            first, then = (in_short(came[which].value) for which in ("first", "then"))
            after = f"{first} at first, {then} after {came['calls']:,} calls"
            self._breach(AGAIN, _Counterexample(tried[came["input"]], after))
        grown = came.get("grown", 0)
        more = f"{CALLS:,} calls: each {CALLS // 5:,} of them take {grown >> 10:,} KiB more"
        self._hold("keeps its memory within bounds", more if grown > LEAK else "")
        if "input" not in came and came["calls"] < CALLS:
            self.checked.not_tried.append(f"more than {came['calls']:,} calls: they take over {SOAKING:g} seconds")

    def _wrongly_taken(self) -> str:
        """Return which values the component wrongly takes, or refuses, of options that are numbers."""
        numbers = {name: value for name, value in self.described.options.items() if isinstance(value, float)}
        wrong = []
        for option, value in product(numbers, HARD_VALUES):
            is_taken = True
            try:
                self.bench.child().ask("create", self.kind, self.name, {option: value})
            except VariantError:
                is_taken = False
            if is_taken != takes(self.name, {**numbers, option: value}.values()):
                wrong.append(f"{option} {value} is {'taken' if is_taken else 'refused'}")
        if numbers:
            self._create("here")
        return ", ".join(wrong)

    def _elsewhere(self) -> None:
        """Call it in other surroundings, in another order."""
        where = "elsewhere"
        try:
            self._create(where)
        except VariantError as error:
            self._breach(ELSEWHERE, f"its creation: {error}")
            return

        def differing(tried: Sequence[Arguments]) -> _Counterexample | None:
            return _difference(tried, self._replies(tried), self._replies(tried, where=where))

        difference = _difference(self.tried, self.replies, self._replies(self.tried[::-1], where=where)[::-1])
        self._hold(ELSEWHERE, difference and self._smallest(difference, differing))

    def _smallest(
        self, counterexample: _Counterexample, search: Callable[[Sequence[Arguments]], _Counterexample | None]
    ) -> _Counterexample:
        """Return the smallest input found that shows a breach; ``search`` returns the first of some that does."""
        end = time.monotonic() + SHRINKING
        left = inputs.simpler(self.kind, counterexample.arguments)
        while time.monotonic() < end and (tried := list(islice(left, TOGETHER))):
            smaller = search(tried)
            if smaller:
                counterexample, left = smaller, inputs.simpler(self.kind, smaller.arguments)
        return counterexample


def _difference(tried: Sequence[Arguments], expected: Sequence[Reply], got: Sequence[Reply]) -> _Counterexample | None:
    """Return the first input to which two replies differ."""
    for arguments, one, other in zip_longest(tried, expected, got, fillvalue=NONE):
        if one != other:
            return _Counterexample(arguments, _then(one, other))
    return None


def _then(one: Reply, other: Reply) -> str:
    return f"{in_short(one.value)}, then {in_short(other.value)}"


def _answered(tried: Sequence[Arguments], replies: Sequence[Reply]) -> list[tuple[Arguments, Reply]]:
    """Return inputs to which there is a result, each with the reply."""
    return [pair for pair in zip(tried, replies, strict=False) if pair[1].tag == "result"]


@cache
def _tried(kind: str, number: int, special: str) -> list[Arguments]:
    """Return what components of a kind are called on: this many short inputs, half as many long ones, special ones."""
    tried = [*inputs.examples(inputs.SMALL[kind], number), *inputs.examples(inputs.LARGE[kind], number // 2)]
    return [*tried, *inputs.SPECIAL.get(special, list)()]


def _last_up_to(order: int, arguments: Arguments) -> Arguments:
    *counted, last = arguments
    return (*counted, (last[0][:order], last[1][:order], *last[2:]))
