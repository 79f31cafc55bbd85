"""Corpora whose texts end in hyphens, line feeds and spaces, and what Hugging Face's BLEU gives them.

Usage: python tests/recorded_evaluate.py FOLDER > tests/recorded_evaluate.txt, with ``evaluate`` installed. FOLDER holds
the files that ``evaluate.load("bleu")`` downloads: ``bleu.py`` and ``tokenizer_13a.py`` of metrics/bleu in
https://github.com/huggingface/evaluate, and nmt/scripts/bleu.py of https://github.com/tensorflow/nmt, as
``nmt_bleu.py``.
"""

import hashlib
import importlib
import json
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

RECORD = Path(__file__).with_suffix(".txt")
RECORDED = RECORD.read_text().splitlines()
SCORES = [line for line in RECORDED if not line.startswith("#")]
NUMBER = 5000
RAISES = "ZeroDivisionError"

_WORDS = ["the", "cat", "sat", "on", "a", "mat", "e-mail", "3.14", "1-2", "end.", "&quot;", "(so)"]
_SPACES = [" "] * 20 + ["  ", "\n", "-\n", " -\n", "-\n ", "-<skipped>\n"]
_ENDS = [
    "",
    "-",
    "\n",
    " ",
    "-\n",
    " -\n",
    "-\n ",
    "- \n",
    "-\n\n",
    "-\n-\n",
    "-\r\n",
    "5-\n",
    ".-\n",
    "\n-",
    "-\x0b\n",
]
_ENDS += ["-<skipped>\n", "-\n<skipped>", "<skipped>\n", "<skipped", "&amp;-\n", "-\u2028", "–\n", "-\n\u3000"]

Corpus: TypeAlias = "tuple[list[str], list[list[str]]]"


def corpora() -> Iterator[Corpus]:
    """Return the same corpora always: ``random()`` of a seed is what Python keeps the same in all versions."""
    random = Random(13).random

    def choose(items: list[str]) -> str:
        return items[int(random() * len(items))]

    def text(words: list[str]) -> str:
        changed = [choose(_WORDS) if random() < 0.1 else word for word in words]
        return "".join(word + choose(_SPACES) for word in changed[:-1]) + "".join(changed[-1:]) + choose(_ENDS)

    for _ in range(NUMBER):
        hypotheses, references = [], []
        for _ in range(1 + int(random() * 2)):
            words = [choose(_WORDS) for _ in range(int(random() * 12))]
            hypotheses.append(text(words))
            references.append([text(words) for _ in range(1 + int(random() * 2))])
        yield hypotheses, references


def checksum() -> str:
    """Return the SHA-256 of the corpora as JSON, a line each."""
    lines = (f"{json.dumps(corpus)}\n".encode() for corpus in corpora())
    return hashlib.sha256(b"".join(lines)).hexdigest()


def scores(compute: Callable[..., dict[str, Any]]) -> Iterator[str]:
    """Return the score of each corpus, of every other one with ``smooth=True``."""
    for number, (hypotheses, references) in enumerate(corpora()):
        try:
            score = compute(predictions=hypotheses, references=references, smooth=number % 2 == 1)["bleu"]
        except ZeroDivisionError:  # noqa: PERF203
            yield RAISES
        else:
            yield f"{score:.13g}"


def _main(folder: Path) -> None:
    import evaluate

    sys.path.insert(0, str(folder.parent))
    original = importlib.import_module(f"{folder.name}.bleu").Bleu()
    files = {name: (folder / name).read_bytes() for name in ("bleu.py", "tokenizer_13a.py", "nmt_bleu.py")}
    lines = [
        f"# python {Path(__file__).name} FOLDER: the scores of {NUMBER} corpora, every other one with smooth=True",
        f"# by evaluate {evaluate.__version__}, Python {platform.python_version()}; SHA-256:",
        *(f"# {name} {hashlib.sha256(content).hexdigest()}" for name, content in files.items()),
        f"# corpora {checksum()}",
        *scores(original.compute),
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    _main(Path(sys.argv[1]).resolve())
