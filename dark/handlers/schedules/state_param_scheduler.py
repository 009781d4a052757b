"""The base of schedules of values in the state of an engine."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine
from dark.engine import Events
from dark.errors import UsageError
from dark.handlers.schedules.base_param_scheduler import BaseParamScheduler, history

if TYPE_CHECKING:
    from dark.engine import Engine


class StateParamScheduler(BaseParamScheduler):
    """The base class of schedules that set an attribute of the state each time an event is fired.

    A subclass defines `get_param`, which returns the value at `event_index`, the number of events so far, from 1. The
    attribute is None until the first event. After `load_state_dict` it is set to the current value when the next run
    starts, unless it has a value by then.

    Parameters
    ----------
    param_name : str
        The attribute of the state.
    save_history : bool, default False
        Append all values to ``state.param_history[param_name]``.
    create_new : bool, default False
        The attribute must not exist yet. Otherwise it should exist already, or there is a warning.
    """

    def __init__(self, param_name: str, save_history: bool = False, create_new: bool = False) -> None:
        super().__init__(param_name, save_history)
        self.create_new = create_new

    def _act(self, engine):
        self.event_index += 1
        value = self.get_param()
        setattr(engine.state, self.param_name, value)
        return [value]

    def _entries(self, values):
        return {self.param_name: values[0]}

    @classmethod
    def _to_simulate(cls, *scheduler_args, **scheduler_kwargs):
        return cls(*scheduler_args, **scheduler_kwargs)

    def attach(self, engine: Engine, event: Any = Events.ITERATION_COMPLETED) -> None:
        """Set the attribute each time an event of an engine is fired."""
        check_engine(self, engine)
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
                "create_new=False, to schedule the existing attribute.",
            )
        if self.save_history:
            history(engine.state, name)
        engine.add_event_handler(Events.STARTED, self._restore)
        super().attach(engine, event)

    def _restore(self, engine):
        if self.event_index and getattr(engine.state, self.param_name) is None:
            setattr(engine.state, self.param_name, self.get_param())
