"""The errors of Spark become one line with their cause; no Spark is needed to test that."""

import pytest

from bleukit.engines.spark_messages import cause

NOT_THERE = """
  An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "/opt/spark/python/lib/pyspark.zip/pyspark/serializers.py", line 460, in loads
    return cloudpickle.loads(obj, encoding=encoding)
ModuleNotFoundError: No module named 'bleukit'
"""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            NOT_THERE,
            "Spark: ModuleNotFoundError: No module named 'bleukit'; install bleukit for the Python of the executors",
        ),
        (
            NOT_THERE.replace("ModuleNotFoundError: No module named 'bleukit'", "OSError: disk full"),
            "Spark: OSError: disk full",
        ),
        (
            f"{NOT_THERE}bleukit.framework.errors.InputError: hypotheses[3]: expected text\n",
            "hypotheses[3]: expected text",
        ),
        ("[PATH_NOT_FOUND] Path does not exist: x\nand more", "Spark: [PATH_NOT_FOUND] Path does not exist: x"),
    ],
)
def test_the_cause_is_the_last_that_python_raised(said, expected):
    assert cause(said).startswith(expected)
