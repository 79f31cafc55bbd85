"""The interface of ``sacrebleu``, whose BLEU bleukit counts.

Change the import, keep the code::

    import bleukit.compat.sacrebleu as sacrebleu
    from bleukit.compat.sacrebleu.metrics import BLEU

References are by set: one sequence per set, with a reference of each hypothesis, None if there is none; scores are 0
to 100. All but the counting of BLEU is sacreBLEU's own. Importing this package raises bleukit.NotInstalledError if
sacreBLEU is missing or older than 2.5.
"""

from __future__ import annotations

import sys
from importlib import import_module

from bleukit.compat.originals import names_of, require

require("sacrebleu", "2.5", "bleukit[sacrebleu]")

import sacrebleu as original  # noqa: E402 - it has to be there

from bleukit.compat.sacrebleu.compat import corpus_bleu, raw_corpus_bleu, sentence_bleu  # noqa: E402
from bleukit.compat.sacrebleu.metrics import BLEU, TextAsListWarning, TransposedReferencesWarning  # noqa: E402

__version__ = original.__version__

__all__ = [
    "BLEU",
    "TextAsListWarning",
    "TransposedReferencesWarning",
    "__version__",
    "corpus_bleu",
    "raw_corpus_bleu",
    "sentence_bleu",
]

__getattr__ = names_of(original)

for _name in ("dataset", "tokenizers", "utils", "metrics.base", "metrics.chrf", "metrics.helpers", "metrics.ter"):
    sys.modules[f"{__name__}.{_name}"] = import_module(f"sacrebleu.{_name}")  # which are sacreBLEU's own
