"""The module variant; evaluate copies this file and takes the class in it."""

from bleukit.compat.evaluate.modules import Variant as Module  # noqa: F401
