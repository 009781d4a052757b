"""Means over all examples: the base class; of a loss, of absolute and of squared errors; and the root of the last."""

import math
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from dark.descriptions import brief
from dark.errors import ShapeError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, as_array, differences, identity, no_examples, wrong_output


class ExampleMean(Metric):
    """Divide a sum by the number of examples; a subclass adds each batch in `update`.

    The first name of `_state_dict_all_req_keys` is the sum's, which subclasses set to Ignite's name.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("_sum", "_num_examples")
    _zero: Any = np.float64(0.0)  # of the sum's dtype

    def reset(self) -> None:
        """Reset the sum and the number of examples."""
        vars(self)[self._state_dict_all_req_keys[0]] = self._zero
        self._num_examples = 0

    def accumulate(self, total: Any, count: Any) -> None:
        """Add the sum over a batch, and its number of examples."""
        vars(self)[self._state_dict_all_req_keys[0]] += total
        self._num_examples += count

    def compute(self) -> float:
        """Return the mean over all examples."""
        if not self._num_examples:
            raise no_examples(type(self).__name__)
        return float(vars(self)[self._state_dict_all_req_keys[0]] / self._num_examples)


class Loss(ExampleMean):
    """Compute the mean of a loss over all examples; batches are weighted by their size.

    ``loss_fn(y_pred, y, **kwargs)`` returns the mean over the batch, a scalar, and ``batch_size(y)`` the number of
    examples. Outputs are (y_pred, y) or (y_pred, y, kwargs); in a mapping, the key `criterion_kwargs` is optional.

    >>> loss = Loss(lambda y_pred, y: np.mean((np.asarray(y_pred) - y) ** 2))
    >>> loss.update(([1.0, 1.0], [1.0, 3.0]))
    >>> loss.update(([5.0], [1.0]))
    >>> loss.compute()
    6.666...
    """

    required_output_keys = ("y_pred", "y", "criterion_kwargs")

    def __init__(
        self,
        loss_fn: Callable[..., Any],
        output_transform: Transform = identity,
        batch_size: Callable[[Any], int] = len,
        **options: Unpack[MetricOptions],
    ) -> None:
        for name, function in (("loss_fn", loss_fn), ("batch_size", batch_size)):
            if not callable(function):
                problem = f"Loss: {name} should be callable, got {brief(function)}."
                raise ValueTypeError(problem, "a function.", "batch_size=len, or omit it.")
        self._loss_fn, self._batch_size = loss_fn, batch_size
        super().__init__(output_transform, **options)

    def _from_mapping(self, output):
        return super()._from_mapping({"criterion_kwargs": {}, **output})

    def update(self, output: Any) -> None:
        """Add the loss of a batch (y_pred, y) or (y_pred, y, kwargs)."""
        if not (isinstance(output, (tuple, list)) and len(output) in (2, 3)):
            raise wrong_output(self, output, "(y_pred, y), or (y_pred, y, kwargs) with arguments of the loss")
        y_pred, y, kwargs = output if len(output) == 3 else (*output, {})
        loss = as_array(self._loss_fn(y_pred, y, **kwargs))
        if loss.ndim:
            raise ShapeError(
                f"Loss: loss_fn did not return the average loss; it returned an array {loss.shape}.",
                "a scalar, the mean over the batch.",
                'reduction="mean", if the loss has this argument.',
            )
        if loss.dtype.kind not in "fiub":
            raise ValueTypeError(
                f"Loss: loss_fn did not return a number; it returned a {loss.dtype} {loss}.",
                "a scalar, the mean over the batch.",
                "check that the function has a return statement.",
            )
        size = self._batch_size(y)
        self.accumulate(float(loss) * size, size)


class MeanAbsoluteError(ExampleMean):
    """Compute the sum of absolute errors over the number of *rows*: the errors of several columns add up.

    y_pred and y have one batch size and one total size, so (batch,) and (batch, 1) are compatible. Differences and
    sums are computed in float64, whatever the dtypes. For the parameters see `Metric`.

    >>> error = MeanAbsoluteError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.0
    """

    _state_dict_all_req_keys = ("_sum_of_absolute_errors", "_num_examples")

    def update(self, output: Any) -> None:
        """Add the errors of a batch (y_pred, y)."""
        errors = differences(self, output)
        self.accumulate(np.abs(errors).sum(), len(errors))


class MeanSquaredError(ExampleMean):
    """Compute the sum of squared errors over the number of *rows*; as in `MeanAbsoluteError` otherwise.

    >>> error = MeanSquaredError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    2.0
    """

    _state_dict_all_req_keys = ("_sum_of_squared_errors", "_num_examples")

    def update(self, output: Any) -> None:
        """Add the errors of a batch (y_pred, y)."""
        errors = differences(self, output)
        self.accumulate((errors * errors).sum(), len(errors))


class RootMeanSquaredError(MeanSquaredError):
    """Compute the square root of the mean squared error; see `MeanSquaredError`.

    >>> error = RootMeanSquaredError()
    >>> error.update(([1.0, 2.0], [1.0, 4.0]))
    >>> error.compute()
    1.414...
    """

    def compute(self) -> float:
        """Return the square root of the mean over rows."""
        return math.sqrt(super().compute())
