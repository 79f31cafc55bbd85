"""Interrupts, by SIGINT, SIGTERM or SIGHUP: the first ends a command without a word; the second ends it at once."""

from __future__ import annotations

import os
import signal
import sys

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""The names of the signals that interrupt a command; Windows has no SIGHUP."""

PATIENCE = 3
"""The seconds that a command has to clean up after an interrupt."""


class Interrupt:
    """Remembers the first signal, because the code that it interrupts may swallow the KeyboardInterrupt."""

    def __init__(self) -> None:
        self.noticed = 0
        """The number of the signal, 0 before there is one."""

    @property
    def status(self) -> int:
        """The exit status after an interrupt, as shells have it."""
        return 128 + (self.noticed or signal.SIGINT)

    def handle(self) -> None:
        """Handle the signals from now on, unless they are ignored, or another program handles them."""
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number and signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
                signal.signal(number, self._notice)

    def check(self) -> None:
        """Raise KeyboardInterrupt if there was an interrupt."""
        if self.noticed:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Let the process end in its own time: what had to be cleaned up is."""
        if self.noticed:
            self._end_after(0)

    def _notice(self, number: int, _: object) -> None:
        if self.noticed:
            os._exit(self.status)
        self.noticed = number
        # What is interrupted may print the exception, or swallow it: an import does either.
        self._end_after(PATIENCE)
        sys.excepthook = lambda *_: None
        sys.unraisablehook = lambda *_: None
        raise KeyboardInterrupt

    def _end_after(self, seconds: float) -> None:
        """End the process after some time even if the interrupt is lost; 0 for never."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda *_: os._exit(self.status))
            signal.setitimer(signal.ITIMER_REAL, seconds)
