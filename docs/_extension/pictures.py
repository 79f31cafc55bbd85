"""Pictures as SVG that takes the colours of the page it stands in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Curve = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 44
DOT, DOTS = 9, 50
"""The size of a dot, and how many stand beside each other."""
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
    return _svg(title, HEIGHT, parts)


def dots(title: str, values: Mapping[str, float], named: Sequence[str]) -> str:
    """Return a picture of numbers as dots on one axis, stacked if they are close; some are named, above the dots."""
    low, high = min(values.values()), max(values.values())
    stacks: dict[int, list[str]] = {}
    for name, value in sorted(values.items(), key=lambda item: item[0] not in named):
        stacks.setdefault(round((value - low) / (high - low) * DOTS), []).append(name)
    floor, parts = 16 + 18 * len(named) + DOT * max(map(len, stacks.values())), []
    for column, names in stacks.items():
        x = LEFT + column * (WIDTH - 2 * LEFT) / DOTS
        for row, name in enumerate(names):
            dot = f'<circle cx="{x:.1f}" cy="{floor - DOT * (row + 0.5):.1f}" r="{DOT / 2 - 1}"'
            parts.append(f'{dot} opacity="{1 if name in named else 0.35}"><title>{escape(name)}</title></circle>')
    for row, name in enumerate(named):
        x = LEFT + (values[name] - low) / (high - low) * (WIDTH - 2 * LEFT)
        parts.append(f'<path d="M{x:.1f} {16 + 18 * row}V{floor - DOT}" stroke="currentColor" opacity=".4"/>')
        parts.append(_text(x, 14 + 18 * row, f"{name} {values[name]:.2f}", anchor="end" if x > WIDTH / 2 else "start"))
    parts += [_text(x, floor + 16, f"{value:.2f}") for x, value in ((LEFT, low), (WIDTH - LEFT, high))]
    parts.append(f'<path d="M{LEFT} {floor}H{WIDTH - LEFT}" stroke="currentColor" opacity=".4"/>')
    return _svg(title, floor + 22, parts)


def _svg(title: str, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg class="curves" role="img" viewBox="0 0 {WIDTH} {height}" style="max-width:{WIDTH}px;width:100%" '
        f'font-size="13" fill="currentColor"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, *, anchor: str = "middle", turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{turn}>{escape(text)}</text>'
