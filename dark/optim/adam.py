"""Adam and AdamW: adaptive moment estimation, with L2 regularization or decoupled weight decay."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dark.checks import describe, number
from dark.errors import UsageError
from dark.optim import rules
from dark.optim.optimizer import Optimizer
from dark.optim.parameter_groups import Params
from dark.typing import Array


class MomentOptimizer(Optimizer):
    """Base class of optimizers with running averages, the estimated moments of the gradient; see `Optimizer`."""

    state_names: tuple[str, ...] = ("exp_avg", "exp_avg_sq")
    not_negative = ("lr", "eps", "weight_decay")

    def check(self, group: dict[str, Any]) -> None:
        """Check that all numbers are 0 or more, and that betas are two numbers in [0, 1)."""
        super().check(group)
        who, betas = type(self).__name__, group["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2:
            raise UsageError(
                f"{who}: betas must be a pair, got {describe(betas)}.", "a pair of numbers.", "betas=(0.9, 0.999)"
            )
        for i, beta in enumerate(betas):
            number(beta, who, f"betas[{i}]", least=0, below=1)

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the running averages of the gradient and of its square."""
        return dict.fromkeys(self.state_names, 0.0)

    def decay(self, group: dict[str, Any]) -> float:
        """Return the weight decay that is added to the gradient: 0 if it is decoupled."""
        return 0 if group["decoupled_weight_decay"] else group["weight_decay"]


class Adam(MomentOptimizer):
    """Adam: divides the running average of the gradient by the square root of the running average of its square.

    With `amsgrad`, it divides by the largest running average of the square so far. For the other parameters see
    `Optimizer`.

    With gradient ``g`` at step ``t``: ``m ← β₁ m + (1 - β₁) g``, ``v ← β₂ v + (1 - β₂) g²``, and
    ``w ← w - lr m̂ / (√v̂ + eps)``, where ``m̂ = m / (1 - β₁ᵗ)`` and ``v̂ = v / (1 - β₂ᵗ)``. As in
    PyTorch, `eps` is added to the bias-corrected root; the paper's "efficient" form adds it to the uncorrected
    ``√v``. The bias corrections are folded into `lr` and `eps`, which saves two passes over the arrays.

    D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015.
    S. J. Reddi, S. Kale, S. Kumar, "On the convergence of Adam and beyond", ICLR 2018 (amsgrad).

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = Adam([x], lr=0.1)
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (2 * x**2 + 5).backward()
    ...     optimizer.step()
    ...     print(round(x.value, 5), end=" ")
    9.9 9.80003 9.7001
    """

    _rule = staticmethod(rules.adam)
    state_names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, maximize: bool = False,
        decoupled_weight_decay: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize, "decoupled_weight_decay": decoupled_weight_decay,
        })  # fmt: skip

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Keep the running averages of the gradient and of its square, with `amsgrad` the largest of the second."""
        return dict.fromkeys(self.state_names if group["amsgrad"] else self.state_names[:2], 0.0)

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of a chunk; see `Optimizer.make_update`."""
        lr, (beta1, beta2) = float(group["lr"]), map(float, group["betas"])
        root = math.sqrt(1 - beta2**step)
        size, eps = lr * root / (1 - beta1**step), float(group["eps"]) * root
        new1, new2 = 1 - beta1, 1 - beta2
        shrink = 1 - lr * float(group["weight_decay"]) if group["decoupled_weight_decay"] else 1.0

        def update(w: Array, g: Array, a: Array, m: Array, v: Array, largest: Array | None = None) -> None:
            np.multiply(np.subtract(g, m, out=a), new1, out=a)  # as `averaging`, without a call
            np.add(m, a, out=m)
            np.multiply(np.multiply(g, g, out=a), new2, out=a)
            np.add(np.multiply(v, beta2, out=v), a, out=v)
            if largest is not None:
                v = np.maximum(largest, v, out=largest)
            np.add(np.sqrt(v, out=a), eps, out=a)
            np.multiply(np.divide(m, a, out=a), size, out=a)
            if shrink != 1.0:
                np.multiply(w, shrink, out=w)
            np.subtract(w, a, out=w)

        return update


class AdamW(Adam):
    """Adam with decoupled weight decay: each step first multiplies every value by ``1 - lr * weight_decay``.

    I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR 2019.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(10.0)
    >>> optimizer = AdamW([x], lr=0.1, weight_decay=0.5)
    >>> x.grad = 0.0
    >>> optimizer.step()
    >>> x.value
    9.5
    """

    def __init__(
        self, params: Params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)
