"""``sacrebleu.compat``: its own functions, with the BLEU of bleukit."""

from __future__ import annotations

from sacrebleu import compat as original

from bleukit.compat.originals import names_of, reading_names
from bleukit.compat.sacrebleu.metrics import BLEU

_names = {**vars(original), "BLEU": BLEU}

corpus_bleu = reading_names(original.corpus_bleu, _names, __name__)
raw_corpus_bleu = reading_names(original.raw_corpus_bleu, _names, __name__)
sentence_bleu = reading_names(original.sentence_bleu, _names, __name__)

__getattr__ = names_of(original)
