"""An engine that records each event, for the tests of the engine."""

from dark.engine import Engine


class Traced(Engine):
    """Records (event, epoch, iteration) of every firing."""

    def __init__(self, process_function=lambda engine, batch: batch):
        super().__init__(process_function)
        self.trace = []

    def _fire_event(self, event_name, *args, **kwargs):
        name = getattr(event_name, "name", event_name)
        self.trace.append((name, self.state.epoch, self.state.iteration))
        super()._fire_event(event_name, *args, **kwargs)

    @property
    def names(self):
        return [name for name, _, _ in self.trace]


def at(engine, event, action, **which):
    """Attach an action to an event, with a filter."""
    engine.add_event_handler(event(**which) if which else event, action)
