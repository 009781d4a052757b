"""Schedulers by a function of the epoch: of the initial rates, and of the previous ones."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from dark.checks import callable_with, number
from dark.optim.lr_scheduler.group_checks import check_optimizer, per_group
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.optimizer import Optimizer

Factor: TypeAlias = Callable[[int], float]


class LambdaLR(LRScheduler):
    """Multiply the initial learning rates by a function of the epoch.

    Parameters
    ----------
    optimizer : Optimizer
    lr_lambda : callable or list of callable
        Called as ``lr_lambda(epoch)``; returns the factor. One function for all groups, or one for each.
    last_epoch : int, default -1

    Raises
    ------
    UsageError, ValueTypeError
        If a function is not callable with one argument or does not return a number, or their number is not that of
        the groups.

    Notes
    -----
    A `state_dict` holds the attributes of callable objects, but not plain functions: create the scheduler with the
    same functions before `load_state_dict`, as in PyTorch.

    Examples
    --------
    >>> import dark
    >>> scheduler = LambdaLR(dark.optim.SGD([dark.Parameter(3)], lr=1.0), lambda epoch: 1 / (1 + epoch))
    >>> for _ in range(3):
    ...     scheduler.step()
    >>> scheduler
    LambdaLR(epoch 3, lr 0.25)
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_epoch: int = -1) -> None:
        self.lr_lambdas: list[Factor] = _functions("LambdaLR", optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by the factors of this epoch."""
        factors = _factors("LambdaLR", self.lr_lambdas, self.last_epoch)
        return [lr * factor for lr, factor in zip(self.base_lrs, factors)]

    def starting_lr(self) -> list[float]:
        """Return the initial learning rates, multiplied by the factors of epoch 0."""
        return self.get_lr()


class MultiplicativeLR(LRScheduler):
    """Multiply the previous learning rates by a function of the epoch, from epoch 1 on.

    Parameters
    ----------
    optimizer : Optimizer
    lr_lambda : callable or list of callable
        Called as ``lr_lambda(epoch)``; returns the factor. One function for all groups, or one for each.
    last_epoch : int, default -1

    Raises
    ------
    UsageError, ValueTypeError
        As for `LambdaLR`; its note on `state_dict` holds, too.

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

    def __init__(self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_epoch: int = -1) -> None:
        self.lr_lambdas: list[Factor] = _functions("MultiplicativeLR", optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates, multiplied by the factors of this epoch after the first one."""
        return self.scaled(1.0) if self._step_count == 1 else self.starting_lr()

    def starting_lr(self) -> list[float]:
        """Return the current learning rates, which another scheduler has left, multiplied by the factors."""
        factors = _factors("MultiplicativeLR", self.lr_lambdas, self.last_epoch)
        return [group["lr"] * factor for group, factor in zip(self.optimizer.param_groups, factors)]


def _functions(who, optimizer, lr_lambda):
    """Return one function for each group."""
    check_optimizer(optimizer, who)
    functions = per_group(who, "lr_lambda", lr_lambda, optimizer.param_groups, what="function")
    return [callable_with(function, who, "lr_lambda", ("epoch",)) for function in functions]


def _factors(who, functions, epoch):
    """Return the factor of each group."""
    return [number(function(epoch), who, f"lr_lambda({epoch})") for function in functions]
