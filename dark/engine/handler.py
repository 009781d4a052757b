"""A handler as an engine holds it: checked and prepared when attached, so that firing has nothing to find out."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from types import MethodType
from weakref import ref

from dark.engine.signatures import fits, refusal, signature_of
from dark.engine.state import counter_of

# What an event hands to its handlers besides the engine: positional names, keyword names.
EVENT_ARGUMENTS = {"EXCEPTION_RAISED": (("exception",), ()), "TERMINATE_SINGLE_EPOCH": ((), ("iter_counter",))}


@dataclass(slots=True, weakref_slot=True, eq=False)
class Handler:
    """One registration of a function for an event.

    Attributes
    ----------
    function : callable
        What the user attached.
    args, kwargs : tuple, dict
        What it gets besides.
    takes_engine, takes_given : bool
        Whether it gets the engine, and the keywords that the event hands out.
    event_filter : callable or None
        Says of which firings it hears.
    counter : str or None
        The attribute of the state that the filter looks at.
    call : callable
        ``call(engine)`` is one firing; the quickest form of it.
    """

    function: Callable
    args: tuple
    kwargs: dict
    takes_engine: bool
    takes_given: bool
    event_filter: Callable | None
    counter: str | None
    call: Callable = field(init=False)

    def __post_init__(self):
        call = _shortest(self.function, self.takes_engine, self.args, self.kwargs)
        self.call = call if self.event_filter is None else _filtered(call, self.event_filter, self.counter)

    def __reduce__(self):  # `call` is made anew: a copy of an engine calls what was copied with it
        return Handler, tuple(getattr(self, known.name) for known in fields(self) if known.init)

    def call_with(self, engine, args, kwargs):
        """Be one firing of an event that hands something out: positional and keyword arguments."""
        if self.event_filter is not None and not self.event_filter(engine, getattr(engine.state, self.counter)):
            return
        first = (engine, *args) if self.takes_engine else args
        given = kwargs if self.takes_given else {}
        self.function(*first, *self.args, **{**self.kwargs, **given})


class OwnMethod:
    """A method of an engine that is a handler of that engine: it would hold it, and be held by it.

    Parameters
    ----------
    method : method

    Examples
    --------
    >>> from dark.engine import Engine
    >>> engine = Engine(lambda engine, batch: None)
    >>> OwnMethod(engine.terminate) == engine.terminate
    True
    """

    def __init__(self, method):
        self._engine, self._function = ref(method.__self__), method.__func__
        self.__name__, self.__qualname__ = method.__name__, method.__qualname__

    def method(self):
        """Return the method itself."""
        return MethodType(self._function, self._engine())

    def __call__(self, *args, **kwargs):
        """Call the method."""
        return self._function(self._engine(), *args, **kwargs)

    def __eq__(self, other):
        return self.method() == other

    def __hash__(self):
        return hash(self.method())

    def __reduce__(self):
        return OwnMethod, (self.method(),)

    def __repr__(self):
        return repr(self.method())


def _shortest(function, takes_engine, args, kwargs):
    if takes_engine:
        return function if not args and not kwargs else lambda engine: function(engine, *args, **kwargs)
    return (lambda engine: function()) if not args and not kwargs else lambda engine: function(*args, **kwargs)


def _filtered(call, event_filter, counter):
    def call_if_wanted(engine):
        if event_filter(engine, getattr(engine.state, counter)):
            call(engine)

    return call_if_wanted


def attach(state, event, function, args, kwargs):
    """Check a function as a handler of an event and prepare it.

    It gets the engine if it can be called with the engine before everything else. A parameter with a default value
    takes it, too: ``lambda i=i: …`` gets the engine as `i`; give such values as arguments of `add_event_handler`.

    Parameters
    ----------
    state : State
        Whose counters the filters look at.
    event : event or str
        With or without filter.
    function : callable
        The handler.
    args, kwargs : tuple, dict
        What it gets besides.

    Returns
    -------
    Handler

    Raises
    ------
    UsageError
        If it cannot be called so; its signature is in the message.
    EngineError
        If the event has a filter and nothing counts it.
    """
    signature = signature_of(function, "handler")
    positional, named = EVENT_ARGUMENTS.get(getattr(event, "name", event), ((), ()))
    ways = [(engine, names) for names in ([named, ()] if named else [()]) for engine in (True, False)]
    for takes_engine, names in ways:
        first = ("engine",) * takes_engine
        if fits(signature, (*first, *positional, *args), {**kwargs, **dict.fromkeys(names)}):
            event_filter = getattr(event, "filter", None)
            counter = None if event_filter is None else counter_of(state, event)
            takes_given = bool(names) or not named
            if getattr(getattr(function, "__self__", None), "state", None) is state:
                function = OwnMethod(function)
            return Handler(function, args, dict(kwargs), takes_engine, takes_given, event_filter, counter)
    calls = [_written((*("engine",) * engine, *positional, *args), kwargs, names) for engine, names in ways]
    raise refusal(function, "handler", signature, *calls)


def _written(args, kwargs, names):
    shown = [arg if isinstance(arg, str) else repr(arg) for arg in args]
    return "(" + ", ".join([*shown, *(f"{name}=…" for name in (*kwargs, *names))]) + ")"
