"""``python -m bleukit`` is the command ``bleukit``."""

from bleukit.cli import main

main()
