"""BLEU as MATLAB's Text Analytics Toolbox documents it: ``bleuEvaluationScore`` and ``tokenizedDocument``.

https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"matlab": f"{__name__}.components:TokenizedDocument"})

bleukit_smoothings = offers({"matlab": f"{__name__}.components:EnoughWords"})

bleukit_variants = variants_beside(__file__)
