"""``python -m bleukit`` is the command ``bleukit``, which imports nothing from the current folder either."""

import os
import sys

try:
    if sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib is not imported yet
        del sys.path[0]
except OSError:  # the folder is gone, and not on the path
    pass

from bleukit.cli import main

main()
