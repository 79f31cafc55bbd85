"""Scores and signatures as sacreBLEU has them: ``sacrebleu.metrics.base``."""

from __future__ import annotations

import json
from functools import cache
from statistics import mean
from typing import TYPE_CHECKING, Any

import bleukit
from bleukit.compat.sacrebleu.original import names_of
from bleukit.loading.signature import written_signatures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__getattr__ = names_of(__name__)

VARIANT = "sacrebleu"


@cache
def signature_fields(tokenizer: str | None = None) -> dict[str, str]:
    """Return the fields of the signature that sacreBLEU would write for its variant with a tokenizer of bleukit's."""
    overrides: Any = {"tokenizer": tokenizer} if tokenizer else {}
    signature = written_signatures(bleukit.load(VARIANT, **overrides).variant, None)[VARIANT]
    return dict(field.split(":", 1) for field in signature.split("|"))


__version__ = signature_fields()["version"]
"""The version of sacreBLEU whose results these are."""


class Score:
    """A score with a name; ``format`` writes it."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score with ``width`` decimals, and what it was computed from unless ``score_only``.

        ``is_json`` makes a JSON object of it, which holds the fields of the signature, too. Raises ValueError if that
        has none.
        """
        written = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(written), "signature": signature}
        if self._mean > 0:
            middle, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {middle} ± {half}"
            written += f" ({confidence})"
            fields |= {"confidence_mean": float(middle), "confidence_var": float(half), "confidence": confidence}
        if score_only:
            return written
        if is_json:
            if self._verbose:
                fields["verbose_score"] = self._verbose
            for field in signature.split("|"):
                key, value = field.split(":")
                fields[key] = value
            return json.dumps(fields, indent=1, ensure_ascii=False)
        label = f"{self.name}|{signature}" if signature else self.name
        return f"{label} = {written} {self._verbose}" if self._verbose else f"{label} = {written}"

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Keep mean and half width of the 95 % interval of scores of resamples, at least one."""
        values = sorted(score.score for score in scores)
        left_out = len(values) // 40
        self._ci = 0.5 * (values[len(values) - left_out - 1] - values[left_out])
        self._mean = mean(values)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """What a score can be reproduced from; ``info`` holds the fields, None for those that are not written.

    ``args`` are the attributes of a metric. Raises ValueError if it has not scored yet.
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("the number of references is not known before the metric has scored something")
        references = "var" if args["num_refs"] == -1 else args["num_refs"]
        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "bs": "bs",
            "ar": "ar",
            "seed": "rs",
        }
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Return the fields in one line, their names abbreviated if ``short``; the version comes last."""
        written = []
        for name in [*(name for name in self.info if name != "version"), "version"]:
            value = self.info[name]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                written.append(f"{self._abbr[name] if short else name}:{value}")
        return "|".join(written)

    def update(self, key: str, value: Any) -> None:
        """Set a field."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()
