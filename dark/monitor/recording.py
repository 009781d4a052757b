"""The methods of a monitor within a step: it begins to observe, records, and ends."""

from collections.abc import Mapping, Sequence
from typing import Any

from dark.checks import is_integer
from dark.engine import Engine
from dark.monitor import results
from dark.monitor.given_values import record_given
from dark.monitor.watch import Step
from dark.nodes import Node
from dark.nodes import gradients as gradients_of


def begin(monitor: Any, engine: Engine | None = None) -> None:
    """Observe a step that starts: the weights before its update, and the calls of modules, until `record`.

    Only needed in a training loop of your own; `attach` does it.
    """
    if engine is not None:
        monitor._begun = Step(engine)
    elif monitor._begun is not None and not monitor._begun.is_current():
        monitor._begun = None  # a step of a loop of the user's own
    if monitor._exports_weights:
        monitor._weights.begin()
    monitor._has_gradients = False
    monitor._framework.forget()
    monitor._calls.begin()


def end(monitor: Any) -> None:
    """Stop observing calls of modules, so that they are as fast as without a monitor."""
    monitor._calls.end()
    monitor._calls.clear()


def evaluate(monitor: Any) -> None:
    """Evaluate the records; reading a result does it."""
    for part in (monitor._weights, monitor._gradients, monitor._activations):
        part.evaluate()


def record(
    monitor: Any, engine: Any = None, trainer: Any = None, *, scalars: Any = None, weights: Any = None,
    gradients: Any = None, activations: Any = None, updates: Any = None, units: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Record everything; `attach` does it at its event.

    The output and the metrics of the engine, and the trainer's results on validation data, are recorded as scalars.

    With the number of a step in place of an engine, the step is recorded, and the notes of `attach` take it. The other
    arguments belong to such a step: `scalars` are a loss, or numbers by name. A monitor without a network,
    ``Monitor()``, is given mappings of arrays, of JAX for example, which may be nested: `weights` and `gradients` with
    the same names, `activations` with examples along `sample_axis`. `updates` are what the step has added to the
    weights; without them, they are known for a step that follows a recorded one. `units` says which activations are
    outputs of "relu", "sigmoid" or "tanh", for dead and saturated units.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.monitor import Monitor
    >>> monitor = Monitor()
    >>> weights, update = {"layer": {"w": np.full((2, 2), 2.0)}}, {"layer": {"w": np.full((2, 2), -2.0)}}
    >>> monitor.record(1, scalars=0.5, weights=weights, updates=update)
    >>> monitor.scalars()
    {'loss': 0.5, 'weight_norm/layer.w': 4.0, 'update_ratio/layer.w': 0.5}
    """
    if is_integer(engine):
        record_given(monitor, engine, scalars, weights, gradients, activations, updates, units)
        return
    begun = monitor._begun
    if engine is not None and begun is not None and not begun.is_current():
        monitor.end()
        monitor._weights.forget()  # the observations of an earlier step that was not recorded
    monitor.recorded = begun if engine is None else Step(engine)
    monitor.records += 1
    found, inputs = monitor._calls.found, monitor._calls.inputs
    monitor.end()
    loss = results.called(monitor._loss)
    monitor._scalars = results.of_engines(engine, trainer, monitor._metrics)
    if loss is not None:
        monitor._scalars |= results.of_loss(loss)
    if monitor._exports_weights:
        monitor._weights.record()
    if monitor._exports_grads and not monitor._has_gradients:
        given = None if loss is None else _gradients_of(monitor, loss)
        resting = _resting(monitor) if given is None else set()
        monitor._gradients.record(given, resting)
        monitor._may_have_sums = given is None and monitor._weights.has_rested
        if engine is not None and inputs and not resting and monitor._gradients.are_missing():
            monitor.budget.drop("gradients", "no weight has a gradient at the event; attach to one before zero_grad()")
    monitor._has_gradients = False
    monitor._framework.forget()
    if monitor._framework.unseen and begun is not None and not (inputs or found) and monitor._calls.has_outputs():
        monitor.budget.drop("activations", monitor._framework.unseen)
    monitor._activations.record(found, inputs)
    for registered in (monitor._tensors, monitor._stats):
        if registered.sources:
            registered.record()
    monitor._exemplars.record(inputs)


def record_tensors(monitor: Any, values: Sequence[Any] | None = None) -> None:
    """Record the current values of the registered tensors, or given ones, in the order of `tensor_fetches`."""
    monitor._tensors.record(values)


def record_weights(monitor: Any) -> None:
    """Record the weights as they are: count flips of sign, and measure the update since `begin`."""
    monitor._weights.record()


def record_grads(monitor: Any, gradients: Sequence[Any] | Mapping[str, Any] | None = None) -> None:
    """Record gradients.

    They are in the order of the registered weights, or by name; None for a weight without gradient. By default, they
    are the gradients of the registered loss, if it is a node, and otherwise those stored in `grad`. The record of the
    step has these gradients then: so call it before the optimizer's `zero_grad`, where that ends a step.
    """
    if gradients is None:
        gradients = _gradients_of(monitor, results.called(monitor._loss))
    _forget_sums(monitor)
    monitor._gradients.record(gradients)
    monitor._has_gradients = True
    monitor._framework.forget()


def _resting(monitor):
    """Return the weights whose gradients are still being accumulated: no optimizer has moved them in this step.

    Before an optimizer has moved any, that is not known; once one does, the sums that were recorded before are dropped.
    """
    groups, records = monitor._weights.groups, monitor._weights
    if records.moved:
        _forget_sums(monitor)
    return {name for name in monitor._gradients.layout.weights if groups.get(name, "") in records.resting}


def _forget_sums(monitor):
    """Forget stored gradients that were recorded before the first step of an optimizer."""
    if monitor._may_have_sums:
        monitor._gradients.forget(monitor._length)
        monitor._may_have_sums = False


def _gradients_of(monitor, loss):
    """Return the gradients of a loss if it is a node; None for stored gradients."""
    if not isinstance(loss, Node):
        return None
    return gradients_of(loss, 1.0, list(monitor._gradients.layout.weights.values()))
