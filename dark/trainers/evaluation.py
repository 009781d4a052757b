"""Supervised evaluation: an iteration is a forward pass of which no graph is recorded."""

from collections.abc import Mapping

from dark.engine import Engine
from dark.engine.signatures import check_call
from dark.errors import ValueTypeError
from dark.nodes import no_grad
from dark.trainers import doors
from dark.trainers.batches import pair_of_constants, plain
from dark.trainers.training import call, same


def prediction_and_target(x, y, y_pred):
    """Return what metrics take."""
    return y_pred, y


def supervised_evaluation_step(
    model, device=None, non_blocking=False, prepare_batch=pair_of_constants, model_transform=same,
    output_transform=prediction_and_target, model_fn=call,
):  # fmt: skip
    """Make the process function of a supervised evaluation, see `create_supervised_evaluator`.

    Returns
    -------
    callable
        Of the engine and the batch.

    Examples
    --------
    >>> from dark import nn
    >>> from dark.engine import Engine
    >>> evaluator = Engine(supervised_evaluation_step(nn.Identity()))
    >>> evaluator.run([([[1.0]], [[2.0]])]).output
    ([[1.0]], [[2.0]])
    """
    doors.check_device("supervised_evaluation_step", device)
    doors.check_batch_function(prepare_batch)
    check_call(output_transform, "output_transform", ("x", "y", "y_pred"))

    def step(engine, batch):
        model.eval()
        with no_grad():
            x, y = prepare_batch(batch, device=device, non_blocking=non_blocking)
            y_pred = model_transform(model_fn(model, x))
            return plain(output_transform(x, y, y_pred))

    return step


def create_supervised_evaluator(
    model, metrics=None, device=None, non_blocking=False, prepare_batch=pair_of_constants, model_transform=same,
    output_transform=prediction_and_target, amp_mode=None, model_fn=call,
):  # fmt: skip
    """Make an engine that applies a network to batches and measures it.

    Parameters
    ----------
    model : Module
        Put into the mode of use (`eval`) in each iteration, and left there; a trainer of this package puts it back.
    metrics : mapping of str to Metric, optional
        Attached under these names.
    device, non_blocking, prepare_batch, model_transform, amp_mode, model_fn
        As of `create_supervised_trainer`.
    output_transform : callable, optional
        Of (x, y, y_pred), nodes; in what it returns nodes become arrays and numbers. (y_pred, y), if not given.

    Returns
    -------
    Engine

    Raises
    ------
    UsageError, ValueTypeError
        If an argument makes no sense, or asks for what there is not.

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
    doors.check_device(who, device)
    doors.check_precision(who, amp_mode)
    if not isinstance(metrics, (Mapping, type(None))):
        raise ValueTypeError(
            f"{who}: metrics is a {type(metrics).__name__}.", "a mapping from names to metrics.", '{"loss": metric}'
        )
    evaluator = Engine(
        supervised_evaluation_step(
            model, device, non_blocking, prepare_batch, model_transform, output_transform, model_fn
        )
    )
    for name, metric in (metrics or {}).items():
        metric.attach(evaluator, name)
    return evaluator
