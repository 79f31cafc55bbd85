"""BLEU of ``torchmetrics.text`` and ``torchmetrics.functional.text``, counted in whole numbers; it needs torchmetrics.

TorchMetrics sums n-grams in single precision, which is inexact above 2**24 of them, and computes in it; what is here
agrees with it to about six digits below. ``variant`` makes a metric of any variant of bleukit::

    from bleukit.compat.torchmetrics import BLEUScore
    metric = BLEUScore(variant="mteval-v13a")
"""

# No "from __future__ import annotations": TorchScript reads the types of a class, and knows none that is text.
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import torch
from torchmetrics import Metric

import bleukit
from bleukit import Statistics
from bleukit.bleu.bleu import bleu_from

VARIANT = "torchmetrics"

TOKENIZERS = {
    "none": "whitespace",
    "13a": "evaluate",
    "zh": "zh",
    "intl": "intl",
    "char": "char",
    "ja-mecab": "ja-mecab",
    "ko-mecab": "ko-mecab",
    "flores101": "flores101",
    "flores200": "flores200",
}
"""The tokenizers of SacreBLEUScore, and those of bleukit; unlike sacreBLEU's, its 13a does not strip the text."""


class BLEUScore(Metric):  # type: ignore[misc,unused-ignore]
    """BLEU of a corpus, counted batch by batch, on one process or several.

    ``n_gram``, ``smooth`` and ``weights`` are TorchMetrics'; the score is 0 to 1. ``variant``, in their place, is what
    :func:`bleukit.load` takes: then the score is in the scale of the variant. All other parameters are those of Metric.
    The states are sums, of whole numbers but for ``target_len_rest``, so that neither the number of batches nor that of
    processes changes the score.

    Raises ValueError if there are not ``n_gram`` weights, for parameters beside ``variant``, and, as its base class
    bleukit.BleukitError does, for a variant that is wrong.
    """

    is_differentiable: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = True
    full_state_update: ClassVar[bool] = False
    plot_lower_bound: float = 0.0
    plot_upper_bound: float = 1.0

    preds_len: torch.Tensor
    target_len: torch.Tensor
    target_len_rest: torch.Tensor
    target_tokens: torch.Tensor
    numerator: torch.Tensor
    denominator: torch.Tensor

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        weights: Sequence[float] | None = None,
        *,
        variant: str | Path | bleukit.Variant | None = None,
        **kwargs: Any,
    ) -> None:
        if variant is not None and (n_gram, smooth, weights) != (4, False, None):
            raise ValueError("variant: it says n_gram, smooth and weights; change it by bleukit.load")
        super().__init__(**kwargs)
        self._load(
            variant if variant is not None else VARIANT, {} if variant is not None else _keys(n_gram, smooth, weights)
        )

    def _load(self, source: str | Path | bleukit.Variant, keys: Mapping[str, Any]) -> None:
        self._bleu = bleu_from(source, keys)
        variant = self._bleu.variant
        self.weights = list(variant.weights_used)
        self.n_gram = len(self.weights)
        self.__dict__["plot_upper_bound"] = float(variant.scale)  # which Metric takes for a constant
        self._result_type = torch.get_default_dtype()
        for name in ("preds_len", "target_len", "target_tokens"):
            self.add_state(name, torch.tensor(0), dist_reduce_fx="sum")
        self.add_state("target_len_rest", torch.tensor(0.0, dtype=torch.float64), dist_reduce_fx="sum")
        for name in ("numerator", "denominator"):
            self.add_state(name, torch.zeros(self._bleu.max_order, dtype=torch.int64), dist_reduce_fx="sum")

    def set_dtype(self, dst_type: str | torch.dtype) -> "BLEUScore":
        """Return scores of this type from now on; the states stay whole numbers."""
        self._result_type = torch.empty(0).type(dst_type).dtype
        return self

    def update(self, preds: Sequence[str], target: Sequence[Sequence[str]]) -> None:
        """Count hypotheses, each with its references.

        Raises bleukit.InputError, which is a ValueError, if there are not as many of both, or no reference for one.
        """
        if not len(preds) and not len(target):
            return
        (row,) = (self._bleu.statistics(preds, target, references_by="segment").sum(),)
        whole = round(row.reference_length[0])
        self.preds_len += int(row.hypothesis_length[0])
        self.target_len += whole
        self.target_len_rest += float(row.reference_length[0] - whole)
        self.target_tokens += int(row.reference_tokens[0])
        self.numerator += torch.tensor(row.matches[0].tolist(), device=self.numerator.device)
        self.denominator += torch.tensor(row.totals[0].tolist(), device=self.denominator.device)

    def compute(self) -> torch.Tensor:
        """Return the score. Raises bleukit.InputError if the smoothing looks at the last segment."""
        total = Statistics.of_segments(
            self._bleu.max_order,
            hypothesis_length=[self.preds_len.item()],
            reference_length=[self.target_len.item() + self.target_len_rest.item()],
            reference_tokens=[self.target_tokens.item()],
            references=[1],
            matches=self.numerator.tolist(),
            totals=self.denominator.tolist(),
        )
        self._bleu.require_no_last_segment("which states that are added up do not have")
        return torch.tensor(self._bleu.score(total).value, dtype=self._result_type, device=self.numerator.device)

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot values of the metric, or its present one, as TorchMetrics does."""
        return self._plot(val, ax)


class SacreBLEUScore(BLEUScore):
    """The same with the tokenizers of sacreBLEU: ``tokenize`` is one of TOKENIZERS, ``lowercase`` ignores case.

    Raises ValueError for another tokenizer.
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
        **kwargs: Any,
    ) -> None:
        if tokenize not in TOKENIZERS:
            raise ValueError(f"tokenize: expected one of {', '.join(TOKENIZERS)}; got {tokenize!r:.60}")
        Metric.__init__(self, **kwargs)
        keys = _keys(n_gram, smooth, weights)
        self._load(VARIANT, {**keys, "tokenizer": TOKENIZERS[tokenize], "lowercase": lowercase})


def bleu_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    weights: Sequence[float] | None = None,
) -> torch.Tensor:
    """Return the score of :class:`BLEUScore` for one text, or for several, each with its references.

    Raises ValueError as the class does.
    """
    metric = BLEUScore(n_gram, smooth, weights)
    metric.update([preds] if isinstance(preds, str) else preds, [[t] if isinstance(t, str) else t for t in target])
    return metric.compute()


def sacre_bleu_score(  # noqa: PLR0913
    preds: Sequence[str],
    target: Sequence[Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    tokenize: str = "13a",
    lowercase: bool = False,
    weights: Sequence[float] | None = None,
) -> torch.Tensor:
    """Return the score of :class:`SacreBLEUScore`. Raises ValueError as the class does."""
    metric = SacreBLEUScore(n_gram, smooth, tokenize, lowercase, weights)
    metric.update(preds, target)
    return metric.compute()


def _keys(n_gram: int, smooth: bool, weights: Sequence[float] | None) -> dict[str, Any]:
    if weights is not None and len(weights) != n_gram:
        raise ValueError(f"weights: expected {n_gram}, one for each order, got {len(weights)}")
    return {
        "weights": list(weights) if weights is not None else [1 / n_gram] * n_gram,
        "smoothing": {"name": VARIANT, "smooth": smooth},
    }
