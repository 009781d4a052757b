"""`Flatten`: axes joined into one, as between convolutions and a `Linear`."""

from dark.errors import ShapeError
from dark.nn.module import Module
from dark.nodes.values import shape_of
from dark.operations import reshape
from dark.operations.axis_checks import one_axis, whole


class Flatten(Module):
    """Join neighbouring axes into one.

    Parameters
    ----------
    start_dim : int, default 1
        The first of them; axis 0 counts the examples.
    end_dim : int, default -1
        The last of them.

    Raises
    ------
    ShapeError
        In the call, if the input has no such axes.

    Examples
    --------
    >>> import numpy as np
    >>> Flatten()(np.ones((5, 3, 2, 2))).shape
    (5, 12)
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = whole(start_dim, "Flatten", "axes"), whole(end_dim, "Flatten", "axes")

    def forward(self, x):
        """Join: shape (n, ...) to (n, product of the rest), with the usual axes."""
        shape = shape_of(x)
        first, last = one_axis(self.start_dim, shape, "Flatten"), one_axis(self.end_dim, shape, "Flatten")
        if first > last:
            raise ShapeError(
                f"Flatten: in shape {shape}, axis {self.end_dim} comes before axis {self.start_dim}.",
                "the first axis to join, then the last.",
                "Flatten() joins all but the first.",
            )
        joined = 1
        for n in shape[first : last + 1]:
            joined *= n
        return reshape(x, (*shape[:first], joined, *shape[last + 1 :]))

    def extra_repr(self):
        """Return the axes."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
