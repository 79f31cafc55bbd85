"""Cases as data: one YAML file a source document, each case with what the document says and what follows from it.

A file is checked against the types below, whose JSON Schema is ``schema.json``; a mistake is told with file and line.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from bleukit.errors import VariantError, near_misses, told
from bleukit.recipes import yaml_document
from bleukit.recipes.variant import Component, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence

Number: TypeAlias = Annotated[
    str | int | float,
    Meta(description="an exact fraction (2/7) or whole number; a decimal holds to the digits written; nan"),
]
Segment: TypeAlias = Annotated[str | list[str], Meta(description="text, or a list of tokens")]
Recipe: TypeAlias = Annotated[dict[str, Any], Meta(description="keys of a recipe, laid over those of the variant")]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Data that knows its keys."""


class Pair(_Part, frozen=True):
    """A hypothesis and its references."""

    hypothesis: Segment
    references: Annotated[list[Segment], Meta(min_length=1)]


class CountsGiven(_Part, frozen=True):
    """Counts, where a document starts from them."""

    matches: list[int]
    totals: list[int]
    hypothesis_length: int
    reference_length: int


class Expected(_Part, frozen=True):
    """What must come out, at each stage that is named. Scores are in 0 to 1, whatever the variant's scale."""

    tokens: list[str] | None = None
    matches: list[int] | None = None
    totals: list[int] | None = None
    precisions: list[Number] | None = None
    hypothesis_length: int | None = None
    reference_length: Number | None = None
    brevity_penalty: Number | None = None
    score: Number | None = None
    error: Annotated[
        str | None,
        Meta(description="the key of the recipe that is refused; smoothing or weights, where they refuse the input"),
    ] = None

    def __post_init__(self) -> None:
        for number in (self.reference_length, self.brevity_penalty, self.score, *(self.precisions or ())):
            if number is not None and str(number) != "nan":
                try:
                    Fraction(str(number))
                except (ValueError, ZeroDivisionError) as error:
                    raise ValueError(f"expected a fraction, a number or nan, got {number!r}") from error


class Excluded(_Part, frozen=True):
    """All values but these."""

    excluded: Annotated[list[Any], Meta(min_length=1)]


Condition: TypeAlias = Annotated[
    dict[str, list[Any] | Excluded],
    Meta(description="keys of a recipe, each with the values (names, of components) for which the exception holds"),
]


class Otherwise(_Part, frozen=True):
    """What follows for some recipes instead, and why."""

    when: Condition
    because: str
    expect: Annotated[Expected, Meta(description="what is given replaces what all others must give, stage by stage")]

    def __post_init__(self) -> None:
        for key in self.when:
            if key not in Variant.__struct_fields__:
                raise ValueError(f"no recipe has the key {key!r}; {near_misses(key, list(Variant.__struct_fields__))}")

    def holds(self, variant: Variant) -> bool:
        """Tell whether a recipe has the values of all conditions."""
        return all(_is_one_of(getattr(variant, key), values) for key, values in self.when.items())


class Erratum(_Part, frozen=True):
    """What the document prints where that does not follow from its own definition."""

    printed: str
    because: str


class Case(_Part, frozen=True):
    """One example or rule: its input is a pair, several segments, or counts."""

    id: str
    says: Annotated[str, Meta(description="what the document says, as short as it can be said")]
    expect: Expected
    section: str = ""
    hypothesis: Segment | None = None
    references: list[Segment] | None = None
    segments: list[Pair] | None = None
    counts: CountsGiven | None = None
    recipe: Recipe = {}
    otherwise: list[Otherwise] = []
    erratum: Erratum | None = None
    derived: Annotated[bool, Meta(description="follows from the document's definition, is not printed in it")] = False

    def __post_init__(self) -> None:
        inputs = [self.hypothesis is not None, self.segments is not None, self.counts is not None]
        if sum(inputs) != 1 or (self.hypothesis is None) != (self.references is None):
            raise ValueError(f"case {self.id} needs one input: hypothesis and references, segments, or counts")

    @property
    def pairs(self) -> list[Pair]:
        """The segments of the input, none where it is counts."""
        if self.hypothesis is not None and self.references is not None:
            return [Pair(self.hypothesis, self.references)]
        return self.segments or []

    @property
    def concerns(self) -> set[str]:
        """The kinds of components that can matter: no tokenizer where tokens are given, only smoothing for counts."""
        segments = [segment for pair in self.pairs for segment in (pair.hypothesis, *pair.references)]
        kinds = {"smoothing"} if self.counts else {"counter", "reference_length", "smoothing"}
        if any(isinstance(segment, str) for segment in segments):
            kinds.add("tokenizer")
        return kinds.union(self.recipe, *(exception.when for exception in self.otherwise))

    def exceptions(self, variant: Variant) -> list[Otherwise]:
        """Return the exceptions that hold for a recipe."""
        return [exception for exception in self.otherwise if exception.holds(variant)]

    def expected(self, variant: Variant) -> Expected:
        """Return what a recipe must give."""
        given = _given(self.expect)
        for exception in self.exceptions(variant):
            given |= _given(exception.expect)
        return Expected(**given)


class Document(_Part, frozen=True):
    """The cases of one source document."""

    document: str
    source: str
    cases: Annotated[list[Case], Meta(min_length=1)]


FOLDER = Path(__file__).parent


def load(path: Path) -> Document:
    """Read a file of cases. Raises VariantError, with file and line, where it is broken."""
    document = yaml_document.read(path)
    try:
        cases = msgspec.convert(document.data, Document)
    except msgspec.ValidationError as error:
        problem, key = told(error)
        raise VariantError(problem, key, document.where(key)) from error
    seen: set[str] = set()
    for index, case in enumerate(cases.cases):
        if case.id in seen:
            key = ("cases", index, "id")
            raise VariantError(f"two cases have the id {case.id!r}", key, document.where(key))
        seen.add(case.id)
    return cases


def built_in() -> list[Document]:
    """Return the documents of the suite."""
    return in_folder(FOLDER)


def in_folder(folder: Path, besides: Sequence[Document] = ()) -> list[Document]:
    """Return the documents in a folder.

    Raises VariantError where there is none, one is broken, or a case has the id of another one, ``besides`` included.
    """
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise VariantError("holds no file of cases (*.yaml)", where=str(folder))
    seen = {case.id: "the suite" for document in besides for case in document.cases}
    documents = []
    for path in paths:
        documents.append(load(path))
        for case in documents[-1].cases:
            if case.id in seen:
                raise VariantError(f"the case {case.id!r} is in {seen[case.id]}, too", where=str(path))
            seen[case.id] = path.name
    return documents


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a file of cases."""
    schema = msgspec.json.schema(Document)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "BLEU conformance cases", **schema}


def _is_one_of(value: Any, values: list[Any] | Excluded) -> bool:
    plain = value.name if isinstance(value, Component) else list(value) if isinstance(value, tuple) else value
    return plain not in values.excluded if isinstance(values, Excluded) else plain in values


def _given(expect: Expected) -> dict[str, Any]:
    return {key: value for key in expect.__struct_fields__ if (value := getattr(expect, key)) is not None}


if __name__ == "__main__":
    import sys

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n")
