"""The state of a scheduler as plain data, and back."""

from dark.checks import describe
from dark.errors import UsageError

NOT_SAVED = ("optimizer", "schedulers")
PYTORCH_ONLY = ("_is_initial", "_get_lr_called_within_step", "mode_worse")


def saved_state(scheduler):
    """Return the attributes of a scheduler, without the optimizer."""
    return {name: list(v) if isinstance(v, list) else v for name, v in vars(scheduler).items() if name not in NOT_SAVED}


def restore_state(scheduler, state):
    """Set the attributes of a scheduler from a saved state.

    Raises
    ------
    UsageError
        If a name is missing or unexpected.
    """
    if not hasattr(state, "items"):
        raise UsageError(
            f"{type(scheduler).__name__}: {describe(state)} is not the state_dict of a scheduler.",
            "a dictionary.",
            "what scheduler.state_dict() returned.",
        )
    known = saved_state(scheduler).keys()
    given = {name: v for name, v in state.items() if name not in PYTORCH_ONLY}
    if given.keys() != known:
        who, odd = type(scheduler).__name__, sorted(given.keys() ^ known)
        raise UsageError(
            f"{who}: this is the state of a scheduler of another kind; missing or unexpected: {', '.join(odd)}.",
            f"{', '.join(sorted(known))}.",
            f"what state_dict() of a {who} returned.",
        )
    vars(scheduler).update({name: list(v) if isinstance(v, list) else v for name, v in given.items()})
