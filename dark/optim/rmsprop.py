"""RMSprop: steps divided by the root of a running mean of squared gradients."""

import numpy as np

from dark.optim.optimizer import Optimizer
from dark.optim.options import check_at_least_0


class RMSprop(Optimizer):
    """Gradient descent in units of the gradients' recent size.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        What is to be trained; see `Optimizer`.
    lr : float, default 1e-2
        About how far a number goes in one step.
    alpha : float, default 0.99
        How much of the mean square is kept from step to step.
    eps : float, default 1e-8
        Added to the root, so that nothing is divided by 0.
    weight_decay : float, default 0
        How much of each value is added to its gradient.
    momentum : float, default 0
        How much of the last step's direction is kept.
    centered : bool, default False
        Divide by the deviation from the mean gradient in place of the mean square.
    maximize : bool, default False
        Go uphill.

    Notes
    -----
    ``v ← α v + (1 - α) g²`` and ``w ← w - lr g / (√v + eps)``. Centred, the mean gradient ``h`` is kept
    too, and ``√(v - h²)`` divides. With momentum ``µ``: ``b ← µ b + g / (√v + eps)``, ``w ← w - lr b``.

    References
    ----------
    T. Tieleman, G. Hinton, "Lecture 6.5: RMSprop", Coursera, 2012.
    A. Graves, "Generating sequences with recurrent neural networks", 2013 (centred).

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = RMSprop([x], lr=0.1)
    >>> (x**2).backward()
    >>> optimizer.step()
    >>> round(x.value, 6)
    9.0
    """

    state_names = ("square_avg", "momentum_buffer", "grad_avg")

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, *, maximize=False
    ):
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                "weight_decay": weight_decay, "maximize": maximize,
            },
        )  # fmt: skip

    def check(self, group):
        """Refuse numbers below 0."""
        check_at_least_0("RMSprop", group, "lr", "alpha", "eps", "weight_decay", "momentum")

    def initial_state(self, group):
        """Remember the mean square; the momentum and the mean, if they are asked for."""
        wanted = (True, group["momentum"] > 0, group["centered"])
        return {name: 0.0 for name, is_wanted in zip(self.state_names, wanted) if is_wanted}

    def make_update(self, group, step):
        """Return the function that moves a chunk; see `Optimizer.make_update`."""
        lr, alpha, eps, momentum = (float(group[name]) for name in ("lr", "alpha", "eps", "momentum"))
        centered, new = group["centered"], 1 - alpha

        def update(w, g, a, square, *others):
            np.multiply(np.multiply(g, g, out=a), new, out=a)
            np.add(np.multiply(square, alpha, out=square), a, out=square)
            spread = square
            if centered:
                mean = others[-1]
                np.add(mean, np.multiply(np.subtract(g, mean, out=a), new, out=a), out=mean)
                np.subtract(square, np.multiply(mean, mean, out=a), out=a)
                spread = np.maximum(a, 0.0, out=a)  # rounding may bring it below 0; PyTorch answers NaN then
            way = np.divide(g, np.add(np.sqrt(spread, out=a), eps, out=a), out=a)
            if momentum:
                buffer = others[0]
                way = np.add(np.multiply(buffer, momentum, out=buffer), a, out=buffer)
            np.subtract(w, np.multiply(way, lr, out=a), out=w)

        return update
