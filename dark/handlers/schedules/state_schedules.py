"""Schedules of values in the state: by a function, piecewise linear, exponential, and in steps."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dark.checks import is_integer, number
from dark.errors import UsageError
from dark.handlers.schedules.milestones import interpolate, split_pairs
from dark.handlers.schedules.state_param_scheduler import StateParamScheduler


class LambdaStateScheduler(StateParamScheduler):
    """Set the value to the result of a function of the event index alone, counted from 1; see `StateParamScheduler`.

    A resumed run computes the last value again. If the function has a `state_dict`, that is saved with the schedule.

    Examples
    --------
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

    Examples
    --------
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

    Examples
    --------
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
    """Multiply the value by `gamma` every `step_size` events, 1 or more; see `StateParamScheduler`.

    Examples
    --------
    >>> values = StepStateScheduler.simulate_values(5, initial_value=8.0, gamma=0.5, step_size=2, param_name="x")
    >>> [value for _, value in values]
    [8.0, 4.0, 4.0, 2.0, 2.0]
    """

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
    """Multiply the value by `gamma` at each milestone, an event index; they are in order. See `StateParamScheduler`.

    Examples
    --------
    >>> values = MultiStepStateScheduler.simulate_values(
    ...     5, initial_value=8.0, gamma=0.5, milestones=[2, 5], param_name="x"
    ... )
    >>> [value for _, value in values]
    [8.0, 4.0, 4.0, 4.0, 2.0]
    """

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
