"""The loss around a path: its height over the plane in which the path went most, and the path on it."""

from collections.abc import Iterable

import numpy as np

from dark.draw.labels import plain, value_text
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.draw.training.path_on_curve import labelled
from dark.draw.training.pca_plane import EXAMPLE, plane_of
from dark.errors import DrawingError

MARGIN = 0.25  # of the path's width and height, on each side
LEVELS = 10
INK, END = "#0b4f8a", "#9a3412"


def landscape(loss_at, path, *, steps=25, filter_normalised=False, title=None):
    """Draw the loss over the plane of the two main directions of a path, and the path in it.

    Parameters
    ----------
    loss_at : function
        Takes a point in the form in which the path holds them, returns the loss there: a number or a node.
    path : sequence of point
        Where the training went, the start first: each point an array, a sequence of arrays (one for each parameter),
        or a mapping of names to arrays, such as `Module.state_dict` returns. At least three, copies.
    steps : int, default 25
        The loss is computed at ``steps * steps`` places of the plane.
    filter_normalised : bool, default False
        Scale each direction row by row to the length of the weights at the last point, and leave vectors (biases)
        out: landscapes of different networks are comparable then, and the path lies beside the plane.
    title : str, optional
        Stands above the picture.

    Returns
    -------
    FigurePicture
        Lines of equal loss carry their number, and the ground is the darker, the higher. The plane goes through the
        last point; the others lie beside it, and are drawn where their perpendiculars meet it. The picture says how
        much of the movement lies in each direction; the losses of start and end are those at the points themselves.

    Raises
    ------
    DrawingError
        If the path spans no plane, or `loss_at` is no function that gives numbers.
    MissingExtraError
        If matplotlib is not installed.

    Notes
    -----
    The last call of `loss_at` is at the last point: a network into which it loads weights ends up there.

    References
    ----------
    H. Li, Z. Xu, G. Taylor, C. Studer, T. Goldstein, "Visualizing the loss landscape of neural nets", 2018.

    Examples
    --------
    >>> landscape(lambda w: w[0] ** 2 + 4 * w[1] ** 2, [[2.0, 1.0], [1.0, 0.1], [0.0, 0.0]], steps=5)
    Loss over the plane through the last point, along the two main directions of the path, with 98 % and 2 % of \
its movement. The path goes in 2 steps from loss 8 to loss 0; on the plane the loss is between 0.0882 and 13.1.
    """
    path = _checked(loss_at, path, steps)
    plane = plane_of(path, filter_normalised=filter_normalised)
    figure = empty_figure(6.4, 4.8)
    across, along = (_grid(values, steps) for values in plane.places.T)
    heights = np.array([[height(loss_at, plane.at(x, y)) for x in across] for y in along])
    ends = [height(loss_at, point) for point in (path[0], path[-1])]
    kind = "filter-normalised direction" if filter_normalised else "direction"
    words = [f"{kind} {k}: {share:.0%} of the movement".replace("%", " %") for k, share in enumerate(plane.shares, 1)]
    axes = figure.add_subplot(xlabel=words[0], ylabel=words[1], title=title or "")
    _draw_ground(axes, across, along, heights)
    _draw_path(axes, plane.places, ends)
    return FigurePicture(figure, _alt(plane, heights, ends, kind, title), title or "Loss landscape")


def height(loss_at, point):
    """Return the loss at a point as a float.

    Raises
    ------
    DrawingError
        If `loss_at` gives something else than a number.

    Examples
    --------
    >>> height(lambda w: w @ w, np.array([3.0, 4.0]))
    25.0
    """
    loss = loss_at(point)
    try:
        return float(getattr(loss, "value", loss))
    except (TypeError, ValueError):
        raise DrawingError(
            f"landscape: loss_at gives {plain(repr(loss), 60)}, which is no number.",
            "a function of a point of the path that returns one number.",
            "reduce an array to a number: dark.mean(losses)",
        ) from None


def levels_of(heights):
    """Choose the heights at which lines are drawn: in even ratios where the loss spans orders of magnitude.

    Examples
    --------
    >>> levels_of(np.array([0.01, 1.0]))[:3].round(4), levels_of(np.array([0.0, 11.0]))[:3]
    (array([0.0152, 0.0231, 0.0351]), array([1., 2., 3.]))
    """
    low, high = np.min(heights), np.max(heights)
    spaced = np.geomspace if low > 0 and high > 20 * low else np.linspace
    return spaced(low, high, LEVELS + 2)[1:-1]


def _checked(loss_at, path, steps):
    """Return the path as a list, if it and the rest are what they should be."""
    wrong = "" if callable(loss_at) else f"loss_at is of type {type(loss_at).__name__}"
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 2:
        wrong = f"steps is {steps!r}"
    if not isinstance(path, Iterable):
        wrong = f"the path is of type {type(path).__name__}"
    if wrong:
        raise DrawingError(
            f"landscape: {wrong}.",
            "a function of a point, the points it went through, and a whole number of steps, 2 or more.",
            f"landscape(loss_at, path), with {EXAMPLE}",
        )
    return list(path)


def _grid(values, steps):
    low, high = values.min(), values.max()
    margin = MARGIN * (high - low)
    return np.linspace(low - margin, high + margin, steps)


def _draw_ground(axes, across, along, heights):
    shown = np.ma.masked_invalid(heights)
    levels = levels_of(shown.compressed()) if shown.count() else np.zeros(2)
    if np.all(np.diff(levels) > 0):  # a flat ground has no lines
        greys = [str(light) for light in np.linspace(1, 0.55, LEVELS + 1)]
        axes.contourf(across, along, shown, levels=levels, colors=greys, extend="both")
        lines = axes.contour(across, along, shown, levels=levels, colors="#52606d", linewidths=0.8)
        axes.clabel(lines, fontsize=8, colors="#1f2933", fmt=lambda level: f"{level:.3g}")


def _draw_path(axes, places, ends):
    dots = {"marker": "o", "markersize": 5, "markerfacecolor": "white", "markeredgewidth": 1.4}
    axes.plot(*places.T, color=INK, linestyle="--", linewidth=1.2, **dots)
    axes.plot(*places[0], "s", color=INK, markersize=9, label=f"start: loss {ends[0]:.4g}")
    axes.plot(*places[-1], "D", color=END, markersize=8, label=f"after {len(places) - 1} steps: loss {ends[1]:.4g}")
    paper = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    for i in labelled([tuple(place) for place in places]):
        look = {"textcoords": "offset points", "fontsize": 8, "ha": "center", "bbox": paper}
        axes.annotate(str(i), places[i], xytext=(0, 7), **look)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False, fontsize=9)


def _alt(plane, heights, ends, kind, title):
    finite = heights[np.isfinite(heights)]
    first, second = (f"{share:.0%}".replace("%", " %") for share in plane.shares)
    scaled = ", filter-normalised" if kind != "direction" else ""
    text = f"{title}. " if title else ""
    text += "Loss over the plane through the last point, along the two main directions of the path"
    text += f"{scaled}, with {first} and {second} of its movement. The path goes in {len(plane.places) - 1} steps"
    text += f" from loss {value_text(ends[0])} to loss {value_text(ends[1])}"
    if len(finite):
        text += f"; on the plane the loss is between {finite.min():.3g} and {finite.max():.3g}"
    left_out = f" {heights.size - finite.size} of {heights.size} places have no finite loss."
    return text + "." + (left_out if finite.size < heights.size else "")
