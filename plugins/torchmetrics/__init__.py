"""BLEU as TorchMetrics computes it: https://github.com/Lightning-AI/torchmetrics, functional/text/bleu.py.

TorchMetrics computes in single precision; these numbers agree with its own to about seven digits.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_reference_lengths() -> dict[str, Any]:
    return {"first-closest": f"{__name__}.components:FirstClosest"}


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"torchmetrics": f"{__name__}.components:EveryOrder"}


bleukit_variants = variants_beside(__file__)
