"""BLEU as MultEval computes it: https://github.com/jhclark/multeval, src/jbleu/JBLEU.java (Clark et al. 2011)."""

from typing import Any

from bleukit.plugin import ReadyComponent, hookimpl, variant_files


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"multeval": ReadyComponent(f"{__name__}.tokenizer:words_between_breaks")}


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
