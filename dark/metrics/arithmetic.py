"""Arithmetic of metrics: operators, indexing, and methods of a result that has not been computed yet."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from dark.errors import MissingNameError

RESULTS = (float, np.float64, np.ndarray, dict)  # the types of results
METHODS = {name for kind in RESULTS for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}


def binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an operator method of metrics: a function of self and the other operand.

    Examples
    --------
    >>> import operator
    >>> class Word:
    ...     __add__, __radd__ = binary(operator.add), reflected(operator.add)
    ...
    ...     def function_of(self, function, *args):
    ...         return function.__name__, args
    ...
    ...     def __repr__(self):
    ...         return "word"
    >>> Word() + 3, 3 + Word()
    (('add', (word, 3)), ('add', (3, word)))
    """

    def method(self: Any, other: Any) -> Any:
        return self.function_of(function, self, other)

    return method


def reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a reflected operator method: a function of the other operand and self."""

    def method(self: Any, other: Any) -> Any:
        return self.function_of(function, other, self)

    return method


def result_method(metric, name):
    """Return a function that stands for a method of the result, if results have it: called, it returns a metric."""
    if name not in METHODS:
        raise _missing(metric, name)
    return lambda *args, **kwargs: metric.function_of(ResultMethod(name), metric, *args, **kwargs)


def _missing(metric, name):
    """Return the error for a name that neither a metric nor a result has."""
    error = MissingNameError(f"{type(metric).__name__} has no attribute {name!r}.", *_advice(metric, name))
    error.name, error.obj = name, metric
    return error


def _advice(metric, name):
    if name.startswith("_"):  # which tools look up
        return ()
    known = {*METHODS, *(own for own in dir(metric) if own[0] != "_")}
    is_field = any(hasattr(kind, name) for kind in RESULTS)  # such as shape
    close = None if is_field else get_close_matches(name, known, n=1)
    other = f"MetricsLambda(lambda result: result.{name}, metric), for other results."
    return "a name of the metric, or a method of a number, an array or a dict: of its result.", *(close or [other])


@dataclass(frozen=True)
class ResultMethod:
    """A method of a result, looked up once there is a result.

    Examples
    --------
    >>> ResultMethod("conjugate")(2.0)
    2.0
    """

    name: str

    def __call__(self, result, *args, **kwargs):
        """Call the method of a result."""
        method = getattr(result, self.name, None)
        if method is None:
            raise MissingNameError(
                f"Metric result of type '{type(result).__name__}' has no attribute '{self.name}'.",
                "a method of the result.",
                f"print(metric.compute()), where metric.{self.name}() is used.",
            )
        return method(*args, **kwargs)
