"""BLEU as TorchMetrics computes it: https://github.com/Lightning-AI/torchmetrics, functional/text/bleu.py.

TorchMetrics computes in single precision; these numbers agree with its own to about seven digits.
"""

from bleukit.plugin import offers, variants_beside

bleukit_reference_lengths = offers({"first-closest": f"{__name__}.components:FirstClosest"})

bleukit_smoothings = offers({"torchmetrics": f"{__name__}.components:EveryOrder"})

bleukit_variants = variants_beside(__file__)
