"""Curves as SVG that takes the colours of the page it stands in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Curve = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 44
STYLES = ("stroke-width:2.5", "stroke-width:2;stroke-dasharray:6 4;opacity:.7")


def curves(title: str, x_label: str, y_label: str, lines: Mapping[str, Curve]) -> str:
    """Return a picture of one or two curves, named by a legend; the y axis begins at 0."""
    points = [point for line in lines.values() for point in line]
    x_ends = min(x for x, _ in points), max(x for x, _ in points)
    y_ends = 0.0, max(y for _, y in points) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        right = LEFT + (x - x_ends[0]) / (x_ends[1] - x_ends[0]) * (WIDTH - LEFT - RIGHT)
        down = HEIGHT - BOTTOM - (y - y_ends[0]) / (y_ends[1] - y_ends[0]) * (HEIGHT - TOP - BOTTOM)
        return round(right, 1), round(down, 1)

    parts = [_text((WIDTH + LEFT) / 2, HEIGHT - 4, x_label), _text(14, (HEIGHT - BOTTOM) / 2, y_label, turned=True)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y = (low + share * (high - low) for low, high in (x_ends, y_ends))
        (right, _), (_, down) = place(x, 0), place(x_ends[0], y)
        parts.append(f'<path d="M{LEFT} {down}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".15"/>')
        parts += [_text(right, HEIGHT - 24, f"{x:.3g}"), _text(LEFT - 6, down + 4, f"{y:.3g}", anchor="end")]
    for number, (name, line) in enumerate(lines.items()):
        way = "L".join(f"{right} {down}" for right, down in (place(*point) for point in line))
        parts.append(f'<path d="M{way}" fill="none" stroke="currentColor" style="{STYLES[number]}"/>')
        height = TOP + 14 + 18 * number
        parts.append(f'<path d="M{LEFT + 14} {height - 4}h30" stroke="currentColor" style="{STYLES[number]}"/>')
        parts.append(_text(LEFT + 50, height, name, anchor="start"))
    return (
        f'<svg class="curves" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width:{WIDTH}px;width:100%" '
        f'font-size="13" fill="currentColor"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, *, anchor: str = "middle", turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{turn}>{escape(text)}</text>'
