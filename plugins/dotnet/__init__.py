"""BLEU as .NET's library Microsoft.Extensions.AI.Evaluation.NLP computes it: https://github.com/dotnet/extensions.

Its smoothing and counts are NLTK's (``SentenceBLEU`` with ``Method4``). It scores single texts; the score of a corpus
is here their mean. A text without tokens, of which the library gives no score, has the score 0.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"dotnet": f"{__name__}.tokenizer:SimpleWordTokenizer"})

bleukit_variants = variants_beside(__file__)
