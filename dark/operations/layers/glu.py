"""The gated linear unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.operations.axis_checks import input_shape, normalize_axis
from dark.operations.elementwise.logistic import Sigmoid
from dark.operations.numeric import evaluate
from dark.spellings import LAST, axis_of

if TYPE_CHECKING:
    from dark.typing import ArrayLike


def halves(x, axis):
    """Return the first and the second half along an axis."""
    n, before = x.shape[axis] // 2, (slice(None),) * axis
    return x[(*before, slice(n))], x[(*before, slice(n, None))]


class Glu(Operation, trusted=True, elementwise=False):
    """The first half along an axis times the sigmoid of the second."""

    @staticmethod
    def _f(x, axis):
        a, b = halves(x, axis)
        return a * Sigmoid._f(b)

    @staticmethod
    def _vjp(dldy, y, x, axis):
        a, b = halves(x, axis)
        gate = evaluate(Sigmoid, b)
        g = dldy * gate
        return np.concatenate([g, g * a * (1.0 - gate)], axis=axis)

    _df = (_vjp,)

    expects, advice = "an axis of even length", "print the shape."
    samples: tuple = (
        (((2, 4),), {"axis": 1}), (((4,),), {"axis": 0}), (((2, 2, 3),), {"axis": 1}), (((0, 2),), {"axis": 1}),
        (((2, 0),), {"axis": 1}),
    )  # fmt: skip


def glu(x: ArrayLike, axis: int = LAST, **pytorch: Any) -> Node:
    """Apply the gated linear unit: ``a * sigmoid(b)``, where a and b are the halves of `x` along an axis.

    Reference: Y. Dauphin, A. Fan, M. Auli, D. Grangier, "Language modeling with gated convolutional networks",
    arXiv 1612.08083, 2016.

    Parameters
    ----------
    axis : int, default -1
        Its length must be even.

    Returns
    -------
    Node
        The axis is half as long as in `x`.

    Examples
    --------
    >>> glu(np.array([8.0, 6.0, 0.0, 100.0])).value
    array([4., 6.])
    """
    if pytorch:
        axis, _ = axis_of("glu", pytorch, axis)
    shape = input_shape(x, "glu")
    axis = normalize_axis(axis, shape, "glu")
    if shape[axis] % 2:
        raise ShapeError(
            f"glu: axis {axis} of shape {shape} has the odd length {shape[axis]}.",
            "an even length, to be halved.",
            "a layer before it with twice as many features as are needed after it.",
        )
    return Glu.apply(x, axis=axis)
