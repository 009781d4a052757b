"""The loss that an executor is built with, copied so that it returns one loss for each element."""

import inspect

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.nn import Loss


def elementwise_loss(fn, who):
    """Return a copy of a loss of `dark.nn`, or of a function as in `dark.losses`, with ``reduction="none"``."""
    if fn is None:
        return None
    if isinstance(fn, Loss):
        return fn.with_reduction("none")
    if callable(fn) and not isinstance(fn, type) and "reduction" in _parameters(fn):
        return Loss(fn, reduction="none")
    raise _not_a_loss(fn, who)


def required_loss(fn, who):
    """Return a loss that may not be None."""
    if fn is None:
        raise _not_a_loss(fn, who)
    return fn


def _not_a_loss(fn, who):
    return ValueTypeError(
        f"{who}: fn is {describe(fn)}.",
        "a loss of dark.nn, or a function with an argument `reduction`.",
        "nn.MSELoss(), and other computations in call.",
    )


def _parameters(fn):
    try:
        return inspect.signature(fn).parameters
    except (TypeError, ValueError):  # written in C
        return {}
