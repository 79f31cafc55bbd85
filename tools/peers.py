"""Run the peers' own tests of what bleukit counts, unmodified, against bleukit's modules under the peers' names.

``tox -c tools/tox.ini -e peers`` runs this script. The tests come from the source distributions of the installed
versions, which pip fetches; the documented examples come from the installed modules. TorchMetrics has its tests in its
repository only: they run if TORCHMETRICS_TESTS names a copy of the folder ``tests`` of the installed version. The exit
status is 1 if a test fails that KNOWN does not list, or if one passes that it lists.
"""

import doctest
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

TESTS = {
    "nltk": ("nltk/test/unit/translate/test_bleu.py", "nltk/test/bleu.doctest"),
    # Not test_api.py and test_dataset.py, which test data sets and no metric.
    "sacrebleu": tuple(
        f"test/test_{name}.py" for name in ("bleu", "sentence_bleu", "significance", "chrf", "ter", "tokenizer_ter")
    ),
    "torchmetrics": ("unittests/text/test_bleu.py", "unittests/text/test_sacre_bleu.py"),
}
DATA = ("test/wmt17_en_de_systems.pkl.bz2",)
"""What sacreBLEU's tests read, at the same place below the current folder."""

KNOWN = {
    "*::TestBLEUvsMteval13a::test_corpus_bleu": "needs NLTK's data set wmt15_eval, as NLTK itself",
    "*::TestSacreBLEUScore::*[[]flores*": "needs the model of flores in sacreBLEU's cache",
}
PACKAGES = ("torchmetrics", "torchmetrics.text", "torchmetrics.functional", "torchmetrics.functional.text")
OPTIONS = ["-q", "-rxs", "-c", os.devnull, "--rootdir=.", "-p", "no:cacheprovider", "-W", "ignore"]
OPTIONS += ["-o", "doctest_optionflags=ELLIPSIS NORMALIZE_WHITESPACE", "--doctest-glob=*.doctest"]


def pytest_collection_modifyitems(items):
    """Expect the tests to fail that are known to."""
    for item in items:
        for pattern, reason in KNOWN.items():
            if fnmatchcase(item.nodeid, pattern):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def copy_tests(peer, folder):
    """Copy a peer's tests from its source distribution, of the version that is installed, and return their names."""
    source = Path(folder, "source")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", peer, "--dest", source]
    subprocess.run([*pip, f"{peer}=={version(peer)}"], check=True)
    (archive,) = source.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(source, filter="data")
    source /= archive.name.removesuffix(".tar.gz")
    for path in DATA if peer == "sacrebleu" else ():
        Path(folder, path).parent.mkdir()
        shutil.copy(source / path, Path(folder, path))
    return [Path(shutil.copy(source / path, folder)).name for path in TESTS[peer]]


def copy_tests_of_torchmetrics(folder):
    """Copy its tests, whose packages import each other, and let those of two processes run.

    They keep what references return in files, by the package cachier, for whose locks two processes wait forever: here
    nothing is kept.
    """
    shutil.copytree(Path(os.environ["TORCHMETRICS_TESTS"], "unittests"), Path(folder, "unittests"))
    Path(folder, "cachier.py").write_text("def cachier(**options):\n    return lambda function: function\n")
    sys.path.insert(0, folder)
    os.environ.update(PYTHONPATH=os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]), USE_PYTEST_POOL="1")
    return [*TESTS["torchmetrics"]]


def copy_examples(module, start, folder):
    """Copy the examples in the docstrings of a module, each after the start, and return the names of the files."""
    examples = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    for test in examples:
        Path(folder, f"{test.name}.doctest").write_text(f"{start}\n\n{test.docstring}", encoding="utf-8")
    return [f"{test.name}.doctest" for test in examples]


def put_in_place():
    """Let the names of NLTK and sacreBLEU mean bleukit's modules."""
    import bleukit.compat.sacrebleu.significance  # noqa: F401 - to stand in the place of the peer's
    from bleukit.compat import nltk, sacrebleu

    package = import_module("nltk.translate")
    package.bleu_score, package.bleu = nltk, nltk.sentence_bleu
    sys.modules["nltk.translate.bleu_score"] = nltk
    ours = sacrebleu.__name__
    for name, module in list(sys.modules.items()):
        if name == ours or name.startswith(f"{ours}."):
            sys.modules["sacrebleu" + name.removeprefix(ours)] = module


def put_torchmetrics_in_place(modules):
    """Let the names of TorchMetrics mean bleukit's, in all of its modules that have them."""
    ours = import_module("bleukit.compat.torchmetrics")
    for module in [*modules, *(sys.modules[name] for name in PACKAGES)]:
        for name in ("BLEUScore", "SacreBLEUScore", "bleu_score", "sacre_bleu_score"):
            if hasattr(module, name):
                setattr(module, name, getattr(ours, name))


def prepared(peer, folder):
    """Put bleukit in the place of a peer; return the names of the peer's tests and examples, in a folder."""
    if peer == "torchmetrics":
        names = [f"{package}.{name}" for package in ("text", "functional.text") for name in ("bleu", "sacre_bleu")]
        modules = [import_module(f"torchmetrics.{name}") for name in names]
        examples = [name for module in modules for name in copy_examples(module, "", folder)]
        put_torchmetrics_in_place(modules)
        return copy_tests_of_torchmetrics(folder) + examples
    start = ">>> from nltk.translate.bleu_score import *"
    examples = copy_examples(import_module("nltk.translate.bleu_score"), start, folder) if peer == "nltk" else []
    put_in_place()
    return copy_tests(peer, folder) + examples


def main():
    """Run those that are named, or NLTK's and sacreBLEU's, in one process each."""
    peers = sys.argv[1:] or ["nltk", "sacrebleu"]
    if len(peers) > 1:
        sys.exit(max(subprocess.run([sys.executable, __file__, peer], check=False).returncode for peer in peers))
    (peer,) = peers
    if peer == "torchmetrics" and not os.environ.get("TORCHMETRICS_TESTS"):
        sys.exit(print("torchmetrics: TORCHMETRICS_TESTS does not name the folder of its tests"))
    with tempfile.TemporaryDirectory() as folder:
        names = prepared(peer, folder)
        os.chdir(folder)
        print(f"{peer} {version(peer)}, its tests against bleukit:", flush=True)
        status = pytest.main([*OPTIONS, *names], plugins=[sys.modules[__name__]])
        os.chdir("/")
    sys.exit(status)


if __name__ == "__main__":
    main()
