"""Every BLEU by name: see :func:`bleukit.load` for scoring, :mod:`bleukit.plugin` for writing plugins.

``__init__.pyi`` lists all public names, and where they are; each is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 - what it takes to leave it out takes longer
from functools import cache
from importlib.util import find_spec

if find_spec("bleukit.built_in") is None:  # before other imports, which may fail for the same reason
    from pathlib import Path  # which nothing else here needs

    _root = Path(__file__).resolve().parents[1]
    raise ImportError(
        f"{Path(__file__).parent} is bleukit's source folder, which lacks the built-in plugins and compiled parts: run "
        f"Python outside {_root} to import the installed bleukit, or install this one by 'pip install -e {_root}'"
    )

from bleukit.framework.version import __version__ as __version__


@cache
def _public() -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    import lazy_loader  # parses Python, which takes long, and the command line needs no public name

    return lazy_loader.attach_stub(__name__, __file__)


def __dir__() -> list[str]:
    return _public()[1]()


def __getattr__(name: str) -> object:
    """Import a public name. Names of other libraries raise ImportError, which ``from bleukit import …`` shows, too."""
    if name in {"BLEU", "corpus_bleu", "sentence_bleu"}:
        raise ImportError(
            f"bleukit has no {name} of its own: that of sacreBLEU is in bleukit.compat.sacrebleu, what NLTK has is in "
            "bleukit.compat.nltk; for any other BLEU see bleukit.load"
        )
    get_public, _, names = _public()
    return names if name == "__all__" else get_public(name)
