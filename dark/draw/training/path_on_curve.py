"""`path_on_curve`: the points of an optimization on the graph of a function of one variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, nan

from dark.draw.labels import one_line, value_text
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.errors import DrawingError
from dark.typing import ArrayLike

POINTS_OF_CURVE = 200
LARGEST = 1e300  # beyond this, the distance between two points overflows
ABOVE, BELOW = (0, 9), (0, -17)  # the offset of a label from its point, in points
# The width and height of a label with its padding, as fractions of the width and height of the path.
NUMBER, WORD = (0.05, 0.105), (0.075, 0.12)


@dataclass(frozen=True, repr=False)
class CurvePicture(FigurePicture):
    """A curve with a path as a figure; see `FigurePicture`."""

    title: str = "Path on a curve"


def path_on_curve(f: Callable[[float], ArrayLike], path: Iterable[ArrayLike], title: str | None = None) -> CurvePicture:
    """Draw a function of one variable, and on it the points of an optimization.

    Parameters
    ----------
    f : function
        Takes a float; returns a float or a node.
    path : sequence of float or Node
        The points, the start first, as `dark.minimize` returns them.
    title : str, optional

    Returns
    -------
    CurvePicture
        Its `figure` is the matplotlib figure. Start and end are labeled; the point after step k has the
        label k, if there is space.

    Examples
    --------
    >>> path_on_curve(lambda x: 2 * x**2 + 5, [10.0, 6.0, 3.6])
    Curve with a path of 2 steps: from x = 10, f(x) = 205 to x = 3.6, f(x) = 30.92.
    """
    given = [(x, evaluate(f, x)) for x in _numbers(f, path)]
    points = [point for point in given if all(abs(part) < LARGEST for part in point)]
    if not points:
        raise DrawingError(
            "path_on_curve: no point of the path can be drawn.",
            "at least one finite number at which f is finite.",
            "path_on_curve(f, [10.0, 6.0, 3.6])",
        )
    figure = empty_figure()
    axes = figure.add_subplot(xlabel="x", ylabel="f(x)", title=title or "")
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    _draw_curve(axes, f, [x for x, _ in points])
    omitted = len(given) - len(points)
    missing = f"{omitted} of {len(given)} points omitted: not finite" if omitted else ""
    _draw_path(axes, points, missing)
    head = f"{title}. " if title else ""
    ends = [f"x = {value_text(x)}, f(x) = {value_text(y)}" for x, y in (points[0], points[-1])]
    alt = f"{head}Curve with a path of {_count(len(points) - 1)}: from {ends[0]} to {ends[1]}."
    alt += f" {missing}." if missing else ""
    return CurvePicture(figure, alt)


def _numbers(f, path):
    """Return the points of a path as floats."""
    try:
        if callable(f):
            return [float(getattr(x, "value", x)) for x in path]
        wrong = f"f is not a function but of type {type(f).__name__}"
    except (TypeError, ValueError):
        wrong = f"the path {one_line(repr(path), 60)} is not a sequence of numbers"
    raise DrawingError(
        f"path_on_curve: {wrong}.",
        "a function of one number, and a sequence of points.",
        "path_on_curve(f, [10.0, 6.0, 3.6])",
    )


def evaluate(f, x):
    """Return f(x) as a float; NaN if f is undefined there."""
    try:
        y = f(x)
    except (ArithmeticError, ValueError):
        return nan
    y = getattr(y, "value", y)
    try:
        return float(y)
    except OverflowError:
        return nan
    except (TypeError, ValueError):
        raise DrawingError(
            f"path_on_curve: f({value_text(x)}) returned {one_line(repr(y), 60)}, which is not a number.",
            "a function of one number that returns one number.",
            "reduce an array to a number: lambda x: dark.sum(f(x))",
        ) from None


def numbered_points(points: list[tuple[float, float]]) -> list[int]:
    """Choose the points, but the first and the last, by index, whose number does not overlap another label."""
    width, height = (max(axis) - min(axis) or inf for axis in zip(*points, strict=True))
    scaled = [(x / width, y / height) for x, y in points]
    ends = (scaled[0], scaled[-1])
    chosen: list[int] = []
    for i, point in enumerate(scaled[1:-1], 1):
        numbers = (scaled[k] for k in chosen)
        if not any(_overlap(point, end, WORD) for end in ends) and not any(_overlap(point, n, NUMBER) for n in numbers):
            chosen.append(i)
    return chosen


def _overlap(point, other, size):
    return abs(point[0] - other[0]) < size[0] and abs(point[1] - other[1]) < size[1]


def _draw_curve(axes, f, xs):
    low, high = min(xs), max(xs)
    margin = 0.15 * (high - low) or 1.0
    step = (high - low + 2 * margin) / (POINTS_OF_CURVE - 1)
    grid = [low - margin + step * k for k in range(POINTS_OF_CURVE)]
    axes.plot(grid, [evaluate(f, x) for x in grid], color="#52606d", linewidth=1.8)


def _draw_path(axes, points, missing=""):
    first, last, steps = points[0], points[-1], len(points) - 1
    dots = {"marker": "o", "markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.6}
    xs, ys = zip(*points, strict=True)
    axes.plot(xs, ys, color="#0b4f8a", linestyle="--", linewidth=1.0, **dots)
    axes.plot(first[0], first[1], "s", color="#0b4f8a", markersize=9, label=f"start: {_coordinates(first)}")
    if steps:
        end = f"after {_count(steps)}: {_coordinates(last)}"
        axes.plot(last[0], last[1], "D", color="#9a3412", markersize=8, label=end)
        write_label(axes, "end", last, ABOVE if last[1] > first[1] else BELOW)
    # The higher point has its label above, the lower one below: neither covers the points between.
    write_label(axes, "start", first, BELOW if last[1] > first[1] else ABOVE)
    for i in numbered_points(points):
        write_label(axes, str(i), points[i], (0, 7))
    if missing:
        axes.plot([], [], " ", label=missing)
    axes.margins(y=0.12)
    axes.legend(loc="upper center", frameon=False, fontsize=9)


def _count(steps):
    return "1 step" if steps == 1 else f"{steps} steps"


def _coordinates(point):
    return f"x = {point[0]:.4g}, f(x) = {point[1]:.4g}"


def write_label(axes, text, point, offset, size=9):
    """Write a short text beside a point of a path."""
    background = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    options = {"textcoords": "offset points", "fontsize": size, "ha": "center", "bbox": background}
    axes.annotate(text, point, xytext=offset, **options)
