"""Exceptions in a run of a trainer: kept in the context, shown to the callbacks, and raised."""

import traceback

from dark.compat.callbacks.callback import Event, fire
from dark.engine import Events


class Exceptions:
    """Handlers of an engine that keep an exception in a context, call the callbacks, and raise it.

    The exception is raised after all handlers of `Events.EXCEPTION_RAISED`, of those that were attached during the run
    before these; so none of them suppresses it.
    """

    def __init__(self, context):
        self.context = context

    def attach(self, engine):
        """Attach the handlers."""
        engine.add_event_handler(Events.EXCEPTION_RAISED, self.report)
        engine.add_event_handler(Events.EXCEPTION_RAISED, reraise)
        engine.add_event_handler(Events.STARTED, self.start)

    def start(self, engine):
        """Forget the exception of an earlier run, and let `reraise` be the last handler."""
        self.context.exception = None
        engine.remove_event_handler(reraise, Events.EXCEPTION_RAISED)
        engine.add_event_handler(Events.EXCEPTION_RAISED, reraise)

    def report(self, engine, error):
        """Keep an exception, and call the callbacks; if one of these fails, that is noted in the exception."""
        self.context.exception = error
        self.context.new_step()
        try:
            fire(engine, Event.ON_EXCEPTION)
        except Exception as failure:
            error.add_note("A callback failed while it handled this:\n" + "".join(traceback.format_exception(failure)))


def reraise(engine, error):
    """Raise an exception that was given to the handlers."""
    raise error
