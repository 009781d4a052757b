"""Adam, which gives each number a step of its own from the means of gradient and squared gradient; AdamW."""

import math

import numpy as np

from dark.errors import UsageError
from dark.nodes.values import describe
from dark.optim.optimizer import Optimizer
from dark.optim.options import check_at_least_0, check_fraction


class Adam(Optimizer):
    """Adaptive moment estimation.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        What is to be trained; see `Optimizer`.
    lr : float, default 1e-3
        About how far a number goes in one step.
    betas : tuple of two float, default (0.9, 0.999)
        How much of the mean of the gradient, and of its square, is kept from step to step.
    eps : float, default 1e-8
        Added to the root, so that nothing is divided by 0.
    weight_decay : float, default 0
        How much of each value is added to its gradient.
    amsgrad : bool, default False
        Divide by the largest mean square so far.
    maximize : bool, default False
        Go uphill.
    decoupled_weight_decay : bool, default False
        Shrink the values themselves, as `AdamW` does.

    Notes
    -----
    With gradient ``g`` at step ``t``: ``m ← β₁ m + (1 - β₁) g``, ``v ← β₂ v + (1 - β₂) g²``, and
    ``w ← w - lr m̂ / (√v̂ + eps)``, where ``m̂ = m / (1 - β₁ᵗ)`` and ``v̂ = v / (1 - β₂ᵗ)``. As in
    PyTorch `eps` stands outside the root, beside the corrected one: a first gradient of 1e-8 goes half
    a step. The paper's "efficient" form, with ``eps`` beside the uncorrected ``√v``, would go a
    thirtieth of one. Here the corrections are moved into `lr` and `eps`, which saves two passes.

    References
    ----------
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
    ...     print(round(x.value, 5))
    9.9
    9.80003
    9.7001
    """

    state_names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False,
        *, maximize=False, decoupled_weight_decay=False,
    ):  # fmt: skip
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                "maximize": maximize, "decoupled_weight_decay": decoupled_weight_decay,
            },
        )  # fmt: skip

    def check(self, group):
        """Refuse numbers below 0, and betas that are not two fractions."""
        who = type(self).__name__
        check_at_least_0(who, group, "lr", "eps", "weight_decay")
        betas = group["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2:
            raise UsageError(f"{who}: betas is {describe(betas)}.", "two fractions.", "betas=(0.9, 0.999)")
        check_fraction(who, {"betas[0]": betas[0], "betas[1]": betas[1]}, "betas[0]", "betas[1]")

    def initial_state(self, group):
        """Remember the means of the gradient and of its square."""
        names = self.state_names if group["amsgrad"] else self.state_names[:2]
        return dict.fromkeys(names, 0.0)

    def decay(self, group):
        """Return the decay that goes through the gradient: none if it is decoupled."""
        return 0 if group["decoupled_weight_decay"] else group["weight_decay"]

    def make_update(self, group, step):
        """Return the function that moves a chunk; see `Optimizer.make_update`."""
        lr, (beta1, beta2) = float(group["lr"]), map(float, group["betas"])
        root = math.sqrt(1 - beta2**step)
        size, eps = lr * root / (1 - beta1**step), float(group["eps"]) * root
        new1, new2 = 1 - beta1, 1 - beta2
        kept = 1 - lr * float(group["weight_decay"]) if group["decoupled_weight_decay"] else 1.0

        def update(w, g, a, m, v, largest=None):
            np.multiply(np.subtract(g, m, out=a), new1, out=a)
            np.add(m, a, out=m)
            np.multiply(np.multiply(g, g, out=a), new2, out=a)
            np.add(np.multiply(v, beta2, out=v), a, out=v)
            if largest is not None:
                v = np.maximum(largest, v, out=largest)
            np.add(np.sqrt(v, out=a), eps, out=a)
            np.multiply(np.divide(m, a, out=a), size, out=a)
            if kept != 1.0:
                np.multiply(w, kept, out=w)
            np.subtract(w, a, out=w)

        return update


class AdamW(Adam):
    """Adam whose weight decay shrinks the values themselves, past the means of the gradients.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        What is to be trained; see `Optimizer`.
    lr, betas, eps, amsgrad, maximize
        As for `Adam`.
    weight_decay : float, default 1e-2
        Each step multiplies every value by ``1 - lr weight_decay`` first.

    References
    ----------
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
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)
