"""``sacrebleu.metrics.chrf``, which is sacreBLEU's own."""

from sacrebleu.metrics import chrf as original

from bleukit.compat.originals import names_of

__getattr__ = names_of(original)
