"""Averages of what an engine puts out, over examples, and what they are a case of: variables that accumulate."""

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import as_array, identity, is_number_or_array, nothing_seen


class VariableAccumulation(Metric):
    """What an operation makes of outputs, one after the other, and of how many examples.

    Parameters
    ----------
    op : callable
        Gives the new accumulator from the old one and an output; the first is 0.0. Outputs are float64.
    output_transform, device, skip_unrolling
        As of `Metric`. An output is a number or an array.

    Raises
    ------
    ValueTypeError
        If `op` cannot be called; from `update`, if an output is something else.

    Notes
    -----
    A number and an array with one axis are one example, an array with more has ``shape[0]``.

    Examples
    --------
    >>> largest = VariableAccumulation(max)
    >>> for number in (3, 7, 5):
    ...     largest.update(number)
    >>> largest.compute()
    (7.0, 3)
    """

    required_output_keys = None
    _state_dict_all_req_keys = ("accumulator", "num_examples")

    def __init__(self, op, output_transform=identity, device="cpu", skip_unrolling=False):
        if not callable(op):
            raise ValueTypeError(
                f"Argument op should be a callable, but given {type(op).__name__}.",
                "a function of the accumulator and an output.",
                "lambda a, x: a + x.",
            )
        self._op = op
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was accumulated."""
        self.accumulator, self.num_examples = np.float64(0.0), 0

    def update(self, output):
        """Accumulate a number or an array."""
        output = self._number_or_array(output)
        self.accumulator = self._op(self.accumulator, output)
        self.num_examples += _examples(output)

    def _number_or_array(self, output):
        if not is_number_or_array(output):
            raise ValueTypeError(
                f"{type(self).__name__}: Output should be a number or an array, but given {type(output).__name__}.",
                "a number or an array.",
                "output_transform=lambda output: …, which picks it from what the process function returns.",
            )
        array = np.array(as_array(output), dtype=np.float64)
        return array if array.ndim else float(array)

    def compute(self):
        """Return the accumulator and the number of examples."""
        return self.accumulator, self.num_examples


class Average(VariableAccumulation):
    """The mean of numbers, or of arrays element by element, exact for batches of unequal sizes.

    Parameters
    ----------
    output_transform, device, skip_unrolling
        As of `Metric`. An output is a number or an array (n) for one example, or an array (batch, …).

    Raises
    ------
    ShapeError
        From `update`, if an example has another shape than those before; nothing is broadcast.

    Examples
    --------
    >>> mean = Average()
    >>> mean.update(np.ones((3, 2)))
    >>> mean.update(np.array([[5.0, 1.0]]))
    >>> mean.compute()
    array([2., 1.])
    """

    def __init__(self, output_transform=identity, device="cpu", skip_unrolling=False):
        super().__init__(_add, output_transform, device, skip_unrolling)

    def update(self, output):
        """Add a number or an array."""
        if self.num_examples and is_number_or_array(output):
            shape, seen = _shape_of_example(as_array(output)), np.shape(self.accumulator)
            if shape != seen:
                raise ShapeError(
                    f"{type(self).__name__}: an example has shape {shape}, those before have {seen}.",
                    "examples of one shape.",
                    "output_transform=lambda output: output.mean(), for the mean of arrays of any shape.",
                )
        super().update(output)

    def compute(self):
        """Return the mean: a number, or an array of the shape of an example.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self.num_examples:
            raise nothing_seen(type(self).__name__)
        return self.accumulator / self.num_examples


class GeometricAverage(Average):
    """The geometric mean: the exponential of the mean of logarithms.

    Parameters
    ----------
    output_transform, device, skip_unrolling
        As of `Average`; no number is below 0.

    Raises
    ------
    UsageError
        From `update`, if a number is below 0.

    Examples
    --------
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
                f"GeometricAverage: {np.min(output)} is below 0.", "numbers that are not negative.", "Average()."
            )
        with np.errstate(divide="ignore"):  # of 0 the logarithm is minus infinity, and the mean 0
            return np.log(output)

    def compute(self):
        """Return the mean: a number, or an array of the shape of an example.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        mean = np.exp(super().compute())
        return mean.item() if mean.size == 1 else mean


def _add(accumulator, output):
    return accumulator + (output.sum(axis=0) if np.ndim(output) > 1 else output)


def _examples(output):
    return len(output) if np.ndim(output) > 1 else 1


def _shape_of_example(array):
    return array.shape[1:] if array.ndim > 1 else array.shape
