"""BLEU as MATLAB's Text Analytics Toolbox documents it: ``bleuEvaluationScore`` and ``tokenizedDocument``.

https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"matlab": f"{__name__}.tokenizer:TokenizedDocument"}


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"matlab": f"{__name__}.smoothing:EnoughWords"}


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
