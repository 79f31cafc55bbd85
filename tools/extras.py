"""Try each extra with its lowest and its newest versions, and what is said without it, in new environments.

``tox -c tools/tox.ini -e extras`` runs this: its arguments are a wheel, a folder to work in, and extras.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HYPOTHESIS, REFERENCE = ROOT / "examples/hypothesis.txt", ROOT / "examples/reference1.txt"
TRAINED = f"""
import sentencepiece
sentencepiece.SentencePieceTrainer.train(input={str(REFERENCE)!r}, model_prefix="small", vocab_size=60)
"""
COMPRESSED = f"""
try:
    from compression import zstd
except ImportError:
    from backports import zstd
open("text.zst", "wb").write(zstd.compress(open({str(HYPOTHESIS)!r}, "rb").read()))
"""
PREPARED = {"spm": TRAINED, "zstd": COMPRESSED}
"""What Python runs before, if the extra is installed."""

COMMANDS = {
    "arrow": ["bleukit", "score", "-r", REFERENCE, HYPOTHESIS, "-o", "scores.parquet"],
    "conformance": ["python", "-m", "pytest", "--pyargs", "bleukit.conformance", "-k", "wikipedia"],
    "ja": ["bleukit", "tokenize", "-V", "sacrebleu-ja", HYPOTHESIS],
    "ko": ["bleukit", "tokenize", "-V", "sacrebleu-ko", HYPOTHESIS],
    "sacrebleu": ["bleukit", "sacrebleu", REFERENCE, "-i", HYPOTHESIS, "-m", "chrf"],
    "spark": ["bleukit", "score", "--engine", "spark", "-r", REFERENCE, HYPOTHESIS],
    "spm": ["bleukit", "tokenize", "--set", "tokenizer={name: spm, model: small.model}", HYPOTHESIS],
    "zstd": ["bleukit", "score", "-r", REFERENCE, "text.zst"],
}
"""What needs each extra."""


def run(folder, *command):
    """Run a program of the environment in a folder; return its status and output."""
    search = os.pathsep.join([str(folder / "environment/bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": search, "VIRTUAL_ENV": str(folder / "environment")}
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def environment(folder, python, wheel, *options):
    """Make an environment with the wheel and its requirements."""
    folder.mkdir(parents=True)
    for command in (
        ["venv", "--quiet", "--python", python, "environment"],
        ["pip", "install", "--quiet", "--requirements", ROOT / "pyproject.toml", *options],
        ["pip", "install", "--quiet", "--no-deps", wheel],
    ):
        status, output = run(folder, "uv", *command)
        if status:
            sys.exit(f"{folder.name}: {output}")


def main():
    """Try all extras; end with those that fail."""
    wheel, work = map(Path, sys.argv[1:3])
    commands = {extra: COMMANDS[extra] for extra in sys.argv[3:] or COMMANDS}
    shutil.rmtree(work, ignore_errors=True)
    failed = []

    def check(name, expected, status, output):
        done = expected(status, output)
        print(f"{name}: {'as expected' if done else f'status {status}: {output}'}", flush=True)
        failed.extend([] if done else [name])

    environment(work / "without", sys.executable, wheel)
    for extra, command in commands.items():
        if extra != "zstd" or sys.version_info < (3, 14):
            (work / "without/text.zst").touch()
            words = "No module named pytest" if extra == "conformance" else "pip install"
            check(f"without {extra}", lambda s, o, words=words: s and words in o, *run(work / "without", *command))
    oldest = shutil.which("python3.10") or sys.executable
    for extra, command in commands.items():
        if extra == "spark" and not shutil.which("java"):
            print("spark: not tried, because Java is not installed")
            continue
        for resolution, python in (("lowest-direct", oldest), ("highest", sys.executable)):
            folder = work / f"{extra}-{resolution}"
            environment(folder, python, wheel, "--extra", extra, "--resolution", resolution)
            if extra in PREPARED:
                run(folder, "python", "-c", PREPARED[extra])
            check(folder.name, lambda status, _: status == 0, *run(folder, *command))
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
