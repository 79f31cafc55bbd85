"""BLEU of commit messages, as Tao et al. (2021) compare it.

https://github.com/DeepSoftwareAnalytics/CommitMsgEmpirical, folder metrics. B-Norm is the BLEU of CodeXGLUE's
code-to-text, B-CC the mean of NLTK's sentence_bleu, and B-Moses.perl a copy of multi-bleu.perl.
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
