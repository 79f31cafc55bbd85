"""Names of programs, and the variants that they compute: all that is known of them is in a file of the plugins."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from bleukit.framework import yaml_document
from bleukit.framework.errors import VariantError
from bleukit.framework.hookspecs import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE = "names.yaml"
"""The file of names, beside the built-in plugins."""


class Meaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a name may mean: a program at a version, and what it does to the text before.

    ``variant`` is what the program computes; without it, the program computes none of the variants, and ``nearest`` is
    the one to look at. ``when`` says what tells this meaning from the other ones of the name.
    """

    version: str
    source: str
    text: str
    variant: str = ""
    nearest: str = ""
    when: str = ""


@cache
def known() -> Mapping[str, tuple[Meaning, ...]]:
    """Return all names, as they are written in the file, with their meanings."""
    from importlib.resources import files  # takes long to import, and variants are known without it

    data = yaml_document.read_yaml(str(files(BUILT_IN) / FILE)).data
    return msgspec.convert(data, dict[str, tuple[Meaning, ...]])


def folded(name: str) -> str:
    """Return a name as it is compared: without its case, and without blanks, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", name.lower())


def spelled(name: str, known: Iterable[str]) -> str | None:
    """Return the one of the known names that a name is another spelling of, None if there is none."""
    wanted = folded(name)
    return next((each for each in known if folded(each) == wanted), None)


def variant_of(name: str) -> str | None:
    """Return the variant that a name of a program means; None if it is no such name.

    Raises VariantError, which lists the choices, if the name means several things, or none of the variants.
    """
    written = spelled(name, known())
    if written is None:
        return None
    first, *others = known()[written]
    if others:
        choices = "; ".join(f"{_described(each)} ({each.when})" for each in (first, *others))
        raise VariantError(f"{written!r} means several things, so name the variant: {choices}", ("variant",))
    if not first.variant:
        raise VariantError(f"{written!r} ({first.version}) is {_described(first)}: {first.text}", ("variant",))
    return first.variant


def description(name: str) -> str:
    """Return what a name with one meaning says of the text, and where that was read; empty if it is no such name."""
    written = spelled(name, known())
    if written is None:
        return ""
    (meaning,) = known()[written]
    return f"{written} ({meaning.version}, {meaning.source}): {meaning.text}"


def _described(meaning: Meaning) -> str:
    return repr(meaning.variant) if meaning.variant else f"none of the variants, and {meaning.nearest!r} is the nearest"


def names_of(variant: str) -> list[str]:
    """Return the names that mean a variant, alone or among other things."""
    return [name for name, meanings in known().items() if any(each.variant == variant for each in meanings)]
