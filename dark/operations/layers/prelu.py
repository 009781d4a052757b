"""Parametric ReLU: the slope of the negative part is an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.values import shape_of
from dark.operations.arrays.shapes import reshape
from dark.operations.numeric import where

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class Prelu(Operation, trusted=True):
    """Leaky ReLU whose slope is an input; the derivative at 0 is the slope."""

    @staticmethod
    def _f(x, slope):
        if type(x) is type(slope) is float:
            return x if x > 0 else slope * x
        return np.where(x > 0, x, slope * x)[()]  # a number, not an array without axes

    _df = (
        lambda dldy, y, x, slope: where(value_of(x) > 0, dldy, dldy * slope),
        lambda dldy, y, x, slope: dldy * where(value_of(x) > 0, 0.0, x),
    )

    kinks = (0.0,)


def prelu(x: ArrayLike, weight: ArrayLike) -> Node:
    """Apply the parametric ReLU: `x` if positive, else ``weight * x``. The derivative at 0 is `weight`, as in PyTorch.

    Reference: K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into rectifiers", arXiv 1502.01852, 2015.

    Parameters
    ----------
    x : Node, float or array, shape (n, c, ...) if there are several weights
    weight : Node, float or array, shape (), (1,) or (c,)
        One slope for all elements, or one for each channel.

    Examples
    --------
    >>> prelu(np.array([[-2.0, -2.0, 3.0]]), np.array([0.5, 0.1, 0.1])).value
    array([[-1. , -0.2,  3. ]])
    """
    shape, weights = shape_of(x), shape_of(weight)
    if weights == ():
        return Prelu.apply(x, weight)
    if weights != (1,) and weights != shape[1:2]:
        raise ShapeError(
            f"prelu: weights of shape {weights} for an input of shape {shape}.",
            "one weight, or one for each channel: (c,) for (n, c, ...).",
            "print both shapes; the channels are axis 1.",
        )
    return Prelu.apply(x, reshape(weight, () if weights == (1,) else (-1, *(1,) * (len(shape) - 2))))
