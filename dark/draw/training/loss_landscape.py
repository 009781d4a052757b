"""`landscape`: the loss over the plane of the first two principal components of a training path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dark.checks import callable_with, describe, integer
from dark.draw.labels import one_line, value_text
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.draw.training.path_on_curve import numbered_points, write_label
from dark.draw.training.pca_plane import EXAMPLE, plane_of
from dark.errors import DrawingError
from dark.typing import ArrayLike

MARGIN = 0.25  # on each side, as a fraction of the path's width and height
LEVELS = 10
PATH_COLOR, END_COLOR = "#0b4f8a", "#9a3412"


def landscape(
    loss_at: Callable[[Any], ArrayLike],
    path: Iterable[Any],
    *,
    steps: int = 25,
    filter_normalized: bool = False,
    title: str | None = None,
) -> FigurePicture:
    """Draw the loss landscape around a training path: a contour plot over its first two principal components.

    Parameters
    ----------
    loss_at : function
        Takes a point in the form of the path's points, returns the loss there: a number or a node.
    path : sequence of point
        The parameters during training, the start first: each point an array, a sequence of arrays (one for each
        parameter), or a mapping of names to arrays, such as `Module.state_dict` returns. At least three, copies.
    steps : int, default 25
        The loss is computed on a grid of ``steps * steps`` points.
    filter_normalized : bool, default False
        Scale each direction row by row to the norm of the weights at the last point, and ignore vectors (biases).
        This makes landscapes of different networks comparable; the directions no longer come from the path.
    title : str, optional

    Returns
    -------
    FigurePicture
        Contour lines are labeled with their loss, and a darker background is a higher loss. The plane goes through
        the last point; the others are projected on it. The axis labels state the variance that each component
        explains; the losses of start and end are those at the points themselves.

    Notes
    -----
    The last call of `loss_at` is at the last point, so a network into which it loads the parameters keeps those.

    References
    ----------
    H. Li, Z. Xu, G. Taylor, C. Studer, T. Goldstein, "Visualizing the loss landscape of neural nets", 2018.

    Examples
    --------
    >>> landscape(lambda w: w[0] ** 2 + 4 * w[1] ** 2, [[2.0, 1.0], [1.0, 0.1], [0.0, 0.0]], steps=5)
    Loss over the plane through the last point, along the first two principal components of the path, with 98% and \
2% of its variance. The path goes in 2 steps from loss 8 to loss 0; on the plane the loss is between 0.0882 and 13.1.
    """
    points = _checked(loss_at, path, steps)
    plane = plane_of(points, filter_normalized=filter_normalized)
    figure = empty_figure(6.4, 4.8)
    across, along = (_grid(values, steps) for values in plane.coordinates.T)
    heights = np.array([[evaluate(loss_at, plane.at(x, y)) for x in across] for y in along])
    ends = [evaluate(loss_at, point) for point in (points[0], points[-1])]
    kind = "filter-normalized component" if filter_normalized else "principal component"
    words = [f"{kind} {k}: {part:.0%} of the variance" for k, part in enumerate(plane.explained, 1)]
    axes = figure.add_subplot(xlabel=words[0], ylabel=words[1], title=title or "")
    _draw_contours(axes, across, along, heights)
    _draw_path(axes, plane.coordinates, ends)
    return FigurePicture(figure, _alt(plane, heights, ends, kind, title), title or "Loss landscape")


def evaluate(loss_at, point):
    """Return the loss at a point as a float."""
    loss = loss_at(point)
    try:
        return float(getattr(loss, "value", loss))
    except (TypeError, ValueError):
        raise DrawingError(
            f"landscape: loss_at returned {one_line(repr(loss), 60)}, which is not a number.",
            "a function of a point of the path that returns one number.",
            "reduce an array to a number: dark.mean(losses)",
        ) from None


def levels_of(heights):
    """Choose the levels of the contour lines: spaced geometrically if the loss spans orders of magnitude."""
    low, high = np.min(heights), np.max(heights)
    spaced = np.geomspace if low > 0 and high > 20 * low else np.linspace
    return spaced(low, high, LEVELS + 2)[1:-1]


def _checked(loss_at, path, steps):
    """Check the arguments of `landscape`, and return the path as a list."""
    callable_with(loss_at, "landscape", "loss_at", ("point",))
    integer(steps, "landscape", "steps", 2)
    if not isinstance(path, Iterable):
        raise DrawingError(
            f"landscape: path must be a sequence of points, got {describe(path)}.",
            "a sequence of points, each an array, a sequence of arrays or a mapping of names to arrays.",
            f"landscape(loss_at, path), with {EXAMPLE}",
        )
    return list(path)


def _grid(values, steps):
    low, high = values.min(), values.max()
    margin = MARGIN * (high - low)
    return np.linspace(low - margin, high + margin, steps)


def _draw_contours(axes, across, along, heights):
    shown = np.ma.masked_invalid(heights)
    levels = levels_of(shown.compressed()) if shown.count() else np.zeros(2)
    if np.all(np.diff(levels) > 0):  # a constant loss has no contour lines
        grays = [str(light) for light in np.linspace(1, 0.55, LEVELS + 1)]
        axes.contourf(across, along, shown, levels=levels, colors=grays, extend="both")
        lines = axes.contour(across, along, shown, levels=levels, colors="#52606d", linewidths=0.8)
        axes.clabel(lines, fontsize=8, colors="#1f2933", fmt=lambda level: f"{level:.3g}")


def _draw_path(axes, points, ends):
    dots = {"marker": "o", "markersize": 5, "markerfacecolor": "white", "markeredgewidth": 1.4}
    axes.plot(*points.T, color=PATH_COLOR, linestyle="--", linewidth=1.2, **dots)
    axes.plot(*points[0], "s", color=PATH_COLOR, markersize=9, label=f"start: loss {ends[0]:.4g}")
    axes.plot(*points[-1], "D", color=END_COLOR, markersize=8, label=f"end: loss {ends[1]:.4g}")
    for i in numbered_points([tuple(point) for point in points]):
        write_label(axes, str(i), points[i], (0, 7), 8)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False, fontsize=9)


def _alt(plane, heights, ends, kind, title):
    finite = heights[np.isfinite(heights)]
    first, second = (f"{part:.0%}" for part in plane.explained)
    scaled = ", filter-normalized" if kind.startswith("filter") else ""
    text = f"{title}. " if title else ""
    text += "Loss over the plane through the last point, along the first two principal components of the path"
    text += f"{scaled}, with {first} and {second} of its variance. The path goes in {len(plane.coordinates) - 1} steps"
    text += f" from loss {value_text(ends[0])} to loss {value_text(ends[1])}"
    if len(finite):
        text += f"; on the plane the loss is between {finite.min():.3g} and {finite.max():.3g}"
    left_out = f" The loss is not finite at {heights.size - finite.size} of {heights.size} points."
    return text + "." + (left_out if finite.size < heights.size else "")
