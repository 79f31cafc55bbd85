"""BLEU as .NET's library Microsoft.Extensions.AI.Evaluation.NLP computes it: https://github.com/dotnet/extensions.

Its smoothing and counts are NLTK's (``SentenceBLEU`` with ``Method4``). It scores single texts; the score of a corpus
is here their mean. A text without tokens, of which the library gives no score, has the score 0.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"dotnet": f"{__name__}.tokenizer:SimpleWordTokenizer"}


bleukit_variants = variants_beside(__file__)
