"""BLEU as AllenNLP computes it: https://github.com/allenai/allennlp, training/metrics/bleu.py.

It is given the numbers of tokens, and one reference; of several, the closest length is taken here. Unless
``exclude_indices`` names the numbers of padding, of the start and of the end of a sentence, these are words.
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
