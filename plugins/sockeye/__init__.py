"""BLEU as Sockeye computes it: https://github.com/awslabs/sockeye, sockeye/evaluate.py, ``raw_corpus_bleu``."""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
