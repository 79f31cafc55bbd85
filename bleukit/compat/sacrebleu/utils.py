"""``sacrebleu.utils``, which is sacreBLEU's own."""

from bleukit.compat.sacrebleu.original import names_of

__getattr__ = names_of(__name__)
