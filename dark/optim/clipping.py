"""Gradient clipping before a step: by the total norm, or by value."""

import math
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np

from dark.checks import describe, number
from dark.errors import GradientError, UsageError
from dark.nodes import Node, Parameter, value_of
from dark.optim.parameter_groups import is_iterable
from dark.typing import Array, Gradient

SAFE = (1e-24, 1e24)  # sums of squares in this range lose no digits of float32


def clip_grad_norm(
    parameters: Iterable[Parameter] | Parameter, max_norm: float, norm_type: float | Literal["inf"] = 2.0,
    error_if_nonfinite: bool = False,
) -> float:  # fmt: skip
    """Clip the total norm of all gradients to `max_norm`, 0 or more, in place; return the norm before clipping.

    `norm_type` is the order of the norm, above 0; ``float("inf")`` is the maximum norm. The factor is ``min(1, max_norm
    / (norm + 1e-6))``, as in PyTorch's ``clip_grad_norm_``. A norm that is infinite or NaN raises if
    `error_if_nonfinite` is set; otherwise an infinite norm makes every finite gradient 0, and NaN makes all NaN.
    Parameters without a gradient are ignored.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(np.zeros(2))
    >>> x.grad = np.array([3.0, 4.0])
    >>> clip_grad_norm([x], 1.0)
    5.0
    >>> x.grad.round(4)
    array([0.6, 0.8])
    """
    members = _with_gradient(parameters, "clip_grad_norm")
    max_norm = number(max_norm, "clip_grad_norm", "max_norm", least=0, finite=False)
    order = math.inf if norm_type == "inf" else norm_type  # PyTorch accepts the string, too
    p = number(order, "clip_grad_norm", "norm_type", above=0, finite=False)
    total = float(_norm(np.array([_norm(_values(m.grad), p) for m in members]), p))
    if error_if_nonfinite and not math.isfinite(total):
        raise GradientError(
            f"clip_grad_norm: the norm of the gradients must be finite, but is {total}.",
            "finite gradients.",
            "dark.anomaly(), which finds the operation that produced the first NaN.",
        )
    factor = max_norm / (total + 1e-6)
    if not factor >= 1:  # also if it is NaN
        with np.errstate(invalid="ignore"):  # inf times 0
            for m in members:
                _replace(m, lambda g, out: np.multiply(g, factor, out=out))
    return total


def clip_grad_value(parameters: Iterable[Parameter] | Parameter, clip_value: float) -> None:
    """Clip every element of all gradients to ``[-clip_value, clip_value]``, in place.

    Parameters without a gradient are ignored.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(np.zeros(2))
    >>> x.grad = np.array([3.0, -0.5])
    >>> clip_grad_value([x], 1.0)
    >>> x.grad
    array([ 1. , -0.5])
    """
    bound = number(clip_value, "clip_grad_value", "clip_value", least=0, finite=False)
    for m in _with_gradient(parameters, "clip_grad_value"):
        _replace(m, lambda g, out: np.clip(g, -bound, bound, out=out))


def _with_gradient(parameters: Iterable[Parameter] | Parameter, who: str) -> list[Parameter]:
    """Return the parameters that have a gradient."""
    is_single = isinstance(parameters, Parameter) or not is_iterable(parameters)
    members: list[Any] = [parameters] if is_single else list(parameters)
    for m in members:
        if not isinstance(m, Node):
            raise UsageError(f"{who}: {describe(m)} is not a Parameter.", "Parameters.", "module.parameters()")
    return [m for m in members if m.grad is not None]


def _values(g: Gradient) -> Array:
    return np.asarray(value_of(g))


def _norm(x: Array, p: float) -> float:
    """Return the norm of all elements of an array, even if their squares would overflow or underflow."""
    x = x.reshape(-1)
    if p != 2:
        x = np.abs(x)
        return float(x.max(initial=0) if p == math.inf else np.power(x, p, dtype=float).sum() ** (1 / p))
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(np.dot(x, x))
    if not SAFE[0] < total < SAFE[1]:
        largest = float(np.abs(x).max(initial=0))
        if 0 < largest < math.inf:
            x = x.astype(float) / largest
            return largest * math.sqrt(np.dot(x, x))
    return math.sqrt(total) if total >= 0 else total


def _replace(parameter: Parameter, change: Callable[[Any, Array | None], Any]) -> None:
    """Change a gradient: an array in place, a number or a node by a new one."""
    g = parameter.grad
    if type(g) is np.ndarray:
        change(g, g)
    elif isinstance(g, float):
        parameter.grad = type(g)(change(g, None))
    else:
        parameter.grad = change(_values(g), None)
