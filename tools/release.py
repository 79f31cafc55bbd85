"""Build what is published, for every Python on this machine; check it; use it in empty environments.

``tox -c tools/tox.ini -e release`` runs this; the folder for the results is its argument.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MINORS = range(10, 15)
SCORED = (
    "-r",
    ROOT / "examples/reference1.txt",
    "-r",
    ROOT / "examples/reference2.txt",
    ROOT / "examples/hypothesis.txt",
)
SCORE = "79.59\n"  # in README.md, where a test compares it with what is printed
RATING = "8"  # of pyroma: 10 need the address of a project page and an e-mail address, which do not exist yet


def run(*command, **environment):
    """Run a program, and end with its output if it fails; return its output."""
    settings = {**os.environ, **environment}
    elsewhere = tempfile.gettempdir()  # because Python imports what is in the folder where it runs
    done = subprocess.run(
        [*map(str, command)], env=settings, cwd=elsewhere, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def pythons():
    """Return the interpreters of this machine, by their minor version."""
    if shutil.which("pyenv"):
        versions = Path(run("pyenv", "root").strip(), "versions").glob("3.*/bin")
        os.environ["PATH"] = os.pathsep.join([*map(str, versions), os.environ["PATH"]])
    found = {minor: shutil.which(f"python3.{minor}") for minor in MINORS}
    return {minor: path for minor, path in found.items() if path}


def build(source, folder, interpreters):
    """Build the sdist from a clone of its own, and from the sdist the wheel of each Python and the plain one."""
    run("git", "clone", "--quiet", source, folder / "clone")
    run("uv", "build", "--sdist", "-o", folder, folder / "clone")
    [sdist] = folder.glob("*.tar.gz")
    for minor, interpreter in interpreters.items():
        run("uv", "build", "--wheel", "--python", interpreter, "-o", folder, sdist)
        if not [*folder.glob(f"*-cp3{minor}-cp3{minor}-*.whl")]:
            sys.exit(f"{interpreter} has built no compiled wheel")
    run(
        "uv", "build", "--wheel", "--python", interpreters[max(interpreters)], "-o", folder, sdist, BLEUKIT_COMPILED="0"
    )


def check_equal(first, second):
    """End unless all files of the second folder are in the first one, too, byte for byte."""
    names = sorted(path.name for path in second.glob("bleukit-*"))
    _, differing, missing = filecmp.cmpfiles(first, second, names, shallow=False)
    if differing or missing or not names:
        sys.exit(f"two builds differ: {differing + missing}")
    print(f"two builds are equal, byte for byte: {', '.join(names)}", flush=True)


def repaired(built, folder):
    """Return all that was built, with the tags of the Linux systems where the compiled wheels run."""
    folder.mkdir()
    for path in built.glob("bleukit-*"):
        if "-linux_" in path.name:
            run("auditwheel", "repair", "-w", folder, path)
        else:
            shutil.copy(path, folder)
    return sorted(folder.iterdir())


def use(path, interpreter, folder):
    """Install one file in an empty environment, score and check conformance without a network, and remove it again."""
    run("uv", "venv", "--quiet", "--seed", "--python", interpreter, folder)
    before = {*folder.rglob("*")}
    python, bleukit = folder / "bin/python", folder / "bin/bleukit"
    run("uv", "pip", "install", "--quiet", "--python", python, path)
    offline = ["unshare", "--net"] if shutil.which("unshare") and os.geteuid() == 0 else []
    scored = run(*offline, bleukit, "score", "-q", *SCORED)
    if scored != SCORE:
        sys.exit(f"{path.name}: scores {scored!r}")
    run(*offline, bleukit, "conform", "--quick")
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "bleukit")  # uv leaves the bytecode of single modules
    left = [str(found) for found in {*folder.rglob("*")} - before if "bleukit" in found.name]
    if left:
        sys.exit(f"{path.name}: leaves {', '.join(left)}")
    print(f"{path.name}: installed, used{' without a network' * bool(offline)} and removed", flush=True)


def main():
    """Check the release in the folder that is given."""
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    run("git", "clone", "--quiet", "--no-tags", "--depth", "1", ROOT.as_uri(), source)
    os.environ["SOURCE_DATE_EPOCH"] = run("git", "-C", source, "log", "-1", "--format=%ct").strip()
    interpreters = pythons()
    newest = max(interpreters)
    build(source, folder / "first", interpreters)
    build(source, folder / "second", {newest: interpreters[newest]})
    check_equal(folder / "first", folder / "second")
    files = repaired(folder / "first", folder / "dist")
    wheels = [path for path in files if path.suffix == ".whl"]
    run("twine", "check", "--strict", *files)
    run("check-wheel-contents", "--config", ROOT / "pyproject.toml", *wheels)
    run("pyroma", "--min", RATING, *files[-1:])
    for path in files:
        own = [interpreter for minor, interpreter in interpreters.items() if f"-cp3{minor}-" in path.name]
        use(path, *(own or [interpreters[newest]]), folder / "environments" / path.name)


main()
