"""``bleukit docs``: the documentation, if it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bleukit.errors import InputError

FOLDER = Path(sys.prefix, "share", "doc", "bleukit")
"""Where the site is, if it is installed."""


@click.command("docs")
@click.argument("page", metavar="[PAGE]", default="index")
@click.option("--path", "only_path", is_flag=True, help="Print where the page is, and open nothing.")
def command(page: str, *, only_path: bool) -> None:
    """Open the documentation in a browser.

    PAGE is a page of it, such as 'scoring', 'which-number' or 'variants/nltk'; default: the first. The pages are read
    from the folder share/doc/bleukit of the Python environment.

    bleukit docs variants/multi-bleu
    """
    path = FOLDER / f"{page}.html"
    if not (FOLDER / "index.html").exists():
        raise InputError(
            f"{FOLDER}: no documentation is there; in the source of bleukit, 'pip install --group docs' and "
            f"'sphinx-build docs {FOLDER}' put it there"
        )
    if not path.exists():
        raise InputError(f"{path}: no such page; 'bleukit docs' opens the first")
    click.echo(path)
    if not only_path:
        import webbrowser  # heavy, and needed here alone

        webbrowser.open(path.as_uri())
