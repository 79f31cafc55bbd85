"""Pages that are made, not written: each a template in Markdown, filled in with facts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from bleukit.conformance.implementations.reporting import stage_value

from bleukit.bleu.keys_in_words import as_yaml
from bleukit.framework.errors import quantity

if TYPE_CHECKING:
    from os import PathLike

MARKS = {"passed": "✓", "differs": "✗", "cannot express": "–", "no answer": "!"}
"""The verdicts on answers."""

SHOWN = 600
"""How many characters of a text or a stage of a case are shown."""

MADE = ("variants", "components", "documents")
"""The folders that hold nothing else."""


class Pages:
    """The pages that are made, as files below a folder. One that does not change keeps its date, for Sphinx."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self._folder = Path(folder)
        self._written: set[Path] = set()
        loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
        self._templates = jinja2.Environment(
            loader=loader,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=jinja2.select_autoescape(["html"]),  # in Markdown, the filters escape
        )
        self._templates.filters.update(text=as_text, code=as_code, count=quantity, shown=shown, yaml=as_yaml)

    def write(self, path: str, template: str, **facts: Any) -> None:
        """Write the page at a path, such as "variants/nltk.md"."""
        page = self._folder / path
        self._written.add(page)
        text = re.sub(r"\n{3,}", "\n\n", self._templates.get_template(template).render(facts))
        if page.exists() and page.read_text(encoding="utf-8") == text:
            return
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")

    def remove_others(self) -> None:
        """Remove pages of an earlier build: of a plugin that is no longer installed."""
        for folder in MADE:
            for page in (self._folder / folder).glob("*.md"):
                if page not in self._written:
                    page.unlink()


def as_text(text: Any) -> str:
    """Return text as Markdown that shows it, also in the cell of a table; what is in backticks is code."""
    parts = re.split(r"(`[^`]+`)", " ".join(str(text).split()))
    shown = [part if number % 2 else re.sub(r"([\\*_\[\]<>$`#])", r"\\\1", part) for number, part in enumerate(parts)]
    return "".join(shown).replace("|", r"\|")


def as_code(text: Any) -> str:
    """Return text as Markdown's code, also in the cell of a table."""
    text = str(text).replace("\n", "⏎")
    if not text.strip():
        return "*empty*" if not text else f"{len(text)} × space"
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks, space = "`" * (longest + 1), " " if longest else ""
    return f"{marks}{space}{text}{space}{marks}".replace("|", r"\|")


def shown(value: Any) -> str:
    """Return a text, tokens, or what a stage gives, on one line, and cut if it is long."""
    text = as_yaml(value) if isinstance(value, dict) else stage_value(value)
    more = f" … ({len(text):,} characters)" if len(text) > SHOWN else ""
    return text[:SHOWN].replace("\n", "⏎") + more
