"""``sacrebleu.metrics.bleu``: BLEU as an object, and its scores.

bleukit tokenizes and counts; what is done with the counts follows sacreBLEU step by step, so that scores agree to the
last bit.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import bleukit
from bleukit.compat.sacrebleu.metrics.base import VARIANT, Score, Signature, signature_fields
from bleukit.counting.packed import are

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Mapping, MutableSequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit import Bleu, Prepared, Statistics

    References: TypeAlias = Sequence[Sequence[str | None]]

logger = logging.getLogger("sacrebleu")
"""Named as the peer's, so that what an application does with its warnings applies to these."""

MAX_NGRAM_ORDER = 4
TOKENIZED_LINES = 100
"""From this many hypotheses that end in " ." they are taken for tokenized, which is warned about."""

NO_LOGARITHM = -9999999999
"""What sacreBLEU takes for the logarithm of 0."""


class Tokenizer:
    """A tokenizer: called with a text, it returns the tokens joined by spaces."""

    def __init__(self, name: str) -> None:
        self.name = "flores101" if name == "spm" else name

    def __call__(self, line: str) -> str:
        """Return the tokens of a text."""
        return " ".join(_loaded(self.name, False, 1).tokenize(line))

    def signature(self) -> str:
        """Return what the signature of a score says of the tokenizer."""
        return signature_fields(self.name)["tok"]


@cache
def _loaded(tokenizer: Any, lowercase: bool, max_order: int) -> Bleu:
    return bleukit.load(VARIANT, tokenizer=tokenizer, lowercase=lowercase, weights=[1 / max_order] * max_order)


class BLEUSignature(Signature):
    """The signature of a BLEU score."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}
        smoothing, value = args["smooth_method"], args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[smoothing]
        if default is not None:
            smoothing += f"[{default if value is None else value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smoothing,
        }


class BLEUScore(Score):
    """A BLEU score, 0 to 100, and what it was computed from.

    ``counts`` and ``totals`` are matches and n-grams of each order, ``precisions`` are 0 to 100, ``bp`` is the brevity
    penalty, ``sys_len`` and ``ref_len`` are the lengths of hypotheses and effective references in tokens.
    """

    def __init__(  # noqa: PLR0913
        self,
        score: float,
        counts: MutableSequence[Any],
        totals: MutableSequence[Any],
        precisions: Sequence[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        lengths = f"hyp_len = {sys_len:d} ref_len = {ref_len:d}"
        self._verbose = f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} {lengths})"


class _References:
    """References by segment, None left out; tokenized once when a system is scored against all of them."""

    def __init__(self, references: Iterable[Iterable[str | None]], bleu: Bleu) -> None:
        self._bleu = bleu
        self._groups = [[text for text in group if text is not None] for group in zip(*references)]  # noqa: B905
        self._has_empty = not all(self._groups)
        _require_text(list(chain.from_iterable(self._groups)))

    def __len__(self) -> int:
        return len(self._groups)

    @property
    def number(self) -> int:
        """How many references each segment has, -1 if that varies."""
        numbers = set(map(len, self._groups))
        return numbers.pop() if len(numbers) == 1 else -1

    @cached_property
    def _prepared(self) -> Prepared:
        return self._bleu.prepare(self._filled(len(self)))

    def _filled(self, number: int) -> list[list[str]]:
        """Return the references of the first segments; an empty one for those that have none."""
        groups = self._groups[:number]
        return [group or [""] for group in groups] if self._has_empty else groups

    def lacking(self, number: int) -> list[int]:
        """Return which of the first segments have no reference."""
        return [i for i, group in enumerate(self._groups[:number]) if not group] if self._has_empty else []

    def statistics(self, hypotheses: Sequence[str], *, keep: bool) -> Statistics:
        """Return a row per segment; ``keep`` the tokens of the references for other systems."""
        if keep and len(hypotheses) == len(self):
            return self._prepared.statistics(hypotheses)
        return self._bleu.statistics(hypotheses, self._filled(len(hypotheses)), references_by="segment")

    def sums(self, hypotheses: Sequence[str], *, keep: bool) -> list[int]:
        """Return the sum of all rows, in the order of sacreBLEU's; faster than row by row."""
        if keep and len(hypotheses) == len(self):
            score = self._prepared.corpus(hypotheses)
        else:
            score = self._bleu.corpus(hypotheses, self._filled(len(hypotheses)), references_by="segment")
        return [score.hypothesis_length, int(score.reference_length), *score.matches, *score.totals]


class BLEU:
    """BLEU with its settings; scores corpora and sentences.

    ``tokenize`` is one of ``BLEU.TOKENIZERS``, by default that of ``trg_lang``, else "13a"; ``smooth_method`` one of
    ``BLEU.SMOOTH_DEFAULTS``, which holds the defaults of ``smooth_value``. ``effective_order`` leaves out the orders of
    which a text has no n-gram. ``force`` suppresses the warning about texts that look tokenized. ``references`` are
    tokenized once, for all systems that are scored with None as references.

    Raises AssertionError for another smoothing, KeyError for another tokenizer, and RuntimeError if what it needs is
    not installed.
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar[KeysView[str]] = dict.fromkeys(
        ("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")
    ).keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature

    num_refs: int

    def __init__(  # noqa: PLR0913
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: References | None = None,
    ) -> None:
        self._require_smoothing(smooth_method)
        self._ref_cache: _References | None = None
        self._force = force
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        of_language = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is not None and of_language not in {None, tokenize}:
            language = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}[trg_lang]
            logger.warning("Consider using the %r or 'spm' tokenizer for %s.", of_language, language)
        if tokenize == "spm":
            logger.warning("Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future.")
        name = tokenize if tokenize is not None else of_language or self.TOKENIZER_DEFAULT
        if name not in self.TOKENIZERS:
            raise KeyError(f"tokenize: {name!r:.60} is none of {', '.join(self.TOKENIZERS)}")
        self.tokenizer = Tokenizer(name)
        try:
            self.tokenizer_signature = self.tokenizer.signature()
        except bleukit.NotInstalledError as error:
            raise RuntimeError(str(error)) from error
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def corpus_score(self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1) -> BLEUScore:
        """Return the score of a corpus; None as references stands for those given to the constructor.

        ``n_bootstrap`` above 1 resamples as many times, for the mean and the 95 % interval; the seed is the environment
        variable SACREBLEU_SEED, by default 12345. As in sacreBLEU, hypotheses or references without counterpart are
        left out, with a warning. Raises TypeError unless all are sequences of str, IndexError if they are
        empty, and RuntimeError if there are no references.
        """
        self._check_corpus(hypotheses, references)
        known, paired = self._paired(hypotheses, references)
        if n_bootstrap <= 1 and paired and not known.lacking(len(paired)):
            return self._compute_score_from_stats(known.sums(paired, keep=not references))
        rows = self._rows(known, paired, keep=not references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            self.seed, resampled = bootstrap_resample(rows, self, n_bootstrap)
            score.estimate_ci(resampled)
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Return the score of one sentence. Raises TypeError for anything but a str, or a sequence of str."""
        if not self.effective_order:
            logger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        if not isinstance(hypothesis, str):
            raise TypeError(f"{type(self).__name__}: The argument `hyp` should be a string.")
        if isinstance(references, str) or not isinstance(references, Sequence):
            raise TypeError(f"{type(self).__name__}: The argument `refs` should be a sequence of strings.")
        if not isinstance(references[0], str) and references[0] is not None:
            raise TypeError(f"{type(self).__name__}: Each element of `refs` should be a string.")
        statistics = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
        return self._aggregate_and_compute(statistics)

    def get_signature(self) -> BLEUSignature:
        """Return the signature of the last score. Raises ValueError if there is none yet."""
        return self._SIGNATURE_TYPE(self.__dict__)

    @staticmethod
    def compute_bleu(  # noqa: PLR0913
        correct: MutableSequence[Any],
        total: MutableSequence[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Return the score of matches and n-grams of each order, and of the lengths of both sides.

        The score keeps ``correct`` and ``total``, to which "add-k" adds k.
        """
        BLEU._require_smoothing(smooth_method)
        value = BLEU.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        penalty = 1.0
        if sys_len < ref_len:
            penalty = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, penalty, sys_len, ref_len)
        orders, halved = max_ngram_order, 1.0
        for n in range(max_ngram_order):
            if smooth_method == "add-k" and n:
                correct[n] += value
                total[n] += value
            if total[n] == 0:
                break
            if effective_order:
                orders = n + 1
            if correct[n] != 0:
                precisions[n] = 100.0 * correct[n] / total[n]
            elif smooth_method == "exp":
                halved *= 2
                precisions[n] = 100.0 / (halved * total[n])
            elif smooth_method == "floor":
                precisions[n] = 100.0 * value / total[n]  # type: ignore[operator]
        logarithms = [math.log(p) if p != 0.0 else NO_LOGARITHM for p in precisions[:orders]]
        score = penalty * math.exp(sum(logarithms) / orders)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)

    @classmethod
    def _require_smoothing(cls, method: str) -> None:
        if method not in cls.SMOOTH_DEFAULTS:
            raise AssertionError(f"smooth_method: {method!r:.60} is none of {', '.join(cls.SMOOTH_DEFAULTS)}")

    def _bleu(self) -> Bleu:
        return _loaded(self.tokenizer.name, bool(self.lowercase), self.max_ngram_order)

    def _check_corpus(self, hypotheses: Any, references: Any) -> None:
        problem = ""
        if not isinstance(hypotheses, Sequence):
            problem = "`hyps` should be a sequence of strings."
        elif not isinstance(hypotheses[0], str):
            problem = "Each element of `hyps` should be a string."
        elif any(line is None for line in hypotheses):
            problem = "Undefined line in hypotheses stream!"
        if references is not None:
            if not isinstance(references, Sequence):
                problem = "`refs` should be a sequence of sequence of strings."
            elif not isinstance(references[0], Sequence):
                problem = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(references[0][0], str) and references[0][0] is not None:
                problem = "`refs` should be a sequence of sequence of strings."
        if problem:
            raise TypeError(f"{type(self).__name__}: {problem}")

    # What code beside sacreBLEU calls of its private methods, or its own significance tests do.

    def _preprocess_segment(self, sent: str) -> str:
        return " ".join(self._bleu().tokenize(sent))

    def _cache_references(self, references: Iterable[Iterable[str | None]]) -> _References:
        cached = _References(references, self._bleu())
        self.num_refs = cached.number
        return cached

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: References | None) -> list[list[int]]:
        """Return the lengths of hypothesis and reference, matches and totals of each segment."""
        return self._rows(*self._paired(hypotheses, references), keep=not references)

    def _paired(self, hypotheses: Sequence[str], references: References | None) -> tuple[_References, list[str]]:
        """Return the references, and as many hypotheses, checked."""
        if references:
            known = self._cache_references(references)
        elif self._ref_cache:
            known = self._ref_cache
        else:
            raise RuntimeError("no references were given, neither here nor to the constructor")
        number = min(len(hypotheses), len(known))
        if len(hypotheses) != len(known):
            logger.warning("%d hypotheses but references of %d: the rest is left out.", len(hypotheses), len(known))
        paired = list(hypotheses[:number])
        _require_text(paired)
        if not self._force and sum(text.endswith(" .") for text in paired) >= TOKENIZED_LINES:
            logger.warning("That's 100 lines that end in a tokenized period ('.')")
            logger.warning("It looks like you forgot to detokenize your test data, which may hurt your score.")
            logger.warning(
                "If you insist your data is detokenized, or don't care, you can suppress this message with the "
                "`force` parameter."
            )
        return known, paired

    def _rows(self, known: _References, hypotheses: list[str], *, keep: bool) -> list[list[int]]:
        rows = _as_lists(known.statistics(hypotheses, keep=keep), self.max_ngram_order)
        for segment in known.lacking(len(hypotheses)):
            if rows[segment][0]:
                raise TypeError(f"segment {segment + 1}, counted from 1, has no reference")
            rows[segment][1] = -1  # which is what sacreBLEU takes for the length of none
        return rows

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        return self.compute_bleu(
            correct=stats[2 : 2 + self.max_ngram_order],
            total=stats[2 + self.max_ngram_order :],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=self.max_ngram_order,
        )

    def _aggregate_and_compute(self, stats: Sequence[Any]) -> BLEUScore:
        summed = stats[0] if len(stats) == 1 else [sum(column) for column in zip(*stats, strict=True)]
        return self._compute_score_from_stats(summed)


def bootstrap_resample(stats: Sequence[Any], metric: BLEU, n_samples: int = 1000) -> tuple[str, list[BLEUScore]]:
    """Return the seed, and the scores of resamples of segments, drawn and rounded as sacreBLEU does it."""
    import numpy as np

    seed, number = seed_given()
    chosen = indices(np.random.default_rng(number), n_samples, len(stats))
    return seed, resampled(stats, metric, chosen)


def seed_given() -> tuple[str, int | None]:
    """Return the environment variable SACREBLEU_SEED as it is written, and as a number; None draws another one."""
    seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return seed, None if seed == "none" else int(seed)


def indices(generator: np.random.Generator, samples: int, segments: int) -> NDArray[np.int64]:
    """Return which segments each resample draws: shape (samples, segments)."""
    return generator.choice(segments, size=(samples, segments), replace=True)


def resampled(stats: Sequence[Any], metric: BLEU, chosen: NDArray[np.int64]) -> list[BLEUScore]:
    """Return the score of each resample, its sums rounded as sacreBLEU rounds them."""
    import numpy as np

    rows = np.array(stats, dtype=np.float32)
    return [metric._compute_score_from_stats(rows[each].sum(0)) for each in chosen]


def _require_text(texts: Sequence[Any]) -> None:
    """Raise what sacreBLEU raises for a value that is not a str."""
    for text in () if are(texts, str) else texts:
        if not isinstance(text, str):
            kind = TypeError if isinstance(text, bytes | bytearray) else AttributeError
            raise kind(f"expected a str, got {type(text).__name__} {text!r:.60}")


def _as_lists(statistics: Statistics, orders: int) -> list[list[int]]:
    lengths = statistics.column("hypothesis_length"), map(int, statistics.column("reference_length"))
    per_order = [list(statistics.column(name)) for name in ("matches", "totals")]
    rows = []
    for i, pair in enumerate(zip(*lengths, strict=True)):
        counted = (number for column in per_order for number in column[i * orders : (i + 1) * orders])
        rows.append([*pair, *counted])
    return rows
