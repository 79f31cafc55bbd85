"""The scores of a report as HTML: what the page shows if a browser runs no script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bleukit.comparing.words import LEAST_P
from bleukit.results import html_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.comparing.written import Comparison
    from bleukit.results import Interval
    from bleukit.scoring import Score

MINUS = "\N{MINUS SIGN}"


def scores_as_html(systems: Sequence[str], scores: Sequence[Score], comparison: Comparison | None, scale: int) -> str:
    """Return the scores of systems, the differences of pairs if they were compared, and the signature."""
    digits = 2 if scale == 100 else 4
    intervals = {each.system: each.interval for each in comparison.systems} if comparison else {}
    rows = [
        [
            name,
            f"{score.value:.{digits}f}",
            _ends(intervals.get(name), digits),
            " / ".join(f"{100 * precision:.1f}" for precision in score.precisions),
            f"{score.brevity_penalty:.4f}",
            f"{score.hypothesis_length:,}",
            f"{score.reference_length:,g}",
        ]
        for name, score in zip(systems, scores, strict=True)
    ]
    heads = ["system", "BLEU", "interval", "precisions, %", "brevity penalty", "length", "reference length"]
    parts = [_scrolling(html_table(heads, rows))]
    if comparison and comparison.pairs:
        name = "adjusted p" if comparison.is_adjusted else "p"
        pairs = [
            [
                f"{pair.first} {MINUS} {pair.second}",
                _with_minus(f"{pair.difference:+.{digits}f}"),
                _ends(pair.interval, digits),
                _p_value(pair.adjusted_p_value),
            ]
            for pair in comparison.pairs
        ]
        parts = [f"<p><strong>{escape(comparison.verdict)}</strong></p>", *parts]
        parts.append(_scrolling(html_table(["pair", "difference", "interval", name], pairs)))
    return "".join([*parts, f'<p class="signature"><code>{escape(scores[0].signature)}</code></p>'])


def _scrolling(table: str) -> str:
    return f'<div class="scroll">{table}</div>'


def _ends(interval: Interval | None, digits: int) -> str:
    return "–" if interval is None else _with_minus(f"{interval.low:.{digits}f} to {interval.high:.{digits}f}")


def _with_minus(numbers: str) -> str:
    return numbers.replace("-", MINUS)


def _p_value(p_value: float | None) -> str:
    if p_value is None:
        return "–"
    return f"< {LEAST_P}" if p_value < LEAST_P else f"{p_value:.4f}"
