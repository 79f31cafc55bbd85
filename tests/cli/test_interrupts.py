"""Interrupts of this process, with a timer and an end of the process that are only noted."""

import os
import signal
import sys

import pytest

from bleukit.cli import interrupts, main, running

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals as POSIX has them")

NUMBERS = [getattr(signal, name) for name in interrupts.SIGNALS if hasattr(signal, name)]


@pytest.fixture
def done(monkeypatch):
    """The timers that are set, and the statuses by which the process would have ended."""
    done = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: done.append((which, seconds)))
    monkeypatch.setattr(os, "_exit", done.append)
    handlers = {number: signal.getsignal(number) for number in (*NUMBERS, signal.SIGALRM)}
    hooks = sys.excepthook, sys.unraisablehook
    for number in NUMBERS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield done
    sys.excepthook, sys.unraisablehook = hooks
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_first_interrupt_leaves_time_to_clean_up_and_the_second_none(done, number):
    interrupt = interrupts.Interrupt()
    interrupt.handle()
    interrupt.check()
    interrupt.forget()
    assert (interrupt.noticed, done) == (0, [])
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert (interrupt.noticed, interrupt.status, done) == (number, 128 + number, [(signal.ITIMER_REAL, 3)])
    with pytest.raises(KeyboardInterrupt):
        interrupt.check()
    interrupt.forget()
    assert done.pop() == (signal.ITIMER_REAL, 0)  # never
    signal.raise_signal(signal.SIGALRM)
    assert done.pop() == 128 + number
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert done[1] == 128 + number


def test_an_interrupt_that_others_handle_is_theirs(done):
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)
    interrupts.Interrupt().handle()
    assert {*map(signal.getsignal, NUMBERS)} == {signal.SIG_IGN}


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_an_error_of_the_program_is_hidden_only_after_an_interrupt(done, monkeypatch, is_interrupted):
    def run(_, interrupt):
        interrupt.noticed = signal.SIGINT if is_interrupted else 0
        raise RuntimeError

    monkeypatch.setattr(running, "run", run)
    with pytest.raises(SystemExit if is_interrupted else RuntimeError) as ended:
        main([])
    assert getattr(ended.value, "code", None) == (130 if is_interrupted else None)
    assert done == [(signal.ITIMER_REAL, 0)] * is_interrupted
