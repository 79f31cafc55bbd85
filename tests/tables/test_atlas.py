"""The atlas: its page says what its data say, and its tool computes what bleukit computes, also after a kill."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path
from statistics import median

import pytest

import bleukit

ROOT = Path(__file__).parents[2]
DATA, PAGE, TOOL = ROOT / "docs" / "atlas", ROOT / "docs" / "atlas.md", ROOT / "tools" / "atlas.py"

pytestmark = [pytest.mark.engines, pytest.mark.skipif(not DATA.exists(), reason="not in a checkout")]


@pytest.fixture(scope="module")
def scores():
    """The scores in points of 100: by direction, then system, then variant; and the variants for text."""
    pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    found, for_text = {}, set()
    variants = bleukit.variants()
    for row in parquet.read_table(DATA / "scores.parquet").to_pylist():
        score = row["score"] * 100 / variants[row["variant"]].scale
        found.setdefault(row["direction"], {}).setdefault(row["system"], {})[row["variant"]] = score
        if row["fits"] != "tokenized":
            for_text.add(row["variant"])
    return found, for_text


def disagree(scores, variants, directions):
    """Return in how many pairs of systems some variants have different signs, and how many pairs there are."""
    changed, pairs = 0, 0
    for direction in directions:
        own = {f"sacrebleu-{language}" for language in ("ja", "ko", "zh") if language != direction.split("-")[1]}
        for one, other in combinations(scores[direction].values(), 2):
            signs = {(one[name] > other[name]) - (one[name] < other[name]) for name in variants if name not in own}
            changed += {1, -1} <= signs
            pairs += 1
    return changed, pairs


def sets_of_variants(for_text):
    variants = bleukit.variants()
    fields = {variants[name].field for name in ("sacrebleu", "evaluate")}
    translation = {
        name
        for name in for_text
        if variants[name].field in fields and not variants[name].is_macro and len(variants[name].weights) == 4
    }
    return {
        f"all {len(for_text)} for text": for_text,
        f"{len(translation - {'sacrebleu-ja', 'sacrebleu-ko', 'sacrebleu-zh'})} for translations": translation,
        "5 usual ones": {"sacrebleu", "sacrebleu-intl", "evaluate", "multi-bleu-detok", "mteval-v14"},
    }


def test_the_page_has_the_numbers_of_changes_that_the_scores_give(scores):
    found, for_text = scores
    spaced = [direction for direction in found if direction.split("-")[1] not in {"ja", "zh"}]
    unspaced = [direction for direction in found if direction not in spaced]
    page = PAGE.read_text(encoding="utf-8")
    for name, variants in sets_of_variants(for_text).items():
        [row] = re.findall(rf"^\| {name} \|(.*)\|$", page, re.MULTILINE)
        cells = [cell.strip() for cell in row.split("|")]
        for cell, directions in zip(cells, (found, spaced, unspaced), strict=False):
            changed, pairs = disagree(found, variants, directions)
            assert cell == f"{changed} ({100 * changed / pairs:.1f} %)"


def test_the_page_counts_systems_and_scores(scores):
    found, _ = scores
    systems = sum(map(len, found.values()))
    number = sum(len(of_one) for systems in found.values() for of_one in systems.values())
    first = PAGE.read_text(encoding="utf-8").split("\n\n")[2]
    assert first.startswith(f"{systems} systems of WMT22 in {len(found)} directions")
    assert f"{number:,} scores" in first


def test_the_scores_among_the_frequent_questions_are_those_of_the_atlas(scores):
    """The lowest, the median and the highest score of the systems of a direction."""
    languages = {"English": "en", "German": "de", "Czech": "cs", "Russian": "ru", "Chinese": "zh", "Japanese": "ja"}
    page = (ROOT / "docs" / "faq.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\w+) to (\w+) \| `(\S+)` \| (\S+) \| (\S+) \| (\S+) \|$", page, re.MULTILINE)
    assert len(shown) == 7
    for source, target, variant, *numbers in shown:
        of_systems = scores[0][f"{languages[source]}-{languages[target]}"].values()
        values = [of_system[variant] for of_system in of_systems]
        assert [f"{value:.1f}" for value in (min(values), median(values), max(values))] == numbers, (source, target)


def test_the_page_is_what_the_script_writes(monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    monkeypatch.syspath_prepend(ROOT / "tools")
    import atlas

    samples = json.loads((DATA / "settings.json").read_text(encoding="utf-8"))["samples"]
    assert atlas.written(atlas.Atlas(DATA), samples) == PAGE.read_text(encoding="utf-8")


REFERENCES = ["The ferry leaves at noon.", "She reads the letter twice.", "Nobody had seen the fox."] * 5
SYSTEMS = {
    "Exact": [*REFERENCES[:14], "The ferry."],
    "Lower.Case": [text.lower() for text in REFERENCES],
}


@pytest.fixture
def year(tmp_path):
    """A folder in the layout of WMT's repositories: two directions of two systems."""
    for direction in ("en-de", "en-fr"):
        language = direction[3:]
        names = {f"references/test.{direction}.ref.A.{language}": REFERENCES}
        names |= {f"system-outputs/test.{direction}.hyp.{name}.{language}": lines for name, lines in SYSTEMS.items()}
        for name, lines in names.items():
            path = tmp_path / "year" / "txt" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in lines))
    return tmp_path / "year"


def command(year):
    return [sys.executable, TOOL, "compute", year, year / "out", "--samples", "50", "--explain", "1", "--workers", "1"]


def test_the_tool_goes_on_after_a_kill(year):
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    with subprocess.Popen(command(year), start_new_session=True, stdout=subprocess.DEVNULL) as process:
        while not list((year / "out").glob("parts/en-*")):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    [done] = (year / "out").glob("parts/en-*")
    before = done.stat().st_mtime_ns
    said = subprocess.run(command(year), capture_output=True, text=True, check=True).stdout
    assert (said.count(" is there"), said.count(" is computed")) == (1, 1)
    assert done.stat().st_mtime_ns == before
    tables = {
        name: parquet.read_table(year / "out" / f"{name}.parquet").to_pylist() for name in ("scores", "pairs", "flips")
    }
    for row in tables["scores"]:
        score = bleukit.load(row["variant"]).corpus(SYSTEMS[row["system"]], REFERENCES).value
        assert row["score"] == score
    for row in tables["pairs"]:
        [pair] = bleukit.compare(row["variant"], SYSTEMS, REFERENCES, samples=50).pairs
        assert row["p_value"] == pair.p_value
    order = {row["variant"]: row["difference"] > 0 for row in tables["pairs"] if row["difference"]}
    changed = {frozenset((row["variant"], row["other"])) for row in tables["flips"]}
    assert changed == {frozenset(two) for two in combinations(order, 2) if order[two[0]] != order[two[1]]}
    assert len(tables["flips"]) == 2 * len(changed) > 0
