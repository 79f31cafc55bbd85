"""BLEU as PyTorch Ignite computes it: https://github.com/pytorch/ignite, ignite/metrics/nlp/bleu.py.

It is NLTK's, but totals are those of the n-grams that there are: NLTK counts one for a segment without any. Its
``smooth2`` is sacreBLEU's ``add-k``. Without smoothing, macro is in single precision; these numbers agree to about
seven digits.
"""

from typing import Any

from bleukit.plugin import ReadyComponent, hookimpl, variant_files


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {
        "ignite-smooth1": ReadyComponent(f"{__name__}.smoothings:SMOOTH1"),
        "ignite-nltk_smooth2": ReadyComponent(f"{__name__}.smoothings:NLTK_SMOOTH2"),
    }


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
