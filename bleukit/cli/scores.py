"""The scores of systems as they are printed: a table for people, tab-separated values, JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.cli import options
from bleukit.cli.printing import (
    aligned,
    as_json_lines,
    broken_signature,
    escaped,
    json_members,
    printable,
    short_names,
    terminal_width,
)
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Self

    from bleukit.accumulator import Level
    from bleukit.comparing.results import Comparison, SystemResult
    from bleukit.metric import Bleu
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics

PIECE = 4096
"""How many scores of documents or sentences are computed and written at a time."""

PRECISIONS = "n-gram\nprecisions, %"


class System(NamedTuple):
    """The statistics of one system, and the score of their sum.

    ``resampled`` is the interval of the score, with the comparison that found it. If ``written`` holds the sentences as
    JSON, the statistics are those of the first alone.
    """

    name: str
    rows: Statistics
    corpus: Score
    resampled: tuple[SystemResult, Comparison] | None
    written: Written | None = None


class Scores(NamedTuple):
    """The scores of some systems. ``segments`` names the segments, and is empty if they are numbered.

    ``references`` is the number that each segment has, None if it varies. The methods yield the output, one or
    several lines at a time.
    """

    bleu: Bleu
    level: Level
    systems: Sequence[System]
    segments: Sequence[str]
    references: int | None

    @property
    def statistics(self) -> dict[str, Statistics]:
        """The statistics of each system. Raises InputError if two have one name."""
        named = {system.name: system.rows for system in self.systems}
        if len(named) < len(self.systems):
            names = [system.name for system in self.systems]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"two systems are called {twice!r}; their statistics need names")
        if self.level == "sentence" and self.segments:
            return {name: rows.with_keys(self.segments) for name, rows in named.items()}
        return named

    def as_text(self, width: int | None, *, score_only: bool) -> Iterator[str]:
        """Yield a table for people of the scores of the corpus, tab-separated values of others; and the signature.

        ``width`` is how many digits behind the point were asked for.
        """
        if self.level == "corpus":
            return self._table(options.decimals(self.bleu, width), score_only=score_only)
        return self._values(width, score_only=score_only)

    def _table(self, decimals: int, *, score_only: bool) -> Iterator[str]:
        from bleukit.scoring import percentages, rounded, segments_in_words

        corpora = [system.corpus for system in self.systems]
        values = [rounded(score.value, decimals) for score in corpora]
        if score_only:
            yield from values
            return
        columns = {
            "system": [escaped(name) for name in short_names([system.name for system in self.systems])],
            "BLEU": values,
            **self._intervals(decimals),
            PRECISIONS: [percentages(score.precisions) for score in corpora],
            "brevity\npenalty": [f"{score.brevity_penalty:.4f}" for score in corpora],
            "hypothesis\nlength": [str(score.hypothesis_length) for score in corpora],
            "reference\nlength": [f"{score.reference_length:.10g}" for score in corpora],
        }
        width = terminal_width()
        rows = list(zip(*columns.values(), strict=True))
        yield from aligned([*columns], rows, numbers=columns.keys() - {"system", PRECISIONS}, width=width)
        yield f"\n{corpora[0].variant}, {segments_in_words(corpora[0].segments)}"
        if self.systems[0].resampled:
            found, how = self.systems[0].resampled
            without = "" if found.interval else "; one segment cannot be resampled"
            yield f"95 % intervals: {how.test}, {how.samples:,} resamples, seed {how.seed}{without}"
        yield broken_signature(f"signature {corpora[0].signature}", width)

    def _values(self, decimals: int | None, *, score_only: bool) -> Iterator[str]:
        from bleukit.scoring import rounded

        if not score_only:
            names = [escaped(system.name) for system in self.systems]
            yield "\t".join([self.level, *(names if len(names) > 1 else ["BLEU"])])
        values = [self.bleu.score_columns(system.rows, level=self.level).value for system in self.systems]
        for units in self._units():
            cells = [array[units.start : units.stop].tolist() for array in values]
            columns = [[repr(v) if decimals is None else rounded(v, decimals) for v in column] for column in cells]
            if not score_only:
                columns.insert(0, list(map(escaped, self._names(units))))
            yield "\n".join(map("\t".join, zip(*columns, strict=True)))
        if not score_only:
            yield f"# signature {self._signature}"

    def as_json(self) -> Iterator[str]:
        """Yield one object."""
        from bleukit.loading.signature_formats import written

        yield '{\n  "systems": ['
        for place, system in enumerate(self.systems):
            yield "    {"
            fields = {"system": printable(system.name), "score": system.corpus.value, **_parts(system.corpus)}
            if system.resampled:
                interval = system.resampled[0].to_dict()
                fields |= {key: interval[key] for key in ("interval", "mean", "half_width")}
                fields["procedure"] = system.resampled[1].procedure
            fields |= {"variant": system.corpus.variant, "signature": system.corpus.signature}
            yield json_members(fields, 6) + ("," if self.level != "corpus" else "")
            if self.level != "corpus":
                yield f'      "{self.level}s": ['
                yield from self._units_as_json(system)
                yield "      ]"
            yield "    }," if place + 1 < len(self.systems) else "    }"
        yield "  ],"
        variant = self.bleu.variant
        of_all = {
            "level": self.level,
            "signature": self._signature,
            "signatures": written(
                variant.at_sentence_level() if self.level == "sentence" else variant, self.references
            ),
        }
        yield f"{json_members(of_all, 2)}\n}}"

    def _units_as_json(self, system: System) -> Iterator[str]:
        """Yield a line per document or sentence of a system."""
        if system.written:
            yield from system.written.blocks()
            return
        for units in self._units():
            lines = _json_of_units(self.bleu, self.level, system.rows[units.start : units.stop], self._names(units))
            yield lines + ("," if units.stop < len(system.rows) else "")

    def _units(self) -> Iterator[range]:
        """Yield the places of documents or sentences, some at a time."""
        number = len(self.systems[0].rows)
        return (range(start, min(start + PIECE, number)) for start in range(0, number, PIECE))

    def _names(self, units: range) -> Sequence[str]:
        """Return what documents or sentences are called: sentences are numbered from 1 if they have no names."""
        if self.level == "document":
            return list(map(str, self.systems[0].rows[units.start : units.stop].keys()))
        return self.segments[units.start : units.stop] or [str(place + 1) for place in units]

    @property
    def _signature(self) -> str:
        """The signature of the scores at their level, the same of all."""
        return self.bleu.scores(self.systems[0].rows[:1], level=self.level)[0].signature

    def _intervals(self, decimals: int) -> dict[str, list[str]]:
        """Return the columns of the intervals, if there are any."""
        from bleukit.scoring import rounded

        def shown(number: float | None) -> str:
            return "" if number is None else rounded(number, decimals)

        columns: dict[str, list[str]] = {}
        found = [system.resampled[0] for system in self.systems if system.resampled]
        if found:
            ends = [(each.interval.low, each.interval.high) if each.interval else (None, None) for each in found]
            columns["95 %\ninterval"] = ["–".join(map(shown, pair)) for pair in ends]
        if any(each.mean is not None for each in found):
            columns["mean of\nresamples"] = [f"{shown(each.mean)} ± {shown(each.half_width)}" for each in found]
        return columns


def references_of(statistics: Sequence[Statistics]) -> int | None:
    """Return how many references each segment has, None if the number varies."""
    fewest = min(min(rows.column("fewest_references")) for rows in statistics)
    most = max(max(rows.column("most_references")) for rows in statistics)
    return fewest if fewest == most else None


class Written:
    """The sentences of a system as JSON, written to a temporary file while they are read."""

    def __init__(self, bleu: Bleu) -> None:
        from tempfile import TemporaryFile

        self._bleu = bleu
        self._file = TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n")  # noqa: SIM115
        self._number = 0
        self._first: Statistics | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, rows: Statistics, names: Sequence[str] | None) -> None:
        """Write the next sentences, which are numbered if they have no names."""
        self._first = self._first or rows[:1]
        names = names or list(map(str, range(self._number + 1, self._number + 1 + len(rows))))
        for start in range(0, len(rows), PIECE):
            some = slice(start, start + PIECE)
            lines = _json_of_units(self._bleu, "sentence", rows[some], names[some])
            self._file.write((",\n" if self._number + start else "") + lines)
        self._number += len(rows)

    def instead_of_rows(self, system: System) -> System:
        """Return a system with these sentences, and the statistics of the first alone."""
        return system._replace(rows=self._first or system.rows, written=self)

    def blocks(self) -> Iterator[str]:
        """Yield what was written, some lines at a time."""
        self._file.seek(0)
        while block := self._file.read(1 << 20):
            yield (block + self._file.readline()).removesuffix("\n")


def unit_columns(bleu: Bleu, level: Level, rows: Statistics, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the scores of some units and what they consist of, by column; ``names`` are those of the units."""
    values, penalties, precisions = bleu.score_columns(rows, level=level)
    orders = precisions.shape[1]
    return {
        level: list(names),
        "score": values.tolist(),
        "precisions": precisions.tolist(),
        "matches": rows.matches[:, :orders].tolist(),
        "totals": rows.totals[:, :orders].tolist(),
        "brevity_penalty": penalties.tolist(),
        "hypothesis_length": rows.hypothesis_length.tolist(),
        "reference_length": rows.reference_length.tolist(),
        "segments": rows.segments.tolist(),
    }


def _json_of_units(bleu: Bleu, level: Level, rows: Statistics, names: Sequence[str]) -> str:
    """Return a line per document or sentence."""
    return as_json_lines(unit_columns(bleu, level, rows, names), 8)


def _parts(score: Score) -> dict[str, Any]:
    """Return what a score consists of."""
    return {
        "precisions": score.precisions,
        "matches": score.matches,
        "totals": score.totals,
        "brevity_penalty": score.brevity_penalty,
        "hypothesis_length": score.hypothesis_length,
        "reference_length": score.reference_length,
        "segments": score.segments,
    }
