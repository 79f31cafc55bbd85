"""Procedures: a variant, and what was done to the texts before they were counted, and to the scores after.

A variant file says so by its key ``procedure``, a command by ``--set procedure.KEY=VALUE``, and
:func:`bleukit.reproduce` by keyword arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bleukit.bleu import loader
from bleukit.bleu.bleu import Bleu
from bleukit.framework import yaml_document
from bleukit.framework.errors import InputError, Key, VariantError, near_misses, shown
from bleukit.framework.options import checked
from bleukit.framework.plain import plain

if TYPE_CHECKING:
    from bleukit.framework.metric import Level
    from bleukit.framework.yaml_document import YamlDocument

KEY = "procedure"
"""The key of variant files that says what was done to the texts."""

PREFIX = f"{KEY}."
"""What begins the names of keys that a command sets."""

MEAN_OF_ORDERS = 4
"""The highest order of the mean of BLEU-1 to BLEU-4."""

_Number = Annotated[int, Meta(ge=1)]


class ProcedureKeys(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was done to the texts and references of a variant before they were counted, and to the scores after.

    What is not given changes nothing, and all is done in the order of the keys, but that ``segments`` are counted of
    what ``remove``, ``text`` and ``shift`` make.
    """

    segments: _Number | str | None = None
    """The first so many segments, or the numbers of the first and the last one: ``11-20``."""
    remove: Literal["punctuation", "subwords"] | None = None
    text: (
        Literal["characters", "characters of references", "first hypothesis", "joined", "words as references"] | None
    ) = None
    shift: Literal[-1, 1] | None = None
    """By how many lines the references come too late."""
    reference: _Number | None = None
    """The number of the only reference that is used."""
    over_references: Literal["mean", "max", "best", "pooled"] | None = None
    """What is made of the scores by each reference; pooled: each makes a segment of its own."""
    swap: bool = False
    """Whether hypotheses and references are exchanged."""
    units: Literal["documents"] | _Number | None = None
    """What is scored: documents, or batches of so many segments."""
    over_units: Literal["median", "positive"] | None = None
    """What is made of the scores of units, single segments by default, in place of their mean; positive: the mean of
    those above 0.
    """
    mean: Literal["arithmetic", "harmonic", "orders"] | None = None
    """The mean of precisions; orders: that of BLEU-1 to BLEU-4."""
    penalty: Literal["ratio"] | None = None
    """The brevity penalty c/r."""

    @property
    def given(self) -> dict[str, Any]:
        """The keys that change something."""
        given: dict[str, Any] = msgspec.to_builtins(self)
        return given

    @property
    def fields(self) -> list[str]:
        """What is given, as fields of a signature."""
        given = self.given
        if self.first_and_last:
            given["segments"] = "{}-{}".format(*self.first_and_last)
        return [f"{key}:{'yes' if value is True else value}" for key, value in given.items()]

    @property
    def first_and_last(self) -> tuple[int, int] | None:
        """The numbers of the first and the last segment; None for all."""
        if self.segments is None:
            return None
        first, last = (1, self.segments) if isinstance(self.segments, int) else map(int, self.segments.split("-"))
        return first, last

    @property
    def of_variant(self) -> dict[str, Any]:
        """The keys of a variant that the procedure needs, and that others may override."""
        return {"weights": MEAN_OF_ORDERS} if self.mean == "orders" else {}

    @property
    def apart(self) -> bool:
        """Whether each reference is counted apart from the others of its segment."""
        return self.reference is not None or self.over_references is not None

    @property
    def by_reference(self) -> bool:
        """Whether each unit has a score by each reference; "best" is the greatest of their averages."""
        return self.over_references in {"mean", "max", "best"}

    @property
    def needs_texts(self) -> bool:
        """Whether texts are changed, which tokens are not."""
        return bool(self.text or self.remove)

    @property
    def needs_whole(self) -> bool:
        """Whether texts are arranged as a whole, not some segments at a time."""
        return bool(self.text or self.shift)

    @property
    def of_scores(self) -> list[str]:
        """The keys that make a score which no sum of statistics has."""
        own = ["over_references"] if self.by_reference else []
        return own + [key for key in ("units", "over_units", "mean", "penalty") if getattr(self, key)]

    def check_level(self, level: Level) -> None:
        """Raise InputError for a key that says what a score of the corpus is made of, at another level."""
        of_corpus = [key for key in ("units", "over_units") if getattr(self, key)]
        of_corpus += ["over_references: best"] if self.over_references == "best" else []
        if of_corpus and level != "corpus":
            raise InputError(f"{PREFIX}{of_corpus[0]} is of the score of a corpus, not of a {level}")


_CHOICES: dict[Key, str] = {
    **{
        (KEY, name): f"{', '.join(map(str, choices[:-1]))}{' or ' if choices[1:] else ''}{choices[-1]}"
        for name, choices in (
            ("remove", ("punctuation", "subwords")),
            ("text", ("characters", "characters of references", "first hypothesis", "joined", "words as references")),
            ("shift", (-1, 1)),
            ("over_references", ("mean", "max", "best", "pooled")),
            ("over_units", ("median", "positive")),
            ("mean", ("arithmetic", "harmonic", "orders")),
            ("penalty", ("ratio",)),
        )
    },
    (KEY, "swap"): "true or false",
    (KEY, "reference"): "a whole number of at least 1",
    (KEY, "segments"): "a whole number of at least 1, or the first and the last number, as 11-20",
    (KEY, "units"): "a whole number of at least 1, or documents",
}


def procedure_keys(keys: Any) -> ProcedureKeys:
    """Return checked keys of a procedure. Raises VariantError that names the wrong one, as ``procedure.swap``."""
    if not isinstance(keys, Mapping):
        raise VariantError(f"expected keys such as `swap: true`, got {shown(keys)}", (KEY,))
    known = ProcedureKeys.__struct_fields__
    for key in keys:
        if key not in known:
            raise VariantError(f"unknown key; {near_misses(str(key), [*known])}", (KEY, str(key)))
    own = {key: plain(value) for key, value in keys.items()}
    found: ProcedureKeys = checked(own, ProcedureKeys, (KEY,), _CHOICES)
    if isinstance(found.segments, str):
        numbers = re.fullmatch(r"([1-9][0-9]{0,14})-([1-9][0-9]{0,14})", found.segments, re.ASCII)
        if not numbers or int(numbers[1]) > int(numbers[2]):
            problem = f"expected {_CHOICES[KEY, 'segments']}, got {shown(found.segments)}"
            raise VariantError(problem, (KEY, "segments"))
    if found.reference and found.over_references:
        raise VariantError(f"cannot be combined with {PREFIX}over_references", (KEY, "reference"))
    return found


def procedure_schema() -> dict[str, Any]:
    """Return the JSON Schema of the key ``procedure`` of variant files."""
    schema: dict[str, Any] = msgspec.json.schema(ProcedureKeys)["$defs"]["ProcedureKeys"]
    return {"type": "object", "properties": schema["properties"], "additionalProperties": False}


def split_document(document: YamlDocument) -> tuple[YamlDocument, Mapping[str, Any]]:
    """Return what a variant file says of the variant, and the keys of its procedure, which are checked.

    Raises VariantError, with file and line, for a wrong key of the procedure.
    """
    data = document.data
    if not isinstance(data, dict) or KEY not in data:
        return document, {}
    keys = data[KEY]
    try:
        procedure_keys(keys)
    except VariantError as error:
        raise document.located(error) from error
    of_variant = {key: value for key, value in data.items() if key != KEY} or {"variant": loader.DEFAULT}
    return replace(document, data=of_variant), keys


def load_procedure(
    variant: Any, keys: Mapping[str, Any], of_procedure: Mapping[str, Any]
) -> tuple[Bleu, ProcedureKeys]:
    """Return a variant and what is done to its texts.

    ``variant`` is what :func:`bleukit.load` takes; ``keys`` override those of the variant, ``of_procedure`` those of
    its procedure, if it is a file that has one. Raises VariantError for a wrong key.
    """
    if loader.is_path(variant):
        variant, in_file = split_document(yaml_document.read_yaml(variant))
        of_procedure = {**in_file, **of_procedure}
    found = procedure_keys(of_procedure)
    return Bleu(loader.load_variant(variant, found.of_variant | {**keys})), found
