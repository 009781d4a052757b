"""`MomentOptimizer`: what Adam and its variants share, the running averages of the gradient and of its square."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.checks import describe, number
from dark.errors import UsageError
from dark.optim.optimizer import Optimizer


class MomentOptimizer(Optimizer):
    """Base class of optimizers with running averages, the estimated moments of the gradient; see `Optimizer`."""

    state_names: tuple[str, ...] = ("exp_avg", "exp_avg_sq")
    not_negative = ("lr", "eps", "weight_decay")

    def check(self, group: dict[str, Any]) -> None:
        """Check that all numbers are 0 or more, and that betas are two numbers in [0, 1)."""
        super().check(group)
        who, betas = type(self).__name__, group["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2:
            raise UsageError(f"{who}: betas is {describe(betas)}.", "a pair of numbers.", "betas=(0.9, 0.999)")
        for i, beta in enumerate(betas):
            number(beta, who, f"betas[{i}]", least=0, below=1)

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the running averages of the gradient and of its square."""
        return dict.fromkeys(self.state_names, 0.0)

    def decay(self, group: dict[str, Any]) -> float:
        """Return the weight decay that is added to the gradient: 0 if it is decoupled."""
        return 0 if group["decoupled_weight_decay"] else group["weight_decay"]


def averaging(betas: tuple[float, float]) -> Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]:
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
