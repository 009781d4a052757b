"""Scores: the numbers by which early stopping and checkpoints compare."""

from numbers import Number

from dark.checks import is_bool
from dark.errors import UsageError


def checked_score(score):
    """Return a score if it is a number, or a 0-d array, as a Python number."""
    if getattr(score, "ndim", None) == 0:
        score = score.item()
    if not isinstance(score, Number) or is_bool(score):
        raise UsageError(
            f"Output of score_function should be a number, but it is {score!r}.",
            "a number.",
            "a function with a return: lambda engine: engine.state.metrics[…].",
        )
    return score
