"""Each example moved to mean 0 and spread 1, then stretched and shifted again.

The rules of arrays work on what the forward pass saved, with sums as products with ones, which take a part of
the time of `np.sum`; beside them stands the composed form, which serves nodes.
"""

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.numeric import sum_rows


def standard(x, axes, eps):
    """Move numbers to mean 0 and spread 1 along axes; return also the factor that did it."""
    d = x - np.mean(x, axis=axes, keepdims=True)
    scale = (np.mean(d * d, axis=axes, keepdims=True) + eps) ** -0.5
    return d * scale, scale


def back(g, z, scale, axes):
    """Send a gradient back through `standard`."""
    return scale * (g - np.mean(g, axis=axes, keepdims=True) - z * np.mean(g * z, axis=axes, keepdims=True))


class LayerNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Each example at mean 0 and spread 1 over its last axes, times weights, plus a bias.

    The standardized rows and their factors are saved for the backward pass.
    """

    called = "layer_norm"
    expects = "x of shape (..., *s), weight and bias of the same shape s"
    advice = "print the three shapes; weight says how many of the last axes belong to one example."
    samples: tuple = (
        (((2, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 4, 3), (3,), (3,)), {"eps": 0.1}),
        (((3,), (3,), (3,)), {"eps": 0.0}), (((3, 2, 2), (2, 2), (2, 2)), {"eps": 1e-5}),
        (((0, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 1), (1,), (1,)), {"eps": 0.1}),
    )  # fmt: skip

    @staticmethod
    def _f(x, g, b, eps):
        shapes, n = (shape_of(x), shape_of(g), shape_of(b)), len(shape_of(g))
        if not n or shapes[1] != shapes[2] or shapes[0][len(shapes[0]) - n :] != shapes[1]:
            raise ShapeError(
                "layer_norm: shapes {}, {} and {} do not match.".format(*shapes), LayerNorm.expects, LayerNorm.advice
            )
        z, scale = LayerNorm._standard(x, g, eps)
        y = z * g.reshape(-1)
        return np.add(y, b.reshape(-1), out=y if y.dtype == np.result_type(y, b) else None).reshape(x.shape), (z, scale)

    def _standard(x, g, eps):
        """Return the rows (n, m) at mean 0 and spread 1, and the factor of each, (n, 1)."""
        z = x.reshape(-1, g.size) if g.size else x.reshape(0, 0)
        m = max(1, g.size)
        z = z - np.matmul(z, np.full(g.size, 1 / m, z.dtype if z.dtype.kind == "f" else float))[:, None]
        scale = 1 / np.sqrt(np.vecdot(z, z) / m + eps)[:, None]
        return np.multiply(z, scale, out=z), scale

    def _rows(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            axes = tuple(range(-g.ndim, 0))
            return back(dldy * g, *standard(x, axes, eps), axes)
        z, scale = saved
        m = max(1, g.size)
        dldz = dldy.reshape(z.shape) * g.reshape(-1)  # (n, m)
        dldz -= np.matmul(dldz, np.full(g.size, 1 / m, dldz.dtype))[:, None]
        dldz -= z * (np.vecdot(dldz, z) / m)[:, None]
        dldz *= scale
        return dldz.reshape(x.shape)

    def _weights(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            z, _ = standard(x, tuple(range(-g.ndim, 0)), eps)
            return np.sum(dldy * z, axis=tuple(range(x.ndim - g.ndim)))
        z, _ = saved
        return sum_rows(dldy.reshape(z.shape) * z).reshape(g.shape)

    def _bias(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=tuple(range(x.ndim - g.ndim)))
        return sum_rows(dldy.reshape(-1, g.size) if g.size else dldy.reshape(0, 0)).reshape(g.shape)

    _df = (_rows, _weights, _bias)


def layer_norm(x, weight, bias, eps=1e-5):
    """Move each example to mean 0 and spread 1, then stretch and shift it.

    Parameters
    ----------
    x : Node or array, shape (..., *s)
        Examples along the first axes.
    weight, bias : Node or array, shape s
        The axes that they have belong to one example.
    eps : float, default 1e-5
        Added to the variance, so that a constant example stays finite.

    Returns
    -------
    Node, shape of `x`

    Raises
    ------
    ShapeError
        If the last axes of `x` are not those of `weight` and `bias`.

    Notes
    -----
    ``(x - mean) / sqrt(var + eps) * weight + bias``, with the variance that divides by the count.

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
    return LayerNorm.apply(x, weight, bias, eps=float(eps))
