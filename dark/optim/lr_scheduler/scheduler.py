"""`LRScheduler`: the base class of schedulers: it counts epochs, and sets the learning rates at each."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from dark.checks import describe, integer, number
from dark.errors import UsageError
from dark.optim.lr_scheduler.scheduler_state import RateSchedule
from dark.optim.optimizer import Optimizer
from dark.typing import Group


class LRScheduler(RateSchedule, ABC):
    """Base class of schedulers, which set the learning rates of an optimizer every epoch or every step.

    Call ``scheduler.step()`` after ``optimizer.step()``. Each rate is computed from the previous one, so that a rate
    assigned by the user is the new starting point, as in PyTorch. The initial rates are `base_lrs`, also stored as
    ``"initial_lr"`` in the groups.

    All schedulers have the parameters `optimizer`, which may be any object with `param_groups`, a list of dictionaries
    with ``"lr"``; and `last_epoch`, the epoch (of schedulers of steps, the step) after which to resume, -1 from the
    beginning. A `state_dict` holds the attributes of callable objects given to a scheduler, but not plain functions:
    create it with the same functions before `load_state_dict`, as in PyTorch.

    Examples
    --------
    >>> import dark
    >>> class Halving(LRScheduler):
    ...     '''Halves the learning rates every epoch.'''
    ...     def get_lr(self):
    ...         return [group["lr"] / 2 if self.last_epoch else group["lr"] for group in self.optimizer.param_groups]
    >>> scheduler = Halving(dark.optim.SGD([dark.Parameter(3)], lr=0.1))
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.05]
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        who = type(self).__name__
        check_optimizer(optimizer, who)
        last_epoch = integer(last_epoch, who, "last_epoch", -1)
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise UsageError(
                    f"{who}: last_epoch must be -1 if a group has no initial_lr, got {last_epoch}.",
                    "an optimizer that has been scheduled before.",
                    "load its state first, or omit last_epoch.",
                )
        self.optimizer = optimizer
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.restart()

    @abstractmethod
    def get_lr(self) -> list[float]:
        """Compute the learning rates of the groups for `last_epoch` from the current ones."""

    def starting_lr(self) -> list[float]:
        """Compute the learning rates of epoch 0 from `base_lrs`, for a scheduler that follows another one."""
        return list(self.base_lrs)

    def restart(self) -> None:
        """Set the learning rates of the first epoch."""
        self._step_count = 0
        self.step()

    def step(self) -> None:
        """Advance by one epoch."""
        self._advance(last_epoch=self.last_epoch + 1, _step_count=self._step_count + 1)

    def _advance(self, **counts: float) -> None:
        """Set attributes, and the learning rates that follow from them; an error changes none."""
        before = {name: getattr(self, name) for name in counts}
        vars(self).update(counts)
        try:
            self.set_rates(self.get_lr())
        except BaseException:
            vars(self).update(before)
            raise

    def take_over(self) -> None:
        """Start at epoch 0, from the initial learning rates."""
        self.last_epoch = 0
        self.set_rates(self.starting_lr())

    def set_rates(self, rates: list[float]) -> None:
        """Set the learning rate of each group."""
        groups = self.optimizer.param_groups
        if len(rates) != len(groups):
            raise UsageError(
                f"{type(self).__name__}: {len(groups)} parameter groups must have as many rates, got {len(rates)}.",
                "the groups that the optimizer had when the scheduler was created.",
                "add all groups before creating the scheduler.",
            )
        for group, lr in zip(groups, rates):
            group["lr"] = lr
        self._last_lr = list(rates)

    def scaled(self, factor: float) -> list[float]:
        """Return the learning rates of the groups times a factor."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]


def check_optimizer(optimizer: object, who: str) -> None:
    """Raise unless an object has parameter groups with a learning rate; it need not be a `dark.optim.Optimizer`."""
    groups = getattr(optimizer, "param_groups", None)
    if not groups or not all("lr" in group for group in groups):
        problem = f"{who}: optimizer must have parameter groups with a learning rate, got {describe(optimizer)}."
        raise UsageError(problem, "an optimizer.", f"{who}(optimizer, ...), with the optimizer first.")


def per_group(who: str, name: str, value: Any, groups: list[Group], what: str = "number") -> list[Any]:
    """Return one value for each group, given a single value or a list."""
    values = list(value) if isinstance(value, (list, tuple)) else [value] * len(groups)
    if len(values) != len(groups):
        raise UsageError(
            f"{who}: {name} must have {len(groups)} values, one for each parameter group, got {len(values)}.",
            f"one {what}, or one for each group.",
            f"a single {what}, or a list of {len(groups)}.",
        )
    return values


def rates_of(
    who: str, name: str, value: float | Sequence[float], groups: list[Group], least: float | None = 0
) -> list[float]:
    """Return one learning rate or momentum for each group, at least a number."""
    values = per_group(who, name, value, groups)
    for rate in values:
        number(rate, who, name, least=least)
    return values


def check_momentum(groups: list[Group], who: str) -> None:
    """Raise unless every group has momentum: ``"momentum"``, or ``"betas"`` as in Adam."""
    for group in groups:
        if "betas" not in group and "momentum" not in group:
            problem = f"{who}: each parameter group must have momentum or betas, got {', '.join(group)}."
            raise UsageError(problem, "an optimizer with momentum or betas.", f"{who}(..., cycle_momentum=False)")


def set_momentum(group: Group, momentum: float) -> None:
    """Set the momentum of a group: of Adam, the first of the betas."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum
