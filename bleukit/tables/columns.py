"""The columns of a table of scores: the variants that were chosen, and why some do not fit the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bleukit.bleu import loader
from bleukit.bleu.bleu import Bleu, bleu_of, load
from bleukit.framework import registry
from bleukit.framework.errors import BleukitError, InputError, InputTypeError, shown
from bleukit.reading.misfits import misfits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.framework.options import Component
    from bleukit.framework.protocols import Text
    from bleukit.reading.misfits import Misfit

ALL = "all"
"""Chooses all named variants."""

SAMPLE = 50
"""The segments that are looked at to find which variants do not fit."""


@dataclass
class Column:
    """A variant, or another metric, called ``name`` in the table.

    ``metric`` is None if it cannot be used, or gives no score. ``notes`` say why it does not fit the text, or why there
    is no score. If it is ``alone``, there is nothing to show without its score, and its misfits are not noted.
    ``splits`` says what splits the text, if its tokenizer does not.
    """

    name: str
    metric: AnyMetric | None
    notes: list[str] = field(default_factory=list)
    alone: bool = False
    splits: str = ""

    def give_up(self, error: InputError) -> None:
        """Note that there is no score, and why; if it is alone, raise the error."""
        if self.alone:
            raise error
        self.metric = None
        self.notes = [f"no score: {error}"]


def columns_of(variants: Any, loaded: Callable[[str], Bleu] = load) -> list[Column]:
    """Return the columns for variants as Python callers choose them, see :func:`bleukit.table`, or of their names.

    "all" stands for all named variants; one of these that cannot be used here gets a column that says why. Raises
    VariantError for any other one, and InputError if two variants have one name.
    """
    if isinstance(variants, Mapping):
        return [Column(str(name), bleu_of(variant)) for name, variant in variants.items()]
    if isinstance(variants, str):
        variants = [variants]
    if not isinstance(variants, Sequence):
        raise InputTypeError(
            f"variants: expected names, a mapping of names to variants, or 'all', got {shown(variants)}"
        )
    columns: dict[str, Column] = {}
    for variant in variants:
        is_name = isinstance(variant, str)
        chosen = _all_columns(loaded) if is_name and variant == ALL else [_column(variant, loaded)]
        for column in chosen:
            known = columns.setdefault(column.name, column)
            if known is not column and not is_name:
                raise InputError(f"two variants are called {column.name!r}: pass a mapping of names to variants")
            if known.metric and column.metric and known.metric.signature != column.metric.signature:
                raise InputError(f"two variants are called {column.name!r}: give one of them another name")
    if not columns:
        raise InputError("no variant to score with")
    return list(columns.values())


def _all_columns(loaded: Callable[[str], Bleu]) -> list[Column]:
    """Return all named variants, the default one first."""
    names = sorted(registry.installed().of_kind("variant"), key=lambda name: (name != loader.DEFAULT, name))
    columns = [_usable(name, loaded) for name in names]
    if not any(column.metric for column in columns):
        raise InputError(f"none of all variants can be used; {columns[0].name}: {columns[0].notes[0]}")
    return columns


def _usable(name: str, loaded: Callable[[str], Bleu]) -> Column:
    """Return the column of a variant; it says why if the variant cannot be used."""
    try:
        return _column(name, loaded)
    except BleukitError as error:
        return Column(name, None, [f"no score: {error}"])


def _column(variant: Any, loaded: Callable[[str], Bleu]) -> Column:
    """Return a variant by its label, or the name by which it was chosen if it has none of its own."""
    bleu = loaded(variant) if isinstance(variant, str) else bleu_of(variant)
    return Column(variant if isinstance(variant, str) and not bleu.variant.name else bleu.label, bleu)


def give_up_joining(columns: Iterable[Column], level: Level, *, has_documents: bool) -> None:
    """Give up the variants that join the segments of each document, where these are not known, or not scored."""
    for column in columns:
        if column.metric and column.metric.joins_documents:
            if not has_documents:
                column.give_up(InputError("it joins the segments of each document, and documents are not known"))
            elif level == "sentence":
                column.give_up(InputError("it scores documents, not single segments"))


def note_misfits(columns: Iterable[Column], texts: Sequence[Text]) -> None:
    """Note which variants do not fit some texts, the first of which are looked at; token lists fit all."""
    if not texts or not isinstance(texts[0], str):
        return
    sample: list[str] = list(map(str, texts[:SAMPLE]))
    known: dict[Component, list[Misfit]] = {}
    for column in columns:
        if not isinstance(column.metric, Bleu):
            continue
        tokenizer = column.metric.variant.tokenizer
        if tokenizer not in known:
            known[tokenizer] = list(misfits(tokenizer.name, column.metric.tokenize, sample))
        column.splits = next((misfit.splits for misfit in known[tokenizer] if misfit.splits), "")
        column.notes += [misfit.reason for misfit in known[tokenizer] if not column.alone]


def grouped_notes(notes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    """Return the names of the variants that each note is about, given the notes of each variant."""
    groups: dict[str, list[str]] = {}
    for name, of_one in notes:
        for note in of_one:
            groups.setdefault(note, []).append(name)
    return {note: tuple(names) for note, names in groups.items()}
