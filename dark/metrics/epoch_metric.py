"""Metrics that no running sum can give: everything is kept, and a function is called at the end."""

import warnings

import numpy as np

from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import identity, nothing_seen, pair


class EpochMetricWarning(UserWarning):
    """A function that failed on the first batch, and may fail at the end."""


class EpochMetric(Metric):
    """What a function makes of all predictions and targets of an epoch.

    Parameters
    ----------
    compute_fn : callable
        A function of all predictions and all targets: arrays (examples) or (examples, n).
    output_transform, device, skip_unrolling
        As of `Metric`.
    check_compute_fn : bool, optional
        Whether the function is tried on the first batch.

    Raises
    ------
    ValueTypeError
        If the function cannot be called.
    ShapeError, UsageError
        From `update`, unless both are (batch) or (batch, n), and of the dtypes of the batches before.

    Warns
    -----
    EpochMetricWarning
        If the function fails on the first batch.

    Notes
    -----
    Everything is kept in memory until `reset`. (batch, 1) is taken as (batch). The result is kept until the next
    batch.

    Examples
    --------
    >>> worst = EpochMetric(lambda y_pred, y: float(abs(y_pred - y).max()))
    >>> worst.update((np.array([1.0, 2.0]), np.array([1.0, 4.0])))
    >>> worst.update((np.array([5.0]), np.array([4.0])))
    >>> worst.compute()
    2.0
    """

    _state_dict_all_req_keys = ("_predictions", "_targets")

    def __init__(
        self, compute_fn, output_transform=identity, check_compute_fn=True, device="cpu", skip_unrolling=False
    ):
        if not callable(compute_fn):
            raise ValueTypeError(
                f"Argument compute_fn should be callable. It is {compute_fn!r}.",
                "a function of all predictions and all targets.",
                "EpochMetric(sklearn.metrics.r2_score).",
            )
        self.compute_fn, self._check_compute_fn = compute_fn, check_compute_fn
        super().__init__(output_transform, device, skip_unrolling)

    def reset(self):
        """Forget what was kept."""
        self._predictions, self._targets = [], []
        self._result = None

    def update(self, output):
        """Keep a copy of a batch (y_pred, y)."""
        y_pred, y = pair(self, output)
        for name, array in (("Predictions", y_pred), ("Targets", y)):
            if array.ndim not in (1, 2):
                raise ShapeError(
                    f"{name} should be of shape (batch_size, n_targets) or (batch_size, ). They are {array.shape}.",
                    "one axis or two.",
                    "array.reshape(len(array), -1), in output_transform.",
                )
        y_pred, y = (array[:, 0] if array.shape[1:] == (1,) else array for array in (y_pred, y))
        _check_dtype("y_pred and stored predictions", self._predictions, y_pred)
        _check_dtype("y and stored targets", self._targets, y)
        self._predictions.append(y_pred.copy())
        self._targets.append(y.copy())
        self._result = None
        if len(self._targets) == 1 and self._check_compute_fn:
            self._try(y_pred, y)

    def _try(self, y_pred, y):
        try:
            self.compute_fn(y_pred.copy(), y.copy())
        except Exception as error:
            warnings.warn(
                f"Probably, there can be a problem with `compute_fn`:\n {error}.", EpochMetricWarning, stacklevel=3
            )

    def compute(self):
        """Return what the function makes of all of it.

        Raises
        ------
        NotComputableError
            If there was no example.
        """
        if not self._targets:
            raise nothing_seen(type(self).__name__)
        if self._result is None:
            self._result = self.compute_fn(np.concatenate(self._predictions), np.concatenate(self._targets))
        return self._result

    def _unpack_state(self, state):
        super()._unpack_state(state)
        self._result = None


def _check_dtype(what, kept, new):
    if kept and kept[-1].dtype != new.dtype:
        raise UsageError(
            f"Incoherent types between input {what}: {new.dtype} vs {kept[-1].dtype}.",
            f"{kept[-1].dtype} in each batch.",
            f"astype({str(kept[-1].dtype)!r}), in output_transform.",
        )
