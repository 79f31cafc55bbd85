"""Streams whose reader is gone, or to which it is too late to write."""

import os
import subprocess
import sys

import pytest

from bleukit.writing import streams


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def test_what_follows_a_failure_is_dropped(pipe, monkeypatch):
    failures = []

    def fail(error):
        failures.append(error)
        assert len(failures) == 1

    def no_space(*_):
        raise OSError(28, "No space left on device")

    stream = streams._Complete(pipe[1], fail, lambda: False)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", no_space)
        assert stream.write(b"abc") == 3
    assert stream.write(b"de") == 2
    os.write(pipe[1], b"end")
    assert (os.read(pipe[0], 9), [error.errno for error in failures]) == (b"end", [28])


def test_what_comes_too_late_is_dropped(pipe):
    late = iter([False, True, False])
    stream = streams._Complete(pipe[1], pytest.fail, lambda: next(late))
    assert [stream.write(data) for data in (b"abc", b"de", b"f")] == [3, 2, 1]
    assert os.read(pipe[0], 9) == b"abc"


def test_a_pipe_that_takes_some_at_a_time_gets_all(pipe, monkeypatch):
    write, full = os.write, iter([False, True, True, False, False])

    def some(descriptor, data):
        if next(full):
            raise BlockingIOError
        return write(descriptor, data[:2])

    monkeypatch.setattr(os, "write", some)
    assert streams._Complete(pipe[1], pytest.fail, lambda: False).write(b"abcdef") == 6
    assert os.read(pipe[0], 9) == b"abcdef"


def test_a_stream_that_is_closed_is_no_file():
    failures = []
    stream = streams._Complete(None, failures.append, lambda: False)
    assert (stream.isatty(), stream.writable(), stream.write(b"a")) == (False, True, 1)
    assert [str(error) for error in failures] == ["it is closed"]


OPENING = """
import os
import subprocess
import sys
from bleukit.cli import interrupts, output
with output.standard_streams(interrupts.Interrupt()):
    number = os.open(os.devnull, os.O_RDONLY)
raise SystemExit(0 if number > 2 else 9)
"""


@pytest.mark.skipif(os.name != "posix", reason="streams are closed as by a POSIX shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_takes_the_place_of_a_closed_stream(closed):
    done = subprocess.run(f"'{sys.executable}' -c '{OPENING}' {closed}", shell=True, check=False)
    assert done.returncode == 0
