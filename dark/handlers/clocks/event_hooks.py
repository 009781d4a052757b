"""Standing around every event of an engine: what profilers do, without touching its handlers."""

import weakref


class Watch:
    """Two functions that are called around each event that an engine fires, and so around all its handlers.

    Parameters
    ----------
    engine : Engine
    before, after : callable
        Of the engine and the name of the event.

    Examples
    --------
    >>> from dark.engine import Engine, Events
    >>> engine = Engine(lambda engine, batch: None)
    >>> watch = Watch(engine, lambda engine, name: print("<", name), lambda engine, name: print(name, ">"))
    >>> engine.fire_event(Events.STARTED)
    < STARTED
    STARTED >
    >>> watch.stop()
    >>> engine.fire_event(Events.STARTED)
    """

    def __init__(self, engine, before, after):
        self.engine = weakref.ref(engine)  # the engine holds this object, which must not hold the engine
        self.before, self.after = before, after
        self.outer = vars(engine).get("_fire_event")  # of another watch
        engine._fire_event = self

    def __call__(self, event, *args, **kwargs):
        """Be the engine's `_fire_event`."""
        engine, name = self.engine(), getattr(event, "name", event)
        self.before(engine, name)
        try:
            if self.outer is None:
                type(engine)._fire_event(engine, event, *args, **kwargs)
            else:
                self.outer(event, *args, **kwargs)
        finally:
            self.after(engine, name)

    def stop(self):
        """Let events pass unseen again."""
        engine = self.engine()
        self.before = self.after = lambda engine, name: None
        if engine is not None and vars(engine).get("_fire_event") is self:
            del engine._fire_event
            if self.outer is not None:
                engine._fire_event = self.outer
