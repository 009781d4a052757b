"""RAdam: Adam whose first steps are rectified, while the average of the squared gradient is unreliable."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dark.optim import rules
from dark.optim.moments import MomentOptimizer, averaging
from dark.optim.parameter_groups import Params


class RAdam(MomentOptimizer):
    """RAdam: Adam with a rectified variance, which replaces a warm-up of the learning rate.

    Its parameters are those of `Optimizer`.

    Notes
    -----
    With the running averages ``m`` and ``v`` of Adam at step ``t``, and ``ρ = 2 / (1 - β₂) - 1``: the average of the
    square is as reliable as one of ``ρₜ = ρ - 2 t β₂ᵗ / (1 - β₂ᵗ)`` gradients. Where ``ρₜ > 5``,
    ``w ← w - lr rₜ m̂ √(1 - β₂ᵗ) / (√v + eps)`` with ``rₜ² = (ρₜ - 4) (ρₜ - 2) ρ / ((ρ - 4) (ρ - 2) ρₜ)``;
    otherwise ``w ← w - lr m̂``, where ``m̂ = m / (1 - β₁ᵗ)``.

    References
    ----------
    L. Liu et al., "On the variance of the adaptive learning rate and beyond", ICLR 2020.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = RAdam([x], lr=0.1)
    >>> path = []
    >>> for _ in range(7):
    ...     optimizer.zero_grad()
    ...     (x**2).backward()
    ...     optimizer.step()
    ...     path.append(round(x.value, 3))
    >>> path
    [8.0, 6.211, 4.623, 3.228, 2.016, 2.014, 2.012]
    """

    _rule = staticmethod(rules.radam)

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, decoupled_weight_decay: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of one chunk; see `Optimizer.make_update`."""
        lr, (beta1, beta2) = float(group["lr"]), map(float, group["betas"])
        size, eps, average = lr / (1 - beta1**step), float(group["eps"]), averaging(group["betas"])
        shrink = 1 - lr * float(group["weight_decay"]) if group["decoupled_weight_decay"] else 1.0
        rectified = rules.rectification(beta2, step)
        if rectified:
            size *= rectified * math.sqrt(1 - beta2**step)

        def update(w, g, a, m, v):
            average(g, a, m, v)
            if shrink != 1.0:
                np.multiply(w, shrink, out=w)
            direction = np.divide(m, np.add(np.sqrt(v, out=a), eps, out=a), out=a) if rectified else m
            np.subtract(w, np.multiply(direction, size, out=a), out=w)

        return update
