"""BLEU of CodeXGLUE: https://github.com/microsoft/CodeXGLUE (Lu et al. 2021), the files named in the variants.

Code refinement and text-to-text are given one reference, and print two decimals. They call ``compute_bleu`` of
TensorFlow NMT on the words of each line; text-to-text reads lines by ``codecs``, for which U+0085, U+2028 and the like
end one, too.

Code-to-text reads lines of a number, a tab and a text: a tab in an output ends it there, and one in a reference is an
error. Lines of which the other file has no number are left out.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"codexglue": f"{__name__}.tokenizer:WORDS_AND_MARKS"})

bleukit_variants = variants_beside(__file__)
