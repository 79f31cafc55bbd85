"""``python -m bleukit.compat.sacrebleu`` is the command of sacreBLEU, whose metrics bleukit counts."""

import sys

from bleukit.compat.sacrebleu.sacrebleu import main

sys.argv[0] = "sacrebleu"
main()
