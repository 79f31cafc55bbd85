"""The interface of ``sacrebleu`` for BLEU, with the results and the signatures of sacreBLEU 2.6.

Change the import, keep the code::

    import bleukit.compat.sacrebleu as sacrebleu
    from bleukit.compat.sacrebleu.metrics import BLEU

References are by set: one sequence per set, with a reference of each hypothesis, None if there is none; scores are 0
to 100. All other names, such as those of chrF and TER, are sacreBLEU's own, if it is installed.
"""

from __future__ import annotations

from bleukit.compat.sacrebleu.compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
from bleukit.compat.sacrebleu.metrics import BLEU, TransposedReferencesWarning
from bleukit.compat.sacrebleu.metrics.base import __version__
from bleukit.compat.sacrebleu.original import names_of

__all__ = ["BLEU", "TransposedReferencesWarning", "__version__", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

__getattr__ = names_of(__name__)
