"""The state of a schedule as plain data, and back; and the optimiser it belongs to."""

from dark.errors import UsageError
from dark.nodes.values import describe

NOT_SAVED = ("optimizer", "schedulers")
ONLY_PYTORCHS = ("_is_initial", "_get_lr_called_within_step", "mode_worse")


def check_optimizer(optimizer, who):
    """Refuse what has no groups with a learning rate; an optimiser need not be one of ours.

    Raises
    ------
    UsageError
    """
    groups = getattr(optimizer, "param_groups", None)
    if not groups or not all("lr" in group for group in groups):
        raise UsageError(
            f"{who}: {describe(optimizer)} has no parameter groups with a learning rate.",
            "an optimiser.",
            f"{who}(optimizer, ...), the optimiser first.",
        )


def saved(scheduler):
    """Return what a schedule knows, without the optimiser."""
    return {name: list(v) if isinstance(v, list) else v for name, v in vars(scheduler).items() if name not in NOT_SAVED}


def restore(scheduler, state):
    """Set what a schedule knows; the names must be those that it has.

    Raises
    ------
    UsageError
        If a name is missing or unknown.
    """
    if not hasattr(state, "items"):
        raise UsageError(
            f"{type(scheduler).__name__}: {describe(state)} is no saved state of a schedule.",
            "a dictionary.",
            "what scheduler.state_dict() gave.",
        )
    known = saved(scheduler).keys()
    given = {name: v for name, v in state.items() if name not in ONLY_PYTORCHS}
    if given.keys() != known:
        who, odd = type(scheduler).__name__, sorted(given.keys() ^ known)
        raise UsageError(
            f"{who}: the saved state is one of another kind; {', '.join(odd)} is missing or unknown.",
            f"{', '.join(sorted(known))}.",
            f"what state_dict() of a {who} gave.",
        )
    vars(scheduler).update({name: list(v) if isinstance(v, list) else v for name, v in given.items()})
