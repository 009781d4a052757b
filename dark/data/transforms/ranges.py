"""The arguments of transforms at the door: probabilities, sizes, borders, ranges."""

import math
from numbers import Real

from dark.data.doors import whole
from dark.errors import UsageError, ValueTypeError


def chance(p, who):
    """Return a probability."""
    if not isinstance(p, Real) or not 0 <= p <= 1:
        raise UsageError(f"{who}: p is {p!r}.", "a probability, from 0 to 1.", "p=0.5")
    return p


def two_sides(size, who):
    """Return height and width; one number is both."""
    pair = tuple(size) if isinstance(size, (tuple, list)) else (size, size)
    if len(pair) != 2:
        raise UsageError(f"{who}: size is {size!r}.", "one number, or height and width.", f"{who}((height, width))")
    return tuple(whole(side, who, "size", 1) for side in pair)


def four_sides(padding, who):
    """Return (left, top, right, bottom) of one, two or four numbers."""
    sides = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,)
    if len(sides) not in (1, 2, 4):
        raise UsageError(f"{who}: padding is {padding!r}.", "one number, two or four.", "(left, top, right, bottom)")
    return tuple(whole(side, who, "padding") for side in (sides * 4)[:4])


def number_range(given, who, name, least=-math.inf, most=math.inf, ordered=True):
    """Return a pair of numbers; one number d is the range from -d to d."""
    pair = tuple(given) if isinstance(given, (tuple, list)) else (-given, given) if isinstance(given, Real) else ()
    if len(pair) != 2 or not all(isinstance(number, Real) for number in pair):
        raise ValueTypeError(f"{who}: {name} is {given!r}.", "a number, or a pair of numbers.", f"{name}=(low, high)")
    inside = all(least <= number <= most and math.isfinite(number) for number in pair)
    if not inside or (ordered and pair[0] > pair[1]):
        raise UsageError(
            f"{who}: {name} is {given!r}.",
            f"finite numbers from {least} to {most}{', the lower first' * ordered}.",
            f"{name}={tuple(sorted(pair))}, if only the order is wrong.",
        )
    return pair


def interpolation_named(name, who):
    """Return the name of a way to read between pixels."""
    if name not in ("bilinear", "nearest"):
        raise UsageError(f"{who}: interpolation is {name!r}.", "'bilinear' or 'nearest'.", "interpolation='bilinear'")
    return name
