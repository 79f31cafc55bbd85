"""Compare bleukit with the BLEU that the WMT22 general task published: ``python benchmarks/published.py FOLDER``.

FOLDER holds ``published-bleu.tsv``, ``references/`` and ``system-outputs/`` as in the task's public repository
wmt-conference/wmt22-news-systems. Japanese needs the extra ja.
"""

import csv
import sys
from pathlib import Path

import bleukit
from bleukit.reading import read_lines

RECIPES = {"zh": "sacrebleu-zh", "ja": "sacrebleu-ja"}
"""The recipe for a target language; for others it is sacrebleu."""


def main(folder: Path) -> int:
    """Print each published score beside ours; return 1 where one differs by more than 1e-9."""
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
            bleu = bleukit.load(RECIPES.get(target, "sacrebleu"))
            ours = bleu.corpus(hypotheses, list(zip(*references, strict=True))).value
            largest = max(largest, abs(ours - published))
            print(f"{pair} {system:15} {row['metric']:8} {published:<20} {ours:<20} {ours - published:+.1g}")
    print(f"largest difference: {largest:.2g}")
    return int(largest > 1e-9)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
