"""The layer that nearly every network begins with: a product of matrices and a bias, in one node.

`Linear` takes the matrix as it multiplies, `Affine` its transpose, as PyTorch's layers keep it.
"""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Operation
from dark.nodes.values import shape_of
from dark.operations.linalg.matmul import rows
from dark.operations.numeric import down


def misfit(op, x, w, b):
    """Make the error for rows, a matrix and a bias that do not fit each other."""
    shapes = f"{shape_of(x)}, {shape_of(w)} and {shape_of(b)}"
    return ShapeError(f"{op.label()}: shapes {shapes} do not fit.", op.expects, op.advice)


class Linear(Operation, trusted=True, elementwise=False):
    """The rows of x times a matrix, plus a bias: ``x @ w + b`` without a node between."""

    expects = "x of shape (..., n), w of shape (n, m), b of shape (m,)"
    advice = "print the three shapes; w may need .T, for it is applied from the right."
    samples: tuple = (
        (((2, 3), (3, 4), (4,)), {}), (((3,), (3, 4), (4,)), {}), (((5, 2, 3), (3, 1), (1,)), {}),
        (((0, 3), (3, 2), (2,)), {}), (((2, 0), (0, 2), (2,)), {}), (((2, 1, 1), (1, 1), (1,)), {}),
    )  # fmt: skip

    @staticmethod
    def _f(x, w, b):
        are_arrays = type(x) is type(w) is type(b) is np.ndarray
        if not are_arrays or w.ndim != 2 or b.shape != w.shape[1:] or x.shape[-1:] != w.shape[:1]:
            raise misfit(Linear, x, w, b)
        y = x.dot(w) if x.ndim < 3 else np.matmul(x, w)  # dot, which takes no stacks, has less to ask
        return np.add(y, b, out=y) if y.dtype is b.dtype else y + b

    def _rows(dldy, y, x, w, b):
        if w.shape[1] == 1:
            return dldy * np.reshape(w, -1)  # (..., 1) times (n,), at a third of the time
        return dldy.dot(w.T) if x.ndim < 3 else np.matmul(dldy, w.T)

    def _weights(dldy, y, x, w, b):
        return rows(x).T.dot(rows(dldy))

    def _bias(dldy, y, x, w, b):
        return down(rows(dldy))

    _df = (_rows, _weights, _bias)


class Affine(Operation, trusted=True, elementwise=False):
    """The rows of x times the transpose of a matrix, plus a bias: ``x @ w.T + b`` without a node between."""

    expects = "x of shape (..., n), weight of shape (m, n), bias of shape (m,)"
    advice = "print the three shapes; weight has a row for each output, as in PyTorch."
    samples: tuple = tuple(((x, w[::-1], b), {}) for (x, w, b), _ in Linear.samples)

    @staticmethod
    def _f(x, w, b):
        are_arrays = type(x) is type(w) is type(b) is np.ndarray
        if not are_arrays or w.ndim != 2 or b.shape != w.shape[:1] or x.shape[-1:] != w.shape[1:]:
            raise misfit(Affine, x, w, b)
        y = (rows(x) if x.ndim > 2 else x).dot(w.T)
        y = np.add(y, b, out=y) if y.dtype is b.dtype else y + b
        return np.reshape(y, (*x.shape[:-1], len(b))) if x.ndim > 2 else y

    def _rows(dldy, y, x, w, b):
        if len(w) == 1:
            return dldy * np.reshape(w, -1)  # (..., 1) times (n,), at a third of the time
        return np.reshape(rows(dldy).dot(w), x.shape) if x.ndim > 2 else dldy.dot(w)

    def _weights(dldy, y, x, w, b):
        return rows(dldy).T.dot(rows(x))

    _df = (_rows, _weights, Linear._bias)


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
    return Linear.apply(x, w, b)


def affine(x, weight, bias):
    """Multiply rows by the transpose of a matrix and add a bias: ``x @ weight.T + bias``.

    Parameters
    ----------
    x : Node or array, shape (..., n)
        One row for each example.
    weight : Node or array, shape (m, n)
        A row of weights for each output.
    bias : Node or array, shape (m,)

    Returns
    -------
    Node, shape (..., m)

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Notes
    -----
    PyTorch calls this ``linear``; `dark.linear` takes the matrix as it multiplies.

    Examples
    --------
    >>> import numpy as np
    >>> affine(np.ones((2, 3)), np.ones((2, 3)), np.array([0.0, 1.0])).value
    array([[3., 4.],
           [3., 4.]])
    """
    return Affine.apply(x, weight, bias)
