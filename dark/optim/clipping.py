"""Keeping gradients in bounds before a step: all together by their norm, or each number by itself."""

import math
import numbers

import numpy as np

from dark.errors import GradientError, UsageError
from dark.nodes import Node, Parameter
from dark.nodes.values import describe

SAFE = (1e-24, 1e24)  # sums of squares in between lose no digits of float32


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Shorten all gradients by one factor, so that their common norm is at most `max_norm`.

    Parameters
    ----------
    parameters : iterable of Parameter, or Parameter
        Those without gradient are left out. The gradients are changed in place.
    max_norm : float
        The longest that the vector of all gradients may be.
    norm_type : float, default 2.0
        The p of the norm, above 0; ``float("inf")`` takes the largest number.
    error_if_nonfinite : bool, default False
        Refuse a norm that is infinite or NaN. Otherwise an infinite norm makes every finite
        gradient 0, and NaN makes all NaN, as in PyTorch.

    Returns
    -------
    float
        The norm before clipping.

    Raises
    ------
    GradientError
        If the norm is not finite and `error_if_nonfinite` is set.
    UsageError
        If `max_norm` is below 0, `norm_type` not above 0, or something is no Parameter.

    Notes
    -----
    The factor is ``min(1, max_norm / (norm + 1e-6))``, as in PyTorch's ``clip_grad_norm_``.

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
    if norm_type == "inf":  # PyTorch takes the word, too
        norm_type = math.inf
    _check("clip_grad_norm", "max_norm", max_norm, lambda x: x >= 0)
    _check("clip_grad_norm", "norm_type", norm_type, lambda x: x > 0)
    p = float(norm_type)
    total = float(_norm(np.array([_norm(_values(m.grad), p) for m in members]), p))
    if error_if_nonfinite and not math.isfinite(total):
        raise GradientError(
            f"clip_grad_norm: the norm of the gradients is {total}.",
            "finite gradients.",
            "dark.anomaly() finds the operation that made the first NaN.",
        )
    factor = max_norm / (total + 1e-6)
    if not factor >= 1:  # NaN goes in
        with np.errstate(invalid="ignore"):  # inf times 0
            for m in members:
                _replace(m, lambda g, out: np.multiply(g, factor, out=out))
    return total


def clip_grad_value(parameters, clip_value):
    """Bring every number of every gradient between ``-clip_value`` and ``clip_value``.

    Parameters
    ----------
    parameters : iterable of Parameter, or Parameter
        Those without gradient are left out. The gradients are changed in place.
    clip_value : float
        The bound, 0 or more.

    Raises
    ------
    UsageError
        If `clip_value` is below 0, or something is no Parameter.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(np.zeros(2))
    >>> x.grad = np.array([3.0, -0.5])
    >>> clip_grad_value([x], 1.0)
    >>> x.grad
    array([ 1. , -0.5])
    """
    _check("clip_grad_value", "clip_value", clip_value, lambda x: x >= 0)
    for m in _with_gradient(parameters, "clip_grad_value"):
        _replace(m, lambda g, out: np.clip(g, -clip_value, clip_value, out=out))


def _with_gradient(parameters, who):
    """List the parameters that have a gradient."""
    if not hasattr(parameters, "__iter__"):
        parameters = [parameters]
    members = [parameters] if isinstance(parameters, Parameter) else list(parameters)
    for m in members:
        if not isinstance(m, Node):
            raise UsageError(f"{who}: {describe(m)} is no Parameter.", "Parameters.", "module.parameters()")
    return [m for m in members if m.grad is not None]


def _check(who, name, value, is_right):
    if not (isinstance(value, numbers.Real) and is_right(value)):
        raise UsageError(f"{who}: {name} is {describe(value)}.", "a number above 0.", f"{name}=1.0")


def _values(g):
    return np.asarray(g.value if isinstance(g, Node) else g)


def _norm(x, p):
    """Return the norm of all numbers of an array, also where their squares would leave the range of the type."""
    x = x.reshape(-1)
    if p != 2:
        x = np.abs(x)
        return x.max(initial=0) if p == math.inf else np.power(x, p, dtype=float).sum() ** (1 / p)
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(np.dot(x, x))
    if not SAFE[0] < total < SAFE[1]:
        largest = float(np.abs(x).max(initial=0))
        if 0 < largest < math.inf:
            x = x.astype(float) / largest
            return largest * math.sqrt(np.dot(x, x))
    return math.sqrt(total) if total >= 0 else total


def _replace(parameter, change):
    """Change a gradient: an array in its place, a number or a node by a new one."""
    g = parameter.grad
    if type(g) is np.ndarray:
        change(g, g)
    elif isinstance(g, float):
        parameter.grad = type(g)(change(g, None))
    else:
        parameter.grad = change(_values(g), None)
