"""Checks of arguments: the one rule for what counts as an integer, a number, a choice or a function.

Every public function checks its arguments here, once, when it is called. The rules are the same everywhere:

- an integer is a Python or NumPy integer; `True` and `2.0` are refused, `np.int64(2)` is accepted;
- a number is a real Python or NumPy number, finite unless stated otherwise; `True` and NaN are refused;
- a bool is a Python or NumPy bool; 0 and 1 are refused.

Nothing here imports NumPy: the engine uses these checks, too.
"""

from __future__ import annotations

import inspect
import math
import operator
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

from dark.descriptions import brief, describe, range_words
from dark.errors import UsageError, ValueTypeError, near_misses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")
LARGEST = 2**63 - 1  # of NumPy's integers
_BOOLS = ("bool", "bool_")  # NumPy's bool goes by both names


def is_bool(value: object) -> bool:
    """Return whether a value is a Python or NumPy bool.

    Examples
    --------
    >>> is_bool(True), is_bool(1)
    (True, False)
    """
    return type(value).__name__ in _BOOLS


def is_integer(value: Any, least: int | None = None) -> bool:
    """Return whether a value is a Python or NumPy integer, and at least `least`; a bool is not.

    Examples
    --------
    >>> is_integer(3, 1), is_integer(True), is_integer(2.0)
    (True, False, False)
    """
    return isinstance(value, Integral) and not is_bool(value) and (least is None or int(value) >= least)


def integer(
    value: Any, who: str, name: str, least: int | None = None, most: int | None = None, advice: str | None = None,
    *, wide: bool = False,
) -> int:  # fmt: skip
    """Return an integer as an `int`.

    Parameters
    ----------
    value : int
        A Python or NumPy integer. A bool is refused, and so is a float, even an integral one.
    who, name : str
        The function or class that was called, and the name of its argument; both appear in the error.
    least, most : int, optional
        The smallest and the largest value that is allowed.
    advice : str, optional
        The `Try:` line of the error.
    wide : bool, default False
        Accept integers of more than 64 bits, as seeds may be.

    Returns
    -------
    int

    Raises
    ------
    ValueTypeError
        If the value is not an integer.
    UsageError
        If it is out of range.

    Examples
    --------
    >>> integer(2.0, "Linear", "in_features", 0)
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: Linear: in_features is 2.0 (float).
      Expected: an integer, 0 or more.
      Try: int(in_features), or // for an integer division.
    """
    try:
        if is_bool(value) or getattr(value, "ndim", 0) > 0:
            raise TypeError
        found = operator.index(value)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {name} is {describe(value)}.",
            f"an integer{range_words(least, most)}.",
            advice or f"int({name}), or // for an integer division.",
        ) from None
    if (least is not None and found < least) or (most is not None and found > most):
        raise UsageError(
            f"{who}: {name} is {brief(found)}.",
            f"an integer{range_words(least, most)}.",
            advice or f"check how {name} was computed, or omit it to use the default.",
        )
    if not wide and abs(found) > LARGEST:
        raise UsageError(
            f"{who}: {name} is {brief(found)}, which has more than 64 bits.",
            f"an integer{range_words(least, most)}, at most {LARGEST}.",
            advice or f"check how {name} was computed.",
        )
    return found


def without_grad(value: T, who: str, name: str) -> T:
    """Return a value unless it is a tensor of another library that requires grad, which cannot become an array.

    Raises
    ------
    ValueTypeError
    """
    if getattr(value, "requires_grad", False) is True:
        raise ValueTypeError(
            f"{who}: {name} is a {type(value).__name__} of another library, which requires grad.",
            "an array; no gradient is computed for tensors of other libraries.",
            f"{name}.detach().numpy()",
        )
    return value


def integers(values: Any, who: str, name: str, least: int | None = None, advice: str | None = None) -> tuple[int, ...]:
    """Return an integer or a sequence of integers as a tuple.

    Examples
    --------
    >>> integers(5, "LayerNorm", "normalized_shape"), integers([2, 3], "LayerNorm", "normalized_shape")
    ((5,), (2, 3))
    """
    given = values if isinstance(values, (tuple, list)) else (values,)
    return tuple([integer(value, who, name, least, advice=advice) for value in given])


def number(
    value: Any, who: str, name: str, *, least: float | None = None, most: float | None = None,
    above: float | None = None, below: float | None = None, finite: bool = True, advice: str | None = None,
) -> float:  # fmt: skip
    """Return a real number as a `float`.

    Parameters
    ----------
    value : float
        A real Python or NumPy number, or an array or a constant node that holds one. A bool is refused.
    who, name, advice : str
        As in `integer`.
    least, most, above, below : float, optional
        The closed bounds of the range, and the open ones.
    finite : bool, default True
        Refuse infinity. NaN is refused in any case.

    Returns
    -------
    float

    Raises
    ------
    ValueTypeError
        If the value is not a real number, or a node that requires grad, whose gradient would be lost.
    UsageError
        If it is out of range, NaN or, with `finite`, infinite.

    Examples
    --------
    >>> number(0.5, "Dropout", "p", least=0, most=1)
    0.5
    >>> number(-1, "SGD", "lr", least=0)
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: SGD: lr is -1.
      Expected: a finite number, 0 or more.
      Try: check how lr was computed, or omit it to use the default.
    """
    kind = "a finite number" if finite else "a number"
    bounds = range_words(least, most, above, below)
    given = value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        if getattr(value, "requires_grad", False) is True:
            raise ValueTypeError(
                f"{who}: {name} is {describe(value)}, which requires grad.",
                f"{kind}{bounds}; no gradient is computed for {name}.",
                f"the value alone, as in {name}=p.value.",
            )
        given = value.item()
    if not isinstance(given, Real) or is_bool(given):
        raise ValueTypeError(
            f"{who}: {name} is {describe(value)}.", f"{kind}{bounds}.", advice or f"float({name}), if it is a number."
        )
    try:
        found = float(given)
    except OverflowError:
        found = -math.inf if given < 0 else math.inf
    if (
        math.isnan(found)
        or (finite and math.isinf(found))
        or (least is not None and found < least)
        or (most is not None and found > most)
        or (above is not None and found <= above)
        or (below is not None and found >= below)
    ):
        raise UsageError(
            f"{who}: {name} is {brief(value) if isinstance(value, int) else value}.",
            f"{kind}{bounds}.",
            advice or f"check how {name} was computed, or omit it to use the default.",
        )
    return found


def boolean(value: object, who: str, name: str) -> bool:
    """Return a bool as a Python `bool`.

    Raises
    ------
    ValueTypeError
        If the value is not a bool.

    Examples
    --------
    >>> boolean(1, "mean", "keepdims")
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: mean: keepdims is 1 (int).
      Expected: True or False.
      Try: bool(keepdims).
    """
    if not is_bool(value):
        raise ValueTypeError(f"{who}: {name} is {describe(value)}.", "True or False.", f"bool({name}).")
    return bool(value)


def one_of(value: T, who: str, name: str, choices: Iterable[object]) -> T:
    """Return a value if it is one of the choices.

    Raises
    ------
    UsageError
        If it is not; the error offers the nearest choices.

    Examples
    --------
    >>> one_of("avg", "mse_loss", "reduction", ("mean", "sum", "none"))
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: mse_loss: invalid reduction 'avg'.
      Expected: one of 'mean', 'sum', 'none'.
      Try: one of mean, sum, none
    """
    choices = tuple(choices)
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        raise UsageError(
            f"{who}: invalid {name} {brief(value)}.",
            f"one of {', '.join(map(repr, choices))}.",
            near_misses(value, choices),
        )
    return value


def members(values: Iterable[T], who: str, name: str, expected: str, advice: str) -> list[T]:
    """Return the members of an iterable as a list.

    Raises
    ------
    ValueTypeError
        If it cannot be iterated over.

    Examples
    --------
    >>> members(3, "collate", "items", "a list of items.", "collate([item])")
    Traceback (most recent call last):
        ...
    dark.errors.ValueTypeError: collate: items is 3 (int).
      Expected: a list of items.
      Try: collate([item])
    """
    try:
        return list(values)
    except TypeError:
        if hasattr(values, "__iter__") and getattr(values, "ndim", 1) != 0:  # an error of the iterator itself
            raise
        raise ValueTypeError(f"{who}: {name} is {describe(values)}.", expected, advice) from None


def check_engine(handler: object, engine: object) -> None:
    """Check that a metric or a handler is attached to an engine.

    Raises
    ------
    ValueTypeError
    """
    if isinstance(engine, type) or not hasattr(engine, "add_event_handler"):
        who = type(handler).__name__
        raise ValueTypeError(
            f"{who}: engine is {describe(engine)}.", "an Engine, as the first argument.", "attach(engine, …)."
        )


def callable_with(function: T, who: str, name: str, arguments: Sequence[str]) -> T:
    """Return a function if it can be called with these arguments.

    Parameters
    ----------
    function : callable
    who, name : str
        As in `integer`.
    arguments : tuple of str
        The names of the positional arguments it will be called with.

    Raises
    ------
    ValueTypeError
        If it is not callable, or does not accept that number of arguments.

    Examples
    --------
    >>> callable_with(len, "Compose", "transform", ("item",))
    <built-in function len>
    """
    wanted = f"{name}({', '.join(arguments)})"
    if not callable(function):
        raise ValueTypeError(
            f"{who}: {name} is {describe(function)}, which is not callable.",
            f"{wanted}.",
            "pass the function itself, not its name or its result.",
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function written in C may have no signature
        return function
    try:
        signature.bind(*arguments)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {name}{signature} does not accept {len(arguments)} positional arguments.",
            f"{wanted}.",
            f"lambda {', '.join(arguments)}: …, around your function.",
        ) from None
    return function
