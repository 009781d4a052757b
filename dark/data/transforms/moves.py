"""How pixels and points move together: a mirror, a window, and an affine map.

A move knows two things, each the picture of the other: `pixels` says what stands at each place of the new picture,
`points` says where each place of the old one went.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Stay:
    """Everything where it was."""

    def pixels(self, pixels, fill, nearest):
        """Give the same pixels."""
        return pixels

    def points(self, points):
        """Give the same points."""
        return points


@dataclass(frozen=True)
class Mirror:
    """Left and right exchanged (axis -1), or top and bottom (axis -2), of a length in pixels."""

    axis: int
    length: int

    def pixels(self, pixels, fill, nearest):
        """Give the pixels in the other order."""
        return np.flip(pixels, self.axis).copy()

    def points(self, points):
        """Measure x or y from the other side."""
        coordinate = -1 - self.axis  # the last axis is x, which stands first
        moved = points.copy()
        moved[..., coordinate] = self.length - 1 - moved[..., coordinate]
        return moved


@dataclass(frozen=True)
class Window:
    """What is seen through a window, which may reach beyond the picture."""

    top: int
    left: int
    height: int
    width: int

    def pixels(self, pixels, fill, nearest):
        """Copy what lies inside, and fill the rest."""
        seen = np.full((*pixels.shape[:-2], self.height, self.width), fill, dtype=pixels.dtype)
        rows = _overlap(self.top, self.height, pixels.shape[-2])
        columns = _overlap(self.left, self.width, pixels.shape[-1])
        seen[..., rows[0], columns[0]] = pixels[..., rows[1], columns[1]]
        return seen

    def points(self, points):
        """Count from the corner of the window."""
        return points - np.asarray([self.left, self.top], dtype=points.dtype)


def _overlap(start, length, there):
    """Say which places of the window, and which of the picture, are the same."""
    first, last = max(start, 0), max(min(start + length, there), max(start, 0))
    return slice(first - start, last - start), slice(first, last)


@dataclass(frozen=True)
class Affine:
    """A point p goes to `matrix @ p + shift`; the picture keeps its size.

    Parameters
    ----------
    matrix : array, shape (2, 2)
        In (x, y); it has an inverse.
    shift : array, shape (2,)
        In pixels.
    """

    matrix: np.ndarray
    shift: np.ndarray

    def pixels(self, pixels, fill, nearest):
        """Look up, for each place of the new picture, where it came from."""
        height, width = pixels.shape[-2:]
        grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)  # (height, width, 2), x first
        source = (grid - self.shift) @ np.linalg.inv(self.matrix).T
        look = look_nearest if nearest or pixels.dtype.kind == "b" else look_between
        return look(pixels, source[..., 0], source[..., 1], fill)

    def points(self, points):
        """Map the points."""
        return (points @ self.matrix.T + self.shift).astype(points.dtype)


def look_nearest(pixels, x, y, fill):
    """Read the pixel nearest to each place.

    Parameters
    ----------
    pixels : array, shape (…, height, width)
    x, y : array of float, shape (rows, columns)
        Where to read, in pixels.
    fill : float
        What stands outside.

    Returns
    -------
    array, shape (…, rows, columns)
        Of the same dtype. Half way between two pixels, the right or lower one.
    """
    height, width = pixels.shape[-2:]
    column, row = np.floor(x + 0.5).astype(int), np.floor(y + 0.5).astype(int)
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    read = pixels[..., row.clip(0, height - 1), column.clip(0, width - 1)]
    return np.where(inside, read, np.asarray(fill).astype(pixels.dtype))


def look_between(pixels, x, y, fill):
    """Read between the four pixels around each place, in proportion (bilinear).

    Parameters
    ----------
    pixels, x, y, fill
        As in `look_nearest`.

    Returns
    -------
    array, shape (…, rows, columns)
        Of the same dtype; integers are rounded. A place less than a pixel outside is part picture, part `fill`.

    Examples
    --------
    >>> look_between(np.array([[0.0, 10.0]]), np.array([[0.25, 1.5]]), np.zeros((1, 2)), 0)
    array([[2.5, 5. ]])
    """
    height, width = pixels.shape[-2:]
    framed = np.full((*pixels.shape[:-2], height + 3, width + 3), fill, dtype=np.result_type(pixels, np.float32))
    framed[..., 1:-2, 1:-2] = pixels
    x, y = np.clip(x, -1, width) + 1, np.clip(y, -1, height) + 1
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    right, down = (x - column).astype(framed.dtype), (y - row).astype(framed.dtype)
    top = framed[..., row, column] * (1 - right) + framed[..., row, column + 1] * right
    bottom = framed[..., row + 1, column] * (1 - right) + framed[..., row + 1, column + 1] * right
    read = top * (1 - down) + bottom * down
    if pixels.dtype.kind in "iu":
        limits = np.iinfo(pixels.dtype)
        read = np.rint(read).clip(limits.min, limits.max)
    return read.astype(pixels.dtype)


def around_middle(matrix, height, width, shift=(0.0, 0.0)):
    """Make the affine map that has the middle of a picture as its fixed point, but for a shift.

    Parameters
    ----------
    matrix : array, shape (2, 2)
    height, width : int
        Of the picture; its middle is ((width - 1) / 2, (height - 1) / 2).
    shift : (float, float)
        How far the middle moves, in pixels (x, y).

    Returns
    -------
    Affine
    """
    middle = np.array([width - 1, height - 1]) / 2
    return Affine(matrix, middle - matrix @ middle + np.asarray(shift))


def turned(degrees):
    """Make the matrix of a turn, counter-clockwise as seen (y runs down); exact at multiples of 90.

    Examples
    --------
    >>> turned(90)
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    quarters, rest = divmod(degrees, 90)
    if rest == 0:
        cos, sin = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][int(quarters) % 4]
    else:
        cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[cos, sin], [-sin + 0.0, cos]])


def largest_rectangle(width, height, degrees):
    """Measure the largest upright rectangle inside a turned one.

    Parameters
    ----------
    width, height : float
        Of the rectangle before it is turned, above 0.
    degrees : float
        How far it is turned, either way.

    Returns
    -------
    (float, float)
        Width and height of the rectangle: what is left of a turned picture without its empty corners.

    Notes
    -----
    Where the short side is at most sin(2a) times the long one, two corners touch the long sides and the others lie
    on the middle line; otherwise all four sides are touched.

    Examples
    --------
    >>> [round(side, 3) for side in largest_rectangle(200, 100, 30)]
    [100.0, 57.735]
    """
    angle = np.deg2rad(degrees)
    sin, cos = abs(float(np.sin(angle))), abs(float(np.cos(angle)))
    long, short = max(width, height), min(width, height)
    if short <= 2 * sin * cos * long or abs(sin - cos) < 1e-10:
        across, along = short / 2 / (sin if width >= height else cos), short / 2 / (cos if width >= height else sin)
        return across, along
    cos_of_double = cos * cos - sin * sin
    return (width * cos - height * sin) / cos_of_double, (height * cos - width * sin) / cos_of_double
