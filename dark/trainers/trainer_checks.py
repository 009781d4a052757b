"""The checks of a trainer's context, callbacks, arguments and batches, and of the loss in each step."""

from collections.abc import Mapping

from dark.checks import describe, is_integer, members
from dark.compat.callbacks.callback import Callback
from dark.distributed import OneProcess
from dark.errors import GradientError, ShapeError, UsageError, ValueTypeError
from dark.nodes import Node


def check_context(who, context, kind):
    """Check that a context is of the class that a trainer needs."""
    if not isinstance(context, kind):
        raise ValueTypeError(
            f"{who}: context must be a {kind.__name__}, got {describe(context)}.",
            f"a {kind.__name__} of dark.contexts.",
            f"{kind.__name__}(…)",
        )


def checked_callbacks(who, callbacks):
    """Return callbacks as a tuple of their own; the caller's list stays as it is."""
    given = () if callbacks is None else callbacks
    advice = "callbacks=[SaveCallback(…)]"
    is_one = isinstance(given, Callback)
    found = (given,) if is_one else tuple(members(given, who, "callbacks", "a list of callbacks.", advice))
    for callback in found:
        if not isinstance(callback, Callback):
            raise ValueTypeError(
                f"{who}: callbacks must be Callback objects, got {describe(callback)}.",
                "callbacks of dark.trainers.",
                "CounterCallback(Event.ON_EPOCH_END, fn, name=…), for a function; trainer.engine for other handlers.",
            )
    names = [callback.name for callback in found]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(
            f"{who}: several callbacks have the name {' and '.join(map(repr, repeated))}.",
            "different names, under which their states are saved.",
            "name='another', in one of them.",
        )
    return found


def check_also(who, also):
    """Check that objects to save with a trainer have names."""
    if not (also is None or isinstance(also, Mapping)):
        raise ValueTypeError(
            f"{who}.save: also must be a mapping of names to objects, got {describe(also)}.",
            "a mapping of names to objects with a state.",
            'also={"schedule": scheduler}',
        )


def no_data(trainer, what, expected, advice):
    """Return the error for a trainer without data."""
    return UsageError(f"{type(trainer).__name__}: the {what} is missing.", expected, advice)


def examples_and_noise(batch):
    """Return the examples, their condition and the inputs of the generator in a batch ((x, y), noise)."""
    is_pair = isinstance(batch, (tuple, list)) and len(batch) == 2
    if not is_pair or not isinstance(batch[0], (tuple, list)) or len(batch[0]) != 2:
        raise UsageError(
            f"a batch of an adversarial training must be ((x, y), noise), got {_structure(batch)}.",
            "((x, y), noise): examples, their labels or condition (or None), and the inputs of the generator.",
            "((x, None), noise), for data without labels.",
        )
    (x, y), noise = batch
    return x, y, noise


def _structure(batch):
    if isinstance(batch, (tuple, list)):
        inner = ", ".join(_structure(part) for part in batch[:4])
        return f"({inner}{', …' if len(batch) > 4 else ''})"
    return f"{type(batch).__name__}"


def check_recorded_alone(who, recorded, strategy):
    """Check that a recorded training is not divided into shards, whose batch size a recording would not know."""
    if recorded and not isinstance(strategy, OneProcess):
        raise UsageError(
            f"{who}: recorded=True needs a single process, got {strategy!r}.",
            "a single process: the losses of shards are divided by a batch size that changes.",
            "strategy=OneProcess(), or recorded=False.",
        )


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
            f"{who}: recorded=True cannot be combined with output_transform: a replay computes only the loss.",
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
            f"{player.label} must depend on a parameter of the {player.name}, or nothing would be trained.",
            f"a loss that depends on the output of the {player.name}.",
            f"the output of context.{player.name}_model in the loss, not its value and not detached from the graph.",
        )
