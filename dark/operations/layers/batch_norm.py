"""Each channel moved to mean 0 and spread 1 over a batch, then stretched and shifted again."""

import math

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.layers.layer_norm import back, standard
from dark.operations.numeric import sum_rows


class BatchNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Each channel at mean 0 and spread 1 over all examples and places, times its weight, plus its bias.

    Saved for the backward pass are `centered(x, eps)`: mean and variance of each channel among them.
    """

    called = "batch_norm"
    expects = "x of shape (n, c, ...), weight and bias of shape (c,)"
    advice = "print the three shapes; the channels are axis 1."
    samples: tuple = (
        (((4, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 3, 2, 2), (3,), (3,)), {"eps": 0.1}),
        (((5, 1), (1,), (1,)), {"eps": 1e-3}), (((1, 2, 4), (2,), (2,)), {"eps": 1e-5}),
    )  # fmt: skip

    @staticmethod
    def _f(x, g, b, eps):
        shapes = shape_of(x), shape_of(g), shape_of(b)
        if len(shapes[0]) < 2 or shapes[0][1:2] != shapes[1] or shapes[1] != shapes[2]:
            raise ShapeError(
                "batch_norm: shapes {}, {} and {} do not match.".format(*shapes), BatchNorm.expects, BatchNorm.advice
            )
        saved = d, scale, _, _ = centered(x, eps)
        y = d * along(g * scale, d)
        return np.add(y, along(b, d), out=y if y.dtype == np.result_type(y, b) else None).reshape(x.shape), saved

    def _rows(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return back(dldy * spread_out(g, x), *standard(x, others(x), eps), others(x))
        d, scale, _, _ = saved
        m = max(1, d.size // max(1, d.shape[1]))
        dldy = dldy.reshape(d.shape)
        dldx = d * along(-channels(dldy, d) * scale * scale / m, d)
        dldx += dldy
        dldx -= along(channels(dldy) / m, d)
        dldx *= along(g * scale, d)
        return dldx.reshape(x.shape)

    def _weights(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy * standard(x, others(x), eps)[0], axis=others(x))
        d, scale, _, _ = saved
        return channels(dldy.reshape(d.shape), d) * scale

    def _bias(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=others(x))
        return channels(dldy.reshape(*x.shape[:2], math.prod(x.shape[2:])) if x.ndim > 2 else dldy)

    _df = (_rows, _weights, _bias)


def centered(x, eps):
    """Return x minus the means of its channels, (n, c, s) or (n, c), and 1 / std, mean and variance of each channel."""
    d = x.reshape(*x.shape[:2], math.prod(x.shape[2:])) if x.ndim > 2 else x
    m = max(1, d.size // max(1, d.shape[1]))
    mean = channels(d) / m
    d = d - along(mean, d)
    var = channels(d, d) / m
    return d, 1 / np.sqrt(var + eps), mean, var


def others(x):
    """Return the axes that are not the channels'."""
    return (0, *range(2, x.ndim))


def spread_out(g, x):
    """Give one number for each channel the axes of `x`."""
    return np.reshape(g, (-1, *(1,) * (x.ndim - 2)))


def along(numbers, d):
    """Give one number for each channel the axes of (n, c, s) or (n, c)."""
    return numbers[:, None] if d.ndim == 3 else numbers


def channels(a, b=None):
    """Sum (n, c, s) or (n, c), or its products with another such array, for each channel."""
    if a.ndim == 2:
        return sum_rows(a if b is None else a * b)
    a = np.matmul(a, np.ones(a.shape[2], a.dtype)) if b is None else np.vecdot(a, b)
    return sum_rows(a)


def batch_norm(x, weight, bias, eps=1e-5):
    """Move each channel to mean 0 and spread 1 over a batch, then stretch and shift it.

    Parameters
    ----------
    x : Node or array, shape (n, c, ...)
        Examples along the first axis, channels along the second.
    weight, bias : Node or array, shape (c,)
        One number for each channel.
    eps : float, default 1e-5
        Added to the variance, so that a constant channel stays finite.

    Returns
    -------
    Node, shape of `x`

    Raises
    ------
    ShapeError
        If the shapes do not match.

    Notes
    -----
    ``(x - mean) / sqrt(var + eps) * weight + bias``, with the variance that divides by the count. The layers
    `dark.nn.BatchNorm1d` and `dark.nn.BatchNorm2d` keep running means beside it.

    References
    ----------
    S. Ioffe, C. Szegedy, "Batch normalization", arXiv 1502.03167, 2015.

    Examples
    --------
    >>> import numpy as np
    >>> batch_norm(np.array([[1.0, 0.0], [3.0, 20.0]]), np.ones(2), np.zeros(2), eps=0).value
    array([[-1., -1.],
           [ 1.,  1.]])
    """
    return BatchNorm.apply(x, weight, bias, eps=float(eps))
