"""BLEU as MultEval computes it: https://github.com/jhclark/multeval, src/jbleu/JBLEU.java (Clark et al. 2011)."""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"multeval": f"{__name__}.tokenizer:words_between_breaks"}


bleukit_variants = variants_beside(__file__)
