"""What commands print, run in this process, for tests that run many."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest

from bleukit.cli import main


def printed(*words, status=0):
    """Return what a command prints; its message if it is to fail, which is one line and all that it prints."""
    out, messages = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(messages), pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert (ended.value.code or 0) == status, messages.getvalue()
    if not status:
        return out.getvalue()
    assert (out.getvalue(), messages.getvalue().count("\n")) == ("", 1)
    return messages.getvalue()
