"""The public names of bleukit: what they are, and that what they return is public, too."""

import ast
import dataclasses
import importlib
import inspect
import types
import typing
from contextlib import suppress
from functools import cache

import pytest

import bleukit
import bleukit.plugin
from bleukit.bleu.scorer import Scorer
from bleukit.framework.additive import Column
from bleukit.identifying.procedures import Steps

PUBLIC = {name: getattr(bleukit, name) for name in bleukit.__all__ if name not in {"plugin", "__version__"}}
OPAQUE = {bleukit.Moments, bleukit.Procedure}
"""Classes whose fields are no part of what they offer."""


@cache
def namespace(module_name):
    """Return the names of a module, with those that it imports for type checkers alone."""
    module = importlib.import_module(module_name)
    names = {"Self": object, **vars(module)}  # which Python 3.10 has in typing_extensions alone
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for statement in node.body:
                with suppress(ImportError):  # of what is in the stubs of the standard library alone
                    exec(ast.unparse(statement), names)
    return names


def classes_in(annotation, names):
    """Yield the classes that an annotation names."""
    if isinstance(annotation, str):
        annotation = eval(annotation, dict(names))
    if isinstance(annotation, typing.ForwardRef):
        annotation = eval(annotation.__forward_arg__, dict(names))
    if isinstance(annotation, list | tuple):
        for part in annotation:
            yield from classes_in(part, names)
    elif typing.get_args(annotation):
        if typing.get_origin(annotation) is not typing.Literal:
            yield from classes_in(typing.get_args(annotation), names)
    elif isinstance(annotation, type):
        yield annotation


def annotations(public):
    """Yield what a public function returns, or the methods, properties and fields of a public class do."""
    if inspect.isfunction(public):
        yield public.__name__, public.__annotations__["return"], public.__module__
    if not isinstance(public, type) or issubclass(public, Exception):
        return
    is_record = dataclasses.is_dataclass(public) or issubclass(public, tuple) or hasattr(public, "__struct_fields__")
    if is_record and public not in OPAQUE:
        for name, annotation in public.__annotations__.items():
            yield f"{public.__name__}.{name}", annotation, public.__module__
    for owner in public.__mro__:
        for name, member in vars(owner).items() if owner.__module__.startswith("bleukit.") else ():
            kinds = ("__func__", "fget", "func")  # of class methods, properties, cached properties
            function = next((getattr(member, kind) for kind in kinds if hasattr(member, kind)), member)
            if not name.startswith("_") and isinstance(function, types.FunctionType):
                yield f"{public.__name__}.{name}", function.__annotations__["return"], owner.__module__


RETURNED = [returned for public in PUBLIC.values() for returned in annotations(public)]


@pytest.mark.parametrize(("name", "annotation", "module"), RETURNED, ids=[name for name, _, _ in RETURNED])
def test_what_a_public_name_returns_is_public(name, annotation, module):
    # Scorers and columns stand between the core and the other rooms; steps between prices and scores.
    known = {
        Column,
        Scorer,
        Steps,
        *PUBLIC.values(),
        *(getattr(bleukit.plugin, name) for name in bleukit.plugin.__all__),
    }
    own = {kind for kind in classes_in(annotation, namespace(module)) if kind.__module__.startswith("bleukit")}
    assert own <= known


def test_output_errors_are_public():
    assert issubclass(bleukit.OutputError, bleukit.BleukitError)
    assert "OutputError" in dir(bleukit)


@pytest.mark.parametrize("name", ["BLEU", "corpus_bleu", "sentence_bleu"])
def test_names_of_other_libraries_say_where_they_are(name):
    with pytest.raises(
        ImportError, match=rf"no {name} of its own: .* bleukit\.compat\.sacrebleu, .* bleukit\.compat\.nltk"
    ):
        getattr(bleukit, name)
    with pytest.raises(ImportError, match=r"bleukit\.compat\.nltk"):
        exec(f"from bleukit import {name}")


def test_other_names_are_unknown_as_usual():
    with pytest.raises(AttributeError, match="nothing"):
        bleukit.nothing  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from bleukit import nothing  # noqa: F401
    assert not hasattr(bleukit, "nothing")
