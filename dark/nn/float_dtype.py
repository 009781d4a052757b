"""The check of the `dtype` argument that all layers with parameters share."""

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError


def float_dtype(dtype, who):
    """Return a floating-point dtype as a `numpy.dtype`.

    >>> float_dtype(float, "Linear"), float_dtype("float32", "Linear")
    (dtype('float64'), dtype('float32'))
    """
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if found is None or found.kind != "f":
        raise ValueTypeError(
            f"{who}: {describe(dtype)} is not a floating-point dtype.", "np.float64 or np.float32.", "omit dtype."
        )
    return found
