"""The mean of a loss over examples, exact for batches of unequal sizes."""

import numpy as np

from dark.errors import ShapeError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import as_array, identity, nothing_seen, wrong_output


class Loss(Metric):
    """The mean over examples of a loss that is a mean over a batch.

    Parameters
    ----------
    loss_fn : callable
        Called as ``loss_fn(y_pred, y, **kwargs)``; returns the mean over the batch, a single number.
    output_transform, device, skip_unrolling
        As of `Metric`. Outputs are (y_pred, y) or (y_pred, y, kwargs); from a mapping, `criterion_kwargs` are the
        kwargs, and may be missing there.
    batch_size : callable, optional
        Called with y; how many examples it has.

    Raises
    ------
    ValueTypeError
        If something cannot be called; from `update`, if the loss is no number.
    ShapeError
        From `update`, if it is not a single one.

    Examples
    --------
    >>> loss = Loss(lambda y_pred, y: np.mean((np.asarray(y_pred) - y) ** 2))
    >>> loss.update(([1.0, 1.0], [1.0, 3.0]))
    >>> loss.update(([5.0], [1.0]))
    >>> loss.compute()
    6.666...
    """

    required_output_keys = ("y_pred", "y", "criterion_kwargs")
    _state_dict_all_req_keys = ("_sum", "_num_examples")

    def __init__(self, loss_fn, output_transform=identity, batch_size=len, device="cpu", skip_unrolling=False):
        for name, function in (("loss_fn", loss_fn), ("batch_size", batch_size)):
            if not callable(function):
                raise ValueTypeError(
                    f"Loss: {name} should be callable, got {function!r}.", "a function.", "batch_size=len, or leave it."
                )
        self._loss_fn, self._batch_size = loss_fn, batch_size
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was summed."""
        self._sum, self._num_examples = np.float64(0.0), 0

    def _from_mapping(self, output):
        return super()._from_mapping({"criterion_kwargs": {}, **output})

    def update(self, output):
        """Add a batch (y_pred, y) or (y_pred, y, kwargs)."""
        if not (isinstance(output, (tuple, list)) and len(output) in (2, 3)):
            raise wrong_output(
                self, output, "a pair (y_pred, y), or with the loss's keyword arguments (y_pred, y, kwargs)"
            )
        y_pred, y, kwargs = output if len(output) == 3 else (*output, {})
        loss = as_array(self._loss_fn(y_pred, y, **kwargs))
        if loss.ndim:
            raise ShapeError(
                f"Loss: loss_fn did not return the average loss; it returned an array {loss.shape}.",
                "one number, the mean over the batch.",
                'reduction="mean", where the loss has such a choice.',
            )
        if loss.dtype.kind not in "fiub":
            raise ValueTypeError(
                f"Loss: loss_fn did not return a number; it returned a {loss.dtype} {loss}.",
                "one number, the mean over the batch.",
                "a function with a return.",
            )
        size = self._batch_size(y)
        self._sum += float(loss) * size
        self._num_examples += size

    def compute(self):
        """Return the mean.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._num_examples:
            raise nothing_seen("Loss")
        return float(self._sum / self._num_examples)
