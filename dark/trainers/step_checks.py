"""The checks of a trainer's arguments, and of the loss in each step."""

from dark.checks import is_integer
from dark.errors import GradientError, ShapeError, UsageError, ValueTypeError
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


def check_recorded(who, has_default_output):
    """Check that the output of a recorded training is the loss."""
    if not has_default_output:
        raise UsageError(
            f"{who}: recorded=True with an output_transform: a replay computes the loss alone, no y_pred.",
            "recorded=True or an output_transform.",
            "omit output_transform, and measure the network with an evaluator.",
        )


def checked_loss(loss, label="loss_fn"):
    """Return a loss if it is a node."""
    if not isinstance(loss, Node):
        raise ValueTypeError(
            f"{label} must return a node, but returned {loss!r} ({type(loss).__name__}).",
            "a node, which has a backward pass.",
            f"remove .value and .item() from {label}.",
        )
    return loss


def checked_scalar(loss, label):
    """Return a loss if it is a node with one element."""
    if checked_loss(loss, label).size != 1:
        raise ShapeError(
            f"{label} must return a loss with one element, but returned one of shape {loss.shape}.",
            "one number, the mean over the batch.",
            f"the mean in {label}: loss.mean(); or Executor.reduce_loss, for one loss of each example.",
        )
    return loss


def check_reached(player, found):
    """Check that the loss of a player depends on a parameter that its optimizer updates."""
    if found and all(gradient is None for _, gradient in found):
        raise GradientError(
            f"{player.label} reaches no parameter of the {player.name}, so that nothing would be trained.",
            f"a loss that depends on the output of the {player.name}.",
            f"the output of context.{player.name}_model in the loss, not its value and not detached from the graph.",
        )
