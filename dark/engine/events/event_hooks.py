"""Functions around every event of an engine, and the one that logs events."""

import logging

from dark.engine.events.registry import name_of
from dark.hooks import within


def log_event(engine, name):
    """Log an event before its handlers are called."""
    engine.logger.debug("%s | %s, firing %s", engine.state.epoch, engine.state.iteration, engine.last_event_name)
    yield


def update_logging(engine):
    """Log every event of an engine from now on if its logger is enabled for DEBUG, else no event."""
    is_wanted = engine.logger.isEnabledFor(logging.DEBUG)
    if is_wanted != (log_event in engine.event_hooks):
        if is_wanted:
            engine.event_hooks.add(log_event)
        else:
            engine.event_hooks.discard(log_event)


def fire_within(engine, event, args, kwargs):
    """Call the handlers of an event within the functions around it; `args` and `kwargs` go to the handlers."""
    name = name_of(event)

    def fire():
        for handler in engine.registry.handlers.get(name, ()):
            if args or kwargs:
                handler.call_with(engine, args, kwargs)
            else:
                handler.call(engine)

    within(engine.event_hooks.ordered, fire, engine, name)
