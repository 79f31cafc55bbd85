"""``sacrebleu.metrics.bleu``: BLEU as an object, and its scores.

bleukit tokenizes and counts; what is done with the counts follows sacreBLEU step by step, so that scores agree to the
last bit.
"""

from __future__ import annotations

import logging
import math
import operator
import os
import warnings
from array import array
from collections.abc import Callable, Iterable, KeysView, Mapping, MutableSequence, Sequence
from functools import cache, cached_property, lru_cache, partial, reduce
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import bleukit
from bleukit.compat.sacrebleu.metrics.base import VARIANT, Score, Signature, signature_fields
from bleukit.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from bleukit.compat.sacrebleu.original import names_of
from bleukit.compat.summing import summed
from bleukit.counting.packed import Grouped, are

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit import Bleu, Prepared, Statistics

    References: TypeAlias = Sequence[Sequence[str | None]]

__getattr__ = names_of(__name__)

logger = logging.getLogger("sacrebleu")
"""Named as the peer's, so that what an application does with its warnings applies to these."""

MAX_NGRAM_ORDER = 4
TOKENIZED_LINES = 100
"""From this many hypotheses that end in " ." they are taken for tokenized, which is warned about."""

_OF_SEGMENTS = (
    "_preprocess_segment",
    "_extract_reference_info",
    "_get_closest_ref_len",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_aggregate_and_compute",
)
"""The methods that other code overrides; each has sacreBLEU's meaning."""

NO_LOGARITHM = -9999999999
"""What sacreBLEU takes for the logarithm of 0."""


class TransposedReferencesWarning(UserWarning):
    """References are probably by segment, not by set as sacreBLEU takes them: some segments are left out."""


class Tokenizer:
    """A tokenizer: called with a text, it returns what sacreBLEU's returns."""

    def __init__(self, name: str) -> None:
        self.name = "flores101" if name == "spm" else name

    @lru_cache(maxsize=2**16)  # noqa: B019 - as in sacreBLEU
    def __call__(self, line: str) -> str:
        """Return the tokens of a text, joined by spaces; ``none`` returns the text, ``char`` keeps its white space."""
        if self.name == "none":
            return line
        return " ".join(line) if self.name == "char" else _tokenized(self.name, line)

    def signature(self) -> str:
        """Return what the signature of a score says of the tokenizer."""
        return signature_fields(self.name)["tok"]


def _tokenized(tokenizer: str, line: str) -> str:
    if not isinstance(line, str):
        raise TypeError(f"expected a str, got {type(line).__name__} {line!r:.60}")
    bleu = _loaded({"13a": "evaluate"}.get(tokenizer, tokenizer), False, 1)  # evaluate's 13a does not strip the text
    to_text = getattr(bleu._tokenizer.call, "to_text", None)
    if to_text is not None:
        return str(to_text(line))
    if tokenizer == "intl" and line[-1:].isspace():
        return " ".join(bleu.tokenize(f"{line}x")[:-1])  # with another token at its end, the text is not stripped
    return _joined(bleu, line)


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


class _References(Sequence["dict[str, Any]"]):
    """References by segment, without those that are None; as a sequence, what sacreBLEU extracts from each segment.

    ``bleu`` counts all segments at once and tokenizes the references once for all systems. It is None if they can only
    be counted one by one, as sacreBLEU does it.
    """

    def __init__(self, references: Iterable[Iterable[str | None]], metric: BLEU) -> None:
        sets = list(references)
        self.sets = len(sets)
        self._groups = [[text for text in group if text is not None] for group in zip(*sets)]  # noqa: B905
        self.numbers = set(map(len, self._groups))
        self._metric = metric
        self.bleu = metric._bleu() if 0 not in self.numbers and _are_str(list(chain(*self._groups))) else None
        if self.bleu is None:
            self._extracted  # noqa: B018 - by the tokenizer of this moment

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, index: Any) -> Any:
        return self._extracted[index]

    @cached_property
    def _extracted(self) -> list[dict[str, Any]]:
        preprocess = self._metric._preprocess_segment if self.bleu is None else partial(_joined, self.bleu)
        return [self._metric._extract_reference_info(list(map(preprocess, group))) for group in self._groups]

    @cached_property
    def _prepared(self) -> Prepared:
        return self.bleu.prepare(self._groups)  # type: ignore[union-attr]

    def counted(self, hypotheses: list[str], bleu: Bleu, *, keep: bool, summed: bool) -> list[list[int]]:
        """Return lengths, matches and totals of each segment, or only their sum, which is faster.

        ``keep`` the tokens of the references for other systems.
        """
        keep = keep and len(hypotheses) == len(self)
        if keep:
            rows = self._prepared._statistics(hypotheses, None, summed=summed)
        else:
            rows = bleu._statistics(hypotheses, self._groups[: len(hypotheses)], "segment", None, summed=summed)
        return _as_lists(rows.sum() if summed else rows, bleu.max_order)


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
        self.tokenizer: Callable[[str], str] = Tokenizer(name)
        try:
            self.tokenizer_signature = Tokenizer(name).signature()
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
        if n_bootstrap <= 1 and self._bleu() is not None:
            return self._aggregate_and_compute(self._counted(hypotheses, references, summed=True))
        statistics = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(statistics)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            self.seed, resampled = bootstrap_resample(statistics, self, n_bootstrap)
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
        texts, bleu = [text for text in references if text is not None], self._bleu()
        if bleu is None or not texts or not _are_str(texts):
            statistics = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
            return self._aggregate_and_compute(statistics)
        self.num_refs = len(texts)
        return self._aggregate_and_compute([summed(bleu, [hypothesis], Grouped(texts, array("q", [len(texts)])))])

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

    def _bleu(self) -> Bleu | None:
        """Return what counts all segments at once, None if something that sacreBLEU calls for each one is replaced."""
        if type(self.tokenizer) is not Tokenizer or self.max_ngram_order < 1:
            return None
        if type(self) is not BLEU or not self.__dict__.keys().isdisjoint(_OF_SEGMENTS):
            methods = ((getattr(getattr(self, name), "__func__", None), getattr(BLEU, name)) for name in _OF_SEGMENTS)
            if not all(method is own for method, own in methods):
                return None
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
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _cache_references(self, references: Iterable[Iterable[str | None]]) -> _References:
        cached = _References(references, self)
        self.num_refs = next(iter(cached.numbers)) if len(cached.numbers) == 1 else -1
        return cached

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        extracted = [extract_all_word_ngrams(ref, 1, self.max_ngram_order) for ref in refs]
        ngrams = reduce(operator.or_, [ngrams for ngrams, _ in extracted]) if extracted else None
        return {"ref_ngrams": ngrams, "ref_lens": [length for _, length in extracted]}

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: list[int]) -> int:
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        ngrams, length = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        closest = self._get_closest_ref_len(length, ref_kwargs["ref_lens"])
        in_references = ref_kwargs["ref_ngrams"]
        if ngrams and in_references is None:
            raise TypeError(f"there is no reference of {hypothesis!r:.60}")
        matches, totals = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        for ngram, count in ngrams.items():
            totals[len(ngram) - 1] += count
            if ngram in in_references:
                matches[len(ngram) - 1] += min(count, in_references[ngram])
        return [length, closest, *matches, *totals]

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: References | None) -> list[list[int]]:
        """Return the lengths of hypothesis and reference, matches and totals of each segment."""
        return self._counted(hypotheses, references, summed=False)

    def _counted(self, hypotheses: Sequence[str], references: References | None, *, summed: bool) -> list[list[int]]:
        """Return the statistics of each segment; only their sum if ``summed`` and they can be counted at once."""
        if references:
            known = self._cache_references(references)
        elif self._ref_cache:
            known = self._ref_cache
        else:
            raise RuntimeError("no references were given, neither here nor to the constructor")
        if len(hypotheses) != len(known):
            _warn_of_lengths(len(hypotheses), known)
        paired = list(islice(hypotheses, len(known)))
        if not self._force and sum(text.endswith(" .") for text in paired) >= TOKENIZED_LINES:
            logger.warning("That's 100 lines that end in a tokenized period ('.')")
            logger.warning("It looks like you forgot to detokenize your test data, which may hurt your score.")
            logger.warning(
                "If you insist your data is detokenized, or don't care, you can suppress this message with the "
                "`force` parameter."
            )
        bleu = self._bleu()
        if paired and getattr(known, "bleu", None) is bleu and _are_str(paired) and bleu is not None:
            return known.counted(paired, bleu, keep=not references, summed=summed)
        pairs = zip(paired, known)  # noqa: B905 - there may be more references
        return [self._compute_segment_statistics(self._preprocess_segment(text), known) for text, known in pairs]

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
    return [metric._compute_score_from_stats(rows[resample].sum(0)) for resample in chosen]


def _joined(bleu: Bleu, text: str) -> str:
    return " ".join(bleu.tokenize(text))


def _are_str(texts: Sequence[object]) -> bool:
    return are(texts, str) or all(isinstance(text, str) for text in texts)


def _warn_of_lengths(hypotheses: int, known: Sequence[object]) -> None:
    if getattr(known, "sets", None) == hypotheses:
        warnings.warn(
            f"references: expected a list of sets, each with one reference of each hypothesis, but there are as many "
            f"items as hypotheses ({hypotheses}), and each has {len(known)}: pass [refs], not [[ref] for ref in refs]; "
            "what has no counterpart is left out",
            TransposedReferencesWarning,
            stacklevel=4,
        )
    else:
        logger.warning("%d hypotheses but references of %d: the rest is left out.", hypotheses, len(known))


def _as_lists(statistics: Statistics, orders: int) -> list[list[int]]:
    lengths = statistics.column("hypothesis_length"), map(int, statistics.column("reference_length"))
    per_order = [list(statistics.column(name)) for name in ("matches", "totals")]
    rows = []
    for i, pair in enumerate(zip(*lengths, strict=True)):
        counted = (number for column in per_order for number in column[i * orders : (i + 1) * orders])
        rows.append([*pair, *counted])
    return rows
