"""`SequentialLR`: several schedulers in sequence, such as a warm-up and a decay."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from dark.checks import describe, integer, integers
from dark.errors import UsageError
from dark.optim.lr_scheduler.group_checks import check_optimizer
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.lr_scheduler.scheduler_state import restore_state, saved_state
from dark.optim.optimizer import Optimizer


class SequentialLR:
    """Use several schedulers in sequence, each from a milestone on.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer of all the schedulers.
    schedulers : list of LRScheduler
        Not `ReduceLROnPlateau`, whose `step` takes a metric.
    milestones : list of int
        The epochs at which the second and all further schedulers start: one fewer than schedulers.

    Raises
    ------
    UsageError
        If the number of milestones is wrong, or a scheduler belongs to another optimizer.

    Examples
    --------
    >>> import dark
    >>> from dark.optim.lr_scheduler import ExponentialLR, LinearLR
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> warm_up = LinearLR(optimizer, start_factor=0.5, total_iters=2)
    >>> scheduler = SequentialLR(optimizer, [warm_up, ExponentialLR(optimizer, gamma=0.5)], milestones=[2])
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(4):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> rates
    [0.5, 0.75, 1.0, 0.5, 0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer, "SequentialLR")
        _check_sequence(optimizer, schedulers, milestones)
        self.optimizer, self.schedulers, self.milestones = optimizer, list(schedulers), list(milestones)
        self.last_epoch = integer(last_epoch, "SequentialLR", "last_epoch", -1) + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in self.schedulers:  # each has taken a first step when it was created
            scheduler.last_epoch -= 1
        first = self.schedulers[bisect_right(self.milestones, 0)]
        first.restart()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:
        """Advance by one epoch, with the scheduler that is active then."""
        epoch = self.last_epoch + 1
        k = bisect_right(self.milestones, epoch)
        scheduler = self.schedulers[k]
        if k and self.milestones[k - 1] == epoch:
            scheduler.take_over()
        else:
            scheduler.step()
        self.last_epoch, self._last_lr = epoch, scheduler.get_last_lr()

    def get_last_lr(self) -> list[float]:
        """Return the learning rate of each group as set last."""
        return list(self._last_lr)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of all schedulers, without the optimizer."""
        return {**saved_state(self), "_schedulers": [scheduler.state_dict() for scheduler in self.schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state. The learning rates themselves are part of the optimizer's state.

        Raises
        ------
        UsageError
            If it is the state of other schedulers; no scheduler has changed then.
        """
        states = state_dict.get("_schedulers", []) if isinstance(state_dict, Mapping) else []
        if len(states) != len(self.schedulers):
            raise UsageError(
                f"SequentialLR: the saved state has {len(states)} schedulers.",
                f"{len(self.schedulers)} schedulers.",
                "create the same schedulers as when it was saved.",
            )
        names = {"_milestones": "milestones"}  # PyTorch's
        before = [dict(vars(scheduler)) for scheduler in self.schedulers]
        try:
            for scheduler, state in zip(self.schedulers, states):
                scheduler.load_state_dict(state)
            restore_state(self, {names.get(name, name): v for name, v in state_dict.items() if name != "_schedulers"})
        except UsageError:
            for scheduler, own in zip(self.schedulers, before):
                vars(scheduler).update(own)
            raise

    def __repr__(self) -> str:
        inner = ", ".join(map(repr, self.schedulers))
        return f"SequentialLR(epoch {self.last_epoch}, milestones {self.milestones}: {inner})"


def _check_sequence(optimizer, schedulers, milestones):
    if not isinstance(schedulers, (list, tuple)) or not isinstance(milestones, (list, tuple)):
        raise UsageError(
            f"SequentialLR: schedulers is {describe(schedulers)}, milestones is {describe(milestones)}.",
            "a list of schedulers and a list of epochs.",
            "SequentialLR(optimizer, [warm_up, decay], milestones=[5])",
        )
    for scheduler in schedulers:
        if not isinstance(scheduler, LRScheduler) or scheduler.optimizer is not optimizer:
            raise UsageError(
                f"SequentialLR: cannot use {scheduler!r}.",
                "schedulers of the same optimizer whose step() takes no metric.",
                "create each of them with the optimizer of SequentialLR.",
            )
    integers(milestones, "SequentialLR", "milestones")
    if len(milestones) != len(schedulers) - 1 or list(milestones) != sorted(milestones):
        raise UsageError(
            f"SequentialLR: {len(schedulers)} schedulers and the milestones {list(milestones)}.",
            "increasing milestones, one fewer than schedulers.",
            "the epoch at which each scheduler but the first starts.",
        )
