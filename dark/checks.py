"""Checks of arguments: the one rule for what counts as an integer, a number, a choice or a function.

Every public function checks its arguments here, once, when it is called. The rules are the same everywhere:

- an integer is a Python or NumPy integer; `True` and `2.0` are refused, `np.int64(2)` is accepted;
- a number is a real Python or NumPy number, finite unless stated otherwise; `True` and NaN are refused;
- a bool is a Python or NumPy bool; 0 and 1 are refused.

A check returns the value. `who` and `name`, the function or class that was called and the name of its argument, appear
in the error, whose `Try:` line is `advice`. A value of another type raises `ValueTypeError`, one out of range
`UsageError`. Nothing here imports NumPy: the engine uses these checks, too.
"""

import inspect
import math
import operator
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

from dark.descriptions import brief, describe, range_words
from dark.errors import UsageError, ValueTypeError, near_misses

T = TypeVar("T")
LARGEST = 2**63 - 1  # of NumPy's integers
_BOOLS = ("bool", "bool_")  # NumPy's bool goes by both names


def is_bool(value: object) -> bool:
    """Return whether a value is a Python or NumPy bool."""
    return type(value).__name__ in _BOOLS


def is_integer(value: Any, least: int | None = None) -> bool:
    """Return whether a value is a Python or NumPy integer, and at least `least`; a bool is not.

    >>> is_integer(3, 1), is_integer(True), is_integer(2.0)
    (True, False, False)
    """
    return isinstance(value, Integral) and not is_bool(value) and (least is None or int(value) >= least)


def integer(
    value: Any, who: str, name: str, least: int | None = None, most: int | None = None, advice: str | None = None,
    *, wide: bool = False,
) -> int:  # fmt: skip
    """Return an integer from `least` to `most` as an `int`; with `wide`, as for seeds, it may have more than 64 bits.

    >>> integer(2.0, "Linear", "in_features", 0)
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: Linear: in_features must be an integer, got 2.0 (float).
      Expected: an integer, 0 or more.
      Try: int(in_features), or // for an integer division.
    """
    try:
        if is_bool(value) or getattr(value, "ndim", 0) > 0:
            raise TypeError
        found = operator.index(value)
    except TypeError:
        advice = advice or f"int({name}), or // for an integer division."
        raise _type_error(value, who, name, "an integer", f"an integer{range_words(least, most)}.", advice) from None
    if (least is not None and found < least) or (most is not None and found > most):
        raise _range_error(found, who, name, "an integer", range_words(least, most), advice)
    if not wide and abs(found) > LARGEST:
        raise UsageError(
            f"{who}: {name} must have at most 64 bits, got {brief(found)}.",
            f"an integer{range_words(least, most)}, at most {LARGEST}.",
            advice or f"check how {name} was computed.",
        )
    return found


def _type_error(value: object, who: str, name: str, rule: str, expected: str, advice: str) -> ValueTypeError:
    """Return the error for a value of another type, as `rule` names it."""
    return ValueTypeError(f"{who}: {name} must be {rule}, got {describe(value)}.", expected, advice)


def _range_error(value: object, who: str, name: str, kind: str, bounds: str, advice: str | None) -> UsageError:
    """Return the error for a number out of its range, or, if there are no `bounds`, not of its kind."""
    rule = bounds.removeprefix(",").strip() or kind
    return UsageError(
        f"{who}: {name} must be {rule}, got {brief(value) if isinstance(value, int) else value}.",
        f"{kind}{bounds}.",
        advice or f"check how {name} was computed, or omit it to use the default.",
    )


def without_grad(value: T, who: str, name: str) -> T:
    """Return a value unless it is a tensor of another library that requires grad, which cannot become an array."""
    if getattr(value, "requires_grad", False) is True:
        raise ValueTypeError(
            f"{who}: {name} must not require grad, got a {type(value).__name__} of another library.",
            "an array; no gradient is computed for tensors of other libraries.",
            f"{name}.detach().numpy()",
        )
    return value


def integers(values: Any, who: str, name: str, least: int | None = None, advice: str | None = None) -> tuple[int, ...]:
    """Return an integer or a sequence of integers as a tuple.

    >>> integers(5, "LayerNorm", "normalized_shape"), integers([2, 3], "LayerNorm", "normalized_shape")
    ((5,), (2, 3))
    """
    given = values if isinstance(values, (tuple, list)) else (values,)
    return tuple([integer(value, who, name, least, advice=advice) for value in given])


def number(
    value: Any, who: str, name: str, *, least: float | None = None, most: float | None = None,
    above: float | None = None, below: float | None = None, finite: bool = True, advice: str | None = None,
) -> float:  # fmt: skip
    """Return a real number within its closed bounds, `least` and `most`, and its open ones, `above` and `below`.

    The value may be an array or a constant node that holds one. A node that requires grad is refused, since its
    gradient would be lost, and so is NaN in any case, and infinity if `finite`.

    >>> number(0.5, "Dropout", "p", least=0, most=1)
    0.5
    >>> number(-1, "SGD", "lr", least=0)
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: SGD: lr must be 0 or more, got -1.
      Expected: a finite number, 0 or more.
      Try: check how lr was computed, or omit it to use the default.
    """
    kind = "a finite number" if finite else "a number"
    bounds = range_words(least, most, above, below)
    given = value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        if getattr(value, "requires_grad", False) is True:
            raise ValueTypeError(
                f"{who}: {name} must not require grad, got {describe(value)}.",
                f"{kind}{bounds}; no gradient is computed for {name}.",
                f"the value alone, as in {name}=p.value.",
            )
        given = value.item()
    if not isinstance(given, Real) or is_bool(given):
        advice = advice or f"float({name}), if it is a number."
        raise _type_error(value, who, name, "a number", f"{kind}{bounds}.", advice)
    try:
        found = float(given)
    except OverflowError:
        found = -math.inf if given < 0 else math.inf
    if math.isnan(found) or (finite and math.isinf(found)):
        raise _range_error(value, who, name, kind, "", advice)
    too_small = (least is not None and found < least) or (above is not None and found <= above)
    if too_small or (most is not None and found > most) or (below is not None and found >= below):
        raise _range_error(value, who, name, kind, bounds, advice)
    return found


def boolean(value: object, who: str, name: str) -> bool:
    """Return a bool as a Python `bool`.

    >>> boolean(1, "mean", "keepdims")
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: mean: keepdims must be a bool, got 1 (int).
      Expected: True or False.
      Try: bool(keepdims).
    """
    if not is_bool(value):
        raise _type_error(value, who, name, "a bool", "True or False.", f"bool({name}).")
    return bool(value)


def one_of(value: T, who: str, name: str, choices: Iterable[object]) -> T:
    """Return a value if it is one of the choices; the error offers the nearest ones.

    >>> one_of("avg", "mse_loss", "reduction", ("mean", "sum", "none"))
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: mse_loss: invalid reduction 'avg'.
      Expected: one of 'mean', 'sum', 'none'.
      Try: one of mean, sum, none
    """
    choices = tuple(choices)
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        expected = f"one of {', '.join(map(repr, choices))}."
        raise UsageError(f"{who}: invalid {name} {brief(value)}.", expected, near_misses(value, choices))
    return value


def members(values: Iterable[T], who: str, name: str, expected: str, advice: str) -> list[T]:
    """Return the members of an iterable as a list.

    >>> members(3, "collate", "items", "a list of items.", "collate([item])")
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: collate: items must be iterable, got 3 (int).
      Expected: a list of items.
      Try: collate([item])
    """
    try:
        return list(values)
    except TypeError:
        if hasattr(values, "__iter__") and getattr(values, "ndim", 1) != 0:  # an error of the iterator itself
            raise
        raise _type_error(values, who, name, "iterable", expected, advice) from None


def check_engine(handler: object, engine: object) -> None:
    """Check that a metric or a handler is attached to an engine."""
    if isinstance(engine, type) or not hasattr(engine, "add_event_handler"):
        expected, who = "an Engine, as the first argument.", type(handler).__name__
        raise _type_error(engine, who, "engine", "an Engine", expected, "attach(engine, …).")


def callable_with(function: T, who: str, name: str, arguments: Sequence[str]) -> T:
    """Return a function if it can be called with as many positional arguments as there are names in `arguments`.

    >>> callable_with(len, "Compose", "transform", ("item",))
    <built-in function len>
    """
    wanted = f"{name}({', '.join(arguments)})"
    if not callable(function):
        advice = "pass the function itself, not its name or its result."
        raise _type_error(function, who, name, "callable", f"{wanted}.", advice)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function written in C may have no signature
        return function
    try:
        signature.bind(*arguments)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {name} must accept {len(arguments)} positional arguments, got {name}{signature}.",
            f"{wanted}.",
            f"lambda {', '.join(arguments)}: …, around your function.",
        ) from None
    return function
