"""Arithmetic of metrics: operators, indexing, and methods of a result that has not been computed yet."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np

from dark.errors import MissingNameError

Operator: TypeAlias = Callable[[Any, Any], Any]
RESULTS = (float, np.float64, np.ndarray, dict)  # the types of results
METHODS = {name for kind in RESULTS for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}


def operators(function: Callable[[Any, Any], Any]) -> tuple[Operator, Operator]:
    """Return an operator method of metrics, a function of self and the other operand, and the reflected one."""

    def method(self: Any, other: Any) -> Any:
        return self.function_of(function, self, other)

    def reflected(self: Any, other: Any) -> Any:
        return self.function_of(function, other, self)

    return method, reflected


def result_method(metric, name):
    """Return a function that stands for a method of the result, if results have it: called, it returns a metric."""
    if name not in METHODS:
        raise _no_attribute(metric, name)  # in no local name: with its traceback it would keep the callers' values
    return lambda *args, **kwargs: metric.function_of(ResultMethod(name), metric, *args, **kwargs)


def _no_attribute(metric, name):
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
    """A method of a result, looked up once there is a result."""

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
