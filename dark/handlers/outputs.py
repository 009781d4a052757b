"""Handlers of outputs: store the outputs of an epoch; stop the run when one contains NaN or infinity."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine
from dark.engine import Events
from dark.errors import ValueTypeError

if TYPE_CHECKING:
    from dark.engine import Engine


def identity(output):
    """Return the output unchanged."""
    return output


class EpochOutputStore:
    """A handler that stores the outputs of the current or last epoch in the list `data`.

    An output stays in memory until the next epoch; a node holds its whole graph. To store values instead:
    ``output_transform=lambda output: output.value``.

    >>> from dark.engine import Engine
    >>> evaluator = Engine(lambda engine, batch: (10 * batch, batch))
    >>> EpochOutputStore(output_transform=lambda output: output[0]).attach(evaluator, name="predictions")
    >>> evaluator.run([1, 2, 3]).predictions
    [10, 20, 30]
    """

    def __init__(self, output_transform: Callable[[Any], Any] = identity) -> None:
        self.data: list[Any] = []
        self.output_transform = output_transform

    def reset(self) -> None:
        """Start a new list."""
        self.data = []

    def update(self, engine: Engine) -> None:
        """Store the current output."""
        self.data.append(self.output_transform(engine.state.output))

    def store(self, engine: Engine, name: str) -> None:
        """Set an attribute of the state to the list."""
        setattr(engine.state, name, self.data)

    def attach(self, engine: Engine, name: str | None = None) -> None:
        """Store the outputs of an engine; the attribute `name` of its state is set to the list after each epoch."""
        check_engine(self, engine)
        engine.add_event_handler(Events.EPOCH_STARTED, self.reset)
        engine.add_event_handler(Events.ITERATION_COMPLETED, self.update)
        if name is not None:
            engine.add_event_handler(Events.EPOCH_COMPLETED, self.store, name)


class TerminateOnNan:
    """A handler that terminates the run when the output contains NaN or infinity.

    The output, after `output_transform`, may be a number, an array, a node, a string (which is ignored), or a tuple,
    list or mapping of these. None is ignored, too: a process function may return nothing.

    >>> from dark.engine import Engine, Events
    >>> trainer = Engine(lambda engine, batch: {"loss": batch})
    >>> handle = trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    >>> trainer.run([0.5, float("inf"), 0.3]).iteration
    2
    """

    def __init__(self, output_transform: Callable[[Any], Any] = identity) -> None:
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._output_transform = output_transform

    def __call__(self, engine: Engine) -> None:
        """Check the output."""
        output = self._output_transform(engine.state.output)
        if not is_finite(output):
            self.logger.warning(
                "Iteration %s: the output %s contains NaN or infinity. The run is terminated.",
                engine.state.iteration,
                output,
            )
            engine.terminate()


def is_finite(output):
    """Return whether all numbers in an output are finite."""
    if output is None or isinstance(output, (str, bytes)):
        return True
    if isinstance(output, Mapping):
        return all(map(is_finite, output.values()))
    if isinstance(output, (tuple, list)):
        return all(map(is_finite, output))
    try:
        finite = abs(getattr(output, "value", output)) < inf  # NaN is not less than anything
    except TypeError:
        raise ValueTypeError(
            f"TerminateOnNan: the output contains a {type(output).__name__}, which is not a number.",
            "numbers, arrays, nodes, strings, None, and tuples, lists and mappings of them.",
            "TerminateOnNan(output_transform=lambda output: output.loss)",
        ) from None
    return bool(finite.all() if hasattr(finite, "all") else finite)
