"""BLEU as the COCO caption evaluation computes it: https://github.com/tylin/coco-caption, pycocoevalcap/bleu.

The captions are words already: that evaluation lowercases them, tokenizes them by the Stanford tokenizer and drops
punctuation before. Its brevity penalty adds 1e-9 to the reference length and 1e-15 to the hypothesis length.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"coco": f"{__name__}.smoothing:TinyMatches"}


bleukit_variants = variants_beside(__file__)
