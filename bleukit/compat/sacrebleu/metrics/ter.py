"""``sacrebleu.metrics.ter``, which is sacreBLEU's own."""

from sacrebleu.metrics import ter as original

from bleukit.compat.originals import names_of

__getattr__ = names_of(original)
