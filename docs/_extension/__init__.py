"""The Sphinx extension of the site: pages of what is installed, before Sphinx reads the pages that are written by hand.

Nothing here knows a variant, a component or a document by name: all of it comes from the plugins that are installed,
and from the cases of the conformance suite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _extension import cases, components, keys, variants
from _extension.pages import Pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

INCLUDED = {
    "../conformance/README.md": "/reference/cases.md",
    "../conformance/harnesses.md": "/reference/harnesses.md",
}
"""Files outside of this folder that pages refer to, and the pages that include them."""


def _write_pages(app: Sphinx) -> None:
    pages = Pages(app.srcdir)
    history = cases.records_of(app.config.bleukit_conform)
    variants.write(pages)
    components.write(pages)
    keys.write(pages)
    cases.write(pages, history)
    pages.remove_others()


def _point_to_included(app: Sphinx, page: str, text: list[str]) -> None:  # noqa: ARG001 - what Sphinx passes
    for path, included in INCLUDED.items():
        text[0] = text[0].replace(f"]({path}", f"]({included}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension to Sphinx."""
    app.add_config_value(
        "bleukit_conform",
        (),
        "env",
        (list, tuple),
        "files that `bleukit conform implementations --format json` wrote, the oldest first",
    )
    app.connect("builder-inited", _write_pages)
    app.connect("source-read", _point_to_included)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
