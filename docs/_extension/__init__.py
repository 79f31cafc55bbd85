"""The Sphinx extension of the site: pages of what is installed, before Sphinx reads the pages that are written by hand.

Nothing here knows a variant, a component or a document by name: all of it comes from the plugins that are installed,
and from the cases of the conformance suite.
"""

from __future__ import annotations

from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from docutils import nodes

from _extension import apps, cases, components, variants
from _extension.pages import Pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

WITHOUT_NAVIGATION = "documents/"
"""What the names of pages begin with that do not show the tree of all pages, which takes long."""


def _write_pages(app: Sphinx) -> None:
    pages = Pages(app.srcdir)
    variants.write(pages)
    components.write(pages)
    cases.write(pages)
    pages.remove_others()


def _leave_navigation_out(app: Sphinx, page: str, template: str, context: dict[str, Any], _: Any) -> None:  # noqa: ARG001
    """Keep the theme from the tree of all pages, which takes long, for pages that do not show it."""
    if page.startswith(WITHOUT_NAVIGATION):
        context.pop("toctree", None)


def _give_headings_a_level(*of_page: Any) -> None:
    """Complete the captions of the navigation, which Sphinx calls headings without a level."""
    context = of_page[3]
    navigation = context.get("furo_navigation_tree") or ""
    context["furo_navigation_tree"] = navigation.replace('role="heading"', 'role="heading" aria-level="2"')


def _describe(app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None) -> None:  # noqa: ARG001
    """Give a page its beginning as its description, which search engines show."""
    first = next(document.findall(nodes.paragraph), None) if document else None
    if first:
        context["metatags"] += f'<meta name="description" content="{escape(shorten(first.astext(), 200))}">'


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension to Sphinx."""
    app.connect("builder-inited", _write_pages)
    app.connect("html-page-context", _describe)
    app.connect("html-page-context", _leave_navigation_out, priority=100)
    app.connect("html-page-context", _give_headings_a_level, priority=900)
    app.add_directive("bleukit-part", apps.App)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
