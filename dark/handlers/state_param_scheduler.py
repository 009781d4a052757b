"""Numbers in the state of an engine that change by a rule each time an event is fired."""

import warnings
from abc import ABC, abstractmethod
from collections import OrderedDict
from copy import copy

from dark.engine import Engine, Events, Serializable
from dark.errors import UsageError, missing_extra


class StateParamScheduler(Serializable, ABC):
    """The base class of what sets an attribute of the state each time an event is fired.

    A subclass defines `get_param`, the value at `event_index`.

    Parameters
    ----------
    param_name : str
        The attribute of the state.
    save_history : bool, default False
        Keep all values in ``state.param_history[param_name]``.
    create_new : bool, default False
        The attribute must be new. Otherwise it should be there already.

    Attributes
    ----------
    event_index : int
        Events so far: the first value is that of 1.

    Notes
    -----
    The attribute is None until the first event. After `load_state_dict` it gets its value back when the next run
    starts, unless it has one by then.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("event_index", "param_name", "save_history")

    def __init__(self, param_name, save_history=False, create_new=False):
        self.param_name, self.save_history, self.create_new = param_name, save_history, create_new
        self.event_index = 0

    @abstractmethod
    def get_param(self):
        """Return the value at `event_index`."""

    def __call__(self, engine):
        """Count an event, and set the attribute."""
        self.event_index += 1
        value = self.get_param()
        setattr(engine.state, self.param_name, value)
        if self.save_history:
            _history(engine.state, self.param_name).append(value)

    def attach(self, engine, event=Events.ITERATION_COMPLETED):
        """Set the attribute each time an event of an engine is fired.

        Parameters
        ----------
        engine : Engine
        event : event, default ITERATION_COMPLETED

        Raises
        ------
        UsageError
            If the attribute is there though it should be new.

        Warns
        -----
        UserWarning
            If it is not there though it need not be new.
        """
        name = self.param_name
        if not hasattr(engine.state, name):
            if not self.create_new:
                warnings.warn(
                    f"Attribute '{name}' is not defined in the engine.state. {type(self).__name__} will create it. "
                    "Remove this warning by setting create_new=True.",
                    UserWarning,
                    stacklevel=2,
                )
            setattr(engine.state, name, None)
        elif self.create_new:
            raise UsageError(
                f"Attribute '{name}' already exists in the engine.state. "
                "This may be a conflict between multiple handlers. Please choose another name.",
                "the name of a new attribute.",
                "create_new=False, if this is the attribute that should change.",
            )
        if self.save_history:
            _history(engine.state, name)
        engine.add_event_handler(Events.STARTED, self._restore)
        engine.add_event_handler(event, self)

    def _restore(self, engine):
        if self.event_index and getattr(engine.state, self.param_name) is None:
            setattr(engine.state, self.param_name, self.get_param())

    def state_dict(self):
        """Return how many events there were, and what the rule is made of."""
        return OrderedDict((key, copy(getattr(self, key))) for key in self._state_dict_all_req_keys)

    def load_state_dict(self, state_dict):
        """Go on from a state that `state_dict` returned.

        Raises
        ------
        ValueTypeError, UsageError
            If it is no mapping, or lacks a key.
        """
        super().load_state_dict(state_dict)
        for key in self._state_dict_all_req_keys:
            setattr(self, key, state_dict[key])

    @classmethod
    def simulate_values(cls, num_events, **scheduler_kwargs):
        """List the values of the first events, without an engine of yours.

        Parameters
        ----------
        num_events : int
        **scheduler_kwargs
            As for the class.

        Returns
        -------
        list of [int, value]
            Counted from 0.

        Examples
        --------
        >>> from dark.handlers import ExpStateScheduler
        >>> ExpStateScheduler.simulate_values(3, initial_value=1.0, gamma=0.5, param_name="rate")
        [[0, 0.5], [1, 0.25], [2, 0.125]]
        """
        scheduler = cls(**{**scheduler_kwargs, "save_history": False})
        engine, values = Engine(lambda engine, batch: None), []
        for index in range(num_events):
            scheduler(engine)
            values.append([index, getattr(engine.state, scheduler.param_name)])
        return values

    @classmethod
    def plot_values(cls, num_events, **scheduler_kwargs):
        """Draw what `simulate_values` lists, with Matplotlib.

        Returns
        -------
        list of matplotlib.lines.Line2D
        """
        try:
            import matplotlib.pyplot as pyplot
        except ImportError:
            raise missing_extra("matplotlib", "lab") from None
        indices, values = zip(*cls.simulate_values(num_events, **scheduler_kwargs))
        lines = pyplot.plot(indices, values, label=scheduler_kwargs["param_name"])
        pyplot.legend()
        pyplot.grid(which="both")
        return lines


def _history(state, name):
    if getattr(state, "param_history", None) is None:
        state.param_history = {}
    return state.param_history.setdefault(name, [])
