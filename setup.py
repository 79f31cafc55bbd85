"""The compiled parts: optional, left out without a compiler, or with BLEUKIT_COMPILED=0 in the environment."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = [
    "bleukit/comparing/loops_compiled.pyx",
    "bleukit/counting/columns_compiled.pyx",
    "bleukit/counting/ngrams_compiled.pyx",
    "bleukit/counting/packed_compiled.pyx",
    "bleukit/pairs/loops_compiled.pyx",
    "bleukit/text/arrow_compiled.pyx",
    "bleukit/text/files_compiled.pyx",
    "plugins/bleukit_sacrebleu/tokenizer_13a_compiled.pyx",
    "plugins/bleukit_sacrebleu/tokenizer_intl_compiled.pyx",
    "plugins/bleukit_wikipedia/reference_lengths_compiled.pyx",
    "plugins/bleukit_wikipedia/tokenizers_compiled.pyx",
]
SHARED = "bleukit.shared_compiled"
"""What Cython adds to every compiled part, once for all of them: half of the time to compile."""

extensions = []
if os.environ.get("BLEUKIT_COMPILED") != "0":
    modules = [source.removeprefix("plugins/").removesuffix(".pyx").replace("/", ".") for source in SOURCES]
    extensions = cythonize(
        [
            Extension(SHARED, [f"{SHARED.replace('.', '/')}.c"]),  # written by Cython
            *(Extension(*pair) for pair in zip(modules, ([source] for source in SOURCES), strict=True)),
        ],
        shared_utility_qualified_name=SHARED,
    )
for extension in extensions:
    extension.optional = True  # cythonize drops this attribute if it is set before
    if os.name == "posix" and "CFLAGS" not in os.environ:
        extension.extra_compile_args = ["-g0"]  # Python's own flags ask for debugging symbols, which take long
setup(ext_modules=extensions, options={"build_ext": {"parallel": os.cpu_count()}})
