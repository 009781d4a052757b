"""`Module.to`: another floating-point dtype; a device is accepted if it is the CPU."""

import numpy as np

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.nn.state_dict import entries, identity, value_in
from dark.spellings import refuse_keywords

DEVICES = ("cpu", "cuda", "mps", "xpu", "meta")


def dtype_of(target, pytorch):
    """Return what `Module.to` was given: a dtype, or nothing for the CPU, where every module is.

    Raises
    ------
    UsageError
        If it is another device.

    Examples
    --------
    >>> dtype_of("cpu", {}), dtype_of(None, {"device": "cpu", "dtype": "float32"}), dtype_of("float32", {})
    ((), ('float32',), ('float32',))
    """
    given = {**pytorch}
    device, dtype = given.pop("device", None), given.pop("dtype", None)
    given.pop("non_blocking", None)
    if given:
        refuse_keywords("to", given)
    if str(target).partition(":")[0] in DEVICES:
        device, target = target, None
    if device is not None and str(device) != "cpu":
        raise UsageError(f"to: device is {str(device)!r}.", "'cpu': NumPy computes on a CPU.", "omit it.")
    found = dtype if target is None else target
    if found is None and device is None:
        raise UsageError("to: no dtype is given.", "a floating-point dtype, such as np.float64.", "module.double()")
    return () if found is None else (found,)


def cast(module, dtype=None):
    """Convert all floating-point parameters and buffers to another float dtype; gradients are reset.

    Raises
    ------
    ValueTypeError
        If it is not a floating-point dtype.
    """
    if dtype is None:
        return module
    try:
        dtype = np.dtype(dtype)
    except TypeError:  # the name of a device, for example
        raise ValueTypeError(
            f"to: {describe(dtype)} is not a dtype.", "a floating-point dtype, such as np.float64.", "module.double()"
        ) from None
    if dtype.kind != "f":
        raise ValueTypeError(
            f"to: {dtype} is not a floating-point dtype.",
            "a floating-point dtype, such as np.float64.",
            "module.double()",
        )
    for entry in {identity(e): e for e in entries(module, saved_only=False).values()}.values():
        if np.asarray(value_in(entry)).dtype.kind == "f":
            entry.value = np.asarray(value_in(entry)).astype(dtype)
    module.zero_grad()
    return module
