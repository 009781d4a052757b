"""The state of a scheduler as plain data, and back."""

from copy import deepcopy
from types import FunctionType

from dark.checks import describe
from dark.errors import UsageError

NOT_SAVED = ("optimizer", "schedulers")
PYTORCH_ONLY = ("_is_initial", "_get_lr_called_within_step", "mode_worse")


def saved_state(scheduler):
    """Return the attributes of a scheduler, without the optimizer; of functions, what `function_state` returns."""
    return {name: _saved(v) for name, v in vars(scheduler).items() if name not in NOT_SAVED}


def restore_state(scheduler, state):
    """Set the attributes of a scheduler from a saved state; its functions stay, and get their saved attributes.

    Raises
    ------
    UsageError
        If a name is missing or unexpected, or the state is that of other functions; nothing has changed then.
    """
    who = type(scheduler).__name__
    if not hasattr(state, "items"):
        raise UsageError(
            f"{who}: {describe(state)} is not the state_dict of a scheduler.",
            "a dictionary.",
            "what scheduler.state_dict() returned.",
        )
    own = {name: v for name, v in vars(scheduler).items() if name not in NOT_SAVED}
    given = {name: v for name, v in state.items() if name not in PYTORCH_ONLY}
    if given.keys() != own.keys():
        odd = sorted(given.keys() ^ own.keys())
        raise UsageError(
            f"{who}: this is the state of a scheduler of another kind; missing or unexpected: {', '.join(odd)}.",
            f"{', '.join(sorted(own))}.",
            f"what state_dict() of a {who} returned.",
        )
    functions = {name: _functions(v) for name, v in own.items()}
    for name, found in functions.items():
        _check_functions(who, name, found, given[name])
    for name, found in functions.items():
        if found:
            _restore_functions(found, given[name])
        else:
            vars(scheduler)[name] = list(given[name]) if isinstance(given[name], list) else given[name]


def function_state(function):
    """Return a copy of the attributes of a callable object; None for a plain function, which is not saved.

    Examples
    --------
    >>> from functools import partial
    >>> function_state(abs), function_state(lambda epoch: 1), function_state(partial(pow, 2))
    (None, None, {})
    """
    if isinstance(function, FunctionType) or not hasattr(function, "__dict__"):
        return None
    return deepcopy(dict(vars(function)))


def _saved(value):
    if isinstance(value, list):
        return [_saved(item) for item in value]
    return function_state(value) if callable(value) else value


def _functions(value):
    """Return the functions that an attribute holds: itself, or the elements of a list."""
    return [item for item in (value if isinstance(value, list) else [value]) if callable(item)]


def _check_functions(who, name, functions, saved):
    """Raise unless the saved states of functions are those of these functions."""
    states = saved if isinstance(saved, list) else [saved]
    has_states = any(isinstance(state, dict) for state in states)
    fits = len(states) == len(functions) and all(
        state is None or (isinstance(state, dict) and function_state(function) is not None)
        for function, state in zip(functions, states)
    )
    if not fits if functions else has_states:
        raise UsageError(
            f"{who}: the saved {name} is {describe(saved)}.",
            f"the state of {len(functions)} functions: None, or the attributes of a callable object.",
            f"create the {who} with the same functions as when it was saved.",
        )


def _restore_functions(functions, saved):
    for function, state in zip(functions, saved if isinstance(saved, list) else [saved]):
        if state is not None:
            vars(function).update(deepcopy(state))
