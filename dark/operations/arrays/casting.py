"""A differentiable change of dtype."""

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.nodes import Operation
from dark.nodes.protocols import FUNCTIONS, implements


class _Cast(Operation, trusted=True, elementwise=False):
    """The value in another dtype; the gradient is cast back."""

    function_name = "cast"

    _f = staticmethod(lambda x, dtype: np.asarray(x).astype(dtype))
    _df = (lambda dldy, y, x, dtype: dldy,)  # `cast_gradient` gives it the dtype of the input


@implements(np.ndarray.astype)
def astype(x, dtype):
    """Cast to another floating-point dtype; the gradient is cast back.

    >>> import dark
    >>> dark.Parameter(np.ones(2)).astype(np.float32).dtype
    dtype('float32')
    """
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise ValueTypeError(
            f"astype: {describe(dtype)} is not a dtype of NumPy.",
            "a floating-point dtype, such as np.float16, np.float32 or np.float64.",
            "x.astype(np.float32), which has the range of bfloat16 and more digits.",
        ) from None
    if dtype.kind != "f":
        raise ValueTypeError(
            f"astype: {dtype} is not a floating-point dtype.",
            "a floating-point dtype.",
            "x.value.astype(...), which returns an array.",
        )
    return _Cast.apply(x, dtype=dtype)


if hasattr(np, "astype"):  # NumPy 2.1
    FUNCTIONS[np.astype] = astype
