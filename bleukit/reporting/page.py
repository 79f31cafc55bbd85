"""The report page, which is built from the folder ``page`` of the repository, filled with data."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from gzip import compress
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.framework.plain import without_nan
from bleukit.writing.replacing import replacing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ASSET = Path(__file__).with_name("page.html")

_DATA = "<!-- data -->"
_PLAIN = "<!-- plain -->"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Page:
    """A page with its data; ``html`` is the whole file. Notebooks show it in a frame."""

    def __init__(self, title: str, html: str) -> None:
        self.title = title
        self.html = html

    def save(self, path: str | Path) -> None:
        """Write the page to a file. Raises OutputError if that cannot be done."""
        with replacing(str(path)) as descriptor, open(descriptor, "w", encoding="utf-8", closefd=False) as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        # The frame has no origin, so the page cannot access the notebook.
        sandbox = "allow-scripts allow-downloads"
        size = "width: 100%; height: 48em; border: 0"
        title, page = escape(self.title), escape(self.html)
        return f'<iframe title="{title}" sandbox="{sandbox}" style="{size}" srcdoc="{page}"></iframe>'


def filled(title: str, data: Mapping[str, Any], blocks: Mapping[str, bytes] | None = None, *, without: str) -> Page:
    """Return the page that shows plain data; ``blocks`` maps names to bytes that the page opens when it needs them.

    ``without`` is HTML that is shown if the browser runs no script.
    """
    shown = f"<h1>{escape(title)}</h1>{without}"
    asset = ASSET.read_text(encoding="utf-8").replace(_PLAIN, _printable(shown), 1)
    before, _, after = asset.partition(_DATA)
    parts = [f'<script type="application/json" id="data">{json_for_html({**data, "title": title})}</script>']
    for name, content in (blocks or {}).items():
        packed = b64encode(compress(content, 6, mtime=0)).decode()
        parts.append(f'<script type="application/gzip" id="{name}">{packed}</script>')
    before = before.replace("<title>bleukit</title>", f"<title>{escape(_printable(title))}</title>", 1)
    return Page(title, "".join([before, "\n".join(parts), after]))


@cache
def known_components() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the components that the page can compute: the options of each, by kind and name."""
    match = re.search(r'<meta name="bleukit-components" content="([^"]*)">', ASSET.read_text(encoding="utf-8"))
    known: dict[str, dict[str, list[str]]] = json.loads(unescape(match[1] if match else "{}"))
    return known


def json_for_html(data: Any) -> str:
    """Return plain data as JSON that is safe in HTML, whatever its texts hold; NaN becomes null."""
    text = json.dumps(without_nan(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _printable(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def packed_columns(columns: Mapping[str, Any]) -> tuple[list[dict[str, Any]], bytes]:
    """Return a description of columns of numbers, and their bytes, each column in the smallest type that holds it.

    Each column begins at a multiple of 8 bytes and is little-endian, as the typed arrays of a browser need it.
    """
    places: list[dict[str, Any]] = []
    parts: list[bytes] = []
    start = 0
    for name, values in columns.items():
        kind = _smallest(np.asarray(values))
        content = np.asarray(values).astype(kind).tobytes()
        places.append({"name": name, "type": kind.lstrip("<|"), "start": start, "length": len(values)})
        parts.append(content + bytes(-len(content) % 8))
        start += len(parts[-1])
    return places, b"".join(parts)


def _smallest(values: Any) -> str:
    """Return the type of a column: unsigned integers of 1, 2 or 4 bytes, or double precision."""
    is_whole = not values.size or ((values % 1 == 0).all() and values.min() >= 0)
    largest = float(values.max()) if values.size else 0.0
    sizes: Iterable[tuple[str, float]] = (("|u1", 2**8), ("<u2", 2**16), ("<u4", 2**32))
    return next((kind for kind, bound in sizes if is_whole and largest < bound), "<f8")
