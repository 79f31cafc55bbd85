"""BLEU as MATLAB's Text Analytics Toolbox documents it: ``bleuEvaluationScore`` and ``tokenizedDocument``.

https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"matlab": f"{__name__}.components:TokenizedDocument"}


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"matlab": f"{__name__}.components:EnoughWords"}


bleukit_variants = variants_beside(__file__)
