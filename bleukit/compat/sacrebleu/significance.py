"""``sacrebleu.significance``, which is sacreBLEU's own."""

from sacrebleu import significance as original

from bleukit.compat.originals import names_of

__getattr__ = names_of(original)
