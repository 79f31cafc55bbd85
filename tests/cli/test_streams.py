"""What the command reads and writes: real processes, pipes, signals, full disks and closed streams."""

import gzip
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

BLEUKIT = f"'{sys.executable}' -m bleukit"
HYPOTHESIS = "the cat sat on a mat .\ndogs bark\nit rains today\n"
REFERENCE = "the cat sat on the mat .\nall dogs bark\nit rains\n"
LONG = 30_000
"""Lines that fill any buffer on the way."""


@pytest.fixture
def long(tmp_path):
    """Make a file of LONG lines."""
    (tmp_path / "long").write_text("".join(f"{number} a b c\n" for number in range(LONG)))


@pytest.fixture
def files(tmp_path):
    """Make small files."""
    (tmp_path / "hyp").write_text(HYPOTHESIS)
    (tmp_path / "ref").write_text(REFERENCE)
    (tmp_path / "docs").write_text("x\nx\ny\n")


@pytest.fixture
def bleukit(run, files):
    """Run the command with the words of a line, in this process, in a folder with small files."""
    return lambda line: run(*shlex.split(line))


@pytest.fixture
def shell(tmp_path, files, long):
    """Run a line of bash in a folder with small files; ``bleukit`` in it is the command.

    Returns (exit status, standard output, standard error).
    """

    def shell(line, **environment):
        done = subprocess.run(
            ["bash", "-c", f'bleukit() {{ {BLEUKIT} "$@"; }}\n{line}'],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
            timeout=120,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return shell


@pytest.fixture
def start(tmp_path):
    """Start the command itself, with pipes."""
    started = []

    def start(*arguments, **options):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen([sys.executable, "-m", "bleukit", *arguments], cwd=tmp_path, **{**pipes, **options})
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


class TestOutputIsWhole:
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_or_a_full_device_ends_the_command(self, shell, unbuffered):
        status, _, err = shell("bleukit tokenize long > /dev/full", PYTHONUNBUFFERED=unbuffered)
        assert (status, err) == (2, "bleukit: error: cannot write: No space left on device\n")

    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_or_the_limit_of_a_files_size_ends_the_command(self, shell, unbuffered):
        status, _, err = shell("ulimit -f 100; bleukit tokenize long > out", PYTHONUNBUFFERED=unbuffered)
        assert (status, err) == (2, "bleukit: error: cannot write: File too large\n")

    @pytest.mark.parametrize("where", ["> full/out", "-o full/out"])
    def test_or_a_full_disk_ends_the_command(self, shell, tmp_path, where):
        (tmp_path / "full").mkdir()
        mount = "mount -t tmpfs -o size=64k none full"
        if shell(f"unshare -rm {mount}")[0]:
            pytest.skip("no right to mount a file system")
        script = f"{mount}\n{BLEUKIT} tokenize long {where}\nstatus=$?\nls -A full\nexit $status"
        (tmp_path / "script").write_text(script)
        status, out, err = shell("unshare -rm bash script", PYTHONUNBUFFERED="1")
        assert (status, out) == (2, "out\n" if ">" in where else "")
        assert err.endswith(": No space left on device\n")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("unbuffered", ["", "1"])
    @pytest.mark.usefixtures("long")
    def test_through_a_pipe_that_does_not_block(self, start, unbuffered):
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        process = start("tokenize", "long", stdout=writing, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
        os.close(writing)
        time.sleep(1)  # so that the pipe is full
        with os.fdopen(reading, "rb") as pipe:
            assert pipe.read().count(b"\n") == LONG
        assert process.wait() == 0

    def test_of_a_command_whose_standard_output_is_closed(self, shell):
        assert shell("bleukit tokenize hyp >&-") == (2, "", "bleukit: error: cannot write: standard output is closed\n")
        assert shell("bleukit tokenize hyp -o out >&- && cat out") == (0, HYPOTHESIS, "")

    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_or_its_reader_has_had_enough(self, shell, unbuffered):
        line = "bleukit tokenize long | head -1; exit ${PIPESTATUS[0]}"
        assert shell(line, PYTHONUNBUFFERED=unbuffered) == (128 + signal.SIGPIPE, "0 a b c\n", "")

    def test_or_it_would_feed_itself(self, shell):
        assert shell("bleukit tokenize hyp >> hyp") == (2, "", "bleukit: error: hyp: is read, and written to as well\n")
        assert shell("bleukit tokenize hyp -o hyp") == (2, "", "bleukit: error: hyp: is read, and written to as well\n")


class TestOutputFile:
    def test_is_replaced_only_by_a_whole_one(self, shell, tmp_path):
        (tmp_path / "out").write_text("before")
        (tmp_path / "out").chmod(0o640)
        for line in ("bleukit tokenize hyp nothing -o out", "ulimit -f 100; bleukit tokenize long -o out"):
            assert shell(line)[:2] == (2, "")
            assert (tmp_path / "out").read_text() == "before"
        names = {path.name for path in tmp_path.iterdir()}
        assert shell("bleukit tokenize hyp -o out") == (0, "", "")
        assert (tmp_path / "out").read_text() == HYPOTHESIS
        assert (tmp_path / "out").stat().st_mode & 0o777 == 0o640
        assert {path.name for path in tmp_path.iterdir()} == names

    def test_is_made_as_the_user_wants_new_files(self, shell, tmp_path):
        assert shell("umask 027; bleukit tokenize hyp -o out")[0] == 0
        assert (tmp_path / "out").stat().st_mode & 0o777 == 0o640

    def test_may_be_what_a_link_leads_to(self, shell, tmp_path):
        (tmp_path / "out").write_text("before")
        (tmp_path / "link").symlink_to("out")
        assert shell("bleukit tokenize hyp -o link")[0] == 0
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "out").read_text() == HYPOTHESIS

    def test_may_be_a_pipe_or_a_stream(self, shell):
        for target in ("-", "/dev/stdout", ">(cat)"):
            assert shell(f"bleukit tokenize hyp -o {target}; wait $!") == (0, HYPOTHESIS, "")
        assert shell("bleukit tokenize hyp -o /dev/full")[2].endswith(
            "/dev/full: cannot be written: No space left on device\n"
        )

    @pytest.mark.parametrize(
        ("target", "message"), [("nowhere/out", "No such file or directory"), (".", "Is a directory")]
    )
    def test_that_cannot_be_written_is_an_error(self, bleukit, target, message):
        assert bleukit(f"tokenize hyp -o {target}") == (
            2,
            "",
            f"bleukit: error: {target}: cannot be written: {message}\n",
        )


@pytest.mark.parametrize(
    ("command", "redirections"),
    [
        ("score -r ref nothing", ["2>&-", "2>/dev/full", "2> >(true)"]),
        ("score -r ref - < hyp", ["2>&-"]),
        ("score -r long long", ["2>&-"]),
        ("explain -V nltk -V coco -r ref hyp", ["2>&-"]),
        ("tokenize long", ["2>&-"]),
        ("score", ["2>&-"]),
    ],
)
def test_standard_error_changes_no_result(shell, command, redirections):
    expected = shell(f"bleukit {command}")
    for redirection in redirections:
        assert shell(f"bleukit {command} {redirection}")[:2] == expected[:2]


WAYS = {
    "/dev/fd/63": "<(cat {})",
    "fifo": "fifo",
    "/dev/stdin": "/dev/stdin < {}",
    "/dev/fd/0": "/dev/fd/0 < <(cat {})",
    "-": "- < {}",
}


@pytest.mark.oldest
@pytest.mark.parametrize(
    ("command", "name", "ways"),
    [
        ("score -q -r ref {}", "hyp", list(WAYS)),
        ("score -q hyp -r {}", "ref", list(WAYS)[:1]),
        ("score -r ref hyp --documents {}", "docs", list(WAYS)[:1]),
        ("score -r ref hyp -c {}", "variant.yaml", list(WAYS)[:2]),
        ("identify --score 46.39 -r ref {}", "hyp", list(WAYS)[:1]),
        ("explain -V nltk -V sacrebleu hyp -r {}", "ref", list(WAYS)[:1]),
        ("tokenize {}", "hyp", list(WAYS)[-2:]),
    ],
)
def test_everything_can_be_read_from_a_pipe(shell, bleukit, tmp_path, command, name, ways):
    (tmp_path / "variant.yaml").write_text("variant: sacrebleu\n")
    expected = bleukit(command.format(name))
    assert expected[0] == 0
    for way in ways:
        feeding = f"mkfifo fifo; cat {name} > fifo & " if way == "fifo" else ""
        status, out, err = shell(feeding + "bleukit " + command.format(WAYS[way].format(name)))
        assert (status, out.replace(f" {way}", f" {name}"), err) == expected


WRITING = """
import sys
with open(sys.argv[1], "w", buffering=1 << 19) as a, open(sys.argv[2], "w", buffering=1) as b:
    for number in range(30_000):
        a.write(f"{number} the cat sat on the mat\\n")
        b.write(f"{number} the cat sat on a mat\\n")
"""


@pytest.mark.oldest
@pytest.mark.parametrize("order", ["a b", "b a"])
def test_one_program_may_write_to_several_pipes(shell, order):
    write = f"'{sys.executable}' -c '{WRITING}' {order}"
    status, out, err = shell(f"mkfifo a b; {write} & timeout 20 {BLEUKIT} score -q -r a b; got=$?; kill %1; exit $got")
    assert (status, float(out or 0) > 0) == (0, True), err


@pytest.mark.parametrize("arguments", ["- -", "/dev/stdin -", "/dev/stdin /dev/fd/0", "fifo fifo"])
def test_what_can_be_read_only_once_is_not_read_twice(shell, arguments):
    status, out, err = shell(f"mkfifo -m 600 fifo; cat ref | bleukit score -r {arguments}")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "can be read only once" in err


def test_standard_input_that_does_not_block_is_read_to_its_end(start):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    process = start("tokenize", stdin=reading)

    def write():
        with os.fdopen(writing, "wb") as pipe:
            for line in HYPOTHESIS.encode().splitlines(keepends=True):
                pipe.write(line)
                pipe.flush()
                time.sleep(0.5)

    thread = threading.Thread(target=write)
    thread.start()
    out, err = process.communicate(timeout=60)
    thread.join()
    os.close(reading)
    assert (process.returncode, out.decode(), err) == (0, HYPOTHESIS, b"")


def test_tokens_are_printed_as_lines_come_in(start):
    process = start("tokenize")
    for line in (b"a,b\n", b"c d\n"):
        process.stdin.write(line)
        process.stdin.flush()
        assert process.stdout.readline() == line.replace(b",", b" , ")


INTERRUPTING = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize(
    "module", ["bleukit", "bleukit.framework.version", "bleukit.cli.interrupts", "ast", "click",
               "click.core", "bleukit.cli.score", "pluggy", "numpy", "numpy.linalg", "msgspec", "yaml",
               "bleukit.built_in.nltk", "bleukit.built_in.sacrebleu.tokenizers", "bleukit.reading.corpora"],
)  # fmt: skip
def test_an_interrupt_while_modules_are_imported_ends_quietly(shell, tmp_path, module):
    (tmp_path / "interrupting.py").write_text(INTERRUPTING)
    code = "import interrupting; from bleukit_command import main; main()"
    imports = "-V nltk --set tokenizer=13a --documents docs"  # YAML, plugins, numpy
    line = f"exec '{sys.executable}' -c '{code}' score -r ref hyp {imports}"
    assert shell(line, INTERRUPT_AT=module, PYTHONPATH=str(tmp_path)) == (130, "", "")


def test_a_temporary_folder_that_is_full_is_reported(shell):
    line = "ulimit -f 1000; bleukit score --level sentence --format json -r long long"
    error = "bleukit: error: a temporary file cannot be written (TMPDIR chooses its folder): File too large\n"
    assert shell(line) == (2, "", error)


def test_what_a_killed_command_leaves_is_removed_by_the_next(start, shell, tmp_path):
    os.mkfifo(tmp_path / "slow")
    process = start("score", "-r", "slow", "hyp", "-o", "out.txt")
    with (tmp_path / "slow").open("w"):
        while not (left := list(tmp_path.glob(".bleukit-*"))):
            time.sleep(0.05)
        os.utime(left[0], (0, 0))
        assert shell("bleukit score -r ref hyp -o other.txt")[0] == 0
        assert left[0].exists()  # whoever writes it is alive
        process.kill()
        process.wait()
    (tmp_path / ".bleukit-notes").touch()
    os.utime(tmp_path / ".bleukit-notes", (0, 0))
    assert left[0].exists()
    assert shell("bleukit score -r ref hyp -o other.txt")[0] == 0
    assert [path.name for path in tmp_path.glob(".bleukit-*")] == [".bleukit-notes"]


def test_an_interrupt_that_is_lost_ends_the_command(shell, tmp_path):
    swallowing = INTERRUPTING.replace("os.kill(os.getpid(), signal.SIGINT)", "self.swallow()")
    swallow = """
    def swallow(self):
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            while True:
                pass
"""
    (tmp_path / "interrupting.py").write_text(swallowing.replace("\n\nsys", f"\n{swallow}\nsys"))
    line = f"exec '{sys.executable}' -c 'import interrupting; from bleukit.cli import main; main()' score -r ref hyp"
    assert shell(line, INTERRUPT_AT="bleukit.cli.score", PYTHONPATH=str(tmp_path)) == (130, "", "")


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (signal.SIGINT, ["score", "-r", "endless", "endless2"]),
        (signal.SIGINT, ["score", "-V", "matlab", "--threads", "4", "-r", "endless", "endless2"]),
        (signal.SIGINT, ["tokenize", "endless", "-o", "out"]),
        (signal.SIGTERM, ["tokenize", "endless", "-o", "out"]),
        (signal.SIGINT, ["identify", "--score", "1", "-r", "long", "long"]),
        (signal.SIGINT, ["conform", "-V", "nltk"]),
        (signal.SIGTERM, ["conform", "-V", "nltk"]),
    ],
)
def test_an_interrupt_ends_quietly_and_leaves_nothing_behind(start, shell, tmp_path, number, arguments):
    feeding = []
    for name in ("endless", "endless2"):
        if name in arguments:
            os.mkfifo(tmp_path / name)
            feeding.append(subprocess.Popen(["bash", "-c", f"exec yes the cat sat > {name}"], cwd=tmp_path))
    names = set(tmp_path.iterdir())
    process = start(*arguments)
    time.sleep(1)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (out, err) == (b"", b"")
    assert process.returncode in {128 + number, -number}  # the latter if C code has seen it first
    assert set(tmp_path.iterdir()) == names
    for each in feeding:
        each.kill()
        each.wait()


MEASURE = """
import os, sys

process = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-m", "bleukit", *sys.argv[1:]])
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def peak(folder, *arguments):
    """Return the exit status of the command, what it prints on standard error, and its peak memory in MiB.

    A small process starts it, because a process that is forked has at least the peak of the one that forks it.
    """
    starting = [sys.executable, "-S", "-c", MEASURE, *arguments]
    done = subprocess.run(starting, cwd=folder, capture_output=True, text=True, check=True)
    status, memory = map(int, done.stdout.split())
    return status, done.stderr, memory / (1 << (20 if sys.platform == "darwin" else 10))


def zipped(path, *pieces):
    """Write a gzip file of pieces, each with the number of its repetitions."""
    path.write_bytes(b"".join(gzip.compress(piece, 1) * times for piece, times in pieces))


class TestLimits:
    def test_a_line_that_fills_the_memory_is_refused_early(self, tmp_path):
        zipped(tmp_path / "bomb.gz", (b"0" * (1 << 20), 1 << 9))
        status, err, memory = peak(tmp_path, "score", "-r", "bomb.gz", "bomb.gz")
        assert (status, memory < 250) == (2, True)
        assert err == "bleukit: error: bomb.gz:1: the line has more than 16,777,216 characters, the limit 'line'\n"

    @pytest.mark.oldest
    @pytest.mark.parametrize("first", [True, False])
    def test_files_of_unequal_length_are_not_read_to_the_end(self, tmp_path, first):
        (tmp_path / "one").write_text("a\n")
        os.mkfifo(tmp_path / "endless")
        feeding = subprocess.Popen(["bash", "-c", "exec yes '' > endless"], cwd=tmp_path, stderr=subprocess.DEVNULL)
        status, err, memory = peak(tmp_path, "score", "-r", *(("one", "endless") if first else ("endless", "one")))
        feeding.kill()
        feeding.wait()
        assert (status, memory < 250) == (2, True)
        assert "one has 1 line" in err
        assert "endless has more than " in err

    @pytest.mark.parametrize(
        ("name", "pieces", "message"),
        [
            ("set.xml", [b"<seg>"], ":1: is nested deeper than 100 levels"),
            ("set.sgm", [b"<seg>"], ": the evaluation set has more than 20,000 segments"),
            ("set.xml", [b"<seg/>"], ": the evaluation set has more than 20,000 segments"),
            ("set.sgm", [b"<seg>", b"x" * 100], ":1: this <seg> has more than 2,097,152 characters"),
            ("set.xml", [b"<seg>", b"x" * 100], ":1: this <seg> has more than 2,097,152 characters"),
            ("set.sgm", [b"<seg ", b"x" * 100], ":1: this tag has more than 2,097,152 characters"),
            ("set.xml", [b"<seg ", b"x" * 100], ":1: this markup has more than 2,097,152 characters"),
            ("set.xml", None, ":1: has more than 10,000 names of elements and attributes"),
            ("set.sgm", [b"\n" * 100], ": the evaluation set has more than 8,388,608 characters"),
            ("set.xml", [b"\n" * 100], ": the evaluation set has more than 8,388,608 characters"),
        ],
    )
    def test_an_evaluation_set_is_bounded(self, tmp_path, name, pieces, message):
        *begin, repeated = pieces or [b"".join(b"<a%d/>" % number for number in range(80_000))]
        content = b'<tstset><doc docid="d">' + b"".join(begin)
        megabyte = repeated * (1_000_000 // len(repeated))
        zipped(tmp_path / f"{name}.gz", (content, 1), (megabyte, 30))
        limits = [f"--limit={limit}" for limit in ("text=8M", "line=2M", "segments=20000")]
        status, err, memory = peak(tmp_path, "tokenize", f"{name}.gz", *limits)
        assert (status, memory < 100) == (2, True)
        assert err.startswith(f"bleukit: error: {name}.gz{message}")
        assert err.count("\n") == 1

    def test_limits_are_options(self, bleukit, tmp_path):
        (tmp_path / "set.sgm").write_text('<tstset><doc docid="d"><seg>a</seg><seg>b</seg></doc></tstset>')
        for limit, file, message in (
            ("line=10", "hyp", "hyp:1: the line has more than 10 characters, the limit 'line'"),
            ("segments=1", "set.sgm", "set.sgm: the evaluation set has more than 1 segments, the limit 'segments'"),
            ("text=10", "set.sgm", "set.sgm: the evaluation set has more than 10 characters, the limit 'text'"),
        ):
            assert bleukit(f"tokenize --limit {limit} {file}") == (2, "", f"bleukit: error: {message}\n")
        assert bleukit("explain -V nltk -V coco -r ref hyp --limit segments=2")[0] == 2
        assert bleukit("tokenize hyp --limit line=1K --limit segments=2") == (0, HYPOTHESIS, "")
        for wrong in ("line", "line=-1", "lines=1"):
            assert f"--limit': {wrong!r}: expected NAME=NUMBER" in bleukit(f"tokenize hyp --limit {wrong}")[2]


class TestUnusualFiles:
    def test_nul_characters_are_warned_of(self, bleukit, tmp_path):
        (tmp_path / "text").write_bytes(HYPOTHESIS.replace("bark", "b\0rk").encode())
        status, out, err = bleukit("score -r ref text")
        assert (status, bool(out), err) == (0, True, "bleukit: warning: text:2: holds a NUL\n")

    def test_nul_characters_of_evaluation_sets_are_warned_of(self, bleukit, tmp_path):
        head = '<{0}set setid="s">\n<doc docid="d">'
        for kind, text in (("ref", "a b\0"), ("tst", "a b")):
            (tmp_path / f"{kind}.sgm").write_text(f"{head.format(kind)}<seg id=1>{text}</seg></doc></{kind}set>")
        status, out, err = bleukit("score -r ref.sgm tst.sgm")
        assert (status, bool(out), err) == (0, True, "bleukit: warning: ref.sgm:2: holds a NUL\n")

    def test_names_that_are_not_utf8(self, shell):
        status, out, err = shell(r"cp hyp $'h\xff'; bleukit score -r ref $'h\xff' hyp; bleukit score -r ref $'n\xff'")
        assert r"h\udcff  46.39" in out
        assert (status, err) == (2, "bleukit: error: n\\udcff: no such file\n")

    def test_statistics_of_files_whose_names_are_not_utf8(self, shell):
        score = r"bleukit score -r ref $'h\xff' --statistics $'k\xff.jsonl' -q"
        status, out, err = shell(rf"cp hyp $'h\xff'; {score}; {score}; bleukit merge -q $'k\xff.jsonl'")
        assert (status, out, err) == (0, "46.39\n" * 3, "")

    @pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="nothing is forbidden to root")
    def test_files_that_may_not_be_read(self, shell):
        line = "chmod 0 hyp; bleukit tokenize hyp"
        assert shell(line) == (2, "", "bleukit: error: hyp: cannot be read: Permission denied\n")

    @pytest.mark.oldest
    @pytest.mark.usefixtures("long")
    def test_a_file_that_changes_while_it_is_read(self, start, tmp_path):
        os.mkfifo(tmp_path / "slow")
        process = start("score", "-r", "slow", "long")
        with (tmp_path / "slow").open("w") as slow:
            slow.write("1 a b c\n" * 10_000)
            slow.flush()
            time.sleep(2)
            with (tmp_path / "long").open("a") as long:
                long.write("more\n")
            slow.write("1 a b c\n" * (LONG - 9_999))
        out, err = process.communicate()
        assert (process.returncode, out, err) == (2, b"", b"bleukit: error: long: changed while it was read\n")

    @pytest.mark.parametrize("command", ["score -r text", "tokenize", "explain -V nltk -V coco -r text"])
    def test_an_evaluation_set_by_another_name(self, bleukit, tmp_path, command):
        (tmp_path / "text").write_text('<refset setid="s">\n<doc docid="d"><seg id="1">x</seg></doc></refset>')
        message = "text: is an evaluation set, not one segment a line; its name must end in .sgm, .sgml or .xml"
        assert bleukit(f"{command} text") == (2, "", f"bleukit: error: {message}\n")


EXAMPLES = Path(__file__).parents[2] / "examples"


class TestOneReader:
    """Every command reads evaluation sets as score does."""

    def test_entities_are_replaced_as_often_as_score_does(self, bleukit, tmp_path):
        """13a replaces them itself, all but numeric ones, one after the other; what splits at blanks does not."""
        texts = {"ref": "x a b c &lt; e &#65; f", "tst": "x a b c &amp;amp;lt; e &amp;#65; f"}
        for kind, text in texts.items():
            inside = f'<doc docid="d"><seg id="1">{text}</seg></doc>'
            (tmp_path / f"{kind}.sgm").write_text(f'<{kind}set setid="s">{inside}</{kind}set>')
        read = "-r ref.sgm tst.sgm"
        scores = {name: bleukit(f"score -q -w 9 -V {name} {read}")[1].strip() for name in ("nltk", "sacrebleu")}
        for first, second in (("nltk", "sacrebleu"), ("sacrebleu", "nltk")):
            found = json.loads(bleukit(f"explain -V {first} -V {second} {read} -o - --format json")[1])["scores"]
            in_points = {name: float(scores[name]) * (100 if name == "nltk" else 1) for name in scores}
            assert found == pytest.approx([in_points[first], in_points[second]], abs=1e-6)
        for name, score in scores.items():
            found = json.loads(bleukit(f"identify --score {score} {read} --format json")[1])
            assert name in [each["words"] for answer in found["answers"] for each in answer["same_score"]]

    def test_identify_finds_what_score_gives_and_prints_the_command(self, bleukit):
        sets = f"-r {EXAMPLES}/reference.sgm#second {EXAMPLES}/systems.sgm#contrast"
        score = bleukit(f"score -q -w 12 -V nltk {sets}")[1].strip()
        status, out, _ = bleukit(f"identify --score {score} {sets}")
        assert status == 0
        command = out.splitlines()[-1].removeprefix("To reproduce: ")
        assert command.endswith(f"-r '{EXAMPLES}/reference.sgm#second' '{EXAMPLES}/systems.sgm#contrast'")
        assert bleukit(f"{command.removeprefix('bleukit ')} -q -w 12")[1].strip() == score

    def test_explain_has_the_scores_that_score_gives(self, bleukit):
        sets = f"-r {EXAMPLES}/reference.sgm {EXAMPLES}/systems.sgm#contrast"
        names = ("nltk", "sacrebleu")
        scores = [bleukit(f"score -q -w 17 --set scale=100 -V {name} {sets}")[1].strip() for name in names]
        data = json.loads(bleukit(f"explain --format json -V nltk -V sacrebleu {sets}")[1])
        assert data["scores"] == [pytest.approx(float(score), rel=1e-12) for score in scores]

    def test_tokenize_shows_the_segments(self, bleukit, tmp_path):
        text = '<tstset sysid="{}"><doc docid="d"><seg>{} &amp; b</seg></doc></tstset>'
        (tmp_path / "set.sgm").write_text(text.format("one", "a") + text.format("two", "c"))
        assert bleukit("tokenize -V nltk set.sgm") == (0, "a & b\nc & b\n", "")
        assert bleukit("tokenize 'set.sgm#two'") == (0, "c & b\n", "")
        assert bleukit("tokenize 'set.sgm#no'")[2] == "bleukit: error: set.sgm: holds no segment of 'no'\n"

    def test_several_systems_where_one_is_wanted_are_named(self, bleukit, monkeypatch):
        monkeypatch.chdir(EXAMPLES)
        (status, out, err), sets = bleukit("identify --score 1 -r reference.sgm systems.sgm"), ""
        choices = "systems.sgm#baseline, systems.sgm#contrast"
        assert (status, out, err) == (2, sets, f"bleukit: error: systems.sgm: holds 2 systems; choose one: {choices}\n")

    def test_a_name_that_is_not_there_is_reported(self, bleukit, monkeypatch):
        monkeypatch.chdir(EXAMPLES)
        err = bleukit("score -r 'reference.sgm#third' systems.sgm")[2]
        assert err == "bleukit: error: reference.sgm: holds no reference 'third'; it holds 'first', 'second'\n"
