"""Schedules of values in the state: by a function, piecewise linear, exponential, and in steps."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine, is_integer, number
from dark.engine import Events
from dark.errors import UsageError
from dark.handlers.schedules.base_param_scheduler import BaseParamScheduler, history
from dark.handlers.schedules.milestones import interpolate, split_pairs

if TYPE_CHECKING:
    from dark.engine import Engine


class StateParamScheduler(BaseParamScheduler):
    """The base class of schedules that set the attribute `param_name` of the state each time an event is fired.

    A subclass defines `get_param`, which returns the value at `event_index`, the number of events so far, from 1. The
    attribute is None until the first event. After `load_state_dict` it is set to the current value when the next run
    starts, unless it has a value by then. With `create_new`, the attribute must not exist yet; otherwise it should
    exist already, or there is a warning. With `save_history`, all values are appended to
    ``state.param_history[param_name]``.
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


class LambdaStateScheduler(StateParamScheduler):
    """Set the value to the result of a function of the event index alone, counted from 1; see `StateParamScheduler`.

    A resumed run computes the last value again. If the function has a `state_dict`, that is saved with the schedule.

    >>> from dark.engine import Engine, Events
    >>> engine = Engine(lambda engine, batch: engine.state.noise)
    >>> LambdaStateScheduler(lambda k: 1 / k, "noise", create_new=True).attach(engine, Events.ITERATION_STARTED)
    >>> engine.run([0, 0, 0, 0]).noise
    0.25
    """

    def __init__(
        self, lambda_obj: Callable[[int], Any], param_name: str, save_history: bool = False, create_new: bool = False
    ) -> None:
        super().__init__(param_name, save_history, create_new)
        if not callable(lambda_obj):
            raise UsageError(
                f"Expected lambda_obj to be callable. Got {lambda_obj!r}.",
                "a function of the event index.",
                "lambda k: 0.1 / k",
            )
        self.lambda_obj = lambda_obj

    def get_param(self) -> Any:
        """Return the value at `event_index`."""
        return self.lambda_obj(self.event_index)

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return the number of events, and the state of `lambda_obj` if it has one."""
        state = super().state_dict()
        if hasattr(self.lambda_obj, "state_dict"):
            state["lambda_obj"] = self.lambda_obj.state_dict()
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""
        super().load_state_dict(state_dict)
        if "lambda_obj" in state_dict and hasattr(self.lambda_obj, "load_state_dict"):
            self.lambda_obj.load_state_dict(state_dict["lambda_obj"])


class PiecewiseLinearStateScheduler(StateParamScheduler):
    """Set the value by piecewise linear interpolation between milestones; it is constant outside.

    `milestones_values` are event indices, in order, and their values; see `StateParamScheduler`.

    >>> values = PiecewiseLinearStateScheduler.simulate_values(5, milestones_values=[(2, 1), (4, 0)], param_name="x")
    >>> [value for _, value in values]
    [1.0, 1.0, 0.5, 0.0, 0.0]
    """

    _state_dict_all_req_keys = (*StateParamScheduler._state_dict_all_req_keys, "values", "milestones")

    def __init__(
        self, milestones_values: list[tuple[int, float]], param_name: str, save_history: bool = False,
        create_new: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(param_name, save_history, create_new)
        self.milestones, self.values = split_pairs(milestones_values)

    def get_param(self) -> Any:
        """Return the value at `event_index`."""
        return interpolate(self.milestones, self.values, self.event_index)


class ExpStateScheduler(StateParamScheduler):
    """Multiply the value by a factor at each event: ``initial_value * gamma**k`` at event k; see `StateParamScheduler`.

    >>> from dark.engine import Engine, Events
    >>> engine = Engine(lambda engine, batch: None)
    >>> ExpStateScheduler(8.0, 0.5, "rate", create_new=True).attach(engine, Events.EPOCH_COMPLETED)
    >>> engine.run([0], max_epochs=3).rate
    1.0
    """

    _state_dict_all_req_keys = (*StateParamScheduler._state_dict_all_req_keys, "initial_value", "gamma")

    def __init__(
        self, initial_value: float, gamma: float, param_name: str, save_history: bool = False, create_new: bool = False
    ) -> None:
        super().__init__(param_name, save_history, create_new)
        _check_numbers(self, initial_value, gamma)
        self.initial_value, self.gamma = initial_value, gamma

    def get_param(self) -> Any:
        """Return the value at `event_index`."""
        return self.initial_value * self.gamma**self.event_index


class StepStateScheduler(StateParamScheduler):
    """Multiply the value by `gamma` every `step_size` events, 1 or more; see `StateParamScheduler`."""

    _state_dict_all_req_keys = (*ExpStateScheduler._state_dict_all_req_keys, "step_size")

    def __init__(
        self, initial_value: float, gamma: float, step_size: int, param_name: str, save_history: bool = False,
        create_new: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(param_name, save_history, create_new)
        if not is_integer(step_size, 1):
            raise UsageError(
                f"Argument step_size must be a positive integer, but given {step_size!r}.",
                "an integer, 1 or more.",
                "step_size=10",
            )
        _check_numbers(self, initial_value, gamma)
        self.initial_value, self.gamma, self.step_size = initial_value, gamma, step_size

    def get_param(self) -> Any:
        """Return the value at `event_index`."""
        return self.initial_value * self.gamma ** (self.event_index // self.step_size)


class MultiStepStateScheduler(StateParamScheduler):
    """Multiply the value by `gamma` at each milestone, an event index; they are in order. See `StateParamScheduler`."""

    _state_dict_all_req_keys = (*ExpStateScheduler._state_dict_all_req_keys, "milestones")

    def __init__(
        self, initial_value: float, gamma: float, milestones: list[int], param_name: str, save_history: bool = False,
        create_new: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(param_name, save_history, create_new)
        is_list = isinstance(milestones, Sequence) and all(is_integer(number) for number in milestones)
        if not is_list or any(after < before for before, after in pairwise(milestones)):
            raise UsageError(
                f"Argument milestones must be increasing integers, but given {milestones!r}.",
                "event indices, in order: [10, 20].",
                "sorted(milestones)",
            )
        _check_numbers(self, initial_value, gamma)
        self.initial_value, self.gamma, self.milestones = initial_value, gamma, milestones

    def get_param(self) -> Any:
        """Return the value at `event_index`."""
        return self.initial_value * self.gamma ** bisect_right(self.milestones, self.event_index)


def _check_numbers(schedule, initial_value, gamma):
    number(initial_value, type(schedule).__name__, "initial_value")
    number(gamma, type(schedule).__name__, "gamma")
