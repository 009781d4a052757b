"""Arrays of other libraries, such as PyTorch and JAX, as arrays of NumPy: by `__array__`, or by DLPack."""

import numpy as np

from dark.checks import describe, without_grad
from dark.errors import DarkError, ValueTypeError


def foreign_array(x, who):
    """Return an array of another library as one of NumPy, which shares its memory; None if it is none.

    Raises
    ------
    ValueTypeError
        If it requires grad, or the library refuses.
    """
    kind = type(x)
    read = np.asarray if hasattr(kind, "__array__") else np.from_dlpack if hasattr(kind, "__dlpack__") else None
    if read is None or isinstance(x, (np.ndarray, np.generic)):
        return None
    try:
        return read(without_grad(x, who, "an input"))
    except DarkError:
        raise
    except Exception as error:  # of the other library: an array on a GPU, or of a dtype that NumPy does not have
        raise ValueTypeError(
            f"{who}: cannot convert {describe(x)} to an array: {error}",
            "an array on the CPU, of a dtype that NumPy has.",
            "x.cpu(), or x.float(), before the conversion.",
        ) from None
