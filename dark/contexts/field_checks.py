"""The checks of fields: losses, the mode (`LogEvalMode`), the counters and the exception of a run."""

from enum import Enum

from dark.checks import describe, integer, one_of
from dark.errors import UsageError, ValueTypeError


class LogEvalMode(Enum):
    """Whether models run in training or in evaluation mode when they are measured and logged."""

    TRAIN = "train"
    TEST = "test"

    @property
    def is_training(self) -> bool:
        """The argument `training` for a call of a model in this mode."""
        return self is LogEvalMode.TRAIN


def loss(value, who, name):
    """Return a loss, which is called with the context, or None.

    An executor that knows for which models it is a loss, by its attribute `players`, is refused for others; with a
    negative weight it is a loss of the opponent.
    """
    if value is None:
        return None
    if not callable(value) or isinstance(value, type):
        raise ValueTypeError(
            f"{who}: {name} must be an executor, got {describe(value)}.",
            "an executor of dark.executors.",
            "an instance of one.",
        )
    player = "classifier" if name == "loss" else name.removesuffix("_loss")
    for term in _terms(value, 1):
        if player not in term.players:
            raise UsageError(
                f"{who}: {name} contains {type(term).__name__}, a loss of the {term.players[0]}.",
                f"a loss of the {player}, which trains it the right way.",
                f"exchange the losses, if {type(term).__name__} was meant for the {term.players[0]}.",
            )
    return value


def _terms(executor, sign):
    """Yield the terms of an executor that know their models and are minimized, not maximized."""
    factor = getattr(getattr(executor, "weight", None), "factor", 1)
    sign = -sign if factor < 0 else sign
    if hasattr(executor, "executors"):
        for term in executor.executors:
            yield from _terms(term, sign)
    elif getattr(executor, "players", None) and sign > 0:
        yield executor


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
        f"{who}: {name} must be an exception or None, got {describe(value)}.",
        "an exception, or None.",
        f"{name} = error, in `except`.",
    )
