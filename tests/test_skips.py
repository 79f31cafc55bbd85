"""What conftest.py does: a skip for a reason that is not listed fails the run; files without the mark are left out."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def outcome(pytester):
    """Run one test that is skipped for a reason, in an environment; returns the exit status and the output."""
    for name in ("conftest.py", "allowed_skips.yaml"):
        shutil.copy(Path(__file__).with_name(name), pytester.path)

    def run(reason, *options):
        pytester.makepyfile(f"import pytest\ndef test_it(): pytest.skip({reason!r})")
        result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)
        return result.ret, str(result.stdout)

    return run


def test_a_listed_reason_passes(outcome):
    assert outcome("nothing is forbidden to root", "--environment=engines")[0] == pytest.ExitCode.OK


@pytest.mark.parametrize("processes", [[], ["-n", "1"]])
def test_another_reason_fails_the_run_and_is_named(outcome, processes):
    status, output = outcome("built without a compiler", "--environment=tests", *processes)
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "does not list: built without a compiler" in output


def test_a_reason_of_another_environment_passes_there_alone(outcome):
    assert outcome("built without a compiler", "--environment=oldest")[0] == pytest.ExitCode.OK


def test_without_an_environment_nothing_is_asked(outcome):
    assert outcome("any reason")[0] == pytest.ExitCode.OK


def test_with_a_mark_files_that_lack_it_are_not_imported(outcome, pytester):
    pytester.makepyfile(test_broken="raise ValueError")
    assert outcome("any reason", "-m", "oldest")[0] == pytest.ExitCode.NO_TESTS_COLLECTED
