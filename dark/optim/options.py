"""Checks of the options of a group: rates, factors, fractions."""

import math
import numbers

from dark.errors import UsageError
from dark.nodes.values import describe


def check_at_least_0(who, options, *names):
    """Refuse options that are not finite numbers of 0 or more.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> check_at_least_0("SGD", {"lr": -1}, "lr")
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: SGD: lr is -1 (int).
      Expected: a number, 0 or more.
      Try: leave lr out to have the usual one.
    """
    _check(who, options, names, "a number, 0 or more.", lambda x: 0 <= x < math.inf)


def check_fraction(who, options, *names):
    """Refuse options that are not numbers from 0 up to 1, 1 left out.

    Raises
    ------
    UsageError
    """
    _check(who, options, names, "a number from 0 up to 1, but not 1.", lambda x: 0 <= x < 1)


def check_numbers(who, **options):
    """Refuse options that are no finite numbers.

    Raises
    ------
    UsageError
    """
    _check(who, options, options, "a finite number.", math.isfinite)


def check_periods(who, **options):
    """Refuse options that are no numbers of epochs or steps, 1 or more.

    Raises
    ------
    UsageError
    """
    _check(who, options, options, "1 or more epochs, or steps: whichever step() counts.", lambda x: 1 <= x < math.inf)


def _check(who, options, names, expected, is_right):
    for name in names:
        value = options[name]
        if not (isinstance(value, numbers.Real) and is_right(value)):
            raise UsageError(
                f"{who}: {name} is {describe(value)}.", expected, f"leave {name} out to have the usual one."
            )


def each_group(who, name, value, groups):
    """Return one value for every group, given one for all of them or a list.

    Raises
    ------
    UsageError
        If the list has not the length of the groups.

    Examples
    --------
    >>> each_group("OneCycleLR", "max_lr", 0.1, [{}, {}])
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
