"""Layer normalization.

On arrays the rules use what the forward pass saved; on nodes they use the composed form, `standardize` and
`standardize_vjp`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.axis_checks import number
from dark.operations.layers.standardize import (
    narrowed,
    standardize,
    standardize_rows,
    standardize_rows_vjp,
    standardize_vjp,
)
from dark.operations.numeric import at_least_float32, sum_rows

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class LayerNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Layer normalization over the last axes.

    The normalized rows and their scale factors are saved for the backward pass.
    """

    @staticmethod
    def _f(x, g, b, eps):
        shapes, n = (shape_of(x), shape_of(g), shape_of(b)), len(shape_of(g))
        if not n or shapes[1] != shapes[2] or shapes[0][len(shapes[0]) - n :] != shapes[1]:
            raise ShapeError(
                "layer_norm: shapes {}, {} and {} do not match.".format(*shapes), LayerNorm.expects, LayerNorm.advice
            )
        z, scale, _, _ = standardize_rows(x.reshape(-1, g.size) if g.size else x.reshape(0, 0), eps)
        y = z * g.reshape(-1)
        y = np.add(y, b.reshape(-1), out=y if y.dtype == np.result_type(y, b) else None)
        return narrowed(y, x, g, b).reshape(x.shape), (z, scale)

    @staticmethod
    def _input(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            axes = tuple(range(-g.ndim, 0))
            z, scale = standardize(x, axes, eps)
            return standardize_vjp(dldy * g, z, scale, axes)
        z, scale = saved
        dldz = at_least_float32(dldy).reshape(z.shape) * g.reshape(-1)  # (n, m)
        return standardize_rows_vjp(dldz, z, scale).reshape(x.shape)

    @staticmethod
    def _weight(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            z, _ = standardize(x, tuple(range(-g.ndim, 0)), eps)
            return np.sum(dldy * z, axis=tuple(range(x.ndim - g.ndim)))
        z, _ = saved
        return sum_rows(dldy.reshape(z.shape) * z).reshape(g.shape)

    @staticmethod
    def _bias(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=tuple(range(x.ndim - g.ndim)))
        return sum_rows(at_least_float32(dldy).reshape(-1, g.size) if g.size else dldy.reshape(0, 0)).reshape(g.shape)

    _df = (_input, _weight, _bias)

    function_name = "layer_norm"
    expects = "x of shape (..., *s), weight and bias of the same shape s"
    advice = "print the three shapes; x must end with the shape of weight."
    samples: tuple = (
        (((2, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 4, 3), (3,), (3,)), {"eps": 0.1}),
        (((3,), (3,), (3,)), {"eps": 0.0}), (((3, 2, 2), (2, 2), (2, 2)), {"eps": 1e-5}),
        (((0, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 1), (1,), (1,)), {"eps": 0.1}),
    )  # fmt: skip


def layer_norm(x: ArrayLike, weight: ArrayLike, bias: ArrayLike, eps: float = 1e-5) -> Node:
    """Apply layer normalization: ``(x - mean) / sqrt(var + eps) * weight + bias``.

    Reference: J. Ba, J. Kiros, G. Hinton, "Layer normalization", arXiv 1607.06450, 2016.

    Parameters
    ----------
    x : Node or array, shape (..., *s)
    weight, bias : Node or array, shape s
        Mean and variance are computed over the last axes, of shape s.
    eps : float, default 1e-5
        Added to the biased variance.

    Examples
    --------
    >>> layer_norm(np.array([[1.0, 3.0], [0.0, 20.0]]), np.ones(2), np.zeros(2), eps=0).value
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    eps = eps if type(eps) is float and eps == eps else number(eps, "layer_norm", "eps")
    return LayerNorm.apply(x, weight, bias, eps=eps)
