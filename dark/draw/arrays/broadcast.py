"""`broadcasting`: which cells are repeated on the way forward, and which gradients are summed on the way back."""

from dataclasses import dataclass
from operator import index

import numpy as np

from dark.draw import svg
from dark.draw.arrays import cell_grid
from dark.draw.arrays.cell_grid import CELL, LINE_HEIGHT
from dark.draw.arrays.operand import Operand
from dark.draw.labels import plain
from dark.draw.saving import save
from dark.errors import DrawingError, ShapeError

LONGEST_AXIS, MOST_AXES = 8, 2
MARGIN, TITLE, BETWEEN, AWAY, NARROWEST = 20.0, 28.0, 48.0, 34.0, 190.0  # points
BOLD = {"font-weight": "bold", "font-size": "13"}


@dataclass(frozen=True)
class BroadcastPicture:
    """The addition of two arrays, cell by cell, and what comes back to each of them.

    Parameters
    ----------
    operands : tuple of Operand
    svg, alt, text : str
        The picture, what it shows, and the same in a line for each array.
    """

    operands: tuple
    svg: str
    alt: str
    text: str

    def save(self, path):
        """Write the picture to a file that ends in .svg, and return its path."""
        return save(path, {".svg": lambda: self.svg + "\n"})

    def __repr__(self):
        return self.text

    def _repr_svg_(self):
        return self.svg

    def _repr_mimebundle_(self, include=None, exclude=None):
        html = svg.as_image(self.svg, self.alt)
        return {"text/html": html, "image/svg+xml": self.svg, "text/plain": self.text}


def broadcasting(a, b):
    """Draw what NumPy does when arrays of two shapes are added, forward and backward.

    Parameters
    ----------
    a, b : tuple of int
        Two shapes that fit; the result has at most two axes of at most eight cells.

    Returns
    -------
    BroadcastPicture
        In the upper row the repeated cells are dashed. In the lower row a frame holds the gradients
        that are summed into one cell.

    Raises
    ------
    ShapeError
        If one is no shape, or the two do not fit.
    DrawingError
        If the result is too large to be drawn.

    Examples
    --------
    >>> broadcasting((3, 1), (4,))
    a (3, 1): repeated 4 times along axis 1
    b (4,), read as (1, 4): repeated 3 times along axis 0
    a + b (3, 4)
    a.grad (3, 1): each the sum of 4, along axis 1
    b.grad (4,): each the sum of 3, along axis 0
    """
    a, b = _shape(a), _shape(b)
    try:
        result = np.broadcast_shapes(a, b)
    except ValueError:
        raise ShapeError(
            f"broadcasting: the shapes {a} and {b} do not fit.",
            "from the last axis on, equal lengths, or a length of 1.",
            "write the shapes below each other, right-aligned; an axis of length 1 stretches.",
        ) from None
    if len(result) > MOST_AXES or not all(1 <= n <= LONGEST_AXIS for n in result):
        raise DrawingError(
            f"broadcasting: a result of shape {result} does not fit in a picture.",
            f"at most {MOST_AXES} axes, of 1 to {LONGEST_AXIS} cells each.",
            "broadcasting((3, 1), (1, 4))",
        )
    operands = Operand("a", a, result), Operand("b", b, result)
    ways = [": ".join(one.forward) for one in operands], [": ".join(one.backward) for one in operands]
    text = "\n".join((*ways[0], f"a + b {result}", *ways[1]))
    alt = (
        f"Broadcasting {a} and {b}. Forward: {'; '.join(ways[0])}; their sum has shape {result}."
        f" Backward: {'; '.join(ways[1])}."
    )
    return BroadcastPicture(operands, _picture(operands, result, alt), alt, text)


def _shape(shape):
    """Return a shape as a tuple of lengths; a single length is one too."""
    try:
        lengths = tuple(map(index, shape if isinstance(shape, (tuple, list)) else (shape,)))
    except TypeError:
        lengths = (-1,)
    if min(lengths, default=0) < 0:
        raise ShapeError(
            f"broadcasting: {plain(repr(shape), 60)} is no shape.",
            "a tuple of whole numbers, 0 or more.",
            "broadcasting(a.shape, b.shape)",
        )
    return lengths


def _picture(operands, result, alt):
    """Draw the two rows: arrays and their sum, and below it each way back."""
    rows, columns = _table(result)
    panel = max(columns * CELL, NARROWEST)
    wide = max(columns * CELL + max(map(_extra_width, operands)), NARROWEST)
    width = 2 * MARGIN + max(3 * panel + 2 * BETWEEN, 2 * wide + BETWEEN)
    middle = MARGIN + TITLE + rows * CELL + 2 * LINE_HEIGHT + 34
    height = middle + TITLE + rows * CELL + max(map(_extra_height, operands)) + 2 * LINE_HEIGHT + MARGIN
    root = cell_grid.page(width, height, f"Broadcasting {operands[0].shape} and {operands[1].shape}", alt)
    _forward(root, operands, result, (width - 3 * panel - 2 * BETWEEN) / 2, panel)
    cell_grid.write(
        root, width / 2, middle + 12, "backward: g comes back, and the gradients of repeated cells are summed", BOLD
    )
    for k, operand in enumerate(operands):
        left = (width - 2 * wide - BETWEEN) / 2 + k * (wide + BETWEEN)
        _backward(root, operand, left + wide / 2, middle + TITLE)
    return svg.write(root)


def _forward(root, operands, result, left, panel):
    rows, columns = _table(result)
    top, centre = MARGIN + TITLE, left + panel / 2
    heading = "forward: dashed cells are repeated, not stored"
    cell_grid.write(root, left + 1.5 * panel + BETWEEN, MARGIN + 12, heading, BOLD)
    both = Operand("+".join(one.name for one in operands), result, result)
    for k, operand in enumerate((*operands, both)):
        x = centre + k * (panel + BETWEEN)
        cells = [[_cell(operand, operands, place) for place in row] for row in _places(result)]
        cell_grid.grid(root, x - columns * CELL / 2, top, cells)
        lines = operand.forward if operand is not both else (f"a + b {result}",)
        cell_grid.write_lines(root, x, top + rows * CELL + 20, lines)
        if k:
            sign = "+="[k - 1]
            cell_grid.write(root, x - (panel + BETWEEN) / 2, top + rows * CELL / 2 + 7, sign, {"font-size": "20"})


def _cell(operand, operands, place):
    if operand not in operands:
        return "result", "+".join(one.label(place) for one in operands)
    return ("own" if operand.is_own(place) else "repeated"), operand.label(place)


def _backward(root, operand, x, top):
    """Draw the gradient of the result, frames round what is summed, and the sums beside or below it."""
    rows, columns = _table(operand.result)
    left = x - (columns * CELL + _extra_width(operand)) / 2
    gradient = [[("gradient", "g" + "".join(map(str, place))) for place in row] for row in _places(operand.result)]
    cell_grid.grid(root, left, top, gradient)
    own_rows, own_columns = _table(operand.padded)
    if operand.repeated:
        sums = [[("sum", "Σ")] * own_columns for _ in range(own_rows)]
        tall, wide = rows // own_rows, columns // own_columns
        for r in range(own_rows):
            for c in range(own_columns):
                cell_grid.outline(root, left + c * wide * CELL, top + r * tall * CELL, tall, wide)
        if _extra_width(operand):
            down = (rows - own_rows) * CELL / 2
            cell_grid.grid(root, left + columns * CELL + AWAY, top + down, sums)
            for r in range(own_rows):
                cell_grid.arrow(root, left + columns * CELL + 4, top + down + (r + 0.5) * CELL, AWAY - 8, 0)
        else:
            cell_grid.grid(root, left, top + rows * CELL + AWAY, sums)
            for c in range(own_columns):
                cell_grid.arrow(root, left + (c + 0.5) * CELL, top + rows * CELL + 4, 0, AWAY - 8)
    cell_grid.write_lines(root, x, top + rows * CELL + _extra_height(operand) + 20, operand.backward)


def _extra_width(operand):
    """Return the room for sums beside the gradient: where rows are summed."""
    return AWAY + CELL if _table(operand.padded)[1] < _table(operand.result)[1] else 0.0


def _extra_height(operand):
    """Return the room for sums below the gradient: where only columns are summed."""
    return AWAY + CELL if operand.repeated and not _extra_width(operand) else 0.0


def _table(shape):
    """Return how many rows and columns of cells a shape has."""
    return ((1, 1) + shape)[-2:]


def _places(shape):
    """Return the indices of the cells, row by row."""
    rows, columns = _table(shape)
    return [[(r, c)[2 - len(shape) :] for c in range(columns)] for r in range(rows)]
