"""`Module.to`: another floating-point dtype, or the CPU as the device; and the check of the `dtype` of new layers."""

import numpy as np

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError
from dark.nn.state_dict import entries, identity, value_in
from dark.spellings import refuse_keywords

DEVICES = ("cpu", "cuda", "mps", "xpu", "meta")
ADVICE = "a floating-point dtype, such as np.float64.", "module.double()"


def dtype_of(target, settings):
    """Return the dtype that `Module.to` was given; None if it was only given the CPU, where every module is.

    >>> dtype_of(("cpu",), {}), dtype_of((), {"device": "cpu", "dtype": "float32"}), dtype_of(("float32",), {})
    (None, 'float32', 'float32')
    """
    given = {name: value for name, value in settings.items() if name != "non_blocking"}
    devices, dtypes = [given.pop("device", None)], [given.pop("dtype", None)]
    if given:
        refuse_keywords("to", given)
    for each in target:
        (devices if _kind(each) in DEVICES else dtypes).append(each)
    devices, dtypes = [d for d in devices if d is not None], [d for d in dtypes if d is not None and d is not False]
    for device in devices:
        if _kind(device) != "cpu":
            raise ValueTypeError(
                f"to: {describe(device)} is not a dtype, nor the CPU.",
                "a floating-point dtype, or 'cpu': NumPy computes on a CPU.",
                "module.double(); or omit it.",
            )
    if not devices and len(dtypes) != 1:
        raise UsageError(f"to: expected one dtype, got {len(dtypes)}.", *ADVICE)
    return dtypes[0] if dtypes else None


def _kind(target):
    """Return the name of a device without its number; an empty string for an object that has no text."""
    try:
        return str(target).partition(":")[0]
    except Exception:
        return ""


def cast(module, dtype=None):
    """Convert all floating-point parameters and buffers to another float dtype; gradients are reset."""
    if dtype is None:
        return module
    try:
        dtype = np.dtype(dtype)
    except Exception:  # NumPy asks any object for its attributes and its repr
        raise ValueTypeError(f"to: {describe(dtype)} is not a dtype.", *ADVICE) from None
    if dtype.kind != "f":
        raise ValueTypeError(f"to: {dtype} is not a floating-point dtype.", *ADVICE)
    for entry in {identity(e): e for e in entries(module, saved_only=False).values()}.values():
        if np.asarray(value_in(entry)).dtype.kind == "f":
            entry.value = np.asarray(value_in(entry)).astype(dtype)
    module.zero_grad()
    return module


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
