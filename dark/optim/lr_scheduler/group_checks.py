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


def per_group(who, name, value, groups):
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
            "one number, or one for each group.",
            f"{name}={values[0] if values else 0.1}",
        )
    return values
