"""Arguments of Ignite and PyTorch that have no meaning on one CPU process, so that their programs run unchanged.

What would change nothing here is accepted (`non_blocking`, `device="cpu"`); what would change the numbers is refused.
"""

from dark.errors import UsageError


def check_device(who: str, device: object) -> None:
    """Check that a device is None or the CPU; `non_blocking` has no effect there."""
    if str(device) not in ("None", "cpu"):
        raise UsageError(f"{who}: device is {device!r}.", "None or 'cpu', as for NumPy's arrays.", "omit device.")


def check_precision(who: str, amp_mode: object, scaler: object = False) -> None:
    """Check that no mixed precision is requested: computations have the dtype of parameters and data."""
    if scaler:
        raise UsageError(
            f"{who}: scaler argument is {scaler}, but amp_mode is {amp_mode}.",
            "False: gradients are not scaled.",
            "omit scaler.",
        )
    if amp_mode is not None:
        raise UsageError(
            f"{who}: amp_mode is {amp_mode!r}.",
            "None: mixed precision is not supported.",
            "model.float() and float32 data, for speed.",
        )
