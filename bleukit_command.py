"""The entry point of the command ``bleukit``: outside of the package, whose import can be interrupted, too."""

import gc
import sys


def main() -> None:
    """Run the command line and exit, as :func:`bleukit.cli.main` does."""
    gc.set_threshold(100_000)  # not 700: a command makes many objects and few cycles, so that it searches these in vain
    try:
        from bleukit.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
