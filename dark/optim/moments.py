"""The running averages of the gradient and of its square, which the variants of Adam share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.checks import describe, number
from dark.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from dark.typing import Array


def check_betas(betas: Any, who: str) -> None:
    """Raise unless the decay rates are a pair of numbers in [0, 1).

    Raises
    ------
    UsageError, ValueTypeError
    """
    if not isinstance(betas, (tuple, list)) or len(betas) != 2:
        raise UsageError(f"{who}: betas is {describe(betas)}.", "a pair of numbers.", "betas=(0.9, 0.999)")
    for i, beta in enumerate(betas):
        number(beta, who, f"betas[{i}]", least=0, below=1)


def averaging(betas: tuple[float, float]) -> Callable[[Array, Array, Array, Array], None]:
    """Return the function that updates both running averages in place.

    Parameters
    ----------
    betas : tuple of two float
        The decay rates.

    Returns
    -------
    callable
        Called as ``average(g, a, m, v)`` with the gradient, a scratch array, the running average of the gradient and
        that of its square, all of one shape.

    Notes
    -----
    ``m ← β₁ m + (1 - β₁) g`` and ``v ← β₂ v + (1 - β₂) g²``.

    Examples
    --------
    >>> g, a, m, v = np.array([2.0]), np.empty(1), np.zeros(1), np.zeros(1)
    >>> averaging((0.5, 0.75))(g, a, m, v)
    >>> m, v
    (array([1.]), array([1.]))
    """
    beta1, beta2 = map(float, betas)
    new1, new2 = 1 - beta1, 1 - beta2

    def average(g, a, m, v):
        np.multiply(np.subtract(g, m, out=a), new1, out=a)
        np.add(m, a, out=m)
        np.multiply(np.multiply(g, g, out=a), new2, out=a)
        np.add(np.multiply(v, beta2, out=v), a, out=v)

    return average
