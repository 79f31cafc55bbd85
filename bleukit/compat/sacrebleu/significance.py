"""``sacrebleu.significance``: paired tests whose figures are those of sacreBLEU, to the last bit, for the same seed.

They reject identical systems, and too many others; ``bleukit compare --help`` says how often, and has better tests.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bleukit.comparing.significance import BitsOfSacrebleu
from bleukit.comparing.unit_statistics import exact_product_of_bits
from bleukit.compat.sacrebleu.metrics import BLEU, BLEUScore
from bleukit.compat.sacrebleu.metrics.bleu import bootstrap_resample as _bootstrap_resample
from bleukit.compat.sacrebleu.metrics.bleu import indices, resampled, seed_given
from bleukit.compat.sacrebleu.original import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.compat.sacrebleu.metrics.base import Signature

    References: TypeAlias = Sequence[Sequence[str | None]]

logger = logging.getLogger("sacrebleu")

__getattr__ = names_of(__name__)


class Result:
    """What was found about one system: its score, the p-value of its difference from the baseline, None for that.

    ``mean`` and ``ci`` are the mean of the scores of its resamples, and the half width of their 95 % interval.
    """

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


class PairedTest:
    """A paired test of several systems, of which the first is the baseline.

    ``named_systems`` holds pairs of a name and its hypotheses, ``metrics`` maps names to metrics; ``references`` are by
    set, None for those that the metrics were given. ``test_type`` is "ar" for approximate randomization, or "bs" for
    the bootstrap; ``n_samples`` says how many trials or resamples it takes, 0 for 10,000 or 1,000. ``n_ar_confidence``
    is the number of resamples of the intervals that go with "ar": -1 for none, 0 for 1,000. ``n_jobs`` is accepted, and
    has no effect: all is computed in this process. The seed is that of the environment variable SACREBLEU_SEED, or
    12345; "none" draws other numbers each time.

    Raises AssertionError for another type of test.
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}  # noqa: RUF012 - as the peer has it

    def __new__(cls, named_systems: Any = None, metrics: Any = None, *arguments: Any, **options: Any) -> Any:
        """Return sacreBLEU's own test if a metric is not bleukit's."""
        if all(isinstance(metric, BLEU) for metric in (metrics or {}).values()):
            return super().__new__(cls)
        return __getattr__("PairedTest")(named_systems, metrics, *arguments, **options)

    def __init__(  # noqa: PLR0913
        self,
        named_systems: list[tuple[str, Sequence[str]]],
        metrics: Mapping[str, BLEU],
        references: References | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise AssertionError(f"test_type: {test_type!r:.60} is none of ar, bs")
        self.test_type = test_type
        self.named_systems = named_systems
        self.references = references
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self.n_jobs = n_jobs
        self.n_systems = len(named_systems) - 1
        _, self._seed = seed_given()
        self.metrics: dict[str, BLEU] = {}
        self._baseline_info: dict[str, tuple[list[list[int]], Result]] = {}
        self._signatures: dict[str, Signature] = {}
        name, hypotheses = named_systems[0]
        resamples = self.n_samples if test_type == "bs" else self.n_ar_confidence
        for metric_name, metric in metrics.items():
            logger.info("Pre-computing %s statistics for %r", metric_name, name)
            rows = metric._extract_corpus_statistics(hypotheses, references)
            score = metric._aggregate_and_compute(rows)
            result = Result(score.score)
            if resamples > 0:
                _, scores = _bootstrap_resample(rows, metric, resamples)
                result.mean, result.ci = estimate_ci(np.array([score.score for score in scores]))
            self._baseline_info[score.name] = rows, result
            self.metrics[score.name] = metric
            self._signatures[score.name] = self._signed(metric)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Return the signature of each metric; then the names of the systems and, by metric, their results."""
        columns: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric, (_, result) in self._baseline_info.items():
            columns[metric] = [result]
        for name, hypotheses in self.named_systems[1:]:
            generator = np.random.default_rng(self._seed or None)  # sacreBLEU takes the seed 0 for none, too
            compare = self._by_bootstrap if self.test_type == "bs" else self._by_randomization
            for metric, result in compare(name, hypotheses, generator).items():
                columns[metric].append(result)
        return self._signatures, columns

    def _signed(self, metric: BLEU) -> Signature:
        signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature

    def _scored(self, metric: str, name: str, hypotheses: Sequence[str]) -> tuple[list[list[int]], Result, float]:
        """Return the rows of a system, what is known of it, and by how much its score differs from the baseline's."""
        logger.info("Computing %s for %r and extracting sufficient statistics", metric, name)
        rows = self.metrics[metric]._extract_corpus_statistics(hypotheses, self.references)
        score = self.metrics[metric]._aggregate_and_compute(rows).score
        return rows, Result(score), abs(self._baseline_info[metric][1].score - score)

    def _by_bootstrap(self, name: str, hypotheses: Sequence[str], generator: np.random.Generator) -> dict[str, Result]:
        chosen = indices(generator, self.n_samples, len(hypotheses))
        results = {}
        for score_name, metric in self.metrics.items():
            rows, result, difference = self._scored(score_name, name, hypotheses)
            logger.info(" > Performing paired bootstrap resampling test (# resamples: %d)", self.n_samples)
            of_baseline = _values(resampled(self._baseline_info[score_name][0], metric, chosen))
            scores = _values(resampled(rows, metric, chosen))
            distances = np.abs(scores - of_baseline)
            result.mean, result.ci = estimate_ci(scores)
            result.p_value = _compute_p_value(distances - distances.mean(), difference)
            results[score_name] = result
        return results

    def _by_randomization(
        self, name: str, hypotheses: Sequence[str], generator: np.random.Generator
    ) -> dict[str, Result]:
        swaps = BitsOfSacrebleu(generator, self.n_samples, len(hypotheses))(self.n_samples)
        resamples = self.n_ar_confidence
        chosen = indices(generator, resamples, len(hypotheses)) if resamples > 0 else None
        results = {}
        for score_name, metric in self.metrics.items():
            rows, result, difference = self._scored(score_name, name, hypotheses)
            logger.info(" > Performing approximate randomization test (# trials: %d)", self.n_samples)
            baseline, system = np.array(self._baseline_info[score_name][0]), np.array(rows)
            moved = exact_product_of_bits(swaps, (baseline - system).astype(np.float64)).astype(system.dtype)
            shuffled = system.sum(axis=0) + moved, baseline.sum(axis=0) - moved
            first, second = (_values(map(metric._compute_score_from_stats, sums)) for sums in shuffled)
            result.p_value = _compute_p_value(np.abs(first - second), difference)
            if chosen is not None:
                logger.info(" > Performing bootstrap resampling for confidence interval (# resamples: %d)", resamples)
                result.mean, result.ci = estimate_ci(_values(resampled(rows, metric, chosen)))
            results[score_name] = result
        return results


def estimate_ci(scores: NDArray[np.float64]) -> tuple[float, float]:
    """Return mean and half width of the 95 % interval of the scores of resamples, at least one."""
    ordered = np.sort(scores)
    left_out = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - left_out - 1] - ordered[left_out])


def _compute_p_value(stats: NDArray[np.float64], real_difference: float) -> float:
    return (int(np.count_nonzero(stats > real_difference)) + 1) / (len(stats) + 1)


def _values(scores: Iterable[BLEUScore]) -> NDArray[np.float64]:
    return np.array([score.score for score in scores])
