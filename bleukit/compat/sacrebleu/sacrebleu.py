"""``sacrebleu.sacrebleu``, the command of sacreBLEU: its own functions, with the metrics of bleukit."""

from __future__ import annotations

from sacrebleu import sacrebleu as original

from bleukit.compat.originals import names_of, reading_names
from bleukit.compat.sacrebleu.metrics import METRICS

_names = {**vars(original), "METRICS": METRICS}

parse_args = reading_names(original.parse_args, _names, __name__)
main = reading_names(original.main, _names, __name__)

__getattr__ = names_of(original)
