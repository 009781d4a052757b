"""Store the outputs of an epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine
from dark.engine import Events

if TYPE_CHECKING:
    from dark.engine import Engine


def identity(output):
    """Return the output unchanged."""
    return output


class EpochOutputStore:
    """A handler that stores the outputs of the current or last epoch in the list `data`.

    An output stays in memory until the next epoch; a node holds its whole graph. To store values instead:
    ``output_transform=lambda output: output.value``.

    Examples
    --------
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
