"""The table of an engine's handlers: by the names of events, the registrations in the order they were made."""

from dark.engine.events import EventEnum
from dark.errors import UsageError, ValueTypeError, near_misses


def name_of(event):
    """Return the name under which an event stands in the table, with or without filter, enum or string."""
    return getattr(event, "name", event)


def check_events(events, event_to_attr):
    """Refuse what cannot be registered as an event.

    Raises
    ------
    ValueTypeError
        If one is neither a member of an `EventEnum` nor a string.
    UsageError
        If `event_to_attr` is no dict.
    """
    for index, event in enumerate(events):
        if not isinstance(event, (str, EventEnum)):
            raise ValueTypeError(
                f"Value at {index} of event_names should be a str or EventEnum, but given {event!r}.",
                "members of an EventEnum, or names.",
                "register_events(*MyEvents), with the star.",
            )
    if not isinstance(event_to_attr, dict | None):
        raise UsageError(
            f"Expected event_to_attr to be dictionary. Got {type(event_to_attr).__name__}.",
            "a dict from events to names of attributes of the state.",
            'event_to_attr={MyEvents.HAPPENED: "happened"}',
        )


def registered(known, event, engine_name):
    """Return an event's name, or say that it is none of those that are known.

    Raises
    ------
    UsageError
        If it is not registered.
    """
    name = name_of(event)
    if not isinstance(name, str) or name not in known:
        raise UsageError(
            f"Event {name} is not a valid event for this {engine_name}.",
            "one of Events, or one that was registered.",
            f"{near_misses(name, known)}; or register_events(…) before; several events are joined by |.",
        )
    return name


def registrations_of(table, known, handler, event):
    """Return all registrations of a function for an event, whatever their filters and arguments.

    Raises
    ------
    UsageError
        If the event is not known, or the function is not attached to it.
    """
    name = name_of(event)
    if not isinstance(name, str) or name not in known:
        raise UsageError(f"Input event name '{name}' does not exist.", "a registered event.", near_misses(name, known))
    found = {registration for registration in table.get(name, ()) if registration.function == handler}
    if not found:
        where = [other for other, handlers in table.items() if any(r.function == handler for r in handlers)]
        raise UsageError(
            f"Input handler '{handler}' is not found among registered event handlers of {name}.",
            "a function that is attached to this event.",
            f"it is attached to {', '.join(where)}." if where else "the function as it was attached.",
        )
    return found


def drop(table, registrations):
    """Take registrations out; an event being fired goes on with the list it began with."""
    for name, handlers in table.items():
        if not registrations.isdisjoint(handlers):
            table[name] = [known for known in handlers if known not in registrations]
