"""BLEU as TorchMetrics computes it: https://github.com/Lightning-AI/torchmetrics, functional/text/bleu.py.

TorchMetrics computes in single precision; these numbers agree with its own to about seven digits.
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_reference_lengths() -> dict[str, Any]:
    return {"first-closest": f"{__name__}.reference_length:FirstClosest"}


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"torchmetrics": f"{__name__}.smoothing:EveryOrder"}


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
