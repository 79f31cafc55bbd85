"""BLEU of names and comments of code as code2seq reports it: https://github.com/tech-srl/code2seq, common.py.

It writes the sub-tokens of each prediction and each reference as a line, and calls multi-bleu.perl.
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
