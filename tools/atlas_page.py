"""Write the page on the atlas, its figures and data, from what ``tools/atlas.py`` computed.

``python tools/atlas_page.py OUT`` copies the Parquet files in OUT to ``docs/atlas``, draws the figures there, and
writes ``docs/atlas.md`` and ``bleukit/atlas/wmt22.csv``. ``--figures FOLDER`` only draws all figures, as SVG and PNG,
to a folder. It needs pyarrow and matplotlib.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from atlas_figures import figures
from atlas_tables import USUAL, Atlas, Row, central, is_spaced, key_shares_of, target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "atlas"
PAGE = ROOT / "docs" / "atlas.md"
LOOK_UP = ROOT / "bleukit" / "atlas" / "wmt22.csv"
KEPT = ("scores.parquet", "pairs.parquet", "flips.parquet", "shares.parquet", "variants.parquet", "settings.json")

SHOWN = ("en-de", "en-ja")
"""The directions whose ranks are on the page."""

SWITCHES = (*USUAL[1:], "mteval-v13a", "sacrebleu-zh", "sacrebleu-ja", "matlab", "nltk", "multi-bleu")
"""The variants whose typical difference from the default is on the page."""


def every(_: Row) -> bool:
    return True


def spaced(row: Row) -> bool:
    return is_spaced(target(row))


def unspaced(row: Row) -> bool:
    return not is_spaced(target(row))


def page(atlas: Atlas, samples: int, example: str) -> str:
    """Return the page; ``example`` is what the look-up prints."""
    sets = {
        f"all {len(atlas.tested)} for text": atlas.tested,
        f"{len(atlas.translation)} for translations": atlas.translation,
        f"{len(USUAL)} usual ones": USUAL,
    }
    of_sets = [[name, *_of_set(atlas, variants)] for name, variants in sets.items()]
    head = ["variants", *(f"of {atlas.number_of_pairs(chosen)}{where}" for chosen, where in _PARTS.items())]
    head += ["both significant, without ja, zh", "both significant, into ja, zh"]
    switches = [
        [f"`{name}`", *_range(atlas.switches(name, is_spaced)), *_range(atlas.switches(name, _is_unspaced))]
        for name in SWITCHES
    ]
    keys = [
        [key.replace("_", " "), f"{central(shares)[1]:.2f}", f"{central(shares)[2]:.2f}"]
        for key, shares in key_shares_of(atlas, atlas.translation).items()
    ]
    values = {
        "systems": len(atlas.systems),
        "directions": len({direction for direction, _ in atlas.systems}),
        "variants": len(atlas.tested) + len(atlas.misused),
        "scores": f"{len(atlas.scores):,}",
        "translation": len(atlas.translation),
        "usual": ", ".join(f"`{name}`" for name in USUAL),
        "samples": f"{samples:,}",
        "example": example,
        "table_of_sets": markdown(head, of_sets),
        "table_of_switches": markdown(["to", "without ja, zh", "90 %", "into ja, zh", "90 %"], switches),
        "table_of_keys": markdown(["key", "median", "95 % quantile"], keys),
    }
    for name, chosen in (("spaced", spaced), ("unspaced", unspaced)):
        values[f"{name}_pairs"] = atlas.number_of_pairs(chosen)
        values[f"{name}_changed"] = atlas.changed(atlas.translation, chosen)
        values[f"{name}_sure"] = atlas.changed(atlas.translation, chosen, significant=True)
    template = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
    return Template(template).substitute(values)


_PARTS: dict[Callable[[Row], bool], str] = {every: " pairs", spaced: " without ja, zh", unspaced: " into ja, zh"}


def _of_set(atlas: Atlas, variants: Iterable[str]) -> list[str]:
    known = list(variants)
    cells = []
    for chosen in _PARTS:
        changed = atlas.changed(known, chosen)
        cells.append(f"{changed} ({100 * changed / atlas.number_of_pairs(chosen):.1f} %)")
    return [*cells, *(str(atlas.changed(known, chosen, significant=True)) for chosen in (spaced, unspaced))]


def _is_unspaced(language: str) -> bool:
    return not is_spaced(language)


def _range(values: Sequence[float]) -> list[str]:
    low, middle, high = (round(value, 1) or 0.0 for value in central(values))  # no negative zero
    return [f"{middle:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def look_up(atlas: Atlas) -> str:
    """Return the scores of each system by each variant, in points with two decimals, as CSV."""
    variants = [*atlas.tested, *atlas.misused]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["direction", "system", *variants])
    for system in atlas.systems:
        scores = [atlas.points.get((*system, variant)) for variant in variants]
        writer.writerow([*system, *("" if score is None else f"{score:.2f}" for score in scores)])
    return output.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the page on the atlas; see the top of this file.")
    parser.add_argument("folder", type=Path, metavar="OUT")
    parser.add_argument("--figures", type=Path, metavar="FOLDER")
    chosen = parser.parse_args()
    atlas = Atlas(chosen.folder)
    if chosen.figures:
        chosen.figures.mkdir(parents=True, exist_ok=True)
        for form in ("png", "svg"):
            for name, content in figures(atlas, sorted({one for one, _ in atlas.systems}), form).items():
                (chosen.figures / name).write_bytes(content)
        return
    DATA.mkdir(exist_ok=True)
    for name in KEPT if chosen.folder.resolve() != DATA.resolve() else ():
        (DATA / name).write_bytes((chosen.folder / name).read_bytes())
    for name, content in figures(atlas, SHOWN, "png").items():
        (DATA / name).write_bytes(content)
    LOOK_UP.write_text(look_up(atlas), encoding="utf-8")
    from bleukit.atlas.typical import typical_differences  # which reads what was just written

    example = typical_differences("sacrebleu", "mteval-v14", language="de").as_text()
    settings = json.loads((DATA / "settings.json").read_text())
    PAGE.write_text(page(atlas, settings["samples"], example), encoding="utf-8")


if __name__ == "__main__":
    main()
