"""Stochastic gradient descent, with or without momentum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.checks import number
from dark.errors import UsageError
from dark.optim import rules
from dark.optim.optimizer import Optimizer
from dark.optim.parameter_groups import Params
from dark.typing import Array


class SGD(Optimizer):
    """Stochastic gradient descent.

    `momentum` is a factor, and `dampening` the part of a new gradient that does not enter the momentum. Nesterov
    momentum is refused without momentum, or with dampening. For the other parameters see `Optimizer`.

    With gradient ``g``, momentum ``µ``, dampening ``τ``: ``b ← µ b + (1 - τ) g``, on the first step ``b ← g``; then
    ``w ← w - lr b``, with Nesterov momentum ``w ← w - lr (g + µ b)``.

    I. Sutskever, J. Martens, G. Dahl, G. Hinton, "On the importance of initialization and momentum in deep learning",
    ICML 2013.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = SGD([x], lr=0.1)
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (2 * x**2 + 5).backward()
    ...     optimizer.step()
    ...     print(round(x.value, 4), end=" ")
    6.0 3.6 2.16
    """

    _rule = staticmethod(rules.sgd)
    not_negative = ("lr", "momentum", "weight_decay")
    state_names = ("momentum_buffer",)
    counts_steps = False

    def __init__(
        self, params: Params, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize,
        })  # fmt: skip

    def check(self, group: dict[str, Any]) -> None:
        """Check that all numbers are 0 or more, and that Nesterov momentum has a momentum factor."""
        super().check(group)
        number(group["dampening"], "SGD", "dampening")
        if group["nesterov"] and (not group["momentum"] or group["dampening"]):
            raise UsageError(
                f"SGD: nesterov must have momentum and no dampening, got {group['momentum']} and {group['dampening']}.",
                "a momentum above 0, and dampening=0.",
                "SGD(params, lr=0.1, momentum=0.9, nesterov=True)",
            )

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the momentum, if it is used."""
        return {"momentum_buffer": 0.0} if group["momentum"] else {}

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of a chunk; see `Optimizer.make_update`."""
        lr, momentum, nesterov = float(group["lr"]), float(group["momentum"]), group["nesterov"]
        fraction = 1.0 if step == 1 else 1.0 - float(group["dampening"])
        if not momentum:
            return lambda w, g, a: np.subtract(w, np.multiply(g, lr, out=a), out=w)

        def update(w: Array, g: Array, a: Array, buffer: Array) -> None:
            np.multiply(buffer, momentum, out=buffer)
            np.add(buffer, g if fraction == 1.0 else np.multiply(g, fraction, out=a), out=buffer)
            direction = buffer
            if nesterov:
                direction = np.add(g, np.multiply(buffer, momentum, out=a), out=a)
            np.subtract(w, np.multiply(direction, lr, out=a), out=w)

        return update
