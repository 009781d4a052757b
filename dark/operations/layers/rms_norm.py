"""Root-mean-square normalization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.axis_checks import number
from dark.operations.layers.standardize import mean, narrowed
from dark.operations.numeric import at_least_float32, sum_rows

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class RMSNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Root-mean-square normalization over the last axes.

    The normalized rows and their scale factors are saved for the backward pass.
    """

    @staticmethod
    def _f(x, g, eps):
        shapes, n = (shape_of(x), shape_of(g)), len(shape_of(g))
        if not n or shapes[0][len(shapes[0]) - n :] != shapes[1]:
            raise ShapeError(
                "rms_norm: shapes {} and {} do not match.".format(*shapes), RMSNorm.expects, RMSNorm.advice
            )
        rows = at_least_float32(x).reshape(-1, g.size) if g.size else at_least_float32(x).reshape(0, 0)
        scale = (np.vecdot(rows, rows)[:, None] / max(1, g.size) + _eps(eps, rows)) ** -0.5
        z = rows * scale
        return narrowed(z * g.reshape(-1), x, g).reshape(x.shape), (z, scale)

    @staticmethod
    def _input(dldy, y, x, g, eps, saved):
        if isinstance(x, Node):
            x, axes = at_least_float32(x), tuple(range(-g.ndim, 0))
            scale = (mean(x * x, axes) + _eps(eps, x)) ** -0.5
            dldz, z = dldy * g, x * scale
            return scale * (dldz - z * mean(dldz * z, axes))
        z, scale = saved
        dldz = at_least_float32(dldy).reshape(z.shape) * g.reshape(-1)
        dldz -= z * (np.vecdot(dldz, z) / max(1, g.size))[:, None]
        dldz *= scale
        return dldz.reshape(x.shape)

    @staticmethod
    def _weight(dldy, y, x, g, eps, saved):
        if isinstance(x, Node):
            x, axes = at_least_float32(x), tuple(range(-g.ndim, 0))
            z = x * (mean(x * x, axes) + _eps(eps, x)) ** -0.5
            return np.sum(dldy * z, axis=tuple(range(x.ndim - g.ndim)))
        z, _ = saved
        return sum_rows(dldy.reshape(z.shape) * z).reshape(g.shape)

    _df = (_input, _weight)

    function_name = "rms_norm"
    expects = "x of shape (..., *s), and weight of shape s"
    advice = "print both shapes; x must end with the shape of weight."
    samples: tuple = (
        (((2, 3), (3,)), {"eps": None}), (((2, 4, 3), (3,)), {"eps": 0.1}), (((3,), (3,)), {"eps": 1e-3}),
        (((3, 2, 2), (2, 2)), {"eps": 1e-5}), (((0, 3), (3,)), {"eps": None}),
    )  # fmt: skip


def _eps(eps, x):
    """Return `eps`, or by default the machine epsilon of the dtype of the computation."""
    return float(np.finfo(x.dtype if x.dtype.kind == "f" else float).eps) if eps is None else eps


def rms_norm(x: ArrayLike, weight: ArrayLike, eps: float | None = None) -> Node:
    """Apply root-mean-square normalization: ``x / sqrt(mean(x**2) + eps) * weight``.

    Reference: B. Zhang, R. Sennrich, "Root mean square layer normalization", arXiv 1910.07467, 2019.

    Parameters
    ----------
    x : Node or array, shape (..., *s)
    weight : Node or array, shape s
        The mean is computed over the last axes, of shape s.
    eps : float, optional
        By default the machine epsilon of the dtype of `x`, that of float32 for float16.

    Examples
    --------
    >>> rms_norm(np.array([[3.0, 4.0], [0.0, 20.0]]), np.ones(2), eps=0).value.round(3)
    array([[0.849, 1.131],
           [0.   , 1.414]])
    """
    return RMSNorm.apply(x, weight, eps=None if eps is None else number(eps, "rms_norm", "eps"))
