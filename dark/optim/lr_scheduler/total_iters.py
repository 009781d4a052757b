"""Schedulers that change the rates during the first `total_iters` epochs: a constant factor, a line, a polynomial."""

from dark.checks import integer, number
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.optimizer import Optimizer

ADVICE = "the largest learning rate in the optimizer, and factors of it here."


class ConstantLR(LRScheduler):
    """Multiply the learning rates by a constant factor during the first epochs.

    Parameters
    ----------
    optimizer : Optimizer
    factor : float, default 1 / 3
        Above 0, at most 1.
    total_iters : int, default 5
        The number of epochs with the factor; at the end the rates are divided by it.
    last_epoch : int, default -1

    Examples
    --------
    >>> import dark
    >>> scheduler = ConstantLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), factor=0.5, total_iters=2)
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(3):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> rates
    [0.5, 0.5, 1.0, 1.0]
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        number(factor, "ConstantLR", "factor", above=0, most=1, advice=ADVICE)
        self.factor, self.total_iters = factor, integer(total_iters, "ConstantLR", "total_iters", 1)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by `factor` at the start and divided by it at the end."""
        if self.last_epoch == 0:
            return self.scaled(self.factor)
        return self.scaled(1.0 / self.factor if self.last_epoch == self.total_iters else 1.0)

    def starting_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by `factor`."""
        return [lr * self.factor for lr in self.base_lrs]


class LinearLR(LRScheduler):
    """Change a factor of the learning rates linearly, then keep it constant: a warm-up, for example.

    Parameters
    ----------
    optimizer : Optimizer
    start_factor : float, default 1 / 3
        Above 0, at most 1.
    end_factor : float, default 1.0
        From 0 to 1.
    total_iters : int, default 5
        The number of epochs until `end_factor` is reached.
    last_epoch : int, default -1

    Examples
    --------
    >>> import dark
    >>> scheduler = LinearLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), start_factor=0.25, total_iters=3)
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(4):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> rates
    [0.25, 0.5, 0.75, 1.0, 1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        number(start_factor, "LinearLR", "start_factor", above=0, most=1, advice=ADVICE)
        number(end_factor, "LinearLR", "end_factor", least=0, most=1, advice=ADVICE)
        total_iters = integer(total_iters, "LinearLR", "total_iters", 1)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by the ratio of this factor and the previous one."""
        if self.last_epoch == 0:
            return self.scaled(self.start_factor)
        if self._step_count == 1 or self.last_epoch > self.total_iters:
            return self.scaled(1.0)
        rise = self.end_factor - self.start_factor
        return self.scaled(1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))

    def starting_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by `start_factor`."""
        return [lr * self.start_factor for lr in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Decay the learning rates to 0 by a power of the remaining fraction of the epochs.

    Parameters
    ----------
    optimizer : Optimizer
    total_iters : int, default 5
        The number of epochs until the rates are 0.
    power : float, default 1.0
        0 or more; 1 is a linear decay.
    last_epoch : int, default -1

    Notes
    -----
    ``lr = base_lr (1 - epoch / total_iters) ** power``, computed recursively from the previous rate, as in PyTorch.

    Examples
    --------
    >>> import dark
    >>> scheduler = PolynomialLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), total_iters=4, power=2)
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(5):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.5625, 0.25, 0.0625, 0.0, 0.0]
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        total_iters = integer(total_iters, "PolynomialLR", "total_iters", 1)
        number(power, "PolynomialLR", "power", least=0)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by the ratio of this power and the previous one."""
        if self._step_count == 1 or self.last_epoch > self.total_iters:
            return self.scaled(1.0)
        remaining, before = (1.0 - epoch / self.total_iters for epoch in (self.last_epoch, self.last_epoch - 1))
        return self.scaled((remaining / before) ** self.power)
