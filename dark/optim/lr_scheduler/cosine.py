"""Cosine annealing: the rates fall by half a period of a cosine; with warm restarts, again and again."""

import math

from dark.checks import integer, number
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """Anneal the learning rates by half a period of the cosine.

    After `T_max` epochs `eta_min` is reached; then the rates increase again:
    ``lr = eta_min + (base_lr - eta_min) (1 + cos(π epoch / T_max)) / 2``, computed recursively from the previous
    rate, as in PyTorch.

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
        number(eta_min, "CosineAnnealingLR", "eta_min")
        self.T_max, self.eta_min = integer(T_max, "CosineAnnealingLR", "T_max", 1), eta_min
        super().__init__(optimizer, last_epoch)

    def _cosine_factor(self, epoch: int) -> float:
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


class CosineAnnealingWarmRestarts(LRScheduler):
    """Anneal the learning rates by a cosine, and restart from the initial rates after each period.

    The first period has `T_0` epochs, each further one `T_mult` times as many as the previous one; `eta_min` is the
    lowest rate. `T_cur` is the number of epochs since the last restart, and `T_i` the number in the current period:
    ``lr = eta_min + (base_lr - eta_min) (1 + cos(π T_cur / T_i)) / 2``. Between epochs, ``step(epoch + i / n)`` after
    batch ``i`` of ``n`` anneals smoothly. `last_epoch` continues in the period that it lies in. See
    `CosineAnnealingLR` for the source.

    Examples
    --------
    >>> import dark
    >>> scheduler = CosineAnnealingWarmRestarts(dark.optim.SGD([dark.Parameter(3)], lr=1.0), T_0=2, T_mult=2)
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(4):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> [round(rate, 3) for rate in rates]
    [1.0, 0.5, 1.0, 0.854, 0.5]
    >>> scheduler.step(5.5)
    >>> scheduler
    CosineAnnealingWarmRestarts(epoch 5, lr 0.0380602)
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        who = "CosineAnnealingWarmRestarts"
        number(eta_min, who, "eta_min")
        self.T_0, self.T_mult, self.eta_min = integer(T_0, who, "T_0", 1), integer(T_mult, who, "T_mult", 1), eta_min
        self.T_cur, self.T_i = self._place(max(integer(last_epoch, who, "last_epoch", -1), 0))
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates at `T_cur` of the current period."""
        fraction = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (lr - self.eta_min) * fraction for lr in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Advance by one epoch, or to a given one, 0 or more; a fraction lies between two epochs."""
        if epoch is not None:
            epoch = number(epoch, "CosineAnnealingWarmRestarts", "epoch", least=0)
            since, period = self._place(epoch)
        elif self.last_epoch < 0:
            epoch, since, period = 0, 0, self.T_0
        else:
            epoch, since, period = self.last_epoch + 1, self.T_cur + 1, self.T_i
            if since >= period:
                since, period = since - period, period * self.T_mult
        self._advance(last_epoch=math.floor(epoch), _step_count=self._step_count + 1, T_cur=since, T_i=period)

    def _place(self, epoch: float) -> tuple[float, int]:
        """Return the number of epochs since the last restart, and the number of epochs of its period."""
        if self.T_mult == 1:
            return epoch % self.T_0, self.T_0
        period = self.T_0
        while epoch >= period:
            epoch, period = epoch - period, period * self.T_mult
        return epoch, period
