"""Run the peers' own tests of what bleukit counts, unmodified, against bleukit's modules under the peers' names.

``tox -c tools/tox.ini -e peers`` runs this script. The tests come from the source distributions of the installed
versions, which pip fetches; the documented examples come from the installed modules. TorchMetrics has its tests in its
repository only: they run if TORCHMETRICS_TESTS names a copy of the folder ``tests`` of the installed version. The exit
status is 1 if a test fails that KNOWN does not list, or if one passes that it lists.
"""

import doctest
import importlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path

import pytest

import bleukit.compat.sacrebleu.significance  # noqa: F401 - to stand in the place of the peer's
from bleukit.compat import nltk, sacrebleu

TORCHMETRICS_TESTS = os.environ.get("TORCHMETRICS_TESTS", "")

TESTS = {
    "nltk": ("nltk/test/unit/translate/test_bleu.py", "nltk/test/bleu.doctest"),
    "sacrebleu": tuple(
        f"test/test_{name}.py" for name in ("bleu", "sentence_bleu", "significance", "chrf", "ter", "tokenizer_ter")
    ),
    "torchmetrics": ("unittests/text/test_bleu.py", "unittests/text/test_sacre_bleu.py"),
}
DATA = {"sacrebleu": ("test/wmt17_en_de_systems.pkl.bz2",)}
"""What tests read, at the same place below the current folder."""

KNOWN = {
    "test_bleu.py::TestBLEUvsMteval13a::test_corpus_bleu": "needs NLTK's data set wmt15_eval, as NLTK itself",
    "*::TestSacreBLEUScore::test_bleu_score_class[[]*-flores*": "skipped by TorchMetrics itself",
    "*::TestSacreBLEUScore::*[[]flores*": "needs the model of flores in sacreBLEU's cache",
}
LEFT_OUT = {
    "sacrebleu test/test_api.py, test_dataset.py": "test sacreBLEU's data sets, no metric",
}
PACKAGES = ("torchmetrics", "torchmetrics.text", "torchmetrics.functional", "torchmetrics.functional.text")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Outcomes:
    """Keeps which tests passed and which did not."""

    def __init__(self):
        self.passed, self.others = [], []

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            (self.passed if report.passed else self.others).append(report.nodeid)

    def add(self, name, failed):
        (self.others if failed else self.passed).append(name)


def fetched(peer, folder):
    """Return the folder of the peer's source distribution, of the version that is installed."""
    wanted = f"{peer}=={version(peer)}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", peer, "--dest", folder]
    subprocess.run([*pip, wanted], check=True)
    (archive,) = Path(folder).glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return Path(folder, archive.name.removesuffix(".tar.gz"))


def put_in_place():
    """Let the peers' names mean bleukit's modules; returns the examples in the docstrings of NLTK's own."""
    finder = doctest.DocTestFinder()
    examples = finder.find(importlib.import_module("nltk.translate.bleu_score"), globs={**vars(nltk)})
    package = sys.modules["nltk.translate"]
    package.bleu_score, package.bleu = nltk, nltk.sentence_bleu
    sys.modules["nltk.translate.bleu_score"] = nltk
    ours = sacrebleu.__name__
    for name, module in list(sys.modules.items()):
        if name == ours or name.startswith(f"{ours}."):
            sys.modules["sacrebleu" + name.removeprefix(ours)] = module
    return [test for test in examples if test.examples]


def put_torchmetrics_in_place():
    """Let the names of TorchMetrics mean bleukit's, in all of its modules that have them; returns its examples."""
    ours = importlib.import_module("bleukit.compat.torchmetrics")
    modules = [
        importlib.import_module(f"torchmetrics.{package}.{name}")
        for package in ("text", "functional.text")
        for name in ("bleu", "sacre_bleu")
    ]
    examples = [test for module in modules for test in doctest.DocTestFinder().find(module) if test.examples]
    for module in [*modules, *(sys.modules[name] for name in PACKAGES)]:
        for name in ("BLEUScore", "SacreBLEUScore", "bleu_score", "sacre_bleu_score"):
            if hasattr(module, name):
                setattr(module, name, getattr(ours, name))
    return examples


def run(peer, outcomes, examples, folder):
    """Run a peer's tests in a folder of their own, away from the peer's own modules."""
    here = Path(folder, "tests")
    if peer == "torchmetrics":
        files = copied_tests_of_torchmetrics(here)
    else:
        source = fetched(peer, Path(folder, "source"))
        here.mkdir()
        files = [Path(shutil.copy(source / path, here)) for path in TESTS[peer]]
        for path in DATA.get(peer, ()):
            (here / path).parent.mkdir(exist_ok=True)
            shutil.copy(source / path, here / path)
    os.chdir(here)
    modules = [str(path.relative_to(here)) for path in files if path.suffix == ".py"]
    pytest.main(["-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", *modules], plugins=[outcomes])
    for path in files:
        if path.suffix == ".doctest":
            outcomes.add(path.name, doctest.testfile(str(path), module_relative=False, optionflags=OPTIONS).failed)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in examples:
        outcomes.add(test.name, runner.run(test).failed)


def copied_tests_of_torchmetrics(here):
    """Copy its tests, whose packages import each other, and let those of two processes run.

    They keep what references return in files, by the package cachier, for whose locks two processes wait forever: here
    nothing is kept.
    """
    shutil.copytree(Path(TORCHMETRICS_TESTS, "unittests"), here / "unittests")
    (here / "cachier.py").write_text("def cachier(**options):\n    return lambda function: function\n")
    sys.path.insert(0, str(here))
    os.environ.update(PYTHONPATH=os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")]), USE_PYTEST_POOL="1")
    return [here / path for path in TESTS["torchmetrics"]]


def known(test):
    """Return why a test does not pass, empty if it must pass."""
    return next((reason for pattern, reason in KNOWN.items() if fnmatchcase(test, pattern)), "")


def main():
    """Run those that are named, or NLTK's and sacreBLEU's, in one process each."""
    peers = sys.argv[1:] or ["nltk", "sacrebleu"]
    if len(peers) > 1:
        sys.exit(max(subprocess.run([sys.executable, __file__, peer], check=False).returncode for peer in peers))
    (peer,) = peers
    if peer == "torchmetrics" and not TORCHMETRICS_TESTS:
        sys.exit(print("torchmetrics: TORCHMETRICS_TESTS does not name the folder of its tests"))
    outcomes = Outcomes()
    examples = put_torchmetrics_in_place() if peer == "torchmetrics" else put_in_place()
    if peer == "sacrebleu":
        examples = []
    with tempfile.TemporaryDirectory() as folder:
        run(peer, outcomes, examples, folder)
        os.chdir("/")
    print(f"{peer} {version(peer)}: {len(outcomes.passed)} tests pass against bleukit")
    reasons = {test: known(test) for test in outcomes.others}
    for test, reason in reasons.items():
        print(f"  not passed: {test}: {reason or 'UNEXPECTED'}")
    for files, reason in LEFT_OUT.items():
        if files.startswith(peer):
            print(f"  left out: {files}: {reason}")
    wrong = [test for test in outcomes.others if not reasons[test]] + list(filter(known, outcomes.passed))
    sys.exit(1 if wrong or not outcomes.passed else 0)


if __name__ == "__main__":
    main()
