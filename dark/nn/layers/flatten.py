"""`Flatten`: merge adjacent axes into one, as between convolutions and a `Linear`."""

from __future__ import annotations

import math

from dark.checks import integer
from dark.errors import ShapeError
from dark.nn.module import Module
from dark.nodes import Node
from dark.nodes.values import shape_of
from dark.operations import reshape
from dark.operations.axis_checks import normalize_axis
from dark.typing import ArrayLike


class Flatten(Module):
    """Merge the axes from `start_dim` to `end_dim` into one, by default all but the batch, axis 0.

    >>> Flatten()(np.ones((5, 3, 2, 2))).shape
    (5, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = integer(start_dim, "Flatten", "start_dim")
        self.end_dim = integer(end_dim, "Flatten", "end_dim")

    def forward(self, x: ArrayLike) -> Node:
        """Flatten: shape (n, ...) to (n, product of the rest), with the default axes."""
        shape = shape_of(x)
        first, last = normalize_axis(self.start_dim, shape, "Flatten"), normalize_axis(self.end_dim, shape, "Flatten")
        if first > last:
            raise ShapeError(
                f"Flatten: end_dim={self.end_dim} must not be before start_dim={self.start_dim} in shape {shape}.",
                "start_dim before end_dim.",
                "Flatten() flattens all axes but the first.",
            )
        return reshape(x, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
