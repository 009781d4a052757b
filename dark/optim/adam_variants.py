"""NAdam, Adam with Nesterov momentum, and RAdam, whose first steps are rectified."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dark.optim import rules
from dark.optim.adam import MomentOptimizer
from dark.optim.parameter_groups import Params
from dark.typing import Array, Group


class NAdam(MomentOptimizer):
    """NAdam: Adam with Nesterov momentum, whose factor increases in each step, at the rate `momentum_decay`.

    For the other parameters see `Optimizer`.

    With the running averages ``m`` and ``v`` of Adam at step ``t``: ``µₜ = β₁ (1 - 0.96^(ψ t) / 2)``, where ``ψ`` is
    `momentum_decay`, and ``Πₜ`` is the product ``µ₁ … µₜ``. Then ``w ← w - lr n / (√v̂ + eps)`` with
    ``n = (1 - µₜ) g / (1 - Πₜ) + µₜ₊₁ m / (1 - Πₜ₊₁)`` and ``v̂ = v / (1 - β₂ᵗ)``. ``Πₜ`` is kept in float32 for each
    parameter, as `mu_product`, as in PyTorch.

    T. Dozat, "Incorporating Nesterov momentum into Adam", ICLR workshop 2016.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = NAdam([x], lr=0.1)
    >>> (2 * x**2 + 5).backward()
    >>> optimizer.step()
    >>> round(x.value, 5)
    9.89435
    """

    _rule = staticmethod(rules.nadam)
    not_negative = (*MomentOptimizer.not_negative, "momentum_decay")
    initial_numbers: Mapping[str, float] = {"mu_product": 1.0}

    def __init__(
        self, params: Params, lr: float = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, momentum_decay: float = 4e-3, decoupled_weight_decay: bool = False, *,
        maximize: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize,
        })  # fmt: skip

    def advance(self, group: dict[str, Any], step: int, numbers: dict[str, float]) -> dict[str, float]:
        """Multiply the product of all momentum factors by the factor of this step."""
        numbers["mu_product"] = float(np.float32(numbers["mu_product"]) * np.float32(_momentum(group, step)))
        return numbers

    def make_update(self, group: dict[str, Any], step: int, mu_product: float = 1.0) -> Callable[..., Any]:
        """Return the update of a chunk; see `Optimizer.make_update`."""
        lr, following = float(group["lr"]), _momentum(group, step + 1)
        root = math.sqrt(1 - float(group["betas"][1]) ** step)
        of_gradient = lr * root * (1 - _momentum(group, step)) / (1 - mu_product)
        of_average = lr * root * following / (1 - mu_product * following)
        eps, average = float(group["eps"]) * root, averaging(group["betas"])
        shrink = 1 - lr * float(group["weight_decay"]) if group["decoupled_weight_decay"] else 1.0

        def update(w: Array, g: Array, a: Array, m: Array, v: Array) -> None:
            average(g, a, m, v)
            if shrink != 1.0:
                np.multiply(w, shrink, out=w)
            root_of_square = np.add(np.sqrt(v), eps)
            for direction, size in ((g, of_gradient), (m, of_average)):
                np.subtract(w, np.multiply(np.divide(direction, root_of_square, out=a), size, out=a), out=w)

        return update


def _momentum(group: Group, step: int) -> float:
    """Return the momentum factor of a step."""
    return rules.momentum_factor(float(group["betas"][0]), float(group["momentum_decay"]), step)


class RAdam(MomentOptimizer):
    """RAdam: Adam with a rectified variance, which replaces a warm-up of the learning rate.

    For its parameters see `Optimizer`.

    With the running averages ``m`` and ``v`` of Adam at step ``t``, and ``ρ = 2 / (1 - β₂) - 1``: the average of the
    square is as reliable as one of ``ρₜ = ρ - 2 t β₂ᵗ / (1 - β₂ᵗ)`` gradients. Where ``ρₜ > 5``,
    ``w ← w - lr rₜ m̂ √(1 - β₂ᵗ) / (√v + eps)`` with ``rₜ² = (ρₜ - 4) (ρₜ - 2) ρ / ((ρ - 4) (ρ - 2) ρₜ)``;
    otherwise ``w ← w - lr m̂``, where ``m̂ = m / (1 - β₁ᵗ)``.

    L. Liu et al., "On the variance of the adaptive learning rate and beyond", ICLR 2020.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = RAdam([x], lr=0.1)
    >>> (x**2).backward()
    >>> optimizer.step()
    >>> round(x.value, 3)
    8.0
    """

    _rule = staticmethod(rules.radam)

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, decoupled_weight_decay: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "decoupled_weight_decay": decoupled_weight_decay,
        })  # fmt: skip

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of a chunk; see `Optimizer.make_update`."""
        lr, (beta1, beta2) = float(group["lr"]), map(float, group["betas"])
        size, eps, average = lr / (1 - beta1**step), float(group["eps"]), averaging(group["betas"])
        shrink = 1 - lr * float(group["weight_decay"]) if group["decoupled_weight_decay"] else 1.0
        rectified = rules.rectification(beta2, step)
        if rectified:
            size *= rectified * math.sqrt(1 - beta2**step)

        def update(w: Array, g: Array, a: Array, m: Array, v: Array) -> None:
            average(g, a, m, v)
            if shrink != 1.0:
                np.multiply(w, shrink, out=w)
            direction = np.divide(m, np.add(np.sqrt(v, out=a), eps, out=a), out=a) if rectified else m
            np.subtract(w, np.multiply(direction, size, out=a), out=w)

        return update


def averaging(betas: tuple[float, float]) -> Callable[[Array, Array, Array, Array], None]:
    """Return the function that updates both running averages in place, called as ``average(g, a, m, v)``.

    ``m ← β₁ m + (1 - β₁) g`` and ``v ← β₂ v + (1 - β₂) g²``, with a scratch array ``a``, all of one shape.
    """
    beta1, beta2 = map(float, betas)
    new1, new2 = 1 - beta1, 1 - beta2

    def average(g: Array, a: Array, m: Array, v: Array) -> None:
        np.multiply(np.subtract(g, m, out=a), new1, out=a)
        np.add(m, a, out=m)
        np.multiply(np.multiply(g, g, out=a), new2, out=a)
        np.add(np.multiply(v, beta2, out=v), a, out=v)

    return average
