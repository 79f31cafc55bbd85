"""Corpora whose texts end in hyphens, line feeds and spaces, and the scores that Hugging Face's BLEU gives them.

``tools/record_evaluate.py`` records the scores.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TypeAlias

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
    """Yield the corpora, always the same: all versions of Python give the same ``random()`` for a seed."""
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
    """Return the SHA-256 of the corpora, written as one line of JSON each."""
    lines = (f"{json.dumps(corpus)}\n".encode() for corpus in corpora())
    return hashlib.sha256(b"".join(lines)).hexdigest()
