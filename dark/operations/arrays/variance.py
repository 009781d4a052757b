"""Variance and standard deviation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.operations.arrays.reduction_axes import (
    EXPECTS,
    SAMPLES,
    broadcast_back,
    reduced_size,
    reduction_settings,
    safe_divide,
)
from dark.operations.axis_checks import ADVICE, number
from dark.operations.numeric import float16_in_float32
from dark.spellings import Default, keyword_error
from dark.spellings.traps import other_meaning
from dark.typing import ArrayLike, Axis

N = Default(0)  # the default of `ddof`: a division by n


def deviation(x, axis):
    """Return the deviation of each element from the mean along the axes."""
    return x - np.mean(x, axis=axis, keepdims=True)


def degrees_of_freedom(x, axis, ddof):
    """Return the divisor of a variance; NaN if it is not positive."""
    n = reduced_size(np.shape(x), axis) - ddof
    return n if n > 0 else math.nan


def degrees_of_pytorch(who, pytorch, ddof):
    """Return `ddof`, or the argument of PyTorch in its place, which is removed; without either, raise."""
    if "unbiased" in pytorch or "correction" in pytorch:
        if type(ddof) is not Default:
            raise keyword_error(who, "unbiased" if "unbiased" in pytorch else "correction")
        ddof = pytorch.pop("correction", None)
        return float(pytorch.pop("unbiased", True)) if ddof is None else ddof
    if type(ddof) is Default:
        raise other_meaning(
            who, pytorch, "a divisor: PyTorch divides by n - 1, NumPy by n.",
            f"x.{who}(axis=0, ddof=1) for PyTorch's value, ddof=0 for NumPy's.",
        )  # fmt: skip
    return ddof


class Var(Operation, trusted=True, elementwise=False):
    """Variance along axes."""

    @staticmethod
    @float16_in_float32
    def _f(x, axis, ddof, keepdims):
        return np.var(x, axis=axis, ddof=ddof, keepdims=keepdims)

    @staticmethod
    def _vjp(dldy, y, x, axis, ddof, keepdims):
        return broadcast_back(
            dldy * (2.0 / degrees_of_freedom(x, axis, ddof)), np.shape(x), axis, keepdims
        ) * deviation(x, axis)

    _df = (_vjp,)

    expects, advice = EXPECTS, ADVICE
    samples = (
        *((shapes, settings | {"ddof": 0}) for shapes, settings in SAMPLES),
        (((4, 3),), {"axis": 0, "ddof": 1, "keepdims": False}),
        (((4, 3),), {"axis": None, "ddof": 1, "keepdims": True}),
    )


class Std(Operation, trusted=True, elementwise=False):
    """Standard deviation along axes; where it is 0, so is the derivative."""

    @staticmethod
    @float16_in_float32
    def _f(x, axis, ddof, keepdims):
        return np.std(x, axis=axis, ddof=ddof, keepdims=keepdims)

    @staticmethod
    def _vjp(dldy, y, x, axis, ddof, keepdims):
        scale = safe_divide(dldy, y) / degrees_of_freedom(x, axis, ddof)
        return broadcast_back(scale, np.shape(x), axis, keepdims) * deviation(x, axis)

    _df = (_vjp,)

    expects, advice = EXPECTS, ADVICE
    samples = tuple(s for s in Var.samples if s[0] != ((),))  # of a single element it is not differentiable


@implements(np.var)
def var(x: ArrayLike, axis: Axis = None, *, ddof: float = N, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the variance along axes: ``sum((x - mean(x)) ** 2) / (n - ddof)``.

    If ``n <= ddof``, the result is inf or NaN, with NumPy's warning, and the gradient NaN.

    Parameters
    ----------
    x, axis, keepdims
        As for `sum`.
    ddof : int, default 0
        Delta degrees of freedom: the divisor is ``n - ddof``. PyTorch's default is 1.
    **pytorch
        `dim`, `keepdim`, and `correction` or `unbiased`, PyTorch's names of the three.

    Examples
    --------
    >>> var(np.array([1.0, 3.0])).value, var(np.array([1.0, 3.0]), ddof=1).value
    (1.0, 2.0)
    """
    if pytorch:
        ddof = degrees_of_pytorch("var", pytorch, ddof)
    settings = reduction_settings("var", x, axis, keepdims, pytorch)
    return Var.apply(x, ddof=0 if type(ddof) is Default else number(ddof, "var", "ddof"), **settings)


@implements(np.std)
def std(x: ArrayLike, axis: Axis = None, *, ddof: float = N, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the standard deviation along axes. Parameters are those of `var`.

    Where all elements are equal, the derivative is 0, as in PyTorch.

    >>> std(np.array([1.0, 3.0])).value
    1.0
    """
    if pytorch:
        ddof = degrees_of_pytorch("std", pytorch, ddof)
    settings = reduction_settings("std", x, axis, keepdims, pytorch)
    return Std.apply(x, ddof=0 if type(ddof) is Default else number(ddof, "std", "ddof"), **settings)
