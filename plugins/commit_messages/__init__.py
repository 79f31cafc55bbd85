"""BLEU of commit messages, as Tao et al. (2021) compare it.

https://github.com/DeepSoftwareAnalytics/CommitMsgEmpirical, folder metrics. B-Norm is the BLEU of CodeXGLUE's
code-to-text, B-CC the mean of NLTK's sentence_bleu, and B-Moses.perl a copy of multi-bleu.perl.
"""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
