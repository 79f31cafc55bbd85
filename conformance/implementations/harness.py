"""Implementations that are processes of their own, in any language: asked by the messages of :mod:`.protocol`.

Whatever a process does, the others and the run go on: it may crash, hang, or print anything in any amount.
"""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import threading
from contextlib import suppress
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import msgspec
from bleukit.conformance.implementations import protocol
from bleukit.conformance.running.processes import ended_with_status, kill_with_children

import bleukit
from bleukit.framework.errors import in_words, key_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.conformance.implementations.questions import Question

    from bleukit.bleu.protocols import Reported

_Message = TypeVar("_Message")

STARTING = 60.0
"""How many seconds a process may take for the answer to ``hello``: it may load a library."""

STARTS = 3
"""How often a process is started: it is ended if an answer is late or is none, or if it ends by itself."""

LONGEST = 1 << 24
"""How many bytes an answer may have."""

KEPT = 1 << 13
"""How many bytes of standard error are kept, the last ones."""

SHOWN = 60
"""How many bytes of what is no answer are shown."""


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
        self._process: _Process | None = None
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
            self._process = _Process(self.command)
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
        assert self._process is not None  # noqa: S101 - it was started
        try:
            line = self._process.exchange(request, seconds)
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

    def _ended(self, problem: str) -> None:
        assert self._process is not None  # noqa: S101 - it was started
        self.standard_error = self._process.kill() or self.standard_error
        self._process = None
        if problem:
            self.problems.append(problem)


class _Process:
    """Exchanges lines with a process: nothing is read before it is asked for, so that nothing piles up here.

    All that it starts ends with it, except for daemons.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - a program that the user names
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._requests: queue.SimpleQueue[tuple[bytes, bool] | None] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._kept = b""
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in (self._exchange, self._keep)]
        for thread in self._threads:
            thread.start()

    def exchange(self, request: bytes, seconds: float) -> bytes:
        """Return the line that answers a request. Raises NoAnswerError if there is none in time."""
        self._requests.put((request, False))
        line = self._line(seconds)
        if line is None:
            raise NoAnswerError(f"it gives no answer within {seconds:g} seconds")
        if not line:
            raise NoAnswerError(self._how_it_ends(1.0) or "it ends the process, with status 0")
        if len(line) > LONGEST:
            raise NoAnswerError(f"it prints more than {LONGEST >> 20} MiB on one line")
        return line

    def end(self, request: bytes, seconds: float) -> str:
        """Make the last request; return what is wrong with how the process ends, empty if nothing is."""
        self._requests.put((request, True))
        line = self._line(seconds)
        if line is None:
            return f"it does not end within {seconds:g} seconds"
        return f"it prints {_shown(line)}" if line else self._how_it_ends(seconds)

    def kill(self) -> str:
        """End the process and all that it started; return the last that it wrote to standard error."""
        kill_with_children(self._process)
        self._requests.put(None)
        for thread in self._threads:  # which end now, unless the process has let go of one of its own
            thread.join(1.0)
        return self._kept.decode("utf-8", "replace")

    def _line(self, seconds: float) -> bytes | None:
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def _how_it_ends(self, seconds: float) -> str:
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return "it closes standard output"
        return ended_with_status(status) if status else ""

    def _exchange(self) -> None:
        requests, lines = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        with suppress(OSError), requests, lines:
            while asked := self._requests.get():
                request, last = asked
                with suppress(OSError):  # the answer says what became of the process
                    requests.write(request)
                    requests.close() if last else requests.flush()
                self._lines.put(lines.readline(LONGEST + 1))

    def _keep(self) -> None:
        with cast("IO[bytes]", self._process.stderr) as stream:
            while part := os.read(stream.fileno(), 1 << 16):
                self._kept = (self._kept + part)[-KEPT:]


def printable_line(text: str) -> str:
    """Return text on one line, without what would change a terminal or break a table."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _decoded(line: bytes, kind: type[_Message]) -> _Message:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # a ValidationError is a DecodeError
        raise NoAnswerError(f"it prints {_shown(line)}, which is no answer") from None


def _shown(line: bytes) -> str:
    text = line[:SHOWN].decode("utf-8", "replace").rstrip()
    return f"{text!r}{'…' if len(line) > SHOWN else ''}"
