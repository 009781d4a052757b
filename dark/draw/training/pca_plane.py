"""The plane in which a path is drawn: through its last point, along its first two principal components."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.draw.labels import one_line
from dark.errors import DrawingError

EXAMPLE = "path.append([p.value.copy() for p in network.parameters()])  # after each epoch"


@dataclass(frozen=True)
class Plane:
    """A plane in the space of parameters."""

    last: object  # the point at (0, 0): an array, a sequence or a mapping of arrays
    directions: np.ndarray  # shape (2, numbers): what spans the plane
    # The fraction of the variance around the last point that each principal component explains.
    explained: tuple[float, float]
    coordinates: np.ndarray  # shape (points, 2): the orthogonal projections of the path's points

    def at(self, x, y):
        """Return the point with these coordinates, in the form of the path's points."""
        moved = x * self.directions[0] + y * self.directions[1]
        names, arrays = arrays_of(self.last)
        made, begin = [], 0
        for array in arrays:
            if array.dtype.kind == "f":
                step, begin = moved[begin : begin + array.size].reshape(array.shape), begin + array.size
                array = (array + step).astype(array.dtype)
            made.append(array)
        if names is None:
            return made[0]
        return dict(zip(names, made)) if isinstance(self.last, Mapping) else made


def plane_of(path: Sequence[Any], *, filter_normalized: bool = False) -> Plane:
    """Return the plane of a path by principal component analysis.

    The plane spans arrays of floats; others keep their values at the last point. `filter_normalized` scales each row of
    a weight's direction to the norm of that row of the weight, and ignores vectors (biases).

    The principal components are the first two right singular vectors of the differences to the last point, with
    signs such that the first point has negative coordinates.
    """
    rows = _rows(path)
    offsets = rows - rows[-1]
    _, sizes, directions = np.linalg.svd(offsets, full_matrices=False)
    if len(sizes) < 2 or not sizes[1] > 1e-9 * sizes[0]:
        raise DrawingError(
            f"landscape: the {len(rows)} points of the path must not be collinear or equal.",
            "three or more points that span a plane, each a copy: an optimizer changes the arrays in place.",
            EXAMPLE,
        )
    signs = np.where(offsets[0] @ directions[:2].T > 0, -1.0, 1.0)
    main = directions[:2] * signs[:, None]
    if filter_normalized:
        main = np.stack([_by_filters(direction, path[-1]) for direction in main])
    coordinates = np.linalg.lstsq(main.T, offsets.T, rcond=None)[0].T
    first, second = sizes[:2] ** 2 / (sizes**2).sum()
    return Plane(path[-1], main, (float(first), float(second)), coordinates)


def arrays_of(point):
    """Return the arrays of a point, and their names, indices, or None for a single array."""
    if isinstance(point, Mapping):
        return list(point), [_array(x) for x in point.values()]
    if isinstance(point, (list, tuple)) and any(np.ndim(_array(x)) for x in point):
        return list(range(len(point))), [_array(x) for x in point]
    return None, [_array(point)]


def _array(x):
    return np.asarray(getattr(x, "value", x))


def _rows(path):
    """Return the points as the rows of a matrix."""
    try:
        rows = [np.concatenate([a.reshape(-1).astype(float) for a in _float_arrays(point)]) for point in path]
        table = np.stack(rows)
        wrong = "" if np.isfinite(table).all() else "contains numbers that are not finite"
    except (TypeError, ValueError) as error:
        wrong = f"cannot be read: {one_line(error, 80)}"
    if wrong:
        raise DrawingError(f"landscape: the path {wrong}.", "points of the same shapes, as finite numbers.", EXAMPLE)
    return table


def _float_arrays(point):
    return [array for array in arrays_of(point)[1] if array.dtype.kind == "f"]


def _by_filters(direction, last):
    """Scale a direction filter by filter to the norms of the weights `last`."""
    made, begin = [], 0
    for array in _float_arrays(last):
        part, begin = direction[begin : begin + array.size], begin + array.size
        if array.ndim < 2:
            made.append(np.zeros(array.size))
            continue
        weights, ways = array.reshape(len(array), -1), part.reshape(len(array), -1)
        lengths = np.linalg.norm(ways, axis=1, keepdims=True)
        made.append((ways / np.maximum(lengths, 1e-30) * np.linalg.norm(weights, axis=1, keepdims=True)).reshape(-1))
    return np.concatenate(made)
