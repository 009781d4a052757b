"""`SequentialLR`: several schedulers in sequence, such as a warm-up and a decay."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from dark.checks import describe, integer, integers
from dark.errors import UsageError
from dark.optim.lr_scheduler.scheduler import LRScheduler, check_optimizer
from dark.optim.lr_scheduler.scheduler_state import RateSchedule
from dark.optim.optimizer import Optimizer


class SequentialLR(RateSchedule):
    """Use several schedulers of an optimizer in sequence, each from a milestone on.

    The milestones are the epochs at which the second and all further schedulers start: one fewer than schedulers.
    `ReduceLROnPlateau`, whose `step` takes a metric, is not accepted.

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
        self, optimizer: Optimizer, schedulers: Sequence[LRScheduler], milestones: Sequence[int], last_epoch: int = -1
    ) -> None:
        check_optimizer(optimizer, "SequentialLR")
        if not isinstance(schedulers, (list, tuple)) or not isinstance(milestones, (list, tuple)):
            raise UsageError(
                f"SequentialLR: both arguments must be lists, got {describe(schedulers)} and {describe(milestones)}.",
                "a list of schedulers and a list of epochs.",
                "SequentialLR(optimizer, [warm_up, decay], milestones=[5])",
            )
        for scheduler in schedulers:
            if not isinstance(scheduler, LRScheduler) or scheduler.optimizer is not optimizer:
                raise UsageError(
                    f"SequentialLR: schedulers must be LRSchedulers of its optimizer, got {scheduler!r}.",
                    "schedulers of the same optimizer whose step() takes no metric.",
                    "create each of them with the optimizer of SequentialLR.",
                )
        integers(milestones, "SequentialLR", "milestones")
        if len(milestones) != len(schedulers) - 1 or list(milestones) != sorted(milestones):
            raise UsageError(
                f"SequentialLR: milestones must increase, one fewer than {len(schedulers)}, got {list(milestones)}.",
                "increasing milestones, one fewer than schedulers.",
                "the epoch at which each scheduler but the first starts.",
            )
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

    def state_dict(self) -> dict[str, Any]:
        """Return the state of all schedulers, without the optimizer."""
        return {**super().state_dict(), "_schedulers": [scheduler.state_dict() for scheduler in self.schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state of the same schedulers; after an error, none of them has changed."""
        states = state_dict.get("_schedulers", []) if isinstance(state_dict, Mapping) else []
        if len(states) != len(self.schedulers):
            raise UsageError(
                f"SequentialLR: the number of saved schedulers must be {len(self.schedulers)}, got {len(states)}.",
                f"{len(self.schedulers)} schedulers.",
                "create the same schedulers as when it was saved.",
            )
        before = [dict(vars(scheduler)) for scheduler in self.schedulers]
        try:
            for scheduler, state in zip(self.schedulers, states):
                scheduler.load_state_dict(state)
            own = {name: v for name, v in state_dict.items() if name != "_schedulers"}
            if "_milestones" in own:  # PyTorch's name
                own["milestones"] = own.pop("_milestones")
            super().load_state_dict(own)
        except UsageError:
            for scheduler, attributes in zip(self.schedulers, before):
                vars(scheduler).update(attributes)
            raise

    def __repr__(self) -> str:
        inner = ", ".join(map(repr, self.schedulers))
        return f"SequentialLR(epoch {self.last_epoch}, milestones {self.milestones}: {inner})"
