"""Vector norms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import describe, is_bool
from dark.errors import ValueTypeError
from dark.nodes import Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.reduction_axes import (
    ADVICE,
    EXPECTS,
    SAMPLES,
    broadcast_back,
    reduced_axes,
    reduction_settings,
    safe_divide,
)

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike, Axis


class VectorNorm(Operation, trusted=True, elementwise=False):
    """Vector norm of order 1 or 2 along axes; the derivative at 0 is 0."""

    @staticmethod
    def _f(x, ord, axis, keepdims):
        return np.linalg.vector_norm(x, ord=ord, axis=axis, keepdims=keepdims)

    def _vjp(dldy, y, x, ord, axis, keepdims):
        if ord == 1:
            return broadcast_back(dldy, np.shape(x), axis, keepdims) * np.sign(value_of(x))
        return broadcast_back(safe_divide(dldy, y), np.shape(x), axis, keepdims) * x

    _df = (_vjp,)

    function_name = "vector_norm"
    expects, advice = EXPECTS, ADVICE
    kinks = (0.0,)
    samples = tuple((shapes, settings | {"ord": n}) for shapes, settings in SAMPLES for n in (1, 2))


@implements(np.linalg.norm)
def norm(x: ArrayLike, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Node:
    """Compute a vector norm or the Frobenius norm, as NumPy's `norm`.

    Parameters
    ----------
    x, axis, keepdims
        As for `vector_norm`.
    ord : {None, 2, 1, "fro"}, optional
        2 and 1 require a single axis, as NumPy's matrix norms of these orders are not supported.

    Raises
    ------
    ValueTypeError
        If `ord` is none of these, or 1 or 2 with several axes.

    Examples
    --------
    >>> import numpy as np
    >>> norm(np.array([3.0, -4.0])).value, norm(np.array([[3.0, -4.0], [0.0, 2.0]]), axis=1).value
    (5.0, array([5., 2.]))
    """
    settings = reduction_settings("norm", x, axis, keepdims)
    axes = len(reduced_axes(np.shape(x), settings["axis"]))
    if isinstance(ord, str) and ord == "fro" and axes == 2:
        ord = None
    if ord is not None and axes > 1:
        raise ValueTypeError(
            f"norm: ord={describe(ord)} along several axes is a matrix norm, which is not supported.",
            "ord with one axis, or no ord.",
            "vector_norm(x, ord=...) flattens the axes to one vector.",
        )
    return vector_norm(x, ord=2 if ord is None else ord, **settings)


@implements(np.linalg.vector_norm)
def vector_norm(x: ArrayLike, *, axis: Axis = None, keepdims: bool = False, ord: float = 2) -> Node:
    """Compute the norm of the vector of all elements along axes; the derivative at 0 is 0, as in PyTorch.

    Parameters
    ----------
    x : Node, float or array
    axis : int or tuple of int, optional
        By default all axes.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.
    ord : {2, 1}, default 2
        2: the Euclidean norm. 1: the sum of absolute values.

    Raises
    ------
    ValueTypeError
        If `ord` is neither.

    Examples
    --------
    >>> import numpy as np
    >>> vector_norm(np.array([3.0, -4.0])).value, vector_norm(np.array([3.0, -4.0]), ord=1).value
    (5.0, 7.0)
    """
    if is_bool(ord) or ord not in (1, 2):
        raise ValueTypeError(
            f"vector_norm: invalid ord {describe(ord)}.",
            "1 or 2.",
            "sum(abs(x) ** p) ** (1 / p); for inf, max(abs(x)).",
        )
    return VectorNorm.apply(x, ord=ord, **reduction_settings("vector_norm", x, axis, keepdims))
