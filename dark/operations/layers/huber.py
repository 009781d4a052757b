"""The loss that is a parabola near 0 and a line beyond: between the square and the absolute difference."""

import numpy as np

from dark.nodes import Operation
from dark.operations.numeric import clip


class Huber(Operation, trusted=True):
    """Half the square of a difference up to delta, beyond it delta times the difference less delta / 2."""

    samples = (((), {"delta": 1.0}), ((), {"delta": 0.3}))

    @staticmethod
    def _f(a, b, delta):
        d = np.abs(a - b)
        c = np.minimum(d, delta)
        return c * (d - 0.5 * c)

    _df = (
        lambda dldy, y, a, b, delta: dldy * clip(a - b, -delta, delta),
        lambda dldy, y, a, b, delta: dldy * clip(b - a, -delta, delta),
    )
