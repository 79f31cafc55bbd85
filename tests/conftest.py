import contextlib
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml
from hypothesis import settings

from bleukit.cli import main, printing

pytest_plugins = ["pytester"]

if sys.platform != "linux":  # what these test, pipes, signals, limits of processes and what is printed, is as on Linux
    collect_ignore = ["cli/test_streams.py", "conformance/test_certify.py", "conformance/test_harness_examples.py"]
    collect_ignore += ["test_readme.py"]

settings.register_profile("default", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("search", max_examples=10_000, deadline=None)
settings.load_profile("default")

DIFFERENCES = pytest.StashKey[dict]()
EVALUATED = pytest.StashKey[dict]()


def pytest_configure(config):
    # A shell ignores SIGINT in what it runs in the background, and processes inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path, config):
    """With ``-m MARK`` import only files that have the mark: to import all of them takes longer than many a run."""
    mark = config.option.markexpr.partition(" and ")[0]
    if mark.isidentifier() and collection_path.suffix == ".py":
        return f"mark.{mark}" not in collection_path.read_text(encoding="utf-8") or None
    return None


def pytest_addoption(parser):
    parser.addoption(
        "--environment",
        metavar="NAME",
        help="the environment of tox.ini; a skip for a reason that allowed_skips.yaml does not list fails the run",
    )
    parser.addoption(
        "--fuzz", type=float, metavar="SECONDS", help="how long tests/fuzz makes up input; see tox -e fuzz"
    )


@pytest.fixture
def evaluated(request):
    """How many segments each test of the fuzzer has evaluated, by its name; for the summary."""
    return request.config.stash.setdefault(EVALUATED, {})


class Difference:
    """Compares scores with those of a peer, and remembers the largest difference for the summary."""

    def __init__(self):
        self.largest, self.compared = 0.0, 0

    def check(self, ours, theirs, within):
        difference = float(abs(ours - theirs))  # no number of numpy, which a process of xdist cannot send
        assert difference <= within, f"{ours!r} is not the peer's {theirs!r}"
        self.largest, self.compared = max(self.largest, float(difference)), self.compared + 1


@pytest.fixture(scope="module")
def difference(request):
    return request.config.stash.setdefault(DIFFERENCES, {}).setdefault(request.module.PEER, Difference())


def wrong_skips(config):
    """The reasons of skips that ``allowed_skips.yaml`` does not list for the environment of this run."""
    environment, reporter = config.getoption("--environment"), config.pluginmanager.get_plugin("terminalreporter")
    if environment is None or reporter is None:
        return []
    allowed = yaml.safe_load(Path(__file__).with_name("allowed_skips.yaml").read_text(encoding="utf-8"))
    patterns = allowed["everywhere"] + allowed[environment]
    reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", ())}
    return sorted(reason for reason in reasons if not any(re.match(pattern, reason) for pattern in patterns))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    if wrong_skips(session.config) and session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if hasattr(session.config, "workeroutput"):  # one of several processes: its findings go to the first
        found = session.config.stash.get(DIFFERENCES, {})
        session.config.workeroutput["differences"] = {
            peer: (seen.largest, seen.compared) for peer, seen in found.items()
        }


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    for peer, (largest, compared) in getattr(node, "workeroutput", {}).get("differences", {}).items():
        seen = node.config.stash.setdefault(DIFFERENCES, {}).setdefault(peer, Difference())
        seen.largest, seen.compared = max(seen.largest, largest), seen.compared + compared


def pytest_terminal_summary(terminalreporter, config):
    for reason in wrong_skips(config):
        terminalreporter.write_line(f"FAILED: skipped for a reason that allowed_skips.yaml does not list: {reason}")
    for peer, seen in config.stash.get(DIFFERENCES, {}).items():
        terminalreporter.write_line(f"largest difference from {peer}: {seen.largest:.2g} in {seen.compared:,} scores")
    if config.getoption("--fuzz"):
        evaluated = config.stash.get(EVALUATED, {})
        for name, segments in evaluated.items():
            terminalreporter.write_line(f"{name}: {segments:,} segments")
        terminalreporter.write_line(f"fuzzed: {sum(evaluated.values()):,} segments, compiled and in plain Python")


@pytest.fixture(scope="session", autouse=True)
def elsewhere(tmp_path_factory):
    """Leave the checkout, whose package ``python -c`` would import in place of the one that is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("elsewhere"))
        yield


@pytest.fixture
def run(capfd, monkeypatch, tmp_path):
    """Run the command line in an empty folder; returns (exit status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as exit_:
            main([str(argument) for argument in arguments])
        sys.stdout.flush()
        return (exit_.value.code, *capfd.readouterr())

    return run


@pytest.fixture
def on_terminal(tmp_path):
    """Run the command on a terminal of so many columns, in an empty folder; returns all that it shows."""
    pty, termios, fcntl = map(pytest.importorskip, ("pty", "termios", "fcntl"))

    def run(columns, *arguments):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        command = [sys.executable, "-m", "bleukit", *map(str, arguments)]
        with subprocess.Popen(command, cwd=tmp_path, stdout=follower, stderr=follower, env=environment):
            os.close(follower)
            shown = b""
            with contextlib.suppress(OSError):  # as Linux says that the other side has closed it
                while part := os.read(leader, 1 << 16):
                    shown += part
        os.close(leader)
        return shown.decode().replace("\r\n", "\n")

    return run


@pytest.fixture
def few_cases(monkeypatch, tmp_path_factory):
    """Make the conformance suite two small documents."""
    from bleukit.conformance.judging import cases

    folder = tmp_path_factory.mktemp("few")
    for name in ("matlab.yaml", "wikipedia.yaml"):
        shutil.copy(cases.FOLDER / name, folder)
    monkeypatch.setattr(cases, "FOLDER", folder)


@pytest.fixture
def terminal(monkeypatch):
    """Let tables be as wide as a terminal of 80 columns."""
    from bleukit.cli import conform, installed, tables  # noqa: F401 - which would keep the replacement

    monkeypatch.setattr(printing, "terminal_width", lambda: 80)


PLUGIN_HEADER = "import bleukit\nfrom bleukit.plugin import hookimpl\nfrom dataclasses import dataclass\n"


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Write a plugin as an installed distribution with an entry point, on a path of its own."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(code, name="extra", module=None, version="1.2", distribution=None):
        module = module or f"plugin_{name}"
        distribution = distribution or f"{name}-dist"
        (tmp_path / f"{module}.py").write_text(PLUGIN_HEADER + textwrap.dedent(code), encoding="utf-8")
        info = tmp_path / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[bleukit]\n{name} = {module}\n")
        return module

    yield write
    for module in [module for module in sys.modules if module.startswith("plugin_")]:
        del sys.modules[module]
