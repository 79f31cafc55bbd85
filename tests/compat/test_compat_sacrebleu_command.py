"""``bleukit sacrebleu`` beside the command of sacreBLEU: the same output, byte for byte."""

import gzip
import random
import subprocess
import sys

import pytest

WORDS = ["The", "a", "cat", "dog.", "sat", "on", "mats,", "quick", "foxes", "«jump»", "über", "1.5", "it's", "."]


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


def in_process(arguments, folder, stdin=b""):
    ended = subprocess.run([sys.executable, *arguments], cwd=folder, input=stdin, capture_output=True, check=False)
    return ended.returncode, ended.stdout, ended.stderr


SACREBLEU = ("-c", "from sacrebleu.sacrebleu import main; main()")


@pytest.fixture
def both(files, run):
    """Run bleukit's command, and sacreBLEU's in a process; return the status, the output and the messages of each."""

    def call(arguments):
        status, out, err = run("sacrebleu", *arguments.split())
        return (status, out.encode(), err.encode()), in_process([*SACREBLEU, *arguments.split()], files)

    return call


@pytest.mark.parametrize(
    "arguments",
    [
        "ref ref2 -i first -f text -q",
        "ref.gz -i first -b -w 4",
        "ref -i third -lc -tok intl -s floor -sv 0.5 -f latex -sh",
        "ref -i third -s none -tok char -f json -sh -q",
        "ref ref2 -i third -sl -b -w 5 -s add-k",
        "both -nr 2 -i second -f text -l en-zh",
        "ref -i first --confidence -cin 50",
        "ref -i first second third first --paired-bs -pbsn 60",
        "ref -i first second third -par -parn 60 -f text -sh -s add-k",
        "ref ref2 -i latin third -e latin-1 -f latex --force",
        "ref -i first -m bleu chrf ter -f text",
        "ref ref2 -i second -m ter chrf --chrf-word-order 2 --chrf-lowercase -f json -sh",
        "ref -i first -m chrf ter --chrf-whitespace --chrf-eps-smoothing --ter-normalized --confidence -cin 40",
        "ref ref2 -i first -m ter -sl --ter-asian-support --ter-no-punct --ter-case-sensitive -f text",
        "ref -i first second third -m bleu chrf ter -par -parn 60 -f text",
        "ref ref2 -i first second third -m ter chrf -pbs -pbsn 60 -f latex",
        "--list -t wmt17 -l en-de",
    ],
)
def test_output_and_messages(both, arguments):
    ours, theirs = both(arguments)
    assert ours == theirs
    assert ours[0] == 0
    assert ours[1]


@pytest.mark.parametrize("systems", [1, 3])
def test_standard_input(files, systems):
    texts = [(files / name).read_text(encoding="utf-8").split("\n")[6:30] for name in ("first", "second", "third")]
    text = "".join("\t".join(row) + " \r\n" for row in zip(*texts[:systems], strict=True))
    references = (files / "ref").read_text(encoding="utf-8").split("\n")[6:30]
    (files / "short").write_text("\n".join(references), encoding="utf-8")
    commands = ["-m", "bleukit", "sacrebleu"], SACREBLEU
    ours, theirs = (in_process([*command, "short"], files, text.encode()) for command in commands)
    assert ours == theirs
    assert ours[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ref -i latin", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xab"),
        ("both --num-refs 3 -i second", "FATAL: line 1: expected 3 fields, but found 2."),
        ("ref -i first first", "'first' already used to name a system. Make sure to have a different basename"),
        ("ref -i first second -ci", "Use paired tests (--paired) for multiple systems."),
        ("ref -i absent", "FileNotFoundError: [Errno 2] No such file or directory: 'absent'"),
        ("-i first", "Otherwise, I need a predefined test set (-t)"),
        ("ref -i first -tok other", "invalid choice: 'other'"),
        ("ref -i first -w x", "argument --width/-w: invalid int value: 'x'"),
        ("-t wmt17 -l en-xx -i first", "No such language pair 'en-xx'"),
    ],
)
def test_errors_of_sacrebleu_are_one_line(both, arguments, message):
    (status, out, err), theirs = both(arguments)
    assert (status, out) == (2, b"")
    assert theirs[0] > 0
    assert err.decode().startswith("bleukit: error: sacreBLEU: ")
    assert message in err.decode()
    assert err.count(b"\n") == 1


def test_metrics_are_counted_by_bleukit(files):
    code = """
from bleukit.compat.sacrebleu.metrics import BLEU, CHRF, TER
from bleukit.compat.sacrebleu.sacrebleu import main
BLEU._counted, CHRF._counted, TER._counted = (lambda *_, length=length, **__: [[9] * length] for length in (10, 18, 2))
main()
"""
    command = [sys.executable, "-c", code, "ref", "-i", "third", "-b", "-m", "bleu", "chrf", "ter", "-f", "text"]
    assert subprocess.run(command, cwd=files, capture_output=True, check=True).stdout == b"100.0\n" * 3
