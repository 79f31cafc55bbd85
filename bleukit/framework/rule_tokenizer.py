"""Tokenizers by rules: which characters stand apart from those beside them, as data.

In Python, rules are regular expressions, applied one after the other; that is what they mean. Compiled, all rules of a
tokenizer are one automaton, which reads a text once.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from array import array
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from bleukit.framework.compiled import CompiledModule
from bleukit.framework.lowercasing import lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_compiled = CompiledModule("bleukit.framework.rule_tokenizer_compiled")

MOST_KINDS, MOST_STATES = 64, 1024
"""The automaton has room for no more."""

ENDS, KEEPS, STATE = 1, 2, 4
"""A transition by a character is the number of the next state times STATE. ENDS is added if a token ends before the
character before this one, KEEPS if this one is part of a token."""


class Apart(NamedTuple):
    r"""A rule: spaces are put around each character of ``what``.

    It may hold only after a character of ``after``, or only before one of ``before``. These are regular expressions of
    one character each, such as ``[.,]`` or ``\p{S}``. Such pairs are found from left to right, and do not overlap: of
    ``(a)(,)(,)``, the second comma is no character after a comma, because the first one is part of a pair already.
    """

    what: str
    after: str = ""
    before: str = ""


@dataclass(frozen=True)
class RuleTokenizer:
    r"""A tokenizer: splits at ``blank``, after ``rules`` have put blanks around characters, one rule after the other.

    ``blank`` is a regular expression of one character, a space among them. Before the rules, ``prepare`` is applied to
    the text, then ``lowercase``, the key of a variant; ``surrounded`` puts a space before and after the text.
    ``prepare`` may change texts that hold one of ``marks``, a regular expression of one character, or that begin or end
    with white space; all others it returns as they are. After the rules, ``removed``, a regular expression of one
    character too, is taken out, which joins what stands beside it. ``doc`` is the docstring.
    Expressions with ``\p`` need the package ``regex``, whose version is in the signature then. Raises ValueError for
    more than one rule that looks ahead, by ``before``.
    """

    rules: tuple[Apart, ...] = ()
    blank: str = r"\s"
    surrounded: bool = False
    prepare: Callable[[str], str] | None = None
    marks: str = ""
    lowercase: bool | str = False
    removed: str = ""
    doc: str = field(default="", repr=False, compare=False)
    reads_packed: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.doc:
            vars(self)["__doc__"] = self.doc
        if not re.fullmatch(self.blank, " "):
            raise ValueError(f"blank: a space is none by {self.blank}")
        if any(rule.after and rule.before for rule in self.rules):
            raise ValueError("rules: one has both `after` and `before`")
        if sum(bool(rule.before) for rule in self.rules) > 1:
            raise ValueError("rules: more than one has `before`")

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        text = self.prepared(text)
        if self.surrounded:
            text = f" {text} "
        for what, pair, replacement in self._substitutions:
            if pair is None:
                text = " ".join(what.split(text))  # which is quicker than to substitute
            elif what.search(text):
                text = pair.sub(replacement, text)
        return self._words(expression(self.removed).sub("", text) if self.removed else text)

    @property
    def distributions(self) -> tuple[str, ...]:
        """The distributions whose versions can change tokens."""
        return ("regex",) if any(map(_names_property, self.patterns)) else ()

    def prepared(self, text: str) -> str:
        """Return what the rules are applied to."""
        return lowered(self.prepare(text) if self.prepare else text, self.lowercase)

    @cached_property
    def batch(self) -> Callable[[Sequence[str]], Sequence[Sequence[str]]] | None:
        """The tokens of many texts, by the automaton; None without compiled code."""
        return _compiled.module.Automaton(self) if _compiled.module else None

    @cached_property
    def patterns(self) -> list[str]:
        """All different regular expressions of one character."""
        named = self.blank, self.marks, self.removed, *chain.from_iterable(self.rules)
        return list(dict.fromkeys(filter(None, named)))

    def transitions(self) -> Transitions:
        """Return the automaton of these rules."""
        return Transitions(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def _substitutions(self) -> list[tuple[Any, Any, str]]:
        """The expressions of each rule: of a character, of a pair if it needs one, and what the pair becomes."""
        return [
            (
                expression(f"({what})"),
                expression(f"({after or what})({before or what})") if after or before else None,
                r"\1 \2 " if after else r" \1 \2",
            )
            for what, after, before in self.rules
        ]

    @cached_property
    def _words(self) -> Callable[[str], list[str]]:
        if self.blank == r"\s":
            return str.split
        split = expression(f"(?:{self.blank})+").split
        return lambda text: list(filter(None, split(text)))


class LowercasingRules(ABC):
    """The base of tokenizers by rules that lowercase by themselves, after they have prepared a text.

    A subclass defines :meth:`rules`, and is a frozen dataclass whose fields are the options.
    """

    reads_packed: ClassVar[bool] = True

    @abstractmethod
    def rules(self, lowercase: bool | str) -> RuleTokenizer:
        """Return the tokenizer; ``lowercase`` is the variant's key."""

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text, whose case is kept."""
        return self.lowercasing(lowercase=False)(text)

    @property
    def batch(self) -> Callable[[Sequence[str]], Sequence[Sequence[str]]] | None:
        """The tokens of many texts, whose case is kept."""
        return self.lowercasing(lowercase=False).batch

    def lowercasing(self, lowercase: bool | str) -> RuleTokenizer:
        """Return the tokenizer of a variant that lowercases, the same object each time."""
        return _rules_of(self, lowercase)


@cache
def _rules_of(tokenizer: LowercasingRules, lowercase: bool | str) -> RuleTokenizer:
    return tokenizer.rules(lowercase)


def expression(pattern: str) -> Any:
    r"""Return the compiled pattern, by the package ``regex`` if it names a property of Unicode, \p or \P."""
    if not _names_property(pattern):
        return re.compile(pattern)
    import regex

    return regex.compile(pattern)


def _names_property(pattern: str) -> bool:
    return r"\p" in pattern.lower()


class Symbol(NamedTuple):
    """What the rules pass on: a character, by the bits of its classes; or a space that a rule has put, not real."""

    classes: int
    is_real: bool = True


class Step(NamedTuple):
    """A rule as an automaton: the bits of its classes, 0 for one that it does not have, and the space that it puts.

    Its state is the symbol that may be the first of a pair, None if there is none. ``before`` makes it wait.
    """

    what: int
    after: int
    before: int
    space: Symbol

    def __call__(self, first: Symbol | None, symbol: Symbol) -> tuple[Symbol | None, list[Symbol]]:
        """Return the next state, and what the next rule reads."""
        if self.before:
            waited = [first] if first else []
            if first and symbol.classes & self.before:
                return None, [self.space, first, self.space, symbol]
            return (symbol, waited) if symbol.classes & self.what else (None, [*waited, symbol])
        if symbol.classes & self.what and (first or not self.after):
            return None, [self.space, symbol, self.space]
        return symbol if symbol.classes & self.after else None, [symbol]


class State(NamedTuple):
    """A state of the automaton: those of its steps, and whether a token has begun in what they have passed on.

    ``ends`` are places where a token ends, as bits: before the last character, and before the next one.
    """

    step_states: tuple[Symbol | None, ...]
    is_prepared: bool
    in_token: bool = False
    ends: int = 0


class Transitions:
    """All rules of a tokenizer as one automaton, for the characters that were asked for.

    Characters are of one kind if they are in the same classes. Kinds and states are numbered from 1: a text begins in
    state 1, and one that is prepared in state 2. ``table`` has a row of MOST_KINDS transitions for each state, 0 for a
    kind that is not known, or of which the text must be prepared. ``finish`` says, for each state, where tokens end
    if the text ends: 1, before the last character; 2, at the end.
    """

    def __init__(self, rules: RuleTokenizer) -> None:
        patterns = rules.patterns
        self._runs = [expression(f"(?:{pattern})+") for pattern in patterns]
        bits = {pattern: 1 << place for place, pattern in enumerate(patterns)} | {"": 0}
        self._blank, self._mark, self._removed = bits[rules.blank], bits[rules.marks], bits[rules.removed]
        self._lowercase = rules.lowercase
        self._changes_case = 1 << len(patterns)
        space = Symbol(self._classes(" ")[0], is_real=False)
        self._edge = [space] * rules.surrounded
        self._steps = [Step(bits[rule.what], bits[rule.after], bits[rule.before], space) for rule in rules.rules]
        self._kinds: dict[int, int] = {}
        start, _ = self._through((None,) * len(self._steps), self._edge)
        self._states = {State(start, is_prepared=False): 1, State(start, is_prepared=True): 2}
        self.table = array("I")
        self.finish = bytearray()

    def kinds(self, characters: str) -> bytes:
        """Return the kind of each character; what is new is in ``table`` and ``finish`` then.

        Raises OverflowError for more kinds than MOST_KINDS, or more states than MOST_STATES.
        """
        known = len(self._kinds)
        classes = self._classes(characters)
        for own_class in dict.fromkeys(classes):
            self._kinds.setdefault(own_class, len(self._kinds) + 1)
        kinds = bytes(map(self._kinds.__getitem__, classes))
        if len(self._kinds) >= MOST_KINDS:
            raise OverflowError(f"more than {MOST_KINDS - 1} kinds of characters")
        if len(self._kinds) > known:
            self._make()
        return kinds

    def _classes(self, characters: str) -> list[int]:
        """Return the classes of each character, as bits; of A to Z those of the lowercase letter, if that is wanted.

        All others that are to be lowercased are left to Python, like marks.
        """
        lower = lowered(characters, "ascii" if self._lowercase else False)
        classes = [0] * len(characters)
        for place, character_class in enumerate(self._runs):
            for found in character_class.finditer(lower):
                run = slice(*found.span())
                classes[run] = [others | 1 << place for others in classes[run]]
        if self._lowercase is True:
            for place, character in enumerate(lower):
                classes[place] |= self._changes_case if character != character.lower() else 0
        return classes

    def _make(self) -> None:
        table, finish, made = array("I", bytes(4 * MOST_KINDS)), bytearray(1), 0
        while made < len(self._states):
            for state in list(self._states)[made:]:
                row = [0] * MOST_KINDS
                for classes, kind in self._kinds.items():
                    if state.is_prepared or not classes & (self._mark | self._changes_case):
                        row[kind] = self._transition(state, classes)
                table.extend(row)
                finish.append(self._finish(state))
                made += 1
        self.table, self.finish = table, finish

    def _transition(self, state: State, classes: int) -> int:
        step_states, symbols = self._through(state.step_states, [Symbol(classes)])
        ends, in_token = self._ends(state, symbols)
        following = State(step_states, state.is_prepared, in_token, ends >> 1)
        number = self._states.setdefault(following, len(self._states) + 1)
        if number >= MOST_STATES:
            raise OverflowError(f"more than {MOST_STATES - 1} states")
        keeps = not classes & (self._blank | self._removed)
        return number * STATE + (ENDS if ends & 1 else 0) + (KEEPS if keeps else 0)

    def _finish(self, state: State) -> int:
        _, symbols = self._through(state.step_states, self._edge, at_end=True)
        ends, in_token = self._ends(state, symbols)
        return ends | in_token << 1

    def _through(
        self, step_states: tuple[Symbol | None, ...], symbols: list[Symbol], *, at_end: bool = False
    ) -> tuple[tuple[Symbol | None, ...], list[Symbol]]:
        """Return the next states of all steps, and what comes out of the last one."""
        states = []
        for step, state in zip(self._steps, step_states, strict=True):
            passed: list[Symbol] = []
            for symbol in symbols:
                state, some = step(state, symbol)  # noqa: PLW2901
                passed += some
            if at_end and step.before and state:
                passed.append(state)
            states.append(state)
            symbols = passed
        return tuple(states), symbols

    def _ends(self, state: State, symbols: Iterable[Symbol]) -> tuple[int, bool]:
        """Return where tokens end, given what comes out of the last step, and whether another one has begun.

        Places are bits: before the character before this one, before this one, and after it.
        """
        steps = zip(self._steps, state.step_states, strict=True)
        place = 1 - any(step.before and first and first.is_real for step, first in steps)  # before what comes out next
        ends, in_token = state.ends, state.in_token
        for symbol in symbols:
            if not symbol.classes & self._removed:
                is_blank = bool(symbol.classes & self._blank)
                ends |= (is_blank and in_token) << place
                in_token = not is_blank
            place += symbol.is_real
        return ends, in_token
