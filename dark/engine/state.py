"""The state of a run: counters, limits, the batch and the output at hand, and whatever users add."""

from numbers import Number
from types import MappingProxyType

from dark.engine.events import Events
from dark.errors import EngineError, near_misses

COUNTERS = MappingProxyType(
    {
        Events.STARTED: "epoch",
        Events.EPOCH_STARTED: "epoch",
        Events.EPOCH_COMPLETED: "epoch",
        Events.COMPLETED: "epoch",
        Events.GET_BATCH_STARTED: "iteration",
        Events.GET_BATCH_COMPLETED: "iteration",
        Events.ITERATION_STARTED: "iteration",
        Events.ITERATION_COMPLETED: "iteration",
    }
)


class State:
    """What an engine knows about its run; handlers share their own attributes through it.

    Parameters
    ----------
    **attributes
        More attributes, or other values for those below.

    Attributes
    ----------
    iteration, epoch : int
        The iteration and the epoch that is running or was last, counted from 1; 0 before the first.
    epoch_length : int or None
        Iterations an epoch; None while it is not known.
    max_epochs, max_iters : int or None
        Where the run ends; at most one of them is set by the user.
    batch, output
        What the process function gets and what it returned last.
    dataloader : iterable or None
        The data.
    metrics : dict
        Results by name. It is not emptied between runs: the last result of a metric stays.
    times : dict
        Seconds: "EPOCH_COMPLETED" of the last epoch, "COMPLETED" of the run; None before the first.
    seed : int or None
        The seed of the run, see `DeterministicEngine`.
    event_to_attr : dict
        Which attribute counts an event; of this state alone.

    Examples
    --------
    >>> state = State(loss_scale=2.0)
    >>> state.iteration, state.loss_scale, state.get_event_attrib_value(Events.EPOCH_STARTED)
    (0, 2.0, 0)
    """

    event_to_attr = COUNTERS

    def __init__(self, **attributes):
        self.iteration = 0
        self.epoch = 0
        self.epoch_length = None
        self.max_epochs = None
        self.max_iters = None
        self.output = None
        self.batch = None
        self.metrics = {}
        self.dataloader = None
        self.seed = None
        self.times = {Events.EPOCH_COMPLETED.name: None, Events.COMPLETED.name: None}
        self.event_to_attr = dict(COUNTERS)
        for name, value in attributes.items():
            setattr(self, name, value)

    def get_event_attrib_value(self, event_name):
        """Return the number by which an event is filtered: of the epoch, the iteration, or a counter of its own.

        Raises
        ------
        EngineError
            If nothing counts the event.
        """
        return getattr(self, counter_of(self, event_name))

    def __repr__(self):
        lines = ("\t{}: {}".format(*pair) for pair in map(_shown, vars(self).items()))
        return "State:\n" + "\n".join(lines) + "\n"


def counter_of(state, event):
    """Return the name of the attribute that counts an event.

    Raises
    ------
    EngineError
        If there is none.
    """
    if event not in state.event_to_attr:
        name = getattr(event, "name", event)
        raise EngineError(
            f"Unknown event name '{name}': nothing in the state counts it, so it cannot be filtered.",
            near_misses(name, [getattr(known, "name", known) for known in state.event_to_attr]) + ".",
            f"register_events({name!r}, event_to_attr={{{name!r}: 'an attribute that you raise'}}).",
        )
    return state.event_to_attr[event]


def count(state, event, attribute):
    """Let an attribute of a state count an event; it begins at 0 if it is new."""
    state.event_to_attr[event] = attribute
    if not hasattr(state, attribute):
        setattr(state, attribute, 0)


def _shown(pair):
    name, value = pair
    return name, value if isinstance(value, (Number, str)) else type(value)
