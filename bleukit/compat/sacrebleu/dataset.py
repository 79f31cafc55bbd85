"""``sacrebleu.dataset``, which is sacreBLEU's own."""

from sacrebleu import dataset as original

from bleukit.compat.originals import names_of

__getattr__ = names_of(original)
