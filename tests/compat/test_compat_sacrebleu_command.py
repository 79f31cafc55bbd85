"""``bleukit sacrebleu`` beside the command of sacreBLEU: the same output, byte for byte."""

import gzip
import io
import json
import os
import random
import signal
import sys
from importlib.metadata import version

import click
import pytest
from sacrebleu import utils as their_utils
from sacrebleu.dataset import DATASETS

from bleukit.cli import sacrebleu as command
from bleukit.compat.sacrebleu import __version__
from bleukit.compat.sacrebleu.sacrebleu import results

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sacreBLEU's command closes no file

PAIR = ["-i", "first", "second"]
WORDS = [
    "The",
    "a",
    "cat",
    "dog.",
    "sat",
    "on",
    "mats,",
    "under",
    "quick",
    "foxes",
    "«jump»",
    "über",
    "1.5",
    "it's",
    ".",
]


@pytest.fixture
def files(tmp_path):
    """Three systems and two sets of references of 30 segments; some lines are odd."""
    chance = random.Random(7)
    lines = [[chance.choice(WORDS) for _ in range(chance.choice([1, 4, 9, 15]))] for _ in range(30)]

    def noisy(noise):
        return [" ".join(chance.choice(WORDS) if chance.random() < noise else word for word in line) for line in lines]

    texts = {"ref": noisy(0), "ref2": noisy(0.3), "first": noisy(0.1), "second": noisy(0.2), "third": noisy(0.7)}
    texts["first"][3:6] = ["\ufeffthe  cat \u3000", "", "a\u2028cat\x0bsat\r"]
    for name, text in texts.items():
        (tmp_path / name).write_bytes("".join(f"{line}\n" for line in text).encode())
    rows = zip(texts["ref"], texts["ref2"], strict=True)
    (tmp_path / "both").write_text("".join(f"{one}\t{two}\n" for one, two in rows), encoding="utf-8")
    (tmp_path / "latin").write_bytes((tmp_path / "third").read_bytes().decode().encode("latin-1"))
    with gzip.open(tmp_path / "ref.gz", "wb") as file:
        file.write((tmp_path / "ref").read_bytes())
    return tmp_path


class Stream:
    """A standard stream whose descriptor the command takes over."""

    def __init__(self, path, mode):
        self._path, self._mode = path, mode

    def fileno(self):
        return os.open(self._path, self._mode)


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    """Runs sacreBLEU's command in this process; returns what it prints, None if it ends with an error."""
    handler = signal.getsignal(signal.SIGPIPE)
    command = __import__("sacrebleu.sacrebleu", fromlist=["main"])
    signal.signal(signal.SIGPIPE, handler)  # which that module changes
    colored = their_utils.Color.ENABLE_COLORS

    def run(*arguments, stdin=""):
        (tmp_path / "stdin").write_bytes(stdin.encode())
        (tmp_path / "stdout").write_bytes(b"")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["sacrebleu", "-nc", "-q", *arguments])
            patch.setattr(sys, "stdin", Stream(tmp_path / "stdin", os.O_RDONLY))
            patch.setattr(sys, "stdout", Stream(tmp_path / "stdout", os.O_WRONLY))
            try:
                command.main()
            except SystemExit as end:
                if end.code:
                    return None
            except Exception:  # noqa: BLE001 - such as UnicodeDecodeError
                return None
            finally:
                for stream in (sys.stdin, sys.stdout):
                    if isinstance(stream, io.TextIOBase):
                        stream.close()
                their_utils.Color.ENABLE_COLORS = colored
        return (tmp_path / "stdout").read_bytes().decode()

    return run


@pytest.fixture
def ours(run, tmp_path, monkeypatch):
    """Runs bleukit's command; returns the same."""

    def command(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status, out, err = run("sacrebleu", "-q", *arguments)
        assert (status == 0) or (status == 2 and out == "" and err.splitlines()[-1].startswith("bleukit: error: "))
        return out if status == 0 else None

    return command


@pytest.mark.parametrize(
    "arguments",
    [
        "ref -i first",
        "ref ref2 -i first -f text",
        "ref -i first -m bleu -f text -w 4 -sh",
        "ref.gz -i first -b",
        "ref -i first -b -w 3 -f text",
        "ref -i third -lc -tok intl -s floor -sv 0.5 -f latex",
        "ref -i third -tok none -s add-k --force",
        "ref -i third -s none -tok char -f json -sh",
        "ref -i first --sentence-level -w 2",
        "ref ref2 -i third -sl -b -w 5 -s floor",
        "both -nr 2 -i second -f text",
        "ref -i first --confidence -cin 50",
        "ref -i first -ci -cin 50 -f text -w 3",
        "ref -i first -l en-zh -f text",
        "ref -i first second",
        "ref -i first second third -f text -w 3 -sh",
        "ref -i first second -f latex",
        "ref -i first second third first --paired-bs -pbsn 60",
        "ref -i first second third --paired-bs --paired-bs-n 60 -f text",
        "ref -i first second -pbs -pbsn 60 -f latex -w 2 -j 2",
        "ref ref2 -i first second --paired-ar -parn 60",
        "ref -i first second third -par -parn 60 -f text -sh -s add-k",
        "ref ref2 -i latin -e latin-1",
    ],
)
def test_output(files, ours, theirs, arguments):
    found = ours(*arguments.split())
    assert found is not None
    assert found == theirs(*arguments.split())


@pytest.mark.parametrize(
    "arguments",
    [
        "ref -i latin -e utf-8",
        "both --num-refs 3 -i second",
        "ref -i first first",
        "ref -i first second -ci",
        "ref -i first second -sl",
        "ref -i first -par",
        "ref -i first -ci -sl",
        "ref -i absent",
        "absent -i first",
        "-i first",
        "ref -t wmt17 -l en-de -i first",
        "ref -i first -tok other",
        "ref -i first -w x",
        "ref -i first --paired-bs --paired-ar",
        "ref -i first --sub x",
        "-t wmt17 -i first",
        "-t other -l en-de -i first",
        "-t wmt17 -l en-xx -i first",
    ],
)
def test_what_is_refused(files, ours, theirs, arguments):
    assert ours(*arguments.split()) is theirs(*arguments.split()) is None


@pytest.mark.parametrize("options", ["", "-f text", "--paired-bs -pbsn 30 -f text", "-sl"])
@pytest.mark.parametrize("systems", [1, 3])
def test_standard_input(files, ours, theirs, options, systems):
    texts = [(files / name).read_text(encoding="utf-8").split("\n")[6:30] for name in ("first", "second", "third")]
    text = "".join("\t".join(row) + " \r\n" for row in zip(*texts[:systems], strict=True))
    references = (files / "ref").read_text(encoding="utf-8").split("\n")[6:30]
    (files / "short").write_text("\n".join(references), encoding="utf-8")
    assert ours("short", *options.split(), stdin=text) == theirs("short", *options.split(), stdin=text)
    assert ours("ref", stdin="a\nb\tc\n") is theirs("ref", stdin="a\nb\tc\n") is None
    (files / "empty line").write_text("\n")
    assert ours("empty line", stdin="") == theirs("empty line", stdin="")


def test_the_environment(files, ours, theirs, monkeypatch):
    monkeypatch.setenv("SACREBLEU_FORMAT", "TEXT")
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    for arguments in (["ref", "-i", "first", "-ci"], ["ref", *PAIR, "--paired-bs", "-pbsn", "30"]):
        assert ours(*arguments) == theirs(*arguments)


@pytest.mark.parametrize("arguments", ["ref -i first -ci -cin 9 -f text", "ref -i first second -pbs -pbsn 9 -f text"])
def test_colors(files, theirs, monkeypatch, capsys, arguments):
    monkeypatch.chdir(files)
    plain = theirs(*arguments.split())
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(their_utils.Color, "ENABLE_COLORS", True)
    options = command._parser().parse_args(arguments.split())
    (colored,) = results(options)
    assert "\x1b[36m" in colored
    assert click.unstyle(colored) + "\n" == plain
    if "-ci" in arguments:
        their_utils.print_single_results([click.unstyle(colored)], options)
        assert colored + "\n" == capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert list(results(options)) == [click.unstyle(colored)]
    monkeypatch.delenv("NO_COLOR")
    options.no_color = True
    assert list(results(options)) == [click.unstyle(colored)]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("ref -i first -m bleu chrf ter -f text", "-m chrf, -m ter"),
        ("ref -i first second -m chrf -cw 2 --chrf-lowercase", "-m chrf"),
        ("ref -i first -m ter --sentence-level", "-m ter"),
        ("ref -i first -m bleu ter -ci -cin 20 -w 3", "-m ter"),
        ("ref -i first -d", "--detail"),
        ("--list", "--list"),
        ("--list -t wmt17 -l en-de", "--list"),
    ],
)
def test_what_sacrebleu_computes(files, run, theirs, arguments, reason):
    status, out, err = run("sacrebleu", "-q", *arguments.split())
    assert (status, out) == (0, theirs(*arguments.split()))
    assert err == f"bleukit: {reason}: computed by sacreBLEU {version('sacrebleu')}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ref -i first -m chrf -i absent", "FileNotFoundError: [Errno 2] No such file or directory: 'absent'"),
        ("ref -i first first -m ter", "'first' already used to name a system. Make sure to have a different basename"),
        ("--echo src -t wmt17", "I need a language pair (-l)."),
        ("ref -i first -m chrf --chrf-word-order x", "argument --chrf-word-order/-cw: invalid int value: 'x'"),
    ],
)
def test_errors_of_sacrebleu_are_one_line(files, run, arguments, message):
    status, out, err = run("sacrebleu", *arguments.split())
    _, error = err.splitlines()
    assert (status, out) == (2, "")
    assert error.startswith("bleukit: error: sacreBLEU: ")
    assert message in error


@pytest.mark.parametrize(
    ("arguments", "needs"),
    [
        ("ref -i first -m chrf", "-m chrf: this needs sacreBLEU"),
        ("ref -i first second -f text", "tables of several systems need"),
        ("-t wmt17 -l en-de -i first", "-t: the test sets are sacreBLEU's"),
    ],
)
def test_what_needs_sacrebleu_names_the_extra(files, run, without_sacrebleu, arguments, needs):
    status, out, err = run("sacrebleu", *arguments.split())
    assert (status, out, err) == (2, "", f"bleukit: error: {needs}: pip install 'bleukit[sacrebleu]'\n")
    assert run("sacrebleu", "ref", *PAIR, "-q")[0] == 0


def test_test_sets_are_read_from_the_cache_of_sacrebleu(files, ours, theirs, monkeypatch):
    dataset = DATASETS["wmt17"]
    monkeypatch.setattr(type(dataset), "get_reference_files", lambda *_: [str(files / "ref")])
    for options in ("", "-tok none -f text", "-sl"):
        arguments = ["-t", "wmt17", "-l", "en-de", "-i", "first", *options.split()]
        assert ours(*arguments) == theirs(*arguments)
        assert json.loads(ours(*arguments[:6]))["name"] == "BLEU"
    arguments = ["-t", "wmt17,wmt18", "-l", "en-de", "-f", "text"]
    monkeypatch.setattr(type(DATASETS["wmt18"]), "get_reference_files", lambda *_: [str(files / "ref2")])
    (files / "long").write_bytes((files / "first").read_bytes() + (files / "second").read_bytes())
    assert ours(*arguments, "-i", "long") == theirs(*arguments, "-i", "long")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ref -i first -m bleurt", "invalid choice: 'bleurt'"),
        ("ref -i first --chrf-word-order 2", "unrecognized arguments: --chrf-word-order 2"),
        ("ref -i latin", "latin:1: is not utf-8: byte 0xab"),
        ("ref -i first -e other", "--encoding: unknown encoding 'other'"),
        ("ref -i short", "short has 2 lines, references 1 have 30"),
    ],
)
def test_errors(files, run, arguments, message):
    (files / "short").write_text("a\nb\n")
    (files / "latin").write_bytes("«\n".encode("latin-1"))
    status, out, err = run("sacrebleu", *arguments.split())
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_messages(files, run):
    status, _, err = run("sacrebleu", "ref", *PAIR, "--paired-ar", "-parn", "9")
    assert status == 0
    assert err.splitlines()[:2] == [
        "sacreBLEU: Found 2 systems.",
        "sacreBLEU: Pre-computing BLEU statistics for 'Baseline: first'",
    ]


def test_help(run):
    status, out, _ = run("sacrebleu", "-h")
    assert (status, out.startswith("usage: bleukit sacrebleu ")) == (0, True)
    assert max(map(len, out.splitlines())) <= 100
    assert run("sacrebleu", "-V")[:2] == (
        0,
        f"sacrebleu {__version__}\n",
    )
