"""The site: `sphinx-build -W -n docs OUT` makes it of these pages, and of what is installed (the folder _extension)."""

import sys
from pathlib import Path

import bleukit

sys.path.insert(0, str(Path(__file__).parent))

project = "bleukit"
author = "the bleukit contributors"
copyright = author  # noqa: A001 - Sphinx's name
version = release = bleukit.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "_extension"]
exclude_patterns = ["_extension", "_static"]
suppress_warnings = ["myst.header"]
nitpick_ignore = [("py:mod", "bleukit.comparing.significance")]

myst_heading_anchors = 4
myst_url_schemes = {
    **dict.fromkeys(("http", "https", "mailto")),
    "case": "../documents/{{path}}.html#{{fragment}}",  # sections that are no Markdown; a test follows all links
}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "bleukit"
html_sidebars = {  # without the tree of all other pages, which would be half of each
    "documents/*": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/scroll-end.html"]
}
templates_path = ["_extension/templates"]
html_static_path = ["_static"]
html_js_files = [("landmarks.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False

man_pages = [("reference/commands", "bleukit", "score translations with any published BLEU", author, 1)]
