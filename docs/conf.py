"""The site: `sphinx-build -W -n docs OUT` makes it of these pages, and of what is installed (the folder _extension)."""

import sys
from pathlib import Path

import bleukit

sys.path.insert(0, str(Path(__file__).parent))

project = "bleukit"
author = "the bleukit contributors"
copyright = author  # noqa: A001 - Sphinx's name
version = release = bleukit.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "sphinx_copybutton", "sphinx_design", "_extension"]
exclude_patterns = ["_extension", "_static", "variants/picture.md", "variants/names.md", "variants/prices.md"]
smartquotes = False  # which would make one dash of the two of an option
suppress_warnings = ["myst.header"]
nitpick_ignore = [("py:mod", "bleukit.comparing.significance")]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
myst_url_schemes = {
    **dict.fromkeys(("http", "https", "mailto")),
    "case": "../documents/{{path}}.html#{{fragment}}",  # sections that are no Markdown; a test follows all links
}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True

copybutton_exclude = ".linenos, .gp, .go"
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "furo"
html_favicon = "_static/favicon.svg"
html_title = "bleukit"
html_sidebars = {  # without the tree of all other pages, which would be half of each
    "documents/*": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/scroll-end.html"]
}
templates_path = ["_extension/templates"]
html_static_path = ["_static"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_css_files = ["site.css"]
html_js_files = [("landmarks.js", {"defer": "defer"}), ("filter.js", {"defer": "defer"})]
html_copy_source = False
html_use_index = False  # no page links to it; the search finds names
html_show_sourcelink = False

man_pages = [("reference/commands", "bleukit", "score translations with any published BLEU", author, 1)]
