"""Record the scores that Hugging Face's BLEU gives the corpora of ``tests/recorded_evaluate.py``.

Usage: ``python tools/record_evaluate.py FOLDER > tests/recorded_evaluate.txt``, with ``evaluate`` installed. FOLDER
holds the files that ``evaluate.load("bleu")`` downloads: ``bleu.py`` and ``tokenizer_13a.py`` of metrics/bleu in
https://github.com/huggingface/evaluate, and nmt/scripts/bleu.py of https://github.com/tensorflow/nmt, as
``nmt_bleu.py``.
"""

import hashlib
import importlib
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import recorded_evaluate


def scores(compute):
    """Yield the score of each corpus; every other corpus is scored with ``smooth=True``."""
    for number, (hypotheses, references) in enumerate(recorded_evaluate.corpora()):
        try:
            score = compute(predictions=hypotheses, references=references, smooth=number % 2 == 1)["bleu"]
        except ZeroDivisionError:  # noqa: PERF203
            yield recorded_evaluate.RAISES
        else:
            yield f"{score:.13g}"


def main(folder):
    """Print the record."""
    import evaluate

    sys.path.insert(0, str(folder.parent))
    original = importlib.import_module(f"{folder.name}.bleu").Bleu()
    files = {name: (folder / name).read_bytes() for name in ("bleu.py", "tokenizer_13a.py", "nmt_bleu.py")}
    number = recorded_evaluate.NUMBER
    lines = [
        f"# python {Path(__file__).name} FOLDER: the scores of {number} corpora, every other one with smooth=True",
        f"# by evaluate {evaluate.__version__}, Python {platform.python_version()}; SHA-256:",
        *(f"# {name} {hashlib.sha256(content).hexdigest()}" for name, content in files.items()),
        f"# corpora {recorded_evaluate.checksum()}",
        *scores(original.compute),
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
