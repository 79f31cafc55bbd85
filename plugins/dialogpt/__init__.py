"""BLEU as DialoGPT's evaluation computes it: https://github.com/microsoft/DialoGPT, dstc/metrics.py.

That is the script of the challenge DSTC7 (Galley et al. 2019). It writes texts into XML, in which ``&`` and ``<`` are
blanks, and runs mteval-v14c.pl without options. It reads BLEU-1 to BLEU-4 from what that prints with four decimals.
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
