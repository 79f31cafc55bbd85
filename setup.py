"""The compiled parts: optional, left out without a compiler, or with BLEUKIT_COMPILED=0 in the environment.

What is built with SOURCE_DATE_EPOCH in the environment is the same to the byte, whoever builds it.
"""

import gzip
import os
import tarfile
import time
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

PLACES = {"bleukit": "bleukit", "bleukit.built_in": "plugins", "bleukit.conformance": "conformance"}
"""Packages, and the folders that they and all packages below them are in."""

SHARED_NAME, SHARED = "bleukit.shared_compiled", "bleukit/shared_compiled.c"
"""What Cython adds to every compiled part, once for all of them: half of the time to compile."""


def packages() -> list[str]:
    """Return all packages."""
    return [
        ".".join(filter(None, (package, found)))
        for package, folder in PLACES.items()
        for found in ("", *find_packages(folder))
    ]


def sources() -> dict[str, str]:
    """Return the sources of the compiled parts, by the names of their modules."""
    return {
        ".".join((package, *path.relative_to(folder).with_suffix("").parts)): path.as_posix()
        for package, folder in PLACES.items()
        for path in sorted(Path(folder).rglob("*_compiled.pyx"))
    }


def extension(name: str, source: str) -> Extension:
    """Return a compiled part."""
    # Python's own flags ask for debugging symbols, which take long
    flags = ["-g0"] if os.name == "posix" and "CFLAGS" not in os.environ else []
    if os.name == "posix":
        flags.append("-ffp-contract=off")  # Python rounds a product before it adds it, and so has C
    return Extension(name, [source], optional=True, extra_compile_args=flags)


class BuildExtensions(build_ext):
    """Writes the C sources when they are needed, not for every step of a build."""

    def run(self) -> None:
        """Write them, then compile."""
        written = cythonize(
            [Extension(part.name, part.sources) for part in self.extensions],
            shared_utility_qualified_name=SHARED_NAME,
            # They share nothing between threads, or lock it; one that does not says otherwise at its top.
            compiler_directives={"freethreading_compatible": True},
        )
        sources_in_c = {part.name: part.sources for part in written}
        for part in self.extensions:
            part.sources = sources_in_c[part.name]
        super().run()


class ReproducibleSdist(sdist):
    """Writes neither the time of the build nor the builder into the archive."""

    def make_archive(self, base_name: str, _format: str, base_dir: str, **_owner: object) -> str:
        """Write the folder as ``.tar.gz``, and return the path of this."""
        moment = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))

        def impersonal(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.mtime, member.mode = moment, 0o755 if member.mode & 0o100 else 0o644
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            return member

        path = f"{base_name}.tar.gz"
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with gzip.GzipFile(path, "wb", mtime=moment) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(base_dir, filter=impersonal)
        return path


compiled = os.environ.get("BLEUKIT_COMPILED") != "0"
setup(
    packages=packages(),
    py_modules=["bleukit_command"],
    package_dir=PLACES,
    ext_modules=[extension(*named) for named in ((SHARED_NAME, SHARED), *sources().items())] if compiled else [],
    cmdclass={"build_ext": BuildExtensions, "sdist": ReproducibleSdist},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
