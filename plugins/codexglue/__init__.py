"""BLEU of CodeXGLUE: https://github.com/microsoft/CodeXGLUE (Lu et al. 2021), the files named in the variants.

Code refinement and text-to-text are given one reference, and print two decimals. They call ``compute_bleu`` of
TensorFlow NMT on the words of each line; text-to-text reads lines by ``codecs``, for which U+0085, U+2028 and the like
end one, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.plugin import hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
