"""Schedulers that multiply the learning rates by a factor of the epoch: a table of formulas, one for each."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from dark.checks import describe, integer, number
from dark.errors import ValueTypeError
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.optimizer import Optimizer

ADVICE = "the largest learning rate in the optimizer, and factors of it here."


class FactorLR(LRScheduler):
    """Multiply the learning rates by a factor of the epoch."""

    @abstractmethod
    def _factor(self, epoch: int) -> float:
        """Return the factor between the previous epoch and this one."""

    def get_lr(self) -> list[float]:
        """Return the current learning rates, multiplied by the factor of this epoch."""
        return self.scaled(self._factor(self.last_epoch))

    def _starting_factor(self) -> float:
        """Return the factor of epoch 0."""
        return 1

    def starting_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by the factor of epoch 0."""
        return [lr * self._starting_factor() for lr in self.base_lrs]


class StepLR(FactorLR):
    """Multiply the learning rates by `gamma` every `step_size` epochs.

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
        number(gamma, "StepLR", "gamma")
        self.step_size, self.gamma = integer(step_size, "StepLR", "step_size", 1), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma if epoch > 0 and epoch % self.step_size == 0 else 1.0


class MultiStepLR(FactorLR):
    """Multiply the learning rates by `gamma` at each milestone, an epoch; one that is repeated counts twice.

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
        if isinstance(milestones, str) or not hasattr(milestones, "__iter__"):
            problem = f"MultiStepLR: milestones must be integers, got {describe(milestones)}."
            raise ValueTypeError(problem, "a list of integers.", "milestones=[30, 80]")
        self.milestones, self.gamma = sorted(integer(m, "MultiStepLR", "milestones") for m in milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma ** self.milestones.count(epoch)

    def _starting_factor(self) -> float:
        return self.gamma ** sum(m <= 0 for m in self.milestones)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state; PyTorch's, which has a Counter of milestones, is accepted, too."""
        milestones = state_dict.get("milestones") if isinstance(state_dict, Mapping) else None
        if milestones is not None and hasattr(milestones, "elements"):
            state_dict = {**state_dict, "milestones": sorted(milestones.elements())}
        super().load_state_dict(state_dict)


class ExponentialLR(FactorLR):
    """Multiply the learning rates by `gamma` every epoch.

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

    def _factor(self, epoch: int) -> float:
        return 1.0 if self._step_count == 1 else self.gamma


class ConstantLR(FactorLR):
    """Multiply the learning rates by a factor, above 0 and at most 1, during the first `total_iters` epochs.

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

    def _factor(self, epoch: int) -> float:
        return self.factor if epoch == 0 else 1.0 / self.factor if epoch == self.total_iters else 1.0

    def _starting_factor(self) -> float:
        return self.factor


class LinearLR(FactorLR):
    """Change a factor of the learning rates linearly, then keep it constant: a warm-up, for example.

    It changes during `total_iters` epochs, from `start_factor`, above 0 and at most 1, to `end_factor`, from 0 to 1.

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
        self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        number(start_factor, "LinearLR", "start_factor", above=0, most=1, advice=ADVICE)
        number(end_factor, "LinearLR", "end_factor", least=0, most=1, advice=ADVICE)
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters: int = integer(total_iters, "LinearLR", "total_iters", 1)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        if epoch == 0:
            return self.start_factor
        if self._step_count == 1 or epoch > self.total_iters:
            return 1.0
        rise = self.end_factor - self.start_factor
        return 1.0 + rise / (self.total_iters * self.start_factor + (epoch - 1) * rise)

    def _starting_factor(self) -> float:
        return self.start_factor


class PolynomialLR(FactorLR):
    """Decay the learning rates to 0 in `total_iters` epochs, by a power, 0 or more, of the remaining fraction of them.

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
        number(power, "PolynomialLR", "power", least=0)
        self.total_iters, self.power = integer(total_iters, "PolynomialLR", "total_iters", 1), power
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        if self._step_count == 1 or epoch > self.total_iters:
            return 1.0
        remaining, before = (1.0 - e / self.total_iters for e in (epoch, epoch - 1))
        factor: float = (remaining / before) ** self.power
        return factor
