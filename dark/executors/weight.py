"""`Weight`: the factor of an executor, a number times functions of the step, such as a `Schedule`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dark.checks import callable_with, describe, integer, is_bool, number
from dark.errors import UsageError, ValueTypeError
from dark.nn import Module


@dataclass(frozen=True, repr=False)
class Schedule:
    """A function of the step, from `start` at step 0 to `end` at `steps`; see `linear`, `cosine` and `constant`."""

    name: str
    start: float
    end: float
    steps: int

    def __call__(self, step: int) -> float:
        """Return the value at a step, counted from 0."""
        if step >= self.steps:
            return self.end
        part = max(step, 0) / self.steps
        if self.name == "cosine":
            part = (1 - math.cos(math.pi * part)) / 2
        return self.start + (self.end - self.start) * part

    def __repr__(self) -> str:
        if self.name == "constant":
            return f"constant({self.end:.6g})"
        return f"{self.name}({self.start:.6g}, {self.end:.6g}, steps={self.steps})"


def linear(start: float, end: float, steps: int) -> Schedule:
    """Return a weight that changes linearly from `start` at step 0 to `end` at step `steps`, and stays there.

    >>> ramp = linear(0, 1, steps=100)
    >>> ramp, ramp(0), ramp(25), ramp(1000)
    (linear(0, 1, steps=100), 0.0, 0.25, 1.0)
    """
    return _schedule("linear", start, end, steps)


def cosine(start: float, end: float, steps: int) -> Schedule:
    """Return a weight that changes from `start` to `end` as half a wave of a cosine, and stays there.

    ``start + (end - start) * (1 - cos(pi * step / steps)) / 2``

    References
    ----------
    Loshchilov, Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, 2017, equation 5.

    Examples
    --------
    >>> fade = cosine(1, 0, steps=100)
    >>> fade, fade(0), round(fade(50), 12), fade(100)
    (cosine(1, 0, steps=100), 1.0, 0.5, 0.0)
    """
    return _schedule("cosine", start, end, steps)


def constant(value: float) -> Schedule:
    """Return a weight that is the same at every step.

    >>> constant(10), constant(10)(3)
    (constant(10), 10.0)
    """
    value = number(value, "constant", "value")
    return Schedule("constant", value, value, 0)


def _schedule(name, start, end, steps):
    start, end = number(start, name, "start"), number(end, name, "end")
    return Schedule(name, start, end, integer(steps, name, "steps", 1))


@dataclass(frozen=True, repr=False)
class Weight:
    """A factor times functions of the step, divided by other such functions, `divisors`; it prints as a formula.

    >>> from dark.executors.weight import linear
    >>> weight = Weight().times(linear(0, 1, steps=10)).times(4)
    >>> weight, weight(5)
    (4 * linear(0, 1, steps=10), 2.0)
    """

    factor: float = 1.0
    functions: tuple[Callable[[Any], float], ...] = ()
    divisors: tuple[Callable[[Any], float], ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether the weight is the same at every step."""
        return not self.functions and not self.divisors

    @property
    def is_one(self) -> bool:
        """Whether the weight is always 1."""
        return self.factor == 1.0 and self.is_constant

    def __call__(self, step: int | None = None) -> float:
        """Return the weight at a step."""
        found = self.factor
        for function in self.functions:
            found *= number(function(step), text_of(function), "the result")
        for function in self.divisors:
            divisor = number(function(step), text_of(function), "the result")
            found = found / divisor if divisor else _zero(text_of(function))
        return found

    def of(self, context: Any, name: str) -> float:
        """Return the weight of the executor `name` at the step of a context."""
        if self.is_constant:
            return self.factor
        if not hasattr(context, "global_step"):
            raise UsageError(
                f"{name}: the weight {self} needs the step of a context, got {describe(context)}.",
                "a context.",
                f"{name}(Context(global_step=3), ...).",
            )
        return self(context.global_step)

    def times(self, other: Any) -> Weight:
        """Return the product with a number or a function of the step."""
        if _is_function(other):
            return replace(self, functions=(*self.functions, other))
        return replace(self, factor=_finite(self.factor * as_number(other, "*")))

    def over(self, other: Any) -> Weight:
        """Return the quotient by a number or a function of the step."""
        if _is_function(other):
            return replace(self, divisors=(*self.divisors, other))
        divisor = as_number(other, "/")
        return replace(self, factor=_finite(self.factor / divisor) if divisor else _zero("the divisor"))

    @cached_property
    def text(self) -> str:
        """The weight as a formula."""
        texts = [text_of(function) for function in self.functions]
        sign = "-" if texts and self.factor == -1.0 else ""
        if not texts or abs(self.factor) != 1.0:
            texts.insert(0, f"{self.factor:.6g}")
        return sign + " * ".join(texts) + "".join(f" / {text_of(function)}" for function in self.divisors)

    def __repr__(self) -> str:
        return self.text


def text_of(function):
    """Return a function of the step as a formula: a `Schedule` prints itself, others as ``name(step)``."""
    if isinstance(function, Schedule):
        return repr(function)
    name = getattr(function, "__name__", type(function).__name__)
    return f"{name.strip('<>')}(step)"


def as_number(value, sign):
    """Return a factor or a divisor as a float, or raise an error that names the valid factors."""
    if is_bool(value) or isinstance(value, str) or getattr(value, "shape", ()) != ():
        raise not_a_factor(sign, value)
    try:
        return number(value, "executor", "its factor")
    except ValueTypeError:
        raise not_a_factor(sign, value) from None


def not_a_factor(sign, value):
    """Return the error for a factor or a divisor that is neither a number nor a function of the step."""
    return ValueTypeError(
        f"executor {sign} {describe(value)} is not defined.",
        "a real number, or a function of the step.",
        f"executor {sign} 0.5, or executor {sign} linear(0, 1, steps=1000).",
    )


def _is_function(other):
    if not callable(other) or isinstance(other, (type, Module)) or hasattr(other, "ndim"):
        return False
    callable_with(other, "executor", "its factor", ("step",))
    return True


def _finite(factor):
    if math.isinf(factor):
        raise UsageError(
            "executor: the product of its factors is too large.", "a factor below 1.8e308.", "smaller factors."
        )
    return factor


def _zero(what):
    raise UsageError(
        f"executor: {what} must not be 0.", "a divisor that is not 0.", "0 * executor, for a term that is off."
    )
