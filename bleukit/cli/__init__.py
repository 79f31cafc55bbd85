"""The command line: one file a command, each imported only when it is called.

This module imports what Python has loaded anyway, so that :func:`main` is soon there to handle an interrupt.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

COMMANDS = {
    "score": "Score hypotheses against references.",
    "merge": "Add up statistics of parts of a text, and score them.",
    "compare": "Compare systems: intervals, tests, ranks.",
    "report": "Write a page that shows where scores come from.",
    "mbr": "Choose, of samples, those with the highest expected score.",
    "duplicates": "Print pairs of lines that are much alike.",
    "self-bleu": "Measure how alike the lines of a file are.",
    "identify": "Find which variants give a published score.",
    "explain": "Show why two variants differ on a text.",
    "variants": "List the BLEU variants, or print one as YAML.",
    "plugins": "List the plugins, and what each provides.",
    "tokenize": "Show the tokens that a variant counts.",
    "conform": "Check what conforms to the documents that define BLEU.",
    "serve": "Answer conformance cases as a harness, by a protocol.",
    "sacrebleu": "Score as the command of sacreBLEU, with its options and output.",
    "config": "Show or check a variant; print its JSON Schema.",
}

INTERRUPTED = 130
"""The exit status after SIGINT, as shells have it."""

PATIENCE = 3
"""The seconds that a command has to clean up after an interrupt."""


class Interrupt:
    """Notices the first SIGINT, whatever then becomes of the KeyboardInterrupt; the second ends at once."""

    def __init__(self) -> None:
        self.noticed = False

    def notice(self, *_: object) -> None:
        """Handle the signal."""
        if self.noticed:
            os._exit(INTERRUPTED)
        self.noticed = True
        # What is interrupted may print the exception, or swallow it: an import does either.
        _end_after(PATIENCE)
        sys.excepthook = lambda *_: None
        sys.unraisablehook = lambda *_: None
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt if there was one."""
        if self.noticed:
            raise KeyboardInterrupt


def _end_after(seconds: float) -> None:
    """End the process after some time, which is enough to clean up if the interrupt is not lost; 0 for never."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(INTERRUPTED))
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit.

    The status is 0 if it is done, 1 if a check says no, 2 after bad usage or bad input, reported in one line on
    standard error, and 130, without a word, after an interrupt.
    """
    # What a command imports and makes first lives until it ends: looking through it for garbage takes a tenth of the
    # time that a small corpus takes.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    interrupt = Interrupt()
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, or somebody else's
            signal.signal(signal.SIGINT, interrupt.notice)
        from bleukit.cli import running

        status = running.run(arguments, interrupt)
        interrupt.check()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BaseException:
        if not interrupt.noticed:
            raise
        status = INTERRUPTED  # what is interrupted may raise something else, as an import in C does
    if interrupt.noticed:
        _end_after(0)
    sys.exit(status)
