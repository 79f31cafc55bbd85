"""The compiled parts: optional, left out without a compiler, or with BLEUKIT_COMPILED=0 in the environment."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

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
SHARED = "bleukit/shared_compiled.c"
"""What Cython adds to every compiled part, once for all of them: half of the time to compile."""


def extension(source: str) -> Extension:
    """Return a compiled part, which is named after its source."""
    name = source.removeprefix("plugins/").rpartition(".")[0].replace("/", ".")
    # Python's own flags ask for debugging symbols, which take long
    flags = ["-g0"] if os.name == "posix" and "CFLAGS" not in os.environ else []
    return Extension(name, [source], optional=True, extra_compile_args=flags)


class BuildExtensions(build_ext):
    """Writes the C sources when they are needed, not for every step of a build."""

    def run(self) -> None:
        """Write them, then compile."""
        written = cythonize(
            [Extension(part.name, part.sources) for part in self.extensions],
            shared_utility_qualified_name=extension(SHARED).name,
        )
        sources = {part.name: part.sources for part in written}
        for part in self.extensions:
            part.sources = sources[part.name]
        super().run()


compiled = os.environ.get("BLEUKIT_COMPILED") != "0"
setup(
    ext_modules=[extension(source) for source in (SHARED, *SOURCES)] if compiled else [],
    cmdclass={"build_ext": BuildExtensions},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
