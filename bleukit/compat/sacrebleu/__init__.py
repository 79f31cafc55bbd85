"""The interface of ``sacrebleu`` for BLEU, with the results and the signatures of sacreBLEU 2.6.

Change the import, keep the code::

    import bleukit.compat.sacrebleu as sacrebleu
    from bleukit.compat.sacrebleu.metrics import BLEU

References are by set: one sequence per set, with a reference of each hypothesis, None if there is none; scores are 0
to 100. Of sacreBLEU's other metrics none is here.
"""

from __future__ import annotations

from typing import NoReturn

from bleukit.compat.sacrebleu.compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
from bleukit.compat.sacrebleu.metrics import BLEU
from bleukit.compat.sacrebleu.metrics.absent import refuse
from bleukit.compat.sacrebleu.metrics.base import __version__

__all__ = ["BLEU", "__version__", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]


def __getattr__(name: str) -> NoReturn:
    refuse(__name__, name)
