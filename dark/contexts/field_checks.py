"""The checks of fields: losses, the mode, the counters and the exception of a run."""

from dark.checks import describe, integer, one_of
from dark.contexts.log_eval_mode import LogEvalMode
from dark.errors import ValueTypeError


def loss(value, who, name):
    """Return a loss, which is called with the context, or None."""
    if value is None or (callable(value) and not isinstance(value, type)):
        return value
    raise ValueTypeError(
        f"{who}: {name} is {describe(value)}.", "an executor of dark.executors.", "an instance of one."
    )


def step(value, who, name):
    """Return a step: the number of steps that were completed."""
    return integer(value, who, name, 0)


def batch_size(value, who, name):
    """Return a number of examples, 1 or more, or None."""
    return None if value is None else integer(value, who, name, 1)


def log_eval_mode(value, who, name):
    """Return a `LogEvalMode`."""
    if isinstance(value, LogEvalMode):
        return value
    known = {f"LogEvalMode.{mode.name}": mode for mode in LogEvalMode}
    return one_of(value, who, name, known)


def raised(value, who, name):
    """Return an exception, or None."""
    if value is None or isinstance(value, BaseException):
        return value
    raise ValueTypeError(
        f"{who}: {name} is {describe(value)}.", "an exception, or None.", f"{name} = error, in `except`."
    )
