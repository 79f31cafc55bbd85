"""Implementations that are processes of their own, in any language: asked by the messages of :mod:`.protocol`.

Whatever a process does, the others and the run go on: it may crash, hang, or print anything in any amount.
"""

from __future__ import annotations

import shlex
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, TypeVar

import msgspec
from bleukit.conformance.implementations import protocol
from bleukit.conformance.running.processes import STARTING, Process, in_short

import bleukit
from bleukit.framework.errors import in_words, key_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.conformance.implementations.questions import Question

    from bleukit.bleu.protocols import Reported

_Message = TypeVar("_Message")

STARTS = 3
"""How often a process is started: it is ended if an answer is late or is none, or if it ends by itself."""

LONGEST = 1 << 24
"""How many bytes an answer may have."""


class RaisedError(Exception):
    """What an implementation raised, on one line, by its adapter or its harness."""


class NoAnswerError(Exception):
    """There is no answer to a question; the message says what there is instead."""


class Harness:
    """An implementation behind a command. ``seconds`` is how long it may take for a case.

    ``problems`` says what became of its processes, ``answered`` is the number of cases that it answered, ``taken`` the
    seconds that this took.
    """

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command = command
        self.seconds = seconds
        self.hello: protocol.Introduction | None = None
        self.problems: list[str] = []
        self.answered = 0
        self.taken = 0.0
        self.standard_error = ""
        self._starts = 0
        self._seq = 0
        self._process: Process | None = None
        self._start()

    @property
    def name(self) -> str:
        """What the harness calls its implementation; the command, if it does not."""
        return self.hello.implementation if self.hello else self.command_line

    @property
    def command_line(self) -> str:
        """The command as a shell takes it."""
        return shlex.join(self.command)

    def ask(self, question: Question) -> Reported:
        """Return what the implementation reports.

        Raises CannotExpressError and RaisedError if that is the answer, NoAnswerError if there is none.
        """
        if self._process is None:
            self._start()
        if self._process is None:
            raise NoAnswerError(f"it is not asked any more: {self.problems[-1]}")
        self._seq += 1
        request = protocol.encode(protocol.case_of(question, self._seq))
        start = monotonic()
        answer = self._answer_to(request, self.seconds, protocol.CaseAnswer, question.case.id)
        self.taken += monotonic() - start
        self.answered += 1
        if isinstance(answer.cannot, str):
            raise bleukit.CannotExpressError(printable_line(answer.cannot))
        if isinstance(answer.error, str):
            raise RaisedError(printable_line(answer.error))
        return protocol.reported_in(answer.reported)

    def end(self) -> None:
        """Say goodbye, and let the process end by itself within the seconds that it may take for a case."""
        if self._process is None:
            return
        self._seq += 1
        problem = self._process.end(protocol.encode(protocol.Bye(self._seq)), self.seconds)
        self._ended(f"after the last case, {problem}" if problem else "")

    def close(self) -> None:
        """End the process by force."""
        if self._process is not None:
            self._ended("")

    def _start(self) -> None:
        if self._starts == STARTS:
            return
        self._starts += 1
        self._seq = 1
        try:
            self._process = Process(self.command, _next_line, keeps_errors=True)
        except OSError as error:
            self._starts = STARTS
            self.problems.append(f"it cannot be started: {error.strerror or error}")
            return
        try:
            hello = self._answer_to(protocol.encode(protocol.Hello(1)), STARTING, protocol.Introduction, "hello")
        except NoAnswerError as error:
            if self._process is not None:
                self._ended(f"hello: {error}")
            self._give_up()
            return
        if hello.protocol != protocol.VERSION:
            self._ended(f"it speaks version {hello.protocol} of the protocol, not {protocol.VERSION}")
            self._give_up()
            return
        shown = {name: printable_line(getattr(hello, name)) for name in ("implementation", "version", "language")}
        self.hello = msgspec.structs.replace(hello, **shown)

    def _give_up(self) -> None:
        """Start it no more: what does not introduce itself once will not do so later."""
        self._starts = STARTS

    def _answer_to(self, request: bytes, seconds: float, kind: type[Any], what: str) -> Any:
        """Return the answer of a kind. A process that does not give the right number is ended."""
        try:
            line = self._line(request, seconds)
            seq = _decoded(line, protocol.Numbered).seq
            if seq != self._seq:
                again = f"it answers request {seq} again" if seq < self._seq else f"it answers request {seq}"
                raise NoAnswerError(f"{again}, asked for {self._seq}")  # noqa: TRY301 - it is one of those below
        except NoAnswerError as error:
            self._ended(f"{what}: {error}")
            raise
        try:
            return msgspec.json.decode(line, type=kind)
        except msgspec.ValidationError as error:
            problem, key = in_words(error)
            raise NoAnswerError(f"its answer is none: {': '.join(filter(None, (key_path(key), problem)))}") from None

    def _line(self, request: bytes, seconds: float) -> bytes:
        assert self._process is not None  # noqa: S101 - it was started
        try:
            line: bytes = self._process.exchange(request, seconds)
        except TimeoutError:
            raise NoAnswerError(f"it gives no answer within {seconds:g} seconds") from None
        except EOFError as error:
            raise NoAnswerError(str(error)) from None
        if len(line) > LONGEST:
            raise NoAnswerError(f"it prints more than {LONGEST >> 20} MiB on one line")
        return line

    def _ended(self, problem: str) -> None:
        assert self._process is not None  # noqa: S101 - it was started
        self.standard_error = self._process.kill() or self.standard_error
        self._process = None
        if problem:
            self.problems.append(problem)


def printable_line(text: str) -> str:
    """Return text on one line, without what would change a terminal or break a table."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _next_line(stream: IO[bytes]) -> bytes:
    line = stream.readline(LONGEST + 1)
    if not line:
        raise EOFError
    return line


def _decoded(line: bytes, kind: type[_Message]) -> _Message:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # a ValidationError is a DecodeError
        raise NoAnswerError(f"it prints {in_short(line)}, which is no answer") from None
