"""BLEU as Wikipedia's article defines it, after Papineni et al. 2002: https://en.wikipedia.org/wiki/BLEU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.plugin import hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
