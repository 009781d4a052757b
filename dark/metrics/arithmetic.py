"""Arithmetic of metrics: operators, indexing, and methods of a result that has not been computed yet.

Each of them is a function of operands. What `combine` makes of it, a `MetricsLambda`, is registered in
`metrics_lambda`, which is built on `Metric`, which has these operators.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@singledispatch
def combine(metric, function, *args, **kwargs):
    """Return the metric whose result is a function of the results of its arguments.

    Parameters
    ----------
    metric : Metric
        Any operand; its type selects the implementation.
    function : callable
    *args, **kwargs
        The arguments of the function, metrics or constants.
    """
    raise NotImplementedError(type(metric))


def binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an operator method: a function of self and the other operand.

    Examples
    --------
    >>> import operator
    >>> class Word:
    ...     __add__, __radd__ = binary(operator.add), reflected(operator.add)
    ...
    ...     def __repr__(self):
    ...         return "word"
    >>> @combine.register(Word)
    ... def combine_words(word, function, *args):
    ...     return function.__name__, args
    >>> Word() + 3, 3 + Word()
    (('add', (word, 3)), ('add', (3, word)))
    """

    def method(self: Any, other: Any) -> Any:
        return combine(self, function, self, other)

    return method


def reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a reflected operator method: a function of the other operand and self."""

    def method(self: Any, other: Any) -> Any:
        return combine(self, function, other, self)

    return method


def result_method(metric, name, frame):
    """Return a function that stands for a method of the result: called, it returns a metric.

    Parameters
    ----------
    metric : Metric
    name : str
        The name of the method.
    frame : frame
        Where the name is used, for the error if the result has no such method.

    Raises
    ------
    AttributeError
        If the name starts with an underscore: IPython looks such names up.
    """
    if name.startswith("_"):
        raise AttributeError(f"{type(metric).__name__} has no attribute {name!r}.")
    method = ResultMethod(name, f"{frame.f_code.co_filename}:{frame.f_lineno}")
    return lambda *args, **kwargs: combine(metric, method, metric, *args, **kwargs)


@dataclass(frozen=True)
class ResultMethod:
    """A method of a result, looked up once there is a result.

    Examples
    --------
    >>> ResultMethod("upper", "here.py:3")("ab")
    'AB'
    """

    name: str
    location: str

    def __call__(self, result, *args, **kwargs):
        """Call the method of a result."""
        method = getattr(result, self.name, None)
        if method is None:
            raise AttributeError(
                f"Metric result of type '{type(result).__name__}' has no attribute '{self.name}'.\n"
                f"  Expected: a method of the result.\n"
                f"  Try: check {self.location}, where '{self.name}' is used."
            )
        return method(*args, **kwargs)
