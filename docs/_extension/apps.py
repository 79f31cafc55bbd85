"""The parts of the site that compute, in the browser: elements that hold their data, and that its script fills."""

from __future__ import annotations

from html import escape
from typing import Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from _extension import variants
from bleukit.bleu.loader import DEFAULT
from bleukit.identifying.procedures import prices
from bleukit.reporting.page import json_for_html
from bleukit.reporting.report import levels_of


class App(SphinxDirective):
    """A part of the site: its name, and what is to be read where scripts are off."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Return the element."""
        (name,) = self.arguments
        data = json_for_html(_data() | ({"prices": prices()} if name == "which" else {}))
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
