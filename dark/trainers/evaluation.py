"""Supervised evaluation: an iteration is a forward pass without a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dark.compat.arguments import with_ignite_arguments
from dark.engine import Engine
from dark.engine.events.signatures import check_call
from dark.errors import ValueTypeError
from dark.nodes import no_grad
from dark.trainers.batches import pair_of_constants, plain
from dark.trainers.training import call, same

if TYPE_CHECKING:
    from dark.metrics import Metric
    from dark.nn import Module


def prediction_and_target(x, y, y_pred):
    """Return the output that metrics expect: (y_pred, y)."""
    return y_pred, y


@with_ignite_arguments(device=1, non_blocking=2)
def supervised_evaluation_step(
    model: Module, prepare_batch: Callable[..., Any] | None = None, model_transform: Callable[[Any], Any] = same,
    output_transform: Callable[..., Any] = prediction_and_target, model_fn: Callable[[Any, Any], Any] = call,
) -> Callable[[Engine, Any], Any]:  # fmt: skip
    """Return the process function of a supervised evaluation, see `create_supervised_evaluator`."""
    check_call(output_transform, "output_transform", ("x", "y", "y_pred"))

    prepare = pair_of_constants if prepare_batch is None else prepare_batch

    def step(engine, batch):
        model.eval()
        with no_grad():
            x, y = prepare(batch)
            y_pred = model_transform(model_fn(model, x))
            return plain(output_transform(x, y, y_pred))

    return step


@with_ignite_arguments(device=2, non_blocking=3, amp_mode=7)
def create_supervised_evaluator(
    model: Module, metrics: Mapping[str, Metric] | None = None, prepare_batch: Callable[..., Any] | None = None,
    model_transform: Callable[[Any], Any] = same, output_transform: Callable[..., Any] = prediction_and_target,
    model_fn: Callable[[Any, Any], Any] = call,
) -> Engine:  # fmt: skip
    """Return an engine that applies a network to batches and computes metrics.

    Parameters
    ----------
    model : Module
        Set to evaluation mode in each iteration, and left there; the trainers of this package set training mode again.
    metrics : mapping of str to Metric, optional
        Attached under these names.
    output_transform : callable, optional
        Of (x, y, y_pred), nodes; nodes in its result are replaced by their values. If not given, (y_pred, y).
    prepare_batch, model_transform, model_fn
        As in `create_supervised_trainer`.

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
    if not isinstance(metrics, (Mapping, type(None))):
        raise ValueTypeError(
            f"{who}: metrics must be a mapping, got a {type(metrics).__name__}.",
            "a mapping from names to metrics.",
            '{"loss": metric}',
        )
    step = supervised_evaluation_step(
        model, prepare_batch=prepare_batch, model_transform=model_transform, output_transform=output_transform,
        model_fn=model_fn,
    )  # fmt: skip
    evaluator = Engine(step)
    for name, metric in (metrics or {}).items():
        metric.attach(evaluator, name)
    return evaluator
