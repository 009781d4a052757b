"""Huber loss: quadratic for differences up to delta, linear beyond."""

import numpy as np

from dark.nodes import Operation
from dark.operations.numeric import clip


class Huber(Operation, trusted=True):
    """Elementwise Huber loss."""

    @staticmethod
    def _f(a, b, delta):
        d = np.abs(a - b)
        c = np.minimum(d, delta)
        return c * (d - 0.5 * c)

    _df = (
        lambda dldy, y, a, b, delta: dldy * clip(a - b, -delta, delta),
        lambda dldy, y, a, b, delta: dldy * clip(b - a, -delta, delta),
    )

    samples = (((), {"delta": 1.0}), ((), {"delta": 0.3}))
