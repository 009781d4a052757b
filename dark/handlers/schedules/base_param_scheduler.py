"""The base of all schedules: counting events, history, state dicts, simulation and plots."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping
from copy import copy
from typing import Any

from dark.checks import check_engine, integer
from dark.engine import Engine, Events
from dark.engine.resume.serializable import check_keys
from dark.errors import missing_extra


class BaseParamScheduler(ABC):
    """The base class of schedules, which set the value `param_name` each time an event is fired.

    With `save_history`, all values are appended to ``state.param_history``, a list for each name. Keys whose values may
    be refused by `load_state_dict` come first in `_state_dict_all_req_keys`, so that nothing has changed by then.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("event_index", "param_name", "save_history")

    def __init__(self, param_name: Any, save_history: bool = False) -> None:
        self.param_name, self.save_history = param_name, save_history
        self.event_index = 0

    @abstractmethod
    def get_param(self) -> Any:
        """Return the value at `event_index`."""

    @abstractmethod
    def _act(self, engine):
        """Count an event and set the values; return them."""

    @classmethod
    @abstractmethod
    def _to_simulate(cls, *scheduler_args, **scheduler_kwargs):
        """Return a schedule that changes no object of the user."""

    def _entries(self, values):
        """Return the entry for each history."""
        return {self.param_name: values}

    def __call__(self, engine: Engine | None, name: str | None = None) -> None:
        """Count an event, and set the values; `name` names the history, by default `param_name`."""
        self.append_history(engine, self._act(engine), name)

    def append_history(self, engine: Engine | None, values: list[Any], name: str | None) -> None:
        """Append the values of an event to the histories in the state of an engine."""
        if self.save_history and engine is not None:
            for key, entry in self._entries(values).items():
                history(engine.state, name or key).append(entry)

    def attach(self, engine: Engine, event: Any = Events.ITERATION_STARTED) -> None:
        """Set the values each time an event of an engine is fired."""
        check_engine(self, engine)
        engine.add_event_handler(event, self)

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return the number of events and the settings of the schedule."""
        return OrderedDict((key, self._saved(key)) for key in self._state_dict_all_req_keys)

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""
        check_keys(self, state_dict)
        for key in self._state_dict_all_req_keys:
            self._load(key, state_dict[key])

    def _saved(self, key):
        return copy(getattr(self, key))

    def _load(self, key, saved):
        setattr(self, key, copy(saved))

    @classmethod
    def simulate_values(cls, num_events: int, *scheduler_args: Any, **scheduler_kwargs: Any) -> list[list[Any]]:
        """Return a list of an index and its values for each of the first events; no engine or optimizer is changed.

        The arguments are passed to the class; without an optimizer, one with a single group is used.

        >>> from dark.handlers import ExpStateScheduler
        >>> ExpStateScheduler.simulate_values(3, initial_value=1.0, gamma=0.5, param_name="rate")
        [[0, 0.5], [1, 0.25], [2, 0.125]]
        """
        num_events = integer(num_events, cls.__name__, "num_events", 0)
        scheduler = cls._to_simulate(*scheduler_args, **scheduler_kwargs)
        engine = Engine(lambda engine, batch: None)
        return [[index, *scheduler._act(engine)] for index in range(num_events)]

    @classmethod
    def plot_values(cls, num_events: int, *scheduler_args: Any, **scheduler_kwargs: Any) -> list[Any]:
        """Plot the result of `simulate_values` with Matplotlib."""
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
    """Return the history of a name in a state; a new one is an empty list."""
    if getattr(state, "param_history", None) is None:
        state.param_history = {}
    return state.param_history.setdefault(name, [])
