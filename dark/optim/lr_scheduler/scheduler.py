"""`LRScheduler`: the base class of schedulers: it counts epochs, and sets the learning rates at each."""

from abc import ABC, abstractmethod
from typing import Any

from dark.checks import integer
from dark.errors import UsageError
from dark.optim.lr_scheduler.group_checks import check_optimizer
from dark.optim.lr_scheduler.scheduler_state import restore_state, saved_state
from dark.optim.optimizer import Optimizer
from dark.spellings import KeywordAdvice


class LRScheduler(KeywordAdvice, ABC):
    """Base class of schedulers, which set the learning rates of an optimizer every epoch or every step.

    Call ``scheduler.step()`` after ``optimizer.step()``. Each rate is computed from the previous one,
    so that a rate assigned by the user is the new starting point, as in PyTorch.

    Parameters
    ----------
    optimizer : Optimizer
        Or any object with `param_groups`, a list of dictionaries with ``"lr"``.
    last_epoch : int, default -1
        The epoch after which to resume; -1 starts from the beginning.

    Attributes
    ----------
    base_lrs : list of float
        The initial learning rate of each group, also stored as ``"initial_lr"`` in the group.
    last_epoch : int
        The number of calls of `step`.

    Raises
    ------
    UsageError
        If `optimizer` is not an optimizer, or resumes a schedule that was never started.

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
                    f"{who}: last_epoch is {last_epoch}, but a group of the optimizer has no initial_lr.",
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

    def get_last_lr(self) -> list[float]:
        """Return the learning rate of each group as set last."""
        return list(self._last_lr)

    def restart(self) -> None:
        """Set the learning rates of the first epoch."""
        self._step_count = 0
        self.step()

    def step(self) -> None:
        """Advance by one epoch."""
        self._advance(last_epoch=self.last_epoch + 1, _step_count=self._step_count + 1)

    def _advance(self, **counts):
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
                f"{type(self).__name__}: {len(rates)} rates for {len(groups)} parameter groups.",
                "the groups that the optimizer had when the scheduler was created.",
                "add all groups before creating the scheduler.",
            )
        for group, lr in zip(groups, rates):
            group["lr"] = lr
        self._last_lr = list(rates)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the scheduler, without the optimizer."""
        return saved_state(self)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state. The learning rates themselves are part of the optimizer's state.

        Raises
        ------
        UsageError
            If it is the state of another kind of scheduler.
        """
        restore_state(self, state_dict)

    def __repr__(self) -> str:
        rates = ", ".join(f"{lr:.6g}" for lr in self._last_lr)
        return f"{type(self).__name__}(epoch {self.last_epoch}, lr {rates})"

    def scaled(self, factor: float) -> list[float]:
        """Return the learning rates of the groups times a factor."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]
