"""The columns of a table of scores: the variants that were chosen, and why some do not fit the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from bleukit.errors import BleukitError, InputError, InputTypeError, shown
from bleukit.inspecting.misfits import misfits, punctuation_left
from bleukit.loading import loader, registry
from bleukit.metric import Bleu, bleu_of, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bleukit.inspecting.misfits import Misfit
    from bleukit.protocols import Text
    from bleukit.variant import Component

ALL = "all"
"""Chooses all named variants."""

SAMPLE = 50
"""The segments that are looked at to find which variants do not fit."""


@dataclass
class Column:
    """A variant, called ``name`` in the table; ``bleu`` is None if it cannot be used, or gives no score.

    ``notes`` say why it does not fit the text, or why there is no score.
    """

    name: str
    bleu: Bleu | None
    notes: list[str] = field(default_factory=list)

    def give_up(self, reason: str) -> None:
        """Note that there is no score, and why."""
        self.bleu = None
        self.notes = [f"no score: {reason}"]


def named_columns(names: Iterable[str], loaded: Callable[[str], Bleu] = load) -> list[Column]:
    """Return a column for each name of a variant, each path of its file; "all" stands for all named variants.

    Of "all", a variant that cannot be used here gets a column that says why. Raises VariantError for any other one, and
    InputError if two variants have one name.
    """
    columns: dict[str, Column] = {}
    for name in dict.fromkeys(names):
        chosen = _all_columns(loaded) if name == ALL else [Column(*_labelled(name, loaded(name)))]
        for column in chosen:
            if column.bleu and column.name in columns and (known := columns[column.name].bleu):
                if known.signature != column.bleu.signature:
                    raise InputError(f"two variants are called {column.name!r}: give one of them another name")
                continue
            columns[column.name] = column
    return list(columns.values())


def _all_columns(loaded: Callable[[str], Bleu]) -> list[Column]:
    """Return all named variants, the default one first."""
    names = sorted(registry.installed().variants, key=lambda name: (name != loader.DEFAULT, name))
    columns = [_usable(name, loaded) for name in names]
    if not any(column.bleu for column in columns):
        raise InputError(f"none of all variants can be used; {columns[0].name}: {columns[0].notes[0]}")
    return columns


def _usable(name: str, loaded: Callable[[str], Bleu]) -> Column:
    """Return the column of a variant; it says why if the variant cannot be used."""
    try:
        return Column(*_labelled(name, loaded(name)))
    except BleukitError as error:
        column = Column(name, None)
        column.give_up(str(error))
        return column


def _labelled(name: str, bleu: Bleu) -> tuple[str, Bleu]:
    """Return the label of a variant, or the name by which it was chosen if it has none of its own."""
    return bleu.label if bleu.variant.name else name, bleu


def columns_of(variants: Any) -> list[Column]:
    """Return the columns for variants as Python callers choose them: see :func:`bleukit.table`."""
    if isinstance(variants, str):
        return named_columns([variants])
    if isinstance(variants, Mapping):
        return [Column(str(name), bleu_of(variant)) for name, variant in variants.items()]
    if not isinstance(variants, Sequence):
        raise InputTypeError(
            f"variants: expected names, a mapping of names to variants, or 'all', got {shown(variants)}"
        )
    columns: dict[str, Column] = {}
    for variant in variants:
        chosen = named_columns([variant]) if isinstance(variant, str) else [_column(bleu_of(variant))]
        for column in chosen:
            if column.name in columns and not isinstance(variant, str):
                raise InputError(f"two variants are called {column.name!r}: pass a mapping of names to variants")
            columns.setdefault(column.name, column)
    if not columns:
        raise InputError("no variant to score with")
    return list(columns.values())


def _column(bleu: Bleu) -> Column:
    return Column(bleu.label, bleu)


def note_misfits(columns: Iterable[Column], texts: Sequence[Text]) -> None:
    """Note which variants do not fit some texts, the first of which are looked at; token lists fit all."""
    if not texts or not isinstance(texts[0], str):
        return
    sample: list[str] = list(map(str, texts[:SAMPLE]))
    known: dict[Component, list[Misfit]] = {}
    for column in columns:
        if column.bleu is None:
            continue
        tokenizer = column.bleu.variant.tokenizer
        if tokenizer not in known:
            known[tokenizer] = list(
                chain(misfits(column.bleu, sample, SAMPLE), punctuation_left(column.bleu, sample, SAMPLE))
            )
        column.notes += [misfit.reason for misfit in known[tokenizer]]
