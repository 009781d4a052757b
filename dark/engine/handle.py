"""What `add_event_handler` returns: a way to take a handler off again."""

import weakref

from dark.engine.registry import drop


class RemovableEventHandle:
    """A handle that removes what one call of `add_event_handler` attached, and nothing else.

    Used as a context manager, it removes at the (first) exit. It keeps neither engine nor handler alive; removing
    twice, or after either is gone, does nothing.

    Parameters
    ----------
    event_name : event, str or EventsList
        For what was attached.
    registrations : list of Handler
        What was attached.
    engine : Engine
        Where.

    Examples
    --------
    >>> from dark.engine import Engine, Events
    >>> engine = Engine(lambda engine, batch: None)
    >>> with engine.add_event_handler(Events.COMPLETED, lambda: print("once")):
    ...     state = engine.run([1])
    once
    >>> state = engine.run([1])
    """

    def __init__(self, event_name, registrations, engine):
        self.event_name = event_name
        self.engine = weakref.ref(engine)
        self._registrations = [weakref.ref(registration) for registration in registrations]

    def handler(self):
        """Return the attached function, or None when it is no longer attached anywhere."""
        alive = [registration for ref in self._registrations if (registration := ref()) is not None]
        return alive[0].function if alive else None

    def remove(self):
        """Take the handler off."""
        engine = self.engine()
        registrations = {registration for ref in self._registrations if (registration := ref()) is not None}
        if engine is not None and registrations:
            drop(engine._event_handlers, registrations)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()
