"""The scores of a report as HTML: what the page shows if a browser runs no script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bleukit.comparing import tables
from bleukit.results import html_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.comparing.written import Comparison
    from bleukit.scoring import Score


def scores_as_html(systems: Sequence[str], scores: Sequence[Score], comparison: Comparison | None, scale: int) -> str:
    """Return the scores of systems, the tables of their comparison if there is one, and the signature."""
    digits = 2 if scale == 100 else 4
    rows = [
        [
            name,
            f"{score.value:.{digits}f}",
            " / ".join(f"{100 * precision:.1f}" for precision in score.precisions),
            f"{score.brevity_penalty:.4f}",
            f"{score.hypothesis_length:,}",
            f"{score.reference_length:,g}",
        ]
        for name, score in zip(systems, scores, strict=True)
    ]
    parts = [html_table(["system", "BLEU", "precisions, %", "brevity penalty", "length", "reference length"], rows)]
    verdict = ""
    if comparison:
        verdict = f"<p><strong>{escape(comparison.verdict)}</strong></p>" if comparison.pairs else ""
        parts += [html_table(table.heads, table.rows) for table in tables.tables(comparison, digits) if table.rows]
    scrolling = "".join(f'<div class="scroll">{part}</div>' for part in parts)
    return f'{verdict}{scrolling}<p class="signature"><code>{escape(scores[0].signature)}</code></p>'
