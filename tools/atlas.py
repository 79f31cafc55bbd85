"""The atlas: every system of a year of WMT by every variant, and where variants disagree which system is better.

``python tools/atlas.py FOLDER -o OUT`` reads the layout of WMT's news-systems repositories: the folders ``references``
and ``system-outputs``, also below ``txt``, with files such as ``generaltest2022.en-de.hyp.PROMT.de`` and
``generaltest2022.en-de.ref.A.de``; of several references, the first. It writes Parquet files to OUT:

- ``scores``: each system by each variant, in the variant's scale; 95 % intervals (bootstrap) of variants that tokenize
  by themselves; ``fits`` is "yes", "unsplit" (the tokenizer leaves a script without blanks unsplit) or "tokenized" (the
  variant is made for tokenized text, and these texts are not);
- ``pairs``: the difference of each two systems by each variant that tokenizes by itself, in points of 100, with
  p-values (paired permutation test), also adjusted for the pairs of the direction (Holm);
- ``flips``: two systems whose order differs between two of these variants, and whether both adjusted p-values are
  below 0.05;
- ``shares``: the Shapley share of each key in what a variant changes against ``sacrebleu``, for variants that do not
  average sentence scores, which takes long;
- ``variants``: the signatures, and why a variant gives no score.

Each direction is computed by a process of its own, and kept in OUT/parts: after an interrupt, or ``kill -9``, the same
command computes what is missing. It needs pyarrow. ``tools/atlas_page.py`` draws the figures, and writes the page.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet

import bleukit
from bleukit.atlas.columns import named_columns
from bleukit.atlas.counting import Reading
from bleukit.atlas.table import Tabulation
from bleukit.comparing.settings import Settings
from bleukit.counting.shared_text import SharedText
from bleukit.inspecting.explaining import key_shares
from bleukit.inspecting.misfits import splits_punctuation
from bleukit.text.aligned_segments import AlignedSegments, group_references
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.atlas.columns import Column

BASE = "sacrebleu"
"""The variant against which the shares of keys are found."""

TABLES = ("scores", "pairs", "shares", "variants")
"""What is computed for each direction."""

LEVEL = 0.95


class Direction(NamedTuple):
    """A direction of translation, such as "en-de", with the file of its reference and those of its systems."""

    name: str
    reference: Path
    systems: dict[str, Path]

    def fingerprint(self, settings: Sequence[int]) -> str:
        """Return what changes if the inputs, the settings or bleukit do."""
        digest = hashlib.sha256(f"{bleukit.__version__} {settings}".encode())
        for name, path in (("", self.reference), *self.systems.items()):
            digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return digest.hexdigest()


def directions(folder: Path) -> list[Direction]:
    """Return the directions that have a reference and systems, sorted by name. Raises SystemExit if there is none."""
    root = next((root for root in (folder, folder / "txt") if (root / "system-outputs").is_dir()), None)
    if root is None:
        raise SystemExit(f"{folder}: has no folder 'system-outputs', nor 'txt/system-outputs'")
    references: dict[str, Path] = {}
    for path in sorted((root / "references").iterdir()):
        references.setdefault(path.name.split(".")[1], path)
    systems: dict[str, dict[str, Path]] = {}
    for path in sorted((root / "system-outputs").iterdir()):
        _, direction, _, *name, _ = path.name.split(".")
        systems.setdefault(direction, {})[".".join(name)] = path
    return [Direction(name, references[name], systems[name]) for name in sorted(references.keys() & systems.keys())]


def computed(direction: Direction, samples: int, explained: int) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables of a direction; of ``explained`` systems the shares."""
    systems = {name: read_lines(str(path)) for name, path in direction.systems.items()}
    text = AlignedSegments(0, list(systems.values()), group_references([read_lines(str(direction.reference))]))
    reading, names = Reading(text, text), list(systems)
    columns = named_columns(["all"])
    tested = [column for column in columns if column.bleu and splits_punctuation(column.bleu)]
    others = [column for column in columns if column not in tested]
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}
    for group, intervals in ((tested, Settings(samples=samples, confidence_level=LEVEL)), (others, None)):
        making = Tabulation(group, names, "corpus", has_documents=False, intervals=intervals)
        [piece] = making.pieces([reading], 1)
        scores = making.scores(piece)
        for column in group:
            found = piece.comparisons.get(column.name)
            signature = None
            if column.name in scores:
                signature = making.bleus[column.name].scores(piece.rows[column.name][0])[0].signature
                intervals_of = {int(one.system): one.interval for one in found.systems} if found else {}
                for place, system in enumerate(names):
                    interval = intervals_of.get(place)
                    rows["scores"].append(
                        {
                            "direction": direction.name,
                            "system": system,
                            "variant": column.name,
                            "score": scores[column.name][place][0],
                            "low": interval and interval.low,
                            "high": interval and interval.high,
                            "fits": _fit(column),
                        }
                    )
            rows["variants"].append(
                {
                    "direction": direction.name,
                    "variant": column.name,
                    "signature": signature,
                    "scale": column.bleu.variant.scale if column.bleu else None,
                    "notes": "; ".join(column.notes),
                }
            )
            if found and column.bleu:
                rows["pairs"] += _pairs(direction.name, column, names, found)
    micro = [column for column in tested if column.bleu and not column.bleu.variant.is_macro]
    rows["shares"] = list(_shares(direction.name, micro, names[:explained], reading))
    return rows


def _fit(column: Column) -> str:
    if not column.bleu or not splits_punctuation(column.bleu):
        return "tokenized"
    return "unsplit" if any("unsplit" in note for note in column.notes) else "yes"


def _pairs(direction: str, column: Column, names: Sequence[str], found: Any) -> Iterator[dict[str, Any]]:
    """Yield each pair of systems, in the order of their names, with its difference by a variant in points of 100."""
    scale = 100 / column.bleu.variant.scale  # type: ignore[union-attr]
    for pair in found.pairs:
        places = int(pair.first), int(pair.second)
        first, second = (names[place] for place in sorted(places))
        yield {
            "direction": direction,
            "first": first,
            "second": second,
            "variant": column.name,
            "difference": pair.difference * scale * (1 if places[0] < places[1] else -1),
            "p_value": pair.p_value,
            "adjusted_p_value": pair.adjusted_p_value,
        }


def _shares(
    direction: str, columns: Sequence[Column], names: Sequence[str], reading: Reading
) -> Iterator[dict[str, Any]]:
    """Yield the share of each key in the score by each variant minus that by BASE, in points of 100."""
    base, references = bleukit.load(BASE), {}
    for system, read in zip(names, reading.readers(), strict=False):
        text = SharedText(read, references=references)
        for column in columns:
            try:
                shares = key_shares(base, column.bleu, text)  # type: ignore[arg-type]
            except bleukit.InputError:  # a mixture of both cannot score the text
                continue
            for key, points in shares.items():
                yield {"direction": direction, "system": system, "variant": column.name, "key": key, "points": points}


def write(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Write rows to a Parquet file; texts that recur take little space."""
    parquet.write_table(pa.Table.from_pylist(list(rows)), path, compression="zstd", compression_level=19)


def finished(folder: Path, fingerprint: str) -> bool:
    """Return whether the part of a direction is there, computed from the same inputs."""
    known = folder / "fingerprint"
    return known.is_file() and known.read_text() == fingerprint


def compute_part(direction: Direction, parts: Path, settings: Sequence[int]) -> None:
    """Compute a direction and keep it; the folder is there only as a whole."""
    temporary = parts / f".{direction.name}.{os.getpid()}"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    for table, rows in computed(direction, *settings).items():
        write(rows, temporary / f"{table}.parquet")
    (temporary / "fingerprint").write_text(direction.fingerprint(settings))
    shutil.rmtree(parts / direction.name, ignore_errors=True)
    temporary.rename(parts / direction.name)


def compute_all(folder: Path, out: Path, settings: Sequence[int], workers: int) -> list[Direction]:
    """Compute all directions that are missing, some at a time; say how long each took."""
    parts, found = out / "parts", directions(folder)
    parts.mkdir(parents=True, exist_ok=True)
    for left in parts.glob(".*"):  # by a process that was killed
        shutil.rmtree(left)
    waiting = [one for one in found if not finished(parts / one.name, one.fingerprint(settings))]
    waiting.sort(key=lambda one: -len(one.systems))
    print(f"{len(found) - len(waiting)} of {len(found)} directions are there", flush=True)
    running: dict[str, tuple[subprocess.Popen[bytes], float]] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            one = waiting.pop(0)
            options = [
                word for pair in zip(("--samples", "--explain"), map(str, settings), strict=True) for word in pair
            ]
            command = [sys.executable, __file__, str(folder), "-o", str(out), *options]
            running[one.name] = subprocess.Popen([*command, "--direction", one.name]), time.monotonic()
        time.sleep(0.2)
        for name, (process, start) in [*running.items()]:
            if process.poll() is not None:
                del running[name]
                print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
                if process.returncode:
                    raise SystemExit(f"{name}: failed with status {process.returncode}")
    return found


def flips(pairs: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield two systems and two variants that order them differently."""
    of_systems: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in pairs:
        of_systems.setdefault((row["direction"], row["first"], row["second"]), []).append(row)
    for (direction, first, second), rows in of_systems.items():
        for one, other in combinations(sorted(rows, key=lambda row: row["variant"]), 2):
            if one["difference"] * other["difference"] < 0:
                yield {
                    "direction": direction,
                    "first": first,
                    "second": second,
                    "variant": one["variant"],
                    "other": other["variant"],
                    "both_significant": max(one["adjusted_p_value"], other["adjusted_p_value"]) < 1 - LEVEL,
                }


def main() -> None:
    parser = argparse.ArgumentParser(description="Score a year of WMT by all variants; see the top of this file.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT")
    parser.add_argument("--samples", type=int, default=10_000, help="permutations of each test; default 10000")
    parser.add_argument("--explain", type=int, default=1000, help="systems of a direction to explain; default all")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="directions at a time")
    parser.add_argument("--direction", help="compute this direction alone")
    chosen = parser.parse_args()
    settings = chosen.samples, chosen.explain
    if chosen.direction:
        [one] = [one for one in directions(chosen.folder) if one.name == chosen.direction]
        compute_part(one, chosen.output / "parts", settings)
        return
    start = time.monotonic()
    found = compute_all(chosen.folder, chosen.output, settings, chosen.workers)
    tables = {
        table: pa.concat_tables(
            [parquet.read_table(chosen.output / "parts" / one.name / f"{table}.parquet") for one in found],
            promote_options="permissive",
        ).to_pylist()
        for table in TABLES
    }
    tables["flips"] = list(flips(tables["pairs"]))
    for table, rows in tables.items():
        write(rows, chosen.output / f"{table}.parquet")
    described = {"bleukit": bleukit.__version__, "samples": chosen.samples, "explained": chosen.explain}
    (chosen.output / "settings.json").write_text(json.dumps(described) + "\n")
    counts = {"directions": len(found), "systems": sum(len(one.systems) for one in found)}
    counts |= {table: len(rows) for table, rows in tables.items()}
    print(json.dumps(counts), f"{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
