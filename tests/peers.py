"""Run the peers' own tests of BLEU, unmodified, against bleukit's modules under the peers' names: ``tox -e peers``.

The tests are those of the source distributions of the installed versions, which pip fetches; the documented examples
are those of the installed modules. Ends with status 1 if a test fails that KNOWN does not list, or one passes that it
lists.
"""

import doctest
import importlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest

import bleukit.compat.sacrebleu.significance  # noqa: F401 - to stand in the place of the peer's
from bleukit.compat import nltk, sacrebleu

TESTS = {
    "nltk": ("nltk/test/unit/translate/test_bleu.py", "nltk/test/bleu.doctest"),
    "sacrebleu": ("test/test_bleu.py", "test/test_sentence_bleu.py", "test/test_significance.py"),
}
DATA = {"sacrebleu": ("test/wmt17_en_de_systems.pkl.bz2",)}
"""What tests read, at the same place below the current folder."""

KNOWN = {
    "test_bleu.py::TestBLEUvsMteval13a::test_corpus_bleu": "needs NLTK's data set wmt15_eval, as NLTK itself",
}
LEFT_OUT = {
    "sacrebleu test/test_api.py, test_dataset.py": "test sacreBLEU's data sets, no metric",
    "sacrebleu test/test_chrf.py, test_ter.py, test_tokenizer_ter.py": "test chrF and TER",
}
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
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder]
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


def run(peer, outcomes, examples, folder):
    """Run a peer's tests in a folder of their own, away from the peer's own modules."""
    source = fetched(peer, Path(folder, "source"))
    here = Path(folder, "tests")
    here.mkdir()
    files = [Path(shutil.copy(source / path, here)) for path in TESTS[peer]]
    for path in DATA.get(peer, ()):
        (here / path).parent.mkdir(exist_ok=True)
        shutil.copy(source / path, here / path)
    os.chdir(here)
    modules = [path.name for path in files if path.suffix == ".py"]
    pytest.main(["-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", *modules], plugins=[outcomes])
    for path in files:
        if path.suffix == ".doctest":
            outcomes.add(path.name, doctest.testfile(str(path), module_relative=False, optionflags=OPTIONS).failed)
    if peer == "nltk":
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        for test in examples:
            outcomes.add(test.name, runner.run(test).failed)


def main():
    """Run all in one process a peer."""
    if not sys.argv[1:]:
        sys.exit(max(subprocess.run([sys.executable, __file__, peer], check=False).returncode for peer in TESTS))
    (peer,) = sys.argv[1:]
    outcomes, examples = Outcomes(), put_in_place()
    with tempfile.TemporaryDirectory() as folder:
        run(peer, outcomes, examples, folder)
        os.chdir("/")
    print(f"{peer} {version(peer)}: {len(outcomes.passed)} tests pass against bleukit")
    for test in outcomes.others:
        print(f"  not passed: {test}: {KNOWN.get(test, 'UNEXPECTED')}")
    for files, reason in LEFT_OUT.items():
        if files.startswith(peer):
            print(f"  left out: {files}: {reason}")
    wrong = [test for test in outcomes.others if test not in KNOWN] + [
        test for test in outcomes.passed if test in KNOWN
    ]
    sys.exit(1 if wrong or not outcomes.passed else 0)


if __name__ == "__main__":
    main()
