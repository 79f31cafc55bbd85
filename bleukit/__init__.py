"""Every BLEU by name: see :func:`bleukit.load` for scoring, :mod:`bleukit.plugin` for writing plugins.

``__init__.pyi`` lists all public names, and where they are; each is imported when it is first used.
"""

import lazy_loader

from bleukit.version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
