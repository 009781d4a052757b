"""Supervised evaluation: an iteration is a forward pass without a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dark.engine import Engine
from dark.engine.events.signatures import check_call
from dark.engine.ignite_arguments import check_device, check_precision
from dark.errors import ValueTypeError
from dark.nodes import no_grad
from dark.trainers import step_checks
from dark.trainers.batches import pair_of_constants, plain
from dark.trainers.training import call, same

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dark.metrics import Metric
    from dark.nn import Module


def prediction_and_target(x, y, y_pred):
    """Return the output that metrics expect: (y_pred, y)."""
    return y_pred, y


def supervised_evaluation_step(
    model: Module, device: Any = None, non_blocking: bool = False,
    prepare_batch: Callable[..., Any] = pair_of_constants, model_transform: Callable[[Any], Any] = same,
    output_transform: Callable[..., Any] = prediction_and_target, model_fn: Callable[[Any, Any], Any] = call,
) -> Callable[[Engine, Any], Any]:  # fmt: skip
    """Return the process function of a supervised evaluation, see `create_supervised_evaluator`.

    Returns
    -------
    callable
        A function of (engine, batch).

    Examples
    --------
    >>> from dark import nn
    >>> from dark.engine import Engine
    >>> evaluator = Engine(supervised_evaluation_step(nn.Identity()))
    >>> evaluator.run([([[1.0]], [[2.0]])]).output
    ([[1.0]], [[2.0]])
    """
    check_device("supervised_evaluation_step", device)
    step_checks.check_prepare_batch(prepare_batch)
    check_call(output_transform, "output_transform", ("x", "y", "y_pred"))

    def step(engine, batch):
        model.eval()
        with no_grad():
            x, y = prepare_batch(batch, device=device, non_blocking=non_blocking)
            y_pred = model_transform(model_fn(model, x))
            return plain(output_transform(x, y, y_pred))

    return step


def create_supervised_evaluator(
    model: Module, metrics: Mapping[str, Metric] | None = None, device: Any = None, non_blocking: bool = False,
    prepare_batch: Callable[..., Any] = pair_of_constants, model_transform: Callable[[Any], Any] = same,
    output_transform: Callable[..., Any] = prediction_and_target, amp_mode: Any = None,
    model_fn: Callable[[Any, Any], Any] = call,
) -> Engine:  # fmt: skip
    """Return an engine that applies a network to batches and computes metrics.

    Parameters
    ----------
    model : Module
        Set to evaluation mode in each iteration, and left there; the trainers of this package set training mode again.
    metrics : mapping of str to Metric, optional
        Attached under these names.
    device, non_blocking, prepare_batch, model_transform, amp_mode, model_fn
        As in `create_supervised_trainer`.
    output_transform : callable, optional
        Of (x, y, y_pred), nodes; nodes in its result are replaced by their values. If not given, (y_pred, y).

    Returns
    -------
    Engine

    Raises
    ------
    UsageError, ValueTypeError
        If an argument is invalid, or requests an unsupported feature.

    Examples
    --------
    >>> import numpy as np
    >>> from dark import nn
    >>> from dark.metrics import Accuracy
    >>> evaluator = create_supervised_evaluator(nn.Identity(), {"accuracy": Accuracy()})
    >>> scores, classes = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([0, 1, 1])
    >>> round(evaluator.run([(scores, classes)]).metrics["accuracy"], 3)
    0.667
    """
    who = "create_supervised_evaluator"
    check_device(who, device)
    check_precision(who, amp_mode)
    if not isinstance(metrics, (Mapping, type(None))):
        raise ValueTypeError(
            f"{who}: metrics must be a mapping, got a {type(metrics).__name__}.",
            "a mapping from names to metrics.",
            '{"loss": metric}',
        )
    evaluator = Engine(
        supervised_evaluation_step(
            model, device, non_blocking, prepare_batch, model_transform, output_transform, model_fn
        )
    )
    for name, metric in (metrics or {}).items():
        metric.attach(evaluator, name)
    return evaluator
