"""Processes of this Python, which import modules from where this process does."""

from __future__ import annotations

import sys


def python_command(code: str) -> list[str]:
    """Return the command that runs code in a process of its own; arguments may follow.

    ``python -c`` and ``python -m`` would import the modules of the current folder before all others.
    """
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!a}; {code}"]  # sys is built into Python
