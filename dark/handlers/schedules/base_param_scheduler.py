"""What all schedules share, of the state and of optimisers: counting, history, saving, simulating, drawing."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from copy import copy

from dark.engine import Engine, Events, Serializable
from dark.errors import missing_extra


class BaseParamScheduler(Serializable, ABC):
    """The base class of what sets values each time an event is fired.

    What refuses a state that is loaded stands first in `_state_dict_all_req_keys`, so that nothing else has changed.

    Parameters
    ----------
    param_name : str
        What is set.
    save_history : bool, default False
        Keep all values in ``state.param_history``, a list for each name.

    Attributes
    ----------
    event_index : int
        Events so far.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("event_index", "param_name", "save_history")

    def __init__(self, param_name, save_history=False):
        self.param_name, self.save_history = param_name, save_history
        self.event_index = 0

    @abstractmethod
    def get_param(self):
        """Return the value."""

    @abstractmethod
    def _act(self, engine):
        """Count an event and set the values; return those that were set."""

    @classmethod
    @abstractmethod
    def _to_simulate(cls, *scheduler_args, **scheduler_kwargs):
        """Make a schedule that touches nothing of the user's."""

    def _entries(self, values):
        """Say what is appended to which histories."""
        return {self.param_name: values}

    def __call__(self, engine, name=None):
        """Count an event, and set the values.

        Parameters
        ----------
        engine : Engine or None
            In whose state the history is kept.
        name : str, optional
            Of the history; `param_name`, if not given.
        """
        self._remember(engine, self._act(engine), name)

    def _remember(self, engine, values, name):
        if self.save_history and engine is not None:
            for key, entry in self._entries(values).items():
                history(engine.state, name or key).append(entry)

    def attach(self, engine, event=Events.ITERATION_STARTED):
        """Set the values each time an event of an engine is fired.

        Parameters
        ----------
        engine : Engine
        event : event, default ITERATION_STARTED
        """
        engine.add_event_handler(event, self)

    def state_dict(self):
        """Return how many events there were, and what the rule is made of."""
        return OrderedDict((key, self._saved(key)) for key in self._state_dict_all_req_keys)

    def load_state_dict(self, state_dict):
        """Go on from a state that `state_dict` returned.

        Raises
        ------
        ValueTypeError, UsageError
            If it is no mapping, or lacks a key.
        """
        super().load_state_dict(state_dict)
        for key in self._state_dict_all_req_keys:
            self._load(key, state_dict[key])

    def _saved(self, key):
        return copy(getattr(self, key))

    def _load(self, key, saved):
        setattr(self, key, copy(saved))

    @classmethod
    def simulate_values(cls, num_events, *scheduler_args, **scheduler_kwargs):
        """List the values of the first events, without an engine or an optimiser of yours.

        Parameters
        ----------
        num_events : int
        *scheduler_args, **scheduler_kwargs
            As for the class; an optimiser of one group is there, if none is given.

        Returns
        -------
        list of [int, value, ...]
            Counted from 0.

        Examples
        --------
        >>> from dark.handlers import ExpStateScheduler
        >>> ExpStateScheduler.simulate_values(3, initial_value=1.0, gamma=0.5, param_name="rate")
        [[0, 0.5], [1, 0.25], [2, 0.125]]
        """
        scheduler = cls._to_simulate(*scheduler_args, **scheduler_kwargs)
        engine = Engine(lambda engine, batch: None)
        return [[index, *scheduler._act(engine)] for index in range(num_events)]

    @classmethod
    def plot_values(cls, num_events, *scheduler_args, **scheduler_kwargs):
        """Draw what `simulate_values` lists, with Matplotlib.

        Returns
        -------
        list of matplotlib.lines.Line2D
            One for each value.
        """
        try:
            import matplotlib.pyplot as pyplot
        except ImportError:
            raise missing_extra("matplotlib", "lab") from None
        indices, *columns = zip(*cls.simulate_values(num_events, *scheduler_args, **scheduler_kwargs))
        name, lines = scheduler_kwargs.get("param_name", "learning rate"), []
        for k, values in enumerate(columns):
            lines += pyplot.plot(indices, values, label=name if len(columns) == 1 else f"{name}, {k}")
        pyplot.legend()
        pyplot.grid(which="both")
        return lines


def history(state, name):
    """Return the list in which the values of a name are kept, made when it is not there."""
    if getattr(state, "param_history", None) is None:
        state.param_history = {}
    return state.param_history.setdefault(name, [])
