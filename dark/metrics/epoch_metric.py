"""Metrics that cannot be accumulated: store all outputs of an epoch and call a function at its end."""

import warnings
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from dark.descriptions import brief
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.metrics.metric import Metric
from dark.metrics.outputs import MetricOptions, Transform, identity, no_examples, prediction_and_target


class EpochMetricWarning(UserWarning):
    """The function of an `EpochMetric` failed on the first batch, and may fail at the end of the epoch."""


class EpochMetric(Metric):
    """Apply a function to all predictions and targets of an epoch, arrays (examples,) or (examples, n).

    An output is (y_pred, y), each (batch,) or (batch, n), of one dtype in all batches; (batch, 1) is treated as
    (batch,). `check_compute_fn` tells whether to try the function on the first batch: if it fails, a warning says so.
    All outputs are kept in memory until `reset`. The result is cached until the next batch.

    >>> worst = EpochMetric(lambda y_pred, y: float(abs(y_pred - y).max()))
    >>> worst.update((np.array([1.0, 2.0]), np.array([1.0, 4.0])))
    >>> worst.update((np.array([5.0]), np.array([4.0])))
    >>> worst.compute()
    2.0
    """

    _state_dict_all_req_keys = ("_predictions", "_targets")

    def __init__(
        self,
        compute_fn: Callable[[Any, Any], Any],
        output_transform: Transform = identity,
        check_compute_fn: bool = True,
        **options: Unpack[MetricOptions],
    ) -> None:
        if not callable(compute_fn):
            raise ValueTypeError(
                f"Argument compute_fn should be callable. It is {brief(compute_fn)}.",
                "a function of all predictions and all targets.",
                "EpochMetric(sklearn.metrics.r2_score).",
            )
        self.compute_fn, self._check_compute_fn = compute_fn, check_compute_fn
        super().__init__(output_transform, **options)

    def reset(self) -> None:
        """Discard the stored outputs."""
        self._predictions: list[np.ndarray] = []
        self._targets: list[np.ndarray] = []
        self._result: Any = None

    def update(self, output: Any) -> None:
        """Store a copy of a batch (y_pred, y)."""
        y_pred, y = prediction_and_target(self, output)
        for name, array in (("Predictions", y_pred), ("Targets", y)):
            if array.ndim not in (1, 2):
                raise ShapeError(
                    f"{name} should be of shape (batch_size, n_targets) or (batch_size, ). They are {array.shape}.",
                    "one or two dimensions.",
                    "array.reshape(len(array), -1), in output_transform.",
                )
        y_pred, y = (array[:, 0] if array.shape[1:] == (1,) else array for array in (y_pred, y))
        _check_dtype("y_pred and stored predictions", self._predictions, y_pred)
        _check_dtype("y and stored targets", self._targets, y)
        self._predictions.append(y_pred.copy())
        self._targets.append(y.copy())
        self._result = None
        if len(self._targets) == 1 and self._check_compute_fn:
            try:
                self.compute_fn(y_pred.copy(), y.copy())
            except Exception as error:
                problem = f"Probably, there can be a problem with `compute_fn`:\n {error}."
                warnings.warn(problem, EpochMetricWarning, stacklevel=2)

    def compute(self) -> Any:
        """Return the function of all stored predictions and targets."""
        if not self._targets:
            raise no_examples(type(self).__name__)
        if self._result is None:
            self._result = self.compute_fn(np.concatenate(self._predictions), np.concatenate(self._targets))
        return self._result

    def _unpack_state(self, state):
        super()._unpack_state(state)
        self._result = None


def _check_dtype(what, stored, new):
    if stored and stored[-1].dtype != new.dtype:
        raise UsageError(
            f"Incoherent types between input {what}: {new.dtype} vs {stored[-1].dtype}.",
            f"{stored[-1].dtype} in each batch.",
            f"astype({str(stored[-1].dtype)!r}), in output_transform.",
        )
