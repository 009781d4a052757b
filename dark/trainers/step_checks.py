"""The checks of a trainer's arguments, and of the loss in each step."""

from dark.checks import is_integer
from dark.engine.events.signatures import fits, refusal, signature_of
from dark.errors import UsageError, ValueTypeError
from dark.nodes import Node


def check_accumulation_steps(who, gradient_accumulation_steps):
    """Check that gradients are accumulated over at least one iteration."""
    if not is_integer(gradient_accumulation_steps, 1):
        raise UsageError(
            f"{who}: Gradient Accumulation steps can't be <= 0: gradient_accumulation_steps is "
            f"{gradient_accumulation_steps!r}.",
            "an integer, 1 or more.",
            "omit it to take an optimizer step in each iteration.",
        )


def check_prepare_batch(prepare_batch):
    """Check that a function can be called as ``prepare_batch(batch, device=…, non_blocking=…)``."""
    signature = signature_of(prepare_batch, "prepare_batch")
    if not fits(signature, ("batch",), {"device": None, "non_blocking": False}):
        raise refusal(prepare_batch, "prepare_batch", signature, "(batch, device=…, non_blocking=…)")


def checked_loss(loss):
    """Return a loss if it is a node.

    Raises
    ------
    ValueTypeError
        If it is not: it would have no backward pass.
    """
    if not isinstance(loss, Node):
        raise ValueTypeError(
            f"loss_fn returned {loss!r} ({type(loss).__name__}).",
            "a node, which has a backward pass.",
            "remove .value and .item() from loss_fn.",
        )
    return loss
