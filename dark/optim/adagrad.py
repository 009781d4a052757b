"""Adagrad: gradients divided by the root of the sum of all squared gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.optim import rules
from dark.optim.optimizer import Optimizer
from dark.optim.parameter_groups import Params


class Adagrad(Optimizer):
    """Adagrad: divides gradients by the root of the sum of all their squares.

    The other parameters are those of `Optimizer`.

    Parameters
    ----------
    lr_decay : float, default 0
        At step ``t`` the learning rate is ``lr / (1 + (t - 1) lr_decay)``.
    initial_accumulator_value : float, default 0
        The initial value of the sums.

    Notes
    -----
    ``s ← s + g²`` and ``w ← w - lr g / (√s + eps)``.

    References
    ----------
    J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for online learning and stochastic
    optimization", JMLR 12, 2011.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = Adagrad([x], lr=0.5)
    >>> (x**2).backward()
    >>> optimizer.step()
    >>> round(x.value, 6)
    9.5
    """

    _rule = staticmethod(rules.adagrad)
    not_negative = ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")
    state_names = ("sum",)

    def __init__(
        self, params: Params, lr: float = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
        initial_accumulator_value: float = 0, eps: float = 1e-10, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the sum of squared gradients."""
        return {"sum": float(group["initial_accumulator_value"])}

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of one chunk; see `Optimizer.make_update`."""
        lr, eps = float(group["lr"]) / (1 + (step - 1) * float(group["lr_decay"])), float(group["eps"])

        def update(w, g, a, total):
            np.add(total, np.multiply(g, g, out=a), out=total)
            np.divide(g, np.add(np.sqrt(total, out=a), eps, out=a), out=a)
            np.subtract(w, np.multiply(a, lr, out=a), out=w)

        return update
