"""BLEU as Sockeye computes it: https://github.com/awslabs/sockeye, sockeye/evaluate.py, ``raw_corpus_bleu``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.plugin import hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
