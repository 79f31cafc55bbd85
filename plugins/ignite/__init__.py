"""BLEU as PyTorch Ignite computes it: https://github.com/pytorch/ignite, ignite/metrics/nlp/bleu.py.

It is NLTK's, but totals are those of the n-grams that there are: NLTK counts one for a segment without any. Its
``smooth2`` is sacreBLEU's ``add-k``. Without smoothing, macro is in single precision; these numbers agree to about
seven digits.
"""

from bleukit.plugin import offers, variants_beside

bleukit_smoothings = offers(
    {
        "ignite-smooth1": f"{__name__}.smoothings:SMOOTH1",
        "ignite-nltk_smooth2": f"{__name__}.smoothings:NLTK_SMOOTH2",
    }
)

bleukit_variants = variants_beside(__file__)
