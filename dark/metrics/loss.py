"""Mean of a loss over all examples."""

from collections.abc import Callable
from typing import Any, Unpack

from dark.descriptions import brief
from dark.errors import ShapeError, ValueTypeError
from dark.metrics.example_mean import ExampleMean
from dark.metrics.outputs import MetricOptions, Transform, as_array, identity, output_type_error


class Loss(ExampleMean):
    """Compute the mean of a loss over all examples; batches are weighted by their size.

    ``loss_fn(y_pred, y, **kwargs)`` returns the mean over the batch, a scalar, and ``batch_size(y)`` the number of
    examples. Outputs are (y_pred, y) or (y_pred, y, kwargs); in a mapping, the key `criterion_kwargs` is optional.

    Examples
    --------
    >>> import numpy as np
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
                raise ValueTypeError(
                    f"Loss: {name} should be callable, got {brief(function)}.",
                    "a function.",
                    "batch_size=len, or omit it.",
                )
        self._loss_fn, self._batch_size = loss_fn, batch_size
        super().__init__(output_transform, **options)

    def _from_mapping(self, output):
        return super()._from_mapping({"criterion_kwargs": {}, **output})

    def update(self, output: Any) -> None:
        """Add the loss of a batch (y_pred, y) or (y_pred, y, kwargs)."""
        if not (isinstance(output, (tuple, list)) and len(output) in (2, 3)):
            raise output_type_error(self, output, "(y_pred, y), or (y_pred, y, kwargs) with arguments of the loss")
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
