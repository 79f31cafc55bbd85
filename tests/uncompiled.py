"""Modules run a second time, without their compiled parts: plain Python, which says what these should do."""

import importlib.util
import sys

import pytest


def uncompiled(name):
    """Return a copy of a module that has not found its compiled part."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, f"{name}_compiled", None)  # an import of None fails
        spec = importlib.util.find_spec(name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module
