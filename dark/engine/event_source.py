"""What fires events: the half of an engine that knows handlers, and nothing of loops."""

import logging

from dark.engine import registry
from dark.engine.events import Events, EventsList
from dark.engine.handle import RemovableEventHandle
from dark.engine.handler import attach
from dark.engine.state import State, count


class EventSource:
    """Events, the handlers attached to them, and the state they share; `Engine` adds the loop.

    Examples
    --------
    >>> source = EventSource()
    >>> handle = source.add_event_handler(Events.STARTED, print, "hello", end="!")
    >>> source.has_event_handler(print), source.has_event_handler(print, Events.COMPLETED)
    (True, False)
    """

    def __init__(self):
        self.state, self.last_event_name = State(), None
        self.logger = logging.getLogger(f"{type(self).__module__}.{type(self).__name__}")
        self._known_events, self._event_handlers = {}, {}  # all names; the handlers of those that ever had one
        self._listens, self.recording = False, None
        self.register_events(*Events)

    def register_events(self, *event_names, event_to_attr=None):
        """Make events known, so that handlers can be attached and `fire_event` can fire them.

        Parameters
        ----------
        *event_names : EventEnum or str
            Members of an enum of yours, or names.
        event_to_attr : dict, optional
            Which attribute of the state counts an event, so that filters work; it begins at 0, and raising it is
            yours. It is known to this engine's state alone.

        Raises
        ------
        ValueTypeError
            If one is no event.
        UsageError
            If `event_to_attr` is no dict.
        """
        registry.check_events(event_names, event_to_attr)
        for event in event_names:
            self._known_events[registry.name_of(event)] = event
            if event in (event_to_attr or ()):
                count(self.state, event, event_to_attr[event])

    def has_registered_events(self, event):
        """Say whether an event is known."""
        return event in self._known_events

    def add_event_handler(self, event_name, handler, *args, **kwargs):
        """Call a function each time an event is fired.

        Parameters
        ----------
        event_name : event, str or EventsList
            With filters or without. Two equal events in a list call it twice.
        handler : callable
            Called as ``handler(engine, *args, **kwargs)`` if its signature takes that, else without the engine.
            Handlers of EXCEPTION_RAISED get the exception after the engine; those of TERMINATE_SINGLE_EPOCH that
            have a parameter `iter_counter` get the iterations done in the epoch. What it returns is ignored.
            Events that it fires itself stand in the attribute `fires` of its class, and are made known here.
        *args, **kwargs
            What it gets besides.

        Returns
        -------
        RemovableEventHandle

        Raises
        ------
        UsageError
            If the event is not known, or the handler cannot be called so.
        EngineError
            If the event has a filter and nothing counts it; see `register_events`.

        Notes
        -----
        Handlers are called in the order in which they were attached, and that is the only order: attach a metric
        before the logger that shows it. One that is attached while its event is fired is called in that firing; one
        that is removed is not called from the next firing on.
        """
        self.register_events(*getattr(type(handler), "fires", ()))
        events = event_name if isinstance(event_name, EventsList) else (event_name,)
        names = [registry.registered(self._known_events, event, type(self).__name__) for event in events]
        added = [attach(self.state, event, handler, args, kwargs) for event in events]
        for name, registration in zip(names, added):
            self._event_handlers.setdefault(name, []).append(registration)
        return RemovableEventHandle(event_name, added, self)

    def on(self, event_name, *args, **kwargs):
        """Return a decorator that attaches a function, see `add_event_handler`, and returns it as it is."""

        def decorate(handler):
            self.add_event_handler(event_name, handler, *args, **kwargs)
            return handler

        return decorate

    def has_event_handler(self, handler, event_name=None):
        """Say whether a function is attached to an event, or to any."""
        names = self._event_handlers if event_name is None else [registry.name_of(event_name)]
        return any(known.function == handler for name in names for known in self._event_handlers.get(name, ()))

    def remove_event_handler(self, handler, event_name):
        """Take a function off an event: all its registrations there, whatever filters and arguments they have.

        Raises
        ------
        UsageError
            If it is not attached to it, or the event is not known.
        """
        found = registry.registrations_of(self._event_handlers, self._known_events, handler, event_name)
        registry.drop(self._event_handlers, found)

    def _fire_event(self, event_name, *event_args, **event_kwargs):
        """Call the handlers of an event; every event of every engine passes here."""
        self.last_event_name = event_name
        if self._listens:
            self.logger.debug("%s | %s, firing %s", self.state.epoch, self.state.iteration, event_name)
        handlers = self._event_handlers.get(event_name if type(event_name) is str else event_name._name_, ())
        if event_args or event_kwargs:
            for handler in handlers:
                handler.call_with(self, event_args, event_kwargs)
        else:
            for handler in handlers:
                handler.call(self)

    def fire_event(self, event_name):
        """Call the handlers of an event; what they should know stands in the state.

        Raises
        ------
        UsageError
            If the event is not known.
        """
        registry.registered(self._known_events, event_name, type(self).__name__)
        self._fire_event(event_name)
