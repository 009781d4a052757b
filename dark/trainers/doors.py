"""What a trainer cannot be made of: refused when it is made.

Ignite's arguments for PyTorch are here so that its programs run: those that would change nothing on a CPU are
accepted, those that would change the numbers are refused.
"""

from dark.engine.signatures import fits, refusal, signature_of
from dark.errors import UsageError, ValueTypeError
from dark.nodes import Node


def check_device(who, device):
    """Refuse a device other than the CPU; `non_blocking` means nothing there, so any value of it will do."""
    if str(device) not in ("None", "cpu"):
        raise UsageError(f"{who}: device is {device!r}.", "None or 'cpu': arrays are NumPy's.", "leave device out.")


def check_precision(who, amp_mode, scaler=False):
    """Refuse mixed precision: the numbers have the type of the parameters and the data."""
    if scaler:
        raise UsageError(
            f"{who}: scaler argument is {scaler}, but amp_mode is {amp_mode}.",
            "False: gradients are not scaled.",
            "leave scaler out.",
        )
    if amp_mode is not None:
        raise UsageError(
            f"{who}: amp_mode is {amp_mode!r}.",
            "None: there is no mixed precision.",
            "model.float() and data of float32, for speed.",
        )


def check_steps(who, gradient_accumulation_steps):
    """Refuse a group of fewer than one iteration."""
    if not isinstance(gradient_accumulation_steps, int) or gradient_accumulation_steps < 1:
        raise UsageError(
            f"{who}: Gradient Accumulation steps can't be <= 0: gradient_accumulation_steps is "
            f"{gradient_accumulation_steps!r}.",
            "a whole number, 1 or more.",
            "leave it out to step in each iteration.",
        )


def check_batch_function(prepare_batch):
    """Refuse a function that cannot be called as ``prepare_batch(batch, device=…, non_blocking=…)``."""
    signature = signature_of(prepare_batch, "prepare_batch")
    if not fits(signature, ("batch",), {"device": None, "non_blocking": False}):
        raise refusal(prepare_batch, "prepare_batch", signature, "(batch, device=…, non_blocking=…)")


def checked_loss(loss):
    """Return a loss if it is a node.

    Raises
    ------
    ValueTypeError
        If it is none, so that nothing could be sent back.
    """
    if not isinstance(loss, Node):
        raise ValueTypeError(
            f"loss_fn returned {loss!r} ({type(loss).__name__}).",
            "a node, from which gradients are sent back.",
            "leave .value and .item() out of loss_fn.",
        )
    return loss
