"""Schedulers by a formula of the epoch, without an end: step and exponential decay, cosine annealing."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from dark.checks import describe, integer, number
from dark.errors import ValueTypeError
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.optimizer import Optimizer


class StepLR(LRScheduler):
    """Multiply the learning rates by `gamma` every `step_size` epochs.

    Parameters
    ----------
    optimizer : Optimizer
    step_size : int
        The period of the decay, in epochs.
    gamma : float, default 0.1
    last_epoch : int, default -1

    Examples
    --------
    >>> import dark
    >>> scheduler = StepLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), step_size=2, gamma=0.5)
    >>> for _ in range(4):
    ...     scheduler.step()
    >>> scheduler
    StepLR(epoch 4, lr 0.25)
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        step_size = integer(step_size, "StepLR", "step_size", 1)
        number(gamma, "StepLR", "gamma")
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by `gamma` at the end of a period."""
        is_due = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return self.scaled(self.gamma if is_due else 1.0)


class MultiStepLR(LRScheduler):
    """Multiply the learning rates by `gamma` at each milestone.

    Parameters
    ----------
    optimizer : Optimizer
    milestones : iterable of int
        The epochs; one that is repeated counts twice.
    gamma : float, default 0.1
    last_epoch : int, default -1

    Examples
    --------
    >>> import dark
    >>> scheduler = MultiStepLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), [1, 3], gamma=0.5)
    >>> for _ in range(4):
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        number(gamma, "MultiStepLR", "gamma")
        self.milestones, self.gamma = _epochs(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by `gamma` at a milestone."""
        return self.scaled(self.gamma ** self.milestones.count(self.last_epoch))

    def starting_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by `gamma` for a milestone at epoch 0."""
        return [lr * self.gamma ** sum(m <= 0 for m in self.milestones) for lr in self.base_lrs]

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state; PyTorch's, which has a Counter of milestones, is accepted, too."""
        milestones = state_dict.get("milestones") if isinstance(state_dict, Mapping) else None
        if milestones is not None and hasattr(milestones, "elements"):
            state_dict = {**state_dict, "milestones": sorted(milestones.elements())}
        super().load_state_dict(state_dict)


class ExponentialLR(LRScheduler):
    """Multiply the learning rates by `gamma` every epoch.

    Parameters
    ----------
    optimizer : Optimizer
    gamma : float
    last_epoch : int, default -1

    Examples
    --------
    >>> import dark
    >>> scheduler = ExponentialLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), gamma=0.5)
    >>> for _ in range(3):
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.125]
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        number(gamma, "ExponentialLR", "gamma")
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by `gamma` after the first epoch."""
        return self.scaled(1.0 if self._step_count == 1 else self.gamma)


class CosineAnnealingLR(LRScheduler):
    """Anneal the learning rates by half a period of the cosine.

    Parameters
    ----------
    optimizer : Optimizer
    T_max : int
        The number of epochs until `eta_min` is reached; after that, the rates increase again.
    eta_min : float, default 0.0
    last_epoch : int, default -1

    Notes
    -----
    ``lr = eta_min + (base_lr - eta_min) (1 + cos(π epoch / T_max)) / 2``, computed recursively from the previous
    rate, as in PyTorch.

    References
    ----------
    I. Loshchilov, F. Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR 2017.

    Examples
    --------
    >>> import dark
    >>> scheduler = CosineAnnealingLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), T_max=4)
    >>> for _ in range(2):
    ...     scheduler.step()
    >>> scheduler
    CosineAnnealingLR(epoch 2, lr 0.5)
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        T_max = integer(T_max, "CosineAnnealingLR", "T_max", 1)
        number(eta_min, "CosineAnnealingLR", "eta_min")
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _cosine_factor(self, epoch):
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by the ratio of this cosine factor and the previous one."""
        epoch, low = self.last_epoch, self.eta_min
        rates = self.scaled(1.0)
        if self._step_count == 1:
            return rates
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # the previous factor is 0, so the ratio is undefined
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [lr + (base - low) * rise for lr, base in zip(rates, self.base_lrs)]
        return [self._cosine_factor(epoch) / self._cosine_factor(epoch - 1) * (lr - low) + low for lr in rates]


def _epochs(milestones):
    """Return milestones as a sorted list of integers."""
    if isinstance(milestones, str) or not hasattr(milestones, "__iter__"):
        raise ValueTypeError(
            f"MultiStepLR: milestones is {describe(milestones)}.", "a list of integers.", "milestones=[30, 80]"
        )
    return sorted(integer(m, "MultiStepLR", "milestones") for m in milestones)
