"""The parts of the site that compute, in the browser: elements that hold their data, and that its script fills."""

from __future__ import annotations

import csv
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from _extension import variants
from bleukit.bleu.loader import DEFAULT
from bleukit.identifying.procedures import prices
from bleukit.reporting.page import json_for_html
from bleukit.reporting.report import levels_of
from bleukit.tables.typical import FILE

if TYPE_CHECKING:
    from collections.abc import Callable


class App(SphinxDirective):
    """A part of the site: its name, and what is to be read where scripts are off."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Return the element."""
        (name,) = self.arguments
        data = json_for_html(_data() | MORE.get(name, dict)())
        otherwise = escape(" ".join(self.content))
        html = (
            f'<link rel="stylesheet" href="_static/bleukit.css">'
            f'<div class="bleukit-part" data-bleukit="{escape(name)}">'
            f'<noscript><p>{otherwise}</p></noscript><script type="application/json">{data}</script></div>'
            '<script src="_static/bleukit.js" defer></script>'
        )
        return [nodes.raw("", html, format="html")]


def _data() -> dict[str, Any]:
    """Return the named variants, and the example text."""
    return {
        "default": DEFAULT,
        "sample": variants.example(),
        "variants": {
            name: {
                **levels_of(variant),
                "description": variant.description,
                "field": variant.field,
                "keys": variants.scoring_keys(name),
            }
            for name, variant in sorted(variants.known().items(), key=lambda item: (item[0] != DEFAULT, item[0]))
        },
    }


def _wmt22() -> dict[str, Any]:
    """Return the scores of the systems of WMT22 by all variants, and the languages into which they translate."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name not in {"direction", "system"}]
    scores = {name: [float(row[name]) if row[name] else None for row in rows] for name in names}
    return {"wmt22": {"languages": [row["direction"].partition("-")[2] for row in rows], "scores": scores}}


MORE: dict[str, Callable[[], dict[str, Any]]] = {"differences": _wmt22, "which": lambda: {"prices": prices()}}
"""What some parts also need."""
