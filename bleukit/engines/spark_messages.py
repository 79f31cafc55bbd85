"""Why Spark failed, in one line of the many that it says; this needs no Spark."""

from __future__ import annotations

import re


def cause(said: str) -> str:
    """Return, on one line, why Spark failed, given all that it said: what Python raised on an executor, if it did."""
    raised = [line for line in said.splitlines() if _RAISED.match(line)]
    ours = [line for line in raised if line.startswith("bleukit.framework.errors.")]
    if ours:
        return ours[-1].partition(": ")[2]
    if not raised:
        return f"Spark: {said.partition(chr(10))[0]}"
    remedy = ""
    if "No module named 'bleukit'" in raised[-1]:
        remedy = "; install bleukit for the Python of the executors, or set PYSPARK_PYTHON=/path/to/bin/python"
    return f"Spark: {raised[-1]}{remedy}"


_RAISED = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception): ")
"""The last line of a traceback of Python."""
