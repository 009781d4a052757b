"""Schedules by a formula of the epoch: in steps, exponential, linear (a warm-up), along a cosine."""

import math
import numbers

from dark.errors import UsageError
from dark.nodes.values import describe
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.options import check_numbers, check_periods


class StepLR(LRScheduler):
    """Multiply the rates by `gamma` every `step_size` epochs.

    Parameters
    ----------
    optimizer : Optimizer
    step_size : int
        Above 0.
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

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        check_periods("StepLR", step_size=step_size)
        check_numbers("StepLR", gamma=gamma)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates, smaller if a period is over."""
        is_due = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return self.scaled(self.gamma if is_due else 1.0)


class MultiStepLR(LRScheduler):
    """Multiply the rates by `gamma` at each of some epochs.

    Parameters
    ----------
    optimizer : Optimizer
    milestones : iterable of int
        The epochs; one that is named twice counts twice.
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

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        check_numbers("MultiStepLR", gamma=gamma)
        self.milestones, self.gamma = _epochs(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates, smaller at a milestone."""
        return self.scaled(self.gamma ** self.milestones.count(self.last_epoch))

    def starting_lr(self):
        """Return the first rates; smaller if a milestone stands at epoch 0."""
        return [lr * self.gamma ** sum(m <= 0 for m in self.milestones) for lr in self.base_lrs]

    def load_state_dict(self, state_dict):
        """Go on from a saved state; PyTorch's, which counts its milestones, too."""
        milestones = getattr(state_dict, "get", {}.get)("milestones")
        if hasattr(milestones, "elements"):
            state_dict = {**state_dict, "milestones": sorted(milestones.elements())}
        super().load_state_dict(state_dict)


class ExponentialLR(LRScheduler):
    """Multiply the rates by `gamma` every epoch.

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

    def __init__(self, optimizer, gamma, last_epoch=-1):
        check_numbers("ExponentialLR", gamma=gamma)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates, smaller after the first epoch."""
        return self.scaled(1.0 if self._step_count == 1 else self.gamma)


class LinearLR(LRScheduler):
    """Warm up: let a factor of the rates grow (or fall) along a line, then stay.

    Parameters
    ----------
    optimizer : Optimizer
    start_factor : float, default 1 / 3
        Above 0, at most 1.
    end_factor : float, default 1.0
        From 0 to 1.
    total_iters : int, default 5
        After how many epochs `end_factor` is reached.
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

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        check_numbers("LinearLR", start_factor=start_factor, end_factor=end_factor)
        if not (0 < start_factor <= 1 and 0 <= end_factor <= 1):
            raise UsageError(
                f"LinearLR: the factors are {start_factor} and {end_factor}.",
                "a start above 0 and an end of 0 or more, both at most 1.",
                "give the optimiser the largest rate, and factors of it here.",
            )
        check_periods("LinearLR", total_iters=total_iters)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Return the rates, changed by the quotient of two neighbours on the line."""
        if self.last_epoch == 0:
            return self.scaled(self.start_factor)
        if self._step_count == 1 or self.last_epoch > self.total_iters:
            return self.scaled(1.0)
        rise = self.end_factor - self.start_factor
        return self.scaled(1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))

    def starting_lr(self):
        """Return the smallest rates."""
        return [lr * self.start_factor for lr in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Let the rates fall along half a wave of the cosine.

    Parameters
    ----------
    optimizer : Optimizer
    T_max : int
        After how many epochs `eta_min` is reached; then the rates rise again.
    eta_min : float, default 0.0
    last_epoch : int, default -1

    Notes
    -----
    ``lr = eta_min + (base_lr - eta_min) (1 + cos(π epoch / T_max)) / 2``, computed from the rate before.

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

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        check_periods("CosineAnnealingLR", T_max=T_max)
        check_numbers("CosineAnnealingLR", eta_min=eta_min)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _height(self, epoch):
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def get_lr(self):
        """Return the rates, changed by the quotient of two neighbours on the wave."""
        epoch, low = self.last_epoch, self.eta_min
        rates = self.scaled(1.0)
        if self._step_count == 1:
            return rates
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # the rate before was the lowest: no quotient
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [lr + (base - low) * rise for lr, base in zip(rates, self.base_lrs)]
        return [self._height(epoch) / self._height(epoch - 1) * (lr - low) + low for lr in rates]


def _epochs(milestones):
    """Return milestones in their order; refuse what are no whole numbers."""
    try:
        epochs = sorted(milestones)
    except TypeError:
        epochs = [milestones]
    if not all(isinstance(m, numbers.Real) and m % 1 == 0 for m in epochs) or epochs == [milestones]:
        raise UsageError(
            f"MultiStepLR: milestones is {describe(milestones)}.", "a list of whole numbers.", "milestones=[30, 80]"
        )
    return epochs
