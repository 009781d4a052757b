"""The layer that nearly every network begins with: a product of matrices and a bias, in one node."""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Operation
from dark.nodes.values import shape_of
from dark.operations.linear import rows


class Linear(Operation, elementwise=False):
    """The rows of x times a matrix, plus a bias: ``x @ w + b`` without a node between."""

    expects = "x of shape (..., n), w of shape (n, m), b of shape (m,)"
    advice = "print the three shapes; w may need .T, for it is applied from the right."
    samples: tuple = (
        (((2, 3), (3, 4), (4,)), {}), (((3,), (3, 4), (4,)), {}), (((5, 2, 3), (3, 1), (1,)), {}),
        (((0, 3), (3, 2), (2,)), {}), (((2, 0), (0, 2), (2,)), {}), (((2, 1, 1), (1, 1), (1,)), {}),
    )  # fmt: skip

    def _f(x, w, b):
        shapes = shape_of(x), shape_of(w), shape_of(b)
        if len(shapes[1]) != 2 or shapes[0][-1:] != shapes[1][:1] or shapes[2] != shapes[1][1:]:
            raise ShapeError("linear: shapes {}, {} and {} do not fit.".format(*shapes), Linear.expects, Linear.advice)
        y = np.matmul(x, w)  # (..., m)
        return np.add(y, b, out=y) if y.dtype == np.result_type(y, b) else y + b

    def _rows(dldy, y, x, w, b):
        return np.matmul(dldy, w.T)

    def _weights(dldy, y, x, w, b):
        return np.matmul(rows(x).T, rows(dldy))

    def _bias(dldy, y, x, w, b):
        dldy = rows(dldy)
        return np.matmul(np.ones(len(dldy), dldy.dtype), dldy)  # a sum over the rows, at a third of its time

    _partials = (_rows, _weights, _bias)


def linear(x, w, b):
    """Multiply rows by a matrix and add a bias: ``x @ w + b``.

    Parameters
    ----------
    x : Node or array, shape (..., n)
        One row for each example.
    w : Node or array, shape (n, m)
        The weights; PyTorch's ``Linear.weight`` is its transpose.
    b : Node or array, shape (m,)
        The bias.

    Returns
    -------
    Node, shape (..., m)

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> linear(np.ones((2, 3)), np.ones((3, 2)), np.array([0.0, 1.0])).value
    array([[3., 4.],
           [3., 4.]])
    """
    return Linear.quick(x, w, b)
