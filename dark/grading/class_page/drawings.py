"""The drawings of the class page: SVG that follows the colors of the page, and reads without color.

Each bar has its number next to it, kinds differ by pattern, and each drawing has an alternative text with all numbers.
"""

from html import escape

WIDTH = 340  # as wide as a phone, so that letters there have the size of the page's text
LEFT = 4
HEIGHT, BASE = 150, 120
ROW = 46
KINDS = {"right": "fill:currentColor", "wrong": "fill:url(#hatch)", "open": "fill:none"}
WORDS = {"right": "right", "wrong": "not right", "open": "not attempted or unfinished"}
HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V6" stroke="currentColor" stroke-width="3"/></pattern></defs>'
)


def distribution(module) -> str:
    """Draw how many students have how many percent, as SVG."""
    most, step = max(module.bins), (WIDTH - 2 * LEFT) / len(module.bins)
    drawn, told = [], []
    for k, count in enumerate(module.bins):
        height = round(90 * count / most, 1)
        x, last = LEFT + k * step, 100 if k == len(module.bins) - 1 else 10 * k + 9
        if count:
            drawn.append(_rectangle(x + 2, BASE - height, step - 4, height, "right"))
            drawn.append(_text(x + step / 2, BASE - height - 5, count))
            told.append(f"{count} with {10 * k} to {last} percent")
        drawn.append(_text(x + step / 2, BASE + 16, 10 * k))
    axis = f'<path d="M{LEFT} {BASE}H{WIDTH - LEFT}" stroke="currentColor"/>'
    drawn.append(_text(WIDTH / 2, BASE + 32, "students, by percentage of the points (20: 20 to 29)"))
    says = f"Distribution of {module.students} students: {', '.join(told)}."
    return _svg(says, HEIGHT + 6, axis + "".join(drawn))


def answers(module) -> str:
    """Draw for each exercise how many answers are right, not right, and open, as SVG."""
    drawn, told = [HATCH], []
    for k, exercise in enumerate(module.exercises):
        counts = {kind: getattr(exercise, kind) for kind in KINDS}
        y, x, total = k * ROW + 18, LEFT, sum(counts.values())
        says = f"{counts['right']} right, {counts['wrong']} not right, {counts['open']} open"
        drawn.append(_text(LEFT, y, exercise.name, "start"))
        drawn.append(_text(WIDTH - LEFT, y, says, "end", 12))
        for kind, count in counts.items():
            width = (WIDTH - 2 * LEFT) * count / total
            drawn += [_rectangle(x, y + 6, width, 14, kind)] if count else []
            x += width
        told.append(f"{exercise.name}: {says}")
    return _svg("Answers to each exercise. " + "; ".join(told) + ".", len(module.exercises) * ROW + 4, "".join(drawn))


def legend():
    """Return the meaning of the patterns of `answers`, as HTML."""
    boxes = [
        f'<span class="kind"><svg width="26" height="14" aria-hidden="true">{_rectangle(1, 1, 24, 12, kind)}</svg> '
        f"{escape(words)}</span>"
        for kind, words in WORDS.items()
    ]
    return f"<p>{' '.join(boxes)}</p>"


def _svg(says, height, inner):
    return (
        f'<svg class="drawing" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(says)}">'
        f"<title>{escape(says)}</title>{inner}</svg>"
    )


def _rectangle(x, y, width, height, kind):
    style = f"{KINDS[kind]};stroke:currentColor"
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" style="{style}"/>'


def _text(x, y, content, anchor="middle", size=13):
    style = f"font:{size}px system-ui,sans-serif;fill:currentColor"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(str(content))}</text>'
