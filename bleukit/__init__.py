"""Every BLEU by name: see :func:`bleukit.load` for scoring, :mod:`bleukit.plugin` for writing plugins.

``__init__.pyi`` lists all public names, and where they are; each is imported when it is first used.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

if find_spec("bleukit.built_in") is None:  # before other imports, which may fail for the same reason
    _root = Path(__file__).resolve().parents[1]
    raise ImportError(
        f"{Path(__file__).parent} is bleukit's source folder, which lacks the built-in plugins and compiled parts: run "
        f"Python outside {_root} to import the installed bleukit, or install this one by 'pip install -e {_root}'"
    )

import lazy_loader

from bleukit.version import __version__ as __version__

_public, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Import a public name. Names of other libraries raise ImportError, which ``from bleukit import …`` shows, too."""
    if name in {"BLEU", "corpus_bleu", "sentence_bleu"}:
        raise ImportError(
            f"bleukit has no {name} of its own: that of sacreBLEU is in bleukit.compat.sacrebleu, what NLTK has is in "
            "bleukit.compat.nltk; for any other BLEU see bleukit.load"
        )
    return _public(name)
