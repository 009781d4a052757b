"""Handlers as an engine holds them: checked and prepared when attached, so that firing an event decides nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from types import MethodType
from weakref import ref

from dark.engine.events.filters import Window
from dark.engine.events.signatures import fits, refusal, signature_of
from dark.engine.events.state import counter_of

# What an event passes to its handlers in addition to the engine: names of positional and of keyword arguments.
EVENT_ARGUMENTS = {"EXCEPTION_RAISED": (("exception",), ()), "TERMINATE_SINGLE_EPOCH": ((), ("iter_counter",))}


@dataclass(slots=True, weakref_slot=True, eq=False)
class Handler:
    """One registration of a function for an event.

    Attributes
    ----------
    function : callable
        What the user attached.
    args, kwargs : tuple, dict
        Its further arguments.
    takes_engine, takes_keywords : bool
        Whether the engine, and the keyword arguments of the event, are passed to it.
    event_filter : callable or None
        Decides for which firings it is called.
    counter : str or None
        The attribute of the state that the filter gets.
    call : callable
        ``call(engine)`` handles one firing, in the fastest form of the call.
    wrappers : list of callable
        See `wrap`.
    """

    function: Callable
    args: tuple
    kwargs: dict
    takes_engine: bool
    takes_keywords: bool
    event_filter: Callable | None
    counter: str | None
    call: Callable = field(init=False)
    wrappers: list = field(init=False, default_factory=list)

    def __post_init__(self):
        self._prepare()

    def _prepare(self):
        call = _fastest_call(self.function, self.takes_engine, self.args, self.kwargs)
        for wrapper in self.wrappers:
            call = wrapper(call)
        self.call = call if self.event_filter is None else _filtered(call, self.event_filter, self.counter)

    def wrap(self, wrapper):
        """Replace the calls that the filter selects by those of ``wrapper(call)``, until `unwrap`: for profilers."""
        self.wrappers.append(wrapper)
        self._prepare()

    def unwrap(self, wrapper):
        """Remove a wrapper."""
        self.wrappers.remove(wrapper)
        self._prepare()

    def __reduce__(self):  # `call` is made again: a copy of an engine calls the copies of its handlers
        return Handler, tuple(getattr(self, known.name) for known in fields(self) if known.init)

    def call_with(self, engine, args, kwargs):
        """Call the handler with the event's arguments, positional and keyword."""
        if self.event_filter is not None and not self.event_filter(engine, getattr(engine.state, self.counter)):
            return
        first = (engine, *args) if self.takes_engine else args
        keywords = kwargs if self.takes_keywords else {}
        self.function(*first, *self.args, **{**self.kwargs, **keywords})


class OwnMethod:
    """A method of an engine as a handler of that engine, which does not hold the engine that holds it.

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


def _fastest_call(function, takes_engine, args, kwargs):
    if takes_engine:
        return function if not args and not kwargs else lambda engine: function(engine, *args, **kwargs)
    return (lambda engine: function()) if not args and not kwargs else lambda engine: function(*args, **kwargs)


def _filtered(call, event_filter, counter):
    if type(event_filter) is Window:  # most firings are not selected: decided here, they cost no further call
        return _windowed(call, *event_filter.span, *event_filter.step, counter)

    def call_if_selected(engine):
        if event_filter(engine, getattr(engine.state, counter)):
            call(engine)

    return call_if_selected


def _windowed(call, low, high, every, first, counter):
    def call_if_selected(engine):
        number = getattr(engine.state, counter)
        if (number - first) % every == 0 and low < number < high:
            call(engine)

    return call_if_selected


def make_handler(state, event, function, args, kwargs):
    """Check that a function can be a handler of an event, and prepare it.

    The engine is passed if the function can be called with the engine before all other arguments. That includes a
    parameter with a default value: ``lambda i=i: …`` gets the engine as `i`; pass such values as arguments of
    `add_event_handler` instead.

    Parameters
    ----------
    state : State
        Has the counters that filters read.
    event : event or str
        With or without a filter.
    function : callable
        The handler.
    args, kwargs : tuple, dict
        Its further arguments.

    Returns
    -------
    Handler

    Raises
    ------
    UsageError
        If the function cannot be called with these arguments; the message has its signature.
    EngineError
        If the event has a filter, and no attribute of the state counts it.
    """
    signature = signature_of(function, "handler")
    positional, named = EVENT_ARGUMENTS.get(getattr(event, "name", event), ((), ()))
    calls = [(engine, names) for names in ([named, ()] if named else [()]) for engine in (True, False)]
    for takes_engine, names in calls:
        first = ("engine",) * takes_engine
        if fits(signature, (*first, *positional, *args), {**kwargs, **dict.fromkeys(names)}):
            event_filter = getattr(event, "filter", None)
            counter = None if event_filter is None else counter_of(state, event)
            takes_keywords = bool(names) or not named
            if getattr(getattr(function, "__self__", None), "state", None) is state:
                function = OwnMethod(function)
            return Handler(function, args, dict(kwargs), takes_engine, takes_keywords, event_filter, counter)
    written = [_written((*("engine",) * engine, *positional, *args), kwargs, names) for engine, names in calls]
    raise refusal(function, "handler", signature, *written)


def _written(args, kwargs, names):
    shown = [arg if isinstance(arg, str) else repr(arg) for arg in args]
    return "(" + ", ".join([*shown, *(f"{name}=…" for name in (*kwargs, *names))]) + ")"
