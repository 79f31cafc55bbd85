"""BLEU as Hugging Face's ``evaluate.load("bleu")`` computes it.

That is ``compute_bleu`` of TensorFlow NMT: https://github.com/huggingface/evaluate, metrics/bleu;
https://github.com/tensorflow/nmt, nmt/scripts/bleu.py.

The original raises ZeroDivisionError if no hypothesis has a token, or if the shortest references have none. Here the
definition of the brevity penalty holds: it is 0 for the first, and 1 for the second. So ``["", "a b c d"]`` gives the
hypothesis ``a b c d`` the score 1, and an empty reference gives it 0, or 0.302 with ``smooth=True``.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"evaluate": f"{__name__}.components:TOKENIZER_13A"})

bleukit_smoothings = offers({"add-one": f"{__name__}.components:AddOne"})

bleukit_variants = variants_beside(__file__)
