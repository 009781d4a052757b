"""The path of an optimisation on the curve of a function of one variable."""

from dataclasses import dataclass
from math import inf, nan

from dark.draw.labels import plain, value_text
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.errors import DrawingError

POINTS_OF_CURVE = 200
LARGEST = 1e300  # beyond, a distance between two points is infinite
ABOVE, BELOW = (0, 9), (0, -17)  # where a word stands, in points from its place
# How wide and tall a label is with the air around it, as parts of the path's own width and height.
NUMBER, WORD = (0.05, 0.105), (0.075, 0.12)


@dataclass(frozen=True, repr=False)
class CurvePicture(FigurePicture):
    """A curve as a figure with its alternative text; see `FigurePicture`."""

    title: str = "Path on a curve"


def path_on_curve(f, path, title=None):
    """Draw a function of one variable, and on it the points that an optimisation went through.

    Parameters
    ----------
    f : function
        Takes a float; returns a float or a node.
    path : sequence of float or Node
        The points, the start first, as `dark.minimize` returns them.
    title : str, optional
        Stands above the picture.

    Returns
    -------
    CurvePicture
        Its `figure` is the matplotlib figure. Start and end are labelled; the point after step k
        carries the number k, where there is room.

    Raises
    ------
    DrawingError
        If `f` is no function, gives no number, or the path is no row of numbers, or none of them can be drawn.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> path_on_curve(lambda x: 2 * x**2 + 5, [10.0, 6.0, 3.6])
    Curve with a path of 2 steps: from x = 10, f(x) = 205 to x = 3.6, f(x) = 30.92.
    """
    path = [(x, height(f, x)) for x in _numbers(f, path)]
    points = [point for point in path if all(abs(part) < LARGEST for part in point)]
    if not points:
        raise DrawingError(
            "path_on_curve: the path holds no point that can be drawn.",
            "one finite number or more, at which f is finite.",
            "path_on_curve(f, [10.0, 6.0, 3.6])",
        )
    figure, axes = _empty_figure(title)
    _draw_curve(axes, f, [x for x, _ in points])
    left_out = len(path) - len(points)
    missing = f"{left_out} of {len(path)} points left out, without a finite value" if left_out else ""
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
        wrong = f"f is of type {type(f).__name__}, which is no function"
    except (TypeError, ValueError):
        wrong = f"the path is {plain(repr(path), 60)}, which is no row of numbers"
    raise DrawingError(
        f"path_on_curve: {wrong}.",
        "a function of one number, and the points it was at.",
        "path_on_curve(f, [10.0, 6.0, 3.6])",
    )


def height(f, x):
    """Return f(x) as a float; nan where f has no value there.

    Raises
    ------
    DrawingError
        If `f` gives something else than a number.

    Examples
    --------
    >>> height(lambda x: 1 / x, 0.0), height(lambda x: x * x, 3.0)
    (nan, 9.0)
    """
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
            f"path_on_curve: at {value_text(x)} f gives {plain(repr(y), 60)}, which is no number.",
            "a function of one number that returns one number.",
            "reduce an array to a number: lambda x: dark.sum(f(x))",
        ) from None


def labelled(points):
    """Choose the points that get a number: those whose number hides no other label.

    Parameters
    ----------
    points : list of (float, float)

    Returns
    -------
    list of int
        Positions in `points`, without the first and the last, which are labelled by words.

    Examples
    --------
    >>> labelled([(10.0, 205.0), (6.0, 77.0), (3.6, 30.9), (3.59, 30.8), (0.0, 5.0)])
    [1, 2]
    """
    wide, tall = (max(axis) - min(axis) or inf for axis in zip(*points, strict=True))
    places = [(x / wide, y / tall) for x, y in points]
    ends, chosen = (places[0], places[-1]), []
    for i, place in enumerate(places[1:-1], 1):
        numbers = (places[k] for k in chosen)
        if not any(_meet(place, end, WORD) for end in ends) and not any(_meet(place, n, NUMBER) for n in numbers):
            chosen.append(i)
    return chosen


def _meet(place, other, size):
    return abs(place[0] - other[0]) < size[0] and abs(place[1] - other[1]) < size[1]


def _empty_figure(title):
    figure = empty_figure()
    axes = figure.add_subplot(xlabel="x", ylabel="f(x)", title=title or "")
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _draw_curve(axes, f, xs):
    low, high = min(xs), max(xs)
    margin = 0.15 * (high - low) or 1.0
    step = (high - low + 2 * margin) / (POINTS_OF_CURVE - 1)
    grid = [low - margin + step * k for k in range(POINTS_OF_CURVE)]
    axes.plot(grid, [height(f, x) for x in grid], color="#52606d", linewidth=1.8)


def _draw_path(axes, points, missing=""):
    first, last, steps = points[0], points[-1], len(points) - 1
    dots = {"marker": "o", "markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.6}
    xs, ys = zip(*points, strict=True)
    axes.plot(xs, ys, color="#0b4f8a", linestyle="--", linewidth=1.0, **dots)
    axes.plot(first[0], first[1], "s", color="#0b4f8a", markersize=9, label=f"start: {_place(first)}")
    if steps:
        end = f"after {_count(steps)}: {_place(last)}"
        axes.plot(last[0], last[1], "D", color="#9a3412", markersize=8, label=end)
        _write(axes, "end", last, ABOVE if last[1] > first[1] else BELOW)
    # The higher of the two is named above, the lower below: the points between them stay in sight.
    _write(axes, "start", first, BELOW if last[1] > first[1] else ABOVE)
    for i in labelled(points):
        _write(axes, str(i), points[i], (0, 7))
    if missing:
        axes.plot([], [], " ", label=missing)
    axes.margins(y=0.12)
    axes.legend(loc="upper center", frameon=False, fontsize=9)


def _count(steps):
    return "1 step" if steps == 1 else f"{steps} steps"


def _place(point):
    return f"x = {point[0]:.4g}, f(x) = {point[1]:.4g}"


def _write(axes, text, point, away):
    paper = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    options = {"textcoords": "offset points", "fontsize": 9, "ha": "center", "bbox": paper}
    axes.annotate(text, point, xytext=away, **options)
