"""Schedulers by a function of the epoch: of the initial rates, and of the previous ones."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from dark.checks import callable_with, number
from dark.optim.lr_scheduler.scheduler import LRScheduler, check_optimizer, per_group
from dark.optim.optimizer import Optimizer

Factor: TypeAlias = Callable[[int], float]


class FunctionLR(LRScheduler):
    """Base class of schedulers that call a function of the epoch, one for all groups or one for each."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_epoch: int = -1) -> None:
        who = type(self).__name__
        check_optimizer(optimizer, who)
        functions = per_group(who, "lr_lambda", lr_lambda, optimizer.param_groups, what="function")
        self.lr_lambdas: list[Factor] = [callable_with(f, who, "lr_lambda", ("epoch",)) for f in functions]
        super().__init__(optimizer, last_epoch)

    def _times_factors(self, rates: list[float]) -> list[float]:
        """Multiply the rate of each group by its factor."""
        name = f"lr_lambda({self.last_epoch})"
        factors = [number(f(self.last_epoch), type(self).__name__, name) for f in self.lr_lambdas]
        return [lr * factor for lr, factor in zip(rates, factors)]


class LambdaLR(FunctionLR):
    """Multiply the initial learning rates by a function of the epoch, one for all groups or one for each.

    Examples
    --------
    >>> import dark
    >>> scheduler = LambdaLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), lambda epoch: 1 / (1 + epoch))
    >>> for _ in range(3):
    ...     scheduler.step()
    >>> scheduler
    LambdaLR(epoch 3, lr 0.25)
    """

    def get_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by the factors of this epoch."""
        return self._times_factors(self.base_lrs)

    starting_lr = get_lr


class MultiplicativeLR(FunctionLR):
    """Multiply the previous learning rates by a function of the epoch, from epoch 1 on, one for all groups or for each.

    Examples
    --------
    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> scheduler = MultiplicativeLR(optimizer, lambda epoch: 0.5 if epoch < 3 else 1.0)
    >>> for _ in range(4):
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by the factors of this epoch after the first one."""
        return self.scaled(1.0) if self._step_count == 1 else self.starting_lr()

    def starting_lr(self) -> list[float]:
        """Return the current learning rates, which another scheduler has left, multiplied by the factors."""
        return self._times_factors([group["lr"] for group in self.optimizer.param_groups])
