"""BLEU as Wikipedia's article defines it, after Papineni et al. 2002: https://en.wikipedia.org/wiki/BLEU."""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
