"""Keeping the outputs of an epoch."""

from dark.engine import Events


def identity(output):
    """Return the output as it is."""
    return output


class EpochOutputStore:
    """The outputs of the epoch that is running or was last, in a list.

    Whatever an output holds stays in memory until the next epoch: of a node, its whole graph. Keep values:
    ``output_transform=lambda output: output.value``.

    Parameters
    ----------
    output_transform : callable, optional
        Called with `state.output`; what it returns is kept.

    Attributes
    ----------
    data : list

    Examples
    --------
    >>> from dark.engine import Engine
    >>> evaluator = Engine(lambda engine, batch: (10 * batch, batch))
    >>> EpochOutputStore(output_transform=lambda output: output[0]).attach(evaluator, name="predictions")
    >>> evaluator.run([1, 2, 3]).predictions
    [10, 20, 30]
    """

    def __init__(self, output_transform=identity):
        self.data = []
        self.output_transform = output_transform

    def reset(self):
        """Begin a new list."""
        self.data = []

    def update(self, engine):
        """Keep the output at hand."""
        self.data.append(self.output_transform(engine.state.output))

    def store(self, engine, name):
        """Put the list into the state under a name."""
        setattr(engine.state, name, self.data)

    def attach(self, engine, name=None):
        """Collect the outputs of an engine.

        Parameters
        ----------
        engine : Engine
        name : str, optional
            The attribute of the state that holds the list after each epoch.
        """
        engine.add_event_handler(Events.EPOCH_STARTED, self.reset)
        engine.add_event_handler(Events.ITERATION_COMPLETED, self.update)
        if name is not None:
            engine.add_event_handler(Events.EPOCH_COMPLETED, self.store, name)
