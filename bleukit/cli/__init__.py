"""The command line: one module a command; :mod:`bleukit.cli.running` gathers them."""

from __future__ import annotations

import sys

from bleukit.cli.interrupts import Interrupt


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit.

    The status is 0 if it is done, 1 if a check says no, 2 after bad usage or bad input, reported in one line on
    standard error, and 130, 143 or 129, without a word, after SIGINT, SIGTERM or SIGHUP.
    """
    interrupt = Interrupt()
    try:
        interrupt.handle()
        from bleukit.cli import running  # here, so that an interrupt is handled while the commands are imported, too

        status = running.run(arguments, interrupt)
        interrupt.check()
    except KeyboardInterrupt:
        status = interrupt.status
    except BaseException:
        if not interrupt.noticed:
            raise
        status = interrupt.status  # what is interrupted may raise something else, as an import in C does
    interrupt.forget()
    sys.exit(status)
