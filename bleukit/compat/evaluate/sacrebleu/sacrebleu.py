"""The module sacrebleu; evaluate copies this file and takes the class in it."""

from bleukit.compat.evaluate.modules import Sacrebleu as Module  # noqa: F401
