"""Processes that the suite runs: of its own, in which plugins run, and implementations in any language."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, cast

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

STARTING = 60.0
"""How many seconds a process may take to load what it needs."""

KEPT = 1 << 13
"""How many bytes of standard error are kept, the last ones."""

MEMORY = 4 << 30
"""How many bytes a process of the suite may allocate."""

_END = object()


class Process:
    """A process that answers requests with messages. All that it starts ends with it, except for daemons.

    ``read`` returns the next message of standard output, or raises anything if there is none: nothing is read before it
    is asked for, so that nothing piles up here. Standard error is that of this process, or ``keeps_errors``.
    """

    def __init__(
        self,
        command: Sequence[str],
        read: Callable[[IO[bytes]], Any],
        environment: Mapping[str, str] | None = None,
        *,
        keeps_errors: bool = False,
    ) -> None:
        self._read = read
        self._process = subprocess.Popen(  # noqa: S603 - this Python, or a program that the user names
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keeps_errors else None,
            env=environment,
            start_new_session=True,
        )
        self._requests: queue.SimpleQueue[tuple[bytes, bool] | None] = queue.SimpleQueue()
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._errors = b""
        loops = [self._exchange, self._keep] if keeps_errors else [self._exchange]
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in loops]
        for thread in self._threads:
            thread.start()

    def exchange(self, request: bytes, seconds: float) -> Any:
        """Return the next message, after a request if that is not empty.

        Raises TimeoutError if there is none in time, EOFError if there will be none: it says why.
        """
        self._requests.put((request, False))
        message = self._message(seconds)
        if message is _END:
            raise EOFError(self._how_it_ends(1.0) or "it ends the process, with status 0")
        return message

    def end(self, request: bytes, seconds: float) -> str:
        """Make the last request; return what is wrong with how the process ends, empty if nothing is."""
        self._requests.put((request, True))
        try:
            message = self._message(seconds)
        except TimeoutError:
            return f"it does not end within {seconds:g} seconds"
        return self._how_it_ends(seconds) if message is _END else f"it prints {in_short(message)}"

    def kill(self) -> str:
        """End the process and all that it started; return the last that it wrote to standard error, if that is kept."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._requests.put(None)
        for thread in self._threads:  # which end now, unless the process has let go of one of its own
            thread.join(1.0)
        return self._errors.decode("utf-8", "replace")

    def _message(self, seconds: float) -> Any:
        try:
            return self._messages.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None

    def _how_it_ends(self, seconds: float) -> str:
        """Say how the process ends, empty if nothing is wrong with it."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return "it closes standard output"
        if status >= 0:
            return f"it ends the process, with status {status}" if status else ""
        try:
            return f"it ends the process, by {signal.Signals(-status).name}"
        except ValueError:
            return f"it ends the process, by signal {-status}"

    def _exchange(self) -> None:
        requests, messages = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        with suppress(OSError), requests, messages:
            while asked := self._requests.get():
                request, last = asked
                with suppress(OSError):  # the message says what became of the process
                    requests.write(request)
                    requests.close() if last else requests.flush()
                try:
                    message = self._read(messages)
                except Exception:  # noqa: BLE001 - bytes that are no message can raise anything
                    message = _END
                self._messages.put(message)

    def _keep(self) -> None:
        with cast("IO[bytes]", self._process.stderr) as stream:
            while part := os.read(stream.fileno(), 1 << 16):
                self._errors = (self._errors + part)[-KEPT:]


SHOWN = 60
"""How many bytes of what is no message are shown."""


def in_short(message: bytes) -> str:
    """Show what is no message."""
    text = message[:SHOWN].decode("utf-8", "replace").rstrip()
    return f"{text!r}{'…' if len(message) > SHOWN else ''}"


def limit_this_process(parent: int) -> None:
    """Limit the memory of this process if the system can, and let it end with its parent, even if that is killed.

    Linux alone does the latter. If it crashes, it leaves no core behind.
    """
    if resource is not None:
        for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(what)
            if hard == resource.RLIM_INFINITY or most <= hard:
                resource.setrlimit(what, (most, hard))
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:  # it was killed before
            sys.exit()
