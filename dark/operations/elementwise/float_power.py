"""NumPy's power in float64: `numpy.float_power` on nodes."""

import numpy as np

from dark.nodes import Node
from dark.nodes.protocols import implements
from dark.operations.elementwise.arithmetic import pow


@implements(np.float_power)
def float_power(x, n):
    """Compute ``x ** n`` in float64, as NumPy does.

    >>> import dark
    >>> np.float_power(dark.Parameter(np.float32(3)), 2).value
    9.0
    """
    return pow(_as_float64(x), _as_float64(n))


def _as_float64(x):
    return x.astype(np.float64) if isinstance(x, Node) and x.dtype.itemsize < 8 else x
