"""Compare bleukit with the BLEU that the WMT22 general task published: ``python benchmarks/published.py FOLDER``.

FOLDER holds ``published-bleu.tsv``, ``references/`` and ``system-outputs/`` as in the task's public repository
wmt-conference/wmt22-news-systems.
"""

import csv
import sys
from pathlib import Path

import bleukit
from bleukit.text.files import read_lines

TOKENIZERS = {"zh": "zh", "ja": "char"}
"""The tokenizer that the organisers of the task used for a target language; 13a for all others."""


def main(folder: Path) -> int:
    """Print each published score beside bleukit's; return 1 if one differs by more than 1e-9, else 0."""
    largest = 0.0
    with (folder / "published-bleu.tsv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            pair, system, published = row["pair"], row["system"], float(row["score"])
            target = pair.partition("-")[2]
            which = row["metric"].removeprefix("bleu-").replace("all", "*")
            references = [
                read_lines(str(path))
                for path in sorted((folder / "references").glob(f"generaltest2022.{pair}.ref.{which}.{target}"))
            ]
            hypotheses = read_lines(str(folder / "system-outputs" / f"generaltest2022.{pair}.hyp.{system}.{target}"))
            bleu = bleukit.load("sacrebleu", tokenizer=TOKENIZERS.get(target, "13a"))
            ours = bleu.corpus(hypotheses, list(zip(*references, strict=True))).value
            largest = max(largest, abs(ours - published))
            print(f"{pair} {system:15} {row['metric']:8} {published:<20} {ours:<20} {ours - published:+.1g}")
    print(f"largest difference: {largest:.2g}")
    return int(largest > 1e-9)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
