"""BLEU as Marian computes it in validation: https://github.com/marian-nmt/marian-dev, SacreBleuValidator.

That is src/training/validator.h, with isContinuousScript of src/common/utils.cpp. Marian computes in single precision,
so that its scores differ from these by less than 0.0001 of 100. It scores what its vocabulary makes of a line:
SentencePiece normalizes it, and words that a vocabulary lacks become ``<unk>``, all of which match. bleukit is given
that form of the texts.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"marian": f"{__name__}.tokenizer:WORDS_AND_CHARACTERS"})

bleukit_variants = variants_beside(__file__)
