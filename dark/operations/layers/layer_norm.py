"""Layer normalization.

On arrays the rules use what the forward pass saved, with sums as products with ones, which are faster than `np.sum`;
on nodes they use the composed form, `standardize` and `standardize_vjp`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.axis_checks import number
from dark.operations.numeric import at_least_float32, sum_rows

if TYPE_CHECKING:
    from dark.typing import ArrayLike


def standardize(x, axes, eps):
    """Return the input with mean 0 and variance 1 along axes, and the scale factor."""
    x = at_least_float32(x)
    d = x - np.mean(x, axis=axes, keepdims=True)
    scale = (np.mean(d * d, axis=axes, keepdims=True) + eps) ** -0.5
    return d * scale, scale


def standardize_vjp(g, z, scale, axes):
    """Compute the vector-Jacobian product of `standardize`."""
    return scale * (g - np.mean(g, axis=axes, keepdims=True) - z * np.mean(g * z, axis=axes, keepdims=True))


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
        z, scale = LayerNorm._standardize(x, g, eps)
        y = z * g.reshape(-1)
        y = np.add(y, b.reshape(-1), out=y if y.dtype == np.result_type(y, b) else None).reshape(x.shape)
        return y if x.dtype.char != "e" else y.astype(np.result_type(x, g, b), copy=False), (z, scale)

    def _standardize(x, g, eps):
        """Return the normalized rows (n, m), and the scale factor of each, (n, 1)."""
        z = at_least_float32(x.reshape(-1, g.size) if g.size else x.reshape(0, 0))
        m = max(1, g.size)
        z = z - np.matmul(z, np.full(g.size, 1 / m, z.dtype if z.dtype.kind == "f" else float))[:, None]
        scale = 1 / np.sqrt(np.vecdot(z, z) / m + eps)[:, None]
        return np.multiply(z, scale, out=z), scale

    def _input(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            axes = tuple(range(-g.ndim, 0))
            return standardize_vjp(dldy * g, *standardize(x, axes, eps), axes)
        z, scale = saved
        m = max(1, g.size)
        dldz = at_least_float32(dldy.reshape(z.shape)) * g.reshape(-1)  # (n, m)
        dldz -= np.matmul(dldz, np.full(g.size, 1 / m, dldz.dtype))[:, None]
        dldz -= z * (np.vecdot(dldz, z) / m)[:, None]
        dldz *= scale
        return dldz.reshape(x.shape)

    def _weight(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            z, _ = standardize(x, tuple(range(-g.ndim, 0)), eps)
            return np.sum(dldy * z, axis=tuple(range(x.ndim - g.ndim)))
        z, _ = saved
        return sum_rows(dldy.reshape(z.shape) * z).reshape(g.shape)

    def _bias(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=tuple(range(x.ndim - g.ndim)))
        return sum_rows(dldy.reshape(-1, g.size) if g.size else dldy.reshape(0, 0)).reshape(g.shape)

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

    Parameters
    ----------
    x : Node or array, shape (..., *s)
    weight, bias : Node or array, shape s
        Mean and variance are computed over the last axes, of shape s.
    eps : float, default 1e-5
        Added to the biased variance.

    Returns
    -------
    Node, shape of `x`

    References
    ----------
    J. Ba, J. Kiros, G. Hinton, "Layer normalization", arXiv 1607.06450, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> layer_norm(np.array([[1.0, 3.0], [0.0, 20.0]]), np.ones(2), np.zeros(2), eps=0).value
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    eps = eps if type(eps) is float and eps == eps else number(eps, "layer_norm", "eps")
    return LayerNorm.apply(x, weight, bias, eps=eps)
