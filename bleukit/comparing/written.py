"""A comparison that reads well: its numbers with the verdict, as text and in notebooks."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.comparing import tables, words
from bleukit.comparing.results import Results
from bleukit.writing.printers import as_html, printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bleukit.comparing.results import PairResult, SystemResult
    from bleukit.writing.printers import Part


class Comparison(Results):
    """What :func:`bleukit.compare` returns: all numbers, and what they say in words."""

    @property
    def verdict(self) -> str:
        """What the comparison shows, in words: who is better, who cannot be told apart, how sure, on what evidence."""
        return words.verdict(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict and the fields as plain data: dicts, lists, str, numbers, bool, None."""
        return {"verdict": self.verdict, **super().to_dict()}

    def renamed(self, names: Mapping[str, str]) -> Comparison:
        """Return the same comparison with the systems renamed."""

        def systems(results: Iterable[SystemResult]) -> tuple[SystemResult, ...]:
            return tuple(replace(result, system=names[result.system]) for result in results)

        def pairs(results: Iterable[PairResult]) -> tuple[PairResult, ...]:
            return tuple(replace(pair, first=names[pair.first], second=names[pair.second]) for pair in results)

        groups = tuple(
            replace(group, systems=systems(group.systems), pairs=pairs(group.pairs)) for group in self.groups
        )
        baseline = self.baseline and names[self.baseline]
        return replace(self, systems=systems(self.systems), pairs=pairs(self.pairs), groups=groups, baseline=baseline)

    def __str__(self) -> str:
        return printed("text", self._parts())

    def _repr_html_(self) -> str:
        """Return the verdict, the tables and the settings as HTML for notebooks."""
        verdict, *others = self._parts()
        return f"<p><strong>{escape(str(verdict))}</strong></p>{as_html(*others)}"

    def _parts(self) -> list[Part]:
        """Return the verdict, the tables, and the notes with the procedure and the signature, one a line."""
        notes = [f"note: {note}" for note in self.notes]
        ends = [f"procedure {self.procedure}", f"signature {self.signature}"]
        return [self.verdict, *tables.tables(self, self.digits), "\n".join([*notes, *ends])]

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(system.system for system in self.systems)}: {self.procedure}>"
