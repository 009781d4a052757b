"""Checks of the optimizer that a scheduler is created for, and of options that may differ between its groups."""

from dark.checks import describe
from dark.errors import UsageError


def check_optimizer(optimizer, who):
    """Raise unless an object has parameter groups with a learning rate; it need not be a `dark.optim.Optimizer`.

    Raises
    ------
    UsageError
    """
    groups = getattr(optimizer, "param_groups", None)
    if not groups or not all("lr" in group for group in groups):
        raise UsageError(
            f"{who}: {describe(optimizer)} has no parameter groups with a learning rate.",
            "an optimizer.",
            f"{who}(optimizer, ...), with the optimizer first.",
        )


def per_group(who, name, value, groups, what="number"):
    """Return one value for each group, given a single value or a list.

    Raises
    ------
    UsageError
        If the length of the list differs from the number of groups.

    Examples
    --------
    >>> per_group("OneCycleLR", "max_lr", 0.1, [{}, {}])
    [0.1, 0.1]
    """
    values = list(value) if isinstance(value, (list, tuple)) else [value] * len(groups)
    if len(values) != len(groups):
        raise UsageError(
            f"{who}: {name} has {len(values)} values for {len(groups)} parameter groups.",
            f"one {what}, or one for each group.",
            f"a single {what}, or a list of {len(groups)}.",
        )
    return values


def check_momentum(groups, who):
    """Raise unless every group has momentum: ``"momentum"``, or ``"betas"`` as in Adam.

    Raises
    ------
    UsageError
    """
    if not all("betas" in group or "momentum" in group for group in groups):
        raise UsageError(
            f"{who}: the optimizer has no momentum.",
            "an optimizer with momentum or betas.",
            f"{who}(..., cycle_momentum=False)",
        )


def set_momentum(group, momentum):
    """Set the momentum of a group: of Adam, the first of the betas."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum
