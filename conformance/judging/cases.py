"""Cases as data: one YAML file a source document, each case with what the document says and what follows from it.

A file is checked against the types below, whose JSON Schema ``bleukit conform schema`` prints; a mistake is reported
with file and line. ``README.md`` explains them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.framework import creating, registry, yaml_document
from bleukit.framework.errors import VariantError, in_words, near_misses

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from bleukit.bleu.variant import Variant
    from bleukit.framework.options import Component

Number: TypeAlias = Annotated[
    str | int | float,
    Meta(description="a fraction (2/7) or a number, exact; a decimal in quotes, good to the digits written; nan"),
]
Segment: TypeAlias = Annotated[str | list[str], Meta(description="text, or a list of tokens")]
Keys: TypeAlias = Annotated[dict[str, Any], Meta(description="keys of a variant file, laid over those of the variant")]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Data that knows its keys."""


class Pair(_Part, frozen=True):
    """A hypothesis and its references."""

    hypothesis: Segment
    references: Annotated[list[Segment], Meta(min_length=1)]


class CountsGiven(_Part, frozen=True):
    """Counts, for documents that start from them."""

    matches: list[int]
    totals: list[int]
    hypothesis_length: int
    reference_length: int


class SelfBleuGiven(_Part, frozen=True):
    """Texts whose self-BLEU a case states."""

    definition: Annotated[str, Meta(description="the name of the definition")]
    texts: Annotated[list[Segment], Meta(min_length=2)]


def _check_number(number: Number) -> None:
    """Raise ValueError for what is no fraction and no finite number."""
    try:
        Fraction(str(number))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"expected a fraction, a number or nan, got {number!r}") from error


class Expected(_Part, frozen=True):
    """What must come out, at each stage that is named.

    Scores are 0 to 1, whatever the scale; in a case for a variant they are what the variant returns.
    """

    tokens: Annotated[list[str] | None, Meta(description="those of the hypothesis, of the first segment")] = None
    other_tokens: Annotated[
        list[list[str]] | None,
        Meta(description="those of all other texts, in order: the references, the next hypothesis, its references"),
    ] = None
    edits: Annotated[int | None, Meta(description="of TER, the fewest of any reference")] = None
    hypothesis_ngrams: Annotated[list[int] | None, Meta(description="of chrF, by order: characters, then words")] = None
    reference_ngrams: list[int] | None = None
    matches: list[int] | None = None
    totals: list[int] | None = None
    precisions: list[Number] | None = None
    hypothesis_length: int | None = None
    reference_length: Number | None = None
    brevity_penalty: Number | None = None
    score: Number | None = None
    sentences: Annotated[list[Number] | None, Meta(description="the score of each segment alone, a sentence")] = None
    documents: Annotated[dict[str, Number] | None, Meta(description="the score of each of the documents")] = None
    signature: Annotated[dict[str, str] | None, Meta(description="fields of the score's signature")] = None
    error: Annotated[
        str | None,
        Meta(description="the key of the variant that is refused; smoothing or weights if they refuse the input"),
    ] = None

    def __post_init__(self) -> None:
        several = (*(self.precisions or ()), *(self.sentences or ()), *(self.documents or {}).values())
        for number in (self.reference_length, self.brevity_penalty, self.score, *several):
            if number is not None and str(number) != "nan":
                _check_number(number)

    @property
    def stated(self) -> list[str]:
        """The stages that are named."""
        return [stage for stage in self.__struct_fields__ if getattr(self, stage) is not None]


Condition: TypeAlias = Annotated[
    dict[str, Annotated[list[str], Meta(min_length=1)]],
    Meta(description="kinds of components, each with the names for which the exception holds, without other options"),
]


class _OfComponents(_Part, frozen=True):
    """What a case says of some components alone.

    A condition names components alone. What a variant's other keys change is a case of its own, which sets them: else
    any variant would be asked what to expect of it.
    """

    when: Condition

    def __post_init__(self) -> None:
        for key in self.when:
            if key not in COMPONENT_HOOKS:
                raise ValueError(
                    f"a condition is about components, not {key!r}; {near_misses(key, list(COMPONENT_HOOKS))}"
                )

    def holds(self, variant: Variant) -> bool:
        """Return whether a variant has components of all conditions."""
        return all(_is_one_of(names, kind, getattr(variant, kind)) for kind, names in self.when.items())


class Otherwise(_OfComponents, frozen=True):
    """What follows for some components instead, and why."""

    because: str
    expect: Annotated[Expected, Meta(description="what is given replaces what all others must give, stage by stage")]


def _is_one_of(names: list[str], kind: str, component: Component) -> bool:
    """Return whether a component has one of the names, and only options that are the default."""
    return component.name in names and not creating.without_defaults(registry.installed(), kind, component).options


class OfSome(_OfComponents, frozen=True, kw_only=True):
    """Some variants and metrics: those of these names, and variants that have the components of the condition."""

    variants: Annotated[list[str], Meta(description="names of variants, and of metrics beside BLEU")] = []
    when: Condition = {}

    def has(self, name: str, variant: Variant | None) -> bool:
        """Return whether a variant, or a metric, which has none, is among them."""
        return name in self.variants or bool(self.when and variant and self.holds(variant))


class Broken(OfSome, frozen=True, kw_only=True):
    """What breaks a law, why, and the smallest texts with which it does: after the change, and before it."""

    because: str
    after: Annotated[list[Pair], Meta(min_length=1)]
    before: Annotated[list[Pair], Meta(description="if the law compares with the texts before the change")] = []


Change: TypeAlias = Literal[
    "nothing",
    "identical texts",
    "nothing in common",
    "one more reference",
    "references in another order",
    "segments in another order",
    "the corpus twice",
    "a part of a reference",
    "longer than the references",
    "words in another order",
    "another case",
]


class Law(_Part, frozen=True, kw_only=True):
    """What a document says of all texts: how a figure of changed texts is related to numbers, or to what it was."""

    change: Annotated[Change, Meta(description="what is done to any texts")] = "nothing"
    of: Annotated[
        Literal["score", "precisions", "unigram precision", "brevity penalty"],
        Meta(description="the figure; scores are 0 to 1, and 1 minus the score of a rate of errors"),
    ] = "score"
    relation: Literal["equal", "at least", "at most", "between"]
    to: Annotated[
        Number | list[Number] | None,
        Meta(description="a number, or two for between; else the figure before the change"),
    ] = None
    within: Annotated[float, Meta(ge=0, description="the tolerance, in part of the number if that is above 1")] = 1e-9
    shortest: Annotated[int, Meta(ge=0, le=9, description="how many words all texts have at least")] = 1
    speaks_of: Annotated[OfSome | None, Meta(description="what it speaks of; without it, of all")] = None
    breaks: Annotated[list[Broken], Meta(description="what breaks it")] = []

    def __post_init__(self) -> None:
        numbers = self.to if isinstance(self.to, list) else [] if self.to is None else [self.to]
        if (len(numbers) == 2) != (self.relation == "between") or (self.change == "nothing" and not numbers):
            raise ValueError("a law needs two numbers for between, else one or none; without a change it needs them")
        list(map(_check_number, numbers))

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the most that is allowed; None if the figure before the change is the bound."""
        if self.to is None:
            return None
        low, high = (float(Fraction(str(end))) for end in (self.to if isinstance(self.to, list) else [self.to] * 2))
        return -math.inf if self.relation == "at most" else low, math.inf if self.relation == "at least" else high


class Erratum(_Part, frozen=True):
    """What the document prints, if that does not follow from its own definition."""

    printed: str
    because: str


class Produced(_Part, frozen=True):
    """The original program whose output a case states, and how to get that output again."""

    program: Annotated[str, Meta(description="the file of the program")]
    version: Annotated[str, Meta(description="the release or the commit that it is from")]
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="the checksum of that file")]
    command: Annotated[str, Meta(description="what was run")]
    date: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="when it was run")]


class Case(_Part, frozen=True, dict=True):
    """One example or rule: its input is a pair, several segments, counts, or the texts of a self-BLEU; or a law.

    A ``law`` is about all texts, and about all variants and metrics.
    A case for a ``variant`` holds that named variant, as it is, to its document or to the original program; the keys in
    ``set`` are then what a user sets. A case for a ``metric`` does the same for chrF or TER. Any other case holds
    components, and all variants, to what follows for them.
    """

    id: str
    says: Annotated[str, Meta(description="what the document says, as short as it can be said")]
    expect: Expected = Expected()
    law: Annotated[Law | None, Meta(description="instead of an input, and of what must come out")] = None
    section: str = ""
    headline: Annotated[
        str, Meta(description="the score as the document prints it, if that is what the document is known for")
    ] = ""
    variant: Annotated[str, Meta(description="the named variant that the case is about, and the only one")] = ""
    metric: Annotated[
        Literal["chrf", "chrf++", "ter", ""], Meta(description="the metric beside BLEU that the case is about")
    ] = ""
    produced_by: Produced | None = None
    hypothesis: Segment | None = None
    references: list[Segment] | None = None
    segments: list[Pair] | None = None
    documents: Annotated[list[str], Meta(description="the document of each segment")] = []
    times: Annotated[int, Meta(ge=1, description="how many times the segments are given, one after the other")] = 1
    counts: CountsGiven | None = None
    self_bleu: SelfBleuGiven | None = None
    level: Annotated[
        Literal["corpus", "sentence", ""],
        Meta(description="at which level the segments are scored: a single one at both, unless this says otherwise"),
    ] = ""
    set: Keys = {}
    otherwise: list[Otherwise] = []
    erratum: Erratum | None = None
    derived: Annotated[bool, Meta(description="follows from the document's definition, is not printed in it")] = False

    def __post_init__(self) -> None:
        alternatives = self.hypothesis, self.segments, self.counts, self.self_bleu, self.law
        inputs = [value is not None for value in alternatives]
        if sum(inputs) != 1 or (self.hypothesis is None) != (self.references is None):
            raise ValueError(
                f"case {self.id} needs one input: hypothesis and references, segments, counts, self_bleu, or a law"
            )
        if "plugins" in self.set or self.variant.endswith((".yaml", ".yml", ".py")) or set("/\\") & {*self.variant}:
            raise ValueError(f"case {self.id} names a file or a module: cases import nothing, --plugin does")
        if self.metric and (self.variant or not self.pairs or self.expect.error):
            raise ValueError(f"case {self.id} is about a metric: it needs texts, and neither a variant nor an error")
        if self.self_bleu and (not self.variant or self.expect.stated != ["score"]):
            raise ValueError(f"case {self.id} is about self-BLEU: it needs a variant, and states the score alone")
        if self.headline and (self.subject or self.headline != str(self.expect.score)):
            raise ValueError(f"case {self.id} has a headline: it needs `expect.score: {self.headline}`, and no variant")
        if not self.subject:
            self._check_case_of_components()
        elif self.otherwise:
            raise ValueError(f"case {self.id} is for one variant, of which nothing holds otherwise")
        elif self.law and (self.expect.stated or self.subject != "all texts"):
            raise ValueError(f"case {self.id} is a law: it says itself what must be, of what, and what breaks it")
        self._check_documents_and_level()

    def _check_documents_and_level(self) -> None:
        documents = len(self.documents) * self.times
        if bool(documents) != bool(self.expect.documents) or documents not in {0, len(self.pairs)}:
            raise ValueError(f"case {self.id} needs the document of each segment, and the score of each document")
        if self.level == "sentence" and not self.law and len(self.pairs) != 1:
            raise ValueError(f"case {self.id} is about a sentence: it needs one hypothesis and its references")

    def _check_case_of_components(self) -> None:
        named = [key for key in ("sentences", "documents", "signature") if getattr(self.expect, key) is not None]
        if self.produced_by or self.times > 1 or self.level or named:
            raise ValueError(f"case {self.id} states what one variant returns: it needs the key `variant`")
        chosen = "tokenizer" in self.set or self.expect.error
        if not chosen and self.expect.tokens is None and isinstance(next(iter(self.texts), None), str):
            raise ValueError(f"case {self.id} gives text: it needs `expect.tokens`, or a tokenizer in `set`")

    @property
    def subject(self) -> str:
        """The variant or the metric that the case is about, and the only one; empty for components; "all texts"."""
        return self.variant or self.metric or ("all texts" if self.law else "")

    @cached_property
    def pairs(self) -> list[Pair]:
        """The segments of the input, each as often as it is given; none if it is counts or self-BLEU."""
        if self.hypothesis is not None and self.references is not None:
            return [Pair(self.hypothesis, self.references)] * self.times
        return (self.segments or []) * self.times

    @property
    def levels(self) -> list[Literal["corpus", "sentence"]]:
        """The levels at which a case for a variant holds."""
        if self.level:
            return [self.level]
        return ["corpus", "sentence"] if len(self.pairs) == 1 else ["corpus"]

    @cached_property
    def texts(self) -> list[Segment]:
        """The hypotheses and references of the input."""
        return [segment for pair in self.pairs for segment in (pair.hypothesis, *pair.references)]

    @cached_property
    def concerns(self) -> AbstractSet[str]:
        """The kinds of components that can matter: no tokenizer if tokens are given, only smoothing for counts.

        A brevity penalty matters if the case states one below 1; else the standard one stands for all.
        """
        kinds = {"smoothing"} if self.counts else {"counter", "reference_length", "smoothing"}
        if self.expect.brevity_penalty not in {None, 1}:
            kinds.add("brevity_penalty")
        if any(isinstance(segment, str) for segment in self.texts):
            kinds.add("tokenizer")
        return kinds.union(self.set, *(exception.when for exception in self.otherwise))

    @cached_property
    def conditions(self) -> Mapping[str, AbstractSet[str]]:
        """The names of components for which something holds otherwise, by kind."""
        kinds = {kind for exception in self.otherwise for kind in exception.when}
        return {kind: {name for own in self.otherwise for name in own.when.get(kind, ())} for kind in kinds}

    def exceptions(self, variant: Variant) -> list[Otherwise]:
        """Return the exceptions that hold for a variant."""
        return [exception for exception in self.otherwise if exception.holds(variant)]

    def expected(self, exceptions: Sequence[Otherwise]) -> Expected:
        """Return what must come out if these exceptions hold."""
        expected = self.expect
        for exception in exceptions:
            expected = msgspec.structs.replace(expected, **_stated_values(exception.expect))
        return expected


class CaseDocument(_Part, frozen=True):
    """The cases of one source document."""

    document: str
    source: str
    cases: Annotated[list[Case], Meta(min_length=1)]


FOLDER = Path(__file__).parents[1] / "cases"


def load_document(path: Path) -> CaseDocument:
    """Read a file of cases. Raises VariantError, with file and line, if it is broken."""
    source = yaml_document.read_yaml(path)
    try:
        document = msgspec.convert(source.data, CaseDocument)
    except msgspec.ValidationError as error:
        problem, key = in_words(error)
        raise VariantError(problem, key, source.where(key)) from error
    seen: set[str] = set()
    for index, case in enumerate(document.cases):
        if case.id in seen:
            key = ("cases", index, "id")
            raise VariantError(f"two cases have the id {case.id!r}", key, source.where(key))
        seen.add(case.id)
    return document


def suite_documents() -> Sequence[CaseDocument]:
    """Return the documents of the suite."""
    return [*_read_once(FOLDER).values()]


def documents_by_name(own: Path | None = None) -> dict[str, CaseDocument]:
    """Return the documents of the suite, and those in a folder, by the names of their files, each without its suffix.

    A name that the suite has, too, is numbered. Raises VariantError if the folder holds no document, one is broken, or
    a case has the id of another one.
    """
    documents = dict(_read_once(FOLDER))
    for name, document in (_in_folder(own, documents) if own is not None else {}).items():
        documents[f"{name}-2" if name in documents else name] = document
    return documents


@cache
def _read_once(folder: Path) -> dict[str, CaseDocument]:
    return _in_folder(folder, {})


def _in_folder(folder: Path, others: Mapping[str, CaseDocument]) -> dict[str, CaseDocument]:
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise VariantError("holds no file of cases (*.yaml)", where=str(folder))
    seen = {case.id: "the suite" for document in others.values() for case in document.cases}
    documents = {}
    for path in paths:
        documents[path.stem] = load_document(path)
        for case in documents[path.stem].cases:
            if case.id in seen:
                raise VariantError(f"the case {case.id!r} is in {seen[case.id]}, too", where=str(path))
            seen[case.id] = path.name
    return documents


def cases_schema() -> dict[str, Any]:
    """Return the JSON Schema of a file of cases."""
    schema = msgspec.json.schema(CaseDocument)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "BLEU conformance cases", **schema}


def _stated_values(expect: Expected) -> dict[str, Any]:
    return {stage: getattr(expect, stage) for stage in expect.stated}
