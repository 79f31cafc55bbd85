"""The compiled parts: optional, left out without a compiler, or with BLEUKIT_COMPILED=0 in the environment."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = {
    "bleukit._arrays": "bleukit/_arrays.pyx",
    "bleukit._packing": "bleukit/_packing.pyx",
    "bleukit_sacrebleu._tokenizer_13a": "plugins/bleukit_sacrebleu/_tokenizer_13a.pyx",
    "bleukit_sacrebleu._tokenizer_intl": "plugins/bleukit_sacrebleu/_tokenizer_intl.pyx",
    "bleukit_wikipedia._counting": "plugins/bleukit_wikipedia/_counting.pyx",
    "bleukit_wikipedia._reference_lengths": "plugins/bleukit_wikipedia/_reference_lengths.pyx",
    "bleukit_wikipedia._tokenizers": "plugins/bleukit_wikipedia/_tokenizers.pyx",
}

extensions = []
if os.environ.get("BLEUKIT_COMPILED") != "0":
    extensions = cythonize([Extension(name, [source]) for name, source in SOURCES.items()])
for extension in extensions:
    extension.optional = True  # said here, for cythonize forgets it
setup(ext_modules=extensions)
