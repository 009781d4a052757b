"""Numbers of one type as numbers of another: what fits a gradient to its node when gradients are nodes."""

import numpy as np

from dark.errors import ValueTypeError
from dark.nodes.operation import Operation
from dark.nodes.protocols import FUNCTIONS, implements


class Cast(Operation, trusted=True, elementwise=False):
    """The same numbers in another type; the gradient goes back in the type that they had."""

    @staticmethod
    def _f(x, dtype):
        return np.asarray(x).astype(dtype)

    _df = (lambda dldy, y, x, dtype: dldy,)  # the backward pass gives it the type of the input


@implements(np.ndarray.astype)
def astype(x, dtype):
    """Give the numbers another type of float; see `Node.astype`."""
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise ValueTypeError(
            f"astype: {dtype} takes no gradient.", "a type of float.", "x.value.astype(...) leaves the graph."
        )
    return Cast.apply(x, dtype=dtype)


if hasattr(np, "astype"):  # NumPy 2.1
    FUNCTIONS[np.astype] = astype
