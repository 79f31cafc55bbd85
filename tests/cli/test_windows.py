"""What is different on Windows, simulated: pipes, consoles, line ends, paths, and signals and locks that it lacks."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import PureWindowsPath

import pytest

import bleukit
from bleukit.cli import output, printing
from bleukit.cli.interrupts import Interrupt
from bleukit.framework.errors import OutputError, VariantError
from bleukit.writing import replacing

SIMULATED = """
import _pyio, io, os, select, sys
from bleukit.cli import main, output, running, score, scores  # before the system changes, as libraries look at it, too
from bleukit.reading import corpora, files

def select_of_sockets(*_):
    raise OSError(10038, "An operation was attempted on something that is not a socket")

sys.modules["resource"] = None
sys.platform, os.linesep, io.TextIOWrapper, select.select = "win32", "\\r\\n", _pyio.TextIOWrapper, select_of_sockets
main(sys.argv[1:])
"""


@pytest.fixture
def simulated(tmp_path):
    """Run the command line in another process; returns its output as bytes."""
    (tmp_path / "ref").write_bytes("ä b c d\r\ne f\r\n".encode())

    def run(*arguments, stdin=b""):
        program = [sys.executable, "-c", SIMULATED, *arguments]
        return subprocess.run(program, cwd=tmp_path, input=stdin, capture_output=True, check=True).stdout

    return run


def test_standard_input_may_be_a_pipe(simulated):
    assert simulated("score", "-q", "-r", "ref", "-", stdin="ä b c d\r\ne f\r\n".encode()) == b"100.00\n"


def test_output_has_the_line_ends_of_other_systems(simulated, tmp_path):
    assert b"\r" not in simulated("score", "-r", "ref", "ref")
    simulated("score", "-r", "ref", "ref", "-o", "scores.csv")
    assert (tmp_path / "scores.csv").read_bytes().count(b"\n") == 2
    assert b"\r" not in (tmp_path / "scores.csv").read_bytes()


def test_a_console_is_written_to_by_python(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "win32")
    console = io.TextIOWrapper((tmp_path / "console").open("wb"), encoding="utf-8")
    monkeypatch.setattr(console, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", console)
    with output.standard_streams(Interrupt()):
        assert sys.stdout is console
        sys.stdout.write("68–90 \udcff\n")
    console.close()
    assert (tmp_path / "console").read_text(encoding="utf-8") == "68–90 \\udcff\n"


def test_systems_are_named_without_the_folders_that_they_share(monkeypatch):
    monkeypatch.setattr(printing, "PurePath", PureWindowsPath)
    monkeypatch.setattr(os, "sep", "\\")
    assert printing.short_names([r"C:\out\one.txt", r"C:\out\two.txt"]) == ["one", "two"]
    assert printing.short_names([r"C:\a\out.txt", r"C:\b\out.txt"]) == ["a/out", "b/out"]


def test_a_backslash_makes_a_path_of_a_variant(monkeypatch):
    monkeypatch.setattr(os, "sep", "\\")
    with pytest.raises(VariantError, match="cannot be read"):
        bleukit.load(r"variants\own")


def test_an_interrupt_needs_no_timer(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.delattr(signal, "SIGALRM")
    interrupt = Interrupt()
    with pytest.raises(KeyboardInterrupt):
        interrupt._notice(signal.SIGINT, None)
    interrupt.forget()
    assert interrupt.status == 130


def test_a_reader_that_has_ended_is_an_error_without_a_signal(monkeypatch):
    monkeypatch.delattr(signal, "SIGPIPE")
    with pytest.raises(OutputError, match="cannot write: Broken pipe"):
        output._fail_of_output(BrokenPipeError(32, "Broken pipe"))


def test_files_are_replaced_without_locks(monkeypatch, tmp_path):
    monkeypatch.setattr(replacing, "fcntl", None)
    abandoned = tmp_path / ".bleukit-0123456789abcdef"
    abandoned.write_bytes(b"")
    long_ago = time.time() - 2 * replacing.ABANDONED
    os.utime(abandoned, (long_ago, long_ago))
    with replacing.replacing(str(tmp_path / "new")) as descriptor:
        os.write(descriptor, b"done\n")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("new", b"done\n")]
