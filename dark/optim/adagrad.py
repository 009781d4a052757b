"""Adagrad: steps divided by the root of the sum of all squared gradients."""

import numpy as np

from dark.optim.optimizer import Optimizer
from dark.optim.options import check_at_least_0


class Adagrad(Optimizer):
    """Gradient descent that goes slower where the gradients have been large.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        What is to be trained; see `Optimizer`.
    lr : float, default 1e-2
        How far a number goes in its first step.
    lr_decay : float, default 0
        At step ``t`` the rate is ``lr / (1 + (t - 1) lr_decay)``.
    weight_decay : float, default 0
        How much of each value is added to its gradient.
    initial_accumulator_value : float, default 0
        What the sums start from.
    eps : float, default 1e-10
        Added to the root, so that nothing is divided by 0.
    maximize : bool, default False
        Go uphill.

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

    state_names = ("sum",)

    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, *, maximize=False
    ):
        super().__init__(
            params,
            {
                "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value, "maximize": maximize,
            },
        )  # fmt: skip

    def check(self, group):
        """Refuse numbers below 0."""
        check_at_least_0("Adagrad", group, "lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")

    def initial_state(self, group):
        """Remember the sum of the squared gradients."""
        return {"sum": float(group["initial_accumulator_value"])}

    def make_update(self, group, step):
        """Return the function that moves a chunk; see `Optimizer.make_update`."""
        lr, eps = float(group["lr"]) / (1 + (step - 1) * float(group["lr_decay"])), float(group["eps"])

        def update(w, g, a, total):
            np.add(total, np.multiply(g, g, out=a), out=total)
            np.divide(g, np.add(np.sqrt(total, out=a), eps, out=a), out=a)
            np.subtract(w, np.multiply(a, lr, out=a), out=w)

        return update
