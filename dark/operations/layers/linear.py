"""The linear layer in one node: a matrix product and a bias."""

from __future__ import annotations

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.linalg.matmul import as_matrix
from dark.operations.numeric import sum_rows
from dark.typing import ArrayLike


class Linear(Operation, trusted=True, elementwise=False):
    """The linear layer ``x @ weight.T + bias``."""

    @staticmethod
    def _f(x, w, b=None):
        are_arrays = type(x) is type(w) is np.ndarray
        if not are_arrays or w.ndim != 2 or x.shape[-1:] != w.shape[1:]:
            raise _shape_mismatch(x, w, b)
        y = (as_matrix(x) if x.ndim > 2 else x).dot(w.T)
        if b is not None:
            if type(b) is not np.ndarray or b.shape != w.shape[:1]:
                raise _shape_mismatch(x, w, b)
            y = np.add(y, b, out=y) if y.dtype is b.dtype else y + b
        return np.reshape(y, (*x.shape[:-1], len(w))) if x.ndim > 2 else y

    @staticmethod
    def _input(dldy, y, x, w, b=None):
        if len(w) == 1:
            return dldy * np.reshape(w, -1)  # a third of the time of a matrix product, see benchmarks/README.md
        return np.reshape(as_matrix(dldy).dot(w), x.shape) if x.ndim > 2 else dldy.dot(w)

    @staticmethod
    def _weight(dldy, y, x, w, b=None):
        return as_matrix(dldy).T.dot(as_matrix(x))

    @staticmethod
    def _bias(dldy, y, x, w, b):
        return sum_rows(as_matrix(dldy))

    _df = (_input, _weight, _bias)

    expects = "x of shape (..., n), weight of shape (m, n), bias of shape (m,)"
    advice = "print the shapes; weight has one row for each output, as in PyTorch."
    samples: tuple = (
        (((2, 3), (4, 3), (4,)), {}), (((3,), (4, 3), (4,)), {}), (((5, 2, 3), (1, 3), (1,)), {}),
        (((0, 3), (2, 3), (2,)), {}), (((2, 0), (2, 0), (2,)), {}), (((2, 1, 1), (1, 1), (1,)), {}),
        (((2, 3), (4, 3)), {}), (((5, 2, 3), (4, 3)), {}),
    )  # fmt: skip


def _shape_mismatch(x, w, b):
    shapes = [str(shape_of(v)) for v in (x, w, b) if v is not None]
    return ShapeError(
        f"linear: shapes {', '.join(shapes[:-1])} and {shapes[-1]} do not match.", Linear.expects, Linear.advice
    )


def linear(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None) -> Node:
    """Apply a linear transformation: ``x @ weight.T + bias``, as PyTorch's `linear`.

    The result has shape (..., out_features).

    Parameters
    ----------
    x : Node or array, shape (..., in_features)
    weight : Node or array, shape (out_features, in_features)
    bias : Node or array, shape (out_features,), optional

    Examples
    --------
    >>> linear(np.ones((2, 3)), np.ones((2, 3)), np.array([0.0, 1.0])).value
    array([[3., 4.],
           [3., 4.]])
    """
    return Linear.apply(x, weight) if bias is None else Linear.apply(x, weight, bias)
