"""Adagrad and RMSprop: gradients divided by the root of the sum, or of a running average, of their squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.optim import rules
from dark.optim.optimizer import Optimizer
from dark.optim.parameter_groups import Params
from dark.typing import Array


class Adagrad(Optimizer):
    """Adagrad: divides gradients by the root of the sum of all their squares.

    At step ``t`` the learning rate is ``lr / (1 + (t - 1) lr_decay)``; the sums begin with `initial_accumulator_value`.
    For the other parameters see `Optimizer`.

    ``s ← s + g²`` and ``w ← w - lr g / (√s + eps)``.

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
        super().__init__(params, {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "maximize": maximize,
        })  # fmt: skip

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the sum of squared gradients."""
        return {"sum": float(group["initial_accumulator_value"])}

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of a chunk; see `Optimizer.make_update`."""
        lr, eps = float(group["lr"]) / (1 + (step - 1) * float(group["lr_decay"])), float(group["eps"])

        def update(w: Array, g: Array, a: Array, total: Array) -> None:
            np.add(total, np.multiply(g, g, out=a), out=total)
            np.divide(g, np.add(np.sqrt(total, out=a), eps, out=a), out=a)
            np.subtract(w, np.multiply(a, lr, out=a), out=w)

        return update


class RMSprop(Optimizer):
    """RMSprop: divides gradients by a running average of their magnitude, with the decay rate `alpha`.

    With `centered`, it divides by the standard deviation of the gradient instead of its root mean square. `momentum`
    is a factor. For the other parameters see `Optimizer`.

    ``v ← α v + (1 - α) g²`` and ``w ← w - lr g / (√v + eps)``. With `centered`, ``h`` is the running average of
    the gradient, and ``√(v - h²)`` replaces ``√v``. With momentum ``µ``: ``b ← µ b + g / (√v + eps)``,
    ``w ← w - lr b``.

    T. Tieleman, G. Hinton, "Lecture 6.5: RMSprop", Coursera, 2012.
    A. Graves, "Generating sequences with recurrent neural networks", 2013 (centered).

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

    _rule = staticmethod(rules.rmsprop)
    not_negative = ("lr", "alpha", "eps", "weight_decay", "momentum")
    state_names = ("square_avg", "momentum_buffer", "grad_avg")

    def __init__(
        self, params: Params, lr: float = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
        momentum: float = 0, centered: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "maximize": maximize,
        })  # fmt: skip

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the average of squared gradients; the momentum and the average gradient, if they are used."""
        used = (True, group["momentum"] > 0, group["centered"])
        return {name: 0.0 for name, is_used in zip(self.state_names, used) if is_used}

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of a chunk; see `Optimizer.make_update`."""
        lr, alpha, eps, momentum = (float(group[name]) for name in ("lr", "alpha", "eps", "momentum"))
        centered, new = group["centered"], 1 - alpha

        def update(w: Array, g: Array, a: Array, square: Array, *others: Array) -> None:
            np.multiply(np.multiply(g, g, out=a), new, out=a)
            np.add(np.multiply(square, alpha, out=square), a, out=square)
            variance = square
            if centered:
                mean = others[-1]
                np.add(mean, np.multiply(np.subtract(g, mean, out=a), new, out=a), out=mean)
                np.subtract(square, np.multiply(mean, mean, out=a), out=a)
                variance = np.maximum(a, 0.0, out=a)  # rounding may make it negative; PyTorch returns NaN then
            direction = np.divide(g, np.add(np.sqrt(variance, out=a), eps, out=a), out=a)
            if momentum:
                buffer = others[0]
                direction = np.add(np.multiply(buffer, momentum, out=buffer), a, out=buffer)
            np.subtract(w, np.multiply(direction, lr, out=a), out=w)

        return update
