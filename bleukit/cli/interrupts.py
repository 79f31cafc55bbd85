"""Interrupts: the first SIGINT ends a command without a word, whatever it is doing; the second ends it at once."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130
"""The exit status after SIGINT, as shells have it."""

PATIENCE = 3
"""The seconds that a command has to clean up after an interrupt."""


class Interrupt:
    """Remembers the first SIGINT, because the code that it interrupts may swallow the KeyboardInterrupt."""

    def __init__(self) -> None:
        self.noticed = False

    def handle(self) -> None:
        """Handle SIGINT from now on, unless it is ignored, or another program handles it."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._notice)

    def check(self) -> None:
        """Raise KeyboardInterrupt if there was an interrupt."""
        if self.noticed:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Let the process end in its own time: what had to be cleaned up is."""
        if self.noticed:
            _end_after(0)

    def _notice(self, *_: object) -> None:
        if self.noticed:
            os._exit(INTERRUPTED)
        self.noticed = True
        # What is interrupted may print the exception, or swallow it: an import does either.
        _end_after(PATIENCE)
        sys.excepthook = lambda *_: None
        sys.unraisablehook = lambda *_: None
        raise KeyboardInterrupt


def _end_after(seconds: float) -> None:
    """End the process after some time even if the interrupt is lost; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(INTERRUPTED))
        signal.setitimer(signal.ITIMER_REAL, seconds)
