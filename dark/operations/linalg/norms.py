"""How long vectors are."""

import numpy as np

from dark.checks import describe
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


class VectorNorm(Operation, trusted=True, elementwise=False):
    """The length of vectors: the root of the sum of squares, or the sum of absolute values; at 0 the slope is 0."""

    @staticmethod
    def _f(x, ord, axis, keepdims):
        return np.linalg.vector_norm(x, ord=ord, axis=axis, keepdims=keepdims)

    def _vjp(dldy, y, x, ord, axis, keepdims):
        if ord == 1:
            return broadcast_back(dldy, np.shape(x), axis, keepdims) * np.sign(value_of(x))
        return broadcast_back(safe_divide(dldy, y), np.shape(x), axis, keepdims) * x

    _df = (_vjp,)

    called = "vector_norm"
    expects, advice = EXPECTS, ADVICE
    kinks = (0.0,)
    samples = tuple((shapes, settings | {"ord": n}) for shapes, settings in SAMPLES for n in (1, 2))


@implements(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    """Compute what NumPy's `norm` does of a vector, of vectors along an axis, or of all numbers.

    Parameters
    ----------
    x, axis, keepdims
        As for `vector_norm`.
    ord : {None, 2, 1, "fro"}, optional
        As for `vector_norm`; along one axis only, since along two NumPy means the norm of a matrix: of
        those there is "fro", the root of the sum of squares.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.
    ValueTypeError
        For another `ord`, and for one along several axes.

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
            f"norm: ord={describe(ord)} along several axes is the norm of a matrix.",
            "ord along one axis, or no ord.",
            "vector_norm(x, ord=...) measures all the numbers as one vector.",
        )
    return vector_norm(x, ord=2 if ord is None else ord, **settings)


@implements(np.linalg.vector_norm)
def vector_norm(x, *, axis=None, keepdims=False, ord=2):
    """Compute the length of a vector made of all the numbers along axes.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int, optional
        Along which axes; all if not given.
    keepdims : bool, default False
        Keep the axes, with length 1.
    ord : {2, 1}, default 2
        2: the root of the sum of squares. 1: the sum of absolute values.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.
    ValueTypeError
        For another `ord`.

    Notes
    -----
    At 0 there is a kink; the slope there is 0, as in PyTorch.

    Examples
    --------
    >>> import numpy as np
    >>> vector_norm(np.array([3.0, -4.0])).value, vector_norm(np.array([3.0, -4.0]), ord=1).value
    (5.0, 7.0)
    """
    if ord not in (1, 2):
        raise ValueTypeError(
            f"vector_norm: there is no ord {describe(ord)}.",
            "1 or 2.",
            "sum(abs(x) ** p) ** (1 / p); for inf, max(abs(x)).",
        )
    return VectorNorm.apply(x, ord=ord, **reduction_settings("vector_norm", x, axis, keepdims))
