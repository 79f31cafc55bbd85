"""The entry point of the command ``bleukit``: outside of the package, whose import can be interrupted, too."""

import sys


def main() -> None:
    """Run the command line and exit, as :func:`bleukit.cli.main` does."""
    try:
        from bleukit.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
