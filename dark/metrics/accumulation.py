"""Accumulate an engine's outputs: with any operation, or as their arithmetic or geometric mean."""

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, as_array, identity, is_numeric, no_examples


class VariableAccumulation(Metric):
    """Accumulate numbers or arrays with an operation, and count the examples.

    ``op(accumulator, output)`` returns the new accumulator from the old one, initially 0.0, and an output in float64. A
    number or a one-dimensional array is one example, any other array ``shape[0]`` examples.

    >>> largest = VariableAccumulation(max)
    >>> for number in (3, 7, 5):
    ...     largest.update(number)
    >>> largest.compute()
    (7.0, 3)
    """

    required_output_keys = None
    _state_dict_all_req_keys = ("accumulator", "num_examples")
    _merge_rules: tuple[tuple[str, str | None], ...] = (("accumulator", None),)

    def __init__(
        self, op: Callable[[Any, Any], Any], output_transform: Transform = identity, **options: Unpack[MetricOptions]
    ) -> None:
        if not callable(op):
            problem = f"Argument op should be a callable, but given {type(op).__name__}."
            raise ValueTypeError(problem, "a function of the accumulator and an output.", "lambda a, x: a + x.")
        self._op = op
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Reset the accumulator to 0.0."""
        self.accumulator: Any = np.float64(0.0)
        self.num_examples = 0

    def update(self, output: Any) -> None:
        """Accumulate a number or an array."""
        output = self._number_or_array(output)
        self.accumulator = self._op(self.accumulator, output)
        self.num_examples += len(output) if np.ndim(output) > 1 else 1

    def _number_or_array(self, output):
        if not is_numeric(output):
            raise ValueTypeError(
                f"{type(self).__name__}: Output should be a number or an array, but given {type(output).__name__}.",
                "a number or an array.",
                "output_transform=lambda output: …, to extract it from the process function's result.",
            )
        array = np.array(as_array(output), dtype=np.float64)
        return array if array.ndim else float(array)

    def compute(self) -> Any:
        """Return the accumulator and the number of examples."""
        return self.accumulator, self.num_examples


class Average(VariableAccumulation):
    """Compute the mean of numbers, or the elementwise mean of arrays, over examples.

    An output is a number or an array (n,) for one example, or an array (batch, …). All examples have one shape; nothing
    is broadcast.

    >>> mean = Average()
    >>> mean.update(np.ones((3, 2)))
    >>> mean.update(np.array([[5.0, 1.0]]))
    >>> mean.compute()
    array([2., 1.])
    """

    _merge_rules = ()

    def __init__(self, output_transform: Transform = identity, **options: Unpack[MetricOptions]) -> None:
        super().__init__(_add, output_transform, **options)

    def update(self, output: Any) -> None:
        """Add a number or an array."""
        if self.num_examples and is_numeric(output):
            array, expected = as_array(output), np.shape(self.accumulator)
            shape = array.shape[1:] if array.ndim > 1 else array.shape  # of an example
            if shape != expected:
                raise ShapeError(
                    f"{type(self).__name__}: all examples must have the shape {expected}, got {shape}.",
                    "examples of one shape.",
                    "output_transform=lambda output: output.mean(), to average arrays of any shape.",
                )
        super().update(output)

    def compute(self) -> Any:
        """Return the mean: a number, or an array of the shape of an example."""
        if not self.num_examples:
            raise no_examples(type(self).__name__)
        return self.accumulator / self.num_examples


class GeometricAverage(Average):
    """Compute the geometric mean of numbers, 0 or more: the exponential of the mean of logarithms; see `Average`.

    >>> mean = GeometricAverage()
    >>> for factor in (2.0, 8.0):
    ...     mean.update(factor)
    >>> mean.compute()
    4.0
    """

    def _number_or_array(self, output):
        output = super()._number_or_array(output)
        if np.any(np.less(output, 0)):
            raise UsageError(
                f"GeometricAverage: numbers must not be negative, got {np.min(output)}.",
                "numbers, 0 or more.",
                "Average().",
            )
        with np.errstate(divide="ignore"):  # log(0) is -inf, and the mean exp(-inf) = 0
            return np.log(output)

    def compute(self) -> Any:
        """Return the mean: a number, or an array of the shape of an example."""
        mean = np.exp(super().compute())
        return mean.item() if mean.size == 1 else mean


def _add(accumulator, output):
    return accumulator + (output.sum(axis=0) if np.ndim(output) > 1 else output)
