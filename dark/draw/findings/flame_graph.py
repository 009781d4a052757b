"""A flame graph: the cost of each module and each operation of a graph, as bars above each other.

Source: B. Gregg, "The flame graph", Communications of the ACM 59, 2016.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape

from dark.draw.color_themes import SHADES, TEXT_COLOR, shade
from dark.draw.labels import one_line
from dark.draw.svg import page, text

WIDTH, BAR, PAD = 860.0, 26.0, 16.0
LETTER = 6.4  # the average width of a character
NARROWEST = 0.6  # a bar that is drawn
MODULE = "#dfe7ee"


@dataclass
class Bar:
    """A module or an operation with its cost, and what is inside."""

    name: str
    cost: float = 0.0
    inside: list = field(default_factory=list)
    is_module: bool = True


def bars_of(entries: Iterable[tuple[tuple[str, ...], str, float]], name: str) -> Bar:
    """Return the tree of bars of operations (modules, title, cost) in the order they run."""
    root = Bar(name)
    for path, title, cost in entries:
        bar = root
        bar.cost += cost
        for part in path:
            last = bar.inside[-1] if bar.inside else None
            if last is None or not last.is_module or last.name != part:
                bar.inside.append(Bar(part))
            bar = bar.inside[-1]
            bar.cost += cost
        bar.inside.append(Bar(title, cost, is_module=False))
    return root


def flame_svg(roots: list[Bar], unit: Callable[[float], str], title: str, alt: str, summary: str) -> str:
    """Draw one flame graph below the other, all on one scale; `unit` formats a cost, such as ``1.2 ms``."""
    most = max((root.cost for root in roots), default=0.0) or 1.0
    costliest = max((bar.cost for root in roots for bar in _operations(root)), default=0.0) or 1.0
    parts = [
        text(one_line(title, 100), WIDTH / 2 + PAD, PAD + 12, size=15, bold=True),
        text(one_line(summary, 140), WIDTH / 2 + PAD, PAD + 31, "muted"),
    ]
    y = PAD + 46
    for root in roots:
        parts += _bars(root, PAD, y, WIDTH / most, unit, root.cost or 1.0, costliest)
        y += BAR * _depth(root) + 18
    parts += _legend(y)
    return page(WIDTH + 2 * PAD, y + 34, title, alt, parts)


def _bars(bar, x, y, scale, unit, total, costliest):
    width = bar.cost * scale
    if width < NARROWEST:
        return []
    share = f"{100 * bar.cost / total:.3g} %"
    fill, ink = (MODULE, TEXT_COLOR) if bar.is_module else shade(bar.cost / costliest)
    full = f"{bar.name}: {unit(bar.cost)}, {share}"
    label = next((words for words in (full, bar.name) if len(words) * LETTER + 6 < width), "")
    if not label and width > 4 * LETTER:
        label = one_line(bar.name, int(width / LETTER) - 1)
    box = f'x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{BAR - 2:g}" fill="{fill}" stroke="{TEXT_COLOR}"'
    parts = [f'<g class="dark-heat"><title>{escape(full)}</title><rect {box} stroke-width="0.6"/>']
    if label:
        parts.append(text(label, x + width / 2, y + 16, ink, bold=bar.is_module))
    parts.append("</g>")
    for inner in bar.inside:
        parts += _bars(inner, x, y + BAR, scale, unit, total, costliest)
        x += inner.cost * scale
    return parts


def _legend(y):
    words = (("operations, from cheap to costly:", 0), ("module (bold)", 384))
    parts = [text(label, PAD + x, y + 11, "muted", 11, "start") for label, x in words]
    for x, fill in [*((190 + 26 * k, color) for k, color in enumerate(SHADES)), (350, MODULE)]:
        box = f'x="{PAD + x:g}" y="{y:g}" width="26" height="14" fill="{fill}" stroke="{TEXT_COLOR}"'
        parts.append(f'<g class="dark-heat"><rect {box} stroke-width="0.6"/></g>')
    return parts


def _operations(bar):
    if not bar.is_module:
        return [bar]
    return [operation for inner in bar.inside for operation in _operations(inner)]


def _depth(bar):
    return 1 + max(map(_depth, bar.inside), default=0)
