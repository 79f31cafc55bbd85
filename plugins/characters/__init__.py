"""BLEU in characters, as Denoual and Lepage 2005 describe it: https://aclanthology.org/I05-2014/."""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"char-with-blanks": f"{__name__}.tokenizer:AllCharacters"})

bleukit_variants = variants_beside(__file__)
