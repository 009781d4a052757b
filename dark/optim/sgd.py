"""Gradient descent with one step size, with or without momentum."""

import numpy as np

from dark.errors import UsageError
from dark.optim.optimizer import Optimizer
from dark.optim.options import check_at_least_0


class SGD(Optimizer):
    """Stochastic gradient descent.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        What is to be trained; see `Optimizer`.
    lr : float, default 1e-3
        How far to go for each unit of slope.
    momentum : float, default 0
        How much of the last step's direction is kept.
    dampening : float, default 0
        How much of a new gradient is left out of the momentum.
    weight_decay : float, default 0
        How much of each value is added to its gradient.
    nesterov : bool, default False
        Look ahead along the momentum.
    maximize : bool, default False
        Go uphill.

    Raises
    ------
    UsageError
        Also if `nesterov` comes without momentum, or with dampening.

    Notes
    -----
    With gradient ``g``, momentum ``µ``, dampening ``τ``: ``b ← µ b + (1 - τ) g``, on the first step
    ``b ← g``; then ``w ← w - lr b``, with Nesterov's way ``w ← w - lr (g + µ b)``.

    References
    ----------
    I. Sutskever, J. Martens, G. Dahl, G. Hinton, "On the importance of initialization and momentum in
    deep learning", ICML 2013.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = SGD([x], lr=0.1)
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (2 * x**2 + 5).backward()
    ...     optimizer.step()
    ...     print(round(x.value, 4))
    6.0
    3.6
    2.16
    """

    state_names = ("momentum_buffer",)
    counts_steps = False

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False):
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                "nesterov": nesterov, "maximize": maximize,
            },
        )  # fmt: skip

    def check(self, group):
        """Refuse rates and factors below 0, and Nesterov's way without momentum."""
        check_at_least_0("SGD", group, "lr", "momentum", "weight_decay")
        if group["nesterov"] and (not group["momentum"] or group["dampening"]):
            raise UsageError(
                f"SGD: nesterov with momentum {group['momentum']} and dampening {group['dampening']}.",
                "a momentum, and no dampening.",
                "SGD(params, lr=0.1, momentum=0.9, nesterov=True)",
            )

    def initial_state(self, group):
        """Remember the momentum, if there is to be one."""
        return {"momentum_buffer": 0.0} if group["momentum"] else {}

    def make_update(self, group, step):
        """Return the function that moves a chunk; see `Optimizer.make_update`."""
        lr, momentum, nesterov = float(group["lr"]), float(group["momentum"]), group["nesterov"]
        share = 1.0 if step == 1 else 1.0 - float(group["dampening"])
        if not momentum:
            return lambda w, g, a: np.subtract(w, np.multiply(g, lr, out=a), out=w)

        def update(w, g, a, buffer):
            np.multiply(buffer, momentum, out=buffer)
            np.add(buffer, g if share == 1.0 else np.multiply(g, share, out=a), out=buffer)
            way = buffer
            if nesterov:
                way = np.add(g, np.multiply(buffer, momentum, out=a), out=a)
            np.subtract(w, np.multiply(way, lr, out=a), out=w)

        return update
