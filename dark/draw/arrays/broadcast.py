"""`broadcasting`: which cells are repeated in the forward pass, and which gradients are summed in the backward pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from dark.checks import integers
from dark.draw import svg
from dark.draw.arrays import cell_grid
from dark.draw.arrays.cell_grid import CELL, LINE_HEIGHT
from dark.draw.displayed import Displayed
from dark.draw.labels import one_line
from dark.errors import DarkError, DrawingError, ShapeError

LONGEST_AXIS, MOST_AXES = 8, 2
MARGIN, TITLE, GAP, ARROW_LENGTH, NARROWEST = 20.0, 28.0, 48.0, 34.0, 190.0  # points
BOLD = {"font-weight": "bold", "font-size": "13"}


@dataclass(frozen=True)
class Operand:
    """One of the two arrays, and the shape of the result, to which it is broadcast."""

    name: str
    shape: tuple[int, ...]
    result: tuple[int, ...]

    @property
    def padded(self) -> tuple[int, ...]:
        """The shape with axes of length 1 prepended, up to the number of axes of the result."""
        return (1,) * (len(self.result) - len(self.shape)) + self.shape

    @property
    def repeated(self) -> tuple[int, ...]:
        """The axes of the result along which the array is repeated."""
        return tuple(k for k, (own, all_) in enumerate(zip(self.padded, self.result)) if own != all_)

    @property
    def count(self) -> int:
        """The number of cells of the result that share one element of the array."""
        return prod(self.result[k] for k in self.repeated)

    def label(self, index: tuple[int, ...]) -> str:
        """Return the label of a cell of the result: the name, and the index along axes longer than 1."""
        return self.name + "".join(str(k) for k, n in zip(index, self.padded) if n > 1)

    def is_own(self, index: tuple[int, ...]) -> bool:
        """Return whether a cell of the result is stored in the array, not repeated."""
        return all(index[k] == 0 for k in self.repeated)

    @property
    def forward(self) -> tuple[str, str]:
        """Two lines: the array, and its use in the forward pass."""
        read = f", read as {self.padded}" if len(self.shape) < len(self.result) else ""
        return f"{self.name} {self.shape}{read}", self._described("repeated {} times {}", "not repeated")

    @property
    def backward(self) -> tuple[str, str]:
        """Two lines: the gradient, and its computation in the backward pass."""
        return f"{self.name}.grad {self.shape}", self._described(
            ("each " if prod(self.shape) > 1 else "") + "the sum of {}, {}", "the gradient unchanged"
        )

    def _described(self, words, otherwise):
        axes = " and ".join(map(str, self.repeated))
        along = f"along {'axis' if len(self.repeated) == 1 else 'axes'} {axes}"
        return words.format(self.count, along) if self.repeated else otherwise


@dataclass(frozen=True, repr=False)
class BroadcastPicture(Displayed):
    """A picture of the broadcasting addition of two arrays, and of the gradient of each."""

    operands: tuple[Operand, Operand]
    svg: str
    alt: str
    text: str  # one line per array
    title: str = "Broadcasting"


def broadcasting(a: int | Sequence[int], b: int | Sequence[int]) -> BroadcastPicture:
    """Draw how two shapes broadcast, in the forward and the backward pass of an addition.

    Parameters
    ----------
    a, b : tuple of int
        Two shapes that broadcast; the result has at most two axes of at most eight cells.

    Returns
    -------
    BroadcastPicture
        In the upper row repeated cells are dashed. In the lower row a frame holds the gradients that
        are summed into one cell.

    Examples
    --------
    >>> broadcasting((3, 1), (4,))
    a (3, 1): repeated 4 times along axis 1
    b (4,), read as (1, 4): repeated 3 times along axis 0
    a + b (3, 4)
    a.grad (3, 1): each the sum of 4, along axis 1
    b.grad (4,): each the sum of 3, along axis 0
    """
    first, second = _shape(a), _shape(b)
    try:
        result = np.broadcast_shapes(first, second)
    except ValueError:
        raise ShapeError(
            f"broadcasting: shapes {first} and {second} do not broadcast.",
            "equal lengths from the last axis on, or a length of 1.",
            "write the shapes below each other, right-aligned; an axis of length 1 is repeated.",
        ) from None
    if len(result) > MOST_AXES or not all(1 <= n <= LONGEST_AXIS for n in result):
        raise DrawingError(
            f"broadcasting: a result of shape {result} is too large to draw.",
            f"at most {MOST_AXES} axes of 1 to {LONGEST_AXIS} cells.",
            "broadcasting((3, 1), (1, 4))",
        )
    operands = Operand("a", first, result), Operand("b", second, result)
    ways = [": ".join(one.forward) for one in operands], [": ".join(one.backward) for one in operands]
    text = "\n".join((*ways[0], f"a + b {result}", *ways[1]))
    alt = (
        f"Broadcasting {first} and {second}. Forward: {'; '.join(ways[0])}; their sum has shape {result}."
        f" Backward: {'; '.join(ways[1])}."
    )
    return BroadcastPicture(operands, _picture(operands, result, alt), alt, text)


def _shape(shape):
    """Return a shape, or a single length, as a tuple."""
    try:
        return integers(shape, "broadcasting", "shape", 0)
    except DarkError:
        raise ShapeError(
            f"broadcasting: {one_line(repr(shape), 60)} is not a shape.",
            "a tuple of integers, 0 or more.",
            "broadcasting(a.shape, b.shape)",
        ) from None


def _picture(operands, result, alt):
    """Draw the two rows: the arrays and their sum, and below it the gradient of each array."""
    rows, columns = _table(result)
    panel = max(columns * CELL, NARROWEST)
    wide = max(columns * CELL + max(map(_extra_width, operands)), NARROWEST)
    width = 2 * MARGIN + max(3 * panel + 2 * GAP, 2 * wide + GAP)
    middle = MARGIN + TITLE + rows * CELL + 2 * LINE_HEIGHT + 34
    height = middle + TITLE + rows * CELL + max(map(_extra_height, operands)) + 2 * LINE_HEIGHT + MARGIN
    root = cell_grid.page(width, height, f"Broadcasting {operands[0].shape} and {operands[1].shape}", alt)
    _forward(root, operands, result, (width - 3 * panel - 2 * GAP) / 2, panel)
    heading = "backward: g is the gradient of a + b; the gradients of repeated cells are summed"
    cell_grid.write(root, width / 2, middle + 12, heading, BOLD)
    for k, operand in enumerate(operands):
        left = (width - 2 * wide - GAP) / 2 + k * (wide + GAP)
        _backward(root, operand, left + wide / 2, middle + TITLE)
    return svg.write(root)


def _forward(root, operands, result, left, panel):
    rows, columns = _table(result)
    top, center = MARGIN + TITLE, left + panel / 2
    heading = "forward: dashed cells are repeated, not stored"
    cell_grid.write(root, left + 1.5 * panel + GAP, MARGIN + 12, heading, BOLD)
    both = Operand("+".join(one.name for one in operands), result, result)
    for k, operand in enumerate((*operands, both)):
        x = center + k * (panel + GAP)
        cells = [[_cell(operand, operands, index) for index in row] for row in _indices(result)]
        cell_grid.grid(root, x - columns * CELL / 2, top, cells)
        lines = operand.forward if operand is not both else (f"a + b {result}",)
        cell_grid.write_lines(root, x, top + rows * CELL + 20, lines)
        if k:
            sign = "+="[k - 1]
            cell_grid.write(root, x - (panel + GAP) / 2, top + rows * CELL / 2 + 7, sign, {"font-size": "20"})


def _cell(operand, operands, index):
    if operand not in operands:
        return "result", "+".join(one.label(index) for one in operands)
    return ("own" if operand.is_own(index) else "repeated"), operand.label(index)


def _backward(root, operand, x, top):
    """Draw the gradient of the result, frames around summed cells, and the sums next to or below it."""
    rows, columns = _table(operand.result)
    left = x - (columns * CELL + _extra_width(operand)) / 2
    gradient = [[("gradient", "g" + "".join(map(str, index))) for index in row] for row in _indices(operand.result)]
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
            cell_grid.grid(root, left + columns * CELL + ARROW_LENGTH, top + down, sums)
            for r in range(own_rows):
                cell_grid.arrow(root, left + columns * CELL + 4, top + down + (r + 0.5) * CELL, ARROW_LENGTH - 8, 0)
        else:
            cell_grid.grid(root, left, top + rows * CELL + ARROW_LENGTH, sums)
            for c in range(own_columns):
                cell_grid.arrow(root, left + (c + 0.5) * CELL, top + rows * CELL + 4, 0, ARROW_LENGTH - 8)
    cell_grid.write_lines(root, x, top + rows * CELL + _extra_height(operand) + 20, operand.backward)


def _extra_width(operand):
    """Return the width that sums over rows take next to the gradient."""
    return ARROW_LENGTH + CELL if _table(operand.padded)[1] < _table(operand.result)[1] else 0.0


def _extra_height(operand):
    """Return the height that sums over columns alone take below the gradient."""
    return ARROW_LENGTH + CELL if operand.repeated and not _extra_width(operand) else 0.0


def _table(shape):
    """Return the numbers of rows and columns of cells of a shape."""
    return ((1, 1) + shape)[-2:]


def _indices(shape):
    """Return the indices of the cells, row by row."""
    rows, columns = _table(shape)
    return [[(r, c)[2 - len(shape) :] for c in range(columns)] for r in range(rows)]
