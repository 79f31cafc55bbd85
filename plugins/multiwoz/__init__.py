"""BLEU as MultiWOZ's BLEUScorer computes it: https://github.com/budzianowski/multiwoz, utils/nlp.py.

The program gives GO_ and EOS_ to each hypothesis and to its first reference; the benchmark has one reference. Further
references get them here, too, but not there.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"multiwoz": f"{__name__}.components:between_go_and_eos"}


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"multiwoz": f"{__name__}.components:AddedTwice"}


bleukit_variants = variants_beside(__file__)
