"""``sacrebleu.compat``: its own functions, with the metrics that bleukit counts."""

from __future__ import annotations

from sacrebleu import compat as original

from bleukit.compat.originals import names_of, reading_names
from bleukit.compat.sacrebleu.metrics import METRICS

_names = {**vars(original), **METRICS}

corpus_bleu = reading_names(original.corpus_bleu, _names, __name__)
raw_corpus_bleu = reading_names(original.raw_corpus_bleu, _names, __name__)
sentence_bleu = reading_names(original.sentence_bleu, _names, __name__)
corpus_chrf = reading_names(original.corpus_chrf, _names, __name__)
sentence_chrf = reading_names(original.sentence_chrf, _names, __name__)
corpus_ter = reading_names(original.corpus_ter, _names, __name__)
sentence_ter = reading_names(original.sentence_ter, _names, __name__)

__getattr__ = names_of(original)
