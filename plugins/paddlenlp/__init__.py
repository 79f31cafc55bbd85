"""BLEU as PaddleNLP computes it: https://github.com/PaddlePaddle/PaddleNLP, paddlenlp/metrics/bleu.py.

It is given tokens. Texts without any token are an error there, and score 0 here.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"paddlenlp": f"{__name__}.smoothing:SmallestFloat"}


bleukit_variants = variants_beside(__file__)
