"""The settings of a comparison of systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf, nan
from numbers import Real
from typing import TYPE_CHECKING

from bleukit.comparing.ranking import CORRECTIONS
from bleukit.comparing.units import DOCUMENT, FEWEST_UNITS, SEGMENT
from bleukit.framework.arguments import check_whole_number
from bleukit.framework.errors import InputError, shown
from bleukit.writing.phrases import listed

if TYPE_CHECKING:
    from bleukit.comparing.labels import Labels

SEED = 12345


@dataclass(frozen=True)
class SignificanceTest:
    """What a significance test needs, and its default numbers of samples."""

    fewest: int = 1
    """The number of units that it needs."""
    samples: int | None = None
    interval_samples: int | None = None
    """The default number of resamples for the intervals; None if the test itself gives them."""
    runs: bool = False
    """Whether systems may have several runs."""


TESTS = {
    "permutation": SignificanceTest(samples=10_000, interval_samples=1_000),
    "hierarchical": SignificanceTest(FEWEST_UNITS, samples=10_000, interval_samples=1_000, runs=True),
    "multeval": SignificanceTest(samples=10_000, interval_samples=1_000, runs=True),
    "bootstrap": SignificanceTest(fewest=2, samples=1_000, runs=True),
    "delta": SignificanceTest(fewest=2, runs=True),
    "sacrebleu-bs": SignificanceTest(samples=1_000),
    "sacrebleu-ar": SignificanceTest(samples=10_000, interval_samples=0),
}
"""The tests by name; :mod:`bleukit.comparing.significance` describes and computes them."""


@dataclass(frozen=True)
class Settings:
    """The settings of a comparison, which :func:`compare` describes. Raises InputError for invalid ones."""

    baseline: str | None = None
    test: str | None = None
    samples: int | None = None
    interval_samples: int | None = None
    seed: int = SEED
    confidence_level: float = 0.95
    correction: str = "holm"
    resample_by: str | None = None
    detect: float | None = None
    power: float = 0.8

    def __post_init__(self) -> None:
        for key, known in (("test", TESTS), ("correction", CORRECTIONS), ("resample_by", (SEGMENT, DOCUMENT))):
            value = getattr(self, key)
            if value is not None and value not in known:
                raise InputError(f"{key}: expected {', '.join(known)}; got {shown(value)}")
        for key, least in (("samples", 1), ("interval_samples", 0), ("seed", 0)):
            value = getattr(self, key)
            if value is not None:
                object.__setattr__(self, key, check_whole_number(value, key, least))
            if value is not None and key != "seed" and getattr(self.significance_test, key) is None:
                raise InputError(f"{key}: not used by the test {self.test!r}")
        for key, most, expected in (
            ("confidence_level", 1, "a number between 0 and 1"),
            ("power", 1, "a number between 0 and 1"),
            ("detect", inf, "a difference above 0"),
        ):
            value = getattr(self, key)
            if value is None and key == "detect":
                continue
            number = float(value) if isinstance(value, Real) else nan
            if not 0 < number < most:
                raise InputError(f"{key}: expected {expected}, got {shown(value)}")
            object.__setattr__(self, key, number)
        if self.is_of_sacrebleu and self.confidence_level != 0.95:
            raise InputError(f"confidence_level: sacreBLEU supports only 0.95, got {self.confidence_level}")
        self._require_resamples()

    def _require_resamples(self) -> None:
        """Raise InputError for too few resamples for intervals; sacreBLEU's tests take any number, as it does.

        The ends are at (n + 1)p of n sorted values, which p = (1 - level) / 2 must not put before the first one.
        """
        gives_intervals = self.significance_test.interval_samples is None
        key = "samples" if gives_intervals else "interval_samples"
        number = getattr(self, key)
        least = ceil(round(2 / (1 - self.confidence_level) - 1, 6))
        if number and number < least and not self.is_of_sacrebleu:
            rule = f"at least {least} resamples, 2 / (1 - {self.confidence_level:g}) - 1"
            none = "" if gives_intervals else "; 0 gives none"
            raise InputError(f"{key}: intervals of level {self.confidence_level:g} need {rule}, got {number}{none}")

    @property
    def significance_test(self) -> SignificanceTest:
        """The test that is set, else that of single runs."""
        return TESTS[self.test or "permutation"]

    @property
    def is_of_sacrebleu(self) -> bool:
        """Whether the test is one of sacreBLEU's."""
        return self.test is not None and self.test.startswith("sacrebleu-")

    def for_runs(self, runs: int) -> Settings:
        """Return the settings with a test, as set, else that of systems with so many runs at most, and its samples.

        Raises InputError if the test is only for single runs.
        """
        test = self.test or ("hierarchical" if runs > 1 else "permutation")
        if runs > 1 and not TESTS[test].runs:
            others = listed([name for name, each in TESTS.items() if each.runs])
            raise InputError(f"test: {test!r} is for systems with one run each; for several runs there are {others}")
        defaults = {key: getattr(TESTS[test], key) for key in ("samples", "interval_samples")}
        return replace(self, test=test, **{key: value for key, value in defaults.items() if getattr(self, key) is None})

    def for_documents(self, documents: Labels | None) -> Settings:
        """Return the settings with what is resampled: as set, else documents if two or more are known, else segments.

        Raises InputError if documents are set, but not known.
        """
        if self.resample_by == DOCUMENT and documents is None:
            raise InputError("resample_by: the document of each segment is not known")
        by_segment = documents is None or len(documents.names) < 2 or self.is_of_sacrebleu
        return replace(self, resample_by=self.resample_by or (SEGMENT if by_segment else DOCUMENT))
