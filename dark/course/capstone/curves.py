"""The recorded runs of a project as a table and as a picture.

`results` has a "metric" and a list "runs" of dicts with "variant", "seed", "seconds" and "curve", a list of pairs
[step, value]. Each project has a copy of this file, which imports nothing of `dark`.
"""

from html import escape
from math import isfinite

BEGIN, END = "<!-- results -->", "<!-- end of results -->"  # around the table of a page
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 62, 16, 170, 44
COLORS = ("#1f5fa8", "#b3541e", "#2f7d4f", "#7a3e9d", "#555555")
DASHES = ("", "6 3", "2 3", "9 3 2 3", "1 4")


def variants_of(results):
    """Return the names of the variants, in the order in which they were recorded."""
    return list(dict.fromkeys(run["variant"] for run in results["runs"]))


def last_values(results, variant):
    """Return the last value of each run of a variant."""
    return [run["curve"][-1][1] for run in results["runs"] if run["variant"] == variant]


def table(results):
    """Return a Markdown table: for each variant the number of seeds, and mean, lowest and highest last value.

    >>> runs = [{"variant": "whole", "seed": seed, "curve": [[9, seed / 4]]} for seed in (1, 2)]
    >>> print(table({"metric": "accuracy", "runs": runs}))
    | variant | seeds | mean | lowest | highest |
    |---|---|---|---|---|
    | `whole` | 2 | 0.3750 | 0.2500 | 0.5000 |
    """
    lines = ["| variant | seeds | mean | lowest | highest |", "|---|---|---|---|---|"]
    for variant in variants_of(results):
        last = last_values(results, variant)
        numbers = (sum(last) / len(last), min(last), max(last))
        lines.append(f"| `{variant}` | {len(last)} | " + " | ".join(f"{number:.4f}" for number in numbers) + " |")
    return "\n".join(lines)


def picture(results):
    """Return the curves of all runs as SVG: a line for each seed, a color and a dash pattern for each variant."""
    names, metric = variants_of(results), results["metric"]
    points = [point for run in results["runs"] for point in _finite(run["curve"])] or [[0, 0.0]]
    across = _scale([x for x, _ in points], LEFT, WIDTH - RIGHT)
    upward = _scale([y for _, y in points], HEIGHT - BOTTOM, TOP)
    drawn = [_axes(points, across, upward, metric)]
    for run in results["runs"]:
        k = names.index(run["variant"])
        line = " ".join(f"{across(x):.1f},{upward(y):.1f}" for x, y in _finite(run["curve"]))
        drawn.append(f'<polyline points="{line}" fill="none" stroke-width="1.3" {_pen(k)}/>')
    for k, name in enumerate(names):
        y, x = TOP + 12 + 20 * k, WIDTH - RIGHT + 12
        drawn.append(f'<path d="M{x} {y - 4}h28" stroke-width="2" {_pen(k)}/>')
        drawn.append(f'<text x="{x + 34}" y="{y}">{escape(name)}</text>')
    title = f"{metric} by step, a line for each seed: {', '.join(names)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" font-family="Arial, DejaVu Sans, sans-serif" font-size="12"><title>{escape(title)}</title>'
        f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def _finite(curve):
    """Return the points that can be drawn: a run that has diverged has others."""
    return [[x, y] for x, y in curve if isfinite(y)]


def _scale(values, start, end):
    """Return the function from a value to a coordinate."""
    low, high = min(values), max(values)
    return lambda value: start + (end - start) * ((value - low) / (high - low) if high > low else 0.5)


def _pen(k):
    dash = DASHES[k % len(DASHES)]
    return f'stroke="{COLORS[k % len(COLORS)]}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _axes(points, across, upward, metric):
    """Draw both axes with their smallest and largest value."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    base, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [f'<path d="M{LEFT} {TOP}V{base}H{end}" fill="none" stroke="#555555"/>']
    for x in sorted({min(xs), max(xs)}):
        parts.append(f'<text x="{across(x):.1f}" y="{base + 16}" text-anchor="middle">{x:g}</text>')
    for y in sorted({min(ys), max(ys)}):
        parts.append(f'<text x="{LEFT - 6}" y="{upward(y) + 4:.1f}" text-anchor="end">{y:.3g}</text>')
    middle = (TOP + base) / 2
    parts.append(f'<text x="{(LEFT + end) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">step</text>')
    turned = f'transform="rotate(-90 14 {middle:.0f})"'
    parts.append(f'<text x="14" y="{middle:.0f}" text-anchor="middle" {turned}>{escape(metric)}</text>')
    return "\n".join(parts)
