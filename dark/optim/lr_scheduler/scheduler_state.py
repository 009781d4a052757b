"""The common part of all schedulers: the rates that were set last, and their state as plain data."""

from collections.abc import Callable
from copy import deepcopy
from types import FunctionType
from typing import Any

from dark.checks import describe
from dark.errors import UsageError
from dark.spellings import KeywordAdvice

NOT_SAVED = ("optimizer", "schedulers")
PYTORCH_ONLY = ("_is_initial", "_get_lr_called_within_step", "mode_worse")


class RateSchedule(KeywordAdvice):
    """Base class of all schedulers."""

    last_epoch: int
    _last_lr: list[float]

    def get_last_lr(self) -> list[float]:
        """Return the learning rate of each group after the last step."""
        return list(self._last_lr)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the scheduler, without the optimizer."""
        return {name: _saved(v) for name, v in vars(self).items() if name not in NOT_SAVED}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state, of the same kind of scheduler; functions stay, and get their saved attributes.

        The learning rates themselves are part of the optimizer's state. After an error, nothing has changed.
        """
        who = type(self).__name__
        if not hasattr(state_dict, "items"):
            problem = f"{who}: state_dict must be the state of a scheduler, got {describe(state_dict)}."
            raise UsageError(problem, "a dictionary.", "the result of scheduler.state_dict().")
        own = {name: v for name, v in vars(self).items() if name not in NOT_SAVED}
        given = {name: v for name, v in state_dict.items() if name not in PYTORCH_ONLY}
        if given.keys() != own.keys():
            odd = sorted(given.keys() ^ own.keys())
            raise UsageError(
                f"{who}: this is the state of a scheduler of another kind; missing or unexpected: {', '.join(odd)}.",
                f"{', '.join(sorted(own))}.",
                f"the result of state_dict() of a {who}.",
            )
        functions = {name: [f for f in (v if isinstance(v, list) else [v]) if callable(f)] for name, v in own.items()}
        for name, found in functions.items():
            _check_functions(who, name, found, given[name])
        for name, found in functions.items():
            if not found:
                vars(self)[name] = list(given[name]) if isinstance(given[name], list) else given[name]
            for function, state in zip(found, given[name] if isinstance(given[name], list) else [given[name]]):
                if state is not None:
                    vars(function).update(deepcopy(state))

    def __repr__(self) -> str:
        rates = ", ".join(f"{lr:.6g}" for lr in self._last_lr)
        return f"{type(self).__name__}(epoch {self.last_epoch}, lr {rates})"


def function_state(function: Callable[..., Any]) -> dict[str, Any] | None:
    """Return a copy of the attributes of a callable object; None for a plain function, which is not saved."""
    if isinstance(function, FunctionType) or not hasattr(function, "__dict__"):
        return None
    return deepcopy(dict(vars(function)))


def _saved(value: Any) -> Any:
    if isinstance(value, list):
        return [_saved(item) for item in value]
    return function_state(value) if callable(value) else value


def _check_functions(who: str, name: str, functions: list[Any], saved: Any) -> None:
    """Raise unless there is one saved state for each function, None or of a kind that the function can have."""
    states = saved if isinstance(saved, list) else [saved]
    has_states = any(isinstance(state, dict) for state in states)
    fits = len(states) == len(functions) and all(
        state is None or (isinstance(state, dict) and function_state(function) is not None)
        for function, state in zip(functions, states)
    )
    if not fits if functions else has_states:
        raise UsageError(
            f"{who}: the saved {name} must be the state of its functions, got {describe(saved)}.",
            f"the state of {len(functions)} functions: None, or the attributes of a callable object.",
            f"create the {who} with the same functions as when it was saved.",
        )
