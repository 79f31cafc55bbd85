"""The interface of ``sacrebleu``, whose metrics bleukit counts.

Change the import, keep the code::

    import bleukit.compat.sacrebleu as sacrebleu
    from bleukit.compat.sacrebleu.metrics import BLEU

References are by set: one sequence per set, with a reference of each hypothesis, None if there is none; scores are 0
to 100. All but the counting is sacreBLEU's own. Importing this package raises bleukit.NotInstalledError if
sacreBLEU is missing or older than 2.5.
"""

from __future__ import annotations

import sys
from importlib import import_module

from bleukit.compat.originals import names_of, require

require("sacrebleu", "2.5", "bleukit[sacrebleu]")

import sacrebleu as original  # noqa: E402 - it has to be there

from bleukit.compat.sacrebleu.compat import (  # noqa: E402
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from bleukit.compat.sacrebleu.metrics import (  # noqa: E402
    BLEU,
    CHRF,
    TER,
    TextAsListWarning,
    TransposedReferencesWarning,
)

__version__ = original.__version__

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "TextAsListWarning",
    "TransposedReferencesWarning",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]

__getattr__ = names_of(original)

for _name in ("dataset", "tokenizers", "utils", "metrics.base", "metrics.helpers"):
    sys.modules[f"{__name__}.{_name}"] = import_module(f"sacrebleu.{_name}")  # which are sacreBLEU's own
