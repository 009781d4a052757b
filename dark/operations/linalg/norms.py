"""Norms of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dark.checks import boolean, describe, one_of
from dark.errors import ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.axes import moveaxis
from dark.operations.arrays.minmax import max, min
from dark.operations.arrays.reduction_axes import (
    EXPECTS,
    SAMPLES,
    broadcast_back,
    reduced_axes,
    reduction_settings,
    safe_divide,
)
from dark.operations.arrays.reductions import sum
from dark.operations.arrays.shapes import expand_dims, squeeze
from dark.operations.axis_checks import ADVICE, input_shape, number
from dark.operations.linalg.eigenvalues import svdvals
from dark.operations.linalg.matrix_checks import check_matrix
from dark.operations.numeric import mask
from dark.typing import ArrayLike, Axis


class VectorNorm(Operation, trusted=True, elementwise=False):
    """Vector norm along axes; the derivative at 0 is 0."""

    _f = staticmethod(lambda x, ord, axis, keepdims: np.linalg.vector_norm(x, ord=ord, axis=axis, keepdims=keepdims))

    @staticmethod
    def _vjp(dldy, y, x, ord, axis, keepdims):
        shape, signs = np.shape(x), np.sign(value_of(x))
        if ord == 2:
            return broadcast_back(safe_divide(dldy, y), shape, axis, keepdims) * x
        if ord == 1:
            return broadcast_back(dldy, shape, axis, keepdims) * signs
        if ord == 0:
            return broadcast_back(dldy * 0.0, shape, axis, keepdims) * signs
        size, norm = np.abs(x), broadcast_back(y, shape, axis, keepdims)
        if math.isinf(ord):  # the elements that attain the maximum, or minimum, share the gradient
            attained = mask(value_of(size) == value_of(norm))
            count = np.sum(attained, axis=axis, keepdims=keepdims)
            return broadcast_back(dldy / np.maximum(count, 1.0), shape, axis, keepdims) * (attained * signs)
        # (abs(x) / y) ** (ord - 1), without 0 / 0 and 0 ** (ord - 1)
        ratio = (size + mask(signs == 0)) / (norm + mask(value_of(norm) == 0))
        return broadcast_back(dldy, shape, axis, keepdims) * ratio ** (ord - 1.0) * (signs * mask(value_of(norm) != 0))

    _df = (_vjp,)

    function_name = "vector_norm"
    expects, advice = EXPECTS, ADVICE
    kinks = (0.0,)
    samples: tuple = tuple((shapes, settings | {"ord": n}) for shapes, settings in SAMPLES for n in (1, 2)) + tuple(
        (((2, 3),), {"axis": (1,), "keepdims": False, "ord": n}) for n in (0, 0.5, 1.5, 3, -1, math.inf, -math.inf)
    )


@implements(np.linalg.norm)
def norm(
    x: ArrayLike, ord: float | str | None = None, axis: Axis = None, keepdims: bool = False, **pytorch: Any
) -> Node:
    """Compute a norm of vectors or matrices, as NumPy's `norm`.

    Parameters
    ----------
    ord : float or {"fro", "nuc"}, optional
        Along one axis any order of `vector_norm`, along two axes any of `matrix_norm`. By default 2 for vectors,
        and the square root of the sum of squares otherwise.
    axis : int or tuple of int, optional
        One axis: vectors; two axes: the rows and columns of matrices. By default all axes.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.

    Examples
    --------
    >>> norm(np.array([3.0, -4.0])).value, norm(np.array([[3.0, -4.0], [0.0, 2.0]]), axis=1).value
    (5.0, array([5., 2.]))
    >>> norm(np.array([[3.0, -4.0], [0.0, 2.0]]), ord=np.inf).value
    7.0
    """
    settings = reduction_settings("norm", x, axis, keepdims, pytorch)
    axes = reduced_axes(input_shape(x, "norm"), settings["axis"])
    if ord is None:
        return vector_norm(x, **settings)
    if len(axes) == 2:
        return _matrix_norm("norm", x, ord, axes, settings["keepdims"])
    if len(axes) > 2:
        raise ShapeError(
            f"norm: ord must be None along {len(axes)} axes, got {describe(ord)}.",
            "an order along one axis (vectors) or two (matrices).",
            "axis=(-2, -1); or vector_norm(x, ord=...), which flattens the axes.",
        )
    return vector_norm(x, ord=number(ord, "vector_norm", "ord"), **settings)


@implements(np.linalg.vector_norm)
def vector_norm(x: ArrayLike, *, axis: Axis = None, keepdims: bool = False, ord: float = 2, **pytorch: Any) -> Node:
    """Compute the norm of the vector of all elements along axes; the derivative at 0 is 0, as in PyTorch.

    Parameters
    ----------
    axis : int or tuple of int, optional
        By default all axes.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.
    ord : float, default 2
        ``sum(abs(x)**ord) ** (1 / ord)``; infinity: the maximum of the absolute values, -infinity: their minimum,
        0: the number of nonzero elements. Elements that attain the maximum share its gradient.

    Examples
    --------
    >>> vector_norm(np.array([3.0, -4.0])).value, vector_norm(np.array([3.0, -4.0]), ord=1).value
    (5.0, 7.0)
    """
    ord = number(ord, "vector_norm", "ord")
    return VectorNorm.apply(x, ord=ord, **reduction_settings("vector_norm", x, axis, keepdims, pytorch))


def matrix_norm(x: ArrayLike, *, keepdims: bool = False, ord: float | str = "fro") -> Node:
    """Compute a norm of matrices, the last two axes.

    Parameters
    ----------
    x : Node or array, shape (..., m, n)
    keepdims : bool, default False
        Keep the last two axes, with length 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}, default "fro"
        "fro": the square root of the sum of squares; "nuc": the sum of the singular values; 2 and -2: the largest and
        smallest one; 1 and -1: the maximum and minimum over columns of the sum of absolute values; infinity: over rows.

    Examples
    --------
    >>> matrix_norm(np.array([[3.0, 0.0], [0.0, -4.0]]), ord="nuc").value
    7.0
    """
    keepdims = boolean(keepdims, "matrix_norm", "keepdims")
    ndim = check_matrix(value_of(x), "matrix_norm").ndim
    return _matrix_norm("matrix_norm", x, ord, (ndim - 2, ndim - 1), keepdims)


if hasattr(np.linalg, "matrix_norm"):  # NumPy 2.0
    implements(np.linalg.matrix_norm)(matrix_norm)


def _matrix_norm(who, x, ord, axes, keepdims):
    """Compute a norm of matrices along two axes, their rows and their columns."""
    row, column = axes
    ord = one_of(ord if isinstance(ord, str) else _order(ord), who, "ord", ("fro", "nuc", *ORDERS))
    if ord == "fro":
        return vector_norm(x, axis=axes, keepdims=keepdims)
    reduce, summed = ORDERS.get(ord, (sum, None))
    if summed is None:  # a norm of the singular values
        y = reduce(svdvals(moveaxis(x, axes, (-2, -1))), axis=-1)
        return expand_dims(y, axes) if keepdims else y
    along, across = (row, column) if summed == "column" else (column, row)
    y = reduce(sum(np.abs(x), axis=along, keepdims=True), axis=across, keepdims=True)
    return y if keepdims else squeeze(y, axis=axes)


def _order(ord):
    """Return an order of matrices as it stands in the table: an integer, or infinity."""
    return int(ord) if isinstance(ord, (float, np.number)) and ord in (1, -1, 2, -2) else ord


ORDERS = {
    1: (max, "column"), -1: (min, "column"), math.inf: (max, "row"), -math.inf: (min, "row"),
    2: (max, None), -2: (min, None),
}  # fmt: skip
